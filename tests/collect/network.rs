//! A site that is slow, busy, broken or blocks: what passes is tried again, what does not is the site's failure,
//! and in neither case is anything wrong stored.

use std::time::Duration;

use atlas_gt::acquire::browser::Pool;
use atlas_gt::event::{Event, Events};
use atlas_gt::manifest::visits;
use atlas_gt::workflow::QuestionOutcome;
use atlas_gt_twin::{self as twin, Skin, TwinOptions};

use crate::bench::{
    Plan, Run, SKINS, all, assert_nothing_wrong, few_points, healthy_kenya, manifest, options, replica, run,
    shared,
};

async fn collect(skin: Skin, faults: &[&str], patience: u64, attempts: u32) -> Run {
    let browsers = shared();
    let pool = browsers.pool().await;
    let healthy = healthy_kenya(pool).await;
    let twin = replica(skin, faults).await;
    let plan = Plan {
        page_timeout: Duration::from_secs(patience),
        attempts,
        ..Plan::new(&twin.base_url, few_points("404"))
    };
    let run = plan.run(pool).await;
    assert_nothing_wrong(&run, healthy, &format!("{skin} with {faults:?}"));
    run
}

fn assert_whole(run: &Run, about: &str) {
    let collected = run.report.questions.iter().all(|one| one.outcome == QuestionOutcome::Collected);
    assert!(collected && run.report.exit_code == 0, "{about}: {:#?}", run.failures());
}

/// The site's failure: nothing stored, exit code 5, the cause in every question.
fn assert_refused(run: &Run, words: &[&str], about: &str) {
    assert!(run.records().is_empty(), "{about}: {:?}", run.records().keys());
    assert_eq!(run.report.exit_code, 5, "{about}: {:#?}", run.report.visits);
    for (id, notes) in run.failures() {
        for word in words {
            assert!(notes.contains(word), "{about}, {id}: \"{word}\" is not in: {notes}");
        }
    }
}

#[test]
#[ignore = "slow: make test-deep"]
fn storms_that_pass_are_sat_out() {
    run(async {
        let faults = ["too-many=4", "too-many-retry-after=4", "server-error=3", "half-json=2", "reset=2"];
        let storms = SKINS.into_iter().flat_map(|skin| faults.map(|fault| (skin, fault)));
        all(storms.map(async |(skin, fault)| {
            let run = collect(skin, &[fault], 20, 4).await;
            assert_whole(&run, fault);
            let (report, loads) = (&run.report, run.report.visits[0].loads);
            assert!((1..=3).contains(&loads), "{fault}: {:?}", report.visits);
            assert_eq!(report.retries, loads - 1, "{fault}");
            let busy = fault.starts_with("too-many") && loads > 1;
            assert_eq!(report.waits.held_back_ms > 0, busy, "{fault}: {:?}", report.waits);
        }))
        .await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_slow_site_is_waited_for() {
    run(async {
        all(SKINS.map(async |skin| {
            let run = collect(skin, &["slow=1500"], 60, 3).await;
            assert_whole(&run, "slow");
            assert_eq!(run.report.visits[0].loads, 1);
        }))
        .await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn storms_that_do_not_pass_are_the_sites_refusal() {
    run(async {
        let storms = [
            (Skin::Hashed, "too-many", &["429"]),
            (Skin::Mui, "server-error", &["500"]),
            (Skin::Hashed, "reset", &["could not be reached"]),
            (Skin::Mui, "half-json", &["502"]),
        ];
        all(storms.map(async |(skin, fault, words)| {
            let run = collect(skin, &[fault], 6, 2).await;
            assert_refused(&run, words, fault);
            assert_eq!(run.report.visits[0].loads, 2, "{fault}");
        }))
        .await;
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn what_was_asked_in_vain_is_told_once_by_report_events_and_summary() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        // two attempts at a page that fail, or one that fails and one that does not
        for passes in [false, true] {
            let twin = std::sync::Arc::new(replica(Skin::Hashed, &["too-many"]).await);
            let page_timeout = Duration::from_secs(6);
            let plan = Plan { attempts: 2, page_timeout, ..Plan::new(&twin.base_url, few_points("404")) };
            let told = std::sync::Arc::new(std::sync::Mutex::new((Vec::new(), 0)));
            let (keep, weather) = (told.clone(), twin.clone());
            let events = Events::new(move |event| {
                let mut told = keep.lock().unwrap();
                if passes && matches!(event, Event::VisitRetried { .. }) {
                    weather.set_faults(Vec::new());
                }
                match event {
                    Event::VisitRetried { requests, hosts, .. }
                    | Event::VisitFailed { requests, hosts, .. }
                    | Event::VisitFinished { requests, hosts, .. } => told.0.push((*requests, hosts.clone())),
                    Event::RunFinished { requests, .. } => told.1 = *requests,
                    _ => {}
                }
            });
            let folder = tempfile::tempdir().unwrap();
            let report = plan.run_into(pool, folder.path(), &events).await;
            assert_nothing_wrong(&Run { report: report.clone(), folder }, healthy, "in vain");
            assert_eq!(report.exit_code, if passes { 0 } else { 5 }, "{:#?}", report.visits);
            let logged = twin.log().len() as u64;
            let (attempts, at_the_end) = told.lock().unwrap().clone();
            assert_eq!(attempts.len(), 2);
            assert!(attempts.iter().all(|(requests, _)| *requests > 0), "{attempts:?}");
            let host = twin.base_url.trim_start_matches("http://");
            assert_eq!((report.requests, report.hosts[host], at_the_end), (logged, logged, logged));
            assert_eq!(attempts.iter().map(|(requests, _)| u64::from(*requests)).sum::<u64>(), logged);
            assert_eq!(attempts.iter().map(|(_, hosts)| u64::from(hosts[host])).sum::<u64>(), logged);
            let summary = atlas_gt::report::write(
                &report,
                atlas_gt::report::Format::Table,
                &atlas_gt::report::Invocation::default(),
                atlas_gt::report::Terminal::PLAIN,
            )
            .unwrap();
            assert!(summary.contains(&format!("1 page, 2 loads, {logged} requests (")), "{summary}");
            assert!(report.charged >= logged, "{}", report.charged);
        }
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn soft_blocks_and_empty_shells_are_never_read() {
    run(async {
        let blocks = [
            (Skin::Hashed, "soft-block-page", "too many requests"),
            (Skin::Mui, "soft-block-page", "too many requests"),
            (Skin::Hashed, "soft-block", "verify you are human"),
            (Skin::Mui, "soft-block", "verify you are human"),
        ];
        all(blocks.map(async |(skin, fault, words)| {
            let run = collect(skin, &[fault], 6, 2).await;
            assert!(run.records().is_empty());
            assert!(matches!(run.report.exit_code, 4 | 5), "{fault}: {}", run.report.exit_code);
            for notes in run.failures().values() {
                assert!(notes.to_lowercase().contains(words), "{fault}: {notes}");
            }
        }))
        .await;
        let run = collect(Skin::Hashed, &["never-starts"], 6, 1).await;
        assert!(run.records().is_empty() && run.report.exit_code != 0);
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_retry_after_is_obeyed_at_the_sites_log() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        let twin = replica(Skin::Hashed, &["too-many-retry-after=40"]).await;
        let plan = Plan { attempts: 8, ..Plan::new(&twin.base_url, few_points("404")) };
        let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let keep = told.clone();
        let events = Events::new(move |event| {
            if let atlas_gt::event::Event::HeldBack { wait_ms, asked, .. } = event {
                keep.lock().unwrap().push((*wait_ms, *asked));
            }
        });
        let folder = tempfile::tempdir().unwrap();
        let report = plan.run_into(pool, folder.path(), &events).await;
        assert_nothing_wrong(&Run { report: report.clone(), folder }, healthy, "retry after");
        assert_eq!(report.exit_code, 0, "{:?}", report.visits);
        let held = told.lock().unwrap().clone();
        assert_eq!(held.len() as u32, report.retries);
        assert!(report.retries >= 1 && held.iter().all(|(wait, asked)| *wait >= 1000 && *asked), "{held:?}");
        let log = twin.log();
        let loads = log.iter().filter(|entry| entry.path == "/countries/404").map(|entry| entry.at);
        for load in loads.skip(1) {
            let refused =
                log.iter().filter(|entry| entry.status == 429 && entry.at < load).map(|entry| entry.at);
            let since = load - refused.max().unwrap();
            assert!(since >= Duration::from_secs(1), "asked again after {since:?}");
        }
    });
}

/// Takes no room from the other tests: its one browser mostly waits for the budget of requests.
#[test]
#[ignore = "slow: make test-deep"]
fn at_the_sites_log_no_minute_sees_more_than_120_requests() {
    run(async {
        let options_of_twin = TwinOptions { skin: Skin::Hashed, ..TwinOptions::default() };
        assert_eq!(options_of_twin.rate_limit, Some(120), "the live limit");
        let twin = twin::start(options_of_twin).await.unwrap();
        let entries = manifest().entries;
        let entries: Vec<_> = visits(&entries).iter().take(7).map(|page| page.entries[0].clone()).collect();
        let pool = Pool::start(1, options(&twin.base_url)).await.unwrap();
        let plan = Plan { rate: 120, ..Plan::new(&twin.base_url, entries) };
        let folder = tempfile::tempdir().unwrap();
        let report = plan.run_into(&pool, folder.path(), &Events::silent()).await;
        pool.close().await;
        assert_eq!((report.exit_code, report.totals.collected), (0, 7), "{:#?}", report.questions);
        let log = twin.log();
        let window = Duration::from_secs(60);
        let in_window =
            |start: Duration| log.iter().filter(|one| one.at >= start && one.at <= start + window).count();
        let most = log.iter().map(|entry| in_window(entry.at)).max().unwrap();
        // a slow machine never comes near the limit; what the budget does then is tested by itself
        println!("{} requests, at most {most} in any 60 s, {} ms waited", log.len(), report.waits.budget_ms);
        assert!(most <= 120, "{most} requests in a minute");
        assert!(log.len() > 130, "too few to tell: {}", log.len());
        assert!(log.iter().all(|entry| entry.status != 429));
    });
}
