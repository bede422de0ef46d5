//! The store: a folder with the ground truth of one site, `{question_id}/results.json` and related files. One process
//! writes at a time. Readers need no lock, because files change atomically.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::evidence::Evidence;
use super::files::optional;
use super::lock::{Lock, lock, settle};
use super::log;
use super::marker::{self, StoreMarker, Whose, no_store, occupant};
use super::quarantine::Quarantined;
use super::record::Site;
use super::seal::Seal;
use super::{check, journal};
use crate::atomic_file;
use crate::error::{Error, Result};
use atlas_gt_core::command_line::{self, flag};
use atlas_gt_core::diagnostic::Place;
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::selection::at_least_one;

/// The values of a record.
pub(super) const RESULTS: &str = "results.json";
/// The provenance of a record.
pub(super) const PROVENANCE: &str = "provenance.json";
/// The expected behavior for questions without a value, beside the records.
pub const EXPECTED_BEHAVIOR: &str = "expected_behavior.json";

/// An open store.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    whose: Whose,
    /// The content of `site.json`. While others may write to the store, as last read.
    marker: Mutex<StoreMarker>,
    /// Held while the store is open for writing.
    lock: Option<Lock>,
    /// Files quarantined so far.
    pub(super) quarantine: Mutex<BTreeSet<Quarantined>>,
}

impl Store {
    /// Opens a store for writing and locks it. Creates the store if needed.
    ///
    /// # Errors
    /// Another process holds the lock; the folder holds something else; the store belongs to another site, its
    /// `site.json` was changed, or it cannot be written.
    pub fn open(dir: impl Into<PathBuf>, site: Site) -> Result<Self> {
        Self::open_at(dir, site, None)
    }

    /// Like [`Store::open`], for a site at another address, which the store records.
    ///
    /// # Errors
    /// See [`Store::open`]; or the store has another address.
    pub fn open_at(dir: impl Into<PathBuf>, site: Site, address: Option<String>) -> Result<Self> {
        Self::open_sealed(dir.into(), Whose { site, address }, &[Seal::Intact])
    }

    /// Opens a store for writing if its `site.json` has one of these seals.
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
        let found = StoreMarker::read(&dir)?;
        if let Some((found, seal)) = &found {
            found.whose.check(&dir, &asked)?;
            if let Some(fault) = marker::fault(&dir, *seal).filter(|_| !seals.contains(seal)) {
                return Err(fault);
            }
        }
        let is_new = found.is_none();
        let marker =
            found.map_or_else(|| StoreMarker { whose: asked, ..StoreMarker::default() }, |(found, _)| found);
        let store = Self::of(dir, marker, Some(lock));
        store.adopt_records()?;
        store.sweep()?;
        if is_new {
            let mut batch = store.batch()?;
            batch.change(PathBuf::from(check::FILE), Some(log::begun("")))?;
            batch.write()?;
        }
        store.try_checks();
        Ok(store)
    }

    fn of(dir: PathBuf, marker: StoreMarker, lock: Option<Lock>) -> Self {
        let whose = marker.whose.clone();
        Self { dir, whose, marker: Mutex::new(marker), lock, quarantine: Mutex::default() }
    }

    /// Opens an existing store of any site for writing.
    ///
    /// # Errors
    /// See [`Store::read`] and [`Store::open`].
    pub fn open_as_found(dir: impl Into<PathBuf>) -> Result<Self> {
        let Self { dir, whose, .. } = Self::read(dir)?;
        Self::open_at(dir, whose.site, whose.address)
    }

    /// Opens an existing store for writing, if it has this site and address.
    ///
    /// # Errors
    /// See [`Store::read`] and [`Store::open_at`].
    pub fn open_existing(dir: impl Into<PathBuf>, site: Site, address: Option<String>) -> Result<Self> {
        Self::open_at(Self::read(dir)?.dir, site, address)
    }

    /// Opens a store for reading. It first completes an interrupted commit, or waits for one in progress.
    ///
    /// # Errors
    /// There is no store: the folder is missing, empty or holds other things (decision 37); or `site.json` cannot be
    /// read, or a commit cannot be completed.
    pub fn read(dir: impl Into<PathBuf>) -> Result<Self> {
        let dir = dir.into();
        let Some(store) = Self::find(&dir)? else {
            let why = if dir.is_dir() { "is empty and not a store" } else { "does not exist" };
            return Err(Error::NoStore { path: dir, why });
        };
        Ok(store)
    }

    /// Like [`Store::read`], but returns `None` if the folder is missing or empty.
    ///
    /// # Errors
    /// The folder holds something other than a store, or a commit cannot be completed.
    pub fn find(dir: &Path) -> Result<Option<Self>> {
        if !dir.exists() {
            return Ok(None);
        }
        if !dir.is_dir() {
            return Err(no_store(dir, "is not a folder; use another with --store DIR".to_owned()));
        }
        settle(dir)?;
        let Some((marker, seal)) = StoreMarker::read(dir)? else {
            return match occupant(dir)? {
                Some(name) => Err(other_things(dir, &name)),
                None => Ok(None),
            };
        };
        let store = Self::of(dir.to_owned(), marker, None);
        if let Some(fault) = marker::fault(dir, seal) {
            store.set_aside(Quarantined::of(None, fault, dir));
        }
        store.try_checks();
        Ok(Some(store))
    }

    /// Requires at least one record, readable or not (decision 37).
    ///
    /// # Errors
    /// It has none, or cannot be read.
    pub fn with_records(self) -> Result<Self> {
        at_least_one(self.question_ids()?, || {
            format!("{} has no records; create them with `{}`", self.dir.display(), self.command("collect"))
        })?;
        Ok(self)
    }

    /// Requires any content: records, changes, pending readings or evidence (decision 37).
    ///
    /// # Errors
    /// It is empty, or cannot be read.
    pub fn with_content(self) -> Result<Self> {
        let holds = |name: &str| {
            let path = self.dir.join(name);
            path.is_file() || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some())
        };
        let kept =
            ["changelog.jsonl", "pending", "review", "evidence"].into_iter().filter(|name| holds(name));
        at_least_one(kept.count() + self.question_ids()?.len(), || {
            format!("{} is empty; fill it with `{}`", self.dir.display(), self.command("collect"))
        })?;
        Ok(self)
    }

    /// The store's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The site of its records.
    #[must_use]
    pub const fn site(&self) -> Site {
        self.whose.site
    }

    /// The site's address, unless it is the Atlas or a local replica.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        self.whose.address.as_deref()
    }

    /// A command on this store and its site: `atlas-gt collect --site twin --store out/twin`.
    #[must_use]
    pub fn command(&self, what: &str) -> String {
        let site = match (&self.whose.address, self.whose.site) {
            (Some(address), _) => flag("site", address),
            (None, Site::Twin) => flag("site", "twin"),
            (None, _) => String::new(),
        };
        command_line::command(what, &(site + &flag("store", self.dir.display())))
    }

    /// Describes the site: `the live site`, or `the site at` an address.
    #[must_use]
    pub fn holds(&self) -> String {
        self.whose.to_string()
    }

    /// The manifest that last filled it: the hash of its questions. `None` if unknown.
    #[must_use]
    pub fn manifest(&self) -> Option<Hash> {
        self.marker().manifest
    }

    /// Records the manifest that fills it, by the hash of its questions.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn remember_manifest(&self, questions: Hash) -> Result<()> {
        if self.manifest().as_ref() == Some(&questions) {
            return Ok(());
        }
        let mut batch = self.batch()?;
        batch.manifest(questions);
        batch.write()
    }

    /// Checks that it has this site and address, as [`Store::open_at`] does.
    ///
    /// # Errors
    /// It has another. The message names it.
    pub fn check(&self, site: Site, address: Option<String>) -> Result<()> {
        self.whose.check(&self.dir, &Whose { site, address })
    }

    /// The content of `site.json`.
    pub(super) fn marker(&self) -> StoreMarker {
        self.marker.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_marker(&self, marker: StoreMarker) {
        *self.marker.lock().unwrap_or_else(PoisonError::into_inner) = marker;
    }

    /// The recorded hash of a file; `None` if `site.json` does not list it.
    pub(super) fn left_with(&self, name: &str) -> Option<Hash> {
        self.marker.lock().unwrap_or_else(PoisonError::into_inner).files.get(name).cloned()
    }

    /// Reads from several files, and again if they are inconsistent, because another process may have written in
    /// between.
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
        if let Some((marker, _)) = StoreMarker::read(&self.dir)? {
            self.set_marker(marker);
        }
        read()
    }

    /// The questions with a record or parts of one, in order.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn question_ids(&self) -> Result<Vec<QuestionId>> {
        let mut ids = Vec::new();
        for entry in fs::read_dir(&self.dir).map_err(Error::file(&self.dir))? {
            let entry = entry.map_err(Error::file(&self.dir))?;
            let name = entry.file_name();
            let Some(Ok(id)) = name.to_str().map(str::parse::<QuestionId>) else { continue };
            // A broken link counts too.
            if [RESULTS, PROVENANCE].iter().any(|name| entry.path().join(name).symlink_metadata().is_ok()) {
                ids.push(id);
            }
        }
        ids.sort();
        Ok(ids)
    }

    /// Whether a file written by [`Store::keep_beside`] exists.
    ///
    /// # Errors
    /// It was changed since it was written, or cannot be read.
    pub fn beside(&self, name: &str) -> Result<bool> {
        let path = self.dir.join(name);
        let left_with = self.left_with(name);
        match optional(&path)? {
            None => Ok(false),
            Some(text) if left_with == Some(Hash::of(text.as_bytes())) => Ok(true),
            Some(_) => {
                let message =
                    "was changed since it was written: restore it from version control, or remove it";
                Err(Error::Record { path, place: Place::default(), message: message.to_owned() })
            }
        }
    }

    /// Stores a file beside the records that no record refers to.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn keep_beside(&self, name: &str, text: String) -> Result<()> {
        let mut batch = self.batch()?;
        batch.file(name, Some(text))?;
        batch.write()
    }

    pub(super) fn kept(&self) -> Evidence {
        Evidence { folder: self.dir.join("evidence") }
    }

    /// Stores evidence. Provenance refers to it by the returned hash.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put_evidence(&self, bytes: &[u8]) -> Result<Hash> {
        self.writable()?;
        self.kept().put(bytes)
    }

    /// Reads evidence and checks its hash.
    ///
    /// # Errors
    /// It is missing or damaged.
    pub fn evidence(&self, hash: &Hash) -> Result<Vec<u8>> {
        self.kept().get(hash)
    }

    /// Stores a screenshot (PNG). Provenance refers to it by the returned hash.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put_picture(&self, png: &[u8]) -> Result<Hash> {
        self.writable()?;
        self.kept().put_picture(png)
    }

    /// Reads a screenshot and checks its hash.
    ///
    /// # Errors
    /// It is missing or damaged.
    pub fn picture(&self, hash: &Hash) -> Result<Vec<u8>> {
        self.kept().picture(hash)
    }

    /// Whether this capture or screenshot exists and is undamaged.
    #[must_use]
    pub fn holds_evidence(&self, hash: &Hash) -> bool {
        self.kept().get(hash).or_else(|_| self.kept().picture(hash)).is_ok()
    }

    /// Path of a capture.
    #[must_use]
    pub fn capture_path(&self, hash: &Hash) -> PathBuf {
        self.kept().path(hash)
    }

    /// Path of a screenshot.
    #[must_use]
    pub fn picture_path(&self, hash: &Hash) -> PathBuf {
        self.kept().picture_path(hash)
    }

    /// Removes evidence by hash.
    pub(super) fn drop_evidence(&self, hashes: &[Hash]) -> Result<()> {
        self.writable()?;
        hashes.iter().try_for_each(|hash| self.kept().remove(hash))
    }

    /// Returns an error if the store is open for reading only.
    pub(super) fn writable(&self) -> Result<()> {
        if self.lock.is_some() {
            return Ok(());
        }
        let message = "is open for reading only: open it for writing first".to_owned();
        Err(Error::Store { path: self.dir.clone(), message })
    }

    /// Removes the temporary files of killed runs.
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

/// Whether a folder holds records with provenance, as no other tool writes them.
fn holds_records(dir: &Path) -> bool {
    let folders = fs::read_dir(dir).into_iter().flatten().flatten();
    folders
        .into_iter()
        .any(|entry| [RESULTS, PROVENANCE].iter().all(|name| entry.path().join(name).is_file()))
}

/// The error for a folder with content but without `site.json`.
fn other_things(dir: &Path, name: &str) -> Error {
    let file = marker::FILE;
    let how = match holds_records(dir) {
        true => marker::remedy(dir),
        false => "to import records of another tool, use `atlas-gt import`".to_owned(),
    };
    no_store(dir, format!("is not a store: it contains {name} but no {file}; {how}"))
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
