//! The write-ahead journal of a commit. Everything that a commit will write stands in one file before the first
//! of it is written; what a crash interrupts is finished by the next command that opens the store.
//!
//! The journal is put in place whole (or not at all), so before it nothing has happened and after it
//! everything will. Finishing can itself be interrupted and repeated: each step leaves the same bytes however
//! often it runs.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::{optional, optional_bytes, parse, text};
use crate::atomic_file;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;

/// What a commit writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Journal {
    /// The run that commits.
    pub run: String,
    /// Length of the changelog before, in bytes.
    pub changelog_before: u64,
    /// What is added to the changelog: whole lines.
    pub changelog_add: String,
    /// Files that get other content.
    pub files: Vec<Change>,
}

/// One file of a commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Change {
    /// Path below the store.
    pub path: PathBuf,
    /// Hash of what stands there before; none where there is no file.
    pub before: Option<Hash>,
    /// What will stand there; none when the file goes.
    pub after: Option<String>,
}

fn place(store: &Path) -> PathBuf {
    store.join("commit.json")
}

fn changelog(store: &Path) -> PathBuf {
    store.join("changelog.jsonl")
}

/// Whether a commit is under way, or was interrupted.
pub(super) fn exists(store: &Path) -> bool {
    place(store).exists()
}

impl Change {
    /// The change of a file to a text, or its removal.
    pub fn of(store: &Path, path: PathBuf, after: Option<String>) -> Result<Self> {
        let before = optional_bytes(&store.join(&path))?.map(|bytes| Hash::of(&bytes));
        Ok(Self { path, before, after })
    }
}

impl Journal {
    /// A journal that adds these lines to the changelog and changes these files.
    pub fn new(store: &Path, run: String, lines: &[String], files: Vec<Change>) -> Result<Self> {
        let path = changelog(store);
        let length = length(&path)?;
        let torn = tail(&path, length.saturating_sub(1))?.is_some_and(|last| last.first() != Some(&b'\n'));
        // a last line that something else left unfinished must not swallow the first of ours
        let mut add = String::from(if torn { "\n" } else { "" });
        for line in lines {
            add.push_str(line);
            add.push('\n');
        }
        Ok(Self { run, changelog_before: length, changelog_add: add, files })
    }

    /// Writes everything, or nothing.
    pub fn write(&self, store: &Path) -> Result<()> {
        let path = place(store);
        atomic_file::write_atomic(&path, text(&path, self)?.as_bytes())?;
        self.finish(store)
    }

    /// Writes what is not written yet, and removes the journal.
    fn finish(&self, store: &Path) -> Result<()> {
        self.check(store)?;
        for change in &self.files {
            let path = store.join(&change.path);
            match &change.after {
                Some(text) => atomic_file::write_atomic(&path, text.as_bytes())?,
                None => atomic_file::remove(&path)?,
            }
        }
        if !self.changelog_add.is_empty() {
            atomic_file::append_at(&changelog(store), self.changelog_before, self.changelog_add.as_bytes())?;
        }
        atomic_file::remove(&place(store))
    }

    /// Refuses to write over what somebody changed since the commit was interrupted.
    fn check(&self, store: &Path) -> Result<()> {
        let refuse = |path: &Path| {
            let message = format!(
                "was changed after the commit of run {} was interrupted: restore it from version control and run \
                 again, or remove {} to give that commit up",
                self.run,
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
        let path = changelog(store);
        let shrunk = length(&path)? < self.changelog_before;
        let added = tail(&path, self.changelog_before)?.unwrap_or_default();
        if shrunk || !self.changelog_add.as_bytes().starts_with(&added) { refuse(&path) } else { Ok(()) }
    }
}

/// Finishes a commit that was interrupted; says of which run, if there was one. The store's lock must be held.
pub(super) fn recover(store: &Path) -> Result<Option<String>> {
    let path = place(store);
    let Some(text) = optional(&path)? else { return Ok(None) };
    let journal: Journal = parse(&path, &text)?;
    journal.finish(store)?;
    Ok(Some(journal.run))
}

/// Length of a file; 0 where there is none.
fn length(path: &Path) -> Result<u64> {
    match fs::metadata(path) {
        Ok(found) => Ok(found.len()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(Error::file(path)(error)),
    }
}

/// What stands in a file from an offset on; none where nothing does.
fn tail(path: &Path, from: u64) -> Result<Option<Vec<u8>>> {
    if length(path)? <= from {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let mut file = fs::File::open(path).map_err(Error::file(path))?;
    file.seek(SeekFrom::Start(from)).and_then(|_| file.read_to_end(&mut bytes)).map_err(Error::file(path))?;
    Ok(Some(bytes))
}
