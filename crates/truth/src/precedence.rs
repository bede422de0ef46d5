//! Source precedence: the page, then a response to the page's query, our own query, SQL, and a language model. A weaker
//! source never overwrites a stronger one. Imported values have no evidence, so they are weaker than values read from a
//! page.

use super::changes::RowChange;
use super::provenance::{Provenance, Stored};
use super::record::Record;
use super::row::Row;
pub use atlas_gt_core::source::Strength;

/// The strength of a record: that of its weakest value. Without provenance, that of its method.
#[must_use]
pub fn strength(record: &Record, provenance: Option<&Provenance>) -> Strength {
    let points = provenance.into_iter().flat_map(|provenance| &provenance.points);
    points.map(|point| point.channel.strength()).fold(record.source_method.strength(), Strength::min)
}

impl Stored {
    /// The strength of the record.
    #[must_use]
    pub fn strength(&self) -> Strength {
        strength(&self.record, self.provenance.as_ref())
    }
}

/// The strength of one row. Without provenance for the row, that of the whole record.
fn strength_of(row: &Row, record: &Record, provenance: Option<&Provenance>) -> Strength {
    let point = provenance.and_then(|provenance| provenance.of(row));
    point.map_or_else(
        || strength(record, provenance),
        |point| record.source_method.strength().min(point.channel.strength()),
    )
}

/// Whether a reading would replace a stronger source by a weaker one, row by row. A missing row has the strength of the
/// rest of its list, or of the whole reading.
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
            // A new row may not be weaker than the weakest existing one.
            let new = change.new.as_ref().map(|row| strength_of(row, record, Some(provenance)));
            return new.is_some_and(|new| new < stored.strength());
        };
        let old = strength_of(old, &stored.record, known);
        let new = match &change.new {
            Some(row) => strength_of(row, record, Some(provenance)),
            // The row was looked for in the same place as the rest of its list.
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
