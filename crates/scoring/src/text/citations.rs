//! Finds citations and their sources (scoring thresholds, "Citation patterns detected").

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;
use url::Url;

use super::markdown::MarkdownDocument;
use crate::compiled_in;

/// The six documented citation patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CitationKind {
    /// `https://example.com`.
    DirectUrl,
    /// `[Source: …]`.
    SourceTag,
    /// `[1]`.
    Numeric,
    /// `[text](https://example.com)`, or `Source: …` at the start of a line.
    SourceLink,
    /// `(Author, Year)`.
    AuthorYear,
    /// `Author, A. (Year). Title.` or `Author et al. (Year)`.
    Reference,
}

/// A citation in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Citation {
    /// The pattern that it matches; the widest of several.
    pub kind: CitationKind,
    /// The citation's text.
    pub text: String,
    /// The normalised web addresses in it, in order.
    pub sources: Vec<String>,
    #[serde(skip)]
    range: Range<usize>,
}

/// The patterns from widest to narrowest.
static PATTERNS: LazyLock<Vec<(CitationKind, Regex)>> = LazyLock::new(|| {
    let name = r"\p{Lu}[\p{L}'\u{2019}-]+";
    // Names of institutions have several words: "World Bank", "Ministry of Trade and Industry".
    let author = format!(r"{name}(?: (?:(?:of|for|the|on|and|&) ){{0,2}}{name}){{0,6}}");
    let year = r"(?:1[89]|20)\d\d[a-z]?";
    [
        (
            CitationKind::Reference,
            format!(
                r"(?m)^[ \t]*(?:[-*] |\d+\. |\[\d+\]:? )?{name}, \p{{Lu}}\.[^\n]{{0,200}}?\({year}\)\.[^\n]+|{name} et al\.,? \({year}\)|{name} (?:and|&) {name} \({year}\)"
            ),
        ),
        (CitationKind::SourceTag, r"(?i)\[sources?:(?:[^\[\]\n]|\[[^\[\]\n]*\])+\](?:\([^)\s]*\))?".to_owned()),
        (CitationKind::SourceLink, r"\[[^\]\n]*\]\(<?https?://[^\s)]+(?:\([^\s)]*\)[^\s)]*)*>?[^)\n]*\)".to_owned()),
        (CitationKind::SourceLink, r"(?im)^[ \t>*_-]*sources?(?: links?)?[*_]*:[*_]*[ \t]+\S[^\n]*".to_owned()),
        (CitationKind::DirectUrl, r#"https?://[^\s<>"`\]]+"#.to_owned()),
        (
            CitationKind::AuthorYear,
            format!(r"\({author}(?: et al\.)?,? {year}(?:; {name}[^;)]*,? {year})*\)"),
        ),
        (CitationKind::Numeric, r"\[\^?\d{1,3}\]".to_owned()),
    ]
    .into_iter()
    .map(|(kind, pattern)| (kind, compiled_in::pattern(&pattern)))
    .collect()
});

static ADDRESS: LazyLock<Regex> = LazyLock::new(|| compiled_in::pattern(r#"https?://[^\s<>"`\]]+"#));

/// Finds the citations of a text, in order. A span that matches several patterns counts once (decision 2). Code is skipped.
#[must_use]
pub(crate) fn citations(document: &MarkdownDocument<'_>) -> Vec<Citation> {
    let source = document.source;
    let mut found: Vec<Citation> = Vec::new();
    for (kind, pattern) in PATTERNS.iter() {
        let before = found.len();
        for hit in pattern.find_iter(source) {
            let free =
                |citation: &Citation| citation.range.end <= hit.start() || citation.range.start >= hit.end();
            // Citations of earlier patterns are sorted and do not overlap.
            let first = found[..before].partition_point(|citation| citation.range.end <= hit.start());
            if document.in_code(hit.start()) || !found[..before].get(first).is_none_or(free) {
                continue;
            }
            let text = match kind {
                CitationKind::DirectUrl => trim_address(hit.as_str()),
                _ => hit.as_str().trim(),
            };
            found.push(Citation {
                kind: *kind,
                text: text.to_owned(),
                sources: addresses(text).collect(),
                range: hit.range(),
            });
        }
        found.sort_by_key(|citation| citation.range.start);
    }
    found
}

/// The distinct sources of a text in citation order. Repeated citations of an address count once (scoring thresholds, FAQ).
#[must_use]
pub(crate) fn unique_sources(citations: &[Citation]) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    citations
        .iter()
        .flat_map(|citation| &citation.sources)
        .filter(|source| seen.insert(source.as_str()))
        .cloned()
        .collect()
}

fn addresses(text: &str) -> impl Iterator<Item = String> + '_ {
    ADDRESS.find_iter(text).map(|hit| normalise_url(trim_address(hit.as_str())))
}

/// Trims sentence punctuation from an address. A closing bracket stays if the address contains its opening bracket.
fn trim_address(text: &str) -> &str {
    let mut text = text;
    loop {
        let shorter =
            text.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '\u{201d}', '\u{2019}']);
        let count = |bracket: char| shorter.matches(bracket).count();
        let shorter = match shorter.strip_suffix(')') {
            Some(rest) if count(')') > count('(') => rest,
            _ => shorter,
        };
        if shorter == text {
            return text;
        }
        text = shorter;
    }
}

/// Normalises an address so that links to the same page are equal: scheme `https`; lower-case host without `www.`; no
/// default port, fragment, trailing slash or tracking parameters; other parameters sorted.
#[must_use]
pub(crate) fn normalise_url(address: &str) -> String {
    let Ok(url) = Url::parse(address.trim()) else { return address.trim().to_lowercase() };
    let host = url.host_str().unwrap_or_default().trim_end_matches('.').trim_start_matches("www.");
    if host.is_empty() {
        return address.trim().to_lowercase();
    }
    let mut out = format!("https://{host}");
    if let Some(port) = url.port().filter(|port| !matches!(port, 80 | 443)) {
        out.push_str(&format!(":{port}"));
    }
    out.push_str(url.path().trim_end_matches('/'));
    let mut parameters: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !name.starts_with("utm_") && !matches!(&**name, "gclid" | "fbclid"))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    parameters.sort();
    if !parameters.is_empty() {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
        out.push('?');
        out.push_str(&query);
    }
    out
}

/// Reads a web address.
///
/// # Errors
/// It is none: it cannot be parsed, or its scheme is neither `http` nor `https`.
pub(crate) fn web_address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|error| format!("{text:?} is not a web address: {error}"))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(format!("{text:?} is not a web address: its scheme is {scheme}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<CitationKind> {
        citations(&MarkdownDocument::parse(text)).iter().map(|citation| citation.kind).collect()
    }

    #[test]
    fn scoring_thresholds_citation_patterns() {
        use CitationKind::{AuthorYear, DirectUrl, Numeric, Reference, SourceLink, SourceTag};
        assert_eq!(kinds("See https://example.com."), [DirectUrl]);
        assert_eq!(kinds("Grew [Source: https://example.com]"), [SourceTag]);
        assert_eq!(kinds("As shown [1], and again [2]."), [Numeric, Numeric]);
        assert_eq!(kinds("See [the Atlas](https://example.com/a_(b))."), [SourceLink]);
        assert_eq!(kinds("Source: World Bank, 2024 edition"), [SourceLink]);
        assert_eq!(kinds("It is so (Hausmann, 2014)."), [AuthorYear]);
        assert_eq!(kinds("It is so (Hausmann et al., 2014)."), [AuthorYear]);
        assert_eq!(kinds("It is so (Hausmann and Klinger, 2006)."), [AuthorYear]);
        assert_eq!(
            kinds("So say all (ILO, 2021), (World Bank, 2021), (Ministry of Trade, 2020)."),
            [AuthorYear; 3]
        );
        assert_eq!(kinds("Hausmann et al. (2014) say so."), [Reference]);
        assert_eq!(kinds("- Hausmann, R. (2014). The Atlas. https://example.com"), [Reference]);
    }

    #[test]
    fn decision_2_a_span_counts_once_and_code_is_no_citation() {
        assert_eq!(kinds("[Source: https://example.com] https://example.com").len(), 2);
        assert_eq!(kinds("[Source: [1] https://example.com]").len(), 1);
        assert_eq!(kinds("`https://example.com` and\n```\n[1]\n```\n"), []);
        assert_eq!(kinds("a[1]b (see 3) [x] (Kenya, the country)"), [CitationKind::Numeric]);
    }

    #[test]
    fn scoring_thresholds_faq_unique_sources() {
        let text = "https://example.com, https://EXAMPLE.com/ and [x](http://www.example.com/#top); https://a.b/?utm_source=x&q=1";
        let found = citations(&MarkdownDocument::parse(text));
        assert_eq!(found.len(), 4);
        assert_eq!(unique_sources(&found), ["https://example.com", "https://a.b?q=1"]);
    }
}
