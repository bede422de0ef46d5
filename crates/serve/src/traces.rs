//! The table `request_traces`: writes rows, reads the columns for figures, reads failures, and deletes old rows.

use std::collections::{BTreeSet, HashSet};

use futures::TryStreamExt;
use serde::Serialize;
use sqlx::{AssertSqlSafe, Row};

use crate::database::{Database, DatabaseResult, on_both};
use crate::trace_row::TraceRow;

/// Columns in addition to the seed's nine. A table that the agent maintains may lack them.
const DETAILS: [(&str, &str); 7] = [
    ("budget_used", "INTEGER"),
    ("budget_limit", "INTEGER"),
    ("breaker", "TEXT"),
    ("input_tokens", "BIGINT"),
    ("output_tokens", "BIGINT"),
    ("cost_usd", "DOUBLE PRECISION"),
    ("feedback", "SMALLINT"),
];

/// `created_at` in milliseconds since 1970.
const AT_SQLITE: &str =
    "CAST(strftime('%s', created_at) AS INTEGER) * 1000 + CAST(substr(created_at, 21, 3) AS INTEGER)";
const AT_POSTGRES: &str = "CAST(floor(extract(epoch FROM created_at) * 1000) AS BIGINT)";

/// The value of `created_at` for `$1` milliseconds since 1970.
const MOMENT_SQLITE: &str =
    "strftime('%Y-%m-%dT%H:%M:%S', $1 / 1000, 'unixepoch') || printf('.%03dZ', $1 % 1000)";
const MOMENT_POSTGRES: &str = "to_timestamp($1::bigint / 1000.0)";

/// The written columns.
const COLUMNS: &str = "id, thread_id, question, tool_calls, node_sequence, pipeline_used, latency_ms, error, created_at, \
     budget_used, budget_limit, breaker, input_tokens, output_tokens, cost_usd, feedback";

/// The same with their types, from JSON.
const FROM_POSTGRES: &str = "SELECT * FROM jsonb_to_recordset($1::jsonb) AS sent(id uuid, thread_id text, question text, tool_calls jsonb, \
     node_sequence jsonb, pipeline_used text, latency_ms integer, error text, created_at timestamptz, budget_used integer, \
     budget_limit integer, breaker text, input_tokens bigint, output_tokens bigint, cost_usd double precision, feedback smallint)";

/// The columns that an update may change.
const UPDATED: [&str; 7] =
    ["tool_calls", "node_sequence", "pipeline_used", "latency_ms", "error", "input_tokens", "output_tokens"];

/// The traces of a database, or of another program's table.
#[derive(Debug, Clone)]
pub struct Traces {
    database: Database,
    /// The columns of [`DETAILS`] in the table.
    details: BTreeSet<&'static str>,
}

/// The columns of a request that figures need.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRow {
    /// Milliseconds since 1970.
    pub at: i64,
    /// Milliseconds from question to answer.
    pub latency_ms: Option<i32>,
    /// Whether it failed.
    pub failed: bool,
    /// The pipeline.
    pub pipeline: Option<String>,
    /// Calls used of the budget.
    pub budget_used: Option<i32>,
    /// The budget's limit.
    pub budget_limit: Option<i32>,
    /// State of the circuit breaker.
    pub breaker: Option<String>,
}

/// The rows to read for figures.
#[derive(Debug, Clone, Copy)]
pub enum RowRange {
    /// Rows since a time, up to a row number if rows are numbered.
    Since {
        /// Milliseconds since 1970.
        moment: i64,
        /// The last row number.
        through: Option<i64>,
    },
    /// Rows after one row number up to another. SQLite only.
    After {
        /// The row number before the first one.
        row: i64,
        /// The last row number.
        through: i64,
    },
}

/// A request that failed or was slow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedRow {
    /// Its id.
    pub id: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// The question.
    pub question: String,
    /// The error; `None` if it was only slow.
    pub error: Option<String>,
    /// Names of the tools, as JSON.
    pub tool_calls: Option<String>,
    /// The pipeline.
    pub pipeline: Option<String>,
    /// Milliseconds from question to answer.
    pub latency_ms: Option<i32>,
}

impl Traces {
    /// Detects the columns of the table.
    ///
    /// # Errors
    /// The table does not exist or is not readable.
    pub async fn new(database: Database) -> DatabaseResult<Self> {
        let names: Vec<String> = match &database {
            Database::Sqlite(pool) => {
                sqlx::query_scalar("SELECT name FROM pragma_table_info('request_traces')")
                    .fetch_all(pool)
                    .await?
            }
            Database::Postgres(pool) => {
                let query = "SELECT attname::text FROM pg_attribute WHERE attrelid = 'request_traces'::regclass AND attnum > 0 AND NOT attisdropped";
                sqlx::query_scalar(query).fetch_all(pool).await?
            }
        };
        let has = |name: &&str| names.iter().any(|known| known == name);
        let details = DETAILS.iter().map(|(name, _)| *name).filter(has).collect();
        Ok(Self { database, details })
    }

    /// A column, or null if the table lacks it.
    fn detail(&self, name: &'static str) -> String {
        match DETAILS.iter().find(|(known, _)| *known == name) {
            Some((_, kind)) if !self.details.contains(name) => format!("CAST(NULL AS {kind})"),
            _ => name.to_owned(),
        }
    }

    const fn at(&self) -> &'static str {
        if matches!(self.database, Database::Sqlite(_)) { AT_SQLITE } else { AT_POSTGRES }
    }

    const fn moment(&self) -> &'static str {
        if matches!(self.database, Database::Sqlite(_)) { MOMENT_SQLITE } else { MOMENT_POSTGRES }
    }

    /// Writes rows in one transaction. A row with a known id is skipped, or with `updates`, updated if it differs.
    /// Returns the ids of the written rows.
    ///
    /// # Errors
    /// The database rejects them. None is written then.
    pub async fn write(&self, rows: &[TraceRow], updates: bool) -> DatabaseResult<HashSet<String>> {
        let json = serde_json::to_string(rows).map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
        let insert = self.insert(updates);
        let written: Vec<String> = on_both!(&self.database, pool => {
            // The text contains no input, only the column names above.
            sqlx::query_scalar(AssertSqlSafe(insert)).bind(json).fetch_all(pool).await?
        });
        Ok(written.into_iter().collect())
    }

    /// The statement that writes rows from JSON.
    fn insert(&self, updates: bool) -> String {
        let from = match &self.database {
            Database::Sqlite(_) => {
                let field = |name: &str| format!("json_extract(value, '$.{name}')");
                let fields: Vec<String> = COLUMNS.split(", ").map(field).collect();
                format!("SELECT {} FROM json_each($1) WHERE true", fields.join(", "))
            }
            Database::Postgres(_) => FROM_POSTGRES.to_owned(),
        };
        let texts = |of: &str| UPDATED.map(|name| format!("CAST({of}.{name} AS TEXT)")).join(", ");
        let conflict = match updates {
            true => format!(
                "DO UPDATE SET {} WHERE ({}) IS DISTINCT FROM ({})",
                UPDATED.map(|name| format!("{name} = excluded.{name}")).join(", "),
                texts("request_traces"),
                texts("excluded")
            ),
            false => "DO NOTHING".to_owned(),
        };
        format!(
            "INSERT INTO request_traces ({COLUMNS}) {from} ON CONFLICT (id) {conflict} RETURNING CAST(id AS TEXT)"
        )
    }

    /// The number of the newest row, if the database numbers rows in the order of writing, as SQLite does.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn last_row(&self) -> DatabaseResult<Option<i64>> {
        match &self.database {
            Database::Sqlite(pool) => {
                let query = "SELECT coalesce(max(rowid), 0) FROM request_traces";
                Ok(Some(sqlx::query_scalar(query).fetch_one(pool).await?))
            }
            Database::Postgres(_) => Ok(None),
        }
    }

    /// Streams the newest `most` rows of a range, newest first.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn each_row(
        &self,
        which: RowRange,
        most: i64,
        mut take: impl FnMut(FigureRow),
    ) -> DatabaseResult<()> {
        let (condition, from, through) = match which {
            RowRange::Since { moment, through } => {
                (format!("created_at >= {}", self.moment()), moment, through)
            }
            RowRange::After { row, through } => ("rowid > $1".to_owned(), row, Some(through)),
        };
        let up_to = if through.is_some() { "AND rowid <= $3" } else { "" };
        let query = format!(
            "SELECT {}, latency_ms, error IS NOT NULL, pipeline_used, {}, {}, {} FROM request_traces \
             WHERE {condition} {up_to} ORDER BY created_at DESC LIMIT $2",
            self.at(),
            self.detail("budget_used"),
            self.detail("budget_limit"),
            self.detail("breaker"),
        );
        on_both!(&self.database, pool => {
            // The text contains no input, only the column names above.
            let query = sqlx::query(AssertSqlSafe(query)).bind(from).bind(most);
            let query = if through.is_some() { query.bind(through) } else { query };
            let mut rows = query.fetch(pool);
            while let Some(row) = rows.try_next().await? {
                take(FigureRow {
                    at: row.try_get(0)?,
                    latency_ms: row.try_get(1)?,
                    failed: row.try_get(2)?,
                    pipeline: row.try_get(3)?,
                    budget_used: row.try_get(4)?,
                    budget_limit: row.try_get(5)?,
                    breaker: row.try_get(6)?,
                });
            }
        });
        Ok(())
    }

    /// Streams the newest `most` requests since a time that failed or took longer than `slow_ms`, newest first.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn failed(
        &self,
        since: i64,
        slow_ms: f64,
        most: i64,
        mut take: impl FnMut(FailedRow),
    ) -> DatabaseResult<()> {
        let query = format!(
            "SELECT CAST(id AS TEXT), {}, question, error, CAST(tool_calls AS TEXT), pipeline_used, latency_ms FROM request_traces \
             WHERE created_at >= {} AND (error IS NOT NULL OR latency_ms > $2) ORDER BY created_at DESC LIMIT $3",
            self.at(),
            self.moment(),
        );
        on_both!(&self.database, pool => {
            let mut rows = sqlx::query(AssertSqlSafe(query)).bind(since).bind(slow_ms).bind(most).fetch(pool);
            while let Some(row) = rows.try_next().await? {
                take(FailedRow {
                    id: row.try_get(0)?,
                    at: row.try_get(1)?,
                    question: row.try_get(2)?,
                    error: row.try_get(3)?,
                    tool_calls: row.try_get(4)?,
                    pipeline: row.try_get(5)?,
                    latency_ms: row.try_get(6)?,
                });
            }
        });
        Ok(())
    }

    /// Deletes rows older than a time and returns their number.
    ///
    /// # Errors
    /// The table cannot be written.
    pub async fn delete_before(&self, moment: i64) -> DatabaseResult<u64> {
        let query = format!("DELETE FROM request_traces WHERE created_at < {}", self.moment());
        Ok(on_both!(&self.database, pool => {
            sqlx::query(AssertSqlSafe(query)).bind(moment).execute(pool).await?.rows_affected()
        }))
    }
}
