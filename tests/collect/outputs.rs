//! What a run writes beside its store: progress that nobody reads, results that are lost, files of a run that is
//! refused.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::Stdio;

use atlas_gt::truth::{Site, Store};
use atlas_gt_twin::Skin;
use tempfile::TempDir;

use crate::bench::{records, replica, run};
use crate::cli::{AnswerVerdict, assert_refuses, call, program, said};

/// A file in which nothing can be written.
fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// Runs it with stdout and stderr as given.
async fn with(folder: &Path, arguments: &[&str], out: Stdio, err: Stdio) -> AnswerVerdict {
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
        let line = format!("collect --site {site} --questions 61 --store s --log debug --format json");
        let arguments: Vec<&str> = line.split(' ').collect();
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

/// A folder with a store `s` of one record.
async fn of_one_record() -> TempDir {
    let folder = TempDir::new().unwrap();
    let team = folder.path().join("team");
    let record = r#"{"execution_timestamp": "2026-02-28T10:00:00Z", "source_method": "browser_country_page",
        "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
        "results": {"data": [{"metric": "GDP per capita", "value": "$2,274", "year": "2024"}]}}"#;
    std::fs::create_dir_all(team.join("61/ground_truth")).unwrap();
    std::fs::write(team.join("61/ground_truth/results.json"), record).unwrap();
    let questions = r#"[{"id": 61, "text": "What is the GDP per capita of Kenya?"}]"#;
    std::fs::write(team.join("questions.json"), questions).unwrap();
    let told =
        call(folder.path(), &["import", "team", "--questions", "team/questions.json", "--store", "s"]).await;
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    std::fs::remove_dir_all(team).unwrap();
    folder
}

#[test]
fn a_result_that_is_lost_is_exit_code_1_and_a_reader_that_has_enough_is_none() {
    run(async {
        let folder = of_one_record().await;
        let commands: [&[&str]; 6] = [
            &["verify", "--store", "s", "--format", "json"],
            &["schema", "manifest"],
            &["twin", "--vintage", "2027", "--changes"],
            &["export", "--store", "s", "--sqlite", "t.db"],
            &["schema", "suite"],
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

#[test]
fn an_export_that_cannot_be_made_where_it_is_named_is_exit_code_2() {
    run(async {
        let folder = of_one_record().await;
        std::fs::write(folder.path().join("file"), "").unwrap();
        for (name, words) in [
            ("no/such/t.db", "no/such/t.db: there is no folder no/such: create it first"),
            ("s", "s: is a folder: name a file in it"),
            ("file/t.db", "file/t.db: file is not a folder"),
            ("/proc/t.db", "/proc/t.db: no file can be created in /proc"),
        ] {
            let told = call(folder.path(), &["export", "--store", "s", "--sqlite", name]).await;
            assert_refuses(&told, 2, &[words, "correct it there"]);
        }
        let left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
        assert_eq!(left.len(), 2, "{left:?}");
    });
}

#[test]
fn a_run_that_is_refused_leaves_the_files_of_the_one_under_way_alone() {
    run(async {
        let folder = TempDir::new().unwrap();
        let first = Store::open(folder.path().join("s"), Site::Twin).unwrap();
        let files = ["events.jsonl", "report.json"].map(|name| folder.path().join(name));
        for file in &files {
            std::fs::write(file, "of the first run").unwrap();
        }
        let second = [
            "collect",
            "--site",
            "twin",
            "--store",
            "s",
            "--events",
            "events.jsonl",
            "--report",
            "report.json",
        ];
        let told = call(folder.path(), &second).await;
        assert_refuses(&told, 1, &["is locked by process", "run again"]);
        for file in &files {
            assert_eq!(std::fs::read_to_string(file).unwrap(), "of the first run");
        }
        drop(first);
    });
}
