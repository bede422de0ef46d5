//! Time order: no event of a record may precede the last known one. Otherwise a clock that ran backwards would end a
//! value before it began.

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

/// Why an event at `now` is refused; `None` if it is not before the last known event.
pub(super) fn before_last(id: &QuestionId, last: Timestamp, now: Timestamp) -> Option<String> {
    (now.as_second() < last.as_second()).then(|| {
        format!(
            "question {id}: the clock says {}, but its record already has {}: set the clock, then run again",
            time_text(now),
            time_text(last)
        )
    })
}
