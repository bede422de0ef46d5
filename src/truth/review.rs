//! Values that a response holds though nothing on the page was found to show them: `review/{question_id}.json`. They are
//! no truth, score nothing and replace nothing until a person accepts them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::changes::changes;
use super::files::whole_seconds;
use super::pending::Pending;
use super::provenance::{Provenance, Stored};
use super::queue::Queue;
use super::record::{Record, Row, SourceMethod};
use super::store::Store;
use crate::atlas::{AtlasUrl, Page};
use crate::error::Result;
use crate::evidence::{Agreement, Channel, Hash};
use crate::manifest::QuestionId;

/// What is to be done with a value under review.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// A person has to accept or reject it.
    #[default]
    Needed,
}

/// A question whose displayed value was not found, with what the response behind it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The question.
    pub question_id: QuestionId,
    /// What is to be done.
    pub review: ReviewState,
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
    /// The record that it would become.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

/// One value that was not found on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// Its field in the record.
    pub field: String,
    /// What the response says, as the page would show it.
    pub response_value: String,
    /// Where the response says it.
    pub source: String,
    /// What was looked for on the page, and why it was not found.
    pub looked_for: String,
}

impl Review {
    /// The captures and pictures that it refers to.
    pub fn evidence(&self) -> impl Iterator<Item = &Hash> {
        [&self.capture].into_iter().chain(&self.picture).chain(self.provenance.evidence())
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
        let one =
            |missing: &Missing| format!("{}: the response holds {}", missing.field, missing.response_value);
        self.missing.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    /// The reading that a person made of it by accepting it.
    pub(super) fn accepted(&self, why: &str) -> Pending {
        let mut provenance = self.provenance.clone();
        for point in provenance.points.iter_mut().filter(|one| one.agreement == Some(Agreement::NotDisplayed))
        {
            point.channel = Channel::Person;
            point.agreement = Some(Agreement::Agrees);
            point.agreement_reason = Some(format!("a person accepted what the response holds: {why}"));
            point.screenshot.clone_from(&self.picture);
        }
        let source_method = match AtlasUrl::parse(&self.record.atlas_url).map(|parsed| parsed.url.page) {
            Ok(Page::Explore(_)) => SourceMethod::BrowserExplorePage,
            _ => SourceMethod::BrowserCountryPage,
        };
        Pending {
            question_id: self.question_id.clone(),
            seen_at: self.seen_at,
            suspect: false,
            base: self.base.clone(),
            record: Record { source_method, ..self.record.clone() },
            provenance,
        }
    }
}

pub(super) const QUEUE: Queue = Queue { folder: "review" };

/// What is under review for a question.
///
/// # Errors
/// When it is damaged.
pub fn load(store: &Store, id: &QuestionId) -> Result<Option<Review>> {
    QUEUE.load(store, id)
}

/// The questions that something is under review for, in order.
///
/// # Errors
/// When the folder cannot be read.
pub fn ids(store: &Store) -> Result<Vec<QuestionId>> {
    QUEUE.ids(store)
}

/// Whether [`save`] would write it: not what the record says already, nor what is under review already.
///
/// # Errors
/// When the store cannot be read.
pub fn is_new(store: &Store, review: &Review) -> Result<bool> {
    if review.is_known(store.load(&review.question_id)?.as_ref()) {
        return Ok(false);
    }
    let rows = |review: &Review| -> Vec<Row> { review.record.results.data.clone() };
    Ok(load(store, &review.question_id)?
        .is_none_or(|known| known.base != review.base || !changes(&rows(&known), &rows(review)).is_empty()))
}

/// Keeps a value for review. Its evidence has to be there first.
///
/// # Errors
/// When the store cannot be written.
pub fn save(store: &Store, review: &Review) -> Result<()> {
    if is_new(store, review)? { QUEUE.save(store, &review.question_id, review) } else { Ok(()) }
}

/// Drops what is under review for a question, if anything is.
///
/// # Errors
/// When the store cannot be written.
pub fn drop(store: &Store, id: &QuestionId) -> Result<()> {
    QUEUE.drop(store, id)
}
