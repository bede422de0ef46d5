//! One write to a store: records, what waits beside them, lines of the logs. All of it is written or nothing, wherever the
//! process dies. Only evidence and the log of a run are written in another way.

use std::path::{Path, PathBuf};

use super::changelog::{self, ChangelogEntry};
use super::checks::{self, Check};
use super::files::{length, line, tail, text};
use super::journal::{Change, Journal};
use super::log::{self, Append};
use super::marker::{self, Marker};
use super::provenance::Provenance;
use super::record::Record;
use super::seal::sealed;
use super::store::Store;
use super::tally::Tally;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

/// A write that is being put together.
pub(super) struct Batch<'a> {
    store: &'a Store,
    files: Vec<Change>,
    changelog: String,
    checks: String,
    marker: Marker,
}

impl Store {
    /// Begins a write.
    ///
    /// # Errors
    /// When the store was opened for reading.
    pub(super) fn batch(&self) -> Result<Batch<'_>> {
        self.writable()?;
        let (files, changelog, checks) = (Vec::new(), String::new(), String::new());
        Ok(Batch { store: self, files, changelog, checks, marker: self.marker() })
    }
}

impl Batch<'_> {
    /// A record with its provenance; gives the hash of its `results.json`.
    pub fn record(&mut self, record: &Record, provenance: &Provenance) -> Result<Hash> {
        let site = self.store.site();
        if record.site != site || provenance.question_id != record.question_id {
            let message = format!(
                "a record of the {} site and question {} was to be kept here as question {} of the {site} site",
                record.site, record.question_id, provenance.question_id
            );
            return Err(Error::Store { path: self.store.dir().to_owned(), message });
        }
        let folder = PathBuf::from(record.question_id.as_str());
        let results = text(&folder, record)?;
        let hash = self.described(&folder, &results, provenance)?;
        self.change(folder.join("results.json"), Some(results))?;
        Ok(hash)
    }

    /// The provenance of the record in a folder that says this; gives the hash of the record.
    pub fn described(&mut self, folder: &Path, results: &str, provenance: &Provenance) -> Result<Hash> {
        let hash = Hash::of(results.as_bytes());
        let site = self.store.site();
        let provenance = Provenance { record: Some(hash.clone()), site, ..provenance.clone() };
        self.change(folder.join("provenance.json"), Some(sealed(&text(folder, &provenance)?)))?;
        Ok(hash)
    }

    /// Removes the record of a question.
    pub fn forget(&mut self, id: &QuestionId) -> Result<()> {
        let folder = PathBuf::from(id.as_str());
        self.change(folder.join("results.json"), None)?;
        self.change(folder.join("provenance.json"), None)
    }

    /// A file that `site.json` keeps the hash of: its text, or that it goes.
    pub fn file(&mut self, name: &str, after: Option<String>) -> Result<()> {
        match &after {
            Some(text) => drop(self.marker.files.insert(name.to_owned(), Hash::of(text.as_bytes()))),
            None => drop(self.marker.files.remove(name)),
        }
        self.change(PathBuf::from(name), after)
    }

    /// The manifest that fills the store.
    pub fn manifest(&mut self, questions: Hash) {
        self.marker.manifest = Some(questions);
    }

    /// A line of the changelog.
    pub fn entry(&mut self, entry: &ChangelogEntry) -> Result<()> {
        self.changelog.push_str(&line(&self.store.dir().join(changelog::FILE), entry)?);
        self.changelog.push('\n');
        Ok(())
    }

    /// A line of the checks.
    pub fn check(&mut self, check: &Check) -> Result<()> {
        self.checks.push_str(&line(&self.store.dir().join(checks::FILE), check)?);
        self.checks.push('\n');
        Ok(())
    }

    /// The changelog as it is there, whoever wrote it; and `site.json` gets its seal.
    pub(crate) fn adopt_changelog(&mut self, tally: Tally) -> Result<()> {
        self.marker.changelog = tally;
        let marker = self.marker.to_text()?;
        self.change(PathBuf::from(marker::FILE), Some(marker))
    }

    /// A file that no other keeps the hash of: its text, or that it goes.
    pub fn change(&mut self, path: PathBuf, after: Option<String>) -> Result<()> {
        let change = Change::of(self.store.dir(), path, after)?;
        self.files.retain(|one| one.path != change.path);
        if change.before.is_some() || change.after.is_some() {
            self.files.push(change);
        }
        Ok(())
    }

    /// Writes all of it or nothing.
    ///
    /// # Errors
    /// When the store cannot be written. What was begun is finished by the next command that opens the store.
    pub fn write(mut self) -> Result<()> {
        let dir = self.store.dir().to_owned();
        let mut logs = Vec::new();
        if !self.changelog.is_empty() {
            let before = length(&dir.join(changelog::FILE))?;
            let torn = tail(&dir.join(changelog::FILE), before.saturating_sub(1))?
                .first()
                .is_some_and(|last| *last != b'\n');
            // an unfinished line of another writer must not swallow the first one
            let add = format!("{}{}", if torn { "\n" } else { "" }, self.changelog);
            self.marker.changelog.add(self.changelog.as_bytes());
            logs.push((PathBuf::from(changelog::FILE), Append { before, was: String::new(), add }));
        }
        if !self.checks.is_empty() {
            logs.push((PathBuf::from(checks::FILE), log::append(&dir.join(checks::FILE), &self.checks)?));
        }
        if self.marker != self.store.marker() || !dir.join(marker::FILE).exists() {
            let marker = self.marker.to_text()?;
            self.change(PathBuf::from(marker::FILE), Some(marker))?;
        }
        if self.files.is_empty() && logs.is_empty() {
            return Ok(());
        }
        Journal { files: self.files, logs }.write(&dir)?;
        self.store.set_marker(self.marker);
        Ok(())
    }
}
