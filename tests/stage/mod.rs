//! What tests of whole runs stand on: the runtime of their browsers, a replica, a job, and what is on disk afterwards.

mod tree;

use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use atlas_gt::acquire::Rate;
use atlas_gt::acquire::browser::BrowserOptions;
use atlas_gt::extract::Extractors;
use atlas_gt::manifest::Entry;
use atlas_gt::manifest::spec::Specs;
use atlas_gt::truth::{Record, Site, Store};
use atlas_gt::workflow::{Clock, Job, RequestEstimates, RunOptions};
use atlas_gt_twin::{self as twin, Twin, TwinOptions};
use tokio::runtime::Runtime;

pub use tree::tree;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

static SPECS: LazyLock<Specs> = LazyLock::new(|| Specs::built_in().unwrap());
static EXTRACTORS: LazyLock<Extractors> = LazyLock::new(|| Extractors::new(&SPECS).unwrap());

/// The specs that come with the tool.
pub fn specs() -> &'static Specs {
    &SPECS
}

/// What they are read by: compiled once, for that takes longer than most of what a test asks of them.
pub fn extractors() -> &'static Extractors {
    &EXTRACTORS
}

/// Runs a test on the runtime that the shared browsers live on.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    RUNTIME.block_on(test)
}

/// How browsers on a site of this machine are started.
pub fn options(site: &str) -> BrowserOptions {
    let mut options = BrowserOptions::new(site.parse().unwrap());
    options.page_load = Duration::from_secs(20);
    options
}

/// A replica with faults and without a limit of requests, so that tests may be fast.
pub async fn faulty(options: TwinOptions, faults: &[&str]) -> Twin {
    let faults = faults.iter().map(|fault| fault.parse().unwrap()).collect();
    twin::start(TwinOptions { faults, rate_limit: None, ..options }).await.unwrap()
}

/// A job into a store of the replica, at a moment that is given, as fast as can be.
pub fn job(base: &str, entries: &[Entry], extractors: &Extractors, store: &Path, now: &str) -> Job {
    Job {
        base: base.parse().unwrap(),
        entries: entries.to_vec(),
        extractors: extractors.clone(),
        store: Store::open(store, Site::Twin).unwrap(),
        rate: Rate::new(1_000_000).into(),
        api: None,
        options: RunOptions::default(),
        sessions: 2,
        page_timeout: Duration::from_secs(20),
        estimates: RequestEstimates::default(),
        attempts: 3,
        clock: Clock::Fixed(now.parse().unwrap()),
    }
}

/// The text of every record in a store by its question.
pub fn records(store: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(store).unwrap() {
        let path = entry.unwrap().path();
        if let Ok(text) = std::fs::read_to_string(path.join("results.json")) {
            found.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), text);
        }
    }
    found
}

pub fn record(text: &str) -> Record {
    Record::from_text(text).unwrap()
}
