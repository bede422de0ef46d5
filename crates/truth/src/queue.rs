//! Queues of readings that wait for a person: folders of the store with one file per question.

use std::fs;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::batch::Batch;
use super::files::{if_there, optional, parse_or, text};
use super::record::Site;
use super::store::Store;
use crate::error::{Error, Result};
use atlas_gt_core::command_line::store_command;
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

/// A folder with one file per question.
#[derive(Debug)]
pub(super) struct Queue {
    pub folder: &'static str,
    /// The command that drops a question's file. The question's id follows.
    pub drop: &'static str,
}

impl Queue {
    fn name(&self, id: &QuestionId) -> String {
        format!("{}/{id}.json", self.folder)
    }

    fn path(&self, store: &Store, id: &QuestionId) -> PathBuf {
        store.dir().join(self.name(id))
    }

    /// Whether a file of the store belongs to the queue.
    pub fn holds(&self, name: &str) -> bool {
        self.id(name).is_some()
    }

    /// The question of a file; `None` if the file does not belong to the queue.
    fn id(&self, name: &str) -> Option<QuestionId> {
        name.strip_prefix(self.folder)?.strip_prefix('/')?.strip_suffix(".json")?.parse().ok()
    }

    /// Loads a question's file. `owner` returns the question and site that the file names.
    pub fn load<T: DeserializeOwned>(
        &self,
        store: &Store,
        id: &QuestionId,
        owner: &dyn Fn(&T) -> (QuestionId, Site),
    ) -> Result<Option<T>> {
        store.steady(|| self.load_file(store, id, owner), Result::is_ok)
    }

    fn load_file<T: DeserializeOwned>(
        &self,
        store: &Store,
        id: &QuestionId,
        owner: &dyn Fn(&T) -> (QuestionId, Site),
    ) -> Result<Option<T>> {
        let path = self.path(store, id);
        let left_with = store.left_with(&self.name(id));
        let remedy = format!(
            "restore it from version control, or drop it (`{}`)",
            store_command(&format!("{} {id}", self.drop), store.dir())
        );
        let wrong =
            |what: &str| Err(Error::Store { path: path.clone(), message: format!("{what}: {remedy}") });
        let Some(text) = optional(&path)? else {
            return if left_with.is_some() { wrong("is missing") } else { Ok(None) };
        };
        let waiting = parse_or(&path, &text, &remedy)?;
        let (own, site) = owner(&waiting);
        store.check_owner(&path, id, &own, site)?;
        match left_with {
            Some(hash) if hash == Hash::of(text.as_bytes()) => Ok(Some(waiting)),
            Some(_) => wrong("was changed since it was written"),
            None => wrong("is not known to `site.json`"),
        }
    }

    /// The questions in the queue, in order.
    pub fn ids(&self, store: &Store) -> Result<Vec<QuestionId>> {
        let folder = store.dir().join(self.folder);
        // A missing file counts too, so that it is reported.
        let mut ids: Vec<QuestionId> = store.marker().files.keys().filter_map(|name| self.id(name)).collect();
        for entry in if_there(&folder, fs::read_dir(&folder))?.into_iter().flatten() {
            let name = entry.map_err(Error::file(&folder))?.file_name();
            ids.extend(name.to_str().and_then(|name| self.id(&format!("{}/{name}", self.folder))));
        }
        ids.sort();
        ids.dedup();
        Ok(ids)
    }

    /// Writes or removes a question's file.
    pub fn put<T: Serialize>(
        &self,
        batch: &mut Batch<'_>,
        id: &QuestionId,
        waiting: Option<&T>,
    ) -> Result<()> {
        let name = self.name(id);
        let after = waiting.map(|waiting| text(&PathBuf::from(&name), waiting)).transpose()?;
        batch.file(&name, after)
    }

    /// Stores a question's file.
    pub fn save<T: Serialize>(&self, store: &Store, id: &QuestionId, waiting: &T) -> Result<()> {
        let mut batch = store.batch()?;
        self.put(&mut batch, id, Some(waiting))?;
        batch.write()
    }

    /// Drops a question's file, if any, even an unreadable one.
    pub fn drop(&self, store: &Store, id: &QuestionId) -> Result<()> {
        let mut batch = store.batch()?;
        self.put::<()>(&mut batch, id, None)?;
        batch.write()
    }

    /// Registers a file that an older version left without an entry in `site.json`.
    pub(crate) fn adopt(&self, batch: &mut Batch<'_>, store: &Store, id: &QuestionId) -> Result<()> {
        let name = self.name(id);
        match optional(&store.dir().join(&name))? {
            Some(text) if store.left_with(&name).is_none() => batch.file(&name, Some(text)),
            _ => Ok(()),
        }
    }
}
