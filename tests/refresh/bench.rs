//! A replica, a store collected from it, browsers, and what a refresh is expected to tell.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use atlas_gt::acquire::browser::Pool;
use atlas_gt::acquire::graphql::{Client, Patience};
use atlas_gt::event::Events;
use atlas_gt::extract::Extractors;
use atlas_gt::manifest::spec::Specs;
use atlas_gt::manifest::{Entry, visits};
use atlas_gt::workflow::refresh::{self, Look, Refreshed};
use atlas_gt::workflow::{self, Job};
use atlas_gt_twin::{self as twin, Skin, Twin, TwinOptions};
use tempfile::TempDir;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

use crate::stage::{self, faulty};
pub use crate::stage::{extractors, options, record, records, run, specs, tree};

/// Whoever holds one may run browsers.
static TURNS: Semaphore = Semaphore::const_new(2);

pub struct Browsers {
    pub pool: Pool,
    _turn: SemaphorePermit<'static>,
}

/// Two browsers, which end when this is dropped.
pub async fn browsers() -> Browsers {
    let turn = TURNS.acquire().await.unwrap();
    Browsers { pool: Pool::start(2, options("http://127.0.0.1/")).await.unwrap(), _turn: turn }
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
    let mut entries = atlas_gt::manifest::load(&path, extractors()).unwrap().entries;
    entries.retain(|entry| QUESTIONS.contains(&entry.question_id.as_str()));
    assert_eq!(entries.len(), QUESTIONS.len());
    entries
}

pub fn some(ids: &[&str]) -> Vec<Entry> {
    entries().into_iter().filter(|entry| ids.contains(&entry.question_id.as_str())).collect()
}

pub async fn replica(vintage: i32, faults: &[&str]) -> Twin {
    faulty(TwinOptions { skin: Skin::Hashed, vintage, ..TwinOptions::default() }, faults).await
}

/// The built-in specs with another wording, compiled.
pub fn reworded(from: &str, to: &str) -> Extractors {
    edited(&|text| text.replace(from, to))
}

/// The built-in specs as somebody edited them, compiled.
pub fn edited(edit: &dyn Fn(&str) -> String) -> Extractors {
    let folder = TempDir::new().unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/extractors");
    for file in std::fs::read_dir(own).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(folder.path().join(path.file_name().unwrap()), edit(&text)).unwrap();
    }
    Extractors::new(&Specs::load(folder.path()).unwrap()).unwrap()
}

/// How the pages of a site are looked at.
pub struct Plan {
    pub base: String,
    pub entries: Vec<Entry>,
    pub extractors: Extractors,
    pub page_timeout: Duration,
    pub attempts: u32,
    pub sessions: usize,
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
            extractors: extractors().clone(),
            page_timeout: Duration::from_secs(20),
            attempts: 3,
            sessions: 2,
            now: LOOKED,
        }
    }

    pub fn job(&self, store: &Path) -> Job {
        Job {
            page_timeout: self.page_timeout,
            attempts: self.attempts,
            sessions: self.sessions,
            ..stage::job(&self.base, &self.entries, &self.extractors, store, self.now)
        }
    }

    /// A dry run.
    pub async fn refresh(&self, pool: &Pool, store: &Path) -> Refreshed {
        let job = Arc::new(self.job(store));
        let (client, events, stop) = (client(&job), Events::silent(), AtomicBool::new(false));
        let look = Look { job: &job, client: Some(&client), run: "look", events: &events, stop: &stop };
        look.refresh(pool).await.unwrap()
    }

    /// A dry run by the APIs alone.
    pub async fn ask(&self, store: &Path) -> Refreshed {
        let job = Arc::new(self.job(store));
        let (events, stop) = (Events::silent(), AtomicBool::new(false));
        let look = Look { job: &job, client: None, run: "ask", events: &events, stop: &stop };
        look.ask(&client(&job)).await.unwrap()
    }
}

pub fn client(job: &Job) -> Client {
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
    let text = |side: &Option<refresh::ChangeSide>| {
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
