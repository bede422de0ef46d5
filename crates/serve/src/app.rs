//! The options of the desk, and the state that its requests share.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::Mutex;

use crate::database::{self, Database};
use crate::desk::jobs::Jobs;
use crate::desk::last_action::LastActions;
use crate::desk::sources::Sources;
use crate::failures::FailureReport;
use crate::guard::Guard;
use crate::ingest::Ingest;
use crate::metrics::Metrics;
use crate::traces::Traces;
use crate::value_cache::ValueCache;
use crate::window::Window;

/// The server's options.
#[derive(Debug, Clone)]
pub struct Options {
    /// `postgres://…` or a file.
    pub database: String,
    /// A database whose `request_traces` another program writes. `None` for the server's own table.
    pub traces_from: Option<String>,
    /// The token required from every client; `None` on loopback.
    pub token: Option<String>,
    /// Days to keep traces.
    pub keep_days: u32,
    /// Where pages read their data.
    pub sources: Sources,
    /// Writes the report of the week, as `failures --format md` prints it.
    pub week_report: fn(&FailureReport) -> String,
}

/// The state that all requests share.
#[derive(Debug)]
pub struct Desk {
    pub(crate) database: Database,
    pub(crate) traces: Traces,
    pub(crate) window: Arc<Window>,
    /// The cached figures.
    pub(crate) figures: Arc<ValueCache<Metrics>>,
    /// `None` if the traces are read-only.
    pub(crate) ingest: Option<Ingest>,
    pub(crate) guard: Guard,
    pub(crate) options: Options,
    pub(crate) sources: Sources,
    pub(crate) jobs: Arc<Jobs>,
    /// The cached failures of the week.
    pub(crate) week: Arc<ValueCache<FailureReport>>,
    /// The last actions, for the pages that follow them.
    pub(crate) last: Mutex<LastActions>,
}

/// The desk, as handlers receive it.
pub(crate) type App = Arc<Desk>;

/// The address of the client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub IpAddr);

impl Desk {
    /// Opens the databases.
    ///
    /// # Errors
    /// One of them cannot be opened.
    pub async fn open(options: Options) -> database::DatabaseResult<Self> {
        let database = Database::open(&options.database).await?;
        let source = match &options.traces_from {
            Some(address) => Database::read_only(address).await?,
            None => database.clone(),
        };
        let traces = Traces::new(source).await?;
        let window = Arc::new(Window::default());
        let ingest = options.traces_from.is_none().then(|| Ingest::start(traces.clone(), window.clone()));
        let guard =
            Guard::new(options.token.as_deref()).map_err(|why| sqlx::Error::Configuration(why.into()))?;
        let sources = options.sources.clone();
        let (jobs, last) = (Jobs::new(&sources.store), Mutex::default());
        Ok(Self {
            database,
            traces,
            window,
            figures: Arc::default(),
            ingest,
            guard,
            options,
            sources,
            jobs,
            week: Arc::default(),
            last,
        })
    }
}
