//! `checks.jsonl`: one line for every check of a question's page, so that looking again without change
//! touches nothing else; and how long ago the last good one was. Its last line is the tally of the lines above it.

use std::collections::HashSet;

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::files::whole_seconds;
use super::log;
use super::record::Record;
use super::store::Store;
use crate::error::Result;
use atlas_gt_core::question_id::QuestionId;

/// The file.
pub(super) const FILE: &str = "checks.jsonl";

/// The outcome of a look at a question's page, as a line of `checks.jsonl` keeps it: whether the record still held. What became
/// of the reading in the store is another outcome.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// The same values.
    Unchanged,
    /// Other values; they are pending.
    Differs,
    /// A weaker source gave other values: the page should be checked.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Check {
    /// When; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub timestamp: Timestamp,
    /// The question.
    #[serde(serialize_with = "integer_or_text")]
    #[schemars(schema_with = "integer_or_text_schema")]
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

/// The schema of an id that [`integer_or_text`] writes.
pub fn integer_or_text_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": ["integer", "string"] })
}

/// All checks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checks {
    /// In the file's order.
    pub checks: Vec<Check>,
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

/// Adds one check.
///
/// # Errors
/// When the store cannot be written.
pub fn append(store: &Store, check: &Check) -> Result<()> {
    let mut batch = store.batch()?;
    batch.check(check)?;
    batch.write()
}

/// Adds the checks that the file lacks; returns how many there are.
pub(super) fn add_missing(batch: &mut Batch<'_>, known: &Checks, looks: &[Check]) -> Result<usize> {
    let key = |look: &Check| (look.question_id.clone(), look.outcome, look.timestamp.as_second());
    let there: HashSet<_> = known.checks.iter().map(key).collect();
    let new: Vec<&Check> = looks.iter().filter(|look| !there.contains(&key(look))).collect();
    new.iter().try_for_each(|look| batch.check(look))?;
    Ok(new.len())
}

/// Reads all checks. A file that is not as it was written is quarantined; what can be read of it counts.
///
/// # Errors
/// When the file is there and cannot be read at all.
pub fn read(store: &Store) -> Result<Checks> {
    let path = store.dir().join(FILE);
    let is_whole = |read: &Result<Option<log::Entries>>| {
        read.as_ref().is_ok_and(|found| found.as_ref().is_some_and(|found| found.fault.is_none()))
    };
    let found = store.steady(|| log::read(&path), is_whole)?;
    let set_aside = |line: Option<usize>, what: &str| store.set_line_aside(&path, line, what);
    let mut checks = Checks::default();
    let Some(found) = found else {
        set_aside(None, "is gone");
        return Ok(checks);
    };
    let mut is_named = false;
    for (number, line) in found.lines() {
        match serde_json::from_slice(line) {
            Ok(look) => checks.checks.push(look),
            Err(error) => {
                is_named = true;
                set_aside(Some(number), &format!("{error}: the check does not count"));
            }
        }
    }
    if let Some(fault) = found.fault.filter(|_| !is_named) {
        set_aside(None, &fault);
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
