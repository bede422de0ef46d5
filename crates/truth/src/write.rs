//! The outcome of a reading: written, unchanged, kept pending or refused; and how a pending reading is accepted. Nothing stored
//! is overwritten unless asked for.

use jiff::Timestamp;

use super::batch::Batch;
use super::changes::{RowChange, changes};
use super::checks::{Check, CheckOutcome};
use super::commit::{self, CommitRun, Reason};
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

/// What became of a reading or an imported record in the store. The words of a command's report about a whole question are its
/// own, and so are those of a line of `checks.jsonl`: both are derived from this.
#[derive(Debug, Clone, PartialEq)]
pub enum WriteOutcome {
    /// There was no record, and now there is one.
    Written,
    /// The same values. Nothing was touched but `checks.jsonl`.
    Unchanged,
    /// The same values from a stronger source: the record now says so, and keeps its values and time.
    Strengthened,
    /// Other values: they wait for a person.
    Pending {
        /// What differs.
        changes: Vec<RowChange>,
        /// They come from a weaker source than the truth: the page should be checked.
        suspect: bool,
    },
    /// Other values, forced in; what they replaced is in the changelog.
    Forced(Vec<RowChange>),
    /// Other values, imported and found before the record was last looked at: they are left out.
    Older(Vec<RowChange>),
    /// A failed or partial check, one dated before what is known already, or an import without a value: neither truth nor change.
    Refused(String),
}

impl WriteOutcome {
    /// What values come to beside those that are stored, where nobody forces them in.
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
/// An absent record is written; an equal one (by `same`, not by text) is left alone; a differing one is
/// left alone too and the reading kept pending, unless `force` says why not. A reading in which
/// something could not be read is refused, and so is one by a clock that went back. A look that wrote nothing leaves a line
/// in `checks.jsonl`. All of it is written at once.
///
/// # Errors
/// When the store cannot be written, or the reading is of another site or question.
pub fn file_reading(
    store: &Store,
    new: &Record,
    provenance: &Provenance,
    force: Option<&Reason>,
    now: Timestamp,
) -> Result<WriteOutcome> {
    let mut batch = store.batch()?;
    let id = &new.question_id;
    let stored = store.load(id)?;
    if new.site != store.site() {
        let message = format!("holds the {} site; this reading is of the {} site", store.site(), new.site);
        return Err(Error::Store { path: store.dir().to_owned(), message });
    }
    if let Some(why) = stored.as_ref().and_then(|stored| before_last(id, stored.last_read(), now)) {
        return Ok(WriteOutcome::Refused(why));
    }
    let look = |outcome, detail: Option<String>| {
        let site_vintage = provenance.site_vintage().map(str::to_owned);
        Check { timestamp: now, question_id: id.clone(), outcome, detail, site_vintage }
    };
    if let Some(why) = unusable(new) {
        batch.check(&look(CheckOutcome::Failed, Some(why.clone())))?;
        batch.write()?;
        return Ok(WriteOutcome::Refused(why));
    }
    if strength(new, Some(provenance)) >= Strength::PageResponse {
        // the page was read after all
        review::QUEUE.put::<()>(&mut batch, id, None)?;
    }
    let Some(stored) = stored else {
        batch.record(new, provenance)?;
        pending::QUEUE.put::<()>(&mut batch, id, None)?;
        batch.write()?;
        return Ok(WriteOutcome::Written);
    };
    let outcome = WriteOutcome::of(&stored, new, provenance);
    let WriteOutcome::Pending { changes, suspect } = outcome else {
        if outcome == WriteOutcome::Strengthened {
            batch.record(&strengthened(&stored, new), provenance)?;
        }
        if is_settled(store, id, new, provenance)? {
            pending::QUEUE.put::<()>(&mut batch, id, None)?;
        }
        batch.check(&look(CheckOutcome::Unchanged, None))?;
        batch.write()?;
        return Ok(outcome);
    };
    if let Some(reason) = force {
        let reading = waiting(new, provenance, false, &stored, now);
        pending::QUEUE.put(&mut batch, id, Some(&reading))?;
        batch.write()?;
        accept(store, id, &|_| true, Some(reason), now)?;
        return Ok(WriteOutcome::Forced(changes));
    }
    keep_pending(store, &mut batch, &waiting(new, provenance, suspect, &stored, now))?;
    batch.check(&look(if suspect { CheckOutcome::Suspect } else { CheckOutcome::Differs }, None))?;
    batch.write()?;
    Ok(WriteOutcome::Pending { changes, suspect })
}

/// Takes the chosen fields of a pending reading into the truth; the rest stays pending. What is
/// replaced goes to the changelog. `None` when nothing waits.
///
/// # Errors
/// When the store cannot be written, or when the reading comes from a weaker source than the truth and no
/// reason is given.
pub fn accept(
    store: &Store,
    id: &QuestionId,
    chosen: &dyn Fn(&str) -> bool,
    force: Option<&Reason>,
    now: Timestamp,
) -> Result<Option<Vec<RowChange>>> {
    store.writable()?;
    if pending::load(store, id)?.is_none() {
        return Ok(None);
    }
    let prepared = commit::prepare(store, id, &|change, _| chosen(&change.field), force)?;
    let Some(prepared) = prepared else { return Ok(Some(Vec::new())) };
    let taken = prepared.taken.iter().map(|taken| taken.change.clone()).collect();
    commit::commit(store, &[prepared], &CommitRun { id: "by hand".to_owned(), now, by: None })?;
    Ok(Some(taken))
}

/// Takes a review all of whose values a person accepted into the truth; what is replaced goes to the changelog. Nothing
/// changes where the record says so already: it says from now on that a person confirmed it.
///
/// # Errors
/// When the store cannot be written, a value is not accepted yet, or the record has changed since.
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
        review.accepted().ok_or_else(|| refused("not every value of it is accepted yet"))?;
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

/// Why a reading cannot be the truth.
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

/// Whether a look that confirms the truth settles what waits: a reading of a source that is no stronger.
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

/// Keeps a reading, unless a stronger one or the very same already waits and still counts.
pub(super) fn keep_pending(store: &Store, batch: &mut Batch<'_>, new: &Pending) -> Result<()> {
    if waits(store, &new.record, &new.provenance, new.base.as_ref())? {
        return Ok(());
    }
    pending::QUEUE.put(batch, &new.question_id, Some(new))
}

/// Whether [`file_reading`] would keep anything of a reading: then its evidence has to be there first.
///
/// A reading that says what the record says is kept only as the stronger source, and one that differs only while
/// neither the very same nor a stronger one waits; none is kept by a clock that went back.
///
/// # Errors
/// When the store cannot be read.
pub fn is_kept(store: &Store, new: &Record, provenance: &Provenance) -> Result<bool> {
    if unusable(new).is_some() {
        return Ok(false);
    }
    let Some(stored) = store.load(&new.question_id)? else { return Ok(true) };
    if before_last(&new.question_id, stored.last_read(), new.execution_timestamp).is_some() {
        return Ok(false);
    }
    Ok(match WriteOutcome::of(&stored, new, provenance) {
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

/// Whether a reading that says the same becomes the source of the record: as the stronger one, or because it has the
/// evidence that an imported record lacks.
fn takes_over(stored: &Stored, new: &Record, provenance: &Provenance) -> bool {
    let (before, after) = (stored.strength(), strength(new, Some(provenance)));
    let is_imported = stored.provenance.as_ref().is_some_and(Provenance::is_imported);
    after > before || (after == before && is_imported && !provenance.is_imported())
}

/// The stored values and time, with the stronger source's name.
pub(super) fn strengthened(stored: &Stored, new: &Record) -> Record {
    Record { source_method: new.source_method, atlas_url: new.atlas_url.clone(), ..stored.record.clone() }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
