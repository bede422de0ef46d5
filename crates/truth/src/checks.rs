//! `checks.jsonl`: one line per check of a question's page, so that a check without changes touches no other file. The
//! last line is the tally of the lines above it.

use std::collections::HashSet;

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::batch::Batch;
pub(super) use super::check::FILE;
pub use super::check::{Check, CheckOutcome};
use super::log;
use super::record::Record;
use super::seal::seal_command;
use super::store::Store;
use crate::error::Result;
use atlas_gt_core::question_id::QuestionId;

/// The problem of a missing file.
const MISSING: &str = "is missing";

/// All checks of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checks {
    /// In file order.
    pub checks: Vec<Check>,
}

impl Checks {
    /// The data release on the site, as of the last check that knows it.
    #[must_use]
    pub fn site_vintage(&self) -> Option<&str> {
        let known = self.checks.iter().filter(|check| check.site_vintage.is_some());
        known.max_by_key(|check| check.timestamp)?.site_vintage.as_deref()
    }

    /// The last successful check of a question.
    #[must_use]
    pub fn last_good(&self, id: &QuestionId) -> Option<Timestamp> {
        let good = self.checks.iter().filter(|check| check.outcome.is_good() && check.question_id == *id);
        good.map(|check| check.timestamp).max()
    }
}

/// Adds one check.
///
/// # Errors
/// The store cannot be written.
pub fn append(store: &Store, check: &Check) -> Result<()> {
    let mut batch = store.batch()?;
    batch.check(check)?;
    batch.write()
}

/// Adds the checks missing from the file and returns their number.
pub(super) fn add_missing(batch: &mut Batch<'_>, known: &Checks, checks: &[Check]) -> Result<usize> {
    let key = |check: &Check| (check.question_id.clone(), check.outcome, check.timestamp.as_second());
    let there: HashSet<_> = known.checks.iter().map(key).collect();
    let new: Vec<&Check> = checks.iter().filter(|check| !there.contains(&key(check))).collect();
    new.iter().try_for_each(|check| batch.check(check))?;
    Ok(new.len())
}

/// Reads all checks. A changed file is quarantined, and its readable lines still count.
///
/// # Errors
/// The file exists but cannot be read at all.
pub fn read(store: &Store) -> Result<Checks> {
    let path = store.dir().join(FILE);
    let is_whole = |read: &Result<Option<log::Entries>>| {
        read.as_ref().is_ok_and(|found| found.as_ref().is_some_and(|found| found.fault.is_none()))
    };
    let found = store.steady(|| log::read(&path), is_whole)?;
    let set_aside = |line: Option<usize>, what: &str| {
        let delete = if what == MISSING { "" } else { "delete it and " };
        let or = format!(", or {delete}start a new one with `{}`", seal_command(store.dir()));
        store.set_line_aside(&path, line, what, &or);
    };
    let mut checks = Checks::default();
    let Some(found) = found else {
        set_aside(None, MISSING);
        return Ok(checks);
    };
    let mut is_named = false;
    for (number, line) in found.lines() {
        match serde_json::from_slice(line) {
            Ok(check) => checks.checks.push(check),
            Err(error) => {
                is_named = true;
                set_aside(Some(number), &format!("{error}: this check does not count"));
            }
        }
    }
    if let Some(fault) = found.fault.filter(|_| !is_named) {
        set_aside(None, &fault);
    }
    Ok(checks)
}

/// When a question was last checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Age {
    /// The question.
    pub question_id: QuestionId,
    /// The later of the record's `execution_timestamp` and the last successful check.
    pub last_looked: Timestamp,
    /// When it becomes stale.
    pub stale_at: Timestamp,
    /// Whether it is stale now.
    pub stale: bool,
}

/// The age of a record. It is stale once `months` have passed; the default is [`STALE_AFTER_MONTHS`].
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
