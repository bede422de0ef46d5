//! A replica, a store collected from it, browsers, and what is on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use atlas_gt::acquire::Rate;
use atlas_gt::acquire::browser::{BrowserOptions, Pool};
use atlas_gt::acquire::graphql::{Client, Patience};
use atlas_gt::event::Events;
use atlas_gt::manifest::spec::Specs;
use atlas_gt::manifest::{Entry, visits};
use atlas_gt::truth::{Record, Site, Store};
use atlas_gt::twin::{self, Skin, Twin, TwinOptions};
use atlas_gt::workflow::refresh::{self, Refreshed};
use atlas_gt::workflow::{self, Clock, Job, Learned};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

pub fn run<T>(test: impl Future<Output = T>) -> T {
    RUNTIME.block_on(test)
}

/// Whoever holds one may run browsers.
static TURNS: Semaphore = Semaphore::const_new(2);

pub struct Browsers {
    pub pool: Pool,
    _turn: SemaphorePermit<'static>,
}

/// Two browsers, which end when this is dropped.
pub async fn browsers() -> Browsers {
    let turn = TURNS.acquire().await.unwrap();
    let mut options = BrowserOptions::new("http://127.0.0.1/".parse().unwrap());
    options.page_load = Duration::from_secs(20);
    Browsers { pool: Pool::start(2, options).await.unwrap(), _turn: turn }
}

/// Questions of all kinds of page: sections, prose, lists and tables of country pages, treemaps, the table of opportunities.
const QUESTIONS: [&str; 20] = [
    "61", "62", "65", "66", "108", "139", // Kenya
    "78", "103", "147", // Brazil
    "95", "114", "115", // Ethiopia
    "128", "169", // India
    "89", "90", // the United States
    "204", "205", // treemaps of two countries
    "225", "226", // the table of opportunities
];

pub fn entries() -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let mut entries = atlas_gt::manifest::load(&path, &Specs::built_in().unwrap()).unwrap().entries;
    entries.retain(|entry| QUESTIONS.contains(&entry.question_id.as_str()));
    assert_eq!(entries.len(), QUESTIONS.len());
    entries
}

pub fn some(ids: &[&str]) -> Vec<Entry> {
    entries().into_iter().filter(|entry| ids.contains(&entry.question_id.as_str())).collect()
}

pub async fn replica(vintage: i32, faults: &[&str]) -> Twin {
    let faults = faults.iter().map(|fault| fault.parse().unwrap()).collect();
    let options =
        TwinOptions { skin: Skin::Hashed, faults, vintage, rate_limit: None, ..TwinOptions::default() };
    twin::start(options).await.unwrap()
}

/// How the pages of a site are looked at.
pub struct Plan {
    pub base: String,
    pub entries: Vec<Entry>,
    pub specs: Specs,
    pub page_timeout: Duration,
    pub attempts: u32,
    pub now: &'static str,
}

pub const COLLECTED: &str = "2026-11-20T10:30:00Z";
pub const LOOKED: &str = "2027-02-20T10:30:00Z";
pub const ACCEPTED: &str = "2027-02-21T10:30:00Z";

impl Plan {
    pub fn new(base: &str, entries: Vec<Entry>) -> Self {
        Self {
            base: base.to_owned(),
            entries,
            specs: Specs::built_in().unwrap(),
            page_timeout: Duration::from_secs(20),
            attempts: 3,
            now: LOOKED,
        }
    }

    pub fn job(&self, store: &Path) -> Job {
        Job {
            base: self.base.parse().unwrap(),
            entries: self.entries.clone(),
            extractors: workflow::extractors(&self.specs).unwrap(),
            store: Store::open(store, Site::Twin).unwrap(),
            rate: Rate::new(1_000_000).into(),
            api: None,
            conduct: Default::default(),
            sessions: 2,
            page_timeout: self.page_timeout,
            learned: Learned::nothing(),
            attempts: self.attempts,
            clock: Clock::Fixed(self.now.parse().unwrap()),
        }
    }

    /// A dry run.
    pub async fn refresh(&self, pool: &Pool, store: &Path) -> Refreshed {
        let job = self.job(store);
        let client = client(&job);
        let stop = AtomicBool::new(false);
        refresh::refresh(pool, &job, Some(&client), "look", &Events::silent(), &stop).await.unwrap()
    }

    /// A dry run by the APIs alone.
    pub async fn ask(&self, store: &Path) -> Refreshed {
        let job = self.job(store);
        refresh::ask(&job, [&client(&job), &client(&job)], "ask").await.unwrap()
    }
}

fn client(job: &Job) -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let patience = Patience { attempts: 1, ..Patience::default() };
    Client::with_patience(&job.base, None, job.rate.clone(), patience).unwrap()
}

/// A copy of the store that was collected from the first release.
pub async fn collected(pool: &Pool) -> TempDir {
    static STORE: OnceCell<TempDir> = OnceCell::const_new();
    let original = STORE
        .get_or_init(|| async {
            let folder = TempDir::new().unwrap();
            let twin = replica(2024, &[]).await;
            let plan = Plan { now: COLLECTED, ..Plan::new(&twin.base_url, entries()) };
            let job = plan.job(folder.path());
            let stop = AtomicBool::new(false);
            let report = workflow::collect(pool, &Arc::new(job), &Events::silent(), &stop).await.unwrap();
            assert_eq!(
                (report.exit_code, report.totals.collected),
                (0, QUESTIONS.len()),
                "{:#?}",
                report.questions
            );
            folder
        })
        .await;
    let copy = TempDir::new().unwrap();
    for (path, bytes) in tree(original.path()) {
        let path = copy.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    copy
}

/// Every file below a folder with its content, but for the lock.
pub fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if !path.ends_with(".lock") {
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// The records of a store, as text.
pub fn records(folder: &Path) -> BTreeMap<String, String> {
    let is_record = |path: &PathBuf| path.ends_with("results.json");
    let of = |(path, bytes): (PathBuf, Vec<u8>)| {
        let id = path.parent().unwrap().to_str().unwrap().to_owned();
        (id, String::from_utf8(bytes).unwrap())
    };
    tree(folder).into_iter().filter(|(path, _)| is_record(path)).map(of).collect()
}

pub fn record(text: &str) -> Record {
    Record::from_text(text).unwrap()
}

/// A change as list and report tell it: question, field, kind, old and new text.
pub type Told = (String, String, String, Option<String>, Option<String>);

/// What the release of 2027 changes for some questions, by the replica's own list.
pub fn expected(entries: &[Entry]) -> BTreeSet<Told> {
    let changes = twin::vintage_changes(2027).unwrap();
    let mut all = BTreeSet::new();
    for visit in visits(entries) {
        let path = visit.url.path();
        for (entry, change) in
            visit.entries.iter().flat_map(|entry| changes.iter().map(move |change| (entry, change)))
        {
            if change.page == path && entry.data_points.contains(&change.point) {
                let field = match &change.row {
                    Some(row) => format!("{}[{row}]", change.point),
                    None => change.point.clone(),
                };
                let id = entry.question_id.to_string();
                all.insert((id, field, change.kind.clone(), change.old.clone(), change.new.clone()));
            }
        }
    }
    all
}

/// What a refresh found, in the same form.
pub fn found(report: &Refreshed) -> BTreeSet<Told> {
    let text = |side: &Option<refresh::Shown>| {
        side.as_ref().filter(|shown| shown.is_there).map(|shown| shown.text.clone())
    };
    let changes = report.changes.iter().map(|change| {
        let kind = change.kind.name().to_owned();
        (change.question_id.clone(), change.field.clone(), kind, text(&change.old), text(&change.new))
    });
    let broken = report.broken.iter().map(|broken| {
        let field = broken.notes[0].split(':').next().unwrap().to_owned();
        (broken.question_id.clone(), field, "extractor_broken".to_owned(), None, None)
    });
    changes.chain(broken).collect()
}
