//! A command that fails before it has a report says so in the requested format, with the exit code of the error.

use serde_json::Value;

use crate::schemas::fits;
use crate::{call, stage};

/// A command, its name in the report, its exit code, and what its message says.
const FAILING: &[(&str, &str, i32, &str)] = &[
    ("plan --manifest nowhere.json", "plan", 2, "nowhere.json"),
    ("show 99999 STORE", "show", 2, "has no record of question 99999"),
    ("collect STORE --max-age 1y", "collect", 2, "write it as 30d, 12h or 2w"),
    ("collect STORE --nonsense", "collect", 2, "'--nonsense'"),
    (
        "eval run STORE --agent-site twin --agent-command ./nobody",
        "eval run",
        2,
        "there is no program ./nobody",
    ),
    ("plan --manifest broken.yaml", "plan", 2, "broken.yaml"),
    ("score answers STORE nothing.jsonl", "score answers", 2, "nothing.jsonl"),
    ("survey --pages nope", "survey", 2, "--pages nope"),
    ("traces import nope", "traces import", 2, "nope"),
];

/// Whether the output of a format reports the error.
fn check(format: &str, out: &str, (name, code, says): (&str, i32, &str)) -> Result<(), String> {
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
    let needs = |parts: &[&str]| match parts.iter().find(|part| !out.contains(**part)) {
        Some(part) => Err(format!("{part:?} is missing")),
        None => Ok(()),
    };
    match format {
        "table" => out.is_empty().then_some(()).ok_or_else(|| "stdout is not empty".to_owned()),
        "json" | "jsonl" => {
            let error = json(out.lines().last().filter(|_| format == "jsonl").unwrap_or(out))?;
            fits("error", &error)?;
            let is_same = error["command"] == name && error["exit_code"] == code;
            is_same.then_some(()).ok_or_else(|| "another command or exit code".to_owned())?;
            needs(&[says])
        }
        "junit" => {
            let case = format!("<testcase name=\"{name}\"");
            needs(&["tests=\"1\"", "errors=\"1\"", &case, &says.replace('\'', "&apos;")])
        }
        "sarif" => {
            let invocation = &json(out)?["runs"][0]["invocations"][0];
            let is_failed = invocation["executionSuccessful"] == false && invocation["exitCode"] == code;
            is_failed.then_some(()).ok_or_else(|| "the invocation succeeded".to_owned())
        }
        "md" => needs(&[name, "# Error"]),
        _ => needs(&[name, "<!doctype html>", "<title>Error</title>"]),
    }
}

#[test]
fn a_command_that_fails_before_its_report_says_so_in_the_requested_format() {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path());
    let mut wrong = Vec::new();
    for (line, name, due, says) in FAILING {
        let line = line.replace("STORE", "--site twin --store store");
        for format in ["table", "json", "jsonl", "md", "html", "junit", "sarif"] {
            // SARIF is refused by every command but `lint`, before it runs
            let due = if format == "sarif" { 2 } else { *due };
            let (code, out, err) = call(folder.path(), &line, &["--format", format]);
            let said = check(format, &out, (name, due, says));
            if code != due || said.is_err() || !(format == "sarif" || err.contains(says)) {
                wrong.push(format!("{line} --format {format}: {code} for {due}, {said:?}\n{out}{err}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn the_format_is_read_wherever_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["--format=json plan --nonsense", "plan --nonsense --format json", "--format json"] {
        let (code, out, err) = call(folder.path(), line, &[]);
        let error: Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{line}: {error}: {out}"));
        assert!(code == 2 && error["exit_code"] == 2 && !err.is_empty(), "{line}: {code} {out}{err}");
    }
    let (code, out, err) = call(folder.path(), "plan --format nonsense", &[]);
    assert!(code == 2 && out.is_empty() && err.contains("nonsense"), "{code} {out}{err}");
}
