//! A store as tables for SQL: `records`, `values`, `changes` and `checks`, and the `questions` of a manifest.

use std::path::Path;

use serde::Serialize;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::output::unusable;
use crate::error::{Error, Result};
use crate::manifest::Manifest;
use crate::truth::{Quarantined, Store, changelog, checks, time_text};
use crate::words;

/// How much was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Written {
    /// Rows of `records`.
    pub records: usize,
    /// Rows of `values`.
    pub values: usize,
    /// Rows of `changes`.
    pub changes: usize,
    /// Rows of `checks`.
    pub checks: usize,
    /// Rows of `questions`; none without a manifest.
    pub questions: Option<usize>,
    /// Records that cannot be read; they are in no table.
    pub quarantined: Vec<Quarantined>,
}

/// Numbers are exact decimals as text, and beside it as REAL to reckon with; moments are RFC 3339.
const TABLES: &str = "
CREATE TABLE records (
  question_id TEXT PRIMARY KEY, execution_timestamp TEXT NOT NULL, source TEXT NOT NULL, source_method TEXT NOT NULL,
  atlas_url TEXT NOT NULL, site TEXT NOT NULL, expected_tool TEXT, expected_query_type TEXT
);
CREATE TABLE \"values\" (
  question_id TEXT NOT NULL REFERENCES records, field TEXT NOT NULL, data_point TEXT NOT NULL, metric TEXT NOT NULL,
  country TEXT NOT NULL, value TEXT, absence TEXT, number TEXT, number_real REAL, unit TEXT, year TEXT, extra TEXT,
  displayed TEXT, low TEXT, high TEXT, precise TEXT, channel TEXT, agreement TEXT, evidence TEXT, settled_url TEXT,
  site_vintage TEXT, extractor TEXT, read_at TEXT, imported_from TEXT
);
CREATE TABLE changes (
  timestamp TEXT NOT NULL, question_id TEXT NOT NULL, field TEXT NOT NULL, old TEXT, new TEXT, source TEXT NOT NULL,
  run TEXT, kind TEXT, reason TEXT, old_evidence TEXT, new_evidence TEXT, old_read_at TEXT, new_read_at TEXT
);
CREATE TABLE checks (
  timestamp TEXT NOT NULL, question_id TEXT NOT NULL, outcome TEXT NOT NULL, detail TEXT, site_vintage TEXT
);
CREATE TABLE questions (
  question_id TEXT PRIMARY KEY, question_text TEXT, category TEXT, difficulty TEXT, source TEXT, expected_tool TEXT,
  expected_query_type TEXT, atlas_url TEXT, extractor TEXT, expected_behavior TEXT
);
CREATE INDEX values_by_question ON \"values\" (question_id, field);
CREATE INDEX changes_by_question ON changes (question_id, field, timestamp);
CREATE INDEX checks_by_question ON checks (question_id, timestamp);
";

/// Writes a store to a new SQLite file, which takes the place of whatever is there; with a manifest its questions too.
///
/// # Errors
/// The store cannot be read; the file cannot be made where it is named, or not be written to its end.
pub fn export(store: &Store, manifest: Option<&Manifest>, file: &Path) -> Result<Written> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let staged = tempfile::Builder::new()
        .prefix(".atlas-gt-export-")
        .tempfile_in(folder)
        .map_err(|error| unusable(file, folder, error.kind()))?;
    let broken = |error: sqlx::Error| {
        let said = format!("cannot be written as SQLite ({error}): make room, or name another file");
        Error::file(file)(std::io::Error::other(said))
    };
    let rows = rows(store, manifest)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::file(file))?;
    runtime.block_on(write(staged.path(), &rows)).map_err(broken)?;
    staged.as_file().sync_all().map_err(Error::file(file))?;
    staged.persist(file).map_err(|error| unusable(file, folder, error.error.kind()))?;
    Ok(rows.written)
}

/// What an SQLite file says of the program that it belongs to: `ATGT`.
const APPLICATION_ID: u32 = 0x4154_4754;

/// Whether a file is an export of this program.
pub(super) fn is_export(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0") && bytes.get(68..72) == Some(&APPLICATION_ID.to_be_bytes())
}

/// A cell of a table.
enum Cell {
    Text(Option<String>),
    Real(Option<f64>),
}

impl<T: Into<String>> From<Option<T>> for Cell {
    fn from(text: Option<T>) -> Self {
        Self::Text(text.map(Into::into))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(Some(text))
    }
}

macro_rules! row {
    ($($cell:expr),+ $(,)?) => { vec![$(Cell::from($cell)),+] };
}

/// What is written: the statement of each row and its cells.
struct Rows {
    all: Vec<(&'static str, Vec<Cell>)>,
    written: Written,
}

async fn write(file: &Path, rows: &Rows) -> sqlx::Result<()> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .pragma("application_id", APPLICATION_ID.to_string())
        .journal_mode(SqliteJournalMode::Off)
        .synchronous(SqliteSynchronous::Off);
    let mut connection: SqliteConnection = options.connect().await?;
    sqlx::raw_sql(TABLES).execute(&mut connection).await?;
    // without a journal nothing could be rolled back, and one statement a transaction would take a second a thousand
    sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
    for (insert, cells) in &rows.all {
        let query = cells.iter().fold(sqlx::query(*insert), |query, cell| match cell {
            Cell::Text(text) => query.bind(text.as_deref()),
            Cell::Real(number) => query.bind(*number),
        });
        query.execute(&mut connection).await?;
    }
    sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
    connection.close().await
}

const RECORD: &str = "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const VALUE: &str = "INSERT INTO \"values\" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, \
                     ?18, ?19, ?20, ?21, ?22, ?23, ?24)";
const CHANGE: &str = "INSERT INTO changes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
const CHECK: &str = "INSERT INTO checks VALUES (?1, ?2, ?3, ?4, ?5)";
const QUESTION: &str = "INSERT INTO questions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

fn rows(store: &Store, manifest: Option<&Manifest>) -> Result<Rows> {
    let mut all = Vec::new();
    let mut written = Written::default();
    for stored in store.records()? {
        let record = &stored.record;
        let id = &record.question_id;
        all.push((
            RECORD,
            row![
                id.as_str(),
                time_text(record.execution_timestamp),
                record.source.clone(),
                words::name(&record.source_method),
                record.atlas_url.clone(),
                words::name(&record.site),
                record.expected_tool.as_ref().map(words::name),
                record.expected_query_type.clone(),
            ],
        ));
        written.records += 1;
        for row in &record.results.data {
            let point = stored.provenance.as_ref().and_then(|provenance| provenance.of(row));
            let interval = point.and_then(|point| point.interval);
            let extra =
                (!row.extra.is_empty()).then(|| serde_json::Value::Object(row.extra.clone()).to_string());
            all.push((
                VALUE,
                row![
                    id.as_str(),
                    row.field(),
                    row.data_point.clone(),
                    row.metric.clone(),
                    row.country.clone(),
                    row.value.clone(),
                    row.absence.as_ref().map(words::name),
                    row.number.map(|number| number.to_string()),
                    Cell::Real(row.number.and_then(|number| number.to_string().parse::<f64>().ok())),
                    row.unit.as_ref().map(words::name),
                    row.year.clone(),
                    extra,
                    point.and_then(|point| point.displayed.clone()),
                    interval.map(|interval| interval.low.to_string()),
                    interval.map(|interval| interval.high.to_string()),
                    point.and_then(|point| point.precise.as_ref()).map(|precise| precise.number.to_string()),
                    point.map(|point| words::name(&point.channel)),
                    point.and_then(|point| point.agreement.as_ref()).map(words::name),
                    point.and_then(|point| point.evidence.as_ref()).map(ToString::to_string),
                    point.and_then(|point| point.settled_url.clone()),
                    point.and_then(|point| point.site_vintage.clone()),
                    point.and_then(|point| point.extractor.clone()),
                    point.map(|point| time_text(point.read_at)),
                    point.and_then(|point| point.imported.as_ref()).map(ToString::to_string),
                ],
            ));
            written.values += 1;
        }
    }
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    for entry in changelog::read(store)? {
        let evidence = |side: &Option<changelog::Side>| {
            side.as_ref().and_then(|side| side.evidence.as_ref()).map(ToString::to_string)
        };
        let read_at = |side: &Option<changelog::Side>| side.as_ref().map(|side| time_text(side.read_at));
        all.push((
            CHANGE,
            row![
                time_text(entry.timestamp),
                entry.question_id.as_str(),
                entry.field.clone(),
                text(&entry.old),
                text(&entry.new),
                words::name(&entry.source),
                entry.run.clone(),
                entry.kind.as_ref().map(words::name),
                entry.reason.clone(),
                evidence(&entry.before),
                evidence(&entry.after),
                read_at(&entry.before),
                read_at(&entry.after),
            ],
        ));
        written.changes += 1;
    }
    for look in checks::read(store)?.checks {
        all.push((
            CHECK,
            row![
                time_text(look.timestamp),
                look.question_id.as_str(),
                words::name(&look.outcome),
                look.detail.clone(),
                look.site_vintage.clone(),
            ],
        ));
        written.checks += 1;
    }
    written.quarantined = store.quarantined();
    written.questions = manifest.map(|manifest| questions(manifest, &mut all));
    Ok(Rows { all, written })
}

/// The questions of a manifest: those with a page, and those with an expected behavior.
fn questions(manifest: &Manifest, all: &mut Vec<(&'static str, Vec<Cell>)>) -> usize {
    for entry in &manifest.entries {
        all.push((
            QUESTION,
            row![
                entry.question_id.as_str(),
                entry.question_text.clone(),
                entry.category.clone(),
                entry.difficulty.as_ref().map(words::name),
                entry.source.clone(),
                entry.expected_tool.as_ref().map(words::name),
                entry.expected_query_type.clone(),
                entry.url.to_string(),
                entry.derive.is_none().then(|| entry.extractor.clone()),
                None::<String>,
            ],
        ));
    }
    for behavior in &manifest.behaviors {
        all.push((
            QUESTION,
            row![
                behavior.question_id.as_str(),
                behavior.question_text.clone(),
                behavior.category.clone(),
                behavior.difficulty.as_ref().map(words::name),
                behavior.source.clone(),
                behavior.expected_tool.as_ref().map(words::name),
                behavior.expected_query_type.clone(),
                behavior.atlas_url.clone(),
                None::<String>,
                behavior.expected(),
            ],
        ));
    }
    manifest.entries.len() + manifest.behaviors.len()
}
