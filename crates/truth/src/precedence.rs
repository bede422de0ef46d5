//! Which source may replace which: the page over a response to the page's query, that over our own
//! query, that over SQL, and all over a language model. The weaker never overwrites the stronger. What was imported has no
//! evidence: it is weaker than what was read of a page.

use super::changes::RowChange;
use super::provenance::{Provenance, Stored};
use super::record::{Record, Row};
pub use atlas_gt_core::source::Strength;

/// The strength of a record: that of its weakest value. Without provenance its method alone counts.
#[must_use]
pub fn strength(record: &Record, provenance: Option<&Provenance>) -> Strength {
    let points = provenance.into_iter().flat_map(|provenance| &provenance.points);
    points.map(|point| point.channel.strength()).fold(record.source_method.strength(), Strength::min)
}

impl Stored {
    /// What the record is worth, by its provenance where that fits, else by its method alone.
    #[must_use]
    pub fn strength(&self) -> Strength {
        strength(&self.record, self.provenance.as_ref())
    }
}

/// What one row of a record is worth; as much as the whole record where nothing says how it was read.
fn strength_of(row: &Row, record: &Record, provenance: Option<&Provenance>) -> Strength {
    let point = provenance.and_then(|provenance| provenance.of(row));
    point.map_or_else(
        || strength(record, provenance),
        |point| record.source_method.strength().min(point.channel.strength()),
    )
}

/// Whether a reading would put a weaker source in the place of a stronger one, row by row. A row that is gone counts
/// by the whole reading.
#[must_use]
pub(crate) fn weakens<'a>(
    stored: &Stored,
    record: &Record,
    provenance: &Provenance,
    changes: impl IntoIterator<Item = &'a RowChange>,
) -> bool {
    let known = stored.provenance.as_ref();
    changes.into_iter().any(|change| {
        let Some(old) = &change.old else {
            // a new row beside the old ones: no weaker than the weakest of them
            let new = change.new.as_ref().map(|row| strength_of(row, record, Some(provenance)));
            return new.is_some_and(|new| new < stored.strength());
        };
        let old = strength_of(old, &stored.record, known);
        let new = match &change.new {
            Some(row) => strength_of(row, record, Some(provenance)),
            // what is gone was looked for where the rest of its list was
            None => {
                let rest = record
                    .results
                    .data
                    .iter()
                    .filter(|row| Some(row.data_point.as_str()) == change.data_point());
                rest.map(|row| strength_of(row, record, Some(provenance)))
                    .min()
                    .unwrap_or_else(|| strength(record, Some(provenance)))
            }
        };
        new < old
    })
}
