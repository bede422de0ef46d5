//! One atomic write to a store: records, the files beside them, and log lines. A crash leaves all of it or none. Only
//! evidence and run logs are written separately.

use std::path::{Path, PathBuf};

use super::changelog::{self, ChangelogEntry};
use super::check::{self, Check};
use super::files::{length, line, tail, text};
use super::journal::{Change, Journal};
use super::log::{self, Append};
use super::marker::{self, StoreMarker};
use super::provenance::Provenance;
use super::record::Record;
use super::seal::sealed;
use super::store::Store;
use super::tally::Tally;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::versioned::Versioned;

/// A write in preparation.
pub(super) struct Batch<'a> {
    store: &'a Store,
    files: Vec<Change>,
    changelog: String,
    checks: String,
    marker: StoreMarker,
}

impl Store {
    /// Starts a write.
    ///
    /// # Errors
    /// The store is open for reading only.
    pub(super) fn batch(&self) -> Result<Batch<'_>> {
        self.writable()?;
        let (files, changelog, checks) = (Vec::new(), String::new(), String::new());
        Ok(Batch { store: self, files, changelog, checks, marker: self.marker() })
    }
}

impl Batch<'_> {
    /// Adds a record with its provenance. Returns the hash of its `results.json`.
    pub fn record(&mut self, record: &Record, provenance: &Provenance) -> Result<Hash> {
        let site = self.store.site();
        if record.site != site || provenance.question_id != record.question_id {
            let message = format!(
                "question {1} of the {0} site was to be stored as question {2} of the {site} site",
                record.site, record.question_id, provenance.question_id
            );
            return Err(Error::Store { path: self.store.dir().to_owned(), message });
        }
        let folder = PathBuf::from(record.question_id.as_str());
        let results = text(&folder, record)?;
        let hash = self.described(&folder, &results, provenance)?;
        self.change(folder.join("results.json"), Some(results))?;
        self.marker.records.insert(record.question_id.clone());
        Ok(hash)
    }

    /// Adds the provenance of the record with this text. Returns the record's hash.
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
        self.marker.records.remove(id);
        self.change(folder.join("results.json"), None)?;
        self.change(folder.join("provenance.json"), None)
    }

    /// Writes or removes a file whose hash `site.json` holds.
    pub fn file(&mut self, name: &str, after: Option<String>) -> Result<()> {
        match &after {
            Some(text) => drop(self.marker.files.insert(name.to_owned(), Hash::of(text.as_bytes()))),
            None => drop(self.marker.files.remove(name)),
        }
        self.change(PathBuf::from(name), after)
    }

    /// Sets the manifest that fills the store.
    pub fn manifest(&mut self, questions: Hash) {
        self.marker.manifest = Some(questions);
    }

    /// Adds a changelog line.
    pub fn entry(&mut self, entry: &ChangelogEntry) -> Result<()> {
        self.changelog.push_str(&line(&self.store.dir().join(changelog::FILE), entry)?);
        self.changelog.push('\n');
        Ok(())
    }

    /// Adds a line to the checks.
    pub fn check(&mut self, check: &Check) -> Result<()> {
        self.checks.push_str(&line(&self.store.dir().join(check::FILE), &Versioned::of(check))?);
        self.checks.push('\n');
        Ok(())
    }

    /// Accepts the changelog as found, and seals `site.json`.
    pub(crate) fn adopt_changelog(&mut self, tally: Tally) -> Result<()> {
        self.marker.changelog = tally;
        let marker = self.marker.to_text()?;
        self.change(PathBuf::from(marker::FILE), Some(marker))
    }

    /// Writes or removes a file whose hash is not held elsewhere.
    pub fn change(&mut self, path: PathBuf, after: Option<String>) -> Result<()> {
        let change = Change::of(self.store.dir(), path, after)?;
        self.files.retain(|one| one.path != change.path);
        if change.before.is_some() || change.after.is_some() {
            self.files.push(change);
        }
        Ok(())
    }

    /// Performs the write atomically.
    ///
    /// # Errors
    /// The store cannot be written. The next command that opens it completes an interrupted write.
    pub fn write(mut self) -> Result<()> {
        let dir = self.store.dir().to_owned();
        let mut logs = Vec::new();
        if !self.changelog.is_empty() {
            let before = length(&dir.join(changelog::FILE))?;
            let torn = tail(&dir.join(changelog::FILE), before.saturating_sub(1))?
                .first()
                .is_some_and(|last| *last != b'\n');
            // An unfinished line of another writer must not absorb the first new one.
            let add = format!("{}{}", if torn { "\n" } else { "" }, self.changelog);
            self.marker.changelog.add(self.changelog.as_bytes());
            logs.push((PathBuf::from(changelog::FILE), Append { before, was: String::new(), add }));
        }
        if !self.checks.is_empty() {
            logs.push((PathBuf::from(check::FILE), log::append(&dir.join(check::FILE), &self.checks)?));
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
