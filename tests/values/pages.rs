//! Pages of every kind of data point, each collected once, and what is read of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use atlas_gt::acquire::Rate;
use atlas_gt::acquire::browser::Pool;
use atlas_gt::acquire::graphql::{Client, SchemaCache};
use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::{Capture, Exchange};
use atlas_gt::event::Events;
use atlas_gt::extract::{Extraction, Extractor, Outcome, Wanted};
use atlas_gt::manifest::{Entry, load};
use atlas_gt::truth::Store;
use atlas_gt::workflow::{self, Job, OwnApi};
use atlas_gt_twin::{Skin, Twin, TwinOptions};
use tokio::sync::OnceCell;

use crate::stage::{self, extractors, options, run};

/// A page, and what its extractors are asked for.
pub struct Page {
    pub name: String,
    pub url: AtlasUrl,
    pub capture: Capture,
    pub groups: Vec<Group>,
}

/// What one extractor is asked for: of the page, or of answers to queries of our own.
pub struct Group {
    pub extractor: Arc<Extractor>,
    pub wanted: Vec<Wanted>,
    pub own: bool,
}

/// What came of a point: what its rows say, or why there are none.
pub type Read = Result<Vec<String>, String>;

impl Page {
    /// What is read of the page with these responses.
    pub fn read(&self, exchanges: &[Exchange], own: &[Exchange]) -> BTreeMap<String, Read> {
        let capture = Capture { exchanges: exchanges.to_vec(), own: own.to_vec(), ..self.capture.clone() };
        let mut all = BTreeMap::new();
        for Group { extractor, wanted, own } in &self.groups {
            let read = |extraction: Extraction, how: &str, all: &mut BTreeMap<String, Read>| {
                for (wanted, outcome) in extraction.points {
                    let name = format!("{} {how} {wanted:?}", extractor.spec().name);
                    all.insert(name, said(&outcome));
                }
            };
            if *own {
                let answers: Vec<Exchange> = capture.exchanges.iter().chain(&capture.own).cloned().collect();
                read(extractor.answer(&answers, &self.url, wanted), "asked", &mut all);
            } else {
                read(extractor.extract(&capture, &self.url, wanted), "read", &mut all);
            }
        }
        all
    }

    /// The same, with the page's own responses as answers to queries of our own: no text of the page is looked at.
    pub fn answers(&self, exchanges: &[Exchange]) -> BTreeMap<String, Read> {
        let mut all = BTreeMap::new();
        for Group { extractor, wanted, .. } in self.groups.iter().filter(|group| !group.own) {
            for (wanted, outcome) in extractor.answer(exchanges, &self.url, wanted).points {
                all.insert(format!("{} answered {wanted:?}", extractor.spec().name), said(&outcome));
            }
        }
        all
    }
}

/// What the rows of a point say: all but how it is confirmed.
fn said(outcome: &Outcome) -> Read {
    match outcome {
        Ok(found) => Ok(found
            .iter()
            .map(|one| format!("{:?} {} {:?} {:?}", one.keys, one.value, one.reading, one.context))
            .collect()),
        Err(failure) => Err(failure.to_string()),
    }
}

pub fn manifest() -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    load(&path, extractors()).unwrap().entries
}

/// The page that a reading is of.
fn page_of(entry: &Entry) -> String {
    entry.url.document().path()
}

/// Questions that together read every data point of the manifest, on as few pages as will do.
fn few(entries: &[Entry]) -> Vec<Entry> {
    let points = |entry: &Entry| -> Vec<(String, String)> {
        entry.data_points.iter().map(|point| (entry.extractor.clone(), point.clone())).collect()
    };
    let readings = || entries.iter().flat_map(|entry| entry.readings().iter());
    let mut of_page: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for reading in readings() {
        of_page.entry(page_of(reading)).or_default().extend(points(reading));
    }
    let mut left: BTreeSet<(String, String)> = of_page.values().flatten().cloned().collect();
    let mut chosen = BTreeSet::new();
    while !left.is_empty() {
        let count = |points: &BTreeSet<(String, String)>| points.intersection(&left).count();
        let (page, points) = of_page.iter().max_by_key(|(_, points)| count(points)).unwrap();
        left = left.difference(points).cloned().collect();
        chosen.insert(page.clone());
    }
    let is_chosen =
        |entry: &&Entry| entry.readings().iter().all(|reading| chosen.contains(&page_of(reading)));
    entries.iter().filter(is_chosen).cloned().collect()
}

/// A job that may ask the APIs too.
pub fn job(base: &str, entries: &[Entry], store: &Path, now: &str) -> Job {
    let rate = Arc::new(Rate::new(1_000_000));
    let client = Client::new(&base.parse().unwrap(), None, Arc::clone(&rate)).unwrap();
    let api = Some(OwnApi { client, schemas: SchemaCache::none() });
    Job { rate, api, ..stage::job(base, entries, extractors(), store, now) }
}

/// A replica with faults.
pub async fn replica(skin: Skin, faults: &[&str]) -> Twin {
    stage::faulty(TwinOptions { skin, ..TwinOptions::default() }, faults).await
}

pub async fn pool(base: &str) -> Pool {
    Pool::start(2, options(base)).await.unwrap()
}

/// The pages of every kind of data point, collected once.
pub fn pages() -> &'static [Page] {
    static PAGES: OnceCell<Vec<Page>> = OnceCell::const_new();
    run(PAGES.get_or_init(|| async {
        let store = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("values");
        let entries = few(&manifest());
        let twin = replica(Skin::Hashed, &[]).await;
        let _ = std::fs::remove_dir_all(&store);
        let browsers = pool(&twin.base_url).await;
        let job = job(&twin.base_url, &entries, &store, "2026-11-20T10:30:00Z");
        let report =
            workflow::collect(&browsers, &Arc::new(job), &Events::silent(), &AtomicBool::new(false)).await;
        browsers.close().await;
        assert_eq!(report.unwrap().exit_code, 0);
        of_store(&Store::read(&store).unwrap(), &entries)
    }))
}

/// The pages that prove the records of a store, with everything that questions want of them.
fn of_store(store: &Store, entries: &[Entry]) -> Vec<Page> {
    let mut captures: BTreeMap<String, Capture> = BTreeMap::new();
    for stored in store.records().unwrap() {
        for hash in stored.provenance.unwrap().evidence() {
            let capture: Capture = serde_json::from_slice(&store.evidence(hash).unwrap()).unwrap();
            let url = AtlasUrl::parse_settled(&capture.requested_url).unwrap().url;
            captures.insert(url.path(), capture);
        }
    }
    let mut pages = Vec::new();
    for (name, capture) in captures {
        let mut wanted: BTreeMap<(String, bool), BTreeSet<Wanted>> = BTreeMap::new();
        let of_page = entries.iter().flat_map(|entry| entry.readings()).filter(|one| page_of(one) == name);
        for reading in of_page.filter(|reading| reading.extractor != "derive") {
            let extractor = extractors().get(&reading.extractor).unwrap();
            for point in &reading.data_points {
                let group = (reading.extractor.clone(), extractor.is_own(point));
                wanted.entry(group).or_default().insert(extractor.wanted(point, &reading.context));
            }
        }
        let group = |((name, own), wanted): ((String, bool), BTreeSet<Wanted>)| Group {
            extractor: Arc::clone(extractors().get(&name).unwrap()),
            wanted: wanted.into_iter().collect(),
            own,
        };
        let groups = wanted.into_iter().map(group).collect();
        let url = AtlasUrl::parse_settled(&capture.requested_url).unwrap().url;
        pages.push(Page { name, url, capture, groups });
    }
    pages
}
