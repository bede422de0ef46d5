//! The whole manifest on both renderings: every question answered, one load a page, the same bytes, all of it
//! confirmed by its evidence, and a second look that changes nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use atlas_gt::acquire::browser::Pool;
use atlas_gt::event::Events;
use atlas_gt::truth::Store;
use atlas_gt::workflow::{self, CollectReport, QuestionOutcome};
use atlas_gt_twin::{Skin, Twin};
use tokio::sync::OnceCell;

use crate::bench::{Plan, SKINS, extractors, manifest, options, records, replica, run, shared, tree};

/// A collection of the whole manifest that several tests look at.
pub struct Whole {
    pub report: CollectReport,
    pub store: PathBuf,
    pub twin: Twin,
}

/// The whole manifest from one rendering, collected once.
pub async fn whole(skin: Skin) -> &'static Whole {
    static RUNS: LazyLock<[OnceCell<Whole>; 2]> = LazyLock::new(Default::default);
    let at = SKINS.iter().position(|each| *each == skin).unwrap();
    RUNS[at]
        .get_or_init(|| async {
            let twin = replica(skin, &[]).await;
            let pool = Pool::start(2, options(&twin.base_url)).await.unwrap();
            // kept between runs of this program, where nothing removes it but the next one
            let store = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("whole-{skin}"));
            let _ = std::fs::remove_dir_all(&store);
            let plan = Plan { sessions: 2, ..Plan::new(&twin.base_url, manifest().entries) };
            let report = plan.run_into(&pool, &store, &Events::silent()).await;
            pool.close().await;
            Whole { report, store, twin }
        })
        .await
}

/// Loads of country pages at the site's own log.
fn loads(twin: &Twin) -> BTreeMap<String, usize> {
    let mut loads = BTreeMap::new();
    for entry in twin.log().iter().filter(|entry| entry.path.starts_with("/countries/")) {
        *loads.entry(entry.path.clone()).or_default() += 1;
    }
    loads
}

async fn is_answered_from_one_load_a_page(skin: Skin) {
    let whole = whole(skin).await;
    let report = &whole.report;
    let entries = manifest().entries;
    assert_eq!(report.questions.len(), entries.len());
    let other: Vec<_> =
        report.questions.iter().filter(|one| one.outcome != QuestionOutcome::Collected).collect();
    assert!(other.is_empty(), "{skin}: {other:#?}");
    let absent: Vec<_> =
        report.questions.iter().filter(|one| one.absent).map(|one| one.question_id.as_str()).collect();
    assert_eq!(absent, ["103", "106", "129", "130", "131", "132"], "{skin}");
    let noted: Vec<_> = report.questions.iter().filter(|one| !one.disagreements.is_empty()).collect();
    assert!(noted.is_empty(), "{skin}: {noted:#?}");
    assert_eq!(report.exit_code, 0);
    let pages = ["231", "276", "356", "404", "724", "76", "792", "840"];
    let expected: BTreeMap<String, usize> = pages.iter().map(|id| (format!("/countries/{id}"), 1)).collect();
    assert_eq!(loads(&whole.twin), expected, "{skin}");
    assert!(report.visits.iter().all(|visit| visit.loads == 1 && visit.bundle.is_none()));
    // what the tool says it asked of the site is what the site saw
    let logged = whole.twin.log().len();
    assert_eq!(report.requests as usize, logged, "{skin}");
    // and what was planned before anything was known of the site is near it
    let planned = report.planned_requests as usize;
    assert!(planned.abs_diff(logged) * 20 <= logged, "{skin}: planned {planned}, made {logged}");
}

#[test]
fn every_question_is_answered_from_one_load_a_page() {
    run(is_answered_from_one_load_a_page(Skin::Hashed));
}

#[test]
#[ignore = "slow: make test-deep"]
fn both_renderings_give_the_same_bytes() {
    run(async {
        is_answered_from_one_load_a_page(Skin::Mui).await;
        follows_from_its_evidence(Skin::Mui).await;
        let [one, other] = [whole(SKINS[0]).await, whole(SKINS[1]).await];
        let (one, other) = (records(&one.store), records(&other.store));
        assert_eq!(one.len(), manifest().entries.len());
        for (id, text) in &one {
            assert_eq!(Some(text), other.get(id), "question {id}");
        }
        assert_eq!(one.len(), other.len());
    });
}

async fn follows_from_its_evidence(skin: Skin) {
    let whole = whole(skin).await;
    let store = Store::read(&whole.store).unwrap();
    let rows: usize =
        records(&whole.store).values().map(|text| crate::bench::record(text).results.data.len()).sum();
    let extractors = extractors();
    let verified = workflow::verify(&store, extractors).unwrap();
    assert_eq!(verified.doubts, [], "{skin}");
    assert_eq!((verified.records, verified.confirmed), (109, rows), "{skin}");
    assert_eq!(store.unreferenced().unwrap(), [], "{skin}: evidence that nothing refers to");
}

#[test]
fn every_stored_value_follows_from_its_evidence() {
    run(follows_from_its_evidence(Skin::Hashed));
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_14_a_second_collection_changes_no_byte_but_one_line_a_question() {
    run(async {
        let whole = whole(Skin::Hashed).await;
        let browsers = shared();
        // a copy, as other tests look at the original
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in tree(&whole.store) {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let mut before = tree(folder.path());
        before.remove(Path::new("checks.jsonl")).unwrap();
        // two countries, later, on the other rendering: even its markup changes nothing
        let twin = replica(Skin::Mui, &[]).await;
        let entries: Vec<_> = manifest()
            .entries
            .into_iter()
            .filter(|entry| entry.url.path().contains("/404") || entry.url.path().contains("/840"))
            .collect();
        let count = entries.len();
        assert_eq!(count, 30);
        let plan = Plan { sessions: 2, now: "2026-12-20T10:30:00Z", ..Plan::new(&twin.base_url, entries) };
        let report = plan.run_into(browsers.pool().await, folder.path(), &Events::silent()).await;
        assert_eq!((report.exit_code, report.totals.agreed), (0, count));
        let mut after = tree(folder.path());
        let checks = PathBuf::from("checks.jsonl");
        let lines = String::from_utf8(after.remove(&checks).unwrap()).unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        let (tally, lines) = lines.split_last().unwrap();
        assert!(tally.starts_with(&format!("{{\"lines\":{count},")), "{tally}");
        assert_eq!(lines.len(), count);
        assert!(lines.iter().all(|line| line.contains("unchanged") && line.contains("2026-12-20")));
        let changed: Vec<_> = after
            .iter()
            .filter(|(path, bytes)| before.get(*path) != Some(*bytes))
            .map(|(path, _)| path)
            .collect();
        assert!(changed.is_empty() && before.len() == after.len(), "{changed:?}");
    });
}
