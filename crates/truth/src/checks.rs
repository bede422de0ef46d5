//! `checks.jsonl`: one line for every check of a question's page, so that looking again without change
//! touches nothing else; and how long ago the last good one was.

use std::collections::HashSet;
use std::path::PathBuf;

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};

use super::files::{line, optional_bytes, whole_seconds};
use super::record::Record;
use super::store::Store;
use crate::atomic_file;
use crate::error::Result;
use atlas_gt_core::question_id::QuestionId;

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// The same values.
    Unchanged,
    /// Other values; they are pending.
    Differs,
    /// A weaker source gave other values: a look at the page is due.
    Suspect,
    /// Nothing could be read. Neither a change nor a confirmation.
    Failed,
}

impl CheckOutcome {
    /// Whether the question was really looked at.
    #[must_use]
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Unchanged | Self::Differs)
    }
}

/// One check of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// When; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub timestamp: Timestamp,
    /// The question.
    #[serde(serialize_with = "integer_or_text")]
    pub question_id: QuestionId,
    /// What it came to.
    pub outcome: CheckOutcome,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The release of the site's data that was out, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_vintage: Option<String>,
}

/// Writes an id as reports do: an integer when it is one.
pub fn integer_or_text<S: serde::Serializer>(id: &QuestionId, serializer: S) -> Result<S::Ok, S::Error> {
    id.to_json().serialize(serializer)
}

/// All checks, and the lines that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checks {
    /// In the file's order.
    pub checks: Vec<Check>,
    /// What was wrong, line by line; a killed run leaves its last line torn.
    pub bad_lines: Vec<BadLine>,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: {message}")]
pub struct BadLine {
    /// The file, for a person.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl Checks {
    /// The release of the site's data that was out at the last look that knows it.
    #[must_use]
    pub fn site_vintage(&self) -> Option<&str> {
        let known = self.checks.iter().filter(|look| look.site_vintage.is_some());
        known.max_by_key(|look| look.timestamp)?.site_vintage.as_deref()
    }

    /// The last good look at a question.
    #[must_use]
    pub fn last_good(&self, id: &QuestionId) -> Option<Timestamp> {
        let good = self.checks.iter().filter(|look| look.outcome.is_good() && look.question_id == *id);
        good.map(|look| look.timestamp).max()
    }
}

fn path(store: &Store) -> PathBuf {
    store.dir().join("checks.jsonl")
}

/// Adds one look.
///
/// # Errors
/// When the store cannot be written.
pub fn append(store: &Store, check: &Check) -> Result<()> {
    store.writable()?;
    let path = path(store);
    atomic_file::append_line(&path, &line(&path, check)?)
}

/// Adds the looks that the file does not hold yet; returns how many there were.
pub(super) fn append_missing(store: &Store, known: &Checks, looks: &[Check]) -> Result<usize> {
    store.writable()?;
    let path = path(store);
    let key = |look: &Check| (look.question_id.clone(), look.outcome, look.timestamp.as_second());
    let there: HashSet<_> = known.checks.iter().map(key).collect();
    let is_known = |look: &&Check| there.contains(&key(look));
    let lines: Vec<String> =
        looks.iter().filter(|look| !is_known(look)).map(|look| line(&path, look)).collect::<Result<_>>()?;
    if !lines.is_empty() {
        atomic_file::append_line(&path, &lines.join("\n"))?;
    }
    Ok(lines.len())
}

/// Reads all checks; lines that cannot be read are reported and passed over.
///
/// # Errors
/// When the file is there and cannot be read at all.
pub fn read(store: &Store) -> Result<Checks> {
    let path = path(store);
    let mut checks = Checks::default();
    let bytes = optional_bytes(&path)?.unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
        match serde_json::from_slice(line) {
            Ok(look) => checks.checks.push(look),
            Err(error) => checks.bad_lines.push(BadLine {
                path: path.display().to_string(),
                line: at + 1,
                message: format!("{error}: the look is not counted; the line can be removed"),
            }),
        }
    }
    Ok(checks)
}

/// When a question was last looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Age {
    /// The question.
    pub question_id: QuestionId,
    /// The later of the record's `execution_timestamp` and the last good look.
    pub last_looked: Timestamp,
    /// When it becomes stale.
    pub stale_at: Timestamp,
    /// Whether it is.
    pub stale: bool,
}

/// The age of one record; `months` is [`STALE_AFTER_MONTHS`] unless configured. A record is stale from
/// the moment on at which the months are full.
///
/// [`STALE_AFTER_MONTHS`]: crate::config::STALE_AFTER_MONTHS
#[must_use]
pub fn age(record: &Record, checks: &Checks, months: u16, now: Timestamp) -> Age {
    let good = checks.last_good(&record.question_id);
    let last_looked = good.map_or(record.execution_timestamp, |good| good.max(record.execution_timestamp));
    let zoned = last_looked.to_zoned(TimeZone::UTC);
    let stale_at = Span::new()
        .try_months(i64::from(months))
        .and_then(|span| zoned.checked_add(span))
        .map_or(Timestamp::MAX, |zoned| zoned.timestamp());
    Age { question_id: record.question_id.clone(), last_looked, stale_at, stale: now >= stale_at }
}
