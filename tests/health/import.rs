//! `atlas-gt import` as a whole: what a team has becomes a store, everything is accounted for, and nothing is done twice.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use atlas_gt::extract::Extractors;
use atlas_gt::manifest;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::tree::tree;

const QUESTIONS: &str = r#"{"categories": [{"id": "cp", "name": "Country profile"}], "questions": [
    {"id": 61, "category_id": "cp", "text": "What is the GDP per capita of Kenya?", "difficulty": "easy"},
    {"id": "75", "text": "What is the total value of the goods and services that Brazil exports?"},
    {"id": 86, "text": "Which three products lead the exports of India, and what share does each of them hold?"},
    {"id": 16, "text": "By how many per cent did the exports of services of Spain grow from 2014 to 2024?"},
    {"id": 53, "text": "Who won the football world cup of 2018?", "expected_behavior": "Declines."},
    {"id": 9, "text": "A question without a record"},
    {"id": 900, "text": "A question that the manifest lacks"}]}"#;

fn put(folder: &Path, id: &str, record: &Json) {
    let folder = folder.join(id).join("ground_truth");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("results.json"), record.to_string()).unwrap();
}

fn record(rows: Json) -> Json {
    json!({"execution_timestamp": "2026-02-28T10:00:00+00:00Z", "results": {"data": rows}})
}

/// A folder with most of what is odd in such folders.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    fs::write(at.join("questions.json"), QUESTIONS).unwrap();
    let mut verified = record(
        json!([{"metric": "GDP per capita", "value": "$2,274", "raw_value": 2274.3, "year": 2024, "note": "by hand"}]),
    );
    verified["source_method"] = "graphql_api_browser_verified".into();
    put(at, "61", &verified);
    let seen =
        json!({"verified_value": "$2,274", "match": true, "verification_timestamp": "2026-03-02T09:00:00Z"});
    fs::write(at.join("61/verification.json"), seen.to_string()).unwrap();
    put(at, "75", &record(json!([{"metric": "Total exports", "value": "$377.65 billion"}, "a text alone"])));
    put(
        at,
        "86",
        &record(json!([
            {"rank": 1, "product_name": "Business", "hs92_code": "ict", "export_value": "$209.15 billion", "share": "26.4%"},
            {"rank": 2, "product_name": "Gold", "hs92_code": "7108", "export_value": "$85 billion", "share": "10.8%"},
        ])),
    );
    put(
        at,
        "16",
        &record(json!([
            {"year": 2014, "total_services": 136.5, "by_sector": {"product-HS92-401": 71.0, "product-HS92-400": 15.0}},
            {"value": "exports=$3.50B; imports=$2B"}, {"export_value": {"2016": "$393B", "2021": null}},
        ])),
    );
    put(at, "53", &json!({"expected_behavior": "Declines.", "results": {"data": []}}));
    put(at, "900", &record(json!([{"metric": "Something else", "value": 7}])));
    dir
}

fn run(folder: &Path, store: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    command.arg("import").arg(folder).arg("--questions").arg(folder.join("questions.json"));
    if !more.contains(&"--manifest") {
        command.args(["--manifest", "manifests/atlas.json"]);
    }
    command.arg("--store").arg(store).args(more).env("ATLAS_GT_NOW", "2026-11-20T10:30:00Z");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Every leaf of a value, with where it stands.
fn leaves(value: &Json, at: &str, found: &mut BTreeSet<String>) {
    let joined = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
    match value {
        Json::Object(map) => map.iter().for_each(|(key, value)| leaves(value, &joined(key), found)),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(n, item)| leaves(item, &format!("{at}[{n}]"), found));
        }
        _ => drop(found.insert(at.to_owned())),
    }
}

#[test]
fn every_leaf_is_accounted_for_and_a_second_import_changes_no_byte() {
    let (folder, store) = (folder(), tempfile::tempdir().unwrap());
    let at = store.path().join("truth");
    let dry = run(folder.path(), &at, &["--dry-run"]);
    assert!(text(&dry).contains("6 records: would be 5 written") && !at.exists(), "{}", text(&dry));

    let done = run(folder.path(), &at, &["--format", "json"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    let report: Json = serde_json::from_slice(&done.stdout).unwrap();
    for record in report["records"].as_array().unwrap() {
        let path = folder.path().join(record["file"].as_str().unwrap());
        let foreign: Json = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let listed = record["leaves"].as_array().unwrap();
        for (number, row) in foreign["results"]["data"].as_array().unwrap().iter().enumerate() {
            let mut wanted = BTreeSet::new();
            match row {
                Json::Object(_) => leaves(row, "", &mut wanted),
                _ => drop(wanted.insert("value".to_owned())),
            }
            let of_row: Vec<&str> = listed
                .iter()
                .filter(|leaf| leaf["row"] == json!(number + 1))
                .map(|leaf| leaf["key"].as_str().unwrap())
                .collect();
            for leaf in wanted {
                // a text of pairs is taken apart
                let is_listed = of_row.iter().any(|key| *key == leaf || key.starts_with(&format!("{leaf}.")));
                assert!(is_listed, "{} {leaf}: {of_row:?}", record["question_id"]);
            }
        }
    }
    let summary = &report["summary"];
    assert_eq!(
        (&summary["placed"], &summary["in_manifest"], &summary["looks"]),
        (&json!(3), &json!(5), &json!(1))
    );
    assert_eq!((&summary["without_record"], &summary["behaviors"]), (&json!(1), &json!(1)));
    let truth: Json = serde_json::from_slice(&fs::read(at.join("75/results.json")).unwrap()).unwrap();
    assert_eq!(truth["results"]["data"][0]["data_point"], "total_exports");
    assert_eq!(truth["results"]["data"][1]["value"], "a text alone");
    let behaviors =
        manifest::load(&at.join("expected_behavior.json"), &Extractors::built_in().unwrap()).unwrap();
    assert_eq!(behaviors.behaviors[0].expected_behavior.as_deref(), Some("Declines."));

    let before = tree(&at);
    let again = run(folder.path(), &at, &[]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));
    assert!(text(&again).contains("5 unchanged"), "{}", text(&again));
    assert!(tree(&at) == before, "a second import changed a file");
}

#[test]
fn decision_28_what_cannot_be_read_is_quarantined_by_name_and_the_rest_is_imported() {
    let (folder, store) = (folder(), tempfile::tempdir().unwrap());
    put(folder.path(), "62", &json!({"question_id": "63", "results": {"data": []}}));
    fs::create_dir_all(folder.path().join("64")).unwrap();
    fs::write(folder.path().join("64/results.json"), "{\"results\": ").unwrap();
    let done = run(folder.path(), store.path(), &[]);
    assert_eq!(done.status.code(), Some(2), "{}", text(&done));
    for part in [
        "62/ground_truth/results.json: question_id: states question 63",
        "64/results.json: is not JSON",
        "5 written",
    ] {
        assert!(text(&done).contains(part), "{part}: {}", text(&done));
    }
    assert!(store.path().join("61/results.json").exists());
}

#[test]
fn two_files_of_one_record_that_differ_are_quarantined_and_the_same_twice_is_one() {
    let (folder, store) = (folder(), tempfile::tempdir().unwrap());
    let own = folder.path().join("61");
    fs::copy(own.join("ground_truth/results.json"), own.join("results.json")).unwrap();
    let output = run(folder.path(), store.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let other = record(json!([{"metric": "GDP per capita", "value": "$9,999", "year": 2024}]));
    fs::write(own.join("results.json"), other.to_string()).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let output = run(folder.path(), elsewhere.path(), &[]);
    // long lines are wrapped
    let said = text(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("61/ground_truth/results.json: ") && said.contains("61/results.json is a record"),
        "{said}"
    );
    assert!(said.contains("remove the other file"), "{said}");
    assert!(!elsewhere.path().join("61").exists() && elsewhere.path().join("75").exists());
}

#[test]
fn decision_12_other_values_wait_and_decision_18_another_site_is_refused() {
    let (folder, store) = (folder(), tempfile::tempdir().unwrap());
    assert_eq!(run(folder.path(), store.path(), &[]).status.code(), Some(0));
    let mut newer = record(json!([{"metric": "Total exports", "value": "$390.00 billion"}, "a text alone"]));
    newer["execution_timestamp"] = "2026-09-01T00:00:00Z".into();
    put(folder.path(), "75", &newer);
    let done = run(folder.path(), store.path(), &[]);
    assert_eq!(done.status.code(), Some(3), "{}", text(&done));
    let told = text(&run(folder.path(), store.path(), &["--format", "md"]));
    assert!(told.contains("total\\_exports changed from $377.65 billion to $390.00 billion"), "{told}");
    let kept = fs::read_to_string(store.path().join("75/results.json")).unwrap();
    assert!(kept.contains("$377.65 billion"), "{kept}");
    let twin = run(folder.path(), store.path(), &["--site", "twin"]);
    assert_ne!(twin.status.code(), Some(0));
    assert!(text(&twin).contains("holds the live site"), "{}", text(&twin));
}

#[test]
fn killed_at_several_points_a_store_is_whole_and_a_second_import_completes_it() {
    let folder = tempfile::tempdir().unwrap();
    let question = |n: usize| json!({"id": format!("q{n}"), "text": "What is the GDP per capita of Kenya?"});
    let questions = json!({ "questions": (0..520).map(question).collect::<Vec<_>>() });
    fs::write(folder.path().join("questions.json"), questions.to_string()).unwrap();
    let rows = |n: usize| json!([{"metric": "GDP per capita", "value": format!("${}", 1000 + n)}]);
    (0..520).for_each(|n| put(folder.path(), &format!("q{n}"), &record(rows(n))));
    let whole = tempfile::tempdir().unwrap();
    let done = run(folder.path(), whole.path(), &[]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    let complete = tree(whole.path());
    // after the first record, after the first batch, near the end
    for last in ["q0", "q300", "q99"] {
        let store = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
            .arg("import")
            .arg(folder.path())
            .arg("--questions")
            .arg(folder.path().join("questions.json"))
            .args(["--manifest", "manifests/atlas.json"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg("--store")
            .arg(store.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let wanted = store.path().join(last).join("results.json");
        while !wanted.exists() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        for (path, bytes) in tree(store.path()) {
            let is_record = path.ends_with("results.json");
            assert!(!is_record || complete.get(&path) == Some(&bytes), "{}", path.display());
        }
        assert_eq!(run(folder.path(), store.path(), &[]).status.code(), Some(0));
        assert!(tree(store.path()) == complete, "killed after {last}");
    }
}

/// What `lint` calls an error is named at once, and a word that merely contains `browser` is no way to read a page.
#[test]
fn errors_and_unknown_methods_are_named_under_to_check() {
    let (folder, store) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let questions = r#"[{"id": 61, "text": "What share of the exports of Kenya is tea?"}]"#;
    fs::write(folder.path().join("questions.json"), questions).unwrap();
    let mut impossible = record(json!([{"metric": "Share of exports", "share": "120%", "year": 2024}]));
    impossible["source_method"] = "guess without browser".into();
    put(folder.path(), "61", &impossible);
    let at = store.path().join("truth");
    let own = folder.path().join("questions.json");
    let done = run(folder.path(), &at, &["--manifest", own.to_str().unwrap()]);
    let said = text(&done);
    for part in ["To check", "GT029", "`guess without browser` is"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let truth: Json = serde_json::from_slice(&fs::read(at.join("61/results.json")).unwrap()).unwrap();
    assert_eq!(truth["source_method"], "graphql_api");
    let lint = Command::new(env!("CARGO_BIN_EXE_atlas-gt")).arg("lint").arg(folder.path()).output().unwrap();
    assert!(text(&lint).contains("GT015"), "{}", text(&lint));
}

#[test]
fn a_record_that_does_not_say_when_it_was_read_is_of_no_day() {
    let (folder, store) = (folder(), tempfile::tempdir().unwrap());
    put(
        folder.path(),
        "61",
        &json!({"results": {"data": [{"metric": "GDP per capita", "value": "$2,274", "year": 2024}]}}),
    );
    fs::remove_file(folder.path().join("61/verification.json")).unwrap();
    let at = store.path().join("truth");
    assert_eq!(run(folder.path(), &at, &[]).status.code(), Some(0));
    for arguments in [&["list", "--where", "$2,274"][..], &["show", "61"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
        command.args(arguments).arg("--store").arg(&at).current_dir(env!("CARGO_MANIFEST_DIR"));
        let said = text(&command.output().unwrap());
        assert!(said.contains("$2,274") && !said.contains("1970"), "{arguments:?}: {said}");
    }
}
