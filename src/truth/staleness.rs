//! How long ago a question was looked at. The clock is handed in.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::checks::Checks;
use super::record::Record;
use crate::manifest::QuestionId;

/// A record is stale after so many months without a look.
pub const STALE_AFTER_MONTHS: i64 = 6;

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
#[must_use]
pub fn age(record: &Record, checks: &Checks, months: i64, now: Timestamp) -> Age {
    let good = checks.last_good(&record.question_id);
    let last_looked = good.map_or(record.execution_timestamp, |good| good.max(record.execution_timestamp));
    let zoned = last_looked.to_zoned(TimeZone::UTC);
    let stale_at = Span::new()
        .try_months(months)
        .and_then(|span| zoned.checked_add(span))
        .map_or(Timestamp::MAX, |zoned| zoned.timestamp());
    Age { question_id: record.question_id.clone(), last_looked, stale_at, stale: now >= stale_at }
}
