//! Explore pages as a whole: a real Chromium over the local replica of the site. Both renderings give the same
//! bytes, every value follows from its evidence, and a page that shows another value, or something else than
//! was asked for, is refused with what differs named.

mod mend;
mod views;

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use atlas_gt::acquire::Rate;
use atlas_gt::acquire::browser::{BrowserOptions, Pool};
use atlas_gt::acquire::graphql::{Client, Patience, SchemaCache};
use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::Capture;
use atlas_gt::event::Events;
use atlas_gt::extract::Extractors;
use atlas_gt::extract::{Extractor, Wanted};
use atlas_gt::manifest::spec::Specs;
use atlas_gt::manifest::{Entry, parse};
use atlas_gt::truth::{Agreement, Channel, PointProvenance, Site, SourceMethod, Store};
use atlas_gt::workflow::{self, Clock, CollectReport, Job, OwnApi, QuestionOutcome, RequestEstimates};
use atlas_gt_twin::{self as twin, Skin, Twin, TwinOptions};
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

async fn collect(twin: &Twin, entries: Vec<Entry>, store: &Path) -> CollectReport {
    collect_and_ask(twin, entries, store, None).await
}

/// A client of our own queries that shares a budget.
fn own(base: &str, rate: &Arc<Rate>) -> Option<OwnApi> {
    let patience = Patience { attempts: 1, ..Patience::default() };
    let client = Client::with_patience(&base.parse().unwrap(), None, rate.clone(), patience).unwrap();
    Some(OwnApi { client, schemas: SchemaCache::none() })
}

/// As [`collect`], with queries of our own to an API at `api`.
async fn collect_and_ask(twin: &Twin, entries: Vec<Entry>, store: &Path, api: Option<&str>) -> CollectReport {
    collect_within(twin, entries, store, api, Duration::from_secs(20)).await
}

/// As [`collect_and_ask`], waiting no longer for a page.
async fn collect_within(
    twin: &Twin,
    entries: Vec<Entry>,
    store: &Path,
    api: Option<&str>,
    page_timeout: Duration,
) -> CollectReport {
    let extractors = Extractors::built_in().unwrap();
    let job = Job { page_timeout, ..job(twin, entries, store, api, extractors) };
    let pool = browsers(twin).await;
    let report =
        workflow::collect(&pool, &Arc::new(job), &Events::silent(), &AtomicBool::new(false)).await.unwrap();
    pool.close().await;
    report
}

async fn browsers(twin: &Twin) -> Pool {
    let mut options = BrowserOptions::new(twin.base_url.parse().unwrap());
    options.script = Duration::from_secs(60);
    Pool::start(1, options).await.unwrap()
}

fn job(twin: &Twin, entries: Vec<Entry>, store: &Path, api: Option<&str>, extractors: Extractors) -> Job {
    let rate = Arc::new(Rate::new(1_000_000));
    Job {
        base: twin.base_url.parse().unwrap(),
        entries,
        extractors,
        store: Store::open(store, Site::Twin).unwrap(),
        api: api.and_then(|base| own(base, &rate)),
        rate,
        estimates: RequestEstimates::default(),
        sessions: 1,
        page_timeout: Duration::from_secs(20),
        attempts: 2,
        clock: Clock::Fixed("2026-11-20T10:30:00Z".parse().unwrap()),
        options: workflow::RunOptions::default(),
    }
}

/// Questions of the project's own manifest.
fn questions(ids: &[&str]) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let mut entries = atlas_gt::manifest::load(&path, &Extractors::built_in().unwrap()).unwrap().entries;
    entries.retain(|entry| ids.contains(&entry.question_id.as_str()));
    assert_eq!(entries.len(), ids.len());
    entries
}

/// A treemap question: id, path, points, context.
fn question(id: &str, path: &str, points: &[&str], context: Json) -> Entry {
    let method = if points == ["total_value"] { "dom" } else { "api_preferred" };
    entry(id, &format!("/explore/treemap?{path}"), (method, "treemap_verify"), points, context)
}

fn entry(id: &str, url: &str, (method, extractor): (&str, &str), points: &[&str], context: Json) -> Entry {
    let entry = json!({
        "question_id": id,
        "atlas_url": url,
        "extraction_method": method,
        "extractor": extractor,
        "data_points": points,
        "context": context,
    });
    let text = json!({ "questions": [entry] }).to_string();
    parse(Path::new("test.json"), &text, &Extractors::built_in().unwrap()).unwrap().entries.remove(0)
}

fn records(store: &Path) -> BTreeMap<String, String> {
    let store = Store::read(store).unwrap();
    let ids = store.question_ids().unwrap();
    let text = |id: &_| std::fs::read_to_string(store.dir().join(format!("{id}/results.json"))).unwrap();
    ids.iter().map(|id| (id.to_string(), text(id))).collect()
}

fn notes(report: &CollectReport) -> BTreeMap<&str, String> {
    let failed = report.questions.iter().filter(|one| one.outcome == QuestionOutcome::Failed);
    failed.map(|one| (one.question_id.as_str(), one.notes.join("\n"))).collect()
}

/// The method of a record and how its first value was read.
fn read(store: &Path, id: &str) -> (SourceMethod, PointProvenance) {
    let stored = Store::read(store).unwrap().load(&id.parse().unwrap()).unwrap().unwrap();
    (stored.record.source_method, stored.provenance.unwrap().points.remove(0))
}

fn evidence(store: &Path, id: &str) -> Capture {
    let (_, point) = read(store, id);
    let store = Store::read(store).unwrap();
    // a picture of what is drawn is kept beside the capture
    assert!(store.picture(&point.screenshot.unwrap()).unwrap().starts_with(b"\x89PNG"));
    serde_json::from_slice(&store.evidence(&point.evidence.unwrap()).unwrap()).unwrap()
}

/// One of every form of page: totals, products, partners, sellers, a pair, imports, another class.
const FORMS: [&str; 11] = ["17", "170", "176", "182", "194", "195", "200", "210", "216", "224", "338"];

/// What is planned of a page before any visit was counted is what the site then logs of it; and every treemap of the
/// manifest is expected to ask as much as one of these.
fn the_plan_holds(twin: &Twin, report: &CollectReport) {
    let (estimates, extractors) = (RequestEstimates::default(), Extractors::built_in().unwrap());
    let url = |page: &str| AtlasUrl::parse(page).unwrap().url;
    let mut kinds = BTreeSet::new();
    for visit in &report.visits {
        let planned = estimates.requests(&url(&visit.page), &extractors).0;
        assert_eq!(visit.requests - visit.files, planned, "{}", visit.page);
        kinds.insert(planned);
    }
    let logged = twin.log().len();
    assert_eq!((report.requests as usize, report.planned_requests as usize), (logged, logged));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let manifest = atlas_gt::manifest::load(&path, &extractors).unwrap();
    let treemap = url("/explore/treemap?year=2024").kind();
    for visit in atlas_gt::manifest::visits(&manifest.entries) {
        let is_treemap = visit.url.kind() == treemap;
        assert!(
            !is_treemap || kinds.contains(&estimates.requests(&visit.url, &extractors).0),
            "{}",
            visit.url
        );
    }
}

#[test]
#[ignore = "slow: make test-deep"]
fn both_renderings_give_the_same_bytes_and_all_of_it_follows_from_its_evidence() {
    run(async {
        let mut seen = Vec::new();
        for skin in [Skin::Hashed, Skin::Mui] {
            let twin = replica(skin, &[]).await;
            let folder = tempfile::tempdir().unwrap();
            let report = collect(&twin, questions(&FORMS), folder.path()).await;
            assert_eq!(report.exit_code, 0, "{skin}: {:#?}", notes(&report));
            assert_eq!(report.totals.collected, FORMS.len());
            the_plan_holds(&twin, &report);
            // the complexity of a product stands in the tooltip of its cell, once that was opened and shown whole
            let (_, complexity) = read(folder.path(), "176");
            assert_eq!(complexity.agreement, Some(Agreement::Agrees), "{skin}: {complexity:?}");
            let shown = complexity.displayed.as_deref().unwrap_or_default().replace('\u{2212}', "-");
            assert!(shown.starts_with("-2.2") && shown.len() == 6, "{skin}: {shown}");
            let store = Store::read(folder.path()).unwrap();
            let extractors = Extractors::built_in().unwrap();
            let verified = workflow::verify(&store, &extractors).unwrap();
            assert!(verified.doubts.is_empty(), "{skin}: {:#?}", verified.doubts);
            assert_eq!(verified.records, FORMS.len());
            assert!(store.unreferenced().unwrap().is_empty(), "pictures are referred to");
            let table = evidence(folder.path(), "224");
            let size = table.html.len();
            assert!((300_000..2_000_000).contains(&size), "{skin}: {size} bytes of markup for the table");
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
        let wanted = ["top_opportunities", "opportunity_global_growth"]
            .map(|point| Wanted { data_point: point.into(), ..Wanted::default() });
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
#[ignore = "slow: make test-deep"]
fn decision_11_a_drawing_that_shows_another_value_than_its_response_fails_loudly() {
    run(async {
        let faults =
            ["drawn-otherwise=0902:$1.93B", "drawn-otherwise=total:$61B", "drawn-otherwise=pci:-9.999"];
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
            question(
                "complexity",
                "year=2024&exporter=country-231",
                &["product_pci"],
                json!({ "product": "0901" }),
            ),
        ];
        let report = collect(&twin, entries, folder.path()).await;
        let notes = notes(&report);
        assert_eq!((report.exit_code, notes.len()), (4, 4), "{notes:#?}");
        let words = "the tooltip of Coffee shows -9.999, the response gives -2.2";
        assert!(notes["complexity"].contains(words), "{}", notes["complexity"]);
        for id in ["tea", "first"] {
            assert!(
                notes[id].contains("Tea is labelled $1.93B, the response gives 1385010482"),
                "{}",
                notes[id]
            );
        }
        assert!(
            notes["pair"].contains("the corner shows $61B, the cells sum to 93331183"),
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
            ("default", "country: the address names no exporter, and the site chose"),
            ("partner", "partner: asked for importer country-156, settled without it"),
        ] {
            assert!(notes.get(id).is_some_and(|said| said.contains(words)), "{id}: {:?}", notes.get(id));
        }
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_9_what_the_page_drew_from_nothing_we_can_read_is_asked_of_the_api_and_says_so() {
    run(async {
        let page = "year=2024&exporter=country-404";
        let entries = || {
            vec![
                question("tea", page, &["product_export"], json!({ "product": "0902" })),
                question("first", page, &["top_3_products"], json!({})),
                question("complexity", page, &["product_pci"], json!({ "product": "0901" })),
                question("total", page, &["total_value"], json!({})),
            ]
        };
        let healthy = tempfile::tempdir().unwrap();
        let sound = replica(Skin::Mui, &[]).await;
        assert_eq!(collect(&sound, entries(), healthy.path()).await.exit_code, 0);

        let twin = replica(Skin::Mui, &["page-lacks=countryProductYear"]).await;
        let folder = tempfile::tempdir().unwrap();
        let report = collect_and_ask(&twin, entries(), folder.path(), Some(&twin.base_url)).await;
        // what only the page can say is not answered for
        assert_eq!(notes(&report).into_keys().collect::<Vec<_>>(), ["total"], "{report:#?}");
        let (told, truth) = (records(folder.path()), records(healthy.path()));
        for id in ["tea", "first", "complexity"] {
            let (method, point) = read(folder.path(), id);
            assert_eq!(method, SourceMethod::GraphqlApi, "{id}");
            assert_eq!(
                (point.channel, point.agreement),
                (Channel::Api, Some(Agreement::NotIndependent)),
                "{id}"
            );
            let reason = point.agreement_reason.unwrap();
            assert!(reason.starts_with("answered to a query of our own"), "{id}: {reason}");
            assert_eq!(told[id].replace("graphql_api", "browser_explore_page"), truth[id], "{id}");
        }
        assert_eq!(read(healthy.path(), "tea").0, SourceMethod::BrowserExplorePage);
        let store = Store::read(folder.path()).unwrap();
        let extractors = Extractors::built_in().unwrap();
        assert_eq!(workflow::verify(&store, &extractors).unwrap().doubts, []);
        // two schemas and the rows, once, of our own
        let log = twin.log();
        let own: Vec<_> = log.iter().filter(|entry| !entry.by_page && entry.is_api()).collect();
        let asked: Vec<_> = own.iter().filter_map(|entry| entry.operation.as_deref()).collect();
        assert_eq!(asked, ["Introspection", "Introspection", "CountryProductYear"]);
        assert_eq!((report.own_requests, report.requests as usize), (3, log.len()));

        // without a client, or where the API has nothing either, they fail
        let folder = tempfile::tempdir().unwrap();
        let report = collect(&twin, entries(), folder.path()).await;
        assert_eq!((report.totals.failed, records(folder.path()).len()), (4, 0));
        let said = &notes(&report)["tea"];
        assert!(said.contains("a response lacks what the value depends on: countryProductYear"), "{said}");
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_9_a_country_page_has_the_same_way_out() {
    run(async {
        let ask = |id: &str, point: &str, context: Json| {
            let page = "https://atlas.hks.harvard.edu/countries/404";
            entry(id, page, ("api_preferred", "country_profile"), &[point], context)
        };
        let entries = || {
            vec![
                ask("first", "top_products", json!({})),
                ask("tea", "product_export", json!({ "product": "0902" })),
                ask("eci", "chart_eci", json!({})),
            ]
        };
        let healthy = tempfile::tempdir().unwrap();
        let sound = replica(Skin::Hashed, &[]).await;
        assert_eq!(collect(&sound, entries(), healthy.path()).await.exit_code, 0);

        let twin = replica(Skin::Hashed, &["page-lacks=treeMap"]).await;
        let folder = tempfile::tempdir().unwrap();
        let report = collect_and_ask(&twin, entries(), folder.path(), Some(&twin.base_url)).await;
        assert_eq!(notes(&report), BTreeMap::new(), "{report:#?}");
        let (told, truth) = (records(folder.path()), records(healthy.path()));
        assert_eq!(told["eci"], truth["eci"], "what the page holds comes from the page");
        for id in ["first", "tea"] {
            let (method, point) = read(folder.path(), id);
            assert_eq!(
                (method, point.channel, point.agreement),
                (SourceMethod::GraphqlApi, Channel::Api, Some(Agreement::NotIndependent)),
                "{id}"
            );
            // what shares divide by is told by the labels of a drawing that is not there
            let amounts = |text: &str| -> Vec<String> {
                text.lines().filter(|line| !line.contains("\"share\"")).map(str::to_owned).collect()
            };
            let told = told[id].replace("graphql_api", "browser_country_page");
            assert_eq!(amounts(&told), amounts(&truth[id]), "{id}");
            assert!(!told.contains("\"share\"") && truth[id].contains("\"share\""), "{id}");
        }
        let store = Store::read(folder.path()).unwrap();
        let extractors = Extractors::built_in().unwrap();
        assert_eq!(workflow::verify(&store, &extractors).unwrap().doubts, []);

        let folder = tempfile::tempdir().unwrap();
        let report = collect(&twin, entries(), folder.path()).await;
        assert_eq!(notes(&report).into_keys().collect::<Vec<_>>(), ["first", "tea"], "{report:#?}");
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_schema_that_differs_costs_only_what_depends_on_it() {
    run(async {
        let page = "year=2024&exporter=country-404";
        let entries = || {
            vec![
                question("tea", page, &["product_export"], json!({ "product": "0902" })),
                question("complexity", page, &["product_pci"], json!({ "product": "0901" })),
            ]
        };
        let twin = replica(Skin::Hashed, &["schema-lacks=explore:ProductYear.pci"]).await;
        let folder = tempfile::tempdir().unwrap();
        let report = collect_and_ask(&twin, entries(), folder.path(), Some(&twin.base_url)).await;
        let [explore, country] = report.schemas.as_slice() else { panic!("{:?}", report.schemas) };
        assert_eq!(
            (explore.differences.as_slice(), country.differences.len()),
            (&["ProductYear.pci".to_owned()][..], 0)
        );
        assert_eq!(explore.disabled, ["ProductYear"]);
        let notes = notes(&report);
        assert_eq!((report.exit_code, records(folder.path()).len()), (4, 1), "{notes:#?}");
        let words = "not sent, because the live schema differs: ProductYear.pci";
        assert!(notes["complexity"].contains(words), "{}", notes["complexity"]);

        // an API that cannot be asked stops nothing
        let folder = tempfile::tempdir().unwrap();
        let sound = replica(Skin::Hashed, &[]).await;
        let report = collect_and_ask(&sound, entries(), folder.path(), Some("http://127.0.0.1:9")).await;
        assert_eq!((report.exit_code, report.totals.collected), (0, 2));
        assert!(
            report
                .schemas
                .iter()
                .all(|check| check.failure.as_ref().is_some_and(|why| why.contains("refused")))
        );
    });
}
