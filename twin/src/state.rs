//! The state that requests to a twin share: endpoints, site, limit, faults, log.

use super::api::{self, Endpoint};
use super::data::{Revision, World, vintage};
use super::fault::Fault;
use super::limit::Limit;
use super::log::LogEntry;
use super::options::{Latency, TwinOptions};
use super::site::{Skin, TwinSite};
use apollo_compiler::Schema;
use apollo_compiler::validation::Valid;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// The endpoints for one state of the data.
pub(super) struct Apis {
    country: Endpoint,
    explore: Endpoint,
}

impl Apis {
    fn new(revision: Revision) -> Result<Self, String> {
        let broken = |message: String| format!("twin data: {message}");
        let world = Arc::new(World::read(revision).map_err(broken)?);
        Ok(Self {
            country: Endpoint::country(Arc::clone(&world)).map_err(broken)?,
            explore: Endpoint::explore(world).map_err(broken)?,
        })
    }

    /// The endpoints for a state of the data. All twins of this process share them, because they are immutable.
    pub(super) fn over(revision: Revision) -> Result<&'static Self, String> {
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

/// The faults in force, and how often each still hits.
pub(super) struct Current {
    pub faults: Vec<(Fault, Option<u32>)>,
    pub site: TwinSite,
    /// The published release.
    pub release: Revision,
    /// Schemas that replace an API's own, by path.
    pub schemas: Vec<(&'static str, Arc<Valid<Schema>>)>,
}

/// The shared state.
pub(super) struct State {
    pub latency: Latency,
    pub retry_after: bool,
    pub seed: u64,
    skin: Skin,
    started: Instant,
    limit: Mutex<Limit>,
    current: Mutex<Current>,
    log: Mutex<Vec<LogEntry>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    pub(super) fn new(options: TwinOptions, release: Revision) -> Self {
        let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        Self {
            latency: options.latency,
            retry_after: options.retry_after,
            seed,
            skin: options.skin,
            started: Instant::now(),
            limit: Mutex::new(Limit::new(options.rate_limit)),
            current: Mutex::new(current(options.skin, seed, options.faults, release)),
            log: Mutex::default(),
        }
    }

    pub(super) fn limit(&self) -> MutexGuard<'_, Limit> {
        lock(&self.limit)
    }

    pub(super) fn current(&self) -> MutexGuard<'_, Current> {
        lock(&self.current)
    }

    /// The release for an API request, given the faults that hit it.
    pub(super) fn release(&self, hits: &[Fault]) -> Revision {
        let after = hits.iter().find_map(|fault| match fault {
            Fault::MovesOn(after) => Some(*after as usize),
            _ => None,
        });
        let asked = || lock(&self.log).iter().filter(|entry| entry.is_api()).count();
        match after {
            Some(after) if asked() >= after => Revision::Next,
            _ => self.current().release,
        }
    }

    /// Sets the faults and the release.
    pub(super) fn set(&self, faults: Vec<Fault>, release: Revision) {
        *self.current() = current(self.skin, self.seed, faults, release);
    }

    pub(super) fn log(&self) -> Vec<LogEntry> {
        lock(&self.log).clone()
    }

    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Logs an entry. Entries are in the order of responses, but have the time of arrival.
    pub(super) fn keep(&self, entry: LogEntry) {
        lock(&self.log).push(entry);
    }
}

fn current(skin: Skin, seed: u64, faults: Vec<Fault>, release: Revision) -> Current {
    let mut client: Vec<String> = faults.iter().filter_map(Fault::client).collect();
    if release == Revision::Next {
        client.extend(vintage::next().iter().flat_map(|vintage| vintage.front.clone()));
    }
    let lacking: Vec<&str> = faults
        .iter()
        .filter_map(
            |fault| if let Fault::SchemaLacks(element) = fault { Some(element.as_str()) } else { None },
        )
        .collect();
    let renamed = faults
        .iter()
        .find_map(|fault| if let Fault::FieldsRenamed(seed) = fault { Some(*seed) } else { None });
    // Each element was checked when its fault was parsed.
    let schemas = api::changed_schemas(&lacking, renamed).unwrap_or_default();
    let schemas = schemas.into_iter().map(|(path, schema)| (path, Arc::new(schema))).collect();
    let counted = faults.into_iter().map(|fault| {
        let times = fault.times();
        (fault, times)
    });
    Current { faults: counted.collect(), site: TwinSite::new(skin, seed, &client), release, schemas }
}
