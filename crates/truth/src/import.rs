//! Imports records of other tools. A record is written only where there is none, never over a stronger or newer one. An
//! import counts as a check only if the other tool reports one, with its time.

use jiff::Timestamp;

use super::archive::{Archived, add_archived};
use super::changes::{RowChange, changes};
use super::checks::{self, Check, Checks};
use super::commit::CommitRun;
use super::files::time_text;
use super::pending;
use super::precedence::weakens;
use super::provenance::{Provenance, Stored};
use super::record::Record;
use super::store::Store;
use super::time_order::last_read;
use super::write::{keep_pending, strengthened, takes_over, waiting};
use crate::error::{Error, Result};

/// A record of another tool, ready to be stored.
#[derive(Debug, Clone)]
pub struct Import {
    /// The values.
    pub record: Record,
    /// The origin of each value.
    pub provenance: Provenance,
    /// The check that the other tool reports.
    pub look: Option<Check>,
    /// Its earlier values.
    pub archived: Vec<Archived>,
}

/// What an import does with a record.
#[derive(Debug, Clone, PartialEq)]
pub enum ImportOutcome {
    /// A new record is written.
    Written,
    /// The same values from a stronger source: the record's source changes.
    Strengthened,
    /// The record already has these values, from a source at least as strong.
    Unchanged,
    /// Different values: they wait for a person.
    Pending {
        /// The differences.
        changes: Vec<RowChange>,
        /// Whether they come from a weaker source than the truth, so that the page should be checked.
        suspect: bool,
    },
    /// Different values, read before the last check of the record: they are skipped.
    Older(Vec<RowChange>),
    /// The record is empty.
    Empty,
}

/// Decides what an import would do, without writing.
///
/// # Errors
/// The stored record is damaged or belongs to another site.
pub fn decide_import(store: &Store, import: &Import, checks: &Checks) -> Result<ImportOutcome> {
    let new = &import.record;
    if new.site != store.site() {
        let message =
            format!("holds {}, but the folder has the {} site: use another store", store.holds(), new.site);
        return Err(Error::Store { path: store.dir().to_owned(), message });
    }
    if new.results.data.is_empty() {
        return Ok(ImportOutcome::Empty);
    }
    let Some(stored) = store.load(&new.question_id)? else { return Ok(ImportOutcome::Written) };
    let found = changes(&stored.record.results.data, &new.results.data);
    if found.is_empty() {
        let is_stronger = takes_over(&stored, new, &import.provenance);
        return Ok(if is_stronger { ImportOutcome::Strengthened } else { ImportOutcome::Unchanged });
    }
    if last_known(&stored, checks) > new.execution_timestamp {
        return Ok(ImportOutcome::Older(found));
    }
    let suspect = weakens(&stored, new, &import.provenance, &found);
    Ok(ImportOutcome::Pending { changes: found, suspect })
}

/// When a record was last read or checked.
fn last_known(stored: &Stored, checks: &Checks) -> Timestamp {
    let good = checks.last_good(&stored.record.question_id);
    good.into_iter().fold(stored.last_read(), Timestamp::max)
}

impl Import {
    /// Why the record is rejected for a time in the future, if so.
    #[must_use]
    pub fn is_of_the_future(&self, now: Timestamp) -> Option<String> {
        let archived = self.archived.iter().map(|one| one.read_at);
        let times = archived.chain(self.look.iter().map(|look| look.timestamp));
        let last = times.fold(last_read(&self.record, Some(&self.provenance)), Timestamp::max);
        (last > now).then(|| {
            format!("says that it was read on {}, but the clock says {}", time_text(last), time_text(now))
        })
    }
}

/// Writes the decided imports. A crash leaves each of them complete or absent, and a repetition only adds what is
/// missing. Returns the numbers of checks and older values added.
///
/// # Errors
/// The store cannot be written.
pub fn file_imports(
    store: &Store,
    imports: &[(&Import, &ImportOutcome)],
    checks: &Checks,
    run: &CommitRun,
) -> Result<(usize, usize)> {
    let mut batch = store.batch()?;
    for (import, outcome) in imports {
        let (new, provenance) = (&import.record, &import.provenance);
        let id = &new.question_id;
        match outcome {
            ImportOutcome::Written => {
                batch.record(new, provenance)?;
                pending::QUEUE.put::<()>(&mut batch, id, None)?;
            }
            ImportOutcome::Strengthened => {
                let stored = store.load(id)?;
                let record = stored.map_or_else(|| new.clone(), |stored| strengthened(&stored, new));
                batch.record(&record, provenance)?;
            }
            ImportOutcome::Pending { suspect, .. } => {
                if let Some(stored) = store.load(id)? {
                    let reading = waiting(new, provenance, *suspect, &stored, run.now);
                    keep_pending(store, &mut batch, &reading)?;
                }
            }
            ImportOutcome::Unchanged | ImportOutcome::Older(_) | ImportOutcome::Empty => {}
        }
    }
    // A check of a different value says nothing about the stored one.
    let is_of_it = |outcome: &ImportOutcome| {
        matches!(outcome, ImportOutcome::Written | ImportOutcome::Strengthened | ImportOutcome::Unchanged)
    };
    let looked = imports.iter().filter(|(_, outcome)| is_of_it(outcome));
    let looks: Vec<Check> = looked.filter_map(|(import, _)| import.look.clone()).collect();
    let looks = checks::add_missing(&mut batch, checks, &looks)?;
    batch.write()?;
    let mut archived = 0;
    for (import, _) in imports.iter().filter(|(import, _)| !import.archived.is_empty()) {
        archived += add_archived(store, &import.record.question_id, &import.archived, run)?;
    }
    Ok((looks, archived))
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
