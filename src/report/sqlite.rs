//! Exports a store as SQL tables: `records`, `data_points`, `changes` and `checks`, the `questions`
//! of a manifest, and evaluations. Views answer the most frequent queries.

use std::path::Path;

use serde_json::{Map, Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, Row as _};

use super::output::{self, APPLICATION_ID, unusable};
pub use super::sqlite_rows::WrittenTables;
use super::sqlite_rows::{Rows, fields, text, with};
use super::sqlite_runs;
use crate::atomic_file::write_atomic;
use crate::error::{Error, Result};
use crate::manifest::{Behavior, Manifest, ManifestQuestion};
use crate::truth::{Row, Store, changelog, checks, time_text};

/// Each number is exact decimal text, with a REAL beside it for calculations. Times are RFC 3339.
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

/// The five most frequent queries: current values, failures of the last run, results of each run by
/// category, revisions by the site, and the records longest unchecked.
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
         sum(coalesce(a.verdict, 'error') <> 'unscored') AS decided,
         round(100.0 * sum(a.verdict = 'pass') / sum(coalesce(a.verdict, 'error') <> 'unscored'), 1) AS percent
  FROM answers a JOIN runs r USING (run) GROUP BY a.run, r.started, a.category;
CREATE VIEW revisions AS
  SELECT timestamp, question_id, field, old, new, reason FROM changes AS one
  WHERE kind = 'revision' AND coalesce(reason, '') NOT LIKE 'taken back%'
    AND NOT EXISTS (
      SELECT 1 FROM changes AS back
      WHERE back.question_id = one.question_id AND back.field IS one.field AND back.old IS one.new AND back.new IS one.old
        AND back.timestamp >= one.timestamp AND back.reason LIKE 'taken back%');
CREATE VIEW last_visits AS
  SELECT r.question_id, r.atlas_url, max(r.execution_timestamp, coalesce(max(c.timestamp), '')) AS last_visit
  FROM records r LEFT JOIN checks c USING (question_id) GROUP BY r.question_id;
";

/// The sources of an export.
#[derive(Debug, Clone, Copy)]
pub struct TableSource<'a> {
    /// The store.
    pub store: &'a Store,
    /// A manifest, to export its questions.
    pub manifest: Option<&'a Manifest>,
    /// The folder of evaluation runs. It may be missing.
    pub runs: &'a Path,
    /// The folder of spot check reports. It may be missing.
    pub spot_checks: &'a Path,
}

/// Writes each table and view to a folder as a CSV file, with column names in the first line.
///
/// # Errors
/// Same as [`export`]. Or a file exists that no export wrote, and `overwrite` is false; then nothing is written.
pub fn export_csv(source: TableSource<'_>, folder: &Path, overwrite: bool) -> Result<WrittenTables> {
    let staged = tempfile::Builder::new().prefix(".atlas-gt-export-").tempdir_in(folder);
    let staged = staged.map_err(Error::named(folder))?;
    let file = staged.path().join("tables.db");
    let written = export(source, &file)?;
    let broken = |error: sqlx::Error| Error::file(folder)(std::io::Error::other(error.to_string()));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::file(folder))?;
    let files = runtime.block_on(csv_files(&file)).map_err(broken)?;
    let place = |name: &str| folder.join(format!("{name}.csv"));
    if !overwrite {
        files.iter().try_for_each(|(name, text)| output::check_csv(&place(name), text))?;
    }
    files.iter().try_for_each(|(name, text)| write_atomic(&place(name), text))?;
    Ok(written)
}

async fn csv_files(file: &Path) -> sqlx::Result<Vec<(String, Vec<u8>)>> {
    let mut connection: SqliteConnection = SqliteConnectOptions::new().filename(file).connect().await?;
    let names = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name";
    let names: Vec<String> = sqlx::query_scalar(names).fetch_all(&mut connection).await?;
    let mut files = Vec::new();
    for name in names {
        // `name` is from TABLES or VIEWS
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

/// Writes a store, and the questions of a manifest if there is one, to an SQLite file. Replaces an
/// existing file.
///
/// # Errors
/// The store cannot be read, or the file cannot be created or completed.
pub fn export(source: TableSource<'_>, file: &Path) -> Result<WrittenTables> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let staged = tempfile::Builder::new()
        .prefix(".atlas-gt-export-")
        .tempfile_in(folder)
        .map_err(|error| unusable(file, folder, error.kind()))?;
    let broken = |error: sqlx::Error| {
        let said = format!("cannot be written as SQLite ({error}): free some space, or name another file");
        Error::file(file)(std::io::Error::other(said))
    };
    let Export { rows, written } = rows(source)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::file(file))?;
    runtime.block_on(write(staged.path(), &rows)).map_err(broken)?;
    staged.as_file().sync_all().map_err(Error::file(file))?;
    staged.persist(file).map_err(|error| unusable(file, folder, error.error.kind()))?;
    Ok(written)
}

/// Rows to write, with their counts.
struct Export {
    rows: Rows,
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
    // one transaction for all rows: a transaction per row would take a second per thousand
    sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
    let columns = "SELECT t.name, c.name, c.type = 'REAL' FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'";
    let columns: Vec<(String, String, bool)> = sqlx::query_as(columns).fetch_all(&mut connection).await?;
    for (table, row) in rows {
        let columns: Vec<_> = columns.iter().filter(|(of, ..)| of == table).collect();
        // names come from TABLES, values are bound
        let insert = format!("INSERT INTO {table} VALUES ({})", vec!["?"; columns.len()].join(", "));
        let insert = sqlx::query(sqlx::AssertSqlSafe(insert));
        let query = columns.iter().fold(insert, |query, (_, name, is_real)| match text(row.get(name)) {
            Some(number) if *is_real => query.bind(number.parse::<f64>().ok()),
            text => query.bind(text),
        });
        query.execute(&mut connection).await?;
    }
    sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
    connection.close().await
}

fn rows(source: TableSource<'_>) -> Result<Export> {
    let TableSource { store, manifest, runs, spot_checks } = source;
    let mut rows = Rows::new();
    let mut written = WrittenTables::default();
    for stored in store.records()? {
        let record = &stored.record;
        rows.push(("records", fields(record)));
        written.records += 1;
        for row in &record.results.data {
            let point = stored.provenance.as_ref().and_then(|provenance| provenance.of(row));
            let interval = point.and_then(|point| point.interval);
            let more = json!({
                "question_id": record.question_id,
                "field": row.field(),
                "number_real": row.number,
                "extra": (!row.extra.is_empty()).then_some(&row.extra),
                "low": interval.map(|interval| interval.low),
                "high": interval.map(|interval| interval.high),
                "precise": point.and_then(|point| point.precise.as_ref()).map(|precise| precise.number),
                "imported_from": point.and_then(|point| point.imported.as_ref()).map(ToString::to_string),
            });
            let own = Row { extra: Map::new(), ..row.clone() };
            let point = point.map(fields).unwrap_or_default();
            rows.push(("data_points", with(with(point, json!(own)), more)));
            written.values += 1;
        }
    }
    for entry in changelog::read(store)? {
        let evidence = |side: &Option<changelog::Side>| side.as_ref().and_then(|side| side.evidence.clone());
        let read_at = |side: &Option<changelog::Side>| side.as_ref().map(|side| time_text(side.read_at));
        let more = json!({
            // a changelog entry without a run stays without one
            "run": entry.line.run,
            "old_evidence": evidence(&entry.before),
            "new_evidence": evidence(&entry.after),
            "old_read_at": read_at(&entry.before),
            "new_read_at": read_at(&entry.after),
        });
        rows.push(("changes", with(fields(&entry), more)));
        written.changes += 1;
    }
    for look in checks::read(store)?.checks {
        rows.push(("checks", fields(&look)));
        written.checks += 1;
    }
    sqlite_runs::rows(runs, spot_checks, &mut rows, &mut written)?;
    written.quarantined = store.quarantined();
    if let Some(manifest) = manifest {
        rows.extend(manifest.questions().map(|one| ("questions", question(one))));
        written.questions = Some(manifest.questions().count());
    }
    Ok(Export { rows, written })
}

/// A manifest question, with a page or with an expected behavior.
fn question(one: ManifestQuestion<'_>) -> Map<String, Value> {
    let extractor = one.entry.filter(|entry| entry.derive.is_none()).map(|entry| &entry.extractor);
    let row = json!({
        "question_id": one.id,
        "source": one.source,
        "atlas_url": one.address(),
        "extractor": extractor,
        "expected_behavior": one.behavior.and_then(Behavior::expected),
    });
    with(fields(one.info), row)
}
