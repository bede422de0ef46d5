//! A record that is read again after its files were removed. Where it differs from the changelog's last entries, that is a
//! change like any other, so that its history has no gap.

use jiff::Timestamp;

use super::changelog::{self, ChangelogEntry, READ_AGAIN, written};
use super::commit::side;
use super::provenance::Provenance;
use super::record::Record;
use super::store::Store;
use crate::error::Result;
use crate::value::Context;

/// The changelog entries of a new record whose question the changelog knows.
///
/// # Errors
/// The changelog cannot be read.
pub(super) fn entries(
    store: &Store,
    new: &Record,
    provenance: &Provenance,
    now: Timestamp,
) -> Result<Vec<ChangelogEntry>> {
    let mut last: Vec<ChangelogEntry> = Vec::new();
    for entry in changelog::of(store, &new.question_id)? {
        match last.iter_mut().find(|known| known.field == entry.field) {
            Some(known) => *known = entry,
            None => last.push(entry),
        }
    }
    let differs = |known: ChangelogEntry| {
        let row = new.results.data.iter().find(|row| row.field() == known.field);
        let context = row.and_then(|row| provenance.of(row)).map(|point| point.context.clone());
        let value = written(row);
        (value != known.new).then(|| ChangelogEntry {
            timestamp: now,
            old: known.new,
            new: value,
            source: new.source_method,
            run: String::new(),
            kind: None,
            reason: Some(READ_AGAIN.to_owned()),
            by: None,
            context: context.filter(|context| *context != Context::default()),
            before: known.after,
            after: row.map(|row| side(row, new, Some(provenance))),
            ..known
        })
    };
    Ok(last.into_iter().filter_map(differs).collect())
}
