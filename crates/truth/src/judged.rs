//! The last decision of a person on a question, with what it replaced: `judged/{question_id}.json`. It can be undone,
//! and then the one before it, until the record is written again. The review holds what was said, the changelog what
//! was written.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::files::whole_seconds;
use super::pending::Pending;
use super::provenance::{Provenance, Stored};
use super::quarantine::unreadable;
use super::queue::Queue;
use super::record::{Record, Site};
use super::review::Review;
use super::store::Store;
use crate::error::Result;
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

/// A decision that was carried out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Judged {
    /// Hash of the record after the decision; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Hash>,
    /// What the decision is about.
    #[serde(flatten)]
    pub decided: DecidedOn,
    /// The replaced record; `None` if there was none, or if it did not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    /// Earlier decisions that can be undone after this one, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Self>,
}

/// What a decision is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedOn {
    /// Values under review, with what was accepted.
    Review(Review),
    /// Pending changes.
    Change(DecidedChange),
}

/// Changes that were accepted or discarded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DecidedChange {
    /// The run that decided.
    pub run: String,
    /// When, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub at: Timestamp,
    /// Who decided; `None` if an older version did not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Whether they were accepted.
    pub accepted: bool,
    /// Their fields.
    pub fields: Vec<String>,
    /// The pending reading before the decision.
    pub reading: Pending,
}

/// A record before a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Before {
    /// The record.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

pub(super) const QUEUE: Queue = Queue { folder: "judged", drop: "review undo" };

/// The last decision on a question.
///
/// # Errors
/// It cannot be read, or belongs to another question or site.
pub fn load(store: &Store, id: &QuestionId) -> Result<Option<Judged>> {
    QUEUE.load(store, id, &Judged::owner).map_err(unreadable)
}

/// The questions with a decision, in order.
///
/// # Errors
/// The folder cannot be read.
pub fn ids(store: &Store) -> Result<Vec<QuestionId>> {
    QUEUE.ids(store)
}

impl Judged {
    pub(super) fn owner(&self) -> (QuestionId, Site) {
        match &self.decided {
            DecidedOn::Review(review) => (review.question_id.clone(), review.record.site),
            DecidedOn::Change(change) => (change.reading.question_id.clone(), change.reading.record.site),
        }
    }

    /// Whether it wrote a record. Discarding writes none.
    pub(super) const fn wrote(&self) -> bool {
        !matches!(&self.decided, DecidedOn::Change(DecidedChange { accepted: false, .. }))
    }

    /// Whether the record is unchanged since the decision.
    #[must_use]
    pub fn is_last(&self, stored: Option<&Stored>) -> bool {
        self.written.as_ref() == stored.map(|stored| &stored.hash)
    }

    /// The decisions on changes that can be undone, oldest first.
    pub(super) fn on_changes(&self) -> impl Iterator<Item = &DecidedChange> {
        self.earlier.iter().chain([self]).filter_map(|one| match &one.decided {
            DecidedOn::Change(change) => Some(change),
            DecidedOn::Review(_) => None,
        })
    }

    /// The captures and screenshots it refers to.
    pub fn evidence(&self) -> impl Iterator<Item = &Hash> {
        let all = self.earlier.iter().chain([self]);
        let before = all.clone().flat_map(|one| &one.before).flat_map(|before| before.provenance.evidence());
        let decided = all.flat_map(|one| -> Box<dyn Iterator<Item = &Hash>> {
            match &one.decided {
                DecidedOn::Review(review) => Box::new(review.evidence()),
                DecidedOn::Change(change) => Box::new(change.reading.provenance.evidence()),
            }
        });
        before.chain(decided)
    }
}

/// Stores a decision with the record it replaced. A replaced record without provenance cannot be restored, so the
/// decision is not stored then.
pub(super) fn put(
    store: &Store,
    batch: &mut Batch<'_>,
    decided: DecidedOn,
    written: Option<Hash>,
    replaced: Option<&Stored>,
) -> Result<()> {
    let mut judged = Judged { written, decided, before: None, earlier: Vec::new() };
    let id = judged.owner().0;
    if let Some(Stored { record, provenance, .. }) = replaced.filter(|_| judged.wrote()) {
        let Some(provenance) = provenance.clone() else { return QUEUE.put::<()>(batch, &id, None) };
        judged.before = Some(Before { record: record.clone(), provenance });
    }
    if let Ok(Some(mut last)) = load(store, &id)
        && last.is_last(replaced)
    {
        judged.earlier = std::mem::take(&mut last.earlier);
        judged.earlier.push(last);
    }
    QUEUE.put(batch, &id, Some(&judged))
}

/// A run that decided on changes and can be undone.
#[derive(Debug, Clone, PartialEq)]
pub struct DecidedRun {
    /// Its name.
    pub run: String,
    /// When.
    pub at: Timestamp,
    /// Who decided, if known.
    pub by: Option<String>,
    /// Whether the changes were accepted.
    pub accepted: bool,
    /// The fields of each question.
    pub fields: BTreeMap<QuestionId, Vec<String>>,
}

/// The runs whose decisions on changes can be undone, latest first.
///
/// # Errors
/// The folder cannot be read.
pub fn runs(store: &Store) -> Result<Vec<DecidedRun>> {
    let mut runs: Vec<DecidedRun> = Vec::new();
    for id in ids(store)? {
        let Ok(Some(judged)) = load(store, &id) else { continue };
        let DecidedOn::Change(change) = &judged.decided else { continue };
        if !judged.is_last(store.load(&id).ok().flatten().as_ref()) {
            continue;
        }
        let known = runs.iter_mut().find(|one| one.run == change.run && one.at == change.at);
        match known {
            Some(known) => drop(known.fields.insert(id, change.fields.clone())),
            None => runs.push(DecidedRun {
                run: change.run.clone(),
                at: change.at,
                by: change.by.clone(),
                accepted: change.accepted,
                fields: [(id, change.fields.clone())].into(),
            }),
        }
    }
    runs.sort_by(|one, other| (other.at, &other.run).cmp(&(one.at, &one.run)));
    Ok(runs)
}
