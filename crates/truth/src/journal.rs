//! The write-ahead journal of a store. One file describes a whole write before it starts; the next command that opens
//! the store completes an interrupted one.
//!
//! The journal itself appears atomically: before it nothing has happened, after it everything will. Recovery can be
//! interrupted and repeated, because each step is idempotent.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::{length, optional, optional_bytes, parse, tail, text};
use super::log::Append;
use crate::atomic_file;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;

/// One write.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Journal {
    /// Files to replace or remove.
    pub files: Vec<Change>,
    /// Logs to append to, by their path below the store.
    pub logs: Vec<(PathBuf, Append)>,
}

/// A file to replace or remove.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Change {
    /// Path below the store.
    pub path: PathBuf,
    /// Hash of the old content; `None` if there is no file.
    pub before: Option<Hash>,
    /// The new content; `None` to remove the file.
    pub after: Option<String>,
}

fn place(store: &Path) -> PathBuf {
    store.join("commit.json")
}

/// Whether a write is in progress or was interrupted.
pub(super) fn exists(store: &Path) -> bool {
    place(store).exists()
}

impl Change {
    /// Prepares to write `after`, or to remove the file.
    pub fn of(store: &Path, path: PathBuf, after: Option<String>) -> Result<Self> {
        let place = store.join(&path);
        let before = match std::fs::read(&place) {
            Ok(bytes) => Some(Hash::of(&bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(atomic_file::unwritable(&place)(error)),
        };
        Ok(Self { path, before, after })
    }
}

impl Journal {
    /// Performs the write atomically.
    pub fn write(&self, store: &Path) -> Result<()> {
        let path = place(store);
        atomic_file::write_atomic(&path, text(&path, self)?.as_bytes())?;
        self.finish(store)
    }

    /// Writes what is not written yet, and removes the journal.
    fn finish(&self, store: &Path) -> Result<()> {
        self.check(store)?;
        let with_text = |change: &Change| Some((store.join(&change.path), change.after.clone()?));
        atomic_file::write_many(&self.files.iter().filter_map(with_text).collect::<Vec<_>>())?;
        for change in self.files.iter().filter(|change| change.after.is_none()) {
            atomic_file::remove(&store.join(&change.path))?;
        }
        for (path, append) in &self.logs {
            append.write(&store.join(path))?;
        }
        atomic_file::remove(&place(store))
    }

    /// Refuses to overwrite changes made since the interruption.
    fn check(&self, store: &Path) -> Result<()> {
        let refuse = |path: &Path| {
            let message = format!(
                "was changed after an interrupted write: restore it from version control and run again, or remove {} \
                to abandon that write",
                place(store).display()
            );
            Err(Error::Store { path: path.to_owned(), message })
        };
        for change in &self.files {
            let path = store.join(&change.path);
            let now = optional_bytes(&path)?.map(|bytes| Hash::of(&bytes));
            let after = change.after.as_ref().map(|text| Hash::of(text.as_bytes()));
            if now != change.before && now != after {
                return refuse(&path);
            }
        }
        for (path, append) in &self.logs {
            let path = store.join(path);
            let shrunk = length(&path)? < append.before;
            if shrunk || !append.allows(&tail(&path, append.before)?) {
                return refuse(&path);
            }
        }
        Ok(())
    }
}

/// Completes an interrupted write and returns whether there was one. The caller must hold the store's lock.
pub(super) fn recover(store: &Path) -> Result<bool> {
    let path = place(store);
    let Some(text) = optional(&path)? else { return Ok(false) };
    let journal: Journal = parse(&path, &text)?;
    journal.finish(store)?;
    tracing::warn!("{}: completed an interrupted write", store.display());
    Ok(true)
}
