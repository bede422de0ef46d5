//! `atlas-gt traces`: imports production traces from files into the desk's database.

use std::path::{Path, PathBuf};

use atlas_gt_serve::database::{self, Database, DatabaseError};
use atlas_gt_serve::import::TraceSource;
use atlas_gt_serve::traces::Traces;
use jiff::Timestamp;

use super::eval_output::Runs;
use super::print::print_report;
use super::settings::{self, Shared};
use crate::config::{Config, Settings};
use crate::error::{Error, Exit, Result};
use crate::evaluate::run::RunFolder;
use crate::input;
use crate::report::print_status;
use crate::workflow::Clock;
use atlas_gt_core::command_line::flag;

/// Import production traces into the desk's database
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt traces import agent.log\n  atlas-gt traces import latest --runs runs"
)]
pub(super) struct TracesArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Import a file of traces, or the answers of an evaluation run; existing traces are kept
    ///
    /// Each line holds a trace, a list of traces, or an OTLP request. In a log, lines with a `trace` are read.
    Import {
        /// The file, `-` for standard input; or a run: its name, its folder, or `latest`
        #[arg(value_name = "FILE|RUN")]
        from: String,
        #[command(flatten)]
        runs: Runs,
        #[command(flatten)]
        place: Place,
    },
}

/// Flags for the sources of traces.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Place {
    /// The desk's database: postgres://…, or a file [default: a file beside the store]
    #[arg(long, value_name = "DATABASE", env = "ATLAS_GT_DATABASE", hide_env_values = true)]
    pub database: Option<String>,
    /// Database whose `request_traces` table the agent writes; it is never written to
    #[arg(long, value_name = "DATABASE", env = "ATLAS_GT_TRACES_FROM", hide_env_values = true)]
    pub traces_from: Option<String>,
}

impl Place {
    /// The flags that a next command needs to find the same traces. Those of a server may hold a password.
    pub fn flags(&self) -> String {
        let named = [("database", &self.database), ("traces-from", &self.traces_from)];
        let files = named.iter().filter_map(|(name, place)| Some((name, place.as_ref()?)));
        let files = files.filter(|(_, place)| !place.contains("://"));
        files.map(|(name, place)| flag(name, place)).collect()
    }

    /// The settings with these flags.
    pub fn resolve(&self, shared: &Shared) -> Result<Config> {
        let (database, traces_from) = (self.database.clone(), self.traces_from.clone());
        settings::resolve(shared, Settings { database, traces_from, ..Settings::default() })
    }
}

/// The address of the desk's database: the configured one, or the file beside the store.
pub(super) fn address(config: &Config) -> String {
    config.database.clone().unwrap_or_else(|| database::beside(&config.store).display().to_string())
}

/// Converts a database error. A database that cannot be opened is a usage error.
pub(super) fn failed(error: DatabaseError) -> Error {
    match error {
        DatabaseError::Query(_) => {
            Error::Store { path: PathBuf::from("database"), message: error.to_string() }
        }
        _ => Error::Usage(error.to_string()),
    }
}

/// Opens the database, which is created if needed, and the traces in it or elsewhere.
pub(super) async fn open(config: &Config) -> Result<(Database, Traces)> {
    with_traces(config, Database::open(&address(config)).await.map_err(failed)?).await
}

/// Like [`open`], for commands that only read: nothing is created. Beside the traces of another database, the desk's
/// own may be missing: nothing is classified yet.
pub(super) async fn open_existing(config: &Config) -> Result<(Database, Traces)> {
    let address = address(config);
    let database = match Database::find(&address).await.map_err(failed)? {
        Some(database) => database,
        None if config.traces_from.is_some() && config.database.is_none() => {
            Database::in_memory().await.map_err(failed)?
        }
        None => {
            return Err(Error::Usage(format!(
                "database {address} does not exist or is empty; create it with `traces import` or `serve`, or \
                 name another with --database"
            )));
        }
    };
    with_traces(config, database).await
}

async fn with_traces(config: &Config, database: Database) -> Result<(Database, Traces)> {
    let source = match &config.traces_from {
        Some(address) => Database::read_only(address).await.map_err(failed)?,
        None => database.clone(),
    };
    let traces = Traces::new(source).await.map_err(failed)?;
    Ok((database, traces))
}

/// Opens the source first, because opening the database creates it.
fn open_source(from: &str, runs: &Path, now: Timestamp) -> Result<TraceSource<'static>> {
    if from == "-" || Path::new(from).is_file() {
        return TraceSource::of_lines(input::reader(Path::new(from))?, now);
    }
    let is_run = from == "latest" || Path::new(from).is_dir() || runs.join(from).is_dir();
    if !is_run {
        let runs = runs.display();
        return Err(Error::Usage(format!("{from} does not exist: it is neither a file nor a run in {runs}")));
    }
    TraceSource::of_run(&RunFolder::open(runs, from)?, now)
}

pub(super) fn run(shared: &Shared, args: TracesArgs) -> Result<Exit> {
    let Action::Import { from, runs, place } = args.action;
    let config = place.resolve(shared)?;
    if config.traces_from.is_some() {
        return Err(Error::Usage(
            "`traces_from` names a database that is only read: to import, leave out --traces-from, \
             ATLAS_GT_TRACES_FROM and the key of the configuration file"
                .to_owned(),
        ));
    }
    let now = Clock::from_environment()?.now();
    let source = open_source(&from, &runs.folder(shared)?, now)?;
    let expected = source.expected;
    let done = match source.without_trace() {
        Some(done) => done,
        None => super::print::runtime()?.block_on(async {
            let (database, traces) = open(&config).await?;
            let done = source.import(&database, &traces, now).await?;
            database.close().await;
            done.map_err(failed)
        })?,
    };
    for one in &done.wrong {
        print_status(format_args!("{from}:{}: {}", one.line, one.reason));
    }
    let exit = print_report(shared, &config, &done)?;
    if done.accepted + done.known == 0 {
        return Err(Error::Nothing(format!("{from} has no trace to import: expected {expected}")));
    }
    Ok(exit)
}
