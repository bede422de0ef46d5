//! What a run writes beside its store: progress that nobody reads, results that are lost, files of a run that is
//! refused.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::Stdio;

use atlas_gt::twin::Skin;
use tempfile::TempDir;

use crate::bench::{records, replica, run};
use crate::cli::{Said, assert_refuses, program, said};

/// A file in which nothing can be written.
fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// Runs it with stdout and stderr as given.
async fn with(folder: &Path, arguments: &[&str], out: Stdio, err: Stdio) -> Said {
    let mut command = program(folder, arguments);
    command.stdout(out).stderr(err);
    let child = command.spawn().unwrap();
    tokio::task::spawn_blocking(move || said(&child.wait_with_output().unwrap())).await.unwrap()
}

#[test]
fn a_run_goes_on_when_nobody_reads_its_progress() {
    run(async {
        let folder = TempDir::new().unwrap();
        let twin = replica(Skin::Hashed, &[]).await;
        let site = twin.base_url.as_str();
        let arguments = [
            "collect",
            "--site",
            site,
            "--questions",
            "61",
            "--store",
            "s",
            "--log",
            "debug",
            "--format",
            "json",
        ];
        let told = with(folder.path(), &arguments, Stdio::piped(), full().into()).await;
        assert_eq!(told.code, 0, "{}", told.out);
        assert_eq!(records(&folder.path().join("s")).into_keys().collect::<Vec<_>>(), ["61"]);
        // neither an error nor a diagnostic can be told, and the exit code is the same
        std::fs::write(folder.path().join("bad.json"), "{}").unwrap();
        for arguments in [["manifest", "check", "bad.json"], ["collect", "--questions", "nosuch"]] {
            let told = with(folder.path(), &arguments, Stdio::piped(), full().into()).await;
            assert_eq!(told.code, 2, "{arguments:?}");
        }
    });
}

#[test]
fn a_result_that_is_lost_is_exit_code_1_and_a_reader_that_has_enough_is_none() {
    run(async {
        let folder = TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("s")).unwrap();
        let commands: [&[&str]; 6] = [
            &["verify", "--store", "s", "--format", "json"],
            &["manifest", "schema"],
            &["twin", "--vintage", "2027", "--changes"],
            &["export", "--store", "s", "--sqlite", "t.db"],
            &["suite", "schema"],
            &["changelog", "--store", "s"],
        ];
        for arguments in commands {
            let told = with(folder.path(), arguments, full().into(), Stdio::piped()).await;
            assert_refuses(&told, 1, &["error: standard output", "No space left"]);
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let told = with(folder.path(), arguments, writer.into(), Stdio::piped()).await;
            assert_eq!((told.code, told.err.as_str()), (0, ""), "{arguments:?}");
        }
    });
}
