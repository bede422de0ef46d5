//! The database: an SQLite file beside the store, or PostgreSQL, behind one type. Checked-in migrations create the
//! tables.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, PgConnection, PgPool, SqlSafeStr, SqlitePool};

/// A database error.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be opened or reached.
    #[error("database {place}: {source}: check the address, and that the database runs and can be opened")]
    Open {
        /// Its address without the password.
        place: String,
        /// The driver's error.
        source: sqlx::Error,
    },
    /// Its tables could not be migrated.
    #[error("database: a migration failed: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A query failed.
    #[error("database: {0}")]
    Query(#[from] sqlx::Error),
}

/// The result of a database operation.
pub type DatabaseResult<T> = std::result::Result<T, DatabaseError>;

/// A connection pool to either database.
#[derive(Debug, Clone)]
pub enum Database {
    /// An SQLite file.
    Sqlite(SqlitePool),
    /// A PostgreSQL server.
    Postgres(PgPool),
}

/// Runs the same statement on either database. Both use the placeholders `$1`, `$2`, ….
macro_rules! on_both {
    ($database:expr, $pool:ident => $run:expr) => {
        match $database {
            $crate::database::Database::Sqlite($pool) => $run,
            $crate::database::Database::Postgres($pool) => $run,
        }
    };
}
pub(crate) use on_both;

macro_rules! migrations {
    ($($name:literal),+) => {
        [$((
            include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        )),+]
    };
}

/// All migrations, for SQLite and PostgreSQL. The version is the position in the list, from 1.
const MIGRATIONS: [(&str, &str); 4] =
    migrations!["0001_request_traces", "0002_trace_details", "0003_desk", "0004_failure_verdicts"];

/// The default database file of a store.
#[must_use]
pub fn beside(store: &Path) -> PathBuf {
    file_beside(store, ".traces.db")
}

/// A file beside a store, not in it, because the store is under version control.
pub(crate) fn file_beside(store: &Path, ending: &str) -> PathBuf {
    let mut name = store.file_name().unwrap_or_else(|| "store".as_ref()).to_owned();
    name.push(ending);
    store.with_file_name(name)
}

impl Database {
    /// Opens a database and migrates its tables. `address` is `postgres://…` or an SQLite file, which is created if
    /// missing.
    ///
    /// # Errors
    /// It cannot be opened, or has a newer version.
    pub async fn open(address: &str) -> DatabaseResult<Self> {
        let database = Self::connect(address, false).await?;
        database.migrate(MIGRATIONS.len()).await?;
        Ok(database)
    }

    /// Like [`Database::open`], but returns `None` for an SQLite file that does not exist.
    ///
    /// # Errors
    /// See [`Database::open`].
    pub async fn find(address: &str) -> DatabaseResult<Option<Self>> {
        // an empty file is no database yet
        let is_there = Path::new(address).metadata().is_ok_and(|file| file.len() > 0);
        match is_server(address) || is_there {
            true => Self::open(address).await.map(Some),
            false => Ok(None),
        }
    }

    /// An empty database that is never written to a file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub async fn in_memory() -> DatabaseResult<Self> {
        // Each connection would have a database of its own.
        let pool = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let database = Self::Sqlite(pool.connect("sqlite::memory:").await?);
        database.migrate(MIGRATIONS.len()).await?;
        Ok(database)
    }

    /// Opens the database of another program. Nothing is created or written.
    ///
    /// # Errors
    /// It cannot be opened.
    pub async fn read_only(address: &str) -> DatabaseResult<Self> {
        Self::connect(address, true).await
    }

    async fn connect(address: &str, read_only: bool) -> DatabaseResult<Self> {
        let open = |source| DatabaseError::Open { place: without_password(address), source };
        if is_server(address) {
            let mut options = PgConnectOptions::from_str(address).map_err(open)?;
            if read_only {
                options = options.options([("default_transaction_read_only", "on")]);
            }
            // A pool would retry for ten seconds what one attempt reports at once.
            let first = PgConnection::connect_with(&options).await.map_err(open)?;
            first.close().await.map_err(open)?;
            let pool = PgPoolOptions::new().max_connections(8).acquire_timeout(Duration::from_secs(10));
            return pool.connect_with(options).await.map(Self::Postgres).map_err(open);
        }
        let folder =
            Path::new(address).parent().filter(|folder| !read_only && !folder.as_os_str().is_empty());
        folder.map(std::fs::create_dir_all).transpose().map_err(|error| open(sqlx::Error::Io(error)))?;
        let options = SqliteConnectOptions::new()
            .filename(address)
            .create_if_missing(!read_only)
            .read_only(read_only)
            .busy_timeout(Duration::from_secs(10));
        // Acknowledged writes survive a power failure.
        let options = match read_only {
            true => options,
            false => options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full),
        };
        let pool = SqlitePoolOptions::new().max_connections(8).connect_with(options).await;
        pool.map(Self::Sqlite).map_err(open)
    }

    /// Applies the first `versions` migrations.
    async fn migrate(&self, versions: usize) -> DatabaseResult<()> {
        let list = MIGRATIONS.iter().zip(1..).take(versions).map(|((sqlite, postgres), version)| {
            let sql: &'static str = if matches!(self, Self::Sqlite(_)) { sqlite } else { postgres };
            Migration::new(version, "".into(), MigrationType::Simple, sql.into_sql_str(), false)
        });
        let migrator = Migrator::with_migrations(list.collect());
        on_both!(self, pool => migrator.run(pool).await?);
        Ok(())
    }

    /// Closes all connections. All writes are in the file.
    pub async fn close(&self) {
        on_both!(self, pool => pool.close().await);
    }
}

/// Whether the address is that of a PostgreSQL server.
fn is_server(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

/// An address without its password, for display.
fn without_password(address: &str) -> String {
    match url::Url::parse(address) {
        Ok(mut url) if url.password().is_some() => {
            let _ = url.set_password(Some("***"));
            url.to_string()
        }
        _ => address.to_owned(),
    }
}

#[cfg(test)]
#[path = "../tests/server/postgres/mod.rs"]
mod postgres;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A new database in a folder.
    pub(crate) async fn in_folder(folder: &Path) -> Database {
        Database::open(folder.join("traces.db").to_str().unwrap()).await.unwrap()
    }

    /// Makes the tables of every earlier version in a database of its own, with a row, and opens it.
    async fn migrated_from_every_version(addresses: [String; MIGRATIONS.len() - 1]) {
        for (version, address) in (1..).zip(&addresses) {
            let old = Database::connect(address, false).await.unwrap();
            old.migrate(version).await.unwrap();
            let insert = "INSERT INTO request_traces (thread_id, question, tool_calls) VALUES ('t', 'q', '[\"query_tool\"]')";
            on_both!(&old, pool => { sqlx::query(insert).execute(pool).await.unwrap(); });
            let reviewed = version == 3;
            if reviewed {
                let insert = "INSERT INTO failure_reviews (failure, class, reviewed_by, reviewed_at, reason) \
                              VALUES ('f', 'infrastructure', 'me', 1, 'down')";
                on_both!(&old, pool => { sqlx::query(insert).execute(pool).await.unwrap(); });
            }
            old.close().await;
            let new = Database::open(address).await.unwrap();
            let query = "SELECT count(*) FROM request_traces WHERE CAST(id AS TEXT) LIKE '________-____-4___-____-____________' \
                         AND budget_used IS NULL";
            let rows: i64 = on_both!(&new, pool => sqlx::query_scalar(query).fetch_one(pool).await.unwrap());
            assert_eq!(rows, 1, "from version {version}");
            let query = "SELECT count(*) FROM failure_verdicts WHERE failure = 'f' AND reason = 'down'";
            let kept: i64 = on_both!(&new, pool => sqlx::query_scalar(query).fetch_one(pool).await.unwrap());
            assert_eq!(kept, i64::from(reviewed), "from version {version}");
            // a second time nothing is left to do
            new.close().await;
            Database::open(address).await.unwrap();
        }
    }

    #[tokio::test]
    async fn tables_of_every_earlier_version_are_brought_up_with_their_rows() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        migrated_from_every_version([file("1.db"), file("2.db"), file("3.db")]).await;
    }

    #[tokio::test]
    #[ignore = "slow: it starts a PostgreSQL"]
    async fn tables_of_every_earlier_version_are_brought_up_in_postgresql() {
        let server = postgres::Postgres::start().await;
        let addresses =
            [server.database("one").await, server.database("two").await, server.database("three").await];
        migrated_from_every_version(addresses).await;
    }

    #[tokio::test]
    async fn a_moment_that_would_not_sort_and_json_that_is_none_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let database = in_folder(folder.path()).await;
        for values in
            ["'t', 'q', NULL, '2026-11-26 10:00:00'", "'t', 'q', 'query_tool', '2026-11-26T10:00:00.000Z'"]
        {
            let insert = format!(
                "INSERT INTO request_traces (thread_id, question, tool_calls, created_at) VALUES ({values})"
            );
            let Database::Sqlite(pool) = &database else { unreachable!() };
            let error = sqlx::query(sqlx::AssertSqlSafe(insert)).execute(pool).await.unwrap_err();
            assert!(error.to_string().contains("CHECK constraint failed"), "{error}");
        }
    }

    #[test]
    fn a_password_is_not_shown_and_the_file_lies_beside_the_store() {
        assert_eq!(without_password("postgres://me:secret@db/app"), "postgres://me:***@db/app");
        assert_eq!(beside(Path::new("out/twin")), Path::new("out/twin.traces.db"));
    }
}
