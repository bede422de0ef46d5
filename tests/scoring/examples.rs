//! The runs in the examples folder are what the program prints.

use std::path::Path;
use std::process::{Command, Output};

use crate::stdout;

/// Runs a command line from the root of the repository, as the documentation shows it.
fn shell(line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_atlas-gt")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    Command::new("sh")
        .args(["-c", line])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", path)
        .output()
        .unwrap()
}

#[test]
fn the_example_runs_are_those_of_the_example_suite() {
    for (answers, run) in [("answers.jsonl", "run_first.jsonl"), ("answers_later.jsonl", "run_second.jsonl")]
    {
        let runs = tempfile::tempdir().unwrap();
        let printed = stdout(&shell(&format!(
            "ATLAS_GT_NOW=2026-11-20T10:30:00Z atlas-gt suite run examples/scoring/suite.yaml --runs {} \
             --answers examples/scoring/{answers} --format jsonl",
            runs.path().display()
        )));
        let kept =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/scoring").join(run))
                .unwrap();
        assert_eq!(printed, kept, "{run}");
    }
}
