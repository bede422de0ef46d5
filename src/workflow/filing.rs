//! From observations to a record, and the record into the store.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::atlas::{CountryId, Page, by_id};
use crate::capture::Capture;
use crate::error::Result;
use crate::extract::{self, Extraction, Extractor, FailureKind, Observation, Wanted};
use crate::manifest::Entry;
use crate::scoring::Verdict;
use crate::scoring::compare::{Content, Operand, compare};
use crate::truth::{
    Agreement, Channel, Hash, Outcome, PointProvenance, Precise, Provenance, Record, Results, Row, Site,
    SourceMethod, Store, file_reading,
};
use crate::value::{Context, ContextPart, Quantity, Rule, Unit, Value, parse_as};

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum QuestionOutcome {
    /// There was no record, now there is one.
    Collected,
    /// The record says the same.
    Agreed,
    /// The record says something else; the reading waits for a person.
    Differs,
    /// It could not be read.
    Failed,
    /// It was not got to.
    Skipped,
}

/// What came of a question, with its reasons.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuestionReport {
    /// The question.
    pub question_id: String,
    /// The extractor that answered it.
    pub extractor: String,
    /// The page.
    pub page: String,
    /// What came of it.
    pub outcome: QuestionOutcome,
    /// Whether the answer is that there is no value, and why is known.
    pub absent: bool,
    /// Values that the page's own response contradicts although it should not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<String>,
    /// Why it failed or what differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What is kept of a page: its capture, and for an Explore page its picture.
pub(super) struct Kept {
    pub capture: Hash,
    pub picture: Option<Hash>,
}

/// A question's record and how each value was read, or why there is none.
pub(super) type Reading = std::result::Result<(Record, Provenance), Vec<String>>;

/// The points that a question wants.
pub(super) fn wanted(entry: &Entry, extractor: &Extractor) -> Vec<Wanted> {
    entry.data_points.iter().map(|data_point| Wanted::about(extractor, data_point, &entry.context)).collect()
}

/// A question's reading: its record and how each value was read, or why there is none.
pub(super) fn reading(
    entry: &Entry,
    extractor: &Extractor,
    extraction: &Extraction,
    capture: &Capture,
    kept: &Kept,
    site: Site,
    now: Timestamp,
) -> Reading {
    let mut rows = Vec::new();
    let mut points = Vec::new();
    let mut failures = Vec::new();
    for wanted in wanted(entry, extractor) {
        match extraction.outcome(&wanted) {
            Some(Ok(observations)) => {
                for observation in observations {
                    if let Some(problem) = other_context(&entry.context, observation) {
                        if !failures.contains(&problem) {
                            failures.push(problem);
                        }
                        continue;
                    }
                    let row = row(observation);
                    points.push(provenance(observation, &row, extractor, capture, kept, now));
                    rows.push(row);
                }
            }
            Some(Err(failure)) => failures.push(failure.to_string()),
            None => failures.push(format!("{}: was not looked for", wanted.data_point)),
        }
    }
    if !failures.is_empty() {
        return Err(failures);
    }
    let (default_source, mut source_method) = match entry.url.page {
        Page::Country { .. } => ("atlas_country_page", SourceMethod::BrowserCountryPage),
        Page::Explore(_) => ("atlas_explore_page", SourceMethod::BrowserExplorePage),
    };
    // a record carries the method of its weakest value
    if points.iter().any(|point| point.channel == Channel::Api) {
        source_method = SourceMethod::GraphqlApi;
    }
    let record = Record {
        question_id: entry.question_id.clone(),
        execution_timestamp: now,
        source: entry.source.clone().unwrap_or_else(|| default_source.to_owned()),
        source_method,
        atlas_url: entry.url.to_string(),
        site,
        expected_tool: entry.expected_tool,
        expected_query_type: entry.expected_query_type.clone(),
        results: Results { data: rows },
    };
    let provenance = Provenance { question_id: entry.question_id.clone(), site, record: None, points };
    Ok((record, provenance))
}

/// Files a reading and says what came of it.
///
/// # Errors
/// The store cannot be written.
pub(super) fn file(
    store: &Store,
    entry: &Entry,
    reading: Reading,
    disagreements: Vec<String>,
    now: Timestamp,
) -> Result<QuestionReport> {
    let mut report = QuestionReport {
        question_id: entry.question_id.to_string(),
        extractor: entry.extractor.clone(),
        page: entry.url.path(),
        outcome: QuestionOutcome::Failed,
        absent: false,
        disagreements,
        notes: Vec::new(),
    };
    let (record, provenance) = match reading {
        Ok(reading) => reading,
        Err(failures) => {
            report.notes = failures;
            return Ok(report);
        }
    };
    report.absent = record.results.data.iter().all(|row| row.absence.is_some());
    match file_reading(store, &record, &provenance, &same, None, now)? {
        Outcome::Written => report.outcome = QuestionOutcome::Collected,
        Outcome::Unchanged | Outcome::Strengthened => report.outcome = QuestionOutcome::Agreed,
        Outcome::Pending { changes, suspect } => {
            report.outcome = QuestionOutcome::Differs;
            report.notes = changes.iter().map(ToString::to_string).collect();
            if suspect {
                report
                    .notes
                    .push("the source is weaker than that of the record: look at the page".to_owned());
            }
        }
        Outcome::Forced(changes) => {
            report.outcome = QuestionOutcome::Collected;
            report.notes = changes.iter().map(ToString::to_string).collect();
        }
        Outcome::Refused(why) => report.notes = vec![why],
    }
    Ok(report)
}

/// Values that the page's response contradicts although nobody knows a reason.
pub(super) fn disagreements(entry: &Entry, extractor: &Extractor, extraction: &Extraction) -> Vec<String> {
    wanted(entry, extractor)
        .iter()
        .filter_map(|wanted| extraction.outcome(wanted)?.as_ref().ok())
        .flatten()
        .filter(|one| one.agreement == Agreement::PageDisagrees && one.known.is_none())
        .map(|one| format!("{}: {}", one.data_point, one.reason))
        .collect()
}

/// Of how many, for a rank: 145 in `116th of 145`.
pub(super) fn ranked_among(row: &Row) -> Option<u32> {
    let text = row.value.as_deref().filter(|_| row.unit == Some(Unit::Rank))?;
    parse_as(text, Rule::F10).ok()?.total
}

/// Whether two rows say the same: by the one comparator, printed equally precisely, and ranked among as many.
#[must_use]
pub fn same(a: &Row, b: &Row) -> bool {
    let printed = a.number == b.number && a.unit == b.unit && a.year == b.year && a.absence == b.absence;
    if matches!((ranked_among(a), ranked_among(b)), (Some(m), Some(n)) if m != n) {
        return false;
    }
    let verdict = compare(&operand(a), &operand(b)).verdict;
    printed && matches!(verdict, Verdict::Match | Verdict::ExpectedAbsence)
}

fn operand(row: &Row) -> Operand {
    let content = match (row.absence, row.number, &row.value) {
        (Some(absence), ..) => Content::Absent(absence),
        (None, Some(number), _) => {
            Content::Value(Value::Quantity(Quantity::exact(number, row.unit.unwrap_or(Unit::Count))))
        }
        (None, None, Some(text)) => Content::Value(Value::Text(text.clone())),
        (None, None, None) => Content::Unread("the row holds nothing".to_owned()),
    };
    Operand { content, context: Context::default() }
}

/// What the question states and the observation contradicts.
fn other_context(asked: &Context, observation: &Observation) -> Option<String> {
    let mut differing = asked.differing(&observation.context);
    if observation.keys.iter().any(|(key, _)| key == "row") {
        // a table of peers has rows of other countries; whose page it is was checked before
        differing.retain(|part| *part != ContextPart::Country);
    }
    if differing.is_empty() {
        return None;
    }
    let parts = differing
        .into_iter()
        .map(|part| {
            let (asked, read) = (asked.part(part), observation.context.part(part));
            (part, format!("the question asks for {asked}, the page shows {read}"))
        })
        .collect();
    Some(format!("{}: {}", observation.data_point, FailureKind::OtherContext(parts)))
}

/// One row of a record.
pub(super) fn row(observation: &Observation) -> Row {
    let country = observation
        .context
        .country
        .as_deref()
        .and_then(|id| id.parse::<CountryId>().ok())
        .and_then(by_id)
        .map_or_else(String::new, |entity| entity.short_name.to_owned());
    let (number, unit) = match &observation.reading {
        extract::Reading::Quantity(quantity) => (Some(quantity.number.normalize()), Some(quantity.unit)),
        extract::Reading::Text(_) | extract::Reading::Absent(_) => (None, None),
    };
    let absence = match observation.reading {
        extract::Reading::Absent(absence) => Some(absence),
        _ => None,
    };
    Row {
        data_point: observation.data_point.clone(),
        metric: observation.metric.clone(),
        country,
        extra: observation
            .keys
            .iter()
            .map(|(key, value)| (key.clone(), Json::String(value.clone())))
            .collect::<Map<_, _>>(),
        value: absence.is_none().then(|| observation.value.clone()),
        absence,
        number,
        unit,
        year: observation.context.period.map(|period| period.to_string()),
    }
}

/// How an observation was read.
pub(super) fn provenance(
    observation: &Observation,
    row: &Row,
    extractor: &Extractor,
    capture: &Capture,
    kept: &Kept,
    now: Timestamp,
) -> PointProvenance {
    let interval = match &observation.reading {
        extract::Reading::Quantity(quantity) => Some(quantity.interval),
        _ => None,
    };
    let precise = observation.backing.as_ref().and_then(|backing| {
        Some(Precise { number: backing.precise.parse::<Decimal>().ok()?, from: backing.source.clone() })
    });
    PointProvenance {
        data_point: observation.data_point.clone(),
        subject: row.subject(),
        displayed: Some(observation.displayed.clone()).filter(|text| !text.is_empty()),
        rule: observation.rule,
        interval,
        precise,
        context: observation.context.clone(),
        channel: observation.channel,
        locator: Some(observation.locator.clone()),
        agreement: Some(observation.agreement),
        agreement_reason: Some(observation.reason.clone()),
        evidence: Some(kept.capture.clone()),
        screenshot: kept.picture.clone(),
        settled_url: Some(capture.settled_url.clone()),
        site_vintage: None,
        extractor: Some(extractor.label()),
        tool_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        read_at: now,
    }
}
