//! Files a reading: written, unchanged, pending or refused; and accepts pending readings. Nothing stored is overwritten
//! unless asked for.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::batch::Batch;
use super::changes::{RowChange, changes};
use super::checks::{Check, CheckOutcome};
use super::commit::{self, CommitRun, Reason, last_entries, read_again};
use super::judged::{self, DecidedOn};
use super::pending::{self, Pending};
pub(crate) use super::precedence::weakens;
pub use super::precedence::{Strength, strength};
use super::provenance::{Provenance, Stored};
use super::record::Record;
use super::review::{self, Review};
use super::store::Store;
use super::time_order::{before_last, last_read};
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

/// The outcome of a reading or an imported record in the store. The words in a command's report, and those in
/// `checks.jsonl`, are derived from it.
#[derive(Debug, Clone, PartialEq)]
pub enum WriteOutcome {
    /// A new record was written.
    Written,
    /// The same values. Only `checks.jsonl` changed.
    Unchanged,
    /// The same values from a stronger source, or replacing lost evidence. The record's source changed, but not its
    /// values and time.
    Strengthened,
    /// Different values: they wait for a person.
    Pending {
        /// The differences.
        changes: Vec<RowChange>,
        /// Whether they come from a weaker source than the truth, so that the page should be checked.
        suspect: bool,
    },
    /// Different imported values, read before the last check of the record: they are skipped.
    Older(Vec<RowChange>),
    /// A failed or partial reading, one dated before the last known event, or an import without values.
    Refused(String),
}

impl WriteOutcome {
    /// The outcome of values compared with the stored ones.
    pub(super) fn of(stored: &Stored, new: &Record, provenance: &Provenance) -> Self {
        let changes = changes(&stored.record.results.data, &new.results.data);
        if changes.is_empty() {
            return if takes_over(stored, new, provenance) { Self::Strengthened } else { Self::Unchanged };
        }
        let suspect = weakens(stored, new, provenance, &changes);
        Self::Pending { changes, suspect }
    }
}

/// Files a reading of one question.
///
/// A new record is written. An equal record (by `same`, not by text) is left alone. A different one is also left
/// alone, and the reading stays pending. A reading is refused if values are missing or the clock went back. A check
/// that writes nothing else adds a line to `checks.jsonl`. The write is atomic.
///
/// # Errors
/// The store cannot be written, or the reading belongs to another site or question.
pub fn file_reading(
    store: &Store,
    new: &Record,
    provenance: &Provenance,
    now: Timestamp,
) -> Result<WriteOutcome> {
    let mut batch = store.batch()?;
    let id = &new.question_id;
    let stored = store.load(id)?;
    if new.site != store.site() {
        let message =
            format!("holds the {} site, but this reading is of the {} site", store.site(), new.site);
        return Err(Error::Store { path: store.dir().to_owned(), message });
    }
    if let Some(why) = stored.as_ref().and_then(|stored| before_last(id, stored.last_read(), now)) {
        return Ok(WriteOutcome::Refused(why));
    }
    let check = |outcome, detail: Option<String>| {
        let site_vintage = provenance.site_vintage().map(str::to_owned);
        Check { timestamp: now, question_id: id.clone(), outcome, detail, site_vintage }
    };
    if let Some(why) = unusable(new) {
        batch.check(&check(CheckOutcome::Failed, Some(why.clone())))?;
        batch.write()?;
        return Ok(WriteOutcome::Refused(why));
    }
    if strength(new, Some(provenance)) >= Strength::PageResponse {
        // The page was read after all, so no review is needed.
        review::QUEUE.put::<()>(&mut batch, id, None)?;
    }
    let Some(stored) = stored else {
        let last = last_entries(store, id)?;
        let newest = last.iter().map(|entry| entry.line.timestamp).max();
        if let Some(why) = newest.and_then(|newest| before_last(id, newest, now)) {
            return Ok(WriteOutcome::Refused(why));
        }
        for entry in read_again(last, new, provenance, &CommitRun { id: String::new(), now, by: None }) {
            batch.entry(&entry)?;
        }
        batch.record(new, provenance)?;
        pending::QUEUE.put::<()>(&mut batch, id, None)?;
        batch.write()?;
        return Ok(WriteOutcome::Written);
    };
    let outcome = outcome_of(store, &stored, new, provenance);
    let WriteOutcome::Pending { changes, suspect } = outcome else {
        if outcome == WriteOutcome::Strengthened {
            batch.record(&strengthened(&stored, new), provenance)?;
        }
        if is_settled(store, id, new, provenance)? {
            pending::QUEUE.put::<()>(&mut batch, id, None)?;
        }
        batch.check(&check(CheckOutcome::Unchanged, None))?;
        batch.write()?;
        return Ok(outcome);
    };
    keep_pending(store, &mut batch, &waiting(new, provenance, suspect, &stored, now))?;
    batch.check(&check(if suspect { CheckOutcome::Suspect } else { CheckOutcome::Differs }, None))?;
    batch.write()?;
    Ok(WriteOutcome::Pending { changes, suspect })
}

/// Commits a review whose values a person has all accepted. Replaced values go to the changelog. If the record already
/// has these values, only its provenance changes: a person confirmed it.
///
/// # Errors
/// The store cannot be written, a value is not accepted yet, or the record has changed since.
pub fn accept_reviewed(store: &Store, review: &Review, run: &CommitRun) -> Result<Vec<RowChange>> {
    store.writable()?;
    let id = &review.question_id;
    let refused =
        |what: &str| Error::Store { path: store.dir().to_owned(), message: format!("question {id}: {what}") };
    let stored = store.load(id)?;
    if review.base.as_ref() != stored.as_ref().map(|stored| &stored.hash) {
        return Err(refused(
            "the record has changed since the page was read: reject the review and collect again",
        ));
    }
    let (accepted, why) =
        review.accepted().ok_or_else(|| refused("not all of its values are accepted yet"))?;
    let why = Reason::new(&why).ok_or_else(|| refused("no reason is given"))?;
    if let Some(prepared) = commit::prepare_reviewed(store, review, accepted.clone(), &why)? {
        let taken = prepared.taken.iter().map(|taken| taken.change.clone()).collect();
        commit::commit(store, &[prepared], run)?;
        return Ok(taken);
    }
    let mut batch = store.batch()?;
    if let Some(stored) = stored {
        let last = stored.last_read().max(last_read(&accepted.record, Some(&accepted.provenance)));
        if let Some(why) = before_last(id, last, run.now) {
            return Err(Error::Usage(why));
        }
        let written = batch.record(&strengthened(&stored, &accepted.record), &accepted.provenance)?;
        judged::put(store, &mut batch, DecidedOn::Review(review.clone()), Some(written), Some(&stored))?;
    }
    review::QUEUE.put::<()>(&mut batch, id, None)?;
    batch.write()?;
    Ok(Vec::new())
}

/// Why a reading cannot become the truth.
fn unusable(new: &Record) -> Option<String> {
    let rows = &new.results.data;
    let failed: Vec<String> = rows.iter().filter(|row| row.is_failed()).map(super::Row::field).collect();
    if rows.is_empty() {
        Some("nothing was read".to_owned())
    } else if failed.is_empty() {
        None
    } else {
        Some(format!("could not be read: {}", failed.join(", ")))
    }
}

/// Whether a reading that confirms the truth settles the pending one, which must come from a source that is no
/// stronger.
fn is_settled(store: &Store, id: &QuestionId, new: &Record, provenance: &Provenance) -> Result<bool> {
    let confirmed = strength(new, Some(provenance));
    let is_no_stronger = |waiting: Pending| strength(&waiting.record, Some(&waiting.provenance)) <= confirmed;
    Ok(pending::load(store, id)?.is_some_and(is_no_stronger))
}

pub(super) fn waiting(
    new: &Record,
    provenance: &Provenance,
    suspect: bool,
    stored: &Stored,
    now: Timestamp,
) -> Pending {
    Pending {
        question_id: new.question_id.clone(),
        seen_at: now,
        suspect,
        base: Some(stored.hash.clone()),
        record: new.clone(),
        provenance: provenance.clone(),
    }
}

/// Keeps a reading pending, unless a stronger one or the same one is already pending and has not expired.
pub(super) fn keep_pending(store: &Store, batch: &mut Batch<'_>, new: &Pending) -> Result<()> {
    if waits(store, &new.record, &new.provenance, new.base.as_ref())? {
        return Ok(());
    }
    pending::QUEUE.put(batch, &new.question_id, Some(new))
}

/// Whether [`file_reading`] would store anything of a reading. Its evidence must be stored first then.
///
/// An equal reading is stored only if it becomes the record's source or replaces lost evidence. A different one is
/// stored unless the same or a stronger one is pending. Nothing is stored if the clock went back.
///
/// # Errors
/// The store cannot be read.
pub fn is_kept(store: &Store, new: &Record, provenance: &Provenance) -> Result<bool> {
    if unusable(new).is_some() {
        return Ok(false);
    }
    let Some(stored) = store.load(&new.question_id)? else { return Ok(true) };
    if before_last(&new.question_id, stored.last_read(), new.execution_timestamp).is_some() {
        return Ok(false);
    }
    Ok(match outcome_of(store, &stored, new, provenance) {
        WriteOutcome::Strengthened => true,
        WriteOutcome::Unchanged => false,
        _ => !waits(store, new, provenance, Some(&stored.hash))?,
    })
}

pub(super) fn waits(
    store: &Store,
    new: &Record,
    provenance: &Provenance,
    base: Option<&Hash>,
) -> Result<bool> {
    let Some(old) = pending::load(store, &new.question_id)? else { return Ok(false) };
    let before = strength(&old.record, Some(&old.provenance));
    let after = strength(new, Some(provenance));
    let is_same = changes(&old.record.results.data, &new.results.data).is_empty();
    let counts = old.base.is_none() || old.base.as_ref() == base;
    let of_this_release = match (old.provenance.site_vintage(), provenance.site_vintage()) {
        (Some(old), Some(new)) => old == new,
        _ => true,
    };
    Ok(counts && of_this_release && (before > after || (before == after && is_same)))
}

/// The outcome of a reading compared with the stored record. An equal one replaces lost evidence.
fn outcome_of(store: &Store, stored: &Stored, new: &Record, provenance: &Provenance) -> WriteOutcome {
    let is_lost = || {
        let is_gone = |hash: &Hash| !store.holds_evidence(hash);
        let known: BTreeSet<&Hash> = stored.provenance.iter().flat_map(Provenance::evidence).collect();
        strength(new, Some(provenance)) >= stored.strength() && known.into_iter().any(is_gone)
    };
    match WriteOutcome::of(stored, new, provenance) {
        WriteOutcome::Unchanged if is_lost() => WriteOutcome::Strengthened,
        outcome => outcome,
    }
}

/// Whether an equal reading becomes the record's source: because it is stronger, or because it has the evidence that an
/// imported record lacks.
fn takes_over(stored: &Stored, new: &Record, provenance: &Provenance) -> bool {
    let (before, after) = (stored.strength(), strength(new, Some(provenance)));
    let is_imported = stored.provenance.as_ref().is_some_and(Provenance::is_imported);
    after > before || (after == before && is_imported && !provenance.is_imported())
}

/// The stored record with the new source.
pub(super) fn strengthened(stored: &Stored, new: &Record) -> Record {
    Record { source_method: new.source_method, atlas_url: new.atlas_url.clone(), ..stored.record.clone() }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
