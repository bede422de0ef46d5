//! A store as tables for SQL: `records`, `data_points`, `changes` and `checks`, the `questions` of a manifest, and evaluations. Views
//! answer what is asked most often.

use std::path::Path;

use serde::Serialize;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Row as _};

use super::output::unusable;
use super::sqlite_runs;
use crate::error::{Error, Result};
use crate::manifest::Manifest;
use crate::sql_row as row;
use crate::truth::{Quarantined, Store, changelog, checks, time_text};
use crate::words;

/// How much was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WrittenTables {
    /// Rows of `records`.
    pub records: usize,
    /// Rows of `data_points`.
    pub values: usize,
    /// Rows of `changes`.
    pub changes: usize,
    /// Rows of `checks`.
    pub checks: usize,
    /// Rows of `runs`.
    pub runs: usize,
    /// Rows of `answers`.
    pub answers: usize,
    /// Spot checks; `spot_checks` has a row a data point.
    pub spot_checks: usize,
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
CREATE TABLE data_points (
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
CREATE INDEX data_points_by_question ON data_points (question_id, field);
CREATE INDEX data_points_by_point ON data_points (data_point, country);
CREATE INDEX changes_by_question ON changes (question_id, field, timestamp);
CREATE INDEX checks_by_question ON checks (question_id, timestamp);
";

/// The five questions that are asked most often: what is true now; what the last run got wrong; how each run did, by category; what the
/// site revised; what was not looked at for longest.
const VIEWS: &str = "
CREATE VIEW truth_now AS
  SELECT d.question_id, q.question_text, d.country, d.data_point, d.field, d.value, d.year, d.low, d.high, d.read_at
  FROM data_points d LEFT JOIN questions q USING (question_id);
CREATE VIEW last_run_failures AS
  SELECT question_id, question_text, verdict, reason, answer, error FROM answers
  WHERE run = (SELECT run FROM runs WHERE cases = 'manifest' ORDER BY started DESC, run DESC LIMIT 1)
    AND coalesce(verdict, 'error') <> 'pass';
CREATE VIEW pass_rates AS
  SELECT a.run, r.started, coalesce(a.category, '') AS category, count(*) AS answers, sum(a.verdict = 'pass') AS passed,
         round(100.0 * sum(a.verdict = 'pass') / count(*), 1) AS percent
  FROM answers a JOIN runs r USING (run) GROUP BY a.run, r.started, a.category;
CREATE VIEW revisions AS
  SELECT timestamp, question_id, field, old, new, reason FROM changes WHERE kind = 'revision';
CREATE VIEW last_visits AS
  SELECT r.question_id, r.atlas_url, max(r.execution_timestamp, coalesce(max(c.timestamp), '')) AS last_visit
  FROM records r LEFT JOIN checks c USING (question_id) GROUP BY r.question_id;
";

/// What is written.
#[derive(Debug, Clone, Copy)]
pub struct TableSource<'a> {
    /// The store.
    pub store: &'a Store,
    /// A manifest whose questions are written.
    pub manifest: Option<&'a Manifest>,
    /// Folder of the runs of evaluations; it need not be there.
    pub runs: &'a Path,
    /// Folder of the reports of spot checks; it need not be there.
    pub spot_checks: &'a Path,
}

/// Writes each table and view as a CSV file into a folder, with the names of the columns in the first line.
///
/// # Errors
/// As [`export`].
pub fn export_csv(source: TableSource<'_>, folder: &Path) -> Result<WrittenTables> {
    let staged = tempfile::Builder::new().prefix(".atlas-gt-export-").tempdir_in(folder);
    let staged = staged.map_err(Error::named(folder))?;
    let file = staged.path().join("tables.db");
    let written = export(source, &file)?;
    let broken = |error: sqlx::Error| Error::file(folder)(std::io::Error::other(error.to_string()));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::file(folder))?;
    for (name, text) in runtime.block_on(csv_files(&file)).map_err(broken)? {
        crate::atomic_file::write_atomic(&folder.join(format!("{name}.csv")), &text)?;
    }
    Ok(written)
}

async fn csv_files(file: &Path) -> sqlx::Result<Vec<(String, Vec<u8>)>> {
    let mut connection: SqliteConnection = SqliteConnectOptions::new().filename(file).connect().await?;
    let names = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name";
    let names: Vec<String> = sqlx::query_scalar(names).fetch_all(&mut connection).await?;
    let mut files = Vec::new();
    for name in names {
        // a name of TABLES or VIEWS
        let columns = format!("SELECT name FROM pragma_table_info('{name}')");
        let columns: Vec<String> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(columns)).fetch_all(&mut connection).await?;
        let all = sqlx::AssertSqlSafe(format!("SELECT * FROM {name}"));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let failed = |error: csv::Error| sqlx::Error::Protocol(error.to_string());
        writer.write_record(&columns).map_err(failed)?;
        for row in sqlx::query(all).fetch_all(&mut connection).await? {
            let cell = |at| row.try_get_unchecked::<Option<String>, _>(at).map(Option::unwrap_or_default);
            let cells: Vec<String> = (0..columns.len()).map(cell).collect::<sqlx::Result<_>>()?;
            writer.write_record(&cells).map_err(failed)?;
        }
        let text = writer.into_inner().map_err(|error| sqlx::Error::Protocol(error.to_string()))?;
        files.push((name, text));
    }
    connection.close().await?;
    Ok(files)
}

/// Writes a store to a new SQLite file, which takes the place of whatever is there; with a manifest its questions too.
///
/// # Errors
/// The store cannot be read; the file cannot be made where it is named, or not be written to its end.
pub fn export(source: TableSource<'_>, file: &Path) -> Result<WrittenTables> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let staged = tempfile::Builder::new()
        .prefix(".atlas-gt-export-")
        .tempfile_in(folder)
        .map_err(|error| unusable(file, folder, error.kind()))?;
    let broken = |error: sqlx::Error| {
        let said = format!("cannot be written as SQLite ({error}): make room, or name another file");
        Error::file(file)(std::io::Error::other(said))
    };
    let rows = rows(source)?;
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

/// A row: its table and its cells.
pub(super) type Row = (&'static str, Vec<Cell>);

/// A cell of a table.
pub(super) enum Cell {
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

/// The cells of a row.
#[macro_export]
#[doc(hidden)]
macro_rules! sql_row {
    ($($cell:expr),+ $(,)?) => { vec![$(Cell::from($cell)),+] };
}

/// What is written.
struct Rows {
    all: Vec<Row>,
    written: WrittenTables,
}

async fn write(file: &Path, rows: &Rows) -> sqlx::Result<()> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .pragma("application_id", APPLICATION_ID.to_string())
        .journal_mode(SqliteJournalMode::Off)
        .synchronous(SqliteSynchronous::Off);
    let mut connection: SqliteConnection = options.connect().await?;
    for tables in [TABLES, sqlite_runs::TABLES, VIEWS] {
        sqlx::raw_sql(tables).execute(&mut connection).await?;
    }
    // without a journal nothing could be rolled back, and one statement a transaction would take a second a thousand
    sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
    for (table, cells) in &rows.all {
        // the names are those of TABLES, the cells are bound
        let insert = format!("INSERT INTO {table} VALUES ({})", vec!["?"; cells.len()].join(", "));
        let insert = sqlx::query(sqlx::AssertSqlSafe(insert));
        let query = cells.iter().fold(insert, |query, cell| match cell {
            Cell::Text(text) => query.bind(text.as_deref()),
            Cell::Real(number) => query.bind(*number),
        });
        query.execute(&mut connection).await?;
    }
    sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
    connection.close().await
}

fn rows(source: TableSource<'_>) -> Result<Rows> {
    let TableSource { store, manifest, runs, spot_checks } = source;
    let mut all = Vec::new();
    let mut written = WrittenTables::default();
    for stored in store.records()? {
        let record = &stored.record;
        let id = &record.question_id;
        all.push((
            "records",
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
                "data_points",
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
            "changes",
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
            "checks",
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
    sqlite_runs::rows(runs, spot_checks, &mut all, &mut written)?;
    written.quarantined = store.quarantined();
    written.questions = manifest.map(|manifest| questions(manifest, &mut all));
    Ok(Rows { all, written })
}

/// The questions of a manifest: those with a page, and those with an expected behavior.
fn questions(manifest: &Manifest, all: &mut Vec<Row>) -> usize {
    for entry in &manifest.entries {
        all.push((
            "questions",
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
            "questions",
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
