//! The `score` and `suite` commands as a person runs them: the documents' examples, exit codes, formats, bad input.

mod answers;
mod bad_input;
mod examples;
mod suites;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn documents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents")
}

fn atlas_gt(arguments: &[&str]) -> Output {
    let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scoring_runs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    command.args(arguments).current_dir(documents()).env("ATLAS_GT_RUNS", runs).output().unwrap()
}

fn json(arguments: &[&str]) -> (i32, Value) {
    let output = atlas_gt(arguments);
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), value)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const WALKTHROUGH: [&str; 10] = [
    "score",
    "json",
    "--truth",
    "metrics_plan/gt.json",
    "--answer",
    "metrics_plan/aio.json",
    "--strategies",
    "metrics_plan/strategies.json",
    "--similarities",
    "metrics_plan/similarities.json",
];

fn walkthrough(more: &[&'static str]) -> Vec<&'static str> {
    WALKTHROUGH.iter().chain(more).copied().collect()
}

#[test]
fn metrics_plan_walkthrough_example() {
    let (code, score) = json(&walkthrough(&["--format", "json"]));
    assert_eq!(code, 0);
    assert!((score["value"].as_f64().unwrap() - 0.7375 / 0.85).abs() < 1e-9);
    let found = &score["metadata"];
    assert_eq!(found["completeness"], 0.75);
    assert!((found["hallucination"].as_f64().unwrap() - 0.333).abs() < 0.001);
    assert_eq!(found["accuracy"], 1.0);
    assert!((found["rqs"].as_f64().unwrap() - 0.7375).abs() < 1e-9);
    assert_eq!(found["buckets"]["aio_missing_or_null"], serde_json::json!(["status"]));
    let table = stdout(&atlas_gt(&walkthrough(&[])));
    for part in
        ["SEMANTIC (config)", "EXACT (auto)", "extra keys: extra_field", "RQS 0.7375 of 0.85", "(not judged)"]
    {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn decision_22_a_gate_exits_with_3() {
    assert_eq!(atlas_gt(&walkthrough(&["--min-score", "0.7"])).status.code(), Some(0));
    assert_eq!(atlas_gt(&walkthrough(&["--min-score", "0.74"])).status.code(), Some(3));
    // Decision 6: without the similarities `bio` is unscored, and no gate passes.
    let mut without: Vec<&str> = WALKTHROUGH[..8].to_vec();
    without.extend(["--min-score", "0"]);
    assert_eq!(atlas_gt(&without).status.code(), Some(3));
}

#[test]
fn junit_and_jsonl_are_well_formed() {
    let report = stdout(&atlas_gt(&walkthrough(&["--format", "junit"])));
    assert!(
        report.starts_with("<?xml") && report.contains("tests=\"3\" skipped=\"0\" failures=\"0\""),
        "{report}"
    );
    let lines = stdout(&atlas_gt(&walkthrough(&["--format", "jsonl"])));
    assert_eq!(lines.lines().count(), 1);
}

#[test]
fn scoring_thresholds_all_six_with_the_trace() {
    let arguments =
        ["score", "text", "--facts", "scoring_thresholds/facts.json", "scoring_thresholds/report.md"];
    let (code, score) = json(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!((code, score["value"].as_f64()), (0, Some(0.75)));
    let score = &score["metadata"];
    let points: Vec<Option<u64>> =
        score["metrics"].as_array().unwrap().iter().map(|metric| metric["score"].as_u64()).collect();
    // 4 of 5 facts; both sections with structure; 2 citations of 1 source; one marker; readable; first source relevant.
    assert_eq!(points, [Some(2), Some(2), Some(1), Some(1), Some(1), Some(2)]);
    assert_eq!((score["points"].as_u64(), score["attainable"].as_u64()), (Some(9), Some(12)));
    assert_eq!(
        (score["band_by_points"].as_str(), score["band_by_share"].as_str()),
        (Some("Acceptable"), Some("Good"))
    );
    let trace = stdout(&atlas_gt(&[&arguments[..], &["--trace"]].concat()));
    for part in [
        "CALCULATING: Factual Accuracy (0-3)",
        "INPUT VALIDATION: Ground truth has 5 key facts",
        "Fact 5/5: \"It has 300 employees\" - NOT FOUND in text",
        "Coverage = 4/5 = 80%",
        "THRESHOLD RESULT: 80% falls in 70-90% range",
        "SCORE = 2 (Good",
        "9 of 12 points: Acceptable by points, Good by share of 14",
    ] {
        assert!(trace.contains(part), "{part}: {trace}");
    }
    assert_eq!(atlas_gt(&[&arguments[..], &["--min-score", "0.8"]].concat()).status.code(), Some(3));
}

#[test]
fn evaluation_strategy_tools_against_a_case() {
    let arguments = [
        "score",
        "tools",
        "--case",
        "evaluation_strategy/case.yaml",
        "--trajectory",
        "evaluation_strategy/calls.json",
    ];
    let (code, score) = json(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!((code, score["verdict"].as_str()), (0, Some("pass")), "{score:#}");
    let part = |score: &Value, name: &str| {
        let parts = score["scorers"].as_array().unwrap();
        parts
            .iter()
            .find(|part| part["scorer"] == name)
            .unwrap_or_else(|| panic!("{name}: {score:#}"))
            .clone()
    };
    assert_eq!(part(&score, "trajectory")["metadata"]["route"], "pass");
    assert_eq!(part(&score, "link")["value"], 1.0);
    let checks = part(&score, "route_checks");
    assert_eq!(
        (&checks["status"], &checks["metadata"]["checks"][0]["outcome"]),
        (&"unscored".into(), &"unscored".into())
    );

    let folder = tempfile::tempdir().unwrap();
    let calls = write(folder.path(), "calls.json", r#"["query_tool", "web_search"]"#);
    let (code, score) = json(&[
        "score",
        "tools",
        "--case",
        "evaluation_strategy/case.yaml",
        "--trajectory",
        &calls,
        "--format",
        "json",
    ]);
    assert_eq!((code, score["verdict"].as_str()), (3, Some("fail")));
    assert_eq!(part(&score, "trajectory")["metadata"]["route"], "acceptable");
    assert_eq!(part(&score, "tool_calls")["metadata"]["forbidden"][0], "web_search");
}

/// A suite is asked like any other run, and its run can be shown, continued, scored again and compared.
#[test]
fn values_one_pair_and_a_file() {
    let (code, result) = json(&[
        "score",
        "values",
        "--truth",
        "378123456789",
        "--displayed",
        "$378 billion",
        "--format",
        "json",
    ]);
    assert_eq!((code, result["verdict"].as_str()), (0, Some("match")), "{result}");
    assert!(result["reasons"][0].as_str().is_some_and(|reason| !reason.is_empty()));
    assert_eq!((&result["value"], &result["backend"]), (&1.0.into(), &"comparator".into()));
    let output = atlas_gt(&["score", "values", "--truth", "$379 billion", "--displayed", "$378 billion"]);
    assert_eq!(output.status.code(), Some(3));
    let output = atlas_gt(&["score", "values", "--truth", "-0.82", "--displayed", "-0.82"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));

    let folder = tempfile::tempdir().unwrap();
    let lines = "{\"truth\": 2274, \"displayed\": \"$2,274\", \"id\": \"a\"}\n\n{\"truth\": \"x\"}\n{\"truth\": 1,\n{\"truth\": \"3.38%\", \"displayed\": \"3.4%\"}\n";
    let path = write(folder.path(), "v.jsonl", lines);
    let output = atlas_gt(&["score", "values", "--jsonl", &path, "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    let results: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results.iter().filter_map(|result| result["line"].as_u64()).collect::<Vec<_>>(), [1, 5]);
    assert_eq!(results[2]["summary"]["schema_version"], 1);
    assert!(stderr(&output).contains("v.jsonl:3:1: `displayed` is missing"), "{}", stderr(&output));
    assert!(stderr(&output).contains("v.jsonl:4:"));
}

#[test]
fn batches_of_lines_and_of_folders() {
    let folder = tempfile::tempdir().unwrap();
    let good = r#"{"id": "a", "truth": {"x": 1}, "answer": {"x": 1}}"#;
    let wrong = r#"{"truth": {"x": 1}, "answer": {"x": 2}}"#;
    let pairs = write(folder.path(), "pairs.jsonl", format!("{good}\n{wrong}\n\n{{\"truth\": {{\n{good}"));
    let output = atlas_gt(&["score", "json", "--batch", &pairs, "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("pairs.jsonl:4:"), "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((summary["pairs"].as_u64(), summary["errors"].as_u64()), (Some(3), Some(1)));
    assert!((summary["accuracy"]["mean"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    let lines = stdout(&atlas_gt(&["score", "json", "--batch", &pairs, "--format", "jsonl"]));
    assert_eq!(lines.lines().count(), 4, "a line per pair and the summary");
    assert!(lines.starts_with("{\"id\":\"a\""));

    write(folder.path(), "d/truth/a.json", "{\"x\": 1}");
    write(folder.path(), "d/truth/b.json", "{\"x\": 1}");
    write(folder.path(), "d/answer/a.json", "{\"x\": 1}");
    write(folder.path(), "d/answer/c.json", "{\"x\": 1}");
    let batch = folder.path().join("d");
    let batch = batch.to_str().unwrap();
    let (code, summary) = json(&["score", "json", "--batch", batch, "--format", "json"]);
    assert_eq!((code, summary["pairs"].as_u64()), (0, Some(1)));
    assert_eq!((&summary["unmatched_truth"][0], &summary["unmatched_answer"][0]), (&"b".into(), &"c".into()));
    assert_eq!(atlas_gt(&["score", "json", "--batch", batch, "--min-score", "0.1"]).status.code(), Some(3));
}

#[test]
fn a_batch_is_the_same_however_it_is_cut_and_shared() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..20_000)
        .map(|n| {
            let filler = "y".repeat(n % 700);
            format!("{{\"truth\": {{\"x\": {n}, \"f\": \"{filler}\"}}, \"answer\": {{\"x\": {}, \"f\": \"{filler}\"}}}}\n", n - n % 3)
        })
        .collect();
    assert!(text.len() > 3 * (4 << 20), "more than one block");
    let pairs = write(folder.path(), "pairs.jsonl", text);
    let run = |threads: &str| {
        stdout(&atlas_gt(&["score", "json", "--batch", &pairs, "--format", "json", "--threads", threads]))
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    let summary: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(summary["pairs"], 20_000);
    assert_eq!(summary["counts"]["mismatched"], 20_000 - 20_000_u64.div_ceil(3));
}

#[test]
fn decision_16_runs_of_other_scoring_versions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scoring");
    let run = std::fs::read_to_string(examples.join("run_first.jsonl")).unwrap();
    let now = format!("\"scoring_version\":{}", atlas_gt::scoring::SCORING_VERSION);
    assert!(run.starts_with(&format!("{{{now},")), "{run}");
    let first = write(folder.path(), "first.jsonl", &run);
    let other = write(folder.path(), "other.jsonl", run.replace(&now, "\"scoring_version\":2"));
    let output = atlas_gt(&["eval", "compare", &first, &other]);
    assert_eq!(output.status.code(), Some(2));
    let both = format!("different versions (2, {})", atlas_gt::scoring::SCORING_VERSION);
    assert!(stderr(&output).contains(&both), "{}", stderr(&output));
    // A run compared with itself: nothing changed, and chance explains that.
    let (code, compared) =
        json(&["eval", "compare", &first, &first, "--fail-on", "regressions", "--format", "json"]);
    assert_eq!((code, compared["questions"]["mcnemar"]["p_value"].as_f64()), (0, Some(1.0)), "{compared:#}");
    // Decision 22: a regression is a difference.
    let later = examples.join("run_second.jsonl");
    let (code, compared) = json(&[
        "eval",
        "compare",
        &first,
        later.to_str().unwrap(),
        "--fail-on",
        "regressions",
        "--format",
        "json",
    ]);
    assert_eq!(
        (code, compared["questions"]["regressions"][0]["case"].as_str()),
        (3, Some("total_exports")),
        "{compared:#}"
    );
}

#[test]
fn help_names_the_weights_once() {
    let help = stdout(&atlas_gt(&["score", "json", "--help"]));
    assert_eq!(help.matches("<A,C,H,S>").count(), 1, "{help}");
}
