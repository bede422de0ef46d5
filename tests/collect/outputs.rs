//! What a run writes beside its store: progress that nobody reads, results that are lost, files of a run that is
//! refused.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::Stdio;

use atlas_gt::twin::Skin;
use tempfile::TempDir;

use crate::bench::{records, replica, run};
use crate::cli::{Said, program, said};

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
