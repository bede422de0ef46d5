//! Equivalent words: enum values of the APIs, wording of the pages, short and long names. The words are data
//! (`vocabulary.toml`, `groups.toml`, `countries.tsv`); this module looks them up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::fold::{fold, key};
use crate::compiled_in;

/// The vocabulary of values.
pub const WORDS: &str = include_str!("vocabulary.toml");
const GROUPS: &str = include_str!("groups.toml");

/// All countries, one a line, with tab-separated columns: M49 code, ISO 3166 alpha-3, short name, long name, other
/// names (separated by `|`), whether it has a page, flags.
pub const COUNTRIES: &str = include_str!("countries.tsv");

/// Why two texts are equivalent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Equivalence {
    /// Equal except for case, spaces, dashes, quotes, accents and articles.
    Spelling,
    /// Two spellings of one term.
    Term {
        /// The kind of term: `income_classification`, `country`.
        kind: &'static str,
        /// Its canonical form: the API's enum value, the code or the short name.
        canonical: &'static str,
    },
}

/// One term: a kind and a canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// The kind of term.
    pub kind: &'static str,
    /// Its canonical form: the API's enum value, the code or the short name.
    pub canonical: &'static str,
}

#[derive(Default)]
struct Vocabulary {
    terms: BTreeMap<String, BTreeSet<Term>>,
    longest: usize,
}

impl Vocabulary {
    fn add<'s>(&mut self, term: Term, spellings: impl Iterator<Item = &'s str>) {
        for spelling in spellings.chain([term.canonical]).filter(|spelling| !spelling.is_empty()) {
            let key = key(spelling);
            self.longest = self.longest.max(key.split(' ').count());
            self.terms.entry(key).or_default().insert(term);
        }
    }
}

type Source = BTreeMap<String, BTreeMap<String, Vec<String>>>;

fn vocabulary() -> &'static Vocabulary {
    static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
    VOCABULARY.get_or_init(|| {
        let mut vocabulary = Vocabulary::default();
        for (name, text) in [("vocabulary.toml", WORDS), ("groups.toml", GROUPS)] {
            let source: Source = compiled_in::toml(name, text);
            for (kind, words) in source {
                let kind: &'static str = kind.leak();
                for (canonical, spellings) in words {
                    let term = Term { kind, canonical: canonical.leak() };
                    vocabulary.add(term, spellings.iter().map(String::as_str));
                }
            }
        }
        for line in COUNTRIES.lines().filter(|line| !line.starts_with('#')) {
            let [_, alpha3, short, long, others, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
                continue;
            };
            let term = Term { kind: "country", canonical: short };
            vocabulary.add(term, [alpha3, long].into_iter().chain(others.split('|')));
        }
        vocabulary
    })
}

/// All terms that a text spells, of any kind.
pub fn terms(text: &str) -> impl Iterator<Item = Term> {
    vocabulary().terms.get(&key(text)).into_iter().flatten().copied()
}

/// Whether two texts are equivalent as spellings of any one term.
#[must_use]
pub fn same_words(a: &str, b: &str) -> Option<Equivalence> {
    same_words_of(None, a, b)
}

/// Whether two texts are equivalent as words of one kind, so that `high` income does not equal `many` opportunities. An
/// unknown kind has no terms, so only the spelling counts.
#[must_use]
pub fn same_words_of(kind: Option<&str>, a: &str, b: &str) -> Option<Equivalence> {
    let (key_a, key_b) = (key(a), key(b));
    if key_a.is_empty() || key_b.is_empty() {
        // Texts of punctuation alone are compared exactly.
        let (a, b) = (fold(a), fold(b));
        return (a == b && !a.is_empty()).then_some(Equivalence::Spelling);
    }
    if key_a == key_b {
        return Some(Equivalence::Spelling);
    }
    let terms = &vocabulary().terms;
    let (of_a, of_b) = (terms.get(&key_a)?, terms.get(&key_b)?);
    of_a.intersection(of_b)
        .find(|term| kind.is_none_or(|kind| kind == term.kind))
        .map(|term| Equivalence::Term { kind: term.kind, canonical: term.canonical })
}

/// The canonical form of a text of a kind: `canonical("grade", "APlus")` is `A+`. `None` if the kind or the spelling is
/// unknown.
#[must_use]
pub fn canonical(kind: &str, text: &str) -> Option<&'static str> {
    terms(text).find(|term| term.kind == kind).map(|term| term.canonical)
}

/// The terms in a longer text, in order, the longest spelling first at each place. `has not yet started the process`
/// contains the term `not yet started` but not `started`. Codes of up to three letters (`PER`, `US`, the grade `B`)
/// need capitals, because `per` and `us` are words.
#[must_use]
pub fn terms_in(text: &str) -> Vec<Vec<Term>> {
    let vocabulary = vocabulary();
    let key = key(&text.replace([',', ';', ':', '(', ')', '.'], " "));
    let words: Vec<&str> = key.split(' ').collect();
    let short =
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '+' | '-'))).filter(|word| word.len() <= 3);
    let capitals: BTreeSet<String> =
        short.filter(|word| !word.chars().any(char::is_lowercase)).map(str::to_lowercase).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let most = vocabulary.longest.min(words.len() - at);
        let hit = (1..=most).rev().find_map(|n| {
            let run = words.get(at..at + n)?.join(" ");
            let code = run.len() <= 3 && !capitals.contains(run.as_str());
            vocabulary.terms.get(&run).filter(|_| !code).map(|terms| (n, terms.iter().copied().collect()))
        });
        match hit {
            Some((n, terms)) => {
                found.push(terms);
                at += n;
            }
            None => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spelling_stands_twice_in_one_kind() {
        for (spelling, terms) in &vocabulary().terms {
            let kinds: BTreeSet<_> = terms.iter().map(|term| term.kind).collect();
            assert_eq!(kinds.len(), terms.len(), "`{spelling}` is ambiguous: {terms:?}");
        }
    }

    #[test]
    fn api_values_are_the_wording_of_the_pages() {
        for (api, page) in [
            ("LowerMiddle", "lower-middle-income"),
            ("High", "high-income"),
            ("ict", "Business (service sector)"),
            ("ict", "Business"),
            ("financial", "Insurance & finance"),
            ("LightTouch", "Light Touch Approach"),
            ("rapid", "rapidly"),
            ("ModeratelyMore", "slightly more complex than expected"),
            ("TopHalf", "top half"),
            ("Ninth", "4.5"),
            ("Top", "5.0"),
            ("APlus", "A+"),
            ("DMinus", "D-"),
            ("NotStarted", "not yet started"),
            ("Troubling", "troubling"),
            ("Turkiye", "Türkiye"),
            ("Turkey", "Turkiye"),
            ("USA", "United States of America"),
            ("South Korea", "Korea, Rep."),
            ("Côte d'Ivoire", "Ivory Coast"),
            ("Minerals, fuels, ores and salts", "Minerals"),
        ] {
            assert!(same_words(api, page).is_some(), "{api} ~ {page}");
        }
        for (a, b) in [
            ("High", "low-income"),
            ("A+", "A"),
            ("D-", "D"),
            ("started", "not yet started"),
            ("Guinea", "Guinea-Bissau"),
            ("Niger", "Nigeria"),
            ("Sudan", "South Sudan"),
            ("South Korea", "North Korea"),
            ("Congo", "Democratic Republic of the Congo"),
        ] {
            assert!(same_words(a, b).is_none(), "{a} !~ {b}");
        }
    }

    #[test]
    fn a_known_kind_keeps_kinds_apart() {
        assert!(same_words_of(Some("coi_classification"), "high", "many").is_some());
        assert!(same_words_of(Some("income_classification"), "high", "many").is_none());
        assert_eq!(canonical("grade", "APlus"), Some("A+"));
        assert_eq!(canonical("income_classification", "many"), None);
    }

    #[test]
    fn codes_in_a_sentence_are_in_capitals() {
        let countries = |text| terms_in(text).into_iter().flatten().filter(|t| t.kind == "country").count();
        assert_eq!(countries("exports per capita are what we can see, nor do they tell us more"), 0);
        assert_eq!(countries("PER exported less than the US and the UK"), 3);
    }

    #[test]
    fn the_longest_spelling_wins_in_a_sentence() {
        let found =
            terms_in("Kenya has not yet started the traditional process of structural transformation");
        let started: Vec<_> = found
            .iter()
            .flatten()
            .filter(|term| term.kind == "structural_transformation")
            .map(|t| t.canonical)
            .collect();
        assert_eq!(started, ["NotStarted"]);
    }
}
