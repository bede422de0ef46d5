//! Splits a sentence into tokens (numbers, periods, places, products, lexicon phrases, marks, unknown words) and clauses.

use std::ops::Range;

use super::class::classify;
use super::lexicon::{self, Word};
use super::numerals;
use super::retag::retag;
use super::token::{Kind, Names, Token};
use super::tokenize::{marks, number, phrase};
use crate::atlas::{self, CountryId};
use crate::value::{Period, Quantity, Unit, parse};

/// A tokenized sentence.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sentence {
    pub text: String,
    pub tokens: Vec<Token>,
    pub question: bool,
}

/// The maximum number of words in a name. Further words are not searched.
const MAX_NAME_WORDS: usize = 40;

/// The alpha-3 codes that are all of a cell, a label or a value: `KEN`, `USA, CHN`, `country: KEN`.
fn codes(text: &str) -> Vec<(Range<usize>, CountryId)> {
    let mut start = 0;
    let code = |part: &str| {
        let value = part.trim();
        let at = start + part.find(value)?;
        start += part.len() + 1;
        let country = Some(value).filter(|value| value.len() == 3).and_then(atlas::lookup)?;
        (country.iso3 == value).then_some((at..at + value.len(), country.id))
    };
    text.split([',', ';', ':']).filter_map(code).collect()
}

impl Sentence {
    /// Tokenizes a sentence. Takes time linear in its length times the number of names.
    pub(crate) fn of(text: &str, names: &Names) -> Self {
        let text = numerals::plain_numbers(text);
        let words = lexicon::words(&text);
        let numbers = parse::find_all(&text);
        let mut places = atlas::find_names(&text);
        places.extend(codes(&text));
        places.sort_by_key(|(place, _)| place.start);
        places.dedup_by_key(|(place, _)| place.start);
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
                    // A name ends at a semicolon: `Transport; Vehicles`.
                    let parted = |pair: &[Word]| {
                        matches!(pair, [a, b] if text.get(a.range.end..b.range.start).is_some_and(|gap| {
                            gap.contains([';', '|', '<', '>']) && gap.contains(char::is_whitespace)
                        }))
                    };
                    let rest = &words[at..];
                    let length =
                        rest.windows(2).take(MAX_NAME_WORDS).position(parted).map_or(rest.len(), |at| at + 1);
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

    /// Turns the year of `constant 2015 dollars` into a period, and joins `2023/24` into one.
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

    /// Joins years to periods (`2020 to 2024`), and numbers of years to durations.
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
            // `two years earlier`
            let is_ago = |next: &&Token| next.operator("past") && next.folded.starts_with("year");
            if let Some(ago) = tokens.peek().filter(is_ago).filter(|_| counted.is_some()) {
                let range = token.range.start..ago.range.end;
                token = Token { range, ..ago.clone() };
                tokens.next();
            }
            let is_within = out.last().is_some_and(|before: &Token| before.role("preposition"));
            if token.folded == "a decade" && is_within {
                token.tags.clear();
                token.kind = Kind::Duration(10);
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

    /// Splits the sentence into clauses. A clause ends at a semicolon, at a clause conjunction, and at a comma, dash or `and`
    /// between two numbers. Text in brackets is a separate clause.
    pub(crate) fn clauses(&self) -> Vec<Clause> {
        let mut out: Vec<Clause> = Vec::new();
        let mut open: Vec<usize> = vec![0];
        out.push(Clause { tokens: Vec::new(), parent: None, opener: None });
        // Whether a number follows a token before the next break.
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
                || self.names_value_anew(at)
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

    /// Whether the value itself is the subject of what follows a comma: `…, and the one for 2015 says $58.3B`.
    fn names_value_anew(&self, at: usize) -> bool {
        let joins = matches!(self.tokens.get(at), Some(token) if matches!(token.folded.as_str(), "and" | "but" | "yet"));
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let behind = self.tokens.get(at + 1..).unwrap_or_default();
        let clause = behind.iter().take_while(|token| !token.is_mark() && token.number().is_none()).take(8);
        joins
            && before.is_some_and(|before| before.mark(',') || before.mark('–') || before.mark('—'))
            && names_value(clause)
    }

    /// Whether a clause may end at a token.
    fn breaks(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let word = token.folded.as_str();
        token.mark(',')
            || token.mark('–')
            || token.mark('—')
            || word == "and"
            || word == "or"
            || token.role("relative")
    }
}

/// Whether the value itself is the subject of a clause: `the present one has`, `the figure is`.
pub(crate) fn names_value<'t>(mut clause: impl Iterator<Item = &'t Token>) -> bool {
    let is_value =
        |token: &Token| token.holds("value_noun") || token.folded.split(' ').any(|word| word == "one");
    clause.any(is_value) && clause.any(|token| token.is_verb() || token.role("be"))
}

/// A part of a sentence that can make an assertion.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Clause {
    /// The positions of its tokens, in order.
    pub tokens: Vec<usize>,
    /// The clause around it, if it stands in brackets.
    pub parent: Option<usize>,
    /// The token that opens it.
    pub opener: Option<usize>,
}
