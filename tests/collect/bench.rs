//! A replica, a pool of browsers that all tests share, questions, and runs of the collection.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use atlas_gt::acquire::browser::Pool;
use atlas_gt::acquire::{Browser, Rate};
use atlas_gt::event::Events;
use atlas_gt::extract::Extractors;
use atlas_gt::manifest::{Entry, Manifest, Method, PointCatalog, parse};
use atlas_gt::workflow::{self, CollectReport, Job};
use atlas_gt_twin::{Skin, Twin, TwinOptions};
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::stage::{self, faulty};
pub use crate::stage::{extractors, options, record, records, run, specs, tree};

pub const SKINS: [Skin; 2] = [Skin::Hashed, Skin::Mui];

static SHARED: Mutex<Weak<Browsers>> = Mutex::new(Weak::new());

/// The shared browsers. They end with the last test that holds them.
pub struct Browsers {
    cell: OnceCell<Pool>,
}

/// One browser for every test that may run at a time: most of a test is waiting for a page.
const BROWSERS: usize = 4;

pub fn shared() -> Arc<Browsers> {
    let mut shared = SHARED.lock().unwrap();
    shared.upgrade().unwrap_or_else(|| {
        let fresh = Arc::new(Browsers { cell: OnceCell::new() });
        *shared = Arc::downgrade(&fresh);
        fresh
    })
}

impl Browsers {
    pub async fn pool(&self) -> &Pool {
        let start = || async { Pool::start(BROWSERS, options("http://127.0.0.1/")).await.unwrap() };
        self.cell.get_or_init(start).await
    }
}

/// Waits until something is so; a test that would wait for ever fails instead.
pub async fn until(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(120), "waited two minutes for {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Runs the cases of a test side by side, as far as there are browsers.
pub async fn all(cases: impl IntoIterator<Item = impl Future<Output = ()>>) {
    futures::future::join_all(cases).await;
}

/// A replica without a limit of requests, so that tests may be fast.
pub async fn replica(skin: Skin, faults: &[&str]) -> Twin {
    faulty(TwinOptions { skin, ..TwinOptions::default() }, faults).await
}

pub fn manifest_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json")
}

/// The project's own manifest, as far as country pages answer it.
pub fn manifest() -> Manifest {
    let mut manifest = atlas_gt::manifest::load(&manifest_path(), extractors()).unwrap();
    let of_country = |id: &str| id.parse().is_ok_and(|id: u16| (61..=169).contains(&id));
    manifest.entries.retain(|entry| of_country(entry.question_id.as_str()));
    manifest
}

/// Questions of a manifest written in the test: id, country with slug, points, product.
pub fn questions(list: &[(&str, &str, &[&str], Option<&str>)]) -> Vec<Entry> {
    let questions: Vec<_> = list
        .iter()
        .map(|(id, page, points, product)| {
            let method = |point: &&str| extractors().method("country_profile", point);
            let drawn = points.iter().any(|point| method(point) == Some(Method::ApiPreferred));
            let method = if drawn { "api_preferred" } else { "dom" };
            let mut entry = json!({
                "question_id": id,
                "atlas_url": format!("https://atlas.hks.harvard.edu/countries/{page}"),
                "extraction_method": method,
                "extractor": "country_profile",
                "data_points": points,
            });
            if let Some(product) = product {
                entry["context"] = json!({ "product": product });
            }
            entry
        })
        .collect();
    let text = json!({ "questions": questions }).to_string();
    parse(Path::new("test.json"), &text, extractors()).unwrap().entries
}

/// One question for every point of a country page, called as the point is.
pub fn every_point(country: &str) -> Vec<Entry> {
    let specs = specs();
    let spec = specs.get("country_profile").unwrap();
    let points: Vec<(String, Option<&str>)> = spec
        .points
        .iter()
        .map(|point| match point.id.as_str() {
            "product_export" | "product_share" | "product_code" | "product_pci" => {
                (point.id.clone(), Some("0902"))
            }
            "group_export" | "group_export_growth" => (point.id.clone(), Some("27")),
            "sector_market_share" => (point.id.clone(), Some("Services")),
            id if id.starts_with("space_") || id.ends_with("_decile") => (point.id.clone(), Some("8703")),
            _ => (point.id.clone(), None),
        })
        .collect();
    let names: Vec<[&str; 1]> = points.iter().map(|(id, _)| [id.as_str()]).collect();
    let list: Vec<(&str, &str, &[&str], Option<&str>)> = names
        .iter()
        .zip(&points)
        .map(|(name, (id, product))| (id.as_str(), country, name.as_slice(), *product))
        .collect();
    questions(&list)
}

/// A few points, of the first, a middle and the last part of the page, and one that is drawn.
pub fn few_points(country: &str) -> Vec<Entry> {
    let few = ["gdp_per_capita", "total_exports", "top_products", "summary_growth_projection"];
    let mut entries = every_point(country);
    entries.retain(|entry| few.contains(&entry.question_id.as_str()));
    assert_eq!(entries.len(), few.len());
    entries
}

/// How a collection is run.
pub struct Plan {
    pub base: String,
    pub entries: Vec<Entry>,
    pub sessions: usize,
    pub page_timeout: Duration,
    pub attempts: u32,
    /// Requests per minute.
    pub rate: u32,
    pub now: &'static str,
    pub extractors: Extractors,
}

impl Plan {
    pub fn new(base: &str, entries: Vec<Entry>) -> Self {
        Self {
            base: base.to_owned(),
            entries,
            sessions: 1,
            page_timeout: Duration::from_secs(20),
            attempts: 3,
            rate: 1_000_000,
            now: "2026-11-20T10:30:00Z",
            extractors: extractors().clone(),
        }
    }

    pub async fn run_into(&self, browser: &impl Browser, store: &Path, events: &Events) -> CollectReport {
        let job = Job {
            rate: Rate::new(self.rate).into(),
            sessions: self.sessions,
            page_timeout: self.page_timeout,
            attempts: self.attempts,
            ..stage::job(&self.base, &self.entries, &self.extractors, store, self.now)
        };
        workflow::collect(browser, &Arc::new(job), events, &AtomicBool::new(false)).await.unwrap()
    }

    pub async fn run(&self, browser: &impl Browser) -> Run {
        let folder = TempDir::new().unwrap();
        let report = self.run_into(browser, folder.path(), &Events::silent()).await;
        Run { report, folder }
    }
}

/// A collection that is over.
pub struct Run {
    pub report: CollectReport,
    pub folder: TempDir,
}

impl Run {
    pub fn records(&self) -> BTreeMap<String, String> {
        records(self.folder.path())
    }

    /// Ids of the questions that failed, with all their notes in one text.
    pub fn failures(&self) -> BTreeMap<&str, String> {
        let failed =
            self.report.questions.iter().filter(|one| one.outcome == workflow::QuestionOutcome::Failed);
        failed.map(|one| (one.question_id.as_str(), one.notes.join("\n"))).collect()
    }
}

/// Every point of Kenya's page as a healthy site shows it: records by question.
pub async fn healthy_kenya(pool: &Pool) -> &'static BTreeMap<String, String> {
    static HEALTHY: OnceCell<BTreeMap<String, String>> = OnceCell::const_new();
    HEALTHY
        .get_or_init(|| async {
            let twin = replica(Skin::Hashed, &[]).await;
            let run = Plan::new(&twin.base_url, every_point("404")).run(pool).await;
            assert_eq!(run.failures(), BTreeMap::new());
            assert_eq!((run.report.exit_code, run.report.visits[0].loads), (0, 1));
            run.records()
        })
        .await
}

/// Nothing is stored that a healthy site would not have shown: what was stored is equal to it.
pub fn assert_nothing_wrong(run: &Run, healthy: &BTreeMap<String, String>, about: &str) {
    let failed = run.failures();
    for (id, text) in run.records() {
        assert_eq!(Some(&text), healthy.get(&id), "{about}: {id} was stored wrongly");
        assert!(!failed.contains_key(id.as_str()), "{about}: {id} failed and was stored");
    }
    let stored = run.records().len();
    assert_eq!(stored + failed.len(), run.report.questions.len(), "{about}: some questions are neither");
}
