//! `score answers`: many answers in one process score as each does alone, and the summary says why some have no score.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{atlas_gt, documents, json, stderr, stdout, write};

fn example(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn with(command: &[&str], more: &[&str]) -> Vec<String> {
    let (store, manifest) = (example("examples/scoring/store"), example("manifests/atlas.json"));
    let shared = ["--site", "twin", "--store", &store, "--manifest", &manifest];
    [command, &shared, more].concat().into_iter().map(str::to_owned).collect()
}

fn call(command: &[&str], more: &[&str]) -> (i32, Value) {
    let arguments = with(command, more);
    json(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

const LINES: &str = r#"{"question_id": 61, "answer": "Kenya's GDP per capita is $2,274.", "id": "a"}

{"question_id": "61", "answer": "It is $3,274."}
{"question_id": 61, "answer": "$2,274", "pipeline": "graphql"}
{"question_id": 61, "answer": "It may be $2,274.", "persona": "student"}
{"question_id": 48, "answer": "The data end in 2024, so there is no figure for 2035."}
{"question_id": 48, "answer": "$520 billion"}
"#;

#[test]
fn each_answer_scores_as_it_does_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "answers.jsonl", LINES);
    let (code, report) = call(&["score", "answers", &file], &["--pipeline", "none", "--format", "json"]);
    assert_eq!(code, 3, "{report:#}");
    let answers = report["answers"].as_array().unwrap();
    assert_eq!(
        answers.iter().map(|one| one["line"].as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 3, 4, 5, 6, 7]
    );
    assert_eq!((&answers[0]["id"], &answers[1]["id"]), (&json!("a"), &Value::Null));
    let values: Vec<Option<f64>> = answers.iter().map(|one| one["value"].as_f64()).collect();
    assert_eq!(values, [Some(1.0), Some(0.0), Some(1.0), None, Some(1.0), Some(0.0)], "{report:#}");
    for (line, said) in LINES.lines().filter(|line| !line.is_empty()).zip(answers) {
        let line: Value = serde_json::from_str(line).unwrap();
        let id = line["question_id"].to_string().replace('"', "");
        let pipeline = line["pipeline"].as_str().unwrap_or("none");
        let alone = ["--question", &id, "--pipeline", pipeline, "--format", "json"];
        let (_, mut alone) = call(&["score", "answer", line["answer"].as_str().unwrap()], &alone);
        alone.as_object_mut().unwrap().shift_remove("schema_version");
        let mut said = said.clone();
        said.as_object_mut().unwrap().retain(|key, _| key != "line" && key != "id");
        assert_eq!(said, alone);
    }
    let summary = &report["summary"];
    assert_eq!(summary["answers"], 6, "{summary:#}");
    let counts = json!({"pass": 3, "partial": 0, "fail": 2, "unscored": 1, "error": 0});
    assert_eq!(summary["counts"], counts, "{summary:#}");
    assert_eq!(summary["open"][0]["remedy"], "judge", "{summary:#}");
}

#[test]
fn a_truth_of_the_api_says_what_to_pass() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "answers.jsonl", LINES);
    let arguments = with(&["score", "answers", &file], &["--pipeline", "none"]);
    let told = atlas_gt(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(told.status.code(), Some(3));
    let (out, err) = (stdout(&told), stderr(&told));
    assert!(out.contains("6 answers: 3 pass, 0 partial, 2 fail, 1 unscored, 0 error"), "{out}");
    assert!(out.contains("Why answers are unscored"), "{out}");
    assert!(err.contains("answers.jsonl: keys that are not read: persona"), "{err}");
    // a run takes one answer to a question, so none is proposed
    let due = "4 lines answer a question again, and `eval run` takes one answer to each: line 3: ";
    assert!(err.split_whitespace().collect::<Vec<_>>().join(" ").contains(due), "{err}");
    assert!(!out.contains("--judge"), "{out}");
    let file = write(folder.path(), "answers.jsonl", LINES.lines().nth(4).unwrap());
    let arguments = with(&["score", "answers", &file], &["--pipeline", "none"]);
    let told = atlas_gt(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(stdout(&told).contains("--judge") && !stderr(&told).contains("again"), "{}", stderr(&told));
}

#[test]
fn a_run_reads_a_line_as_score_answers_does() {
    let folder = tempfile::tempdir().unwrap();
    let said = |command: &[&str]| {
        let arguments = with(command, &[]);
        let told = atlas_gt(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        (told.status.code().unwrap(), stdout(&told) + &stderr(&told))
    };
    let run = |runs: &Path, file: &str| {
        let runs = runs.to_str().unwrap();
        said(&["eval", "run", "--agent-site", "twin", "--runs", runs, "--answers", file])
    };
    let (failed, empty) = ("the agent reports: timed out", "the agent's answer is empty");
    for (at, (name, text, place, due)) in [
        ("a.jsonl", r#"{"question_id": 61, "error": "timed out"}"#, "a.jsonl:1:1: ", failed),
        (
            "a.jsonl",
            r#"{"question_id": 61, "answer": "$2,274", "error": "timed out"}"#,
            "a.jsonl:1:1: ",
            failed,
        ),
        ("a.jsonl", r#"{"question_id": 61, "answer": " ", "error": null}"#, "a.jsonl:1:1: ", empty),
        ("a.csv", "question_id,answer,duration_s,error\n61,\"$2,274\",3,timed out\n", "a.csv:2:1: ", failed),
        ("a.csv", "question_id,answer\n61,\n", "a.csv:2:1: ", empty),
    ]
    .into_iter()
    .enumerate()
    {
        let file = write(folder.path(), name, text);
        let (code, told) = said(&["score", "answers", &file]);
        assert!(code == 2 && told.contains(&format!("{place}{due}")), "{text}: {told}");
        assert!(told.contains("1 answer: 0 pass, 0 partial, 0 fail, 0 unscored, 1 error"), "{text}: {told}");
        let runs = folder.path().join(format!("runs{at}"));
        let (code, told) = run(&runs, &file);
        assert_eq!(code, 6, "{text}: {told}");
        let mut all =
            std::fs::read_dir(&runs).unwrap().map(|one| one.unwrap().path().join("questions/61.json"));
        let kept = std::fs::read_to_string(all.find(|path| path.is_file()).unwrap()).unwrap();
        let kept: Value = serde_json::from_str(&kept).unwrap();
        assert_eq!((&kept["answer"]["error"], &kept["scored"]["verdict"]), (&json!(due), &json!("error")));
    }
    let line = "{\"question_id\": 61, \"answer\": \"$2,274\", \"pipeline\": \"sql\"}\n";
    let file = write(folder.path(), "a.jsonl", line.repeat(2));
    let due = "question 61 was already answered in line 1";
    let (code, told) = said(&["score", "answers", &file]);
    assert!(code == 0 && told.contains(&format!("line 2: {due}")), "{told}");
    let (code, told) = run(&folder.path().join("refused"), &file);
    assert!(code == 2 && told.contains(&format!("a.jsonl:2:1: {due}")), "{told}");
    // of two that only the text matches, a run takes the first and skips the second
    let text = "what is the GDP per capita of Kenya in the latest year that the Atlas shows";
    let line = json!({"question": text, "answer": "$2,274", "pipeline": "sql"}).to_string() + "\n";
    let file = write(folder.path(), "a.jsonl", line.repeat(2));
    let (code, told) = said(&["score", "answers", &file]);
    assert!(code == 0 && told.contains(&format!("line 2: {due}")), "{told}");
    let (code, told) = run(&folder.path().join("skipped"), &file);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code == 2 && told.contains("question 61 is also answered in"), "{told}");
    assert!(told.contains("1 of 1 question"), "{told}");

    // a run names every line that it refuses
    let file = write(folder.path(), "b.jsonl", "{\"question_id\": 61}\n{oops\n");
    let (code, told) = run(&folder.path().join("refused"), &file);
    let is_named = told.contains("b.jsonl:1:1: `answer` is missing") && told.contains("b.jsonl:2:");
    assert!(code == 2 && is_named, "{told}");
}

#[test]
fn csv_and_standard_input_are_read_as_the_lines_are() {
    let folder = tempfile::tempdir().unwrap();
    let lines =
        "{\"question_id\": 61, \"answer\": \"It is $2,274, says the page.\", \"pipeline\": \"sql\"}\n";
    let table = "\u{feff}id,question_id,answer,pipeline\n,61,\"It is $2,274, says the page.\",sql\n";
    let scores = |report: &Value| {
        let mut answers = report["answers"].clone();
        for answer in answers.as_array_mut().unwrap() {
            answer["line"] = Value::Null;
        }
        answers
    };
    let file = write(folder.path(), "answers.jsonl", lines);
    let (code, of_lines) = call(&["score", "answers", &file], &["--format", "json"]);
    assert_eq!(code, 0, "{of_lines:#}");
    let file = write(folder.path(), "answers.txt", table);
    let (code, of_table) = call(&["score", "answers", &file], &["--format", "json"]);
    assert_eq!((code, scores(&of_table)), (0, scores(&of_lines)));

    let mut child = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
        .args(with(&["score", "answers", "-"], &["--format", "jsonl"]))
        .current_dir(documents())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(table.as_bytes()).unwrap();
    let told = child.wait_with_output().unwrap();
    let last: Value = serde_json::from_str(stdout(&told).lines().last().unwrap()).unwrap();
    assert_eq!((told.status.code(), &last["summary"]["counts"]["pass"]), (Some(0), &json!(1)));
}

#[test]
fn a_question_is_matched_by_its_text_and_a_json_list_is_read_as_the_lines_are() {
    let folder = tempfile::tempdir().unwrap();
    let text = "what is the GDP per capita of Kenya in the latest year that the Atlas shows";
    let lines = [
        json!({"question": text, "answer": "It is $2,274.", "pipeline": "sql"}),
        json!({"question_id": 65, "question_text": text, "answer": "It is $2,274.", "pipeline": "sql"}),
        json!({"question": "Who sells tea?", "answer": "It is $2,274."}),
        json!({"answer": "It is $2,274."}),
    ];
    let jsonl: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let list = format!("{:#}\n", json!(lines));
    let mut reports = Vec::new();
    for (name, text) in [("answers.jsonl", &jsonl), ("answers.json", &list)] {
        let file = write(folder.path(), name, text);
        let (code, mut report) = call(&["score", "answers", &file], &["--format", "json"]);
        assert_eq!(code, 2, "{report:#}");
        let scored: Vec<&Value> =
            report["answers"].as_array().unwrap().iter().map(|one| &one["metadata"]["question_id"]).collect();
        assert_eq!(scored, [&json!("61"), &json!("61")], "{report:#}");
        let invalid = report["summary"]["invalid"].as_array().unwrap();
        let told: Vec<&str> = invalid.iter().map(|one| one["error"].as_str().unwrap()).collect();
        assert!(told[0].contains(": `question`: its question is neither in the manifest"), "{told:?}");
        assert!(told[1].contains(": `question_id` is missing"), "{told:?}");
        assert_eq!(report["summary"]["counts"]["pass"], 2, "{report:#}");
        report["summary"]["invalid"] = Value::Null;
        for answer in report["answers"].as_array_mut().unwrap() {
            answer["line"] = Value::Null;
        }
        reports.push(report);
    }
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn what_is_wrong_is_named_with_file_line_and_field_and_the_rest_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let text = "{\"question_id\": 61, \"answer\": \"$2,274\", \"pipeline\": \"sql\"}\n{\"question_id\": 61}\n{\"question_id\": 9999, \"answer\": \"x\"}\n\
        {\"question_id\": 61, \"answer\": 5}\n{oops\n{\"question_id\": 59, \"answer\": \"They are one country.\"}\n\
        {\"question_id\": 62, \"question\": \"Who sells tea?\", \"answer\": \"$2,274\"}\n";
    let file = write(folder.path(), "answers.jsonl", text);
    let arguments = with(&["score", "answers", &file], &[]);
    let told = atlas_gt(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(told.status.code(), Some(2), "{}", stdout(&told));
    let err = stderr(&told);
    for part in [
        "answers.jsonl:2:1: `answer` is missing",
        "answers.jsonl:3:1: `question_id`: question 9999",
        "answers.jsonl:4:1: `answer` must be a string, not 5",
        "answers.jsonl:5:",
        "answers.jsonl:6:1: `question_id`: question 59: it has no value to compare",
        "answers.jsonl:7:1: `question_id`: question 62 is \u{201c}",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
    assert!(
        stdout(&told).contains("7 answers: 1 pass, 0 partial, 0 fail, 0 unscored, 6 error"),
        "{}",
        stdout(&told)
    );

    // a saved report names them too, the first 20 of them
    let out = stdout(&told);
    assert!(out.contains("Lines that could not be scored") && out.contains("answers.jsonl:4:1:"), "{out}");
    let file = write(folder.path(), "many.jsonl", "{\"question_id\": 61}\n".repeat(23));
    let arguments = with(&["score", "answers", &file], &["--format", "md"]);
    let many = atlas_gt(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let (out, err) = (stdout(&many), stderr(&many));
    assert_eq!(
        (out.matches("is missing").count(), err.matches("is missing").count()),
        (20, 20),
        "{out}{err}"
    );
    assert!(
        out.contains("… 3 more lines") && err.contains("… and 3 more lines could not be scored"),
        "{err}"
    );

    for (name, text, part) in [
        ("empty.jsonl", "\n", "has no answer"),
        ("no.csv", "question,answer\n61,x\n", "no.csv:1:1: the header row lacks the field `question_id`"),
        (
            "twice.csv",
            "question_id,answer,answer\n61,a,b\n",
            "twice.csv:1:1: the header row has the field `answer` twice",
        ),
        ("twice.jsonl", "{\"question_id\": 61, \"answer\": \"a\", \"answer\": \"b\"}\n", "twice.jsonl:1:"),
        (
            "twice.jsonl",
            "{\"question_id\": 61, \"answer\": \"a\", \"answer\": \"b\"}\n",
            "the key \"answer\" occurs twice",
        ),
        ("many.csv", "question_id,answer\n61,It is $2,274, I think\n", "many.csv:2:1: 4 fields"),
        ("crlf.csv", "question_id,answer\r\n61,It is $2,274, I think\r\n", "crlf.csv:2:1: 4 fields"),
    ] {
        let file = write(folder.path(), name, text);
        let arguments = with(&["score", "answers", &file], &[]);
        let told = atlas_gt(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(told.status.code(), Some(2), "{name}");
        assert!(stderr(&told).contains(part), "{name}: {}", stderr(&told));
    }
    let broken = "[\n  {\n    \"question_id\": 61,\n    \"answer\": \"$2,274\",\n  }\n]\n";
    let file = write(folder.path(), "comma.json", broken);
    let arguments = with(&["score", "answers", &file], &[]);
    let told = atlas_gt(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let err = stderr(&told);
    assert!(told.status.code() == Some(2) && err.contains("comma.json:5:"), "{err}");
    assert_eq!(err.matches("comma.json:").count(), 1, "{err}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
        .args(with(&["score", "answers", "-"], &[]))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"{\"question_id\": 61}\n").unwrap();
    let told = child.wait_with_output().unwrap();
    assert!(stderr(&told).contains("standard input:1:1: `answer` is missing"), "{}", stderr(&told));
    let missing = atlas_gt(&["score", "answers", "not-there.jsonl"]);
    assert!(
        missing.status.code() == Some(2) && stderr(&missing).contains("not-there.jsonl"),
        "{}",
        stderr(&missing)
    );
}
