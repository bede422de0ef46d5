//! The order of time in a record's history: nothing is filed before the last time that it knows. A clock that ran backwards
//! would otherwise end a value before it began.

use jiff::Timestamp;

use super::files::time_text;
use super::provenance::{Provenance, Stored};
use super::record::Record;
use atlas_gt_core::question_id::QuestionId;

/// When the newest value of a record was read.
pub(super) fn last_read(record: &Record, provenance: Option<&Provenance>) -> Timestamp {
    let points = provenance.into_iter().flat_map(Provenance::readings).map(|point| point.read_at);
    points.fold(record.execution_timestamp, Timestamp::max)
}

impl Stored {
    /// When its newest value was read.
    #[must_use]
    pub(crate) fn last_read(&self) -> Timestamp {
        last_read(&self.record, self.provenance.as_ref())
    }
}

/// Why nothing is filed of a record at a time; none where that is not before the last time that it knows.
pub(super) fn before_last(id: &QuestionId, last: Timestamp, now: Timestamp) -> Option<String> {
    (now.as_second() < last.as_second()).then(|| {
        format!(
            "question {id}: it is {} by the clock, and its record knows of {}: set the clock, then run again",
            time_text(now),
            time_text(last)
        )
    })
}
