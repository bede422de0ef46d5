//! Several labels with their values in one line: `GDP per capita $2,274 (2024) · ECI Ranking 87th of 145`. To a label
//! belongs what stands between it and the next separator, label or word that is no part of a figure.

use std::ops::Range;

use super::form::{Form, Read};
use super::page::loosen;
use super::stat::Wanted;

/// What of a line belongs to a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// The label is not in the line, or not as a label.
    Absent,
    /// The line is its own: no other label and no separator is in it.
    Whole,
    /// This much, and more may stand in other lines.
    Own(String),
    /// This much and nothing else, with all that stands up to the next label or separator.
    One { text: String, around: String },
    /// Whether values stand before or behind their labels cannot be told.
    Unclear,
}

/// The part of a line that belongs to the label.
pub(super) fn of_label(text: &str, wanted: &Wanted<'_>) -> Part {
    if text.len() > BAR {
        return Part::Absent;
    }
    let words = matches!(wanted.form, Form::Vocabulary(_));
    own_part(text, words, wanted.labels, wanted.others.iter())
}

/// A value in the part of a line that is its label's.
pub(super) fn read(text: &str, part: &Part, wanted: &Wanted<'_>) -> Option<(String, Read)> {
    let whole = || wanted.form.whole(text).map(|read| (text.to_owned(), read));
    match part {
        Part::One { .. } => whole().or_else(|| wanted.form.within(text)),
        _ => wanted.form.within(text),
    }
}

/// Characters of a line with several figures at most.
const BAR: usize = 400;

/// A label in a line.
#[derive(Debug, Clone, Copy)]
struct Hit {
    start: usize,
    end: usize,
    own: bool,
}

const SEPARATORS: [char; 9] = ['·', '•', '|', ';', '∙', '⋅', '‧', '│', '¦'];

/// Words that belong to a figure, beside its digits.
const OF_A_FIGURE: [&str; 30] = [
    "",
    "st",
    "nd",
    "rd",
    "th",
    "k",
    "m",
    "b",
    "t",
    "thousand",
    "million",
    "billion",
    "trillion",
    "of",
    "usd",
    "us",
    "ppp",
    "in",
    "rank",
    "ranked",
    "position",
    "positions",
    "percent",
    "per",
    "cent",
    "rca",
    "world",
    "over",
    "year",
    "years",
];

/// The part of a line that belongs to a label. `words`: the value is a word, not a figure.
fn own_part<'a>(text: &str, words: bool, own: &[String], others: impl Iterator<Item = &'a String>) -> Part {
    let hits = hits(text, own, others);
    let mut mine = hits.iter().enumerate().filter(|(_, hit)| hit.own);
    let Some((at, &hit)) = mine.next() else { return Part::Absent };
    if mine.next().is_some() {
        return Part::Unclear;
    }
    let parted = text.contains(SEPARATORS);
    let starts = text[..hit.start].trim_matches([' ', '(']).is_empty();
    if hits.len() == 1 && (starts || !parted) {
        let rest = &text[hit.end..];
        let cut = behind_a_figure(rest);
        return match (starts, words || cut == rest.len()) {
            (false, _) => Part::Absent,
            (true, true) => Part::Whole,
            (true, false) => Part::Own(rest[..cut].to_owned()),
        };
    }
    let from = text[..hit.start].rfind(SEPARATORS).map_or(0, |at| at + first_len(&text[at..]));
    let to = text[hit.end..].find(SEPARATORS).map_or(text.len(), |at| hit.end + at);
    let near: Vec<&Hit> = hits.iter().filter(|other| other.start >= from && other.end <= to).collect();
    let has = |range: Range<usize>| has_value(&text[range], words);
    let order = |first: usize, last: usize, range: Range<usize>| match (
        has(range.start..first),
        has(last..range.end),
    ) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    };
    let whole = order(hits[0].start, hits[hits.len() - 1].end, 0..text.len());
    let within = order(near[0].start, near[near.len() - 1].end, from..to);
    let bare = near.len() == 1 && !has(from..hit.start) && !has(hit.end..to);
    let Some(label_first) = (if bare { whole } else { within }) else { return Part::Unclear };
    let previous = at.checked_sub(1).map_or(0, |before| hits[before].end);
    let next = hits.get(at + 1).map_or(text.len(), |next| next.start);
    // the other side holds at most another label's value, and no word that makes the label another
    let other = if label_first { previous.max(from)..hit.start } else { hit.end..next.min(to) };
    let strange = if label_first { ends_in_words(&text[other]) } else { begins_in_words(&text[other]) };
    if strange {
        return Part::Absent;
    }
    // what separators part goes on where the whole line is in the same order
    let goes_on = whole == Some(label_first) && !words;
    let range = match (label_first, goes_on) {
        (true, true) => hit.end..next,
        (true, false) => hit.end..next.min(if bare { text.len() } else { to }),
        (false, true) => previous..hit.start,
        (false, false) => previous.max(if bare { 0 } else { from })..hit.start,
    };
    let around = &text[range];
    let text = match (words, label_first) {
        (true, _) => around,
        (false, true) => foreign(around).next().map_or(around, |word| &around[..word.start]),
        (false, false) => foreign(around).last().map_or(around, |word| &around[word.end..]),
    };
    let bounds = |c: char| SEPARATORS.contains(&c) || matches!(c, ' ' | ':' | ',');
    Part::One { text: text.trim_matches(bounds).to_owned(), around: loosen(around) }
}

/// Whether one of some labels stands in a text.
pub(super) fn names<'a>(text: &str, labels: impl Iterator<Item = &'a String>) -> bool {
    !hits(text, &[], labels).is_empty()
}

/// The labels of a line in order, the longer where two overlap.
fn hits<'a>(text: &str, own: &[String], others: impl Iterator<Item = &'a String>) -> Vec<Hit> {
    let lower = text.to_ascii_lowercase();
    let all = own.iter().map(|label| (label, true)).chain(others.map(|label| (label, false)));
    let mut hits: Vec<Hit> = Vec::new();
    for (label, own) in all.filter(|(label, _)| !label.is_empty()) {
        for (start, found) in lower.match_indices(label.as_str()) {
            let end = start + found.len();
            let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            if !is_word(lower[..start].chars().next_back()) && !is_word(lower[end..].chars().next()) {
                hits.push(Hit { start, end, own });
            }
        }
    }
    hits.sort_by_key(|hit| (hit.start, std::cmp::Reverse(hit.end)));
    let mut end = 0;
    hits.retain(|hit| {
        let apart = hit.start >= end;
        end = end.max(hit.end);
        apart
    });
    hits
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// Whether a value may stand in a text: a figure that is no year, or for words any word.
fn has_value(text: &str, words: bool) -> bool {
    let year = |word: &str| word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    pieces(text).any(|range| {
        let word = &text[range];
        (words && word.contains(char::is_alphabetic))
            || (word.contains(|c: char| c.is_ascii_digit()) && !year(word))
    })
}

/// Where the words of a text are: runs of letters and digits.
fn pieces(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(char::is_alphanumeric)?;
        let end = text[start..].find(|c: char| !c.is_alphanumeric()).map_or(text.len(), |at| start + at);
        rest = end;
        Some(start..end)
    })
}

fn is_foreign(word: &str) -> bool {
    let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
    !OF_A_FIGURE.contains(&letters.to_lowercase().as_str())
}

/// Words of a text that are no part of a figure.
fn foreign(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    pieces(text).filter(|range| is_foreign(&text[range.clone()]))
}

/// Where a text ends that belongs to a label in front of it: behind a figure with a unit, at the first other word.
fn behind_a_figure(text: &str) -> usize {
    let mut seen = false;
    for range in pieces(text) {
        let word = &text[range.clone()];
        if seen && is_foreign(word) {
            return range.start;
        }
        let before = text[..range.start].chars().next_back();
        let behind = text[range.end..].chars().next();
        let digits = word.starts_with(|c: char| c.is_ascii_digit());
        let unit = before == Some('$') || behind == Some('%') || word.ends_with(char::is_alphabetic);
        seen |= digits && unit;
    }
    text.len()
}

/// Whether behind the last figure of a text, or before the first, a word stands that is no part of a figure.
fn ends_in_words(text: &str) -> bool {
    let figure = pieces(text)
        .filter(|range| !is_foreign(&text[range.clone()]) && has_digit(&text[range.clone()]))
        .last();
    foreign(text).any(|word| figure.as_ref().is_none_or(|figure| word.start > figure.start))
}

fn begins_in_words(text: &str) -> bool {
    let figure =
        pieces(text).find(|range| !is_foreign(&text[range.clone()]) && has_digit(&text[range.clone()]));
    foreign(text).any(|word| figure.as_ref().is_none_or(|figure| word.start < figure.start))
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str, own: &str) -> Part {
        let others = ["eci ranking", "growth projection", "gdp per capita"].map(String::from);
        own_part(text, false, &[own.to_owned()], others.iter().filter(|label| *label != own))
    }

    fn one(text: &str, own: &str) -> String {
        match part(text, own) {
            Part::One { text, .. } => text,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_label_has_what_stands_up_to_the_next() {
        let bar = "GDP per Capita $2,274 (2024) · Population 56.4M · ECI Ranking 87th of 145";
        assert_eq!(one(bar, "gdp per capita"), "$2,274 (2024)");
        assert_eq!(one(bar, "eci ranking"), "87th of 145");
        let bare = "GDP per capita: $2,274 Population 56.4M ECI Ranking: 87th of 145";
        assert_eq!(one(bare, "gdp per capita"), "$2,274");
        assert_eq!(one("GDP per capita | $2,274 | ECI Ranking | 87th of 145", "gdp per capita"), "$2,274");
    }

    #[test]
    fn values_may_stand_in_front() {
        let bar = "$2,274 GDP per capita · 56.4M Population · 87th of 145 ECI Ranking";
        assert_eq!(one(bar, "gdp per capita"), "$2,274");
        assert_eq!(one(bar, "eci ranking"), "87th of 145");
        assert_eq!(one("$2,274 | GDP per capita | 87th of 145 | ECI Ranking", "eci ranking"), "87th of 145");
    }

    #[test]
    fn an_order_that_cannot_be_told_is_unclear() {
        assert_eq!(
            part("5th of 9 GDP per capita 87th of 145 ECI Ranking 3rd of 4", "eci ranking"),
            Part::Unclear
        );
        assert_eq!(part("GDP per capita 87th of 145 ECI Ranking", "eci ranking"), Part::Unclear);
        assert_eq!(one("GDP per capita $2,274 · 87th of 145 ECI Ranking", "gdp per capita"), "$2,274");
    }

    #[test]
    fn a_line_of_one_label_stays_whole_up_to_another_figure() {
        assert_eq!(part("GDP per capita (2024) $2,274 · 116th of 145", "gdp per capita"), Part::Whole);
        assert_eq!(part("Growth Projection over 10 years: 3.3%", "growth projection"), Part::Whole);
        let text = "GDP per capita $2,274 Population 56.4M · ECI rank 87th of 145";
        assert_eq!(part(text, "gdp per capita"), Part::Own(" $2,274 ".to_owned()));
        assert_eq!(part("Kenya's GDP per capita averaged 2.1%", "gdp per capita"), Part::Absent);
        assert_eq!(
            part("Change in GDP per capita $500 · ECI Ranking 87th of 145", "gdp per capita"),
            Part::Absent
        );
    }
}
