//! ChromeDriver and Chromium killed in mid-run: the run completes, stores nothing wrong, and leaves nothing behind.

use std::path::{Path, PathBuf};

use atlas_gt::acquire::browser::Pool;
use atlas_gt::event::{Event, Events};
use atlas_gt_twin::{Skin, Twin};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::bench::{Plan, manifest, options, records, replica, run, until};
use crate::whole::whole;

/// The directory that a driver works in, from its environment.
fn home(driver: u32) -> PathBuf {
    let environment = std::fs::read(format!("/proc/{driver}/environ")).unwrap();
    let entry = environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(b"TMPDIR="));
    PathBuf::from(String::from_utf8(entry.unwrap().to_vec()).unwrap())
}

/// Processes that name a directory in their command or environment.
fn living_in(home: &Path) -> Vec<(u32, String)> {
    let needle = home.to_str().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let read = |file| std::fs::read(entry.path().join(file)).unwrap_or_default();
            let command = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
            let named =
                command.contains(needle) || String::from_utf8_lossy(&read("environ")).contains(needle);
            named.then_some((pid, command))
        })
        .collect()
}

/// Waits until a page that is being read has sent this many queries.
async fn mid_page(twin: &Twin, queries: usize) {
    let sent = || twin.log().iter().filter(|entry| entry.is_api() && entry.by_page).count();
    until("queries of the page", || sent() >= queries).await;
}

fn end(pid: u32) {
    kill(Pid::from_raw(pid.try_into().unwrap()), Signal::SIGKILL).unwrap();
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_driver_and_a_browser_killed_in_mid_run_cost_a_retry_and_nothing_else() {
    run(async {
        let mut entries = manifest().entries;
        entries
            .retain(|entry| ["404", "840", "724"].iter().any(|id| entry.url.document().path().ends_with(id)));
        let mut undisturbed = records(&whole(Skin::Hashed).await.store);
        undisturbed.retain(|id, _| entries.iter().any(|entry| entry.question_id.as_str() == id));
        let twin = replica(Skin::Hashed, &[]).await;
        let pool = Pool::start(1, options(&twin.base_url)).await.unwrap();
        let plan = Plan::new(&twin.base_url, entries);

        let first_home = home(pool.driver_pids()[0]);
        let folder = tempfile::tempdir().unwrap();
        let killer = async {
            // in the middle of the first page
            mid_page(&twin, 5).await;
            end(pool.driver_pids()[0]);
            // and of a later one, the browser of the new driver
            mid_page(&twin, 40).await;
            let home = home(pool.driver_pids()[0]);
            let browser = living_in(&home)
                .into_iter()
                .find(|(_, command)| command.contains("--user-data-dir") && !command.contains("--type="));
            end(browser.unwrap().0);
            home
        };
        let retried = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let told = retried.clone();
        let events = Events::new(move |event| {
            if let Event::VisitRetried { cause, .. } = event {
                told.lock().unwrap().push(cause.clone());
            }
        });
        let (report, second_home) = tokio::join!(plan.run_into(&pool, folder.path(), &events), killer);
        assert_eq!((report.exit_code, report.totals.failed), (0, 0), "{report:#?}");
        assert_eq!(records(folder.path()), undisturbed);
        let retried = retried.lock().unwrap().clone();
        assert!(retried.len() >= 2 && retried[0].contains("chromedriver is gone"), "{retried:?}");
        assert_eq!(report.visits.iter().map(|visit| visit.loads).sum::<u32>() as usize, 3 + retried.len());

        pool.close().await;
        for home in [first_home, second_home] {
            assert_eq!(living_in(&home), [], "left behind");
            assert!(!home.exists(), "{} was left behind", home.display());
        }
    });
}
