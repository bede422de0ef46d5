//! The last decision of a person on a question, with what it replaced: `judged/{question_id}.json`. It can be undone,
//! and then the one before it, until the record is written again. The review holds what was said, the changelog what
//! was written.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::changelog::TAKEN_BACK;
use super::changes::RowChange;
use super::commit::{self, CommitRun};
use super::files::whole_seconds;
use super::pending::{self, Pending};
use super::provenance::{Person, Provenance, Stored};
use super::quarantine::unreadable;
use super::queue::Queue;
use super::record::{Record, Site};
use super::review::{self, Accepted, Review, ReviewState};
use super::store::Store;
use crate::error::{Error, Result};
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
    fn owner(&self) -> (QuestionId, Site) {
        match &self.decided {
            DecidedOn::Review(review) => (review.question_id.clone(), review.record.site),
            DecidedOn::Change(change) => (change.reading.question_id.clone(), change.reading.record.site),
        }
    }

    /// Whether it wrote a record. Discarding writes none.
    const fn wrote(&self) -> bool {
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

/// Undoes the last verdict of a review: the question awaits review again, and a record that was written is restored.
///
/// # Errors
/// There is no verdict, another reading is pending, or the record has been written since; or the store cannot be
/// written.
pub fn take_back(store: &Store, id: &QuestionId, person: &Person, run: &CommitRun) -> Result<Vec<RowChange>> {
    store.writable()?;
    let mut batch = store.batch()?;
    if let Some(review) = review::load(store, id)? {
        let reopened = reopened(review, person).ok_or_else(|| refused(id, "there is no verdict to undo"))?;
        review::QUEUE.put(&mut batch, id, Some(&reopened))?;
        batch.write()?;
        return Ok(Vec::new());
    }
    let last = match load(store, id) {
        Err(Error::Record { .. }) => {
            QUEUE.drop(store, id)?;
            return Err(refused(id, "the stored decision cannot be read and was dropped"));
        }
        last => last?,
    };
    let nothing = "there is no verdict to undo, or a later reading of the page replaced it";
    let last = last.ok_or_else(|| refused(id, nothing))?;
    if matches!(last.decided, DecidedOn::Change(_)) {
        return Err(refused(id, "the last decision was on a change: undo it with `atlas-gt refresh --undo`"));
    }
    let changes = reverse(store, &mut batch, last, person, run)?;
    batch.write()?;
    Ok(changes)
}

fn refused(id: &QuestionId, why: &str) -> Error {
    Error::Usage(format!("question {id}: {why}"))
}

/// Reverses a decision: its subject waits again. Everything is checked before the batch changes.
fn reverse(
    store: &Store,
    batch: &mut Batch<'_>,
    last: Judged,
    person: &Person,
    run: &CommitRun,
) -> Result<Vec<RowChange>> {
    let id = last.owner().0;
    let stored = store.load(&id)?;
    if !last.is_last(stored.as_ref()) {
        let why = "the record has been written since; `history` shows the old value, and a refresh reads the page again";
        return Err(refused(&id, why));
    }
    let stored = stored.filter(|_| last.wrote());
    let Judged { decided, before, mut earlier, .. } = last;
    let why = format!("{TAKEN_BACK}: {}", person.why);
    let revert = |batch: &mut Batch<'_>| match stored {
        Some(stored) => commit::revert(store, batch, stored, before.as_ref(), &why, run),
        None => Ok(Vec::new()),
    };
    let changes = match decided {
        DecidedOn::Review(review) => {
            let reopened =
                reopened(review, person).ok_or_else(|| refused(&id, "there is no verdict to undo"))?;
            let changes = revert(batch)?;
            review::QUEUE.put(batch, &id, Some(&reopened))?;
            changes
        }
        DecidedOn::Change(DecidedChange { reading, .. }) => {
            if pending::load(store, &id)?.is_some_and(|waiting| waiting.seen_at != reading.seen_at) {
                return Err(refused(&id, "another reading is pending since then: decide on that one first"));
            }
            let changes = revert(batch)?;
            pending::QUEUE.put(batch, &id, Some(&reading))?;
            changes
        }
    };
    let before = earlier.pop().map(|before| Judged { earlier, ..before });
    QUEUE.put(batch, &id, before.as_ref())?;
    Ok(changes)
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

/// The result of undoing a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TakenBackRun {
    /// The run.
    pub run: String,
    /// The record changes of each question that is pending again.
    pub questions: BTreeMap<QuestionId, Vec<RowChange>>,
    /// Questions that could not be undone, with the reason.
    pub left: BTreeMap<QuestionId, String>,
}

/// Undoes a run's decisions on changes, as far as possible, atomically: the changes are pending again, and records are
/// restored. Without a name, the last run is undone.
///
/// # Errors
/// There is no such run, nothing of it can be undone, or the store cannot be written.
pub fn take_back_run(
    store: &Store,
    name: Option<&str>,
    chosen: &dyn Fn(&QuestionId) -> bool,
    person: &Person,
    run: &CommitRun,
) -> Result<TakenBackRun> {
    store.writable()?;
    let found = runs(store)?
        .into_iter()
        .find(|one| name.is_none_or(|name| name == one.run) && one.fields.keys().any(chosen));
    let found = found.ok_or_else(|| {
        let which = name.map_or_else(|| "no run".to_owned(), |name| format!("nothing of run {name}"));
        Error::Usage(format!(
            "{which} can be undone: nothing was decided on these questions, or their records have been written since"
        ))
    })?;
    let mut done = TakenBackRun { run: found.run, ..TakenBackRun::default() };
    let mut batch = store.batch()?;
    for id in found.fields.into_keys().filter(chosen) {
        let Some(last) = load(store, &id)? else { continue };
        match reverse(store, &mut batch, last, person, run) {
            Ok(changes) => drop(done.questions.insert(id, changes)),
            Err(Error::Usage(why)) => drop(done.left.insert(id, why)),
            Err(error) => return Err(error),
        }
    }
    if done.questions.is_empty() {
        return Err(Error::Usage(done.left.into_values().collect::<Vec<_>>().join("; ")));
    }
    batch.write()?;
    Ok(done)
}

/// Removes the last verdict from a review and remembers it as undone; `None` if there is no verdict.
fn reopened(mut review: Review, person: &Person) -> Option<Review> {
    let rejected = review.rejected.take();
    let mut accepted = Vec::new();
    if rejected.is_none() {
        let last = review.missing.iter().filter_map(|one| Some(one.accepted.as_ref()?.person.at)).max();
        for missing in &mut review.missing {
            let is_last = |accepted: &mut Accepted| Some(accepted.person.at) == last;
            let taken = missing.accepted.take_if(is_last);
            accepted.extend(taken.map(|accepted| AcceptedField { field: missing.field.clone(), accepted }));
        }
    }
    if rejected.is_none() && accepted.is_empty() {
        return None;
    }
    review.review = ReviewState::Needed;
    review.taken_back.push(TakenBack { person: person.clone(), rejected, accepted });
    Some(review)
}

#[cfg(test)]
#[path = "judged_tests.rs"]
mod tests;
