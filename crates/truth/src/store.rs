//! The store: a folder that holds the ground truth of one site, `{question_id}/results.json` and what
//! belongs to it. One process writes at a time; readers need no lock, since files change whole.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::evidence::Evidence;
use super::files::{optional, parse};
use super::lock::{Lock, lock, settle};
use super::log;
use super::marker::{self, Marker, Whose, no_store, occupant};
use super::provenance::{Provenance, Stored};
use super::quarantine::{Quarantined, unreadable};
use super::record::{Record, Site};
use super::seal::{Seal, seal_of};
use super::{checks, journal};
use crate::atomic_file;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::selection::at_least_one;

/// The values of a record.
pub(super) const RESULTS: &str = "results.json";
/// How they were read.
const PROVENANCE: &str = "provenance.json";
/// Expected behavior where there is no value, beside the records.
pub const EXPECTED_BEHAVIOR: &str = "expected_behavior.json";

/// An open store.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    whose: Whose,
    /// The content of `site.json`; for a store that others may write to, as last read.
    marker: Mutex<Marker>,
    /// Held while writing is allowed; released when the store is dropped.
    lock: Option<Lock>,
    /// What could not be read so far.
    pub(super) quarantine: Mutex<BTreeSet<Quarantined>>,
}

impl Store {
    /// Opens a store for writing, making it if need be, and holds its lock.
    ///
    /// # Errors
    /// When another process holds the lock, when the folder holds something else, when the store is of another site or
    /// its `site.json` was changed, or cannot be written.
    pub fn open(dir: impl Into<PathBuf>, site: Site) -> Result<Self> {
        Self::open_at(dir, site, None)
    }

    /// As [`Store::open`], of the site at another address than its own, which the store remembers.
    ///
    /// # Errors
    /// As [`Store::open`], and when the store is of another address.
    pub fn open_at(dir: impl Into<PathBuf>, site: Site, address: Option<String>) -> Result<Self> {
        Self::open_sealed(dir.into(), Whose { site, address }, &[Seal::Intact])
    }

    /// Opens a store for writing whose `site.json` has one of these seals.
    pub(super) fn open_sealed(dir: PathBuf, asked: Whose, seals: &[Seal]) -> Result<Self> {
        fs::create_dir_all(&dir).map_err(atomic_file::unwritable(&dir))?;
        if !dir.join(marker::FILE).exists()
            && !journal::exists(&dir)
            && let Some(name) = occupant(&dir)?
        {
            return Err(other_things(&dir, &name));
        }
        let lock = lock(&dir)?;
        journal::recover(&dir)?;
        let found = Marker::read(&dir)?;
        if let Some((found, seal)) = &found {
            found.whose.check(&dir, &asked)?;
            if let Some(fault) = marker::fault(&dir, *seal).filter(|_| !seals.contains(seal)) {
                return Err(fault);
            }
        }
        let is_new = found.is_none();
        let marker = found.map_or_else(|| Marker { whose: asked, ..Marker::default() }, |(found, _)| found);
        let store = Self::of(dir, marker, Some(lock));
        store.sweep()?;
        if is_new {
            let mut batch = store.batch()?;
            batch.change(PathBuf::from(checks::FILE), Some(log::begun("")))?;
            batch.write()?;
        }
        Ok(store)
    }

    fn of(dir: PathBuf, marker: Marker, lock: Option<Lock>) -> Self {
        let whose = marker.whose.clone();
        Self { dir, whose, marker: Mutex::new(marker), lock, quarantine: Mutex::default() }
    }

    /// Opens an existing store for writing, whichever its site.
    ///
    /// # Errors
    /// As [`Store::read`] and [`Store::open`].
    pub fn open_as_found(dir: impl Into<PathBuf>) -> Result<Self> {
        let Self { dir, whose, .. } = Self::read(dir)?;
        Self::open_at(dir, whose.site, whose.address)
    }

    /// Opens an existing store for writing, of that site at that address.
    ///
    /// # Errors
    /// As [`Store::read`] and [`Store::open_at`].
    pub fn open_existing(dir: impl Into<PathBuf>, site: Site, address: Option<String>) -> Result<Self> {
        Self::open_at(Self::read(dir)?.dir, site, address)
    }

    /// Opens a store for reading. An interrupted commit is finished first; one under way is waited for.
    ///
    /// # Errors
    /// When there is none: no folder, an empty one, or one that holds other things (decision 37); when its `site.json` cannot
    /// be read, or a commit cannot be finished.
    pub fn read(dir: impl Into<PathBuf>) -> Result<Self> {
        let dir = dir.into();
        let Some(store) = Self::find(&dir)? else {
            let why = if dir.is_dir() { "is empty: no store" } else { "is not there" };
            let what = format!("{why}; `atlas-gt collect` makes one, --store DIR names another");
            return Err(no_store(&dir, what));
        };
        Ok(store)
    }

    /// As [`Store::read`], of a folder that may not be there yet: nothing where it is not, or where it is empty.
    ///
    /// # Errors
    /// When the folder holds other things than a store; when a commit cannot be finished.
    pub fn find(dir: &Path) -> Result<Option<Self>> {
        if !dir.exists() {
            return Ok(None);
        }
        if !dir.is_dir() {
            return Err(no_store(dir, "is not a folder".to_owned()));
        }
        settle(dir)?;
        let Some((marker, seal)) = Marker::read(dir)? else {
            return match occupant(dir)? {
                Some(name) => Err(other_things(dir, &name)),
                None => Ok(None),
            };
        };
        let store = Self::of(dir.to_owned(), marker, None);
        if let Some(fault) = marker::fault(dir, seal) {
            store.set_aside(Quarantined::of(None, fault, dir));
        }
        Ok(Some(store))
    }

    /// The store, if it holds a record, even an unreadable one (decision 37).
    ///
    /// # Errors
    /// It holds none, or cannot be read.
    pub fn with_records(self) -> Result<Self> {
        at_least_one(self.question_ids()?, || {
            format!("{} holds no record; `atlas-gt collect` makes them", self.dir.display())
        })?;
        Ok(self)
    }

    /// The store, if it holds anything: records, changes, pending readings, evidence (decision 37).
    ///
    /// # Errors
    /// It holds nothing, or cannot be read.
    pub fn with_content(self) -> Result<Self> {
        let holds = |name: &str| {
            let path = self.dir.join(name);
            path.is_file() || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some())
        };
        let kept =
            ["changelog.jsonl", "pending", "review", "evidence"].into_iter().filter(|name| holds(name));
        at_least_one(kept.count() + self.question_ids()?.len(), || {
            format!("{} holds nothing; `atlas-gt collect` fills it", self.dir.display())
        })?;
        Ok(self)
    }

    /// The store's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whose records it holds.
    #[must_use]
    pub const fn site(&self) -> Site {
        self.whose.site
    }

    /// The address of a site that is neither the Atlas's own nor on this machine.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        self.whose.address.as_deref()
    }

    /// Whose records it holds, in words: `the live site`, or `the site at` an address.
    #[must_use]
    pub fn holds(&self) -> String {
        self.whose.to_string()
    }

    /// The manifest that filled it last: the hash of its questions. None where nobody said.
    #[must_use]
    pub fn manifest(&self) -> Option<Hash> {
        self.marker().manifest
    }

    /// Remembers the manifest that fills it, by the hash of its questions.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn remember_manifest(&self, questions: Hash) -> Result<()> {
        if self.manifest().as_ref() == Some(&questions) {
            return Ok(());
        }
        let mut batch = self.batch()?;
        batch.manifest(questions);
        batch.write()
    }

    /// Whether it holds the records of that site, at that address where it has one, as [`Store::open_at`] asks.
    ///
    /// # Errors
    /// It holds others; they are named.
    pub fn check(&self, site: Site, address: Option<String>) -> Result<()> {
        self.whose.check(&self.dir, &Whose { site, address })
    }

    /// What `site.json` says.
    pub(super) fn marker(&self) -> Marker {
        self.marker.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_marker(&self, marker: Marker) {
        *self.marker.lock().unwrap_or_else(PoisonError::into_inner) = marker;
    }

    /// The hash that a file was left with; none where `site.json` knows of no such file.
    pub(super) fn left_with(&self, name: &str) -> Option<Hash> {
        self.marker.lock().unwrap_or_else(PoisonError::into_inner).files.get(name).cloned()
    }

    /// Reads something from several files, again if they do not fit together: another process may have written in between.
    pub(super) fn steady<T>(
        &self,
        read: impl Fn() -> Result<T>,
        fits: impl Fn(&Result<T>) -> bool,
    ) -> Result<T> {
        let first = read();
        if self.lock.is_some() || fits(&first) {
            return first;
        }
        settle(&self.dir)?;
        if let Some((marker, _)) = Marker::read(&self.dir)? {
            self.set_marker(marker);
        }
        read()
    }

    /// The questions that have a record or what is left of one, in order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn question_ids(&self) -> Result<Vec<QuestionId>> {
        let mut ids = Vec::new();
        for entry in fs::read_dir(&self.dir).map_err(Error::file(&self.dir))? {
            let entry = entry.map_err(Error::file(&self.dir))?;
            let name = entry.file_name();
            let Some(Ok(id)) = name.to_str().map(str::parse::<QuestionId>) else { continue };
            // a broken link counts too
            if [RESULTS, PROVENANCE].iter().any(|name| entry.path().join(name).symlink_metadata().is_ok()) {
                ids.push(id);
            }
        }
        ids.sort();
        Ok(ids)
    }

    /// The ground truth of a question; `None` when there is none.
    ///
    /// # Errors
    /// When a file is missing, cannot be read, is of another question or site, or is not as it was written: the provenance
    /// is sealed, and holds the hash of the record.
    pub fn load(&self, id: &QuestionId) -> Result<Option<Stored>> {
        self.load_sealed(id, &[Seal::Intact])
    }

    /// As [`Store::load`], of a record whose provenance has one of these seals; with a broken one among them, of a record that
    /// was changed.
    pub(super) fn load_sealed(&self, id: &QuestionId, seals: &[Seal]) -> Result<Option<Stored>> {
        self.steady(|| self.load_files(id, seals), Result::is_ok).map_err(unreadable)
    }

    fn load_files(&self, id: &QuestionId, seals: &[Seal]) -> Result<Option<Stored>> {
        let folder = self.dir.join(id.as_str());
        let [results, provenance] = [RESULTS, PROVENANCE].map(|name| folder.join(name));
        let wrong = |path: &Path, what: &str| {
            let message = format!(
                "{what}: restore it from version control, or remove the folder of question {id} and collect again"
            );
            Err(Error::Store { path: path.to_owned(), message })
        };
        let (record_text, text) = match (optional(&results)?, optional(&provenance)?) {
            (None, None) => return Ok(None),
            (None, Some(_)) => return wrong(&results, "is gone, and its provenance is there"),
            (Some(record), text) => (record, text),
        };
        let record: Record = parse(&results, &record_text)?;
        self.check_owner(&results, id, &record.question_id, record.site)?;
        let Some(text) = text else {
            return wrong(&provenance, "is gone, and its record is there");
        };
        let found: Provenance = parse(&provenance, &text)?;
        self.check_owner(&provenance, id, &found.question_id, found.site)?;
        let seal = seal_of(&text);
        if !seals.contains(&seal) {
            return match seal {
                Seal::Missing => {
                    let message =
                        "has no seal: `atlas-gt verify --seal` seals the records of an older version";
                    Err(Error::Store { path: provenance, message: message.to_owned() })
                }
                _ => wrong(&provenance, "was changed since it was written"),
            };
        }
        let hash = Hash::of(record_text.as_bytes());
        if found.record.as_ref() != Some(&hash) && !seals.contains(&Seal::Broken) {
            return wrong(&results, "was changed since it was written");
        }
        Ok(Some(Stored { record, provenance: Some(found), hash }))
    }

    /// Refuses a file that belongs to another question or site than its folder.
    pub(super) fn check_owner(
        &self,
        path: &Path,
        id: &QuestionId,
        own: &QuestionId,
        site: Site,
    ) -> Result<()> {
        let wrong = |message: String| Err(Error::Store { path: path.to_owned(), message });
        if own != id {
            return wrong(format!(
                "is of question {own} and lies with question {id}: move it to its own place"
            ));
        }
        let store = self.site();
        if site != store {
            return wrong(format!(
                "is of the {site} site, the store of the {store} site: move it to a store of its own"
            ));
        }
        Ok(())
    }

    /// Whether a file beside the records, as [`Store::keep_beside`] writes it, is there.
    ///
    /// # Errors
    /// When it was changed since it was written, or cannot be read.
    pub fn beside(&self, name: &str) -> Result<bool> {
        let path = self.dir.join(name);
        let left_with = self.left_with(name);
        match optional(&path)? {
            None => Ok(false),
            Some(text) if left_with == Some(Hash::of(text.as_bytes())) => Ok(true),
            Some(_) => {
                let message =
                    "was changed since it was written: restore it from version control, or remove it";
                Err(Error::Record { path, line: 0, column: 0, message: message.to_owned() })
            }
        }
    }

    /// Keeps a file beside the records, of which no record says anything.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn keep_beside(&self, name: &str, text: String) -> Result<()> {
        let mut batch = self.batch()?;
        batch.file(name, Some(text))?;
        batch.write()
    }

    pub(super) fn kept(&self) -> Evidence {
        Evidence { folder: self.dir.join("evidence") }
    }

    /// Keeps evidence; the hash is what provenance refers to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_evidence(&self, bytes: &[u8]) -> Result<Hash> {
        self.writable()?;
        self.kept().put(bytes)
    }

    /// The evidence of that hash, checked against it.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn evidence(&self, hash: &Hash) -> Result<Vec<u8>> {
        self.kept().get(hash)
    }

    /// Keeps a picture (PNG) beside the captures; the hash is what provenance refers to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_picture(&self, png: &[u8]) -> Result<Hash> {
        self.writable()?;
        self.kept().put_picture(png)
    }

    /// The picture of that hash, checked against it.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn picture(&self, hash: &Hash) -> Result<Vec<u8>> {
        self.kept().picture(hash)
    }

    /// Whether there is such a capture or picture, undamaged.
    #[must_use]
    pub fn holds_evidence(&self, hash: &Hash) -> bool {
        self.kept().get(hash).or_else(|_| self.kept().picture(hash)).is_ok()
    }

    /// Where the capture of that hash is.
    #[must_use]
    pub fn capture_path(&self, hash: &Hash) -> PathBuf {
        self.kept().path(hash)
    }

    /// Where the picture of that hash is.
    #[must_use]
    pub fn picture_path(&self, hash: &Hash) -> PathBuf {
        self.kept().picture_path(hash)
    }

    /// Drops evidence by its hash.
    pub(super) fn drop_evidence(&self, hashes: &[Hash]) -> Result<()> {
        self.writable()?;
        hashes.iter().try_for_each(|hash| self.kept().remove(hash))
    }

    /// Refuses to write to a store that was opened for reading.
    pub(super) fn writable(&self) -> Result<()> {
        if self.lock.is_some() {
            return Ok(());
        }
        let message = "was opened for reading only: open it for writing first".to_owned();
        Err(Error::Store { path: self.dir.clone(), message })
    }

    /// Removes temporary files of runs that were killed.
    fn sweep(&self) -> Result<()> {
        atomic_file::sweep(&self.dir)?;
        for folder in fs::read_dir(&self.dir).map_err(Error::file(&self.dir))? {
            let path = folder.map_err(Error::file(&self.dir))?.path();
            if path.is_dir() {
                atomic_file::sweep(&path)?;
            }
        }
        self.kept().sweep()?;
        Ok(())
    }
}

/// Refuses a folder that holds something and no `site.json`.
fn other_things(dir: &Path, name: &str) -> Error {
    let why = format!(
        "is no store: it holds {name} and no {}; `atlas-gt import` takes over the records of another tool",
        marker::FILE
    );
    no_store(dir, why)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
