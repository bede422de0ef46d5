//! Readings that differ from the truth and wait for `refresh --commit`: `pending/{question_id}.json`,
//! with all that is known about how they were read.

use std::fmt;
use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::atomic;
use super::evidence::Hash;
use super::journal;
use super::provenance::Provenance;
use super::record::{Record, whole_seconds};
use super::store::{Store, Stored, optional, parse, text};
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
    /// Hash of the record that it was compared with: it expires when the record is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Hash>,
    /// The record that it would become.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

/// Why a reading that waits counts no longer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expired {
    /// The record that it was compared with has been replaced since.
    RecordMovedOn,
    /// The site has brought out other data since.
    SiteMovedOn {
        /// The release that was read.
        read: String,
        /// The release that is out.
        now: String,
    },
}

impl fmt::Display for Expired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RecordMovedOn => f.write_str("the record has changed since it was read"),
            Self::SiteMovedOn { read, now } => {
                write!(f, "it was read from the release of {read}, and that of {now} is out")
            }
        }
    }
}

impl Pending {
    /// Whether it still counts, beside the record as it is now and the release that was last seen on the site.
    #[must_use]
    pub fn expired(&self, stored: Option<&Stored>, site_vintage: Option<&str>) -> Option<Expired> {
        if self.base.is_some() && self.base.as_ref() != stored.map(|stored| &stored.hash) {
            return Some(Expired::RecordMovedOn);
        }
        match (self.provenance.site_vintage(), site_vintage) {
            (Some(read), Some(now)) if read != now => {
                Some(Expired::SiteMovedOn { read: read.to_owned(), now: now.to_owned() })
            }
            _ => None,
        }
    }
}

fn file(id: &QuestionId) -> PathBuf {
    PathBuf::from("pending").join(format!("{id}.json"))
}

fn path(store: &Store, id: &QuestionId) -> PathBuf {
    store.dir().join(file(id))
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

/// The file of a reading that waits as a commit changes it: with what is left of it, or gone.
pub(super) fn change(store: &Store, id: &QuestionId, left: Option<&Pending>) -> Result<journal::Change> {
    let path = path(store, id);
    let left = left.map(|left| text(&path, left)).transpose()?;
    journal::Change::of(store.dir(), file(id), left)
}

/// Drops the reading that waits for a question, if there is one.
///
/// # Errors
/// When the store cannot be written.
pub fn drop(store: &Store, id: &QuestionId) -> Result<()> {
    store.writable()?;
    atomic::remove(&path(store, id))
}
