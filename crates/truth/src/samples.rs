//! Sample records and stores for the tests of this crate.

use jiff::Timestamp;
use rust_decimal::Decimal;
use tempfile::TempDir;

use super::*;
use atlas_gt_core::question_id::QuestionId;

pub(super) const NOON: &str = "2026-11-20T12:00:00Z";

pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(super) fn id(text: &str) -> QuestionId {
    text.parse().unwrap()
}

/// A store of the live site in a temporary folder.
pub(super) fn store() -> (TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), Site::Live).unwrap();
    (dir, store)
}

/// Accepts the chosen fields of a pending reading; `None` if nothing is pending.
pub(super) fn accept(
    store: &Store,
    id: &QuestionId,
    chosen: &dyn Fn(&str) -> bool,
    force: Option<&Reason>,
    now: Timestamp,
) -> crate::error::Result<Option<Vec<RowChange>>> {
    store.writable()?;
    if pending::load(store, id)?.is_none() {
        return Ok(None);
    }
    let prepared = commit::prepare(store, id, &|change, _| chosen(&change.field), force)?;
    let Some(prepared) = prepared else { return Ok(Some(Vec::new())) };
    let taken = prepared.taken.iter().map(|taken| taken.change.clone()).collect();
    commit::commit(store, &[prepared], &CommitRun { id: "by hand".to_owned(), now, by: None })?;
    Ok(Some(taken))
}

impl Store {
    /// Writes a record and its provenance.
    pub(super) fn save(&self, record: &Record, provenance: &Provenance) -> crate::error::Result<()> {
        let mut batch = self.batch()?;
        batch.record(record, provenance)?;
        batch.write()
    }
}

pub(super) fn row(point: &str, value: &str, number: i64) -> Row {
    Row {
        data_point: point.into(),
        metric: point.replace('_', " "),
        country: "Kenya".into(),
        value: Some(value.into()),
        number: Some(Decimal::from(number)),
        ..Row::default()
    }
}

/// A record read from a country page.
pub(super) fn record(question: &str, rows: Vec<Row>) -> Record {
    Record {
        question_id: id(question),
        execution_timestamp: at("2026-03-01T00:00:00Z"),
        source: "atlas_country_page".into(),
        source_method: SourceMethod::BrowserCountryPage,
        atlas_url: "https://atlas.hks.harvard.edu/countries/404".into(),
        site: Site::Live,
        expected_tool: None,
        expected_query_type: None,
        results: Results { data: rows },
    }
}

/// The provenance of a record, all values through one channel.
pub(super) fn provenance(record: &Record, channel: Channel, evidence: Option<Hash>) -> Provenance {
    let at = record.execution_timestamp;
    let point = |row: &Row| PointProvenance {
        displayed: row.value.clone(),
        evidence: evidence.clone(),
        tool_version: None,
        ..PointProvenance::of_row(row, crate::value::Context::default(), channel, at)
    };
    Provenance::of_points(record, record.results.data.iter().map(point).collect())
}

/// All files below a folder with their bytes, except the lock.
pub(super) fn files(dir: &std::path::Path) -> std::collections::BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.file_name().unwrap() != ".lock" {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}
