//! The store: a folder that holds the ground truth of one site, `{question_id}/results.json` and what
//! belongs to it. One process writes at a time; readers need no lock, since files change whole.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::atomic;
use super::evidence::{Evidence, Hash};
use super::journal;
use super::marker::Marker;
use super::pending;
use super::precedence::{Strength, strength};
use super::provenance::Provenance;
use super::record::{Record, Site, pretty};
use crate::error::{Error, Result};
use crate::manifest::QuestionId;

/// An open store.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    site: Site,
    /// The address, when it is neither the Atlas's own nor that of a replica on this machine.
    address: Option<String>,
    /// Held while writing is allowed; released when the store is dropped.
    lock: Option<Lock>,
}

/// The ground truth of one question, as found.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// The values.
    pub record: Record,
    /// How they were read; `None` when nothing says so.
    pub provenance: Option<Provenance>,
    /// Hash of `results.json` as it lies there.
    pub hash: Hash,
}

impl Stored {
    /// Whether the provenance describes this very file: it does not after an edit by hand, or when a
    /// run was killed between the two files.
    #[must_use]
    pub fn provenance_fits(&self) -> bool {
        self.provenance.as_ref().is_some_and(|provenance| provenance.record.as_ref() == Some(&self.hash))
    }

    /// What the record is worth, by its provenance where that fits, else by its method alone.
    #[must_use]
    pub fn strength(&self) -> Strength {
        strength(&self.record, self.provenance.as_ref().filter(|_| self.provenance_fits()))
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
        fs::create_dir_all(&dir).map_err(atomic::unwritable(&dir))?;
        let lock = lock(&dir)?;
        let asked = Marker { site, address };
        if let Some(found) = site_of(&dir)? {
            found.check(&dir, &asked)?;
        }
        let store = Self { dir, site, address: asked.address.clone(), lock: Some(lock) };
        if let Some(run) = journal::recover(&store.dir)? {
            tracing::warn!(
                "{}: finished the commit of run {run}, which was interrupted",
                store.dir.display()
            );
        }
        store.sweep()?;
        let marker = store.dir.join("site.json");
        if !marker.exists() {
            atomic::write(&marker, text(&marker, &asked)?.as_bytes())?;
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
    /// When there is no such folder, or it cannot be told whose records it holds; when a commit cannot be finished.
    pub fn read(dir: impl Into<PathBuf>) -> Result<Self> {
        let dir = dir.into();
        if !dir.is_dir() {
            let message = "there is no store here: collect first, or name the right folder".to_owned();
            return Err(Error::Store { path: dir, message });
        }
        settle(&dir)?;
        let Marker { site, address } = site_of(&dir)?.unwrap_or_default();
        Ok(Self { dir, site, address, lock: None })
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
    /// When a file is damaged, or is of another question or site.
    pub fn load(&self, id: &QuestionId) -> Result<Option<Stored>> {
        let path = self.results(id);
        let Some(text) = optional(&path)? else { return Ok(None) };
        let record: Record = parse(&path, &text)?;
        let wrong = |message: String| Err(Error::Store { path: path.clone(), message });
        if record.question_id != *id {
            return wrong(format!(
                "is the record of question {}: move it to its own folder",
                record.question_id
            ));
        }
        if record.site != self.site {
            return wrong(format!(
                "is of the {} site, the store of the {} site: move it to a store of its own",
                record.site, self.site
            ));
        }
        let path = path.with_file_name("provenance.json");
        let provenance = optional(&path)?.map(|text| parse(&path, &text)).transpose()?;
        Ok(Some(Stored { record, provenance, hash: Hash::of(text.as_bytes()) }))
    }

    /// Keeps evidence; the hash is what provenance refers to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_evidence(&self, bytes: &[u8]) -> Result<Hash> {
        self.writable()?;
        Evidence { folder: &self.dir.join("evidence") }.put(bytes)
    }

    /// The evidence of that hash, checked against it.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn evidence(&self, hash: &Hash) -> Result<Vec<u8>> {
        Evidence { folder: &self.dir.join("evidence") }.get(hash)
    }

    /// Keeps a picture (PNG) beside the captures; the hash is what provenance refers to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put_picture(&self, png: &[u8]) -> Result<Hash> {
        self.writable()?;
        Evidence { folder: &self.dir.join("evidence") }.put_picture(png)
    }

    /// The picture of that hash, checked against it.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn picture(&self, hash: &Hash) -> Result<Vec<u8>> {
        Evidence { folder: &self.dir.join("evidence") }.picture(hash)
    }

    /// Evidence that no record and no pending reading refers to, sorted.
    ///
    /// # Errors
    /// When a record cannot be read: what it refers to is then not known.
    pub fn unreferenced(&self) -> Result<Vec<Hash>> {
        let mut used: BTreeSet<Hash> = BTreeSet::new();
        for id in self.question_ids()? {
            let stored = self.load(&id)?;
            used.extend(
                stored.and_then(|stored| stored.provenance).iter().flat_map(Provenance::evidence).cloned(),
            );
        }
        for id in pending::ids(self)? {
            let waiting = pending::load(self, &id)?;
            used.extend(waiting.iter().flat_map(|waiting| waiting.provenance.evidence()).cloned());
        }
        let kept = Evidence { folder: &self.dir.join("evidence") }.all()?;
        Ok(kept.difference(&used).cloned().collect())
    }

    /// Drops evidence that nothing refers to; returns what was dropped.
    ///
    /// # Errors
    /// As [`Store::unreferenced`], or when it cannot be written.
    pub fn collect_garbage(&self) -> Result<Vec<Hash>> {
        self.writable()?;
        let unused = self.unreferenced()?;
        self.drop_evidence(&unused)?;
        Ok(unused)
    }

    /// Drops evidence by its hash.
    pub(super) fn drop_evidence(&self, hashes: &[Hash]) -> Result<()> {
        self.writable()?;
        let folder = self.dir.join("evidence");
        for hash in hashes {
            Evidence { folder: &folder }.remove(hash)?;
        }
        Ok(())
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
        let record_text = text(&results, record)?;
        let provenance_path = results.with_file_name("provenance.json");
        let provenance = Provenance {
            record: Some(Hash::of(record_text.as_bytes())),
            site: self.site,
            ..provenance.clone()
        };
        let provenance_text = text(&provenance_path, &provenance)?;
        let staged = atomic::stage(&provenance_path, provenance_text.as_bytes())?;
        let record = atomic::stage(&results, record_text.as_bytes())?;
        staged.put()?;
        record.put()
    }

    /// The files of a record as a commit changes them, and the hash of the new `results.json`.
    pub(super) fn changes_of(
        &self,
        record: &Record,
        provenance: &Provenance,
    ) -> Result<([journal::Change; 2], Hash)> {
        let results = self.results(&record.question_id);
        let record_text = text(&results, record)?;
        let hash = Hash::of(record_text.as_bytes());
        let provenance = Provenance { record: Some(hash.clone()), site: self.site, ..provenance.clone() };
        let provenance_text = text(&results.with_file_name("provenance.json"), &provenance)?;
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
        atomic::write(&path, text(&path, &provenance)?.as_bytes())
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
        atomic::sweep(&self.dir)?;
        for folder in fs::read_dir(&self.dir).map_err(Error::file(&self.dir))? {
            let path = folder.map_err(Error::file(&self.dir))?.path();
            if path.is_dir() {
                atomic::sweep(&path)?;
            }
        }
        Evidence { folder: &self.dir.join("evidence") }.sweep()?;
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
        .map_err(atomic::unwritable(&path))?;
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
        Err(TryLockError::Error(error)) => return Err(atomic::unwritable(&path)(error)),
    }
    let mut write = || -> std::io::Result<()> {
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{}", std::process::id())
    };
    write().map_err(atomic::unwritable(&path))?;
    Ok(Lock(file))
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
        if let Some(text) = optional(&path)? {
            sites.insert(parse::<Record>(&path, &text)?.site);
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

/// What to do about a damaged file.
const MEND: &str = "restore the file from version control, or remove it and collect again";

/// A file's text; `None` when it is not there.
pub(super) fn optional(path: &Path) -> Result<Option<String>> {
    let Some(bytes) = optional_bytes(path)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        Error::Damaged {
            path: path.to_owned(),
            line: before.split(|byte| *byte == b'\n').count(),
            column: before.len() - line_start + 1,
            message: format!("this is not UTF-8; {MEND}"),
        }
    })
}

/// A file's bytes; `None` when it is not there.
pub(super) fn optional_bytes(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(path)(error)),
    }
}

/// Reads JSON, with the place of what is wrong.
pub(super) fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::Damaged {
        path: path.to_owned(),
        line: error.line(),
        column: error.column(),
        message: format!("{error}; {MEND}"),
    })
}

/// JSON for people and git.
pub(super) fn text<T: Serialize>(path: &Path, value: &T) -> Result<String> {
    pretty(value).map_err(|error| Error::Store {
        path: path.to_owned(),
        message: format!("cannot be written: {error}"),
    })
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
