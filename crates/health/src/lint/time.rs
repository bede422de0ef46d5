//! Rules on years and times.

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::LintSubject;
use crate::atlas::SitePage;
use atlas_gt_core::diagnostic::Severity;
use jiff::SignedDuration;

pub(super) static OTHER_YEAR: LintRule = LintRule {
    code: "GT010",
    title: "a requested year is missing from the record",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "collect the requested year, and state it in the rows or the address",
    check: Check::Record(other_year),
    passing: r#"[{"question": {"text": "What share of the exports of Chile were minerals in 2017?"}, "record": {"atlas_url": "/explore/treemap?year=2017&exporter=country-152", "results": {"data": [{"year": "2017", "share": "23.1%"}]}}}]"#,
    failing: r#"[{"question": {"text": "What share of the exports of Chile were minerals in 2017?"}, "record": {"atlas_url": "/explore/treemap?year=2019&exporter=country-152", "results": {"data": [{"year": "2019", "share": "23.1%"}]}}}]"#,
};

fn other_year(subject: &LintSubject<'_>) -> Option<Found> {
    if let Some(found) = other_span(subject) {
        return Some(found);
    }
    let asked = subject.asked.filter(|asked| !asked.years.is_empty())?;
    if subject.has_behavior() || subject.rows.figures.is_empty() {
        return None;
    }
    let (rows, page) = (subject.years(), subject.years_of_page());
    // a country page decides itself which years it shows
    if rows.is_empty() && matches!(subject.page(), Some(SitePage::Country { .. })) {
        return None;
    }
    let is_said = |year: i16| {
        let digits = year.to_string();
        subject.leaves().any(|leaf| leaf.text.contains(&digits) || leaf.key.contains(&digits))
    };
    let of_page =
        |year: i16| rows.is_empty() && page.is_some_and(|(start, end)| (start..=end).contains(&year));
    let is_there = |year: &&i16| rows.contains(year) || of_page(**year) || is_said(**year);
    let missing: Vec<String> =
        asked.years.iter().filter(|year| !is_there(year)).map(ToString::to_string).collect();
    if missing.is_empty() {
        return None;
    }
    let held = match (rows.as_slice(), page) {
        ([], None) => "the record names no year".to_owned(),
        ([], Some((start, end))) if start == end => format!("the address names {start}"),
        ([], Some((start, end))) => format!("the address names {start} to {end}"),
        (rows, _) => {
            let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
            format!("the rows name {}", rows.join(", "))
        }
    };
    Some(Found::new("results.data", format!("requested: {}; {held}", missing.join(" and "))))
}

/// The question asks for a number of years, and the record has a period of another length: `over 20
/// years`, but 2014 to 2024.
fn other_span(subject: &LintSubject<'_>) -> Option<Found> {
    let asked = subject.asked.filter(|asked| asked.years.is_empty())?;
    let wanted = asked.span()?;
    let (years, page) = (subject.years(), subject.years_of_page());
    let (start, end) =
        years.first().copied().zip(years.last().copied()).filter(|(start, end)| start < end).or(page)?;
    // 2004 to 2024 spans twenty years, and 2005 to 2024 has twenty values
    let is_it = [wanted, wanted - 1].contains(&(end - start));
    (start < end && !is_it).then(|| {
        Found::new("results.data", format!("requested: {wanted} years; the record has {start} to {end}"))
    })
}

pub(super) static NO_TIME: LintRule = LintRule {
    code: "GT012a",
    title: "the time is missing, or not in RFC 3339 format",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "write `2026-02-28T10:14:09Z`: date, time and one time zone",
    check: Check::Record(no_time),
    passing: r#"[{"record": {"execution_timestamp": "2026-02-28T10:14:09+00:00", "results": {"data": [{"value": 24}]}}}]"#,
    failing: r#"[{"record": {"execution_timestamp": "2026-02-28T10:14:09+00:00Z", "results": {"data": [{"value": 24}]}}}]"#,
};

const TIME: &str = "execution_timestamp";

fn no_time(subject: &LintSubject<'_>) -> Option<Found> {
    let message = match &subject.record.time {
        Some(time) if time.is_rfc3339 => return None,
        Some(time) => format!("`{}` is not RFC 3339", time.text),
        None if subject.has_behavior() || subject.rows.figures.is_empty() => return None,
        None => "it has no time of collection".to_owned(),
    };
    Some(Found::new(TIME, message))
}

pub(super) static IN_THE_FUTURE: LintRule = LintRule {
    code: "GT012c",
    title: "the time is in the future",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "write when the record was collected, and check the clock that wrote it",
    check: Check::Record(in_the_future),
    passing: r#"[{"record": {"execution_timestamp": "2026-11-29T20:00:00Z", "results": {"data": [{"value": 24}]}}}]"#,
    failing: r#"[{"record": {"execution_timestamp": "2027-11-30T00:00:00Z", "results": {"data": [{"value": 24}]}}}]"#,
};

fn in_the_future(subject: &LintSubject<'_>) -> Option<Found> {
    let (time, now) = (subject.record.time.as_ref()?, subject.now?);
    let is_ahead = time.at?.duration_since(now) > CLOCK_DIFFERENCE;
    is_ahead.then(|| Found::new(TIME, format!("`{}` is in the future", time.text)))
}

/// How far the clocks of two machines may differ.
const CLOCK_DIFFERENCE: SignedDuration = SignedDuration::from_hours(1);
