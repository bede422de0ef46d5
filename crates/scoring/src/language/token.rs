//! The tokens of a sentence: their kinds, tags and parts of speech, and the names of a record's rows.

use std::ops::Range;

use super::lexicon::{self, Tag, Word};
use crate::atlas::CountryId;
use crate::value::{Period, Quantity, Unit};

/// The kind of a token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Words. Without tags and terms they are unknown.
    Words,
    Number(Quantity),
    Period(Period),
    /// A duration in years.
    Duration(u32),
    Country(CountryId),
    /// A row of the record, named in the text.
    Row(Vec<usize>),
    Product(&'static str),
    Mark(char),
}

/// A token of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub range: Range<usize>,
    /// The folded words.
    pub folded: String,
    pub kind: Kind,
    pub tags: Vec<Tag>,
    /// The vocabulary terms, as kind and canonical form.
    pub terms: Vec<Tag>,
    /// The depth of round brackets around it.
    pub depth: usize,
    /// A sign beside the number that changes its value or is unknown.
    pub marked: Option<char>,
    /// The part of speech of an unknown word.
    pub class: Option<Class>,
}

impl Token {
    pub(crate) fn is(&self, kind: &str, value: &str) -> bool {
        self.tags.iter().any(|tag| *tag == (kind, value) || (tag.0 == kind && tag.1 == value))
    }

    pub(crate) fn role(&self, value: &str) -> bool {
        self.is("role", value)
    }

    pub(crate) fn operator(&self, value: &str) -> bool {
        self.is("operator", value)
    }

    pub(crate) fn number(&self) -> Option<&Quantity> {
        match &self.kind {
            Kind::Number(quantity) => Some(quantity),
            _ => None,
        }
    }

    /// Whether it is a four-digit number, like a product code.
    pub(crate) fn is_code(&self) -> bool {
        self.number().is_some_and(|number| number.unit == Unit::Count)
            && self.folded.len() == 4
            && self.folded.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether a number after it is a code or a position: `chapter 87`, `HS 8703`.
    pub(crate) fn announces_code(&self) -> bool {
        self.listed("before_code") || self.tagged("classification")
    }

    pub(crate) fn mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    /// Whether it consists of unknown words.
    pub(crate) fn unknown(&self) -> bool {
        self.kind == Kind::Words && self.tags.is_empty() && self.terms.is_empty()
    }

    /// Whether it is an unknown adverb in `-ly`: `merely`, but not `anomaly`.
    pub(crate) fn is_manner(&self) -> bool {
        self.unknown() && self.folded.len() >= 4 && self.folded.ends_with("ly") && !self.listed("noun_in_ly")
    }

    /// Whether it has the form of a participle: `adjusted`, `missing`, `lost`.
    pub(crate) fn is_participle(&self) -> bool {
        let ends = |end: &&str| self.folded.ends_with(*end);
        ["ed", "ing"].iter().any(ends) || self.listed("irregular_participle")
    }

    /// Whether it has a tag of a kind: `flow`, `direction`.
    pub(crate) fn tagged(&self, kind: &str) -> bool {
        self.tags.iter().any(|(tagged, _)| *tagged == kind)
    }

    /// Whether a lexicon list contains it as a whole.
    pub(crate) fn listed(&self, list: &str) -> bool {
        lexicon::listed(list, &self.folded)
    }

    /// Whether a lexicon list contains it or one of its words: `the figure above` in `value_noun`.
    pub(crate) fn holds(&self, list: &str) -> bool {
        self.listed(list) || self.folded.split(' ').any(|word| lexicon::listed(list, word))
    }

    /// Whether a lexicon list contains its last word.
    pub(crate) fn ends_in(&self, list: &str) -> bool {
        self.folded.rsplit(' ').next().is_some_and(|word| lexicon::listed(list, word))
    }

    pub(crate) fn is_mark(&self) -> bool {
        matches!(self.kind, Kind::Mark(_))
    }

    /// Whether it separates parts of a sentence.
    pub(crate) fn separates(&self) -> bool {
        matches!(self.kind, Kind::Mark(',' | '–' | '—' | ';' | '(' | ')')) || self.role("clause")
    }

    /// Whether it is harmless in any remark: `checked`, `page`, `glad`.
    pub(crate) fn is_harmless(&self) -> bool {
        self.folded.split(' ').all(|word| lexicon::listed("talk", word))
    }

    /// Whether it is a demonstrative: `this`, `those`.
    pub(crate) fn is_demonstrative(&self) -> bool {
        self.listed("demonstrative")
    }

    /// Whether it is about a year: `the year`, `a year marked by`.
    pub(crate) fn is_of_year(&self) -> bool {
        self.folded.split(' ').any(|word| word == "year")
    }

    /// Whether it is about a region: `the regional average`, `of the region`.
    pub(crate) fn is_regional(&self) -> bool {
        self.is("part", "regional") || self.is("part", "region_whole")
    }

    /// Whether it is `it` or `they`.
    pub(crate) fn is_it(&self) -> bool {
        matches!(self.folded.as_str(), "it" | "they")
    }

    /// Whether the number of ranked entities follows: `of`, `out of`.
    pub(crate) fn counts_among(&self) -> bool {
        self.listed("counts_among")
    }

    /// Whether it names a country, a product or a row of the record.
    pub(crate) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Country(_) | Kind::Product(_) | Kind::Row(_))
    }

    /// Whether it is always a verb. The `s` of `it's` may be a genitive.
    pub(crate) fn is_verb(&self) -> bool {
        self.role("be") && self.folded != "s" || self.role("verb") && !self.role("noun")
    }

    /// Whether it is a verb, also one that only the tagger knows.
    pub(crate) fn states(&self) -> bool {
        self.is_verb() || self.class == Some(Class::Verb)
    }

    /// The direction it states: `true` for up, `false` for down.
    pub(crate) fn direction(&self) -> Option<bool> {
        let up = self.is("direction", "up");
        (up || self.is("direction", "down")).then_some(up)
    }

    /// The comparison it states: `true` for more, `false` for less.
    pub(crate) fn comparative(&self) -> Option<bool> {
        let more = self.is("comparative", "more");
        (more || self.is("comparative", "less")).then_some(more)
    }

    /// Whether it names part of a value's context: a measure, a part, a flow.
    pub(crate) fn means(&self) -> bool {
        self.tags.iter().any(|(kind, _)| MEANING.contains(kind))
    }
}

/// Lexicon kinds that name part of a value's context.
pub(crate) const MEANING: [&str; 12] = [
    "level",
    "metric",
    "thing",
    "group",
    "modifier",
    "part",
    "classification",
    "scope",
    "flow",
    "basis",
    "statistic",
    "direction",
];

/// Marks that deny the value beside them.
pub(crate) const DENYING: [char; 9] = ['✖', '❌', '👎', '🚫', '✗', '✘', '⛔', '¬', '≠'];

/// The part of speech of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// `left`, `crossed`.
    Verb,
    /// `barely`, `all the same`.
    Adverb,
    /// `extra`, `landlocked`.
    Adjective,
    /// A common or proper noun.
    Noun,
    /// A function word, such as a preposition or conjunction.
    Function,
}

/// The names of a record's rows, as words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(Vec<(Vec<String>, usize)>);

impl Names {
    pub(crate) fn add(&mut self, name: &str, row: usize) {
        let words: Vec<String> = lexicon::words(name).into_iter().map(|word| word.folded).collect();
        // `East Asia & Pacific`, `East Asia and the Pacific`
        if let Some(and) = words.iter().position(|word| word == "and") {
            let mut with_article = words.clone();
            with_article.insert(and + 1, "the".to_owned());
            self.0.push((with_article, row));
        }
        if !words.is_empty() {
            self.0.push((words, row));
        }
    }

    /// The rows with the longest name at the start of these words.
    pub(super) fn begin(&self, words: &[Word]) -> Option<(usize, Vec<usize>)> {
        let fits = |name: &[String]| {
            words
                .get(..name.len())
                .is_some_and(|here| here.iter().zip(name).all(|(word, expected)| word.folded == *expected))
        };
        let longest = self.0.iter().filter(|(name, _)| fits(name)).map(|(name, _)| name.len()).max()?;
        let mut rows: Vec<usize> = self
            .0
            .iter()
            .filter(|(name, _)| name.len() == longest && fits(name))
            .map(|(_, row)| *row)
            .collect();
        rows.dedup();
        Some((longest, rows))
    }
}
