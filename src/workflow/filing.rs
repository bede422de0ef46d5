//! Turns observations into a record and files the record in the store.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::review::keep;
use crate::atlas::{SitePage, country_name, lookup};
use crate::capture::Capture;
use crate::error::Result;
use crate::evidence::{Agreement, Channel, Hash};
use crate::extract::{self, Extraction, Extractor, FailureKind, Observation, Wanted};
use crate::manifest::{Entry, Method};
use crate::scoring::compare::compare_words;
use crate::truth::review::{self, Review};
use crate::truth::{
    PointProvenance, Precise, Provenance, Record, Results, Row, Site, SourceMethod, Store, Stored, Strength,
    WriteOutcome, file_reading, pending, ranked_among,
};
use crate::value::{Context, ContextPart, Unit, format_rank, parse_as, vocabulary};

/// The outcome of a question in a collection: how its reading was filed, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum QuestionOutcome {
    /// The question had no record; now it has one.
    Collected,
    /// The record says the same.
    Agreed,
    /// The record says something else. The reading waits for a decision.
    Differs,
    /// No value could be read.
    Failed,
    /// The run did not reach the question.
    Skipped,
}

/// The outcome of a question, with its reasons.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct QuestionReport {
    /// The question.
    pub question_id: String,
    /// The extractor that answered it.
    pub extractor: String,
    /// The page.
    pub page: String,
    /// The outcome.
    pub outcome: QuestionOutcome,
    /// Whether the answer is a known absence of a value.
    pub absent: bool,
    /// Values that the page's own response unexpectedly contradicts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<String>,
    /// Why the question failed, what differs, or which pending change was dropped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl QuestionReport {
    /// A report without a filed reading.
    pub(super) fn of(entry: &Entry, outcome: QuestionOutcome, notes: Vec<String>) -> Self {
        Self {
            question_id: entry.question_id.to_string(),
            extractor: entry.extractor.clone(),
            page: entry.url.path(),
            outcome,
            absent: false,
            disagreements: Vec::new(),
            notes,
        }
    }
}

/// The stored evidence of a page: its capture, and for an Explore page a picture.
pub(super) struct Kept {
    pub capture: Hash,
    pub picture: Option<Hash>,
}

/// A question's record with its provenance, or why there is none.
pub(super) type Reading = std::result::Result<(Record, Provenance), Unread>;

/// Why a question has no reading.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unread {
    /// Points that were not found, one line per value.
    pub notes: Vec<String>,
    /// What a person must review, with the values of the responses.
    pub review: Option<Box<Review>>,
}

impl Unread {
    /// The reading that a person has approved in review, unless something contradicts it since.
    pub fn with_judged(&self, store: &Store) -> Result<Option<(Record, Provenance)>> {
        let Some(review) = &self.review else { return Ok(None) };
        if review.input_of.is_some() {
            let known = review::load(store, &review.question_id)?;
            return Ok(known.and_then(|known| known.with_accepted_input(review)));
        }
        let stored = store.load(&review.question_id)?;
        Ok(stored.and_then(|stored| review.with_judged(&stored)))
    }
}

/// The points that a question needs.
pub(super) fn wanted(entry: &Entry, extractor: &Extractor) -> Vec<Wanted> {
    entry.data_points.iter().map(|data_point| extractor.wanted(data_point, &entry.context)).collect()
}

/// The extraction of a page, for all its questions.
pub(super) struct PageReading<'a> {
    pub extractor: &'a Extractor,
    pub extraction: &'a Extraction,
    pub capture: &'a Capture,
    pub kept: &'a Kept,
    pub site: Site,
    pub now: Timestamp,
}

impl PageReading<'_> {
    /// The record of a question with its provenance, or the points that were not found.
    pub fn of(&self, entry: &Entry) -> std::result::Result<(Record, Provenance), Vec<String>> {
        let values = self.values(entry, entry.method, &wanted(entry, self.extractor), row)?;
        Ok(self.record(entry, values))
    }

    /// The values of some points with their provenance, or the points that were not found.
    pub(super) fn values(
        &self,
        entry: &Entry,
        method: Method,
        wanted: &[Wanted],
        row: impl Fn(&Observation) -> Row,
    ) -> std::result::Result<Vec<(Row, PointProvenance)>, Vec<String>> {
        let mut values = Vec::new();
        let mut failures = Vec::new();
        for wanted in wanted {
            match self.extraction.outcome(wanted) {
                Some(Ok(observations)) => {
                    for observation in observations {
                        let problem = other_context(&entry.context, observation);
                        match problem.or_else(|| other_method(method, observation)) {
                            Some(problem) if failures.contains(&problem) => {}
                            Some(problem) => failures.push(problem),
                            None => values.push(self.value(observation, row(observation))),
                        }
                    }
                }
                Some(Err(failure)) => failures.push(failure.to_string()),
                None => failures.push(format!("{}: was not extracted", wanted.data_point)),
            }
        }
        if failures.is_empty() { Ok(values) } else { Err(failures) }
    }

    pub(super) fn value(&self, observation: &Observation, row: Row) -> (Row, PointProvenance) {
        let point = provenance(observation, &row, self.extractor, self.capture, self.kept, self.now);
        (row, point)
    }

    pub(super) fn record(&self, entry: &Entry, values: Vec<(Row, PointProvenance)>) -> (Record, Provenance) {
        let (data, points): (Vec<Row>, Vec<PointProvenance>) = values.into_iter().unzip();
        let record = record(entry, data, &points, self.site, self.now);
        let question = entry.info.question_text.clone();
        let how = Provenance { question, ..Provenance::of_points(&record, points) };
        (record, how)
    }
}

/// Builds the record of a question from its rows.
pub(super) fn record(
    entry: &Entry,
    data: Vec<Row>,
    points: &[PointProvenance],
    site: Site,
    now: Timestamp,
) -> Record {
    let (default_source, mut source_method) = match entry.url.page {
        SitePage::Country { .. } => ("atlas_country_page", SourceMethod::BrowserCountryPage),
        SitePage::Explore(_) => ("atlas_explore_page", SourceMethod::BrowserExplorePage),
    };
    // a record has the source method of its weakest value
    let is_from_api = |point: &PointProvenance| {
        point.channel == Channel::Api || point.agreement == Some(Agreement::NotDisplayed)
    };
    if points.iter().any(is_from_api) {
        source_method = SourceMethod::GraphqlApi;
    }
    Record {
        question_id: entry.question_id.clone(),
        execution_timestamp: now,
        source: entry.source.clone().unwrap_or_else(|| default_source.to_owned()),
        source_method,
        atlas_url: entry.url.to_string(),
        site,
        expected_tool: entry.info.expected_tool,
        expected_query_type: entry.info.expected_query_type.clone(),
        results: Results { data },
    }
}

/// Applies review decisions to a reading. Values that need review are queued and noted.
///
/// # Errors
/// The store cannot be read or written.
pub(super) fn judged(store: &Store, reading: Reading) -> Result<Reading> {
    let unread = match reading {
        Ok((record, provenance)) => {
            // a page shows this input again, so its review is obsolete
            let known = review::load(store, &record.question_id)?;
            if known.is_some_and(|known| known.input_of.is_some()) {
                review::drop(store, &record.question_id)?;
            }
            return Ok(Ok((record, provenance)));
        }
        Err(unread) => unread,
    };
    if let Some(reading) = unread.with_judged(store)? {
        return Ok(Ok(reading));
    }
    let Unread { mut notes, review } = unread;
    if let Some(review) = &review {
        notes.push(keep(store, review)?);
    }
    Ok(Err(Unread { notes, review: None }))
}

/// Files a reading and returns the outcome.
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
    let mut report =
        QuestionReport { disagreements, ..QuestionReport::of(entry, QuestionOutcome::Failed, Vec::new()) };
    let (record, provenance) = match judged(store, reading)? {
        Ok(reading) => reading,
        Err(unread) => {
            report.notes = unread.notes;
            return Ok(report);
        }
    };
    report.absent = record.results.data.iter().all(|row| row.absence.is_some());
    let (outcome, dropped) = write(store, &record, &provenance, now)?;
    match outcome {
        WriteOutcome::Written => report.outcome = QuestionOutcome::Collected,
        WriteOutcome::Unchanged | WriteOutcome::Strengthened => {
            report.outcome = QuestionOutcome::Agreed;
            report.notes.extend(dropped.map(|why| format!("the pending change was dropped: {why}")));
        }
        WriteOutcome::Pending { changes, suspect } => {
            report.outcome = QuestionOutcome::Differs;
            report.notes = changes.iter().map(ToString::to_string).collect();
            if suspect {
                report.notes.push("the source is weaker than the record's: check the page".to_owned());
            }
        }
        WriteOutcome::Older(changes) => report.notes = changes.iter().map(ToString::to_string).collect(),
        WriteOutcome::Refused(why) => report.notes = vec![why],
    }
    Ok(report)
}

/// Writes a reading to the store. Also returns why a pending change was dropped, if one was.
///
/// # Errors
/// The store cannot be written, or the pending reading cannot be read.
pub(super) fn write(
    store: &Store,
    record: &Record,
    provenance: &Provenance,
    now: Timestamp,
) -> Result<(WriteOutcome, Option<&'static str>)> {
    let id = &record.question_id;
    let waited = pending::load(store, id)?.is_some();
    let outcome = file_reading(store, record, provenance, now)?;
    let is_dropped = waited && pending::load(store, id)?.is_none();
    Ok((outcome, is_dropped.then_some("the site agrees with the record again")))
}

/// Values that the page's response contradicts for no known reason.
pub(super) fn disagreements(entry: &Entry, extractor: &Extractor, extraction: &Extraction) -> Vec<String> {
    wanted(entry, extractor)
        .iter()
        .filter_map(|wanted| extraction.outcome(wanted)?.as_ref().ok())
        .flatten()
        .filter(|one| one.agreement == Agreement::PageDisagrees && one.known.is_none())
        .map(|one| format!("{}: {}", one.data_point, one.reason))
        .collect()
}

/// The parts of an observation's context that contradict the question.
pub(super) fn other_context(asked: &Context, observation: &Observation) -> Option<String> {
    let mut differing = asked.differing(&observation.context);
    if observation.keys.iter().any(|(key, _)| key == "row") {
        // a table of peers lists other countries; the page's own country was checked before
        differing.retain(|part| *part != ContextPart::Country);
    }
    if is_year_of_series(asked, observation) {
        differing.retain(|part| *part != ContextPart::Period);
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

/// Whether the observation is for one of the years that the question asks for.
fn is_year_of_series(asked: &Context, observation: &Observation) -> bool {
    let (Some(asked), Some(read)) = (asked.period, observation.context.period) else { return false };
    let year = read.end.to_string();
    let of_year = observation.keys.iter().any(|(key, value)| key == "column" && *value == year);
    of_year && read.start == read.end && (asked.start..=asked.end).contains(&read.end)
}

/// Refuses a value that the entry's method does not allow: a response never replaces a displayed
/// text.
fn other_method(method: Method, observation: &Observation) -> Option<String> {
    let of_text = matches!(method, Method::Dom | Method::Narrative);
    let is_response = matches!(observation.channel, Channel::PageResponse | Channel::Api);
    (of_text && is_response).then(|| {
        format!(
            "{}: the method `{method}` takes no value from a response, and the page does not show it as text \
             (`api_preferred` takes {})",
            observation.data_point, observation.value
        )
    })
}

/// The name of the country in a context.
pub(super) fn country(context: &Context) -> String {
    context.country.as_deref().and_then(country_name).unwrap_or_default().to_owned()
}

/// One row of a record.
pub(super) fn row(observation: &Observation) -> Row {
    let country = country(&observation.context);
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
        answers: observation.answers.clone(),
    }
}

/// The provenance of an observation.
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
        displayed: Some(observation.displayed.clone()).filter(|text| !text.is_empty()),
        rule: observation.rule,
        interval,
        precise,
        locator: Some(observation.locator.clone()),
        agreement: Some(observation.agreement),
        agreement_reason: Some(observation.reason.clone()),
        evidence: Some(kept.capture.clone()),
        screenshot: kept.picture.clone(),
        settled_url: Some(capture.settled_url.clone()),
        extractor: Some(extractor.label()),
        ..PointProvenance::of_row(row, observation.context.clone(), observation.channel, now)
    }
}

/// The row as the page would display it, in the format of the stored value. If the stored text can
/// stand for the observed number, the stored text stays.
pub(super) fn as_displayed(stored: Option<&Stored>, observation: &Observation) -> Row {
    let mut merged = row(observation);
    let Some(stored) = stored else { return merged };
    let rows = &stored.record.results.data;
    // a short and a long name of a partner name the same country
    if let Some(known) =
        rows.iter().find(|row| row.data_point == merged.data_point && is_same_partner(row, &merged))
        && let Some(name) = known.extra.get("partner")
    {
        merged.extra.insert("partner".to_owned(), name.clone());
    }
    let field = merged.field();
    let Some(old) = rows.iter().find(|row| row.field() == field) else { return merged };
    let point = stored.provenance.as_ref().and_then(|provenance| provenance.of(old));
    let year = merged.year.clone().or_else(|| old.year.clone());
    let moved = year != old.year;
    let mut extra = old.extra.clone();
    for (key, value) in &merged.extra {
        extra.insert(key.clone(), value.clone());
    }
    let base = Row { extra, year, ..old.clone() };
    match &observation.reading {
        extract::Reading::Absent(absence) => {
            Row { value: None, number: None, unit: None, absence: Some(*absence), ..base }
        }
        extract::Reading::Text(word) => {
            let known = old.value.as_deref().unwrap_or_default();
            let kind = observation.data_point.as_str();
            let agrees = compare_words(kind, known, word).verdict.agrees()
                || vocabulary::same_words_of(None, known, word).is_some();
            if agrees { base } else { Row { value: Some(word.clone()), number: None, ..base } }
        }
        extract::Reading::Quantity(quantity) => {
            let displayed = point.is_some_and(|point| match point.channel {
                Channel::Imported => point.displayed.is_some(),
                channel => channel.strength() == Strength::Browser,
            });
            let interval = point.and_then(|point| point.interval).filter(|_| displayed);
            let number = quantity.number.normalize();
            let agrees = match (interval, old.number) {
                (Some(interval), _) => interval.contains(quantity.number),
                (None, Some(old)) => old.normalize() == number,
                (None, None) => false,
            };
            if agrees && !moved {
                // only the page tells the divisor of a share, so it stays with its value
                let share = old.extra.get("share").cloned();
                let mut base = base;
                base.extra.extend(share.map(|share| ("share".to_owned(), share)));
                return base;
            }
            let rule = point.and_then(|point| point.rule).or(observation.rule);
            let total = ranked_among(old);
            let text = match (old.unit, total, u32::try_from(number)) {
                (Some(Unit::Rank), Some(total), Ok(place)) => format_rank(place, total),
                _ => observation.value.clone(),
            };
            let shown = rule.filter(|_| displayed).and_then(|rule| parse_as(&text, rule).ok());
            let number = shown.map_or(number, |shown| shown.number);
            Row { value: Some(text), number: Some(number), unit: Some(quantity.unit), absence: None, ..base }
        }
    }
}

fn is_same_partner(one: &Row, other: &Row) -> bool {
    let id = |row: &Row| lookup(row.extra.get("partner")?.as_str()?).map(|entity| entity.id);
    id(one).is_some_and(|own| id(other) == Some(own))
}
