//! Builds the tokens of a sentence: marks, numbers and phrases.

use std::ops::Range;

use rust_decimal::Decimal;

use super::lexicon::{self, Sense, Tag, Word};
use super::token::{Kind, Names, Token};
use crate::atlas::CountryId;
use crate::value::{Interval, Period, Quantity, Unit};

/// Characters that may touch a number without changing it.
pub(super) const BESIDE: &str = " \t\n\u{a0}\u{202f}\u{2009}.,;:!?()[]{}\"'*_`|\\~=\u{2192}“”‘’–—-#>+%$";

/// Reads the marks between two tokens.
pub(super) fn marks(text: &str, range: Range<usize>, tokens: &mut Vec<Token>, depth: &mut usize) {
    let Some(gap) = text.get(range.clone()) else { return };
    for (at, c) in gap.char_indices() {
        let start = range.start + at;
        if c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '\'' | '’' | '‘' | '“' | '”') {
            continue;
        }
        let spaced = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let is_year = |text: Option<&str>| {
            text.is_some_and(|text| {
                ("1900"..="2100").contains(&text) && text.bytes().all(|b| b.is_ascii_digit())
            })
        };
        let between_years = c == '-'
            && is_year(start.checked_sub(4).and_then(|from| text.get(from..start)))
            && is_year(text.get(start + 1..start + 5));
        let dash = c == '-'
            && !between_years
            && !(spaced(text.get(..start).and_then(|t| t.chars().next_back()))
                && spaced(text.get(start + 1..).and_then(|t| t.chars().next())));
        if dash {
            continue;
        }
        if c == '(' {
            *depth = (*depth + 1).min(4);
            continue;
        }
        if c == ')' {
            *depth = depth.saturating_sub(1);
            continue;
        }
        let c = if c == '-' { '–' } else { c };
        let range = start..start + c.len_utf8();
        tokens.push(Token {
            range,
            folded: String::new(),
            kind: Kind::Mark(c),
            tags: Vec::new(),
            terms: Vec::new(),
            depth: *depth,
            marked: None,
            class: None,
        });
    }
}

pub(super) fn number(text: &str, range: Range<usize>, quantity: Quantity) -> Token {
    let shown = text.get(range.clone()).unwrap_or_default();
    let before = text.get(..range.start).and_then(|text| text.chars().next_back());
    let mut rest = text.get(range.end..).unwrap_or_default().chars();
    let (after, then) = (rest.next(), rest.next());
    let unusual = |c: Option<char>| c.filter(|c| !BESIDE.contains(*c));
    let sign = unusual(before).or(unusual(after));
    let sign = sign.or(before.filter(|c| *c == '-' && shown.starts_with(['↓', '↑'])));
    // `24+`, `24-30`, `24–30`
    let tail =
        after.filter(|c| *c == '+' || ("–-—".contains(*c) && then.is_some_and(|c| c.is_ascii_digit())));
    // `2,274'000`
    let apart = after.filter(|c| "'’".contains(*c) && then.is_some_and(|c| c.is_ascii_digit()));
    let tail = tail.or(apart).or(after.filter(|c| "%$".contains(*c)));
    let tail = tail.or((quantity.unit == Unit::Usd && shown.ends_with('%')).then_some('%'));
    let is_year = quantity.unit == Unit::Count
        && shown.len() == 4
        && shown.bytes().all(|byte| byte.is_ascii_digit())
        && ("1900"..="2100").contains(&shown);
    let year_range =
        is_year && after.is_some_and(|c| "–-—".contains(c)) && then.is_some_and(|c| c.is_ascii_digit());
    let mut kind = match shown.parse::<i16>() {
        Ok(year) if is_year => Kind::Period(Period::year(year)),
        _ => Kind::Number(quantity),
    };
    // `2023/24` is one period.
    if let (Kind::Period(period), Some('/')) = (&kind, after) {
        kind = Kind::Period(Period { start: period.start, end: period.start + 1 });
    }
    Token {
        range,
        folded: shown.to_lowercase(),
        kind,
        tags: Vec::new(),
        terms: Vec::new(),
        depth: 0,
        class: None,
        marked: if year_range { None } else { sign.or(tail) },
    }
}

/// The longest place, name, term or lexicon phrase at the start of these words.
pub(super) fn phrase(
    words: &[Word],
    place: Option<(Range<usize>, CountryId)>,
    names: &Names,
) -> (Token, usize) {
    if let Some((count, quantity)) = fraction(words) {
        return token(words, count, Kind::Number(quantity), Vec::new(), Vec::new());
    }
    let found = Found {
        words,
        place: place
            .map(|(place, id)| (words.iter().take_while(|word| word.range.start < place.end).count(), id)),
        row: names.begin(words),
        tagged: lexicon::tags(words),
        term: lexicon::term(words),
    };
    let longest = found.longest();
    if longest == 0 {
        let number = words.first().and_then(|word| small_number(&word.folded)).map(Decimal::from);
        let counted = number.map(|number| Quantity {
            interval: Interval::point(number),
            ..Quantity::exact(number, Unit::Count)
        });
        return token(words, 1, counted.map_or(Kind::Words, Kind::Number), Vec::new(), Vec::new());
    }
    let (product, terms) = found.terms(longest);
    token(words, longest, found.kind(longest, product), found.tags(longest), terms)
}

/// Makes one token of the first words.
fn token(words: &[Word], count: usize, kind: Kind, tags: Vec<Tag>, terms: Vec<Tag>) -> (Token, usize) {
    let count = count.max(1);
    let words = words.get(..count).unwrap_or(words);
    let range =
        words.first().map_or(0, |word| word.range.start)..words.last().map_or(0, |word| word.range.end);
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let folded = folded.join(" ");
    (Token { range, folded, kind, tags, terms, depth: 0, marked: None, class: None }, count)
}

/// The matches at the start of some words, each with its length in words.
struct Found<'w> {
    words: &'w [Word],
    place: Option<(usize, CountryId)>,
    row: Option<(usize, Vec<usize>)>,
    tagged: Option<(usize, &'static [Tag])>,
    term: Option<(usize, &'static [Sense])>,
}

impl Found<'_> {
    fn longest(&self) -> usize {
        let lengths = [
            self.place.map(|(length, _)| length),
            self.row.as_ref().map(|(length, _)| *length),
            self.tagged.map(|(length, _)| length),
            self.term.map(|(length, _)| length),
        ];
        lengths.into_iter().flatten().max().unwrap_or(0)
    }

    /// The product and vocabulary terms that cover all words.
    fn terms(&self, longest: usize) -> (Option<&'static str>, Vec<Tag>) {
        let (mut product, mut terms) = (None, Vec::new());
        let whole = self.term.filter(|(length, _)| *length == longest);
        for sense in whole.into_iter().flat_map(|(_, senses)| senses) {
            match sense {
                Sense::Product(code) => product = Some(*code),
                Sense::Term(kind, canonical) => terms.push((*kind, *canonical)),
                _ => {}
            }
        }
        (product, terms)
    }

    /// The tags that cover all words. A longer term keeps some tags of the phrases inside it.
    fn tags(&self, longest: usize) -> Vec<Tag> {
        if let Some((_, tags)) = self.tagged.filter(|(length, _)| *length == longest) {
            return tags.to_vec();
        }
        let mut tags = Vec::new();
        if self.term.is_some_and(|(length, _)| length == longest) {
            let mut rest = self.words.get(..longest).unwrap_or_default();
            while !rest.is_empty() {
                let (count, inner) = lexicon::tags(rest).unwrap_or((1, &[]));
                tags.extend(inner.iter().filter(|(kind, _)| {
                    matches!(*kind, "direction" | "comparative" | "operator" | "flow" | "metric" | "level")
                }));
                rest = rest.get(count..).unwrap_or_default();
            }
        }
        tags
    }

    fn kind(&self, longest: usize, product: Option<&'static str>) -> Kind {
        let number = self.words.first().and_then(|word| small_number(&word.folded));
        match (self.place, &self.row, product, number) {
            (Some((length, id)), ..) if length == longest => Kind::Country(id),
            (_, Some((length, rows)), ..) if *length == longest => Kind::Row(rows.clone()),
            (_, _, Some(code), _) => Kind::Product(code),
            (.., Some(number)) if longest == 1 => {
                Kind::Number(Quantity::exact(Decimal::from(number), Unit::Count))
            }
            _ => Kind::Words,
        }
    }
}

/// A share in words, with a coarse interval: `a fifth`, `two thirds of`, `one in ten`. A quarter may also be part of a year
/// and a third an ordinal, so the word is a share only before `of` or at the end. `a third of $3B` is a calculation.
fn fraction(words: &[Word]) -> Option<(usize, Quantity)> {
    if let Some(found) = one_in(words) {
        return Some(found);
    }
    let [first, second, ..] = words else { return None };
    let ends = ["th", "ths", "rd", "rds", "quarter", "quarters"];
    if !ends.iter().any(|end| second.folded.ends_with(end)) {
        return None;
    }
    let count = match first.folded.as_str() {
        "a" => 1,
        one => lexicon::position("ones", one)? + 1,
    };
    let parts = match second.folded.as_str() {
        "quarter" | "quarters" => 4,
        word => {
            let word = if count > 1 { word.strip_suffix('s')? } else { word };
            lexicon::ordinal(word)?
        }
    };
    if parts < 3 || count >= parts {
        return None;
    }
    let next = words.get(2);
    let ends = next.is_none_or(|next| next.range.start > second.range.end + 1);
    let of = next.is_some_and(|next| next.folded == "of");
    let mut object = words
        .get(3..)
        .unwrap_or_default()
        .iter()
        .skip_while(|word| ["a", "the", "this"].contains(&word.folded.as_str()));
    let of_number = object.next().is_some_and(|word| word.folded.starts_with(|c: char| c.is_ascii_digit()));
    let is_time = second.folded == "quarter" && !of;
    if (is_time || !ends) && (of_number || !of) {
        return None;
    }
    Some((2, coarse_share(count, parts)?))
}

/// A share in words: `one in ten`, `1 dollar in 20`.
fn one_in(words: &[Word]) -> Option<(usize, Quantity)> {
    let (first, rest) = words.split_first()?;
    let at = rest.iter().take(2).position(|word| word.folded == "in")?;
    let whole = &rest.get(at + 1)?.folded;
    let parts = lexicon::position("ones", whole).map(|at| at + 1).or_else(|| whole.parse().ok())?;
    let is_one = first.folded == "one" || first.folded == "1" && at == 1;
    let share = coarse_share(1, parts).filter(|_| is_one && (3..=100).contains(&parts))?;
    Some((at + 3, share))
}

/// `count` of `parts` as a percentage, which such words state to about a seventh.
fn coarse_share(count: usize, parts: usize) -> Option<Quantity> {
    let number = Decimal::from(100 * count).checked_div(Decimal::from(parts))?;
    let half = number.checked_mul(Decimal::new(15, 2))?;
    let interval = Interval::around(number, half);
    Some(Quantity { interval, ..Quantity::exact(number, Unit::Percent) })
}

/// A number word: zero, or two to nine. "one" may be an article.
fn small_number(word: &str) -> Option<u64> {
    if word == "zero" {
        return Some(0);
    }
    let number = lexicon::position("ones", word)? as u64 + 1;
    (number > 1).then_some(number)
}
