//! Finds phrases that mark made-up or evasive content (scoring thresholds, "Hallucination markers detected").

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;

use super::markdown::MarkdownDocument;
use crate::compiled_in;
use crate::value::vocabulary::terms;

/// The four kinds of phrases. Contradictions, the fifth kind of marker, have their own module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MarkerKind {
    /// "I don't have access to", "I cannot provide".
    Refusal,
    /// "unknown", "not specified".
    VagueUncertainty,
    /// "approximately infinite", "unlimited".
    UnrealisticValue,
    /// "very large", "extremely small".
    VagueIntensifier,
}

/// A phrase found in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Marker {
    /// The kind of phrase.
    pub kind: MarkerKind,
    /// The phrase as written.
    pub text: String,
    /// Line in the source, from 1.
    pub line: usize,
    /// Whether it counts against the text. An expected refusal does not (decision 3).
    pub counts: bool,
}

static PHRASES: LazyLock<Vec<(MarkerKind, Regex)>> = LazyLock::new(|| {
    [
        (
            MarkerKind::Refusal,
            r"\bI (?:(?:do not|don't|currently don't|do not currently) have access to|(?:cannot|can not|can't|am unable to|am not able to) provide)\b",
        ),
        (MarkerKind::VagueUncertainty, r"\b(?:unknown|not specified|unspecified)\b"),
        (MarkerKind::UnrealisticValue, r"\b(?:(?:approximately |nearly |almost )?infinite|unlimited)\b"),
        (MarkerKind::VagueIntensifier, r"\b(?:very|extremely) (?:large|small|big|huge|tiny)\b"),
    ]
    .into_iter()
    .map(|(kind, pattern)| (kind, compiled_in::pattern(&format!("(?i){pattern}"))))
    .collect()
});

/// Finds the markers of a text in order, outside code.
#[must_use]
pub fn markers(document: &MarkdownDocument<'_>, expects_refusal: bool) -> Vec<Marker> {
    let mut line = 1;
    let mut counted = 0;
    let mut found = Vec::new();
    for block in &document.blocks {
        let upto = block.range.start.max(counted);
        line += document.source[counted..upto].bytes().filter(|byte| *byte == b'\n').count();
        counted = upto;
        let text = block.text.replace('\u{2019}', "'");
        let mut hits: Vec<(usize, Marker)> = Vec::new();
        let mut names = HashMap::new();
        for (kind, pattern) in PHRASES.iter() {
            for hit in pattern.find_iter(&text) {
                if *kind == MarkerKind::VagueUncertainty && in_a_name(&text, hit.range(), &mut names) {
                    continue;
                }
                let counts = !(expects_refusal && *kind == MarkerKind::Refusal);
                hits.push((hit.start(), Marker { kind: *kind, text: hit.as_str().to_owned(), line, counts }));
            }
        }
        hits.sort_by_key(|(at, _)| *at);
        found.extend(hits.into_iter().map(|(_, marker)| marker));
    }
    found
}

/// Whether a phrase is part of a name in the dictionary: "Unspecified services", "Commodities not specified". `known` caches
/// the lookups.
fn in_a_name<'t>(text: &'t str, phrase: Range<usize>, known: &mut HashMap<&'t str, bool>) -> bool {
    let before: Vec<usize> = text[..phrase.start]
        .rmatch_indices(|c: char| !c.is_alphanumeric() && c != '(')
        .map(|(at, gap)| at + gap.len())
        .chain([0])
        .filter(|start| *start < phrase.start)
        .take(2)
        .chain([phrase.start])
        .collect();
    let rest = text[phrase.end..].trim_start_matches([' ', ')']);
    let next = text.len() - rest.len() + rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let ends = [phrase.end, phrase.end + usize::from(text[phrase.end..].starts_with(')')), next];
    before.iter().flat_map(|start| ends.map(|end| &text[*start..end])).any(|window| {
        window.len() > phrase.len() + 1
            && *known.entry(window).or_insert_with(|| {
                terms(window).any(|term| matches!(term.kind, "product_name" | "sector" | "service"))
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scoring_thresholds_hallucination_markers() {
        use MarkerKind::{Refusal, UnrealisticValue, VagueIntensifier, VagueUncertainty};
        let text = "I don\u{2019}t have access to it. I cannot provide it.\n\nThe year is **unknown**, the product not \
                    specified.\n\n- approximately infinite\n- Unlimited\n\nA very large, extremely small thing.\n\n`unknown`";
        let kinds: Vec<MarkerKind> =
            markers(&MarkdownDocument::parse(&text.replace("`unknown`", "```\nunknown\n```")), false)
                .iter()
                .map(|marker| marker.kind)
                .collect();
        assert_eq!(
            kinds,
            [
                Refusal,
                Refusal,
                VagueUncertainty,
                VagueUncertainty,
                UnrealisticValue,
                UnrealisticValue,
                VagueIntensifier,
                VagueIntensifier
            ]
        );
    }

    #[test]
    fn a_name_of_the_dictionary_is_no_marker() {
        let found = |text: &str| markers(&MarkdownDocument::parse(text), false).len();
        for name in [
            "Unspecified services made up $85 billion.",
            "The largest are services (unspecified) and travel.",
            "Commodities not specified according to kind: $188 million",
            "- Commodities not specified",
        ] {
            assert_eq!(found(name), 0, "{name}");
        }
        assert_eq!(found("Unspecified services are unspecified, the year is not specified."), 2);
    }

    #[test]
    fn decision_3_an_expected_refusal_does_not_count() {
        let document = MarkdownDocument::parse("# Answer\n\nI cannot provide this. It is unknown.");
        let counted = |expects| markers(&document, expects).iter().filter(|marker| marker.counts).count();
        assert_eq!((counted(false), counted(true)), (2, 1));
        assert_eq!(markers(&document, false)[0].line, 3);
    }
}
