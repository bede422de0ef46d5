//! A survey for people: what each page showed of what the specs look for.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};

use super::words::{count, painted, seconds};
use crate::workflow::survey::{PointStatus, Survey, SurveyedPage};

/// The columns of the table.
const COLUMNS: [(&str, &[PointStatus]); 5] = [
    ("found", &[PointStatus::Found, PointStatus::Absent, PointStatus::OwnQuery]),
    ("missing", &[PointStatus::Missing]),
    ("other form", &[PointStatus::OtherForm]),
    ("disagrees", &[PointStatus::PageDisagrees]),
    ("no response", &[PointStatus::Unconfirmed, PointStatus::ResponseMissing, PointStatus::ResponseUnread]),
];

/// The report as text.
#[must_use]
pub fn text(survey: &Survey, colours: bool) -> String {
    let mut text = String::new();
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table
        .set_header(["page"].into_iter().chain(COLUMNS.map(|(name, _)| name)).chain(["requests", "seconds"]));
    for page in &survey.pages {
        let of = |statuses: &[PointStatus]| {
            page.points.iter().filter(|point| statuses.contains(&point.status)).count().to_string()
        };
        let counts = COLUMNS.map(|(_, statuses)| if page.absent { "–".to_owned() } else { of(statuses) });
        let rest = [page.requests.to_string(), format!("{:.1}", seconds(page.took_ms))];
        table.add_row([page.name.clone()].into_iter().chain(counts).chain(rest));
    }
    for column in 1..COLUMNS.len() + 3 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let _ = writeln!(text, "{table}");
    for page in &survey.pages {
        for line in remarks(page).into_iter().chain(causes(survey, page)) {
            let _ = writeln!(text, "{}: {line}", page.name);
        }
    }
    for check in &survey.schemas {
        let api = check.api;
        if let Some(failure) = &check.failure {
            let _ = writeln!(text, "the schema of the {api} API could not be compared: {failure}");
        } else if !check.differences.is_empty() {
            let _ = writeln!(text, "the schema of the {api} API differs in {}", check.differences.join(", "));
        }
    }
    let share = survey.points;
    let _ = writeln!(
        text,
        "{}, {} requests (planned {}), {:.1} s; captures in {}",
        count(survey.pages.len(), "page"),
        survey.requests,
        survey.planned_requests,
        seconds(survey.took_ms),
        survey.bundle.display()
    );
    let said = format!("{} of {} points would be collected", share.found, share.all);
    let whole = share.found == share.all;
    let said = if colours { painted(said, if whole { 32 } else { 31 }) } else { said };
    let _ = writeln!(text, "{said}");
    text
}

/// What is to be known of a page beside the counts, a line each.
pub(super) fn remarks(page: &SurveyedPage) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(failure) = &page.failure {
        lines.push(format!("not read: {failure}"));
        return lines;
    }
    if page.absent {
        lines.push("the site has no such page, as expected".to_owned());
        return lines;
    }
    for (extractor, shape) in &page.shapes {
        let missing = shape.sections.iter().filter(|(_, heading)| heading.is_none());
        let missing: Vec<&str> = missing.map(|(slug, _)| slug.as_str()).collect();
        if !missing.is_empty() {
            lines.push(format!("sections not found ({extractor}): {}", missing.join(", ")));
        }
    }
    if page.shapes.is_empty() {
        lines.push("it is not recognised as the page that was asked for".to_owned());
    }
    lines.extend(page.notes.iter().map(|note| format!("note: {note}")));
    lines
}

/// Names of points in one line at most.
const NAMES: usize = 6;

/// What was not found of a page, a line for each cause.
fn causes(survey: &Survey, page: &SurveyedPage) -> Vec<String> {
    let mut causes: BTreeMap<(PointStatus, &str), Vec<&str>> = BTreeMap::new();
    for point in page.points.iter().filter(|point| survey.is_remarkable(point)) {
        causes.entry((point.status, point.text.as_str())).or_default().push(&point.point);
    }
    let line = |((status, text), mut names): ((PointStatus, &str), Vec<&str>)| {
        let more = names.len().saturating_sub(NAMES);
        names.truncate(NAMES);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{}: {}{more}: {text}", status.words(), names.join(", "))
    };
    causes.into_iter().map(line).collect()
}
