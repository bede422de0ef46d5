//! `suite run` and `suite check`: runs that are asked, continued, compared and scored again, budgets, programs as scorers.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{atlas_gt, documents, json, stderr, stdout, write};

#[test]
fn scorers_suite_runs_and_reports() {
    let arguments = ["suite", "run", "scorers/suite.yaml", "--answers", "scorers/answers.jsonl"];
    let (code, result) = json(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!((code, result["verdict"].as_str()), (0, Some("pass")), "{result:#}");
    let scores: Vec<f64> =
        result["cases"].as_array().unwrap().iter().map(|c| c["score"].as_f64().unwrap()).collect();
    for (score, expected) in scores.iter().zip([1.0, 0.8, 0.9, 1.0]) {
        assert!((score - expected).abs() < 1e-12, "{scores:?}");
    }
    assert_eq!(result["band"], "Excellent");
    let junit = stdout(&atlas_gt(&[&arguments[..], &["--format", "junit"]].concat()));
    assert!(
        junit.contains("<testsuite name=\"my-suite\" tests=\"4\" skipped=\"0\" errors=\"0\" failures=\"0\""),
        "{junit}"
    );
    let table = stdout(&atlas_gt(&arguments));
    assert!(table.contains("Excellent - Agent performed optimally"), "{table}");

    let folder = tempfile::tempdir().unwrap();
    let few = write(
        folder.path(),
        "a.jsonl",
        "{\"case\": \"search_task\", \"output\": \"\", \"tool_calls\": []}\n",
    );
    let output = atlas_gt(&["suite", "run", "scorers/suite.yaml", "--answers", &few]);
    assert_eq!(output.status.code(), Some(6), "decision 22: a missing answer is the agent's failure");
}

#[test]
fn a_suite_is_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let agent = write(
        folder.path(),
        "agent.sh",
        "read q\ncase \"$q\" in\n  *broken*) test -e \"$(dirname $0)/up\" || exit 3 ;;\nesac\n\
         case \"$q\" in\n  *'\"context\":{\"source\":\"tea\"}'*) echo '{\"answer\": \"tea\", \"judge\": {}}' ;;\n  *) echo '{\"answer\": \"coffee\"}' ;;\nesac\n",
    );
    let suite = write(
        folder.path(),
        "suite.yaml",
        "name: drinks\ndefault_scorers: [contains]\ncases:\n\
         - {name: first, input: {query: q, context: {source: tea}}, expected_output_contains: [tea]}\n\
         - {name: second, input: {query: broken}, expected_output_contains: [coffee]}\n",
    );
    let runs = folder.path().join("runs").to_str().unwrap().to_owned();
    let asked = |now: &str| {
        let command = format!("sh {agent}");
        let arguments =
            ["suite", "run", &suite, "--agent-command", &command, "--runs", &runs, "--format", "json"];
        let output = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
            .args(arguments)
            .env("ATLAS_GT_NOW", now)
            .output()
            .unwrap();
        let value: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        (output.status.code().unwrap(), value)
    };
    let (code, first) = asked("2026-11-20T10:30:00Z");
    assert_eq!((code, first["run"].as_str()), (6, Some("20261120T103000Z")), "{first:#}");
    assert_eq!((first["errors"].as_u64(), first["pass_rate"]["successes"].as_u64()), (Some(1), Some(1)));
    std::fs::write(folder.path().join("up"), "").unwrap();
    let (code, second) = asked("2026-11-21T10:30:00Z");
    assert_eq!((code, second["verdict"].as_str()), (0, Some("pass")), "{second:#}");

    let eval = |arguments: &[&str]| {
        let output = atlas_gt(&[&["eval"], arguments, &["--runs", &runs]].concat());
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let (code, report) = eval(&["report", "latest"]);
    assert_eq!(code, Some(0));
    assert!(
        report.contains("exit code 0: every case passed") && report.contains("mean 1.000 over 2 cases"),
        "{report}"
    );
    let (code, compared) = eval(&["compare", "20261120T103000Z", "latest"]);
    assert!(code == Some(0) && compared.contains("second"), "{compared}");
    let (code, trend) = eval(&["trend", "--cases", "suite"]);
    assert!(code == Some(0) && trend.contains("20261120T103000Z"), "{trend}");
    let (code, again) = eval(&["rescore", "20261120T103000Z"]);
    assert!(code == Some(6) && again.contains("1 of 2 cases did not pass"), "{again}");
    // a run that was stopped before its last case
    std::fs::remove_file(Path::new(&runs).join("20261121T103000Z/questions/second.json")).unwrap();
    let kept = std::fs::read_to_string(&suite).unwrap();
    std::fs::write(&suite, kept.replace("[coffee]", "[cocoa]")).unwrap();
    let (code, refused) = eval(&["resume", "20261121T103000Z"]);
    assert!(
        code == Some(2) && refused.contains("has changed since run 20261121T103000Z started"),
        "{refused}"
    );
    std::fs::write(&suite, kept).unwrap();
    let (code, resumed) = eval(&["resume", "20261121T103000Z"]);
    assert!(code == Some(0) && resumed.contains("every case passed"), "{resumed}");
    // a rescore needs no file: each answer keeps what was expected of it
    std::fs::remove_file(&suite).unwrap();
    let (code, again) = eval(&["rescore", "20261121T103000Z"]);
    assert!(code == Some(0) && again.contains("every case passed"), "{again}");
    // nor does a complete run, which only prints its report
    let (code, again) = eval(&["resume", "20261121T103000Z"]);
    assert!(code == Some(0) && again.contains("every case passed"), "{again}");
    let listed = eval(&["list"]).1;
    assert!(listed.contains("drinks"), "{listed}");
    let (code, none) = eval(&["trend"]);
    assert!(code != Some(0) && none.contains("--cases suite"), "{none}");
}

#[test]
fn a_run_over_standard_input_goes_on_with_the_same_answers_only() {
    let folder = tempfile::tempdir().unwrap();
    let suite = write(
        folder.path(),
        "suite.yaml",
        "name: drinks\ndefault_scorers: [contains]\ncases:\n\
         - {name: first, input: {query: q}, expected_output_contains: [tea]}\n\
         - {name: second, input: {query: q}, expected_output_contains: [tea]}\n",
    );
    let runs = folder.path().join("runs");
    let piped = |arguments: &[&str], text: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
            .args(arguments)
            .arg("--runs")
            .arg(&runs)
            .env("ATLAS_GT_NOW", "2026-11-20T10:30:00Z")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let answers = "{\"case\": \"first\", \"output\": \"tea\"}\n{\"case\": \"second\", \"output\": \"tea\"}\n";
    let (code, told) = piped(&["suite", "run", &suite, "--answers", "-"], answers);
    assert_eq!(code, Some(0), "{told}");
    // a run that was stopped before its last case
    std::fs::remove_file(runs.join("20261120T103000Z/questions/second.json")).unwrap();
    let (code, told) = piped(&["eval", "resume", "latest"], &answers.replace("tea", "cocoa"));
    assert!(
        code == Some(2) && told.contains("standard input has changed since run 20261120T103000Z started"),
        "{told}"
    );
    let (code, told) = piped(&["eval", "resume", "latest"], answers);
    assert!(code == Some(0) && told.contains("every case passed"), "{told}");
}

#[test]
fn a_suite_that_was_not_asked_whole_or_answered_strangely_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let suite = write(
        folder.path(),
        "suite.yaml",
        "name: s\ndefault_scorers: [value]\ncases:\n\
         - {name: a, input: {query: What did Kenya export in 2024?}, expected_value: $15.5 billion}\n\
         - {name: b, input: {query: What did Kenya export in 2024?}, expected_value: $15.5 billion}\n",
    );
    let right = "{\"case\": \"a\", \"output\": \"Kenya exported $15.5 billion in 2024.\"}\n";
    let both = format!("{right}{}", right.replace("\"a\"", "\"b\""));
    let run = |answers: &str, more: &[&str]| {
        let answers = write(folder.path(), "answers.jsonl", answers);
        let output = atlas_gt(&[&["suite", "run", &suite, "--answers", &answers][..], more].concat());
        (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
    };
    assert_eq!(run(&both, &[]).0, 0);
    // prose is read as an answer to the question
    let beside = both.replace("in 2024.", "in 2024, up from $14.0 billion in 2023.");
    assert_eq!(run(&beside, &[]).0, 0, "{}", run(&beside, &[]).1);
    let (code, told) = run(&both.replace("in 2024.", "in 2019."), &[]);
    assert!(code == 3 && !told.contains("every case passed"), "{told}");
    let (code, told) = run(&format!("{both}{}", right.replace("\"a\"", "\"c\"")), &[]);
    assert!(code == 2 && told.contains("answers.jsonl:3: the suite has no such case"), "{told}");
    let (code, told) = run(&both, &["--budget-usd", "0.1"]);
    assert!(code == 3 && !told.contains("exit code 0"), "a verdict beside a failed budget: {told}");
    let (code, told) = run(&format!("[{right}]"), &[]);
    assert!(code == 2 && told.contains("answers.jsonl:1:1: expected one answer per line"), "{told}");
    let (code, told) = run(&both.replacen("$15.5", "$15.1", 1), &["--min-score", "0.9"]);
    assert!(code == 3 && told.contains("the mean score is 0.500, the minimum 0.900"), "{told}");
    assert_eq!(run(&both.replacen("$15.5", "$15.1", 1), &["--min-score", "0.5"]).0, 0);
    assert_eq!(run(&both, &["--budget-usd=-1"]).0, 2);
    let agent = write(folder.path(), "agent.sh", "echo '{\"answer\": \"$15.5 billion\"}'\n");
    let agent = format!("sh {agent}");
    let runs = folder.path().join("runs").to_str().unwrap().to_owned();
    let command = ["suite", "run", &suite, "--agent-command", &agent, "--runs", &runs];
    let output = atlas_gt(&[&command[..], &["--budget-usd", "0.12", "--concurrency", "1"]].concat());
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("PARTIAL RUN: the budget is spent") && !told.contains("optimally"), "{told}");
    // scored again, the case that was not asked still counts
    let (code, again) = json(&["eval", "rescore", "latest", "--runs", &runs, "--format", "json"]);
    assert_eq!((code, again["suite"]["pass_rate"]["n"].as_u64()), (3, Some(2)), "{again:#}");
}

#[test]
fn scorers_a_program_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let script = write(
        folder.path(),
        "score.sh",
        "grep -q '\"text\":\"good\"' && echo '{\"score\": 0.8, \"reason\": \"Custom evaluation passed\"}' || exit 3\n",
    );
    let suite = write(
        folder.path(),
        "suite.yaml",
        format!(
            "name: own\ndefault_scorers: [mine]\nscorer_config:\n  mine: {{command: [sh, {script}], timeout_seconds: 10}}\n\
             cases:\n  - {{name: a, input: {{query: q}}}}\n  - {{name: b, input: {{query: q}}}}\n"
        ),
    );
    let run = |second: &str| {
        let text = format!(
            "{{\"case\": \"a\", \"output\": \"good\"}}\n{{\"case\": \"b\", \"output\": \"{second}\"}}\n"
        );
        let answers = write(folder.path(), "answers.jsonl", text);
        json(&["suite", "run", &suite, "--answers", &answers, "--format", "json"])
    };
    let (code, result) = run("good");
    assert_eq!((code, result["score"]["mean"].as_f64()), (0, Some(0.8)), "{result:#}");
    // A scorer that fails is an error of the case and left out of the mean; never a zero.
    let (code, result) = run("bad");
    assert_eq!((code, result["score"]["mean"].as_f64()), (6, Some(0.8)), "{result:#}");
    assert_eq!(result["cases"][1]["verdict"], "error");
}

#[test]
fn scorers_suite_check_and_schema() {
    assert_eq!(atlas_gt(&["suite", "check", "scorers/suite.yaml"]).status.code(), Some(0));
    let schema: Value = serde_json::from_str(&stdout(&atlas_gt(&["schema", "suite"]))).unwrap();
    assert_eq!(schema["title"], "Evaluation suite");
    let folder = tempfile::tempdir().unwrap();
    let suite = write(
        folder.path(),
        "bad.yaml",
        "name: s\ncases:\n  - name: c\n    input: {query: q}\n    scorers: [tool_selecton]\n",
    );
    let output = atlas_gt(&["suite", "check", &suite]);
    assert_eq!(output.status.code(), Some(2));

    let wide = atlas_gt(&["suite", "check", &suite, "--format", "json"]);
    assert!(stdout(&wide).contains("did you mean \\\"tool_selection\\\"?"), "{}", stdout(&wide));
}

#[test]
fn decision_21_costs_and_budgets() {
    let folder = tempfile::tempdir().unwrap();
    let suite = documents().join("scorers/suite.yaml").to_str().unwrap().to_owned();
    let check = |more: &[&str]| atlas_gt(&[&["suite", "check", &suite][..], more].concat());
    let told = stdout(&check(&[])).split_whitespace().collect::<Vec<_>>().join(" ");
    // Four questions at $0.12; three of them need a judge at $0.012.
    assert!(
        told.contains("asking an agent costs about $0.48, a judge $0.036 at the prices of --agent-price and --judge-price"),
        "{told}"
    );
    assert_eq!(check(&["--budget-usd", "0.516"]).status.code(), Some(0));
    let output = check(&["--budget-usd", "0.5"]);
    assert_eq!(output.status.code(), Some(3));
    let due = "asking agent and judge would cost $0.516, more than the budget of $0.5: leave cases out";
    assert!(stderr(&output).contains(due), "{}", stderr(&output));
    assert_eq!(
        check(&["--agent-price", "unknown"]).status.code(),
        Some(0),
        "unknown is no matter without a budget"
    );
    let output = check(&["--agent-price", "unknown", "--budget-usd", "100"]);
    assert_eq!(output.status.code(), Some(2));
    let due = "a price is unknown: name it with --agent-price and --judge-price, or omit --budget-usd";
    assert!(stderr(&output).contains(due), "{}", stderr(&output));

    let recorded = std::fs::read_to_string(documents().join("scorers/answers.jsonl")).unwrap();
    let priced = recorded.replacen("\"output\"", "\"cost_usd\": \"0.30\", \"output\"", 1);
    let answers = write(folder.path(), "answers.jsonl", priced);
    let run =
        |more: &[&str]| atlas_gt(&[&["suite", "run", &suite, "--answers", &answers][..], more].concat());
    assert!(
        stdout(&run(&[]))
            .contains("the answers cost $0.30 (1 answer with a price, 3 without); scoring is free")
    );
    assert_eq!(run(&["--budget-usd", "0.66"]).status.code(), Some(0), "0.30 and three times 0.12");
    let output = run(&["--budget-usd", "0.65"]);
    assert_eq!(output.status.code(), Some(3));
    let due = "the answers cost $0.66, more than the budget of $0.65: an answer without `cost_usd` counts";
    assert!(stderr(&output).contains(due), "{}", stderr(&output));
    let unknown = write(
        folder.path(),
        "unknown.jsonl",
        recorded.replacen("\"output\"", "\"cost_usd\": null, \"output\"", 1),
    );
    let output = atlas_gt(&["suite", "run", &suite, "--answers", &unknown, "--budget-usd", "100"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("give every answer a `cost_usd`"), "{}", stderr(&output));
}
