//! The lexicon: phrases from `lexicon.toml` and the vocabulary that name measures, context and meaning. Finds them in running
//! text, longest first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
use serde::Deserialize;

use crate::compiled_in;
use crate::value::fold::fold_char;
use crate::value::{Basis, Classification, Flow, Scope, Statistic};

/// The meaning of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sense {
    Metric(&'static str),
    Modifier(&'static str),
    Classification(Classification),
    Scope(Scope),
    Flow(Flow),
    Basis(Basis),
    Statistic(Statistic),
    /// A product or service, by code.
    Product(&'static str),
    /// A term of the vocabulary: kind and canonical form.
    Term(&'static str, &'static str),
}

impl Sense {
    /// The term of the vocabulary, if it is one.
    pub(crate) fn term(self) -> Option<Tag> {
        match self {
            Self::Term(kind, canonical) => Some((kind, canonical)),
            _ => None,
        }
    }
}

/// The measure of a data point.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Measure {
    pub family: String,
    pub also: Vec<String>,
    pub needs: Vec<String>,
    pub excludes: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Lexicon {
    point: BTreeMap<String, Measure>,
    list: BTreeMap<String, Vec<String>>,
    #[serde(flatten)]
    words: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

const LEXICON: &str = include_str!("lexicon.toml");
const VOCABULARY: &str = crate::value::vocabulary::WORDS;

/// Kinds of the vocabulary that state nothing about a data point.
const OTHER_KINDS: [&str; 6] =
    ["classification", "flow", "truth_value", "decile", "grade", "strategy_with_criterion"];

struct Index {
    context: Phrases<Sense>,
    terms: Phrases<Sense>,
    tags: Phrases<Tag>,
    /// All names in the lexicon.
    named: Vec<Tag>,
    points: BTreeMap<String, Measure>,
    lists: HashMap<String, List, FixedState>,
}

/// A list of words, and where each stands in it: the rules ask thousands of times whether a word is listed.
struct List {
    words: Vec<String>,
    places: HashMap<String, usize, FixedState>,
}

impl List {
    fn new(words: Vec<String>) -> Self {
        let places = words.iter().cloned().zip(0..).collect();
        Self { words, places }
    }
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let lexicon: Lexicon = compiled_in::toml("lexicon.toml", LEXICON);
    let vocabulary: BTreeMap<String, BTreeMap<String, Vec<String>>> =
        compiled_in::toml("vocabulary.toml", VOCABULARY);
    let (mut context, mut tags, mut terms) = (Phrases::new(), Phrases::new(), Phrases::new());
    let mut named = Vec::new();
    for (kind, words) in lexicon.words {
        let kind: &'static str = kind.leak();
        for (value, phrases) in words {
            let value: &'static str = value.leak();
            let sense = sense(kind, value);
            named.push((kind, value));
            for phrase in &phrases {
                tags.add(phrase, (kind, value));
                // A phrase of absence with a negation is also a negation.
                let denies = |word: &str| ["not", "t", "no", "none", "cannot"].contains(&word);
                if kind == "absence" && phrase.split(' ').any(denies) {
                    tags.add(phrase, ("operator", "negation"));
                }
                sense.into_iter().for_each(|sense| context.add(phrase, sense));
            }
        }
    }
    for (kind, words) in vocabulary {
        let kind: &'static str = kind.leak();
        for (canonical, spellings) in words {
            let canonical: &'static str = canonical.leak();
            for spelling in spellings.iter().map(String::as_str).chain([canonical]) {
                if matches!(kind, "product_name" | "service") {
                    terms.add(spelling, Sense::Product(canonical));
                }
                if !OTHER_KINDS.contains(&kind) {
                    terms.add(spelling, Sense::Term(kind, canonical));
                }
            }
        }
    }
    let (context, terms, tags) = (context.sorted(), terms.sorted(), tags.sorted());
    let lists = lexicon.list.into_iter().map(|(name, words)| (name, List::new(words))).collect();
    Index { context, terms, tags, named, points: lexicon.point, lists }
});

fn sense(kind: &str, value: &'static str) -> Option<Sense> {
    fn of<T: serde::de::DeserializeOwned>(value: &str) -> Option<T> {
        serde_json::from_value(serde_json::Value::String(value.to_owned())).ok()
    }
    Some(match kind {
        "metric" => Sense::Metric(value),
        "modifier" => Sense::Modifier(value),
        "classification" => Sense::Classification(of(value)?),
        "scope" => Sense::Scope(of(value)?),
        "flow" => Sense::Flow(of(value)?),
        "basis" => Sense::Basis(of(value)?),
        "statistic" => Sense::Statistic(of(value)?),
        _ => return None,
    })
}

/// The words of a list, in its order.
#[must_use]
pub fn list(name: &str) -> &'static [String] {
    INDEX.lists.get(name).map_or(&[], |list| &list.words)
}

/// Whether a list contains a word.
#[must_use]
pub fn listed(name: &str, word: &str) -> bool {
    position(name, word).is_some()
}

/// The position of a word in a list, from 0.
pub(crate) fn position(name: &str, word: &str) -> Option<usize> {
    INDEX.lists.get(name)?.places.get(word).copied()
}

/// Whether a text contains a phrase of a list, as whole words.
pub(crate) fn says(name: &str, text: &str) -> bool {
    let words = words(text);
    let text = words.iter().flat_map(|word| [" ", word.folded.as_str()]).collect::<String>() + " ";
    list(name).iter().any(|phrase| text.contains(&format!(" {phrase} ")))
}

/// The measure of a data point, if the lexicon defines it.
pub(crate) fn measure(data_point: &str) -> Option<&'static Measure> {
    INDEX.points.get(data_point)
}

/// The kind and value of a lexicon phrase: `("flow", "export")`.
pub(crate) type Tag = (&'static str, &'static str);

/// Finds a measure or modifier by its name.
pub(crate) fn known(name: &str) -> Option<Tag> {
    let is_known = |(kind, value): &&Tag| *value == name && matches!(*kind, "metric" | "modifier");
    INDEX.named.iter().find(is_known).copied()
}

/// The longest lexicon phrase at the start of these words: its length in words and its tags.
pub(crate) fn tags(words: &[Word]) -> Option<(usize, &'static [Tag])> {
    INDEX.tags.begin(words)
}

/// The longest product or term of the vocabulary at the start of these words.
pub(crate) fn term(words: &[Word]) -> Option<(usize, &'static [Sense])> {
    INDEX.terms.begin(words)
}

/// The phrases in a text that name measures or context.
pub(crate) fn context(words: &[Word]) -> Vec<(Range<usize>, Sense)> {
    INDEX.context.find(words)
}

/// The products and terms of the vocabulary in a text.
pub(crate) fn terms(words: &[Word]) -> Vec<(Range<usize>, Sense)> {
    INDEX.terms.find(words)
}

/// A folded word with its byte range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub range: Range<usize>,
    pub folded: String,
}

/// Splits a text into words; `&` counts as `and`.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c.is_ascii() {
            if c.is_ascii_alphanumeric() {
                let lower = c.to_ascii_lowercase();
                match out.last_mut().filter(|_| open) {
                    Some(word) => {
                        word.folded.push(lower);
                        word.range.end = end;
                    }
                    None => out.push(Word { range: at..end, folded: lower.to_string() }),
                }
                open = true;
            } else {
                open = false;
                if c == '&' {
                    out.push(Word { range: at..end, folded: "and".to_owned() });
                }
            }
            continue;
        }
        let folded = fold_char(c);
        if folded.is_empty() {
            continue;
        }
        if folded.chars().all(char::is_alphanumeric) {
            match out.last_mut().filter(|_| open) {
                Some(word) => {
                    word.folded.push_str(&folded);
                    word.range.end = end;
                }
                None => out.push(Word { range: at..end, folded }),
            }
            open = true;
        } else {
            open = false;
        }
    }
    out
}

/// The words of a phrase with its values.
type Entry<T> = (Vec<String>, Vec<T>);

/// Phrases with their values, by first word, longest first.
struct Phrases<T>(HashMap<String, Vec<Entry<T>>>);

impl<T: Copy + PartialEq> Phrases<T> {
    fn new() -> Self {
        Self(HashMap::new())
    }

    fn add(&mut self, phrase: &str, one: T) {
        let words: Vec<String> = words(phrase).into_iter().map(|word| word.folded).collect();
        let Some(first) = words.first() else { return };
        let entries = self.0.entry(first.clone()).or_default();
        match entries.iter_mut().find(|(known, _)| *known == words) {
            Some((_, all)) if all.contains(&one) => {}
            Some((_, all)) => all.push(one),
            None => entries.push((words, vec![one])),
        }
    }

    fn sorted(mut self) -> Self {
        self.0.values_mut().for_each(|entries| entries.sort_by_key(|(words, _)| Reverse(words.len())));
        self
    }

    /// The longest phrase at the start of these words: its length in words and its values.
    fn begin(&self, words: &[Word]) -> Option<(usize, &[T])> {
        let fits = |phrase: &[String]| {
            let here = words.get(..phrase.len());
            here.is_some_and(|here| here.iter().zip(phrase).all(|(word, expected)| word.folded == *expected))
        };
        let known = self.0.get(&words.first()?.folded)?;
        known.iter().find(|(phrase, _)| fits(phrase)).map(|(phrase, all)| (phrase.len(), all.as_slice()))
    }

    /// The phrases in a text, in order. At each word it takes the longest phrase with all its values.
    fn find(&self, words: &[Word]) -> Vec<(Range<usize>, T)> {
        let mut found = Vec::new();
        let mut rest = words;
        while let Some(first) = rest.first() {
            let (count, all) = self.begin(rest).unwrap_or((1, &[]));
            let end = rest.get(count - 1).map_or(first.range.end, |last| last.range.end);
            found.extend(all.iter().map(|one| (first.range.start..end, *one)));
            rest = rest.get(count..).unwrap_or_default();
        }
        found
    }
}

/// The place that an ordinal in words names, up to the tenth.
pub(crate) fn ordinal(word: &str) -> Option<usize> {
    position("ordinal", word).map(|at| at + 1)
}

/// An ordinal number written in digits, as a word: `2nd` is `second`.
pub(crate) fn ordinal_in_words(word: &str) -> Option<&'static str> {
    let end = word.find(|c: char| !c.is_ascii_digit())?;
    let (digits, suffix) = word.split_at_checked(end)?;
    let place: usize = digits.parse().ok().filter(|_| matches!(suffix, "st" | "nd" | "rd" | "th"))?;
    list("ordinal").get(place.checked_sub(1)?).map(String::as_str)
}

/// The stem of a word.
#[must_use]
pub fn stem(word: &str) -> String {
    let bare =
        word.strip_suffix("ies").or_else(|| word.strip_suffix("es")).or_else(|| word.strip_suffix('s'));
    let bare = bare.filter(|bare| bare.len() > 2).unwrap_or(word);
    let bare = bare
        .strip_suffix("ing")
        .or_else(|| bare.strip_suffix("ed"))
        .filter(|bare| bare.len() > 3)
        .unwrap_or(bare);
    let bare = word
        .strip_suffix("ity")
        .or_else(|| word.strip_suffix("ities"))
        .filter(|bare| bare.len() > 5)
        .unwrap_or(bare);
    let bare = bare.strip_suffix('y').filter(|bare| bare.len() > 4).unwrap_or(bare);
    bare.trim_end_matches('e').to_owned()
}

/// Whether a list holds a word of this stem.
#[must_use]
pub(crate) fn listed_stem(name: &str, stemmed: &str) -> bool {
    list(name).iter().any(|word| stem(word) == stemmed)
}

/// The terms of the vocabulary in a text.
pub(crate) fn terms_within(text: &str) -> Vec<Tag> {
    terms(&words(text)).into_iter().filter_map(|(_, sense)| sense.term()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_can_be_read_whole() {
        let lexicon: Lexicon = toml::from_str(LEXICON).unwrap();
        for (kind, words) in &lexicon.words {
            for value in words.keys() {
                let value: &'static str = value.clone().leak();
                let plain = [
                    "operator",
                    "role",
                    "direction",
                    "comparative",
                    "polarity",
                    "absence",
                    "key",
                    "part",
                    "thing",
                    "group",
                    "level",
                ];
                assert!(plain.contains(&kind.as_str()) || sense(kind, value).is_some(), "{kind}.{value}");
            }
        }
        let known = |name: &String| {
            lexicon.words["metric"].contains_key(name) || lexicon.words["modifier"].contains_key(name)
        };
        for (point, measure) in &lexicon.point {
            let all = [&measure.family].into_iter().chain(&measure.also);
            let all = all.chain(&measure.needs).chain(&measure.excludes);
            for name in all {
                assert!(known(name), "{point}: {name}");
            }
        }
        toml::from_str::<BTreeMap<String, BTreeMap<String, Vec<String>>>>(VOCABULARY).unwrap();
    }

    #[test]
    fn the_longest_phrase_wins() {
        let text = "Exports of goods and services";
        let found: Vec<Sense> = context(&words(text)).into_iter().map(|(_, sense)| sense).collect();
        assert!(found.contains(&Sense::Scope(Scope::GoodsAndServices)), "{found:?}");
        assert!(!found.contains(&Sense::Scope(Scope::Goods)), "{found:?}");
    }
}
