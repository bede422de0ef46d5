//! The review queue: `review/{question_id}.json`. It holds values that no text on the page shows, although a response
//! may. They are not truth: they score and replace nothing until a person accepts them.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::changes::changes;
use super::files::whole_seconds;
use super::pending::Pending;
pub use super::precedence::Strength;
use super::provenance::{Person, PointProvenance, Provenance, Stored};
use super::quarantine::unreadable;
use super::queue::Queue;
use super::record::Record;
use super::row::Row;
use super::store::Store;
use crate::atlas::{AtlasUrl, SitePage};
use crate::error::Result;
use crate::picture::Area;
use crate::value::{AnswerField, Interval};
use atlas_gt_core::command_line::{Placeholder, flag};
use atlas_gt_core::evidence::{Agreement, Channel, Hash};
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::source::SourceMethod;

/// The state of a review.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// A person must accept or reject it.
    #[default]
    Needed,
    /// A person rejected it. It is kept so that the same reading does not return.
    Rejected,
    /// A person accepted it as an input of a question. The next collection computes the question's answer.
    Accepted,
}

/// A question with values under review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Review {
    /// The question.
    pub question_id: QuestionId,
    /// The question it is an input of, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_of: Option<QuestionId>,
    /// Its state.
    pub review: ReviewState,
    /// Who rejected it, when and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Person>,
    /// Undone verdicts, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakenBack>,
    /// When it was first seen, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub seen_at: Timestamp,
    /// The values not found on the page.
    pub missing: Vec<Missing>,
    /// Hash of the record at that time, if any. The review expires when the record changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Hash>,
    /// The capture of the page.
    pub capture: Hash,
    /// A screenshot of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Hash>,
    /// The record it would become. A row without a response value is still empty.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

/// A value not found on the page. Its metric, unit and year are in the record's row, its rule and context in the
/// provenance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Missing {
    /// Its field in the record.
    pub field: String,
    /// The response's value in the page's form; `None` if no response has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_value: Option<String>,
    /// The place of the value in the response.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// What was searched for on the page, and why it was not found.
    pub looked_for: String,
    /// What a person should look for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The text around it on the page.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seen: String,
    /// The vocabulary of its term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<String>,
    /// The key of a name that the person reads with the value: `product`, `partner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// The area of the screenshot that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    /// That area as a screenshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<Hash>,
    /// What text recognition reads there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Suggestion>,
    /// What a person accepted, while other values of the question are still open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
}

/// Recognised text on a screenshot: a suggestion for a person, never a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Suggestion {
    /// The text.
    pub text: String,
    /// The program's own confidence, in per cent.
    pub confidence: f32,
}

/// A value that a person accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Accepted {
    /// The value read on the screenshot; `None` if the response's value was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadValue>,
    /// Who, when and why.
    pub person: Person,
}

/// An undone verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TakenBack {
    /// Who undid it, when and why.
    pub person: Person,
    /// Who had rejected the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Person>,
    /// What had been accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<AcceptedField>,
}

/// A value that was accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AcceptedField {
    /// Its field in the record.
    pub field: String,
    /// What was accepted.
    pub accepted: Accepted,
}

/// A value that a person read on a screenshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ReadValue {
    /// The name beside it, if that is read too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The text in canonical form.
    pub value: String,
    /// Its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Decimal>,
    /// Its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

impl Missing {
    /// A one-line summary: `gdp_per_capita: the response holds $2,350`.
    #[must_use]
    pub fn summary(&self) -> String {
        match &self.response_value {
            Some(value) => format!("{}: the response holds {value}", self.field),
            None => format!("{}: no response holds it", self.field),
        }
    }
}

impl Review {
    /// Whether a person still has to decide.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.review == ReviewState::Needed
    }

    /// The question it belongs to.
    #[must_use]
    pub fn question(&self) -> &QuestionId {
        self.input_of.as_ref().unwrap_or(&self.question_id)
    }

    /// The captures and screenshots it refers to.
    pub fn evidence(&self) -> impl Iterator<Item = &Hash> {
        let crops = self.missing.iter().filter_map(|missing| missing.crop.as_ref());
        [&self.capture].into_iter().chain(&self.picture).chain(crops).chain(self.provenance.evidence())
    }

    /// The row of a value, with its provenance.
    #[must_use]
    pub fn row(&self, missing: &Missing) -> Option<(&Row, &PointProvenance)> {
        let row = self.record.results.data.iter().find(|row| row.field() == missing.field)?;
        Some((row, self.provenance.of(row)?))
    }

    /// Whether the stored record already has its values.
    #[must_use]
    pub fn is_known(&self, stored: Option<&Stored>) -> bool {
        stored
            .is_some_and(|stored| changes(&stored.record.results.data, &self.record.results.data).is_empty())
    }

    /// A one-line summary: `gdp_per_capita: the response holds $2,350`.
    #[must_use]
    pub fn summary(&self) -> String {
        self.missing.iter().map(Missing::summary).collect::<Vec<_>>().join("; ")
    }

    /// The command that accepts one of its values, without flags of the store: `review accept 61`. If no response has
    /// the value, a person writes it in place of [`Placeholder::Value`].
    #[must_use]
    pub fn accept_command(&self, missing: &Missing) -> String {
        let value =
            if missing.response_value.is_some() { String::new() } else { format!(" {}", Placeholder::Value) };
        let point = if self.missing.len() == 1 { String::new() } else { flag("point", &missing.field) };
        format!("review accept {}{value}{point}", self.question_id)
    }

    /// The command that rejects it, without flags of the store.
    #[must_use]
    pub fn reject_command(&self) -> String {
        format!("review reject {} --reason {}", self.question_id, Placeholder::Reason)
    }

    /// Whether another reading of the page has the same missing values, with the same responses, contexts and
    /// surrounding text.
    fn is_same_reading(&self, other: &Self) -> bool {
        let of = |review: &Self| -> Vec<_> {
            let one = |missing: &Missing| {
                let context = review.row(missing).map(|(_, point)| point.context.clone());
                // If a response has the value, that value is under review, not the text.
                let seen = missing.response_value.is_none().then(|| missing.seen.clone());
                (missing.field.clone(), missing.response_value.clone(), seen, context)
            };
            review.missing.iter().map(one).collect()
        };
        changes(&self.rows_with_values(), &other.rows_with_values()).is_empty() && of(self) == of(other)
    }

    /// The rows that have a value.
    fn rows_with_values(&self) -> Vec<Row> {
        let open = |row: &Row| {
            self.missing.iter().any(|one| one.response_value.is_none() && one.field == row.field())
        };
        self.record.results.data.iter().filter(|row| !open(row)).cloned().collect()
    }

    /// The reading with its missing values replaced by earlier verdicts of a person. `None` if a value has no verdict,
    /// has another context now, or contradicts the response. A value that is not displayed may still be right.
    #[must_use]
    pub fn with_judged(&self, stored: &Stored) -> Option<(Record, Provenance)> {
        let known = stored.provenance.as_ref()?;
        let (mut record, mut provenance) = (self.record.clone(), self.provenance.clone());
        for missing in &self.missing {
            let (now, how) = self.row(missing)?;
            let row = stored.record.results.data.iter().find(|row| is_row_of(row, now))?;
            let point = known.of(row).filter(|point| point.channel == Channel::Person)?;
            let is_same =
                |row: &Row| changes(std::slice::from_ref(row), std::slice::from_ref(now)).is_empty();
            let agrees = missing.response_value.is_none()
                || is_same(row)
                || point.interval.zip(now.number).is_some_and(|(shown, number)| shown.contains(number));
            if !agrees || point.context != how.context {
                return None;
            }
            replace(&mut record, &mut provenance, &missing.field, row, point);
        }
        record.source_method = method(&record, &provenance);
        Some((record, provenance))
    }

    /// The reading with all values accepted, and the reasons; `None` if a value is not accepted.
    pub(super) fn accepted(&self) -> Option<(Pending, String)> {
        let (record, provenance, reasons) = self.with_accepted()?;
        let pending = Pending {
            question_id: self.question_id.clone(),
            seen_at: self.seen_at,
            suspect: false,
            base: self.base.clone(),
            record,
            provenance,
        };
        Some((pending, reasons.join("; ")))
    }

    /// The same reading of an input, if a person accepted it before.
    #[must_use]
    pub fn with_accepted_input(&self, found: &Self) -> Option<(Record, Provenance)> {
        let is_accepted = self.review == ReviewState::Accepted && self.is_same_reading(found);
        self.with_accepted().filter(|_| is_accepted).map(|(record, provenance, _)| (record, provenance))
    }

    /// The reading with the accepted values, and the reasons; `None` if a value is not accepted.
    fn with_accepted(&self) -> Option<(Record, Provenance, Vec<&str>)> {
        let (mut record, mut provenance) = (self.record.clone(), self.provenance.clone());
        let mut reasons: Vec<&str> = Vec::new();
        for missing in &self.missing {
            let Accepted { read, person } = missing.accepted.as_ref()?;
            let (row, point) = self.row(missing)?;
            let (row, point) = judged(row, point, missing.named.as_deref(), read.as_ref(), person);
            let point = PointProvenance { screenshot: self.picture.clone(), ..point };
            replace(&mut record, &mut provenance, &missing.field, &row, &point);
            if !reasons.contains(&person.why.as_str()) {
                reasons.push(&person.why);
            }
        }
        record.source_method = method(&record, &provenance);
        Some((record, provenance, reasons))
    }
}

/// A row and its provenance after a person read or accepted its value.
fn judged(
    row: &Row,
    point: &PointProvenance,
    named: Option<&str>,
    read: Option<&ReadValue>,
    person: &Person,
) -> (Row, PointProvenance) {
    let point = PointProvenance { channel: Channel::Person, person: Some(person.clone()), ..point.clone() };
    let why = &person.why;
    let Some(read) = read else {
        let reason = format!("a person accepted the response's value: {why}");
        let agreement = Some(Agreement::Agrees);
        return (row.clone(), PointProvenance { agreement, agreement_reason: Some(reason), ..point });
    };
    let mut row = Row {
        value: Some(read.value.clone()),
        absence: None,
        number: read.number,
        unit: row.unit.filter(|_| read.number.is_some()),
        ..row.clone()
    };
    if let Some((key, name)) = named.zip(read.name.as_ref()) {
        row.extra.insert(key.to_owned(), name.clone().into());
    }
    if row.answers.contains(&AnswerField::Share) {
        row.extra.insert("share".to_owned(), read.value.clone().into());
    }
    let behind = point.precise.as_ref().zip(read.interval);
    let (agreement, beside) = match behind.map(|(precise, shown)| (shown.contains(precise.number), precise)) {
        Some((true, precise)) => (Agreement::Agrees, format!("the response's {} agrees", precise.number)),
        Some((false, precise)) => (Agreement::PageDisagrees, format!("the response has {}", precise.number)),
        None => (Agreement::Single, "no response was compared".to_owned()),
    };
    let reason = format!("a person read it on the screenshot: {why}; {beside}");
    let point = PointProvenance {
        subject: row.subject(),
        displayed: Some(read.value.clone()),
        interval: read.interval,
        agreement: Some(agreement),
        agreement_reason: Some(reason),
        ..point
    };
    (row, point)
}

/// Whether a stored row corresponds to a row under review. A person may have named it since.
fn is_row_of(row: &Row, reviewed: &Row) -> bool {
    let is_same = |(key, value)| row.extra.get(key) == Some(value);
    row.field() == reviewed.field()
        || (row.data_point == reviewed.data_point
            && !reviewed.extra.is_empty()
            && reviewed.extra.iter().all(is_same))
}

/// Replaces the row and provenance of a field.
fn replace(
    record: &mut Record,
    provenance: &mut Provenance,
    field: &str,
    row: &Row,
    point: &PointProvenance,
) {
    for one in record.results.data.iter_mut().filter(|one| one.field() == field) {
        let subject = one.subject();
        let is_of = |own: &&mut PointProvenance| own.data_point == one.data_point && own.subject == subject;
        provenance.points.iter_mut().filter(is_of).for_each(|own| *own = point.clone());
        *one = row.clone();
    }
}

/// The source method that fits the values: the page's, unless one of them comes from an API.
fn method(record: &Record, provenance: &Provenance) -> SourceMethod {
    let is_of_an_api = |point: &PointProvenance| {
        point.channel.strength() <= Strength::OwnApi || point.agreement == Some(Agreement::NotDisplayed)
    };
    if provenance.points.iter().any(is_of_an_api) {
        return SourceMethod::GraphqlApi;
    }
    match AtlasUrl::parse(&record.atlas_url).map(|parsed| parsed.url.page) {
        Ok(SitePage::Explore(_)) => SourceMethod::BrowserExplorePage,
        _ => SourceMethod::BrowserCountryPage,
    }
}

pub(super) const QUEUE: Queue = Queue { folder: "review", drop: "review reject --reason 'it is damaged'" };

/// The review of a question, open or rejected.
///
/// # Errors
/// It cannot be read, or belongs to another question or site.
pub fn load(store: &Store, id: &QuestionId) -> Result<Option<Review>> {
    let check = |review: &Review| (review.question_id.clone(), review.record.site);
    QUEUE.load(store, id, &check).map_err(unreadable)
}

/// The questions with a review, open or rejected, in order.
///
/// # Errors
/// The folder cannot be read.
pub fn ids(store: &Store) -> Result<Vec<QuestionId>> {
    QUEUE.ids(store)
}

/// Whether a reading needs review: not if the record or a person's verdict already covers it, nor if it is already
/// under review or rejected.
///
/// # Errors
/// The store cannot be read.
pub fn is_new(store: &Store, review: &Review) -> Result<bool> {
    let stored = store.load(&review.question_id)?;
    if review.is_known(stored.as_ref())
        || stored.as_ref().is_some_and(|stored| review.with_judged(stored).is_some())
    {
        return Ok(false);
    }
    Ok(load(store, &review.question_id)?.is_none_or(|known| {
        // A rejected reading stays rejected, even if the record changed.
        (known.is_needed() && known.base != review.base) || !known.is_same_reading(review)
    }))
}

/// Stores a review. Its evidence must be stored first.
///
/// # Errors
/// The store cannot be written.
pub fn save(store: &Store, review: &Review) -> Result<()> {
    QUEUE.save(store, &review.question_id, review)
}

/// Drops the review of a question, if any, even an unreadable one.
///
/// # Errors
/// The store cannot be written.
pub fn drop(store: &Store, id: &QuestionId) -> Result<()> {
    QUEUE.drop(store, id)
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
