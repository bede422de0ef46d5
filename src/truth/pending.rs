//! Readings that differ from the truth and wait for `refresh --commit`: `pending/{question_id}.json`,
//! with all that is known about how they were read.

use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::atomic;
use super::provenance::Provenance;
use super::record::{Record, whole_seconds};
use super::store::{Store, optional, parse, text};
use crate::error::{Error, Result};
use crate::manifest::QuestionId;

/// A reading that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// The question.
    pub question_id: QuestionId,
    /// When it was first seen; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub seen_at: Timestamp,
    /// It comes from a weaker source than the truth: the page is to be looked at before it is taken.
    pub suspect: bool,
    /// The record that it would become.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

fn path(store: &Store, id: &QuestionId) -> PathBuf {
    store.dir().join("pending").join(format!("{id}.json"))
}

/// The reading that waits for a question.
///
/// # Errors
/// When it is damaged.
pub fn load(store: &Store, id: &QuestionId) -> Result<Option<Pending>> {
    let path = path(store, id);
    optional(&path)?.map(|text| parse(&path, &text)).transpose()
}

/// The questions that a reading waits for, in order.
///
/// # Errors
/// When the folder cannot be read.
pub fn ids(store: &Store) -> Result<Vec<QuestionId>> {
    let folder = store.dir().join("pending");
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

/// Keeps a reading.
pub(super) fn save(store: &Store, pending: &Pending) -> Result<()> {
    store.writable()?;
    let path = path(store, &pending.question_id);
    atomic::write(&path, text(&path, pending)?.as_bytes())
}

/// Drops the reading that waits for a question, if there is one.
///
/// # Errors
/// When the store cannot be written.
pub fn drop(store: &Store, id: &QuestionId) -> Result<()> {
    store.writable()?;
    atomic::remove(&path(store, id))
}
