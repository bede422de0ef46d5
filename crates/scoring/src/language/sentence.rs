//! A sentence as tokens: numbers, periods, places, products, the phrases of the lexicon, marks, and the words that nobody
//! knows; and its clauses.

use std::ops::Range;

use super::class::{Class, classify};
use super::lexicon::{self, Tag, Word};
use super::numerals;
use super::retag::retag;
use super::token::{marks, number, phrase};
use crate::atlas::{self, CountryId};
use crate::value::{Period, Quantity, Unit, parse};

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Words; the tags say what is known of them, none means that nobody knows them.
    Words,
    Number(Quantity),
    Period(Period),
    /// A length of time in years.
    Duration(u32),
    Country(CountryId),
    /// A row of the record, by its name.
    Row(Vec<usize>),
    Product(&'static str),
    Mark(char),
}

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub range: Range<usize>,
    /// Its words, folded.
    pub folded: String,
    pub kind: Kind,
    pub tags: Vec<Tag>,
    /// Terms of the vocabulary: kind and canonical form.
    pub terms: Vec<Tag>,
    /// Round brackets around it.
    pub depth: usize,
    /// A sign stands at a number that makes it another one, or one that nobody knows.
    pub marked: Option<char>,
    /// What a word does that nobody knows.
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

    /// A number of four digits, as the codes of products are written.
    pub(crate) fn is_code(&self) -> bool {
        self.number().is_some_and(|number| number.unit == Unit::Count)
            && self.folded.len() == 4
            && self.folded.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether a number behind it is a code or a place: `chapter 87`, `HS 8703`.
    pub(crate) fn announces_code(&self) -> bool {
        self.listed("before_code") || self.tagged("classification")
    }

    pub(crate) fn mark(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    /// Words that nobody knows.
    pub(crate) fn unknown(&self) -> bool {
        self.kind == Kind::Words && self.tags.is_empty() && self.terms.is_empty()
    }

    /// An adverb that nobody knows.
    pub(crate) fn is_manner(&self) -> bool {
        self.unknown() && self.folded.len() >= 4 && self.folded.ends_with("ly")
    }

    /// Whether it says something of a kind: `flow`, `direction`.
    pub(crate) fn tagged(&self, kind: &str) -> bool {
        self.tags.iter().any(|(own, _)| *own == kind)
    }

    /// Whether it stands in a list of the lexicon as a whole.
    pub(crate) fn listed(&self, list: &str) -> bool {
        lexicon::listed(list, &self.folded)
    }

    /// Whether a word of it stands in a list of the lexicon: `the figure above` in `value_noun`.
    pub(crate) fn holds(&self, list: &str) -> bool {
        self.folded.split(' ').any(|word| lexicon::listed(list, word))
    }

    /// Whether its last word stands in a list of the lexicon.
    pub(crate) fn ends_in(&self, list: &str) -> bool {
        self.folded.rsplit(' ').next().is_some_and(|word| lexicon::listed(list, word))
    }

    pub(crate) fn is_mark(&self) -> bool {
        matches!(self.kind, Kind::Mark(_))
    }

    /// `this`, `those`
    pub(crate) fn is_demonstrative(&self) -> bool {
        self.listed("demonstrative")
    }

    /// `it`, `they`
    pub(crate) fn is_it(&self) -> bool {
        matches!(self.folded.as_str(), "it" | "they")
    }

    /// `of`, `out of`: how many there are stands behind it.
    pub(crate) fn counts_among(&self) -> bool {
        self.listed("counts_among")
    }

    /// A country, a product or a row of the record.
    pub(crate) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Country(_) | Kind::Product(_) | Kind::Row(_))
    }

    /// A word that is a verb wherever it stands; the `s` of `it's` is as often a genitive.
    pub(crate) fn is_verb(&self) -> bool {
        self.role("be") && self.folded != "s" || self.role("verb") && !self.role("noun")
    }

    /// Which way something goes by it: up or down.
    pub(crate) fn direction(&self) -> Option<bool> {
        let up = self.is("direction", "up");
        (up || self.is("direction", "down")).then_some(up)
    }

    /// Which end of a comparison it says: more or less.
    pub(crate) fn comparative(&self) -> Option<bool> {
        let more = self.is("comparative", "more");
        (more || self.is("comparative", "less")).then_some(more)
    }

    /// A phrase that says what something is of: a measure, a part, a flow.
    pub(crate) fn means(&self) -> bool {
        self.tags.iter().any(|(kind, _)| MEANING.contains(kind))
    }
}

/// Kinds of the lexicon that say what something is of.
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

/// The names of the rows of a record, as words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(Vec<(Vec<String>, usize)>);

impl Names {
    pub(crate) fn add(&mut self, name: &str, row: usize) {
        let words: Vec<String> = lexicon::words(name).into_iter().map(|word| word.folded).collect();
        if !words.is_empty() {
            self.0.push((words, row));
        }
    }

    /// The rows whose name these words begin with, the longest name.
    pub(super) fn begin(&self, words: &[Word]) -> Option<(usize, Vec<usize>)> {
        let fits = |name: &[String]| {
            words
                .get(..name.len())
                .is_some_and(|here| here.iter().zip(name).all(|(word, own)| word.folded == *own))
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

/// A sentence read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sentence {
    pub text: String,
    pub tokens: Vec<Token>,
    pub question: bool,
}

/// No name of the lexicon or of a record has so many words: further ones are not looked at.
const LONGEST_NAME: usize = 40;

impl Sentence {
    /// Reads a sentence. Linear in its length, times the number of the names.
    pub(crate) fn of(text: &str, names: &Names) -> Self {
        let text = numerals::plain_numbers(text);
        let words = lexicon::words(&text);
        let numbers = parse::find_all(&text);
        let places = atlas::find_names(&text);
        let mut tokens: Vec<Token> = Vec::new();
        let (mut at, mut end, mut depth) = (0, 0, 0_usize);
        let mut next_number = numbers.iter().peekable();
        let mut next_place = places.iter().peekable();
        while at < words.len() {
            let word = &words[at];
            while next_number.next_if(|(range, _)| range.end <= word.range.start).is_some() {}
            while next_place.next_if(|(range, _)| range.start < word.range.start).is_some() {}
            let start = next_number
                .peek()
                .filter(|(range, _)| range.contains(&word.range.start))
                .map_or(word.range.start, |(range, _)| range.start);
            marks(&text, end..start, &mut tokens, &mut depth);
            let is_name = names.begin(&words[at..]).is_some_and(|(length, _)| length > 1);
            let (mut token, count) = match next_number.peek() {
                Some((range, quantity)) if range.contains(&word.range.start) && !is_name => {
                    let count = words[at..].iter().take_while(|word| word.range.start < range.end).count();
                    let token = number(&text, range.clone(), quantity.clone());
                    next_number.next();
                    (token, count)
                }
                _ => {
                    let place = next_place.peek().filter(|(range, _)| range.start == word.range.start);
                    // no name goes on behind a semicolon: `Transport; Vehicles`
                    let parted = |pair: &[Word]| {
                        matches!(pair, [a, b] if text.get(a.range.end..b.range.start).is_some_and(|gap| {
                            gap.contains([';', '|', '<', '>']) && gap.contains(char::is_whitespace)
                        }))
                    };
                    let rest = &words[at..];
                    let length =
                        rest.windows(2).take(LONGEST_NAME).position(parted).map_or(rest.len(), |at| at + 1);
                    phrase(&rest[..length], place.map(|place| (*place).clone()), names)
                }
            };
            token.depth = depth;
            end = token.range.end;
            tokens.push(token);
            at += count.max(1);
        }
        marks(&text, end..text.len(), &mut tokens, &mut depth);
        let question = text.trim_end_matches(['"', '\'', '*', '_', ')', ' ', '.']).ends_with('?');
        retag(&mut tokens);
        classify(&text, &mut tokens);
        let mut sentence = Self { text, tokens, question };
        sentence.years_of_money();
        sentence.periods();
        sentence
    }

    /// `constant 2015 dollars` names a year, `2023/24` a year of its own.
    fn years_of_money(&mut self) {
        let text = &self.text;
        for token in &mut self.tokens {
            let shown = text.get(token.range.clone()).unwrap_or_default();
            let year = shown.split_once(' ').filter(|(year, _)| year.len() == 4).and_then(|(year, money)| {
                let money = money.to_lowercase();
                let money = ["dollars", "us dollars", "usd", "us$"].contains(&money.as_str());
                year.parse::<i16>().ok().filter(|year| money && (1900..=2100).contains(year))
            });
            if let Some(year) = year {
                token.kind = Kind::Period(Period::year(year));
            }
        }
        let mut at = 0;
        while at + 2 < self.tokens.len() {
            let slash = matches!(self.tokens[at].kind, Kind::Period(period) if period.start != period.end)
                && self.tokens[at + 1].mark('/')
                && self.tokens[at + 2].number().is_some();
            if slash {
                let end = self.tokens.drain(at + 1..at + 3).next_back().map(|year| year.range.end);
                let token = &mut self.tokens[at];
                token.range.end = end.unwrap_or(token.range.end);
                token.folded = text.get(token.range.clone()).unwrap_or_default().to_owned();
            }
            at += 1;
        }
    }

    /// Years that belong together become one period, numbers of years a length of time.
    fn periods(&mut self) {
        let mut out: Vec<Token> = Vec::new();
        let mut tokens = std::mem::take(&mut self.tokens).into_iter().peekable();
        while let Some(mut token) = tokens.next() {
            if let Kind::Period(end) = token.kind {
                // `2020 to 2024`, `2020–2024`, `between 2020 and 2024`
                let joined = out.last().is_some_and(|last| {
                    last.mark('-')
                        || last.mark('–')
                        || last.mark('→')
                        || matches!(last.folded.as_str(), "to" | "through" | "until" | "and")
                });
                let from = out.len().checked_sub(2).and_then(|at| out.get(at));
                if let (true, Some(Token { kind: Kind::Period(start), range, .. })) = (joined, from)
                    && start.start == start.end
                    && start.start < end.end
                {
                    let and = out.last().is_some_and(|last| last.folded == "and");
                    let opened = out.len() >= 3
                        && out.get(out.len() - 3).is_some_and(|token| token.folded == "between");
                    let opened_from =
                        out.len() >= 3 && out.get(out.len() - 3).is_some_and(|token| token.folded == "from");
                    if !and || opened || opened_from {
                        token.range.start = range.start;
                        token.kind = Kind::Period(Period { start: start.start, end: end.end });
                        out.truncate(out.len() - 2);
                        if matches!(out.last().map(|token| token.folded.as_str()), Some("between" | "from")) {
                            out.pop();
                        }
                    }
                }
            }
            let years = |quantity: &Quantity| u32::try_from(quantity.number).ok();
            let counted = token.number().filter(|quantity| quantity.unit == Unit::Count).and_then(years);
            if let Some(count) = counted.or((token.folded == "one").then_some(1))
                && tokens.peek().is_some_and(|next| {
                    next.depth == token.depth && matches!(next.folded.as_str(), "years" | "year")
                })
            {
                token.kind = Kind::Duration(count);
                token.tags.clear();
                if let Some(next) = tokens.next() {
                    token.range.end = next.range.end;
                }
            }
            if token.folded == "decade" {
                token.kind = Kind::Duration(10);
            }
            out.push(token);
        }
        self.tokens = out;
    }

    pub(crate) fn shown(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Clauses as ranges of tokens. A clause ends at a semicolon, at a conjunction of clauses, and at a comma, dash or `and`
    /// between two numbers; what stands in brackets is a clause of its own when it holds a number.
    pub(crate) fn clauses(&self) -> Vec<Clause> {
        let mut out: Vec<Clause> = Vec::new();
        let mut open: Vec<usize> = vec![0];
        out.push(Clause { tokens: Vec::new(), parent: None, opener: None });
        // whether a number stands behind a token before the next break
        let mut ahead = vec![false; self.tokens.len() + 1];
        let mut outside = vec![false; self.tokens.len() + 1];
        for at in (0..self.tokens.len()).rev() {
            let token = &self.tokens[at];
            let broken = token.mark(';') || self.breaks(at);
            outside[at] = (token.depth == 0 && token.number().is_some())
                || (!(broken && token.depth == 0) && outside[at + 1]);
            ahead[at] = token.number().is_some() || (!broken && ahead[at + 1]);
        }
        for (at, token) in self.tokens.iter().enumerate() {
            if token.depth + 1 > open.len() {
                let parent = open.last().copied();
                open.push(out.len());
                out.push(Clause { tokens: Vec::new(), parent, opener: Some(at) });
            }
            open.truncate(token.depth + 1);
            let current = *open.last().unwrap_or(&0);
            let has_number = out[current].tokens.iter().any(|at| self.tokens[*at].number().is_some());
            // `it isn't in goods: it is in services`
            let restates = token.mark(':')
                && self.tokens.get(at + 1).is_some_and(Token::is_it)
                && self.tokens.get(at + 2).is_some_and(|next| next.role("be"));
            // `2014: 20.68 % / 2019: 20.60 %`
            let slash = token.mark('/')
                && matches!(self.tokens.get(at + 1).map(|next| &next.kind), Some(Kind::Period(_)))
                && self.tokens.get(at + 2).is_some_and(|next| next.mark(':'));
            let splits = slash
                || [';', '|', '·', '•'].iter().any(|mark| token.mark(*mark))
                || restates
                || token.role("clause")
                || (self.breaks(at)
                    && has_number
                    && if token.depth == 0 { outside[at + 1] } else { ahead[at + 1] });
            let range = token.mark('–')
                && out[current].tokens.last().is_some_and(|at| self.tokens[*at].number().is_some())
                && self.tokens.get(at + 1).is_some_and(|next| next.number().is_some());
            if splits && !range && !out[current].tokens.is_empty() {
                let parent = out[current].parent;
                let next = out.len();
                out.push(Clause { tokens: Vec::new(), parent, opener: Some(at) });
                if let Some(last) = open.last_mut() {
                    *last = next;
                }
            }
            let current = *open.last().unwrap_or(&0);
            out[current].tokens.push(at);
        }
        out
    }

    fn breaks(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        // the end of a range or of a movement belongs to its beginning
        let word = token.folded.as_str();
        token.mark(',')
            || token.mark('–')
            || token.mark('—')
            || word == "and"
            || word == "or"
            || token.role("relative")
    }
}

/// A part of a sentence that can assert something.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clause {
    /// Its tokens, in order.
    pub tokens: Vec<usize>,
    /// The clause that it stands in brackets in.
    pub parent: Option<usize>,
    /// The token that opens it.
    pub opener: Option<usize>,
}
