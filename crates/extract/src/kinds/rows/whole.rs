//! Checks yearly series: every requested year must be present. A series with gaps is only part of
//! the answer.

use std::collections::BTreeSet;

use crate::observation::{FailureKind, Miss};
use crate::value::Period;

/// Checks that all requested years were found: those of the period, or without one, all years
/// between the first and last known to the responses.
///
/// # Errors
/// Years are missing; the error lists them.
pub(crate) fn are_whole(
    asked: Option<Period>,
    known: impl IntoIterator<Item = i16>,
    found: &BTreeSet<i16>,
) -> Result<(), Miss> {
    let known: BTreeSet<i16> = known.into_iter().chain(found.iter().copied()).collect();
    let of_known = || Some(Period { start: *known.first()?, end: *known.last()? });
    let Some(asked) = asked.or_else(of_known) else { return Ok(()) };
    let all = asked.start..=asked.end;
    let missing: Vec<i16> = all.clone().filter(|year| !found.contains(year)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let count = all.count();
    let what = format!("{} of {count} years, without {}", count - missing.len(), spans(&missing));
    Err(FailureKind::Partial(what).into())
}

/// The years in order, as spans: `1996-1998, 2004`.
fn spans(years: &[i16]) -> String {
    let mut spans: Vec<Period> = Vec::new();
    for &year in years {
        match spans.last_mut() {
            Some(last) if last.end + 1 == year => last.end = year,
            _ => spans.push(Period::year(year)),
        }
    }
    spans.iter().map(Period::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(asked: Option<(i16, i16)>, known: &[i16], found: &[i16]) -> Option<String> {
        let asked = asked.map(|(start, end)| Period { start, end });
        let whole = are_whole(asked, known.iter().copied(), &found.iter().copied().collect());
        whole.err().map(|miss| miss.kind.to_string())
    }

    #[test]
    fn years_that_are_asked_for_and_not_there_are_named() {
        let all: Vec<i16> = (1996..=2024).collect();
        assert_eq!(missing(Some((1996, 2024)), &[], &all), None);
        assert_eq!(
            missing(Some((1996, 2024)), &[], &[2024]).unwrap(),
            "only part of it is there: 1 of 29 years, without 1996-2023"
        );
        let some = [1996, 1998, 1999, 2002];
        let said = missing(Some((1996, 2002)), &[], &some).unwrap();
        assert!(said.ends_with("4 of 7 years, without 1997, 2000-2001"), "{said}");
        // more than is asked for is no fault
        assert_eq!(missing(Some((2000, 2002)), &[], &all), None);
    }

    #[test]
    fn where_no_period_is_known_the_other_rows_of_the_response_say_which_years_there_are() {
        assert!(missing(None, &[1996, 2024], &[2024]).unwrap().contains("1 of 29 years"));
        assert!(missing(None, &[], &[2020, 2022]).unwrap().ends_with("without 2021"));
        assert_eq!(missing(None, &[], &[2024]), None);
        assert_eq!(missing(None, &[], &[]), None);
    }
}
