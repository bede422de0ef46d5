//! Values that wait for a person: `review/{question_id}.json`. Nothing on the page was found to show them, though a response
//! may hold them. They are no truth, score nothing and replace nothing until a person accepts them.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::changes::changes;
use super::files::whole_seconds;
use super::judged::TakenBack;
use super::pending::Pending;
pub use super::precedence::Strength;
use super::provenance::{Person, PointProvenance, Provenance, Stored};
use super::quarantine::unreadable;
use super::queue::Queue;
use super::record::{Record, Row};
use super::store::Store;
use crate::atlas::{AtlasUrl, SitePage};
use crate::error::Result;
use crate::picture::Area;
use crate::value::{AnswerField, Interval};
use atlas_gt_core::evidence::{Agreement, Channel, Hash};
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::source::SourceMethod;

/// The state of a question under review.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// A person has to accept or reject it.
    #[default]
    Needed,
    /// A person rejected it. It is kept so that the same reading does not come back.
    Rejected,
    /// A person accepted it as an input of a question, whose answer is put together when it is collected again.
    Accepted,
}

/// A question with values that a person has to judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Review {
    /// The question.
    pub question_id: QuestionId,
    /// The question that it is an input of, where it answers none itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_of: Option<QuestionId>,
    /// What is to be done.
    pub review: ReviewState,
    /// Who rejected it, when and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Person>,
    /// Verdicts that were taken back, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakenBack>,
    /// When it was first seen; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub seen_at: Timestamp,
    /// The values that were not found.
    pub missing: Vec<Missing>,
    /// Hash of the record at that time, where there was one: the review expires when the record is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Hash>,
    /// The page as it was read.
    pub capture: Hash,
    /// A picture of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Hash>,
    /// The record that it would become. A row that no response gives a value for has none yet.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

/// One value that was not found on the page. Its metric, unit and year are in the row of the record, its rule and context
/// in the provenance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Missing {
    /// Its field in the record.
    pub field: String,
    /// What the response says, as the page would show it; none where no response holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_value: Option<String>,
    /// Where the response says it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// What was looked for on the page, and why it was not found.
    pub looked_for: String,
    /// What a person looks for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// What the page says around it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub seen: String,
    /// The vocabulary of its word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<String>,
    /// The key of the name that a person reads with the value: `product`, `partner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// The part of the picture that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    /// That part as a picture of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<Hash>,
    /// What a text recognition program reads on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Suggestion>,
    /// What a person accepted, while other values of the question still wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
}

/// What a program reads on a picture: a suggestion for a person, never a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Suggestion {
    /// The text.
    pub text: String,
    /// How sure it is, in per cent, by its own account.
    pub confidence: f32,
}

/// A value that a person accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Accepted {
    /// What was read on the picture; none where the response's value was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadValue>,
    /// Who, when and why.
    pub person: Person,
}

/// A value as a person read it on a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ReadValue {
    /// The name beside it, where that is read too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The text, in its canonical form.
    pub value: String,
    /// The number that it stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Decimal>,
    /// The numbers that it may stand for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

impl Missing {
    /// In one line: `gdp_per_capita: the response holds $2,350`.
    #[must_use]
    pub fn summary(&self) -> String {
        match &self.response_value {
            Some(value) => format!("{}: the response holds {value}", self.field),
            None => format!("{}: no response holds it", self.field),
        }
    }
}

impl Review {
    /// Whether a person still has to judge it.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.review == ReviewState::Needed
    }

    /// The question that it is for.
    #[must_use]
    pub fn question(&self) -> &QuestionId {
        self.input_of.as_ref().unwrap_or(&self.question_id)
    }

    /// The captures and pictures that it refers to.
    pub fn evidence(&self) -> impl Iterator<Item = &Hash> {
        let crops = self.missing.iter().filter_map(|missing| missing.crop.as_ref());
        [&self.capture].into_iter().chain(&self.picture).chain(crops).chain(self.provenance.evidence())
    }

    /// The row of a value, and how it was read.
    #[must_use]
    pub fn row(&self, missing: &Missing) -> Option<(&Row, &PointProvenance)> {
        let row = self.record.results.data.iter().find(|row| row.field() == missing.field)?;
        Some((row, self.provenance.of(row)?))
    }

    /// Whether a record says already what would become of it.
    #[must_use]
    pub fn is_known(&self, stored: Option<&Stored>) -> bool {
        stored
            .is_some_and(|stored| changes(&stored.record.results.data, &self.record.results.data).is_empty())
    }

    /// In one line: `gdp_per_capita: the response holds $2,350`.
    #[must_use]
    pub fn summary(&self) -> String {
        self.missing.iter().map(Missing::summary).collect::<Vec<_>>().join("; ")
    }

    /// Whether another look at the page came to the same: the same values wait, with the same responses, contexts and
    /// words around them.
    fn is_same_reading(&self, other: &Self) -> bool {
        let of = |review: &Self| -> Vec<_> {
            let one = |missing: &Missing| {
                let context = review.row(missing).map(|(_, point)| point.context.clone());
                // where a response holds the value, that is what waits
                let seen = missing.response_value.is_none().then(|| missing.seen.clone());
                (missing.field.clone(), missing.response_value.clone(), seen, context)
            };
            review.missing.iter().map(one).collect()
        };
        changes(&self.rows_with_values(), &other.rows_with_values()).is_empty() && of(self) == of(other)
    }

    /// The rows but for those that no value is known of yet.
    fn rows_with_values(&self) -> Vec<Row> {
        let open = |row: &Row| {
            self.missing.iter().any(|one| one.response_value.is_none() && one.field == row.field())
        };
        self.record.results.data.iter().filter(|row| !open(row)).cloned().collect()
    }

    /// The reading of the page with what a person has judged before in the place of what is missing; none where a value
    /// was never judged, is about something else now, or is contradicted by the response. That nothing displays it is no
    /// reason to doubt it.
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

    /// The reading that a person made of it by accepting every value, and why; none where some value is not accepted.
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

    /// The same reading of an input as a person has accepted it before.
    #[must_use]
    pub fn with_accepted_input(&self, found: &Self) -> Option<(Record, Provenance)> {
        let is_accepted = self.review == ReviewState::Accepted && self.is_same_reading(found);
        self.with_accepted().filter(|_| is_accepted).map(|(record, provenance, _)| (record, provenance))
    }

    /// The reading with what a person accepted, and why; none where some value is not accepted.
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

/// A row and how it was read, once a person has read or accepted its value.
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
        let reason = format!("a person accepted what the response holds: {why}");
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
        Some((true, precise)) => (Agreement::Agrees, format!("{} in the response agrees", precise.number)),
        Some((false, precise)) => (Agreement::PageDisagrees, format!("the response says {}", precise.number)),
        None => (Agreement::Single, "no response was compared".to_owned()),
    };
    let reason = format!("a person read it on the picture: {why}; {beside}");
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

/// Whether a row of a record is the one that a row under review stands for: a person may have named it since.
fn is_row_of(row: &Row, reviewed: &Row) -> bool {
    let is_same = |(key, value)| row.extra.get(key) == Some(value);
    row.field() == reviewed.field()
        || (row.data_point == reviewed.data_point
            && !reviewed.extra.is_empty()
            && reviewed.extra.iter().all(is_same))
}

/// Puts a row and how it was read in the place of those of a field.
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

/// Where a record comes from by its values: its page, unless one of them is the answer of an API.
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

/// What is under review for a question, or was rejected.
///
/// # Errors
/// When it cannot be read, or is of another question or site.
pub fn load(store: &Store, id: &QuestionId) -> Result<Option<Review>> {
    let check = |review: &Review| (review.question_id.clone(), review.record.site);
    QUEUE.load(store, id, &check).map_err(unreadable)
}

/// The questions that something is under review for or was rejected, in order.
///
/// # Errors
/// When the folder cannot be read.
pub fn ids(store: &Store) -> Result<Vec<QuestionId>> {
    QUEUE.ids(store)
}

/// Whether a reading is to be put under review: not what the record says already or a person has judged, nor what is under
/// review or was rejected.
///
/// # Errors
/// When the store cannot be read.
pub fn is_new(store: &Store, review: &Review) -> Result<bool> {
    let stored = store.load(&review.question_id)?;
    if review.is_known(stored.as_ref())
        || stored.as_ref().is_some_and(|stored| review.with_judged(stored).is_some())
    {
        return Ok(false);
    }
    Ok(load(store, &review.question_id)?.is_none_or(|known| {
        // what was rejected stays rejected, whatever became of the record
        (known.is_needed() && known.base != review.base) || !known.is_same_reading(review)
    }))
}

/// Keeps a review as it is now. Its evidence has to be there first.
///
/// # Errors
/// When the store cannot be written.
pub fn save(store: &Store, review: &Review) -> Result<()> {
    QUEUE.save(store, &review.question_id, review)
}

/// Drops what is under review for a question, if anything is, whether it can be read or not.
///
/// # Errors
/// When the store cannot be written.
pub fn drop(store: &Store, id: &QuestionId) -> Result<()> {
    QUEUE.drop(store, id)
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
