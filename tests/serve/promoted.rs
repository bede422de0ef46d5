//! The loop: an agent fails in production, its failure becomes a question, is reproduced, and is mended.

use std::path::Path;

use serde_json::{Value, json};

use crate::{call, id};

const QUESTION: &str = "How high is Kenya's GDP per head?";

/// An agent that answers every question with the same text.
fn agent(folder: &Path, answer: &str) -> String {
    let script = folder.join("agent.sh");
    let reply = json!({ "answer": answer }).to_string();
    std::fs::write(&script, format!("#!/bin/sh\ncat >/dev/null\necho '{}'\n", reply.replace('\'', "'\\''")))
        .unwrap();
    format!("sh {}", script.display())
}

#[test]
fn a_promotion_names_the_site_of_its_store_in_the_command_that_asks() {
    let folder = tempfile::tempdir().unwrap();
    let log = json!({ "level": "ERROR", "trace": {
        "id": id(1), "thread_id": "t", "question": QUESTION, "error": "KeyError: 'gdp'" } });
    std::fs::write(folder.path().join("agent.log"), log.to_string()).unwrap();
    assert_eq!(call(folder.path(), &["traces", "import", "agent.log", "--site", "twin"]).0, 0);
    let (_, out, _) = call(folder.path(), &["failures", "--format", "json", "--site", "twin"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    let failure = found["failures"][0]["failure"].as_str().unwrap();
    let promote =
        ["failures", "promote", failure, "--manifest", "own.json", "--like", "61", "--site", "twin"];
    let (code, out, err) = call(folder.path(), &promote);
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code == 0 && words.contains(" --agent-site twin --site twin "), "{code} {out}{err}");
    assert!(
        words.contains("atlas-gt eval run --manifest own.json --questions ") && !words.contains('…'),
        "{out}"
    );
}

#[test]
#[ignore = "slow: it collects with a browser"]
fn a_failure_of_production_becomes_a_regression_target() {
    let folder = tempfile::tempdir().unwrap();
    let manifest: Value = serde_json::from_str(include_str!("../../manifests/atlas.json")).unwrap();
    let of = |id: u64| {
        manifest["questions"].as_array().unwrap().iter().find(|one| one["question_id"] == id).unwrap().clone()
    };
    let own = json!({ "questions": [of(61), of(64)] });
    std::fs::write(folder.path().join("own.json"), own.to_string()).unwrap();
    let trace = json!({ "id": id(1), "thread_id": "t", "question": QUESTION, "error": "KeyError: 'gdp'" });
    let other =
        json!({ "id": id(2), "thread_id": "t", "question": "What did it sell?", "error": "KeyError: 'it'" });
    let log = [trace, other].map(|trace| json!({ "level": "ERROR", "trace": trace }).to_string());
    std::fs::write(folder.path().join("agent.log"), log.join("\n")).unwrap();
    assert_eq!(call(folder.path(), &["traces", "import", "agent.log", "--site", "twin"]).0, 0);
    let (_, out, _) = call(folder.path(), &["failures", "--format", "json", "--site", "twin"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    let of = |question: &str| {
        let failures = found["failures"].as_array().unwrap();
        failures.iter().find(|one| one["question"] == question).unwrap()["failure"].as_str().unwrap()
    };
    let (failure, vague) = (of(QUESTION), of("What did it sell?"));

    let promote = |more: &[&str]| {
        let arguments =
            [&["failures", "promote", failure, "--manifest", "own.json", "--site", "twin"][..], more]
                .concat();
        call(folder.path(), &arguments)
    };
    // a page and data points are proposed as `manifest from` does, and nothing is written
    let (code, out, err) = promote(&["--propose", "--format", "json"]);
    let proposal: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &proposal["proposed"]["data_points"]), (0, &json!(["gdp_per_capita"])), "{err}");
    assert_eq!(std::fs::read_to_string(folder.path().join("own.json")).unwrap(), own.to_string());
    // where none is, the most similar questions are named
    let (code, _, err) =
        call(folder.path(), &["failures", "promote", vague, "--manifest", "own.json", "--site", "twin"]);
    assert!(code == 2 && err.contains("--like") && err.contains("the most similar are\n  "), "{err}");
    let command = agent(folder.path(), "I could not find that.");
    let ask = ["--agent-command", &command, "--agent-site", "twin"];
    let (code, out, err) = promote(&[&["--like", "61", "--id", "65", "--"][..], &ask].concat());
    assert!(code == 0 && out.contains("question 65: reproduced in run"), "{code} {out}{err}");
    let written: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("own.json")).unwrap()).unwrap();
    assert_eq!(
        (&written["questions"][2]["question_id"], &written["questions"][2]["category"]),
        (&json!(65), &json!("production_failure"))
    );
    let (code, out, _) = call(folder.path(), &["failures", "--format", "json", "--site", "twin"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    let promoted =
        found["failures"].as_array().unwrap().iter().find(|one| one["failure"] == failure).unwrap();
    assert_eq!((code, &promoted["review"]["question_id"]), (3, &json!("65")), "the other one waits");

    // the agent is mended: the target turns green, and a second promotion says so
    let command = agent(folder.path(), "Kenya's GDP per capita was $2,274 in 2024.");
    let ask = ["--agent-command", &command, "--agent-site", "twin"];
    let (code, out, err) = promote(&[&["--"][..], &ask].concat());
    assert!(code == 3 && out.contains("question 65: not reproduced"), "{code} {out}{err}");
    assert!(err.contains("question 65 asks this already"), "{err}");
    let (code, _, err) = promote(&["--like", "61"]);
    assert!(code == 2 && err.contains("leave out --id, --like"), "{err}");
    let runs: Vec<String> = std::fs::read_dir(folder.path().join("runs"))
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok().filter(|name| name.starts_with("20")))
        .collect();
    let (first, second) = (runs.iter().min().unwrap(), runs.iter().max().unwrap());
    let (code, out, err) = call(folder.path(), &["eval", "compare", first, second, "--format", "json"]);
    assert_eq!(code, 0, "{err}");
    let compared: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(compared["questions"]["improvements"][0]["case"], "65", "{out}");
}
