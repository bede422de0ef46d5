//! Explore pages as a whole: a real Chromium over the local replica of the site. Both renderings give the same
//! bytes, every value follows from its evidence, and a page that shows another value, or something else than
//! was asked for, is refused with what differs named.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use atlas_gt::acquire::Rate;
use atlas_gt::acquire::browser::{BrowserOptions, Pool};
use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::Capture;
use atlas_gt::event::Events;
use atlas_gt::extract::{Extractor, Wanted};
use atlas_gt::manifest::spec::Specs;
use atlas_gt::manifest::{Entry, parse};
use atlas_gt::truth::{Site, Store};
use atlas_gt::twin::{self, Skin, Twin, TwinOptions};
use atlas_gt::workflow::{self, Clock, Job, QuestionOutcome, Report};
use serde_json::{Value as Json, json};
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

fn run<T>(test: impl Future<Output = T>) -> T {
    RUNTIME.block_on(test)
}

async fn replica(skin: Skin, faults: &[&str]) -> Twin {
    let faults = faults.iter().map(|fault| fault.parse().unwrap()).collect();
    twin::start(TwinOptions { skin, faults, rate_limit: None, ..TwinOptions::default() }).await.unwrap()
}

async fn collect(twin: &Twin, entries: Vec<Entry>, store: &Path) -> Report {
    let mut options = BrowserOptions::new(twin.base_url.parse().unwrap());
    options.script = Duration::from_secs(60);
    let pool = Pool::start(1, options).await.unwrap();
    let job = Job {
        base: twin.base_url.parse().unwrap(),
        entries,
        extractors: workflow::extractors(&Specs::built_in().unwrap()).unwrap(),
        store: Store::open(store, Site::Twin).unwrap(),
        rate: Rate::new(1_000_000).into(),
        learned: atlas_gt::workflow::Learned::nothing(),
        sessions: 1,
        page_timeout: Duration::from_secs(20),
        attempts: 2,
        clock: Clock::Fixed("2026-11-20T10:30:00Z".parse().unwrap()),
        conduct: workflow::Conduct::default(),
    };
    let report = workflow::collect(&pool, &job, &Events::silent(), &AtomicBool::new(false)).await.unwrap();
    pool.close().await;
    report
}

/// Questions of the project's own manifest.
fn questions(ids: &[&str]) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let mut entries = atlas_gt::manifest::load(&path, &Specs::built_in().unwrap()).unwrap().entries;
    entries.retain(|entry| ids.contains(&entry.question_id.as_str()));
    assert_eq!(entries.len(), ids.len());
    entries
}

/// A treemap question: id, path, points, context.
fn question(id: &str, path: &str, points: &[&str], context: Json) -> Entry {
    let entry = json!({
        "question_id": id,
        "atlas_url": format!("/explore/treemap?{path}"),
        "extraction_method": "api_preferred",
        "extractor": "treemap_verify",
        "data_points": points,
        "context": context,
    });
    let text = json!({ "questions": [entry] }).to_string();
    parse(Path::new("test.json"), &text, &Specs::built_in().unwrap()).unwrap().entries.remove(0)
}

fn records(store: &Path) -> BTreeMap<String, String> {
    let store = Store::read(store).unwrap();
    let ids = store.question_ids().unwrap();
    let text = |id: &_| std::fs::read_to_string(store.dir().join(format!("{id}/results.json"))).unwrap();
    ids.iter().map(|id| (id.to_string(), text(id))).collect()
}

fn notes(report: &Report) -> BTreeMap<&str, String> {
    let failed = report.questions.iter().filter(|one| one.outcome == QuestionOutcome::Failed);
    failed.map(|one| (one.question_id.as_str(), one.notes.join("\n"))).collect()
}

fn evidence(store: &Path, id: &str) -> Capture {
    let store = Store::read(store).unwrap();
    let stored = store.load(&id.parse().unwrap()).unwrap().unwrap();
    let point = stored.provenance.unwrap().points.remove(0);
    // a picture of what is drawn is kept beside the capture
    assert!(store.picture(&point.screenshot.unwrap()).unwrap().starts_with(b"\x89PNG"));
    serde_json::from_slice(&store.evidence(&point.evidence.unwrap()).unwrap()).unwrap()
}

/// One of every form of page: totals, products, partners, sellers, a pair, imports, another class.
const FORMS: [&str; 9] = ["17", "170", "182", "194", "195", "200", "210", "216", "224"];

#[test]
fn both_renderings_give_the_same_bytes_and_all_of_it_follows_from_its_evidence() {
    run(async {
        let mut seen = Vec::new();
        for skin in [Skin::Hashed, Skin::Mui] {
            let twin = replica(skin, &[]).await;
            let folder = tempfile::tempdir().unwrap();
            let report = collect(&twin, questions(&FORMS), folder.path()).await;
            assert_eq!(report.exit_code, 0, "{skin}: {:#?}", notes(&report));
            assert_eq!(report.totals.collected, FORMS.len());
            let store = Store::read(folder.path()).unwrap();
            let extractors = workflow::extractors(&Specs::built_in().unwrap()).unwrap();
            let verified = workflow::verify(&store, &extractors).unwrap();
            assert!(verified.doubts.is_empty(), "{skin}: {:#?}", verified.doubts);
            assert_eq!(verified.records, FORMS.len());
            assert!(store.unreferenced().unwrap().is_empty(), "pictures are referred to");
            let table = evidence(folder.path(), "224");
            order_of_the_table(&table);
            seen.push(records(folder.path()));
        }
        assert_eq!(seen[0], seen[1]);
        let value = |id: &str| {
            let record: Json = serde_json::from_str(&seen[0][id]).unwrap();
            let row = record["results"]["data"][0].clone();
            assert_eq!(record["source_method"], "browser_explore_page");
            (row["value"].as_str().unwrap().to_owned(), row["number"].as_str().unwrap_or_default().to_owned())
        };
        assert_eq!(value("216").0, "$9.8B");
        assert_eq!(value("195").0, "$93B");
        assert!(value("195").1.starts_with("933311"), "the number is the response's: {}", value("195").1);
        assert_eq!(value("200").0, "$70B");
        assert_eq!(value("194").0, "$139B");
        assert_eq!(value("170").0, "15.05");
    });
}

/// However someone sorted the table, and whether it is a table or divs, the first products are the same.
fn order_of_the_table(capture: &Capture) {
    let spec = Specs::built_in().unwrap().get("feasibility_table").unwrap().clone();
    let extractor = Extractor::new(spec).unwrap();
    let url = AtlasUrl::parse_settled(&capture.requested_url).unwrap().url;
    let read = |html: String| {
        let wanted = ["top_opportunities", "opportunity_global_growth"].map(|point| Wanted {
            data_point: point.into(),
            product: None,
            partner: None,
        });
        let extraction = extractor.extract(&Capture { html, ..capture.clone() }, &url, &wanted);
        assert!(extraction.is_complete(), "{:#?}", extraction.failures().collect::<Vec<_>>());
        extraction.observations().map(|one| (one.keys.clone(), one.value.clone())).collect::<Vec<_>>()
    };
    let shown = read(capture.html.clone());
    assert_eq!(shown[0].1, "Photographic film, developed");
    assert_eq!(shown[5].1, "13.1%");
    let (before, rest) = capture.html.split_once("<tbody").unwrap();
    let (head, rest) = rest.split_once('>').unwrap();
    let (body, after) = rest.split_once("</tbody>").unwrap();
    let rows: Vec<&str> = body.split_inclusive("</tr>").collect();
    assert!(rows.len() > 800, "{} rows", rows.len());
    let name = |row: &str| {
        let link = &row[row.find("<a ").unwrap()..];
        link[link.find('>').unwrap() + 1..].split('<').next().unwrap().to_lowercase()
    };
    let mut sorted = rows.clone();
    sorted.sort_by_key(|row| name(row));
    let page = |rows: Vec<&str>| format!("{before}<tbody{head}>{}</tbody>{after}", rows.concat());
    assert_eq!(read(page(sorted.clone())), shown, "sorted by name");
    sorted.reverse();
    assert_eq!(read(page(sorted)), shown, "sorted by name, the last first");
    let mut divs = capture.html.clone();
    for tag in ["table", "thead", "tbody", "tr", "th", "td"] {
        for (from, to) in
            [(format!("<{tag} "), "<div "), (format!("<{tag}>"), "<div>"), (format!("</{tag}>"), "</div>")]
        {
            divs = divs.replace(&from, to);
        }
    }
    assert_eq!(read(divs), shown, "without a table");
}

#[test]
fn decision_11_a_drawing_that_shows_another_value_than_its_response_fails_loudly() {
    run(async {
        let faults = ["drawn-otherwise=0902:$1.93B", "drawn-otherwise=total:$61B"];
        let twin = replica(Skin::Mui, &faults).await;
        let folder = tempfile::tempdir().unwrap();
        let page = "year=2024&exporter=country-404";
        let entries = vec![
            question("tea", page, &["product_export"], json!({ "product": "0902" })),
            question("first", page, &["top_product"], json!({})),
            question(
                "pair",
                "year=2024&exporter=country-76&importer=country-156",
                &["bilateral_total"],
                json!({}),
            ),
        ];
        let report = collect(&twin, entries, folder.path()).await;
        let notes = notes(&report);
        assert_eq!((report.exit_code, notes.len()), (4, 3), "{notes:#?}");
        for id in ["tea", "first"] {
            assert!(
                notes[id].contains("Tea is labelled $1.93B, the response gives 1385010482"),
                "{}",
                notes[id]
            );
        }
        assert!(
            notes["pair"].contains("the corner shows $61B, the cells add up to 93331183"),
            "{}",
            notes["pair"]
        );
        assert!(records(folder.path()).is_empty(), "nothing is stored");
    });
}

#[test]
fn decision_15_every_other_context_is_refused_by_the_part_that_differs() {
    run(async {
        let twin = replica(Skin::Hashed, &[]).await;
        let folder = tempfile::tempdir().unwrap();
        let kenya = "year=2024&exporter=country-404";
        let top: &[&str] = &["top_products"];
        let entries = vec![
            question("right", kenya, top, json!({ "scope": "goods_and_services", "classification": "HS92" })),
            question("goods", kenya, top, json!({ "scope": "goods" })),
            question("class", kenya, top, json!({ "classification": "HS12" })),
            question("year", kenya, top, json!({ "period": 2023 })),
            question("flow", kenya, &["top_imports"], json!({})),
            question("whole", kenya, &["bilateral_total"], json!({})),
            question("default", "year=2024", top, json!({})),
            question(
                "partner",
                "year=2024&exporter=country-76&importer=country-156&view=markets",
                &["partner_export"],
                json!({ "partner": "156" }),
            ),
        ];
        let report = collect(&twin, entries, folder.path()).await;
        let notes = notes(&report);
        assert_eq!(records(folder.path()).into_keys().collect::<Vec<_>>(), ["right"]);
        for (id, words) in [
            ("goods", "scope: the question asks for goods, the page shows goods and services"),
            ("class", "classification: the question asks for HS12, the page shows HS92"),
            ("year", "period: the question asks for 2023, the page shows 2024"),
            ("flow", "flow: `top_imports` is about the import of a page, this one shows exports"),
            ("whole", "partner: the page shows the trade of Kenya with the whole world"),
            ("default", "country: the address names no exporter, the site chose"),
            ("partner", "partner: asked for importer country-156, settled without it"),
        ] {
            assert!(notes.get(id).is_some_and(|said| said.contains(words)), "{id}: {:?}", notes.get(id));
        }
    });
}
