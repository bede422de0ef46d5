//! `lint` as a person runs it, over a made-up folder with planted mistakes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::external;

fn lint(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    command.env("ATLAS_GT_NOW", "2026-11-30T00:00:00Z").arg("lint").args(arguments).output().unwrap()
}

fn of(folder: &external::Folder, more: &[&str]) -> Output {
    let (dir, questions) = (folder.dir.to_str().unwrap(), folder.questions.to_str().unwrap());
    lint(&[&[dir, "--questions", questions], more].concat())
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn made(records: usize, seed: u64) -> (tempfile::TempDir, external::Folder) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = external::write(temporary.path(), records, seed);
    (temporary, folder)
}

/// The codes of each record, notes left out.
fn codes(report: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let mut by_record: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in
        report["findings"].as_array().unwrap().iter().filter(|finding| finding["severity"] != "note")
    {
        for id in finding["questions"].as_array().unwrap() {
            by_record
                .entry(id.as_str().unwrap().to_owned())
                .or_default()
                .insert(finding["code"].as_str().unwrap().to_owned());
        }
    }
    by_record
}

/// Planted mistakes that are not found, and right records of which something is said.
fn judged(folder: &external::Folder, report: &Value) -> (Vec<String>, Vec<String>) {
    let found = codes(report);
    let of = |id: &String| found.get(id).cloned().unwrap_or_default();
    let is_found =
        |planted: &external::Planted| {
            planted.questions.iter().any(|id| {
                of(id).iter().any(|code| planted.codes.iter().any(|wanted| code.starts_with(wanted)))
            }) || planted.codes.contains(&"GT016")
        };
    let missed = folder.planted.iter().filter(|planted| !is_found(planted)).map(|planted| {
        let said: Vec<_> = planted.questions.iter().map(|id| (id, of(id))).collect();
        format!("{:?} {}: {said:?}", planted.codes, planted.what)
    });
    let planted: BTreeSet<&String> = folder.planted.iter().flat_map(|planted| &planted.questions).collect();
    // whether a method is named is no judgement: many right records name none; and of two that disagree one may be planted
    let is_false = |finding: &&Value| {
        let mut ids = finding["questions"].as_array().unwrap().iter().filter_map(Value::as_str);
        !["GT015", "GT000"].contains(&finding["code"].as_str().unwrap())
            && finding["severity"] != "note"
            && !ids.any(|id| planted.contains(&id.to_owned()))
    };
    let alarms = report["findings"].as_array().unwrap().iter().filter(is_false);
    let alarms =
        alarms.map(|finding| format!("Q{} {} {}", finding["questions"], finding["code"], finding["message"]));
    (missed.collect(), alarms.collect())
}

#[test]
fn evaluation_strategy_3_planted_mistakes_are_found_and_right_records_are_left_alone() {
    for seed in 1..=2 {
        let (_temporary, folder) = made(250, seed);
        let output = of(&folder, &["--format", "json"]);
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        let report = document(&output);
        let (missed, alarms) = judged(&folder, &report);
        let right =
            folder.records - folder.planted.iter().map(|planted| planted.questions.len()).sum::<usize>();
        println!("seed {seed}: of {right} right records {alarms:#?}, missed {missed:#?}");
        assert!(folder.planted.len() == 75 && missed.len() <= 2, "seed {seed}: {missed:#?}");
        assert!(alarms.len() * 100 <= right * 2, "seed {seed}: {alarms:#?}");
        let unreadable: BTreeSet<String> = codes(&report)
            .into_iter()
            .filter(|(_, codes)| codes.contains("GT000"))
            .map(|(id, _)| id)
            .collect();
        assert_eq!(unreadable, folder.quarantined.iter().map(|(id, _)| id.clone()).collect());
    }
}

/// A folder of one record and its question.
fn one(record: &Value, silences: Option<&str>) -> (tempfile::TempDir, String, String) {
    let temporary = tempfile::tempdir().unwrap();
    let own = temporary.path().join("results/7/ground_truth");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("results.json"), record.to_string()).unwrap();
    if let Some(silences) = silences {
        std::fs::write(own.join("lint.json"), silences).unwrap();
    }
    let questions = temporary.path().join("questions.json");
    std::fs::write(
        &questions,
        json!([{"id": 7, "text": "What is the GDP per capita of Kenya?"}]).to_string(),
    )
    .unwrap();
    let (dir, questions) =
        (temporary.path().to_str().unwrap().to_owned(), questions.to_str().unwrap().to_owned());
    (temporary, dir, questions)
}

fn wrong() -> Value {
    json!({
        "question_id": 7, "execution_timestamp": "2026-02-28T10:14:09Z", "source_method": "graphql_api",
        "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
        "results": {"data": [{"metric": "GDP per capita", "value": "$2,274", "raw_value": 2350.2, "year": "2024"}]},
    })
}

#[test]
fn a_rule_is_silenced_with_a_reason_and_else_the_command_fails() {
    let exit = |silences: Option<&str>, more: &[&str]| {
        let (_temporary, dir, questions) = one(&wrong(), silences);
        let output = lint(&[&[dir.as_str(), "--questions", &questions], more].concat());
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = exit(None, &[]);
    assert!(code == 3 && text.contains("GT008") && text.contains("results.data[0].value"), "{text}");
    assert_eq!(exit(None, &["--fail-on", "never"]).0, 0);
    assert_eq!(exit(None, &["--rules", "GT006"]).0, 0);
    let (code, text) =
        exit(Some(r#"{"GT008": "the chart shows another classification"}"#), &["--fail-on", "warning"]);
    assert!(code == 0 && text.contains("1 silenced"), "{text}");
    let (code, text) = exit(Some(r#"{"GT008": " ", "GT005": "twice"}"#), &["--fail-on", "warning"]);
    assert!(
        code == 3
            && text.contains("silenced without a reason")
            && text.contains("GT005 is silenced but finds nothing"),
        "{text}"
    );
}

#[test]
fn silences_of_rules_across_records_count_and_are_reported_when_they_hide_nothing() {
    let (temporary, dir, questions) = one(&wrong(), Some(r#"{"GT008": "typed", "GT021": "two sources"}"#));
    let text = |more: &[&str]| String::from_utf8(lint(&[&[dir.as_str()], more].concat()).stdout).unwrap();
    let with = ["--questions", questions.as_str()];
    let unused = "GT021 is silenced but finds nothing";
    assert!(text(&with).contains("1 silenced") && text(&with).contains(unused), "{}", text(&with));
    assert!(!text(&["--rules", "GT008,GT030"]).contains("GT021"), "a rule that did not run");
    for (id, value, silences) in [("8", "$2,350", "{}"), ("9", "$2,350", r#"{"GT021": "two sources"}"#)] {
        let mut other = wrong();
        other["question_id"] = json!(id.parse::<u64>().unwrap());
        other["results"]["data"][0] = json!({"metric": "GDP per capita", "value": value, "year": "2024"});
        let own = temporary.path().join("results").join(id).join("ground_truth");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("results.json"), other.to_string()).unwrap();
        std::fs::write(own.join("lint.json"), silences).unwrap();
    }
    let of_rule = text(&["--rules", "GT021,GT030"]);
    assert!(of_rule.contains("1 silenced") && of_rule.matches("finds nothing").count() == 1, "{of_rule}");
    std::fs::write(temporary.path().join("results/9/ground_truth/lint.json"), r#"{"GT018": "kept"}"#)
        .unwrap();
    assert!(!text(&["--rules", "GT018,GT030"]).contains("GT018"), "no question is known");
}

#[test]
fn two_rows_of_the_same_with_different_values_are_an_error_and_a_proposed_page_is_a_warning() {
    let row = |year: &str, value: &str| json!({"metric": "GDP per capita", "country": "Kenya", "year": year, "value": value});
    let codes_of = |rows: Value| {
        let mut record = wrong();
        record["results"]["data"] = rows;
        record.as_object_mut().unwrap().remove("atlas_url");
        let (_temporary, dir, questions) = one(&record, None);
        let output = lint(&[&dir, "--questions", &questions, "--format", "json"]);
        let of_record = codes(&document(&output)).remove("7").unwrap_or_default();
        (output.status.code().unwrap(), of_record, String::from_utf8(output.stdout).unwrap())
    };
    let (code, found, text) = codes_of(json!([row("2024", "$2,274"), row("2024", "$9,999")]));
    assert!(code == 3 && found.contains("GT035"), "{text}");
    assert!(text.contains("$9,999 here and $2,274 in results.data[0].value"), "{text}");
    for other in [row("2023", "$9,999"), row("2024", "$2.27k")] {
        let (code, found, text) = codes_of(json!([row("2024", "$2,274"), other]));
        assert!(code == 0 && !found.contains("GT035"), "{text}");
        assert!(found.contains("GT036") && !found.contains("GT001"), "{text}");
        assert!(text.contains("propose https://atlas.hks.harvard.edu/countries/404"), "{text}");
    }
}

#[test]
fn two_files_of_one_record_that_differ_are_an_error_that_names_both() {
    let (temporary, dir, questions) = one(&wrong(), None);
    let mut other = wrong();
    other["results"]["data"][0]["value"] = json!("$9,999");
    std::fs::write(temporary.path().join("results/7/results.json"), other.to_string()).unwrap();
    let output = lint(&[&dir, "--questions", &questions, "--format", "json"]);
    let report = document(&output);
    let finding = &report["findings"][0];
    assert!(output.status.code() == Some(2) && finding["code"] == "GT000", "{report:#}");
    assert!(finding["file"].as_str().unwrap().ends_with("7/ground_truth/results.json"), "{finding}");
    assert!(
        finding["message"].as_str().unwrap().contains("7/results.json is a record of question 7 too"),
        "{finding}"
    );
}

#[test]
fn sarif_has_what_its_schema_requires_and_names_file_and_key() {
    let (_temporary, dir, questions) = one(&wrong(), None);
    let sarif = document(&lint(&[&dir, "--questions", &questions, "--format", "sarif"]));
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "atlas-gt");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(result["message"]["text"].is_string());
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.starts_with("file:///") && uri.ends_with("/7/ground_truth/results.json"), "{uri}");
    }
    assert!(results.iter().any(|result| result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]
        == "results.data[0].value"));
}

#[test]
fn junit_has_a_test_a_record_and_explain_prints_examples() {
    let (_temporary, dir, questions) = one(&wrong(), None);
    let junit =
        String::from_utf8(lint(&[&dir, "--questions", &questions, "--format", "junit"]).stdout).unwrap();
    assert!(
        junit.contains("tests=\"1\"") && junit.contains("failures=\"1\"") && junit.contains("Q7"),
        "{junit}"
    );
    let text = String::from_utf8(lint(&["--explain", "GT003"]).stdout).unwrap();
    assert!(
        text.contains("GT003a")
            && text.contains("GT003c")
            && text.contains("productClass=HS12")
            && text.contains("requirement: a person can open the page"),
        "{text}"
    );
}

#[test]
fn neither_folder_nor_store_and_rules_that_are_none_are_errors_of_usage() {
    let temporary = tempfile::tempdir().unwrap();
    let absent = temporary.path().join("nothing");
    for arguments in
        [&["--store", absent.to_str().unwrap()][..], &["--rules", "GT999"], &[absent.to_str().unwrap()]]
    {
        let output = lint(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn the_same_folder_gives_the_same_bytes() {
    let (_temporary, folder) = made(200, 5);
    let (first, second) = (of(&folder, &["--format", "json"]), of(&folder, &["--format", "json"]));
    assert!(first.stdout == second.stdout && Path::new(&folder.dir).is_dir());
}
