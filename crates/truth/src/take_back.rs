//! Undoes decisions of a person: the subject waits again, and a record that was written is restored.

use std::collections::BTreeMap;

use super::batch::Batch;
use super::changelog::TAKEN_BACK;
use super::changes::RowChange;
use super::commit::{self, CommitRun};
use super::judged::{self, DecidedChange, DecidedOn, Judged, load, runs};
use super::pending;
use super::provenance::Person;
use super::review::{self, Accepted, AcceptedField, Review, ReviewState, TakenBack};
use super::store::Store;
use crate::error::{Error, Result};
use atlas_gt_core::question_id::QuestionId;

/// Undoes the last verdict of a review: the question awaits review again, and a record that was written is restored.
///
/// # Errors
/// There is no verdict, another reading is pending, or the record has been written since; or the store cannot be
/// written.
pub fn take_back(store: &Store, id: &QuestionId, person: &Person, run: &CommitRun) -> Result<Vec<RowChange>> {
    store.writable()?;
    let last = match load(store, id) {
        Err(Error::Record { .. }) => {
            judged::QUEUE.drop(store, id)?;
            return Err(refused(id, "the stored decision cannot be read and was dropped"));
        }
        last => last?,
    };
    let mut batch = store.batch()?;
    if let Some(review) = review::load(store, id)? {
        let reopened = reopened(review, person).ok_or_else(|| refused(id, "there is no verdict to undo"))?;
        review::QUEUE.put(&mut batch, id, Some(&reopened))?;
        batch.write()?;
        return Ok(Vec::new());
    }
    let nothing = "there is no verdict to undo, or a later reading of the page replaced it";
    let last = last.ok_or_else(|| refused(id, nothing))?;
    if matches!(last.decided, DecidedOn::Change(_)) {
        let undo = store.command("refresh --undo");
        return Err(refused(id, &format!("the last decision was on a change: undo it with `{undo}`")));
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
    judged::QUEUE.put(batch, &id, before.as_ref())?;
    Ok(changes)
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
#[path = "take_back_tests.rs"]
mod tests;
