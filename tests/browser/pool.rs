//! The pool: handing out, replacing, giving up, and ending everything.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use atlas_gt::acquire::browser::{BrowserOptions, Lease, Pool, Program};
use atlas_gt::acquire::{PageSource, VisitError};
use nix::sys::signal::Signal;

use crate::bench::{Site, assert_gone, living_in, options, room, still, visible_text};
use crate::failures::{kill, signal};

/// The directory that a browser works in.
fn home(lease: &Lease) -> PathBuf {
    lease.session().unwrap().home().unwrap().to_owned()
}

#[tokio::test]
async fn two_pages_at_a_time_are_read_and_everything_ends_on_close() {
    let _room = room(2).await;
    let site = Site::serve(&[("/a", "<h1>A</h1>"), ("/b", "<h1>B</h1>")]).await;
    let pool = Pool::start(2, options(&site, |_| {})).await.unwrap();
    let homes = [pool.checkout().await.unwrap(), pool.checkout().await.unwrap()].map(|lease| home(&lease));
    let read = async |path: &str| {
        let mut lease = pool.checkout().await.unwrap();
        lease.open(&site.at(path)).await.unwrap();
        visible_text(&lease.snapshot(&still()).await.unwrap().html)
    };
    let read = futures::future::join_all([read("/a"), read("/b"), read("/a")]).await;
    assert_eq!(read, ["A", "B", "A"]);
    assert!(homes.iter().all(|home| !living_in(home).is_empty()));
    let held = pool.checkout().await.unwrap();
    pool.close().await;
    assert!(pool.checkout().await.is_err());
    homes.iter().for_each(|home| assert_gone(home));
    drop(held);
}

#[tokio::test]
async fn dead_browsers_and_dead_drivers_are_replaced() {
    let _room = room(1).await;
    let site = Site::serve(&[("/", "<h1>fine</h1>")]).await;
    let pool = Pool::start(1, options(&site, |_| {})).await.unwrap();
    let mut lease = pool.checkout().await.unwrap();

    let browser_home = home(&lease);
    kill(lease.session().unwrap().browser_pid().unwrap());
    assert!(matches!(lease.open(&site.at("/")).await, Err(VisitError::SessionLost(_))));
    assert_eq!(lease.snapshot(&still()).await, Err(VisitError::NothingOpen));
    assert_gone(&browser_home);
    assert!(lease.open(&site.at("/")).await.is_ok());

    let (driver, driver_home) = (lease.session().unwrap().driver_pid().unwrap(), home(&lease));
    assert_eq!(pool.driver_pids(), [driver]);
    kill(driver);
    assert!(matches!(lease.open(&site.at("/")).await, Err(VisitError::DriverLost(_))));
    assert_gone(&driver_home);
    assert!(lease.open(&site.at("/")).await.is_ok());
    assert_ne!(pool.driver_pids(), [driver]);

    // One that died while nobody held it is replaced on the way out.
    kill(lease.session().unwrap().browser_pid().unwrap());
    drop(lease);
    let mut lease = pool.checkout().await.unwrap();
    let outcome = lease.open(&site.at("/")).await;
    assert!(outcome.is_ok() || lease.open(&site.at("/")).await.is_ok(), "{outcome:?}");
    let last_home = home(&lease);
    drop(lease);
    drop(pool);
    assert_gone(&last_home);
}

#[tokio::test]
async fn an_abandoned_visit_costs_its_browser_and_nothing_else() {
    let _room = room(1).await;
    let site = Site::serve(&[("/", "<h1>fine</h1>")]).await;
    let pool = Pool::start(1, options(&site, |_| {})).await.unwrap();
    let mut lease = pool.checkout().await.unwrap();
    let abandoned_home = home(&lease);
    let abandoned = tokio::time::timeout(Duration::from_millis(200), lease.open(&site.at("/hang"))).await;
    assert!(abandoned.is_err());
    assert!(lease.session().is_none(), "its command still runs, so it is not used again");
    assert!(lease.open(&site.at("/")).await.is_ok());
    assert_gone(&abandoned_home);
    let next_home = home(&lease);
    drop(lease);
    pool.close().await;
    assert_gone(&next_home);
}

#[tokio::test]
async fn a_driver_that_runs_but_does_not_answer_is_replaced() {
    let _room = room(1).await;
    let site = Site::serve(&[("/", "<h1>fine</h1>")]).await;
    let tune = |options: &mut BrowserOptions| {
        (options.start, options.page_load) = (Duration::from_secs(8), Duration::from_secs(2));
        options.grace = Duration::from_secs(1);
    };
    let pool = Pool::start(1, options(&site, tune)).await.unwrap();
    let mut lease = pool.checkout().await.unwrap();
    let first_home = home(&lease);
    let browser = lease.session().unwrap().browser_pid().unwrap();
    signal(lease.session().unwrap().driver_pid().unwrap(), Signal::SIGSTOP);
    assert_eq!(
        lease.open(&site.at("/")).await,
        Err(VisitError::Stuck { command: "open a page", limit: Duration::from_secs(3) })
    );
    assert!(!std::fs::exists(format!("/proc/{browser}/exe")).unwrap(), "the watchdog killed the browser");
    assert_gone(&first_home);
    let opened = lease.open(&site.at("/")).await;
    assert!(opened.is_ok(), "{opened:?}");
    drop(lease);
    pool.close().await;
}

#[tokio::test]
async fn replacements_without_a_good_visit_between_are_limited() {
    let _room = room(1).await;
    let site = Site::serve(&[("/", "<h1>fine</h1>")]).await;
    let pool = Pool::start(1, options(&site, |options| options.max_restarts = 1)).await.unwrap();
    let mut lease = pool.checkout().await.unwrap();
    let mut homes = Vec::new();
    for _ in 0..2 {
        homes.extend(lease.session().map(|session| session.home().unwrap().to_owned()));
        assert_eq!(lease.open("chrome://crash").await, Err(VisitError::TabCrashed));
    }
    let gave_up = lease.open(&site.at("/")).await.unwrap_err();
    assert!(
        matches!(&gave_up, VisitError::GaveUp { restarts: 1, last } if last.contains("crashed")),
        "{gave_up:?}"
    );
    drop(lease);
    pool.close().await;
    homes.iter().for_each(|home| assert_gone(home));
}

/// A program that stands before ChromeDriver and ends as that does when its port is taken, so many times.
fn late_driver(chromedriver: &Path, dir: &Path, failures: u32) -> PathBuf {
    let script = format!(
        r#"#!/bin/sh
case "$1" in --version) exec {chromedriver} "$@";; esac
echo start >> {dir}/starts
[ "$(wc -l < {dir}/starts)" -gt {failures} ] && exec {chromedriver} "$@"
echo "IPv4 port not available. Exiting..."
exit 1
"#,
        chromedriver = chromedriver.display(),
        dir = dir.display()
    );
    std::fs::write(dir.join("script"), script).unwrap();
    // A program is not run while any process has it open for writing, and tests beside this one fork.
    let program = dir.join(format!("chromedriver-{failures}"));
    let copied = Command::new("install").args(["-m", "755"]).arg(dir.join("script")).arg(&program).status();
    assert!(copied.unwrap().success());
    program
}

#[tokio::test]
async fn a_driver_that_lost_its_port_to_another_is_started_again() {
    let _room = room(1).await;
    let dir = tempfile::tempdir().unwrap();
    let site = Site::serve(&[("/", "<h1>fine</h1>")]).await;
    let real = Program::chromedriver(&options(&site, |_| {})).await.unwrap().path;
    let late = |failures| {
        let program = late_driver(&real, dir.path(), failures);
        options(&site, |options| options.chromedriver = Some(program))
    };
    let pool = Pool::start(1, late(2)).await.unwrap();
    assert!(pool.checkout().await.unwrap().open(&site.at("/")).await.is_ok());
    pool.close().await;
    let starts = std::fs::read_to_string(dir.path().join("starts")).unwrap();
    assert!(starts.lines().count() >= 3, "{starts}");

    let error = Pool::start(1, late(99)).await.unwrap_err().to_string();
    assert!(error.contains("IPv4 port not available") && error.contains("5 times"), "{error}");
}

#[tokio::test]
async fn a_program_that_is_missing_is_named() {
    let site = Site::serve(&[]).await;
    let broken = options(&site, |options| options.chromium = Some("/nonexistent/chromium".into()));
    let error = Pool::start(1, broken).await.unwrap_err().to_string();
    assert!(error.contains("/nonexistent/chromium") && error.contains("ATLAS_GT_CHROMIUM"), "{error}");
}
