//! What becomes of a record of another tool: it is written where there is none, and never over a stronger or newer one. An
//! import is no look at a page: it adds a line to the looks only where the other tool says that somebody looked, and when.

use jiff::Timestamp;

use super::archive::{Archived, add_archived};
use super::changes::{RowChange, changes};
use super::checks::{self, Check, Checks};
use super::commit::Run;
use super::pending;
use super::precedence::weakens;
use super::provenance::{Provenance, Stored};
use super::record::Record;
use super::store::Store;
use super::write::{is_kept, keep_pending, strengthened, waiting, waits};
use crate::error::{Error, Result};

/// A record of another tool, as it would be kept.
#[derive(Debug, Clone)]
pub struct Import {
    /// The values.
    pub record: Record,
    /// Where each of them stood.
    pub provenance: Provenance,
    /// The look at the page that the other tool tells of.
    pub look: Option<Check>,
    /// Values that it held before.
    pub archived: Vec<Archived>,
}

/// What becomes of an imported record.
#[derive(Debug, Clone, PartialEq)]
pub enum ImportOutcome {
    /// There was none, and now there is one.
    Written,
    /// The same values from a stronger source: the record says so from now on.
    Strengthened,
    /// The record says the same already, from a source that is no weaker.
    Unchanged,
    /// Other values: they wait for a person.
    Pending {
        /// What differs.
        changes: Vec<RowChange>,
        /// They come from a weaker source than the truth: a look at the page is due.
        suspect: bool,
    },
    /// Other values, found before the record was last looked at: they are left out.
    Older(Vec<RowChange>),
    /// There is nothing to keep.
    Empty,
}

/// What would become of an imported record. Nothing is written.
///
/// # Errors
/// The stored record is damaged, or of another site.
pub fn decide_import(store: &Store, import: &Import, checks: &Checks) -> Result<ImportOutcome> {
    let new = &import.record;
    if new.site != store.site() {
        let message = format!(
            "holds {}, and the folder is of the {} site: choose another store",
            store.holds(),
            new.site
        );
        return Err(Error::Store { path: store.dir().to_owned(), message });
    }
    if new.results.data.is_empty() {
        return Ok(ImportOutcome::Empty);
    }
    let Some(stored) = store.load(&new.question_id)? else { return Ok(ImportOutcome::Written) };
    let found = changes(&stored.record.results.data, &new.results.data);
    if found.is_empty() {
        let is_kept = is_kept(store, new, &import.provenance)?;
        return Ok(if is_kept { ImportOutcome::Strengthened } else { ImportOutcome::Unchanged });
    }
    if last_read(&stored, checks) > new.execution_timestamp {
        return Ok(ImportOutcome::Older(found));
    }
    let suspect = weakens(&stored, new, &import.provenance, &found);
    Ok(ImportOutcome::Pending { changes: found, suspect })
}

/// When a record was last read or looked at.
fn last_read(stored: &Stored, checks: &Checks) -> Timestamp {
    let points =
        stored.provenance.iter().flat_map(|provenance| &provenance.points).map(|point| point.read_at);
    let good = checks.last_good(&stored.record.question_id);
    points.chain(good).fold(stored.record.execution_timestamp, Timestamp::max)
}

/// Writes what was decided of several records. Each of them is there whole or not at all afterwards, wherever the process
/// dies, and doing it again completes what is missing and changes nothing else. Returns how many looks and older values
/// were added.
///
/// # Errors
/// The store cannot be written.
pub fn file_imports(
    store: &Store,
    imports: &[(&Import, &ImportOutcome)],
    checks: &Checks,
    run: &Run,
) -> Result<(usize, usize)> {
    store.writable()?;
    let mut whole: Vec<(Record, &Provenance)> = Vec::new();
    for (import, outcome) in imports {
        let (new, provenance) = (&import.record, &import.provenance);
        match outcome {
            ImportOutcome::Written => whole.push((new.clone(), provenance)),
            ImportOutcome::Strengthened => {
                let stored = store.load(&new.question_id)?;
                whole.push((
                    stored.map_or_else(|| new.clone(), |stored| strengthened(&stored, new)),
                    provenance,
                ));
            }
            ImportOutcome::Pending { suspect, .. } => {
                if let Some(stored) = store.load(&new.question_id)?
                    && !waits(store, new, provenance, Some(&stored.hash))?
                {
                    keep_pending(store, waiting(new, provenance, *suspect, &stored, run.now))?;
                }
            }
            ImportOutcome::Unchanged | ImportOutcome::Older(_) | ImportOutcome::Empty => {}
        }
    }
    store.save_many(whole.iter().map(|(record, provenance)| (record, *provenance)))?;
    for (import, outcome) in imports {
        if **outcome == ImportOutcome::Written && pending::load(store, &import.record.question_id)?.is_some()
        {
            pending::drop(store, &import.record.question_id)?;
        }
    }
    // a look at another value says nothing of the one that is kept
    let is_of_it = |outcome: &ImportOutcome| {
        matches!(outcome, ImportOutcome::Written | ImportOutcome::Strengthened | ImportOutcome::Unchanged)
    };
    let looked = imports.iter().filter(|(_, outcome)| is_of_it(outcome));
    let looks: Vec<Check> = looked.filter_map(|(import, _)| import.look.clone()).collect();
    let looks = checks::append_missing(store, checks, &looks)?;
    let mut archived = 0;
    for (import, _) in imports.iter().filter(|(import, _)| !import.archived.is_empty()) {
        archived += add_archived(store, &import.record.question_id, &import.archived, run)?;
    }
    Ok((looks, archived))
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
