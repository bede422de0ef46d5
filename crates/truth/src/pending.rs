//! Readings that differ from the truth and wait for `refresh --commit`: `pending/{question_id}.json`,
//! with all that is known about how they were read.

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

/// A reading that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Pending {
    /// The question.
    pub question_id: QuestionId,
    /// When it was first seen; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub seen_at: Timestamp,
    /// It comes from a weaker source than the truth: the page must be checked before it is accepted.
    pub suspect: bool,
    /// Hash of the record that it was compared with: it expires when the record is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Hash>,
    /// The record that it would become.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

/// Why a pending reading no longer counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expired {
    /// The record that it was compared with has been replaced since.
    RecordMovedOn,
    /// The site has released other data since.
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

pub(super) const QUEUE: Queue = Queue { folder: "pending", drop: "refresh --discard --question" };

/// The reading that waits for a question.
///
/// # Errors
/// When it cannot be read, or is of another question or site.
pub fn load(store: &Store, id: &QuestionId) -> Result<Option<Pending>> {
    let check = |waiting: &Pending| (waiting.question_id.clone(), waiting.record.site);
    QUEUE.load(store, id, &check).map_err(unreadable)
}

/// The questions that a reading waits for, in order.
///
/// # Errors
/// When the folder cannot be read.
pub fn ids(store: &Store) -> Result<Vec<QuestionId>> {
    QUEUE.ids(store)
}

/// Drops the reading that waits for a question, if there is one, whether it can be read or not.
///
/// # Errors
/// When the store cannot be written.
pub fn drop(store: &Store, id: &QuestionId) -> Result<()> {
    QUEUE.drop(store, id)
}
