//! Two clocks make a record stale: its last look, and the release that was read (decision 10).

use atlas_gt::config::{Settings, StaleMonths};
use atlas_gt::truth::{Site, Store, checks};
use atlas_gt::workflow::refresh::{ChangeSelection, choose};
use atlas_gt::workflow::stale::{StaleBy, stale};
use serde_json::{Value as Json, json};

use crate::{COUNTRY, Read, call, file, questions};

const NOW: &str = "2027-03-01T00:00:00Z";

/// Records of every age, with looks that count and looks that do not.
fn store(dir: &std::path::Path) -> Store {
    let store = Store::open(dir, Site::Live).unwrap();
    let old = Read { at: "2026-07-01T00:00:00Z", ..COUNTRY };
    let treemap = Read {
        method: "browser_explore_page",
        page: "/explore/treemap?exporter=country-404&year=2024",
        at: "2026-11-25T00:00:00Z",
        channel: "page_response",
        ..COUNTRY
    };
    let new = "2027-02-20T00:00:00Z";
    file(&store, &[Read { question: "61", at: new, ..COUNTRY }]);
    file(&store, &[Read { question: "62", ..old }]);
    file(&store, &[Read { question: "63", ..old }]);
    file(&store, &[Read { question: "64", ..old }]);
    file(&store, &[Read { question: "170", ..treemap }]);
    file(&store, &[Read { question: "65", at: new, release: Some("2026-02-01"), ..COUNTRY }]);
    file(&store, &[Read { question: "66", at: new, release: Some("2027-01-10"), ..COUNTRY }]);
    // before the release of 2027-01-10 came out, and young enough
    file(&store, &[Read { question: "67", ..COUNTRY }]);
    // the site's own address is not there: no kind of page
    file(&store, &[Read { question: "68", page: "/nowhere", at: new, ..COUNTRY }]);
    for (id, outcome) in [(63, "unchanged"), (64, "failed")] {
        let check = json!({"timestamp": "2027-02-01T00:00:00Z", "question_id": id, "outcome": outcome});
        checks::append(&store, &serde_json::from_value(check).unwrap()).unwrap();
    }
    store
}

#[test]
fn decision_10_a_record_is_stale_by_its_last_look_or_by_the_release_it_was_read_of() {
    use StaleBy::{Age, Release};
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let settings: Settings = toml::from_str("stale_months = { \"explore/treemap\" = 3 }").unwrap();
    let months = settings.resolve().unwrap().stale_months;
    let report = stale(&store, &months, NOW.parse().unwrap()).unwrap();
    assert_eq!(report.newest_release.as_deref(), Some("2027-01-10"));
    let found: Vec<(&str, &[StaleBy])> =
        report.stale.iter().map(|one| (one.question_id.as_str(), one.stale_by.as_slice())).collect();
    assert_eq!(
        found,
        [
            ("62", [Age, Release].as_slice()),
            ("64", &[Age, Release]),
            ("67", &[Release]),
            ("170", &[Age, Release]),
            ("65", &[Release]),
        ]
    );
    let why = |id: &str| &report.stale.iter().find(|one| one.question_id.as_str() == id).unwrap().why;
    assert_eq!(why("65"), "read from release 2026-02-01; 2027-01-10 is out");
    assert_eq!(why("67"), "read before release 2027-01-10");
    assert!(why("170").starts_with("not checked for 3 months"), "{}", why("170"));

    // six months are the default, and the treemap is young enough for them
    let report = stale(&store, &StaleMonths::default(), NOW.parse().unwrap()).unwrap();
    let treemap = report.stale.iter().find(|one| one.question_id.as_str() == "170").unwrap();
    assert_eq!(treemap.stale_by, [Release]);

    // the site's release is the one that was read last, even if the site went back to an older one
    let check = json!({
        "timestamp": "2027-02-25T00:00:00Z", "question_id": "61", "outcome": "unchanged", "site_vintage": "2026-02-01",
    });
    checks::append(&store, &serde_json::from_value(check).unwrap()).unwrap();
    let report = stale(&store, &StaleMonths::default(), NOW.parse().unwrap()).unwrap();
    assert_eq!(report.newest_release.as_deref(), Some("2026-02-01"));
}

#[test]
fn refresh_stale_looks_at_what_stale_lists() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let (extractors, manifest) = questions();
    for (now, months) in [(NOW, 6), (NOW, 24), ("2027-09-01T00:00:00Z", 6)] {
        let (now, months) = (now.parse().unwrap(), StaleMonths::all(months));
        let mut listed: Vec<String> = stale(&store, &months, now)
            .unwrap()
            .stale
            .iter()
            .map(|one| one.question_id.to_string())
            .collect();
        listed.sort();
        assert!(!listed.is_empty());
        let selection = ChangeSelection { stale: Some(months), ..ChangeSelection::default() };
        let chosen = choose(&store, &manifest.entries, &extractors, &selection, now).unwrap();
        let mut chosen: Vec<String> =
            chosen.entries.iter().map(|entry| entry.question_id.to_string()).collect();
        chosen.sort();
        assert_eq!(chosen, listed);
    }
}

#[test]
fn decision_22_stale_ends_with_3_and_names_what_it_cannot_read() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("store");
    drop(store(&dir));
    let run = |now: &str, more: &[&str]| {
        let arguments: Vec<&str> = ["stale", "--store", "store"].iter().chain(more).copied().collect();
        call(folder.path(), now, &arguments)
    };
    let (code, out, err) = run(NOW, &["--format", "json"]);
    let report: Json = serde_json::from_str(&out).unwrap();
    assert_eq!((code, report["stale"].as_array().unwrap().len()), (3, 5), "{err}");
    assert_eq!((&report["exit_code"], &report["stale"][0]["question_id"]), (&json!(3), &json!("62")));
    assert_eq!(run("2026-11-26T00:00:00Z", &["--older-than", "24"]).0, 3, "releases count whatever the age");
    let (code, out, _) = run(NOW, &[]);
    assert!(code == 3 && out.contains("9 records, 5 stale"), "{out}");

    // a record that is damaged is named, and the others are listed (decision 28)
    std::fs::write(dir.join("62/results.json"), "{").unwrap();
    let (code, out, err) = run(NOW, &[]);
    assert!(code == 2 && out.contains("8 records, 4 stale"), "{out}");
    assert!(err.contains("quarantined: store/62/results.json:1:1: "), "{err}");

    std::fs::write(folder.path().join("atlas-gt.toml"), "stale_months = { countries = 3 }").unwrap();
    let (code, _, err) = run(NOW, &[]);
    assert!(code == 2 && err.contains("`countries` is not a kind of page"), "{err}");

    let young = tempfile::tempdir().unwrap();
    let store = Store::open(young.path().join("store"), Site::Live).unwrap();
    file(&store, &[COUNTRY]);
    drop(store);
    let (code, out, _) = call(young.path(), "2027-05-20T09:59:59Z", &["stale", "--store", "store"]);
    assert_eq!(
        (code, out.as_str()),
        (0, "1 record, 0 stale (the site's data release when last read: unknown)\n")
    );
    assert_eq!(call(young.path(), "2027-05-20T10:00:00Z", &["stale", "--store", "store"]).0, 3);
}
