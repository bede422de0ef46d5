//! Starts a twin on loopback and holds its state: sites, endpoints, limit, faults, log.

use super::api::Endpoint;
use super::data::vintage::VintageChange;
use super::data::{Revision, World, vintage};
use super::fault::Fault;
use super::limit::Limit;
use super::log::LogEntry;
use super::options::{Latency, TwinOptions};
use super::routes;
use super::site::{Site, Skin};
use super::wire::{Peer, Wire};
use crate::error::{Error, Result};
use axum::Router;
use std::hash::{BuildHasher, RandomState};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Endpoints over one state of the data.
pub(super) struct Apis {
    country: Endpoint,
    explore: Endpoint,
}

impl Apis {
    fn new(revision: Revision) -> Result<Self> {
        let broken = |message: String| Error::Usage(format!("twin data: {message}"));
        let world = Arc::new(World::read(revision).map_err(broken)?);
        Ok(Self {
            country: Endpoint::country(Arc::clone(&world)).map_err(broken)?,
            explore: Endpoint::explore(world).map_err(broken)?,
        })
    }

    /// The endpoints over a state of the data, which all twins of this process share: nothing in them changes.
    pub(super) fn over(revision: Revision) -> Result<&'static Self> {
        static PUBLISHED: OnceLock<Apis> = OnceLock::new();
        static REVISED: OnceLock<Apis> = OnceLock::new();
        static NEXT: OnceLock<Apis> = OnceLock::new();
        let shared = match revision {
            Revision::Published => &PUBLISHED,
            Revision::Revised => &REVISED,
            Revision::Next => &NEXT,
        };
        if let Some(apis) = shared.get() {
            return Ok(apis);
        }
        let made = Self::new(revision)?;
        Ok(shared.get_or_init(|| made))
    }

    /// The endpoint at a path.
    pub(super) fn at(&self, path: &str) -> Option<&Endpoint> {
        match path {
            "/api/countries/graphql" => Some(&self.country),
            "/api/graphql" => Some(&self.explore),
            _ => None,
        }
    }
}

/// Faults in force and how often each has still to hit.
pub(super) struct Weather {
    pub faults: Vec<(Fault, Option<u32>)>,
    pub site: Site,
    /// The release that is out.
    pub release: Revision,
}

/// Everything that requests share.
pub(super) struct State {
    pub latency: Latency,
    pub retry_after: bool,
    pub seed: u64,
    skin: Skin,
    started: Instant,
    limit: Mutex<Limit>,
    weather: Mutex<Weather>,
    log: Mutex<Vec<LogEntry>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    pub(super) fn limit(&self) -> MutexGuard<'_, Limit> {
        lock(&self.limit)
    }

    pub(super) fn weather(&self) -> MutexGuard<'_, Weather> {
        lock(&self.weather)
    }

    /// The release that an API request is answered from, with the faults that hit it.
    pub(super) fn release(&self, hits: &[Fault]) -> Revision {
        let after = hits.iter().find_map(|fault| match fault {
            Fault::MovesOn(after) => Some(*after as usize),
            _ => None,
        });
        let asked = || lock(&self.log).iter().filter(|entry| entry.is_api()).count();
        match after {
            Some(after) if asked() >= after => Revision::Next,
            _ => self.weather().release,
        }
    }

    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Keeps an entry; its place is where the answer is, its time when it was asked.
    pub(super) fn keep(&self, entry: LogEntry) {
        lock(&self.log).push(entry);
    }
}

fn weather(skin: Skin, seed: u64, faults: Vec<Fault>, release: Revision) -> Weather {
    let mut client: Vec<String> = faults.iter().filter_map(Fault::client).map(str::to_owned).collect();
    if release == Revision::Next {
        client.extend(vintage::next().iter().flat_map(|vintage| vintage.front.clone()));
    }
    let counted = faults.into_iter().map(|fault| {
        let times = fault.times();
        (fault, times)
    });
    Weather { faults: counted.collect(), site: Site::new(skin, seed, &client), release }
}

/// The releases that a twin can show, by name.
const VINTAGES: [(i32, Revision); 2] = [(2024, Revision::Published), (2027, Revision::Next)];

fn release(vintage: i32) -> Result<Revision> {
    let found = VINTAGES.iter().find(|(name, _)| *name == vintage).map(|(_, release)| *release);
    found.ok_or_else(|| {
        let known: Vec<String> = VINTAGES.iter().map(|(name, _)| name.to_string()).collect();
        Error::Usage(format!("the twin has no release of {vintage}: use {}", known.join(" or ")))
    })
}

/// What the release of that year changes on the pages, against the one before: nothing for the first.
///
/// # Errors
/// There is no such release.
pub fn vintage_changes(vintage: i32) -> Result<&'static [VintageChange]> {
    let broken = |message: String| Error::Usage(format!("twin data: {message}"));
    Ok(match release(vintage)? {
        Revision::Next => vintage::next().map_err(broken)?.changes(),
        Revision::Published | Revision::Revised => &[],
    })
}

/// A running twin. Dropping it stops it.
pub struct Twin {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    pub base_url: String,
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Twin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Twin").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl Twin {
    /// All requests so far, in the order of their answers.
    #[must_use]
    pub fn log(&self) -> Vec<LogEntry> {
        lock(&self.state.log).clone()
    }

    /// Puts these faults in force instead of those before, and takes off the others.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        let mut now = self.state.weather();
        *now = weather(self.state.skin, self.state.seed, faults, now.release);
    }

    /// Brings a release out: from now on pages and APIs show it. Faults stay in force.
    ///
    /// # Errors
    /// There is no such release.
    pub fn publish(&self, vintage: i32) -> Result<()> {
        let release = release(vintage)?;
        Apis::over(release)?;
        let mut now = self.state.weather();
        let faults = now.faults.iter().map(|(fault, _)| fault.clone()).collect();
        *now = weather(self.state.skin, self.state.seed, faults, release);
        Ok(())
    }

    /// Stops the twin and waits until it has.
    pub async fn shutdown(mut self) {
        self.stop.take();
        if let Some(server) = self.server.take() {
            server.abort();
            let _ = server.await;
        }
    }
}

impl Drop for Twin {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}

/// Starts a twin on loopback.
///
/// # Errors
/// When the port is taken, or an option asks for data that there are none of.
pub async fn start(options: TwinOptions) -> Result<Twin> {
    let release = release(options.vintage)?;
    Apis::over(release)?;
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let state = Arc::new(State {
        latency: options.latency,
        retry_after: options.retry_after,
        seed,
        skin: options.skin,
        started: Instant::now(),
        limit: Mutex::new(Limit::new(options.rate_limit)),
        weather: Mutex::new(weather(options.skin, seed, options.faults, release)),
        log: Mutex::default(),
    });
    let port = options.port;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(|error| Error::Usage(format!("port {port} of 127.0.0.1: {error}; choose another or 0")))?;
    let address = listener.local_addr().map_err(|error| Error::Usage(format!("port {port}: {error}")))?;
    let app = Router::new().fallback(routes::answer).with_state(Arc::clone(&state));
    let service = app.into_make_service_with_connect_info::<Peer>();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(async move {
        let serve = axum::serve(Wire(listener), service).with_graceful_shutdown(async {
            // Resolves when the sender is dropped.
            let _ = stopped.await;
        });
        let _ = serve.await;
    });
    Ok(Twin { base_url: format!("http://{address}"), state, stop: Some(stop), server: Some(server) })
}
