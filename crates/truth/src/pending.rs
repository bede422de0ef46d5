//! Readings that differ from the truth and wait for `refresh --commit`: `pending/{question_id}.json`, with their full
//! provenance.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::files::whole_seconds;
use super::provenance::{Provenance, Stored};
use super::quarantine::unreadable;
use super::queue::Queue;
use super::record::Record;
use super::store::Store;
use crate::error::Result;
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

/// A pending reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Pending {
    /// The question.
    pub question_id: QuestionId,
    /// When it was first seen, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub seen_at: Timestamp,
    /// Whether it comes from a weaker source than the truth. The page must be checked before it is accepted.
    pub suspect: bool,
    /// Hash of the record it was compared with. The reading expires when the record changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Hash>,
    /// The record it would become.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

/// Why a pending reading has expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expired {
    /// The record it was compared with has been replaced.
    RecordMovedOn,
    /// The site has published another release.
    SiteMovedOn {
        /// The release it was read from.
        read: String,
        /// The current release.
        now: String,
    },
}

impl fmt::Display for Expired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RecordMovedOn => f.write_str("the record has changed since it was read"),
            Self::SiteMovedOn { read, now } => {
                write!(f, "it was read from release {read}, but {now} is current")
            }
        }
    }
}

impl Pending {
    /// Why it has expired, if so, given the current record and the last known release.
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

pub(super) const QUEUE: Queue = Queue { folder: "pending", drop: "refresh --discard --question" };

/// The pending reading of a question.
///
/// # Errors
/// It cannot be read, or belongs to another question or site.
pub fn load(store: &Store, id: &QuestionId) -> Result<Option<Pending>> {
    let check = |waiting: &Pending| (waiting.question_id.clone(), waiting.record.site);
    QUEUE.load(store, id, &check).map_err(unreadable)
}

/// The questions with a pending reading, in order.
///
/// # Errors
/// The folder cannot be read.
pub fn ids(store: &Store) -> Result<Vec<QuestionId>> {
    QUEUE.ids(store)
}

/// Drops the pending reading of a question, if any, even an unreadable one.
///
/// # Errors
/// The store cannot be written.
pub fn drop(store: &Store, id: &QuestionId) -> Result<()> {
    QUEUE.drop(store, id)
}
