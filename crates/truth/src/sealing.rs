//! Seals stores of older versions, which had no seals, so that later edits are noticed. Also starts a new
//! `checks.jsonl` if it was lost. Files with a broken seal are left alone.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::batch::Batch;
use super::files::optional;
use super::marker::{self, Whose};
use super::seal::Seal;
use super::store::{EXPECTED_BEHAVIOR, RESULTS, Store};
use super::{changelog, checks, judged, log, pending, review};
use crate::error::Result;
use atlas_gt_core::question_id::QuestionId;

/// What was sealed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Sealed {
    /// Number of records.
    pub records: usize,
    /// Whether logs and `site.json` were sealed.
    pub store: bool,
    /// Whether a missing `checks.jsonl` was replaced by a new one.
    pub new_checks: bool,
}

/// Seals these records as they are. If the store has no seal, also seals the logs and the files beside the records. A
/// missing `checks.jsonl` is replaced by a new one: the records then count as checked when they were read.
///
/// # Errors
/// It is not a store, has a broken seal, or cannot be written.
pub fn seal(dir: &Path, records: &[QuestionId]) -> Result<Sealed> {
    let found = Store::read(dir)?;
    let whose = Whose { site: found.site(), address: found.address().map(str::to_owned) };
    let marker = dir.join(marker::FILE);
    let is_sealed = found.quarantined().iter().all(|one| one.path != marker);
    drop(found);
    let store = Store::open_sealed(dir.to_owned(), whose, &[Seal::Intact, Seal::Missing])?;
    let mut batch = store.batch()?;
    let mut sealed = Sealed::default();
    for id in records {
        sealed.records += usize::from(seal_record(&store, &mut batch, id)?);
    }
    if !is_sealed {
        seal_rest(&store, &mut batch)?;
    }
    let checks = optional(&dir.join(checks::FILE))?;
    sealed.store = !is_sealed;
    sealed.new_checks = checks.is_none();
    if (sealed.new_checks || sealed.store)
        && let Some(closed) = log::closed(&checks.unwrap_or_default())
    {
        batch.change(PathBuf::from(checks::FILE), Some(closed))?;
    }
    batch.write()?;
    Ok(sealed)
}

fn seal_record(store: &Store, batch: &mut Batch<'_>, id: &QuestionId) -> Result<bool> {
    let Some(stored) = store.unsealed(id) else { return Ok(false) };
    let (Some(provenance), folder) = (&stored.provenance, PathBuf::from(id.as_str())) else {
        return Ok(false);
    };
    let Some(results) = optional(&store.dir().join(&folder).join(RESULTS))? else { return Ok(false) };
    batch.described(&folder, &results, provenance)?;
    Ok(true)
}

fn seal_rest(store: &Store, batch: &mut Batch<'_>) -> Result<()> {
    for queue in [&pending::QUEUE, &review::QUEUE, &judged::QUEUE] {
        for id in queue.ids(store)? {
            queue.adopt(batch, store, &id)?;
        }
    }
    if let Some(text) = optional(&store.dir().join(EXPECTED_BEHAVIOR))?
        && store.left_with(EXPECTED_BEHAVIOR).is_none()
    {
        batch.file(EXPECTED_BEHAVIOR, Some(text))?;
    }
    batch.adopt_changelog(changelog::tally(store)?)?;
    Ok(())
}
