//! An agent of our own that answers from the twin's API with a mistake of each of five kinds: each is found and named.

use std::path::PathBuf;
use std::process::Command;

use atlas_gt_twin::{TwinOptions, start};
use serde_json::Value;

use crate::stage::{root, told};

/// Question, verdict, and what is wrong.
const DUE: [(&str, &str, &[&str]); 6] = [
    ("1", "fail", &["other_year"]),
    ("2", "fail", &["other_classification"]),
    ("61", "fail", &["rounding"]),
    ("62", "fail", &["refusal_instead_of_answer"]),
    ("63", "pass", &[]),
    ("195", "fail", &["other_country"]),
];

/// The example beside the program of this test.
fn agent() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path = path.join("examples/flawed_agent");
    assert!(path.is_file(), "{} is missing: cargo build --example flawed_agent", path.display());
    path
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_planted_mistake_is_found_and_named() {
    let twin = start(TwinOptions { rate_limit: None, ..TwinOptions::default() }).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = async |args: &str, agent: Option<String>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
        command.args(args.split_whitespace()).args(agent);
        command.args(["--store", "store", "--site", &twin.base_url]);
        command.current_dir(folder.path()).env("XDG_CACHE_HOME", folder.path());
        command.env("ATLAS_GT_MANIFEST", root().join("manifests/atlas.json"));
        tokio::process::Command::from(command).output().await.unwrap()
    };
    let ids = DUE.map(|(id, ..)| id).join(",");
    let collected = run(&format!("collect --questions {ids}"), None).await;
    assert_eq!(collected.status.code(), Some(0), "{}", told(&collected));
    let command = format!("{} {}", agent().display(), twin.base_url);
    let args = format!("eval run --questions {ids} --agent-site twin --format json --agent-command");
    let output = run(&args, Some(command)).await;
    let text = told(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let runs = folder.path().join("runs");
    let name = std::fs::read_dir(&runs).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        path.join("run.json").exists().then_some(path)
    });
    for (id, verdict, kinds) in DUE {
        let file = name.as_ref().unwrap().join(format!("questions/{id}.json"));
        let record: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let found: Vec<&str> = record["scored"]["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["kind"].as_str().unwrap())
            .collect();
        let answer = &record["answer"]["reply"]["answer"];
        assert_eq!(record["scored"]["verdict"], verdict, "Q{id} {answer}: {}", record["scored"]["points"]);
        assert_eq!(found, kinds, "Q{id} {answer}: {}", record["scored"]["points"]);
        assert_eq!(record["scored"]["trajectory"], "pass", "Q{id}");
    }
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["counts"]["pass"], &summary["counts"]["fail"]), (&1.into(), &5.into()));
    twin.shutdown().await;
}
