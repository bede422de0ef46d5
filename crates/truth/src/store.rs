//! The store: a folder that holds the ground truth of one site, `{question_id}/results.json` and what
//! belongs to it. One process writes at a time; readers need no lock, since files change whole.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::evidence::Evidence;
use super::files::{optional, parse, text};
use super::journal;
use super::provenance::{Provenance, Stored};
use super::quarantine::{Quarantined, unreadable};
use super::record::{Record, Site};
use crate::atomic_file;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

/// An open store.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    site: Site,
    /// The address, when it is neither the Atlas's own nor that of a replica on this machine.
    address: Option<String>,
    /// Held while writing is allowed; released when the store is dropped.
    lock: Option<Lock>,
    /// What could not be read so far.
    pub(super) quarantine: Mutex<BTreeSet<Quarantined>>,
}

/// What `site.json` says: whose records the store holds. Never of two sites (decision 18).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Marker {
    site: Site,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

impl Marker {
    /// Refuses the store in `dir`, which holds what this says, where something else is asked for.
    fn check(&self, dir: &Path, asked: &Self) -> Result<()> {
        if self == asked {
            return Ok(());
        }
        let message = format!("holds {self}, and {asked} was asked for: choose another store");
        Err(Error::Store { path: dir.to_owned(), message })
    }
}

impl std::fmt::Display for Marker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.address, self.site) {
            (Some(address), Site::Mirror) => write!(f, "the site at {address}"),
            (Some(address), site) => write!(f, "the site at {address} under the name of the {site} site"),
            (None, site) => write!(f, "the {site} site"),
        }
    }
}

impl Store {
    /// Opens a store for writing, making it if need be, and holds its lock.
    ///
    /// # Errors
    /// When another process holds the lock, when the store is of another site, or cannot be written.
    pub fn open(dir: impl Into<PathBuf>, site: Site) -> Result<Self> {
        Self::open_at(dir, site, None)
    }

    /// As [`Store::open`], of the site at another address than its own, which the store remembers.
    ///
    /// # Errors
    /// As [`Store::open`], and when the store is of another address.
    pub fn open_at(dir: impl Into<PathBuf>, site: Site, address: Option<String>) -> Result<Self> {
        let dir = dir.into();
        fs::create_dir_all(&dir).map_err(atomic_file::unwritable(&dir))?;
        let lock = lock(&dir)?;
        let asked = Marker { site, address };
        if let Some(found) = site_of(&dir)? {
            found.check(&dir, &asked)?;
        }
        let store = Self {
            dir,
            site,
            address: asked.address.clone(),
            lock: Some(lock),
            quarantine: Mutex::default(),
        };
        if let Some(run) = journal::recover(&store.dir)? {
            tracing::warn!(
                "{}: finished the commit of run {run}, which was interrupted",
                store.dir.display()
            );
        }
        store.sweep()?;
        let marker = store.dir.join("site.json");
        if !marker.exists() {
            atomic_file::write_atomic(&marker, text(&marker, &asked)?.as_bytes())?;
        }
        Ok(store)
    }

    /// Opens a store that is there for writing, whichever site it is of.
    ///
    /// # Errors
    /// As [`Store::read`] and [`Store::open`].
    pub fn open_as_found(dir: impl Into<PathBuf>) -> Result<Self> {
        let found = Self::read(dir)?;
        Self::open_at(found.dir, found.site, found.address)
    }

    /// Opens a store for reading. An empty one counts as the live site's. A commit that was interrupted is
    /// finished first, and one that is under way is waited for.
    ///
    /// # Errors
    /// When there is no such folder, or it it is not known whose records it holds; when a commit cannot be finished.
    pub fn read(dir: impl Into<PathBuf>) -> Result<Self> {
        let dir = dir.into();
        if !dir.is_dir() {
            let message = "there is no store here: collect first, or name the right folder".to_owned();
            return Err(Error::Store { path: dir, message });
        }
        settle(&dir)?;
        let Marker { site, address } = site_of(&dir)?.unwrap_or_default();
        Ok(Self { dir, site, address, lock: None, quarantine: Mutex::default() })
    }

    /// The store's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whose records it holds.
    #[must_use]
    pub const fn site(&self) -> Site {
        self.site
    }

    /// The address of a site that is neither the Atlas's own nor on this machine.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Whose records it holds, in words: `the live site`, or `the site at` an address.
    #[must_use]
    pub fn holds(&self) -> String {
        Marker { site: self.site, address: self.address.clone() }.to_string()
    }

    /// Whether it holds the records of that site, at that address where it has one, as [`Store::open_at`] asks.
    ///
    /// # Errors
    /// It holds others; they are named.
    pub fn check(&self, site: Site, address: Option<String>) -> Result<()> {
        let found = Marker { site: self.site, address: self.address.clone() };
        found.check(&self.dir, &Marker { site, address })
    }

    /// The questions that have a record, in order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn question_ids(&self) -> Result<Vec<QuestionId>> {
        question_ids(&self.dir)
    }

    /// The ground truth of a question; `None` when there is none.
    ///
    /// # Errors
    /// When a file cannot be read, or is of another question or site.
    pub fn load(&self, id: &QuestionId) -> Result<Option<Stored>> {
        self.load_files(id).map_err(unreadable)
    }

    fn load_files(&self, id: &QuestionId) -> Result<Option<Stored>> {
        let path = self.results(id);
        let Some(text) = optional(&path)? else { return Ok(None) };
        let record: Record = parse(&path, &text)?;
        self.check_owner(&path, id, &record.question_id, record.site)?;
        let path = path.with_file_name("provenance.json");
        let provenance: Option<Provenance> = optional(&path)?.map(|text| parse(&path, &text)).transpose()?;
        if let Some(provenance) = &provenance {
            self.check_owner(&path, id, &provenance.question_id, provenance.site)?;
        }
        Ok(Some(Stored { record, provenance, hash: Hash::of(text.as_bytes()) }))
    }

    /// Refuses a file of another question or site than the ones it lies with.
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
        if site != self.site {
            let (what, store) = (site, self.site);
            return wrong(format!(
                "is of the {what} site, the store of the {store} site: move it to a store of its own"
            ));
        }
        Ok(())
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

    /// Writes record and provenance. Both are flushed before either is put in its place.
    pub(super) fn save(&self, record: &Record, provenance: &Provenance) -> Result<()> {
        self.writable()?;
        if record.site != self.site || provenance.question_id != record.question_id {
            let message = format!(
                "a record of the {} site and question {} was to be kept here as question {} of the {} site",
                record.site, record.question_id, provenance.question_id, self.site
            );
            return Err(Error::Store { path: self.dir.clone(), message });
        }
        let results = self.results(&record.question_id);
        let provenance_path = results.with_file_name("provenance.json");
        let (record_text, provenance_text, _) = self.texts(record, provenance)?;
        let staged = atomic_file::stage(&provenance_path, provenance_text.as_bytes())?;
        let record = atomic_file::stage(&results, record_text.as_bytes())?;
        staged.put()?;
        record.put()
    }

    /// Writes many records with their provenance, each whole or not at all, flushed all at once.
    pub(super) fn save_many<'a>(
        &self,
        records: impl Iterator<Item = (&'a Record, &'a Provenance)>,
    ) -> Result<()> {
        self.writable()?;
        let mut files = Vec::new();
        for (record, provenance) in records {
            let results = self.results(&record.question_id);
            let (record, provenance, _) = self.texts(record, provenance)?;
            files.push((results.with_file_name("provenance.json"), provenance));
            files.push((results, record));
        }
        atomic_file::write_many(&files)
    }

    /// The texts of a record's two files, and the hash of the first.
    fn texts(&self, record: &Record, provenance: &Provenance) -> Result<(String, String, Hash)> {
        let path = self.results(&record.question_id);
        let record = text(&path, record)?;
        let hash = Hash::of(record.as_bytes());
        let provenance = Provenance { record: Some(hash.clone()), site: self.site, ..provenance.clone() };
        Ok((record, text(&path.with_file_name("provenance.json"), &provenance)?, hash))
    }

    /// The files of a record as a commit changes them, and the hash of the new `results.json`.
    pub(super) fn changes_of(
        &self,
        record: &Record,
        provenance: &Provenance,
    ) -> Result<([journal::Change; 2], Hash)> {
        let (record_text, provenance_text, hash) = self.texts(record, provenance)?;
        let folder = PathBuf::from(record.question_id.as_str());
        let changes = [
            journal::Change::of(&self.dir, folder.join("provenance.json"), Some(provenance_text))?,
            journal::Change::of(&self.dir, folder.join("results.json"), Some(record_text))?,
        ];
        Ok((changes, hash))
    }

    /// Writes the provenance of a record that stays as it is.
    pub(super) fn save_provenance(&self, stored: &Stored, provenance: &Provenance) -> Result<()> {
        self.writable()?;
        let path = self.results(&stored.record.question_id).with_file_name("provenance.json");
        let provenance =
            Provenance { record: Some(stored.hash.clone()), site: self.site, ..provenance.clone() };
        atomic_file::write_atomic(&path, text(&path, &provenance)?.as_bytes())
    }

    /// Refuses to write to a store that was opened for reading.
    pub(super) fn writable(&self) -> Result<()> {
        if self.lock.is_some() {
            return Ok(());
        }
        let message = "was opened for reading only: open it for writing first".to_owned();
        Err(Error::Store { path: self.dir.clone(), message })
    }

    fn results(&self, id: &QuestionId) -> PathBuf {
        self.dir.join(id.as_str()).join("results.json")
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

/// How long a reader waits for a commit that is under way: it takes as long as its files take to write.
const COMMIT_TAKES: Duration = Duration::from_secs(20);

/// Waits until no commit is half done, and finishes one whose process is gone.
fn settle(dir: &Path) -> Result<()> {
    let started = Instant::now();
    while journal::exists(dir) {
        match lock(dir) {
            Ok(lock) => {
                if let Some(run) = journal::recover(dir)? {
                    tracing::warn!(
                        "{}: finished the commit of run {run}, which was interrupted",
                        dir.display()
                    );
                }
                drop(lock);
            }
            Err(error) if started.elapsed() > COMMIT_TAKES => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
    Ok(())
}

/// The lock of a store, held as long as this lives.
#[derive(Debug)]
struct Lock(File);

impl Drop for Lock {
    /// Leaves the lock's file as it was before: empty, so that looking again changes no byte.
    fn drop(&mut self) {
        let _ = self.0.set_len(0);
    }
}

/// Takes the store's lock, or says who holds it.
fn lock(dir: &Path) -> Result<Lock> {
    let path = dir.join(".lock");
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(&path)
        .map_err(atomic_file::unwritable(&path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let known = file.read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
            let holder =
                if known { format!("process {}", holder.trim()) } else { "another process".to_owned() };
            let message = format!("is being written by {holder}: wait until it has ended, then run again");
            return Err(Error::Store { path: dir.to_owned(), message });
        }
        Err(TryLockError::Error(error)) => return Err(atomic_file::unwritable(&path)(error)),
    }
    let mut write = || -> std::io::Result<()> {
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{}", std::process::id())
    };
    write().map_err(atomic_file::unwritable(&path))?;
    Ok(Lock(file))
}

/// What a record says of its site.
#[derive(Deserialize)]
struct SiteOf {
    #[serde(default)]
    site: Site,
}

/// Whose records a folder holds: by its marker, else by the records themselves.
fn site_of(dir: &Path) -> Result<Option<Marker>> {
    let marker = dir.join("site.json");
    if let Some(text) = optional(&marker)? {
        return parse(&marker, &text).map(Some);
    }
    let mut sites = BTreeSet::new();
    for id in question_ids(dir)? {
        let path = dir.join(id.as_str()).join("results.json");
        // a record that cannot be read does not say; it is quarantined when it is loaded
        if let Ok(Some(text)) = optional(&path)
            && let Ok(found) = parse::<SiteOf>(&path, &text)
        {
            sites.insert(found.site);
        }
    }
    if sites.len() > 1 {
        let sites: Vec<String> = sites.iter().map(ToString::to_string).collect();
        let message =
            format!("holds records of several sites ({}): move each to a store of its own", sites.join(", "));
        return Err(Error::Store { path: dir.to_owned(), message });
    }
    Ok(sites.pop_first().map(|site| Marker { site, address: None }))
}

fn question_ids(dir: &Path) -> Result<Vec<QuestionId>> {
    let mut ids = Vec::new();
    for entry in fs::read_dir(dir).map_err(Error::file(dir))? {
        let entry = entry.map_err(Error::file(dir))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if let Ok(id) = name.parse::<QuestionId>()
            && entry.path().join("results.json").is_file()
        {
            ids.push(id);
        }
    }
    ids.sort();
    Ok(ids)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
