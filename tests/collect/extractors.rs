//! Which extractor reads a question: its own, also where several read one page; and none that is written for
//! another kind of page.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::event::Events;
use atlas_gt::extract::Extractors;
use atlas_gt::manifest::spec::Specs;
use atlas_gt::manifest::{Entry, parse};
use atlas_gt::truth::Store;
use atlas_gt::workflow::{self, CollectReport, Job};
use serde_json::json;
use tempfile::TempDir;

use crate::bench::{SKINS, record, records, replica, run, shared};
use crate::stage::{self, extractors};

/// Reads the page of a country too, and calls another card by the name of one of the first extractor's points.
const SECOND: &str = r#"
name = "country_balance"
version = 3
page = "country"
entity_headings = ["{country}'s Product Space", "{country} in Summary"]
year_heading = "Export Basket in {year}"
sections = [
  { slug = "introduction", headings = [] },
  { slug = "export-basket", headings = ["Export Basket in {year}", "Export Basket"] },
  { slug = "export-complexity", headings = ["Export Complexity in {year}"] },
  { slug = "paths", headings = ["{country}'s Product Space"] },
  { slug = "summary", headings = ["{country} in Summary"] },
]

[[points]]
id = "total_exports"
metric = "Balance of the current account"
answers = ["value"]
section = "export-basket"
find = { stat = { labels = ["Current Account"], rule = "F2" } }
unit = "USD"
context = { statistic = "level" }
response = { field = "countryProfile", path = "currentAccount.quantity", year = "currentAccount.year" }
"#;

async fn collect(base: &str, entries: &[Entry], extractors: &Extractors, store: &Path) -> CollectReport {
    let browsers = shared();
    let job: Job = stage::job(base, entries, extractors, store, "2026-11-20T10:30:00Z");
    let (events, stop) = (Events::silent(), AtomicBool::new(false));
    workflow::collect(browsers.pool().await, &Arc::new(job), &events, &stop).await.unwrap()
}

#[test]
fn each_question_is_read_by_its_own_extractor_from_one_load() {
    run(async {
        let folder = TempDir::new().unwrap();
        let built_in =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/extractors/country_profile.toml");
        std::fs::copy(built_in, folder.path().join("country_profile.toml")).unwrap();
        std::fs::write(folder.path().join("country_balance.toml"), SECOND).unwrap();
        let extractors = Extractors::new(&Specs::load(folder.path()).unwrap()).unwrap();
        let question = |id: &str, extractor: &str| {
            json!({
                "question_id": id, "atlas_url": "/countries/404/export-basket", "extraction_method": "dom",
                "extractor": extractor, "data_points": ["total_exports"],
            })
        };
        // the first entry of the page decides nothing
        let text = json!([question("1", "country_balance"), question("2", "country_profile")]).to_string();
        let entries = parse(Path::new("test.json"), &text, &extractors).unwrap().entries;
        let twin = replica(SKINS[0], &[]).await;
        let store = TempDir::new().unwrap();
        let report = collect(&twin.base_url, &entries, &extractors, store.path()).await;
        assert_eq!((report.exit_code, report.visits.len(), report.visits[0].loads), (0, 1, 1), "{report:#?}");
        let loads = twin.log().iter().filter(|entry| entry.path == "/countries/404").count();
        assert_eq!(loads, 1);
        let records = records(store.path());
        let value = |id: &str| record(&records[id]).results.data[0].value.clone().unwrap();
        assert!(value("1").starts_with("USD -$"), "the current account: {}", value("1"));
        assert!(value("2").starts_with("USD $"), "the exports: {}", value("2"));
        for (id, extractor) in [("1", "country_balance v3"), ("2", "country_profile v4")] {
            let stored = Store::read(store.path()).unwrap().load(&id.parse().unwrap()).unwrap().unwrap();
            let read_by = stored.provenance.unwrap().points[0].extractor.clone();
            assert_eq!(read_by.as_deref(), Some(extractor));
        }
        assert_eq!(report.by_extractor.keys().collect::<Vec<_>>(), ["country_balance", "country_profile"]);
    });
}

#[test]
fn an_extractor_reads_no_page_of_another_kind() {
    run(async {
        let text = json!([{
            "question_id": "1", "atlas_url": "/explore/treemap?year=2023&exporter=country-404",
            "extraction_method": "dom", "extractor": "treemap_verify", "data_points": ["total_value"],
        }])
        .to_string();
        let mut entries = parse(Path::new("test.json"), &text, extractors()).unwrap().entries;
        // what `manifest check` refuses
        entries[0].url = AtlasUrl::parse("/explore/geomap?year=2023&exporter=country-404").unwrap().url;
        let twin = replica(SKINS[0], &[]).await;
        let store = TempDir::new().unwrap();
        let report = collect(&twin.base_url, &entries, extractors(), store.path()).await;
        assert_eq!(records(store.path()).len(), 0);
        let notes = report.questions[0].notes.join("\n");
        assert!(
            notes.contains("`treemap_verify` reads explore/treemap pages, not explore/geomap"),
            "{notes}"
        );
    });
}
