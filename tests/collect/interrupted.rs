//! The program interrupted or killed: it keeps what it has, leaves nothing behind, and goes on later.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Stdio};
use std::time::{Duration, Instant};

use atlas_gt_twin::{Skin, Twin};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::bench::{records, replica, run, tree, until};
use crate::cli::{call, program, said};

#[test]
#[ignore = "slow: make test-deep"]
fn an_interrupted_run_keeps_what_it_has_and_goes_on_later() {
    run(async {
        let folder = TempDir::new().unwrap();
        let twin = replica(Skin::Hashed, &["slow=400"]).await;
        let site = twin.base_url.clone();
        // a page that is given up is not tried again once the run is to end: a busy machine needs longer than 20 s
        let pages = ["--sessions", "1", "--page-timeout", "90"];
        let questions = ["collect", "--site", &site, "--questions", "61,68", "--store", "s"];
        let arguments = [&questions[..], &pages].concat();
        let child =
            program(folder.path(), &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        until("the page's first query", || twin.log().iter().any(|entry| entry.is_api() && entry.by_page))
            .await;
        kill(pid, Signal::SIGINT).unwrap();
        let output = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
        let told = said(&output);
        assert_eq!(told.code, 130, "{}{}", told.out, told.err);
        assert!(told.out.lines().any(|line| line.starts_with("interrupted: 1 question was")), "{}", told.out);
        let resume =
            format!("atlas-gt collect --resume --site {site} --store s --sessions 1 --page-timeout 90");
        assert!(told.err.contains(&format!("stopping after the current pages, `{resume}")), "{}", told.err);
        assert!(told.out.contains(&resume), "{}", told.out);
        assert_eq!(records(&folder.path().join("s")).into_keys().collect::<Vec<_>>(), ["61"]);
        let again = call(folder.path(), &arguments).await;
        assert_eq!(again.code, 0, "{}", again.out);
        assert!(again.out.lines().any(|line| line.starts_with("ok: 1 collected, 1 agreed")), "{}", again.out);
    });
}

/// Directories of drivers in a temporary folder of a run's own.
fn homes(temporary: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(temporary).unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| path.to_string_lossy().contains("atlas-gt-browser-")).collect()
}

/// Starts a collection of two pages and waits until the first is being read.
async fn begun(folder: &Path, twin: &Twin) -> Child {
    std::fs::create_dir_all(folder.join("tmp")).unwrap();
    let arguments =
        ["collect", "--site", &twin.base_url, "--questions", "61,68", "--sessions", "1", "--store", "s"];
    let mut command = program(folder, &arguments);
    command.env("TMPDIR", folder.join("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let before = twin.log().len();
    let child = command.spawn().unwrap();
    let asks = || twin.log().iter().skip(before).any(|entry| entry.is_api() && entry.by_page);
    until("the page's first query", asks).await;
    child
}

/// Reads what a run says until it says `word`. What it says is kept open until the result is dropped.
fn heard(errors: ChildStderr, word: &str) -> BufReader<ChildStderr> {
    let mut errors = BufReader::new(errors);
    let mut line = String::new();
    while !line.contains(word) {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0, "it ended and never said \"{word}\"");
    }
    errors
}

/// Waits until no process works in the temporary folder and no driver's directory is left in it.
async fn assert_nothing_left(temporary: &Path) {
    let needle = temporary.to_str().unwrap().to_owned();
    let working = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let named = |path: PathBuf| {
            ["cmdline", "environ"].iter().any(|file| {
                std::fs::read(path.join(file))
                    .is_ok_and(|text| String::from_utf8_lossy(&text).contains(&needle))
            })
        };
        processes.map(|entry| entry.path()).filter(|path| named(path.clone())).count()
    };
    let started = Instant::now();
    while working() > 0 || !homes(temporary).is_empty() {
        let late = started.elapsed() > Duration::from_secs(15);
        assert!(!late, "{} processes, {:?} left", working(), homes(temporary));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_run_that_is_killed_or_interrupted_twice_leaves_nothing_behind_and_is_gone_on_with() {
    run(async {
        let folder = TempDir::new().unwrap();
        let twin = replica(Skin::Hashed, &["slow=2000"]).await;
        let temporary = folder.path().join("tmp");

        let mut child = begun(folder.path(), &twin).await;
        assert_eq!(homes(&temporary).len(), 1);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_nothing_left(&temporary).await;

        let mut child = begun(folder.path(), &twin).await;
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        kill(pid, Signal::SIGINT).unwrap();
        let errors = child.stderr.take().unwrap();
        let errors = tokio::task::spawn_blocking(move || heard(errors, "Ctrl-C again")).await.unwrap();
        kill(pid, Signal::SIGINT).unwrap();
        let output = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
        assert_eq!(output.status.code(), Some(130));
        let told = said(&output);
        // at once: not even the page that was being read is read to its end
        assert!(!folder.path().join("s/61/results.json").exists(), "{}", told.out);
        assert_nothing_left(&temporary).await;
        drop(errors);

        twin.set_faults(Vec::new());
        let site = twin.base_url.clone();
        let resume = [
            "collect",
            "--site",
            &site,
            "--resume",
            "--questions",
            "61,68",
            "--store",
            "s",
            "--events",
            "e.jsonl",
            "--report",
            "r.json",
        ];
        let told = call(folder.path(), &resume).await;
        assert_eq!(told.code, 0, "{}{}", told.out, told.err);
        assert!(told.err.contains("2 questions left, 0 answered before"), "{}", told.err);
        assert_eq!(records(&folder.path().join("s")).into_keys().collect::<Vec<_>>(), ["61", "68"]);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let report: Value = serde_json::from_str(&read("r.json")).unwrap();
        let host = site.trim_start_matches("http://");
        assert_eq!(report["hosts"][host], report["requests"], "{:#}", report["hosts"]);
        assert_eq!(report["slowest"].as_array().unwrap().len(), 2);
        let events: Vec<Value> =
            read("e.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let count = |name: &str| events.iter().filter(|event| event["event"] == name).count();
        assert_eq!((count("run_started"), count("visit_finished"), count("question_finished")), (1, 2, 2));
        assert_eq!(events.last().unwrap()["event"], "run_finished");

        let before = tree(&folder.path().join("s"));
        let asked = twin.log().len();
        let again = call(folder.path(), &resume).await;
        assert_eq!(again.code, 0, "{}", again.out);
        assert!(again.err.contains("0 questions left"), "{}", again.err);
        assert_eq!(tree(&folder.path().join("s")), before, "nothing is left to do");
        assert!(twin.log().len() <= asked + 1, "and the site was asked for no more than its robots.txt");
    });
}
