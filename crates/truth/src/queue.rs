//! Readings that wait for a person, one file a question in a folder of the store.

use std::fs;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::files::{optional, parse, text};
use super::journal::Change;
use super::record::Site;
use super::store::Store;
use crate::atomic_file;
use crate::error::{Error, Result};
use atlas_gt_core::question_id::QuestionId;

/// A folder with one file a question.
#[derive(Debug)]
pub(super) struct Queue {
    pub folder: &'static str,
}

impl Queue {
    fn file(&self, id: &QuestionId) -> PathBuf {
        PathBuf::from(self.folder).join(format!("{id}.json"))
    }

    fn path(&self, store: &Store, id: &QuestionId) -> PathBuf {
        store.dir().join(self.file(id))
    }

    /// What waits for a question; `owner` says which question and site it names itself.
    pub fn load<T: DeserializeOwned>(
        &self,
        store: &Store,
        id: &QuestionId,
        owner: &dyn Fn(&T) -> (QuestionId, Site),
    ) -> Result<Option<T>> {
        let path = self.path(store, id);
        let Some(text) = optional(&path)? else { return Ok(None) };
        let waiting = parse(&path, &text)?;
        let (own, site) = owner(&waiting);
        store.check_owner(&path, id, &own, site)?;
        Ok(Some(waiting))
    }

    /// The questions that something waits for, in order.
    pub fn ids(&self, store: &Store) -> Result<Vec<QuestionId>> {
        let folder = store.dir().join(self.folder);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::file(folder)(error)),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let name = entry.map_err(Error::file(&folder))?.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(".json"));
            ids.extend(id.and_then(|id| id.parse::<QuestionId>().ok()));
        }
        ids.sort();
        Ok(ids)
    }

    /// Keeps what waits for a question.
    pub fn save<T: Serialize>(&self, store: &Store, id: &QuestionId, waiting: &T) -> Result<()> {
        store.writable()?;
        let path = self.path(store, id);
        atomic_file::write_atomic(&path, text(&path, waiting)?.as_bytes())
    }

    /// Its file as a commit changes it: with what is left, or gone.
    pub fn change<T: Serialize>(&self, store: &Store, id: &QuestionId, left: Option<&T>) -> Result<Change> {
        let path = self.path(store, id);
        let left = left.map(|left| text(&path, left)).transpose()?;
        Change::of(store.dir(), self.file(id), left)
    }

    /// Drops what waits for a question, if anything does.
    pub fn drop(&self, store: &Store, id: &QuestionId) -> Result<()> {
        store.writable()?;
        atomic_file::remove(&self.path(store, id))
    }
}
