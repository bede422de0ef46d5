//! Imports records of other tools. A record is written only where there is none, never over a stronger or newer one. An
//! import counts as a check only if the other tool reports one, with its time.

use jiff::Timestamp;

use super::archive::{Archived, add_archived};
use super::checks::{self, Check, Checks};
use super::commit::{CommitRun, last_entries, read_again};
use super::files::time_text;
use super::pending;
use super::provenance::{Provenance, Stored};
use super::record::Record;
use super::store::Store;
use super::time_order::last_read;
use super::write::{WriteOutcome, keep_pending, strengthened, waiting};
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

/// Decides what an import would do, without writing.
///
/// # Errors
/// The stored record is damaged or belongs to another site.
pub fn decide_import(store: &Store, import: &Import, checks: &Checks) -> Result<WriteOutcome> {
    let new = &import.record;
    if new.site != store.site() {
        let message =
            format!("holds {}, but the folder has the {} site: use another store", store.holds(), new.site);
        return Err(Error::Store { path: store.dir().to_owned(), message });
    }
    if new.results.data.is_empty() {
        return Ok(WriteOutcome::Refused("it holds no value".to_owned()));
    }
    let Some(stored) = store.load(&new.question_id)? else { return Ok(WriteOutcome::Written) };
    Ok(match WriteOutcome::of(&stored, new, &import.provenance) {
        WriteOutcome::Pending { changes, .. } if last_known(&stored, checks) > new.execution_timestamp => {
            WriteOutcome::Older(changes)
        }
        outcome => outcome,
    })
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
    imports: &[(&Import, &WriteOutcome)],
    checks: &Checks,
    run: &CommitRun,
) -> Result<(usize, usize)> {
    let mut batch = store.batch()?;
    for (import, outcome) in imports {
        let (new, provenance) = (&import.record, &import.provenance);
        let id = &new.question_id;
        match outcome {
            WriteOutcome::Written => {
                for entry in read_again(last_entries(store, id)?, new, provenance, run) {
                    batch.entry(&entry)?;
                }
                batch.record(new, provenance)?;
                pending::QUEUE.put::<()>(&mut batch, id, None)?;
            }
            WriteOutcome::Strengthened => {
                let stored = store.load(id)?;
                let record = stored.map_or_else(|| new.clone(), |stored| strengthened(&stored, new));
                batch.record(&record, provenance)?;
            }
            WriteOutcome::Pending { suspect, .. } => {
                if let Some(stored) = store.load(id)? {
                    let reading = waiting(new, provenance, *suspect, &stored, run.now);
                    keep_pending(store, &mut batch, &reading)?;
                }
            }
            WriteOutcome::Unchanged | WriteOutcome::Older(_) | WriteOutcome::Refused(_) => {}
        }
    }
    // A check of a different value says nothing about the stored one.
    let is_of_it = |outcome: &WriteOutcome| {
        matches!(outcome, WriteOutcome::Written | WriteOutcome::Strengthened | WriteOutcome::Unchanged)
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
