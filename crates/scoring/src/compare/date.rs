//! Compares dates, in ISO 8601 or written out, at the coarser precision of the two: day, month or year.

use crate::language::lexicon;
use crate::value::fold::fold;
use crate::{Cause, Comparison, Verdict};

/// A date with the stated precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Date {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

/// Compares two dates. `None` unless both texts are dates and at least one states a month.
pub(super) fn compare(a: &str, b: &str) -> Option<Comparison> {
    let (x, y) = (read(a)?, read(b)?);
    if x.month.is_none() && y.month.is_none() {
        return None;
    }
    let (a, b) = (a.trim(), b.trim());
    if x == y {
        return Some(Comparison::new(Verdict::Match, format!("{a} and {b} are the same date")));
    }
    let agrees = x.year == y.year && compatible(x.month, y.month) && compatible(x.day, y.day);
    if agrees {
        let (fine, coarse) = if x.day.is_some() || y.month.is_none() { (a, b) } else { (b, a) };
        let reason = format!("{fine} is in {coarse} (contained)");
        return Some(Comparison { cause: Some(Cause::Rounding), ..Comparison::new(Verdict::Match, reason) });
    }
    let cause = (x.year != y.year).then_some(Cause::OtherYear);
    Some(Comparison {
        cause,
        ..Comparison::new(Verdict::Mismatch, format!("{a} and {b} are different dates"))
    })
}

fn compatible(a: Option<u8>, b: Option<u8>) -> bool {
    a.zip(b).is_none_or(|(a, b)| a == b)
}

fn read(text: &str) -> Option<Date> {
    let folded = fold(text);
    iso(&folded).or_else(|| written(&folded))
}

/// Reads `2026-02-19` with or without a time, `2026-02`, `2026`.
fn iso(text: &str) -> Option<Date> {
    let (date, time) = match text.find(['t', ' ']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, ""),
    };
    if !time.is_empty() && !time.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next(), parts.next());
    if parts.next().is_some() || (!time.is_empty() && day.is_none()) {
        return None;
    }
    let two = |part: &str| if part.len() == 2 { part.parse::<u8>().ok() } else { None };
    let month = match month {
        Some(month) => Some(two(month)?),
        None => None,
    };
    let day = match day {
        Some(day) => Some(two(day)?),
        None => None,
    };
    checked(year, month, day)
}

/// Reads `19 February 2026`, `Feb 19, 2026`, `19th of February 2026`, `February 2026`.
fn written(text: &str) -> Option<Date> {
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty() && *word != "of").collect();
    if words.len() > 3 {
        return None;
    }
    let month_of = |word: &str| {
        let word = word.trim_end_matches('.');
        lexicon::list("month")
            .iter()
            .position(|month| month == word || (word.len() >= 3 && month.starts_with(word)))
    };
    let (at, month) =
        words.iter().enumerate().find_map(|(at, word)| month_of(word).map(|month| (at, month)))?;
    let month = u8::try_from(month + 1).ok();
    let day_of = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<u8>().ok();
    match (words.as_slice(), at) {
        ([_, year], 0) => checked(year, month, None),
        ([_, day, year], 0) => checked(year, month, Some(day_of(day)?)),
        ([day, _, year], 1) => checked(year, month, Some(day_of(day)?)),
        _ => None,
    }
}

fn checked(year: &str, month: Option<u8>, day: Option<u8>) -> Option<Date> {
    if year.len() != 4 {
        return None;
    }
    let year = year.parse().ok()?;
    let month_fits = month.is_none_or(|month| (1..=12).contains(&month));
    let day_fits = day.is_none_or(|day| (1..=31).contains(&day));
    (month_fits && day_fits).then_some(Date { year, month, day })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_day_in_other_writing() {
        for (a, b) in [
            ("2026-02-19", "19 February 2026"),
            ("2026-02-19", "Feb 19, 2026"),
            ("2026-02-19T10:30:00Z", "2026-02-19"),
            ("2026-02-19", "19th of February 2026"),
            ("2026-02-19", "February 2026"),
            ("2026-02-19", "2026"),
        ] {
            assert_eq!(compare(a, b).unwrap().verdict, Verdict::Match, "{a} {b}");
            assert_eq!(compare(b, a).unwrap().verdict, Verdict::Match, "{b} {a}");
        }
    }

    #[test]
    fn other_days_and_what_is_no_date() {
        assert_eq!(compare("2026-02-19", "2026-02-20").unwrap().verdict, Verdict::Mismatch);
        assert_eq!(compare("2026-02-19", "March 2026").unwrap().verdict, Verdict::Mismatch);
        assert_eq!(compare("2026-02-19", "2025").unwrap().cause, Some(Cause::OtherYear));
        for (a, b) in [
            ("2024", "2024"),
            ("2009-2024", "2024"),
            ("2026-13-01", "2026"),
            ("may", "2024"),
            ("$2,274", "2274"),
        ] {
            assert_eq!(compare(a, b), None, "{a} {b}");
        }
    }
}
