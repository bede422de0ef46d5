//! A site that is slow, busy, broken or blocks: what passes is tried again, what does not is the site's failure,
//! and in neither case is anything wrong stored.

use std::time::Duration;

use atlas_gt::twin::Skin;
use atlas_gt::workflow::QuestionOutcome;

use crate::bench::{Plan, Run, assert_nothing_wrong, every_point, healthy_kenya, replica, run, shared};

async fn collect(skin: Skin, faults: &[&str], patience: u64, attempts: u32) -> Run {
    let browsers = shared().await;
    let pool = browsers.pool().await;
    let healthy = healthy_kenya(pool).await;
    let twin = replica(skin, faults).await;
    let plan = Plan {
        page_timeout: Duration::from_secs(patience),
        attempts,
        ..Plan::new(&twin.base_url, every_point("404"))
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
fn storms_that_pass_are_sat_out() {
    run(async {
        for (skin, fault) in [
            (Skin::Hashed, "too-many=4"),
            (Skin::Mui, "too-many-retry-after=4"),
            (Skin::Hashed, "server-error=3"),
            (Skin::Mui, "half-json=2"),
            (Skin::Hashed, "reset=2"),
        ] {
            let run = collect(skin, &[fault], 20, 4).await;
            assert_whole(&run, fault);
            assert!((1..=3).contains(&run.report.visits[0].loads), "{fault}: {:?}", run.report.visits);
        }
    });
}

#[test]
fn a_slow_site_is_waited_for() {
    run(async {
        let run = collect(Skin::Hashed, &["slow=1500"], 20, 3).await;
        assert_whole(&run, "slow");
        assert_eq!(run.report.visits[0].loads, 1);
    });
}

#[test]
fn storms_that_do_not_pass_are_the_sites_refusal() {
    run(async {
        for (skin, fault, words) in [
            (Skin::Hashed, "too-many", &["429"]),
            (Skin::Mui, "server-error", &["500"]),
            (Skin::Hashed, "reset", &["could not be reached"]),
        ] {
            let run = collect(skin, &[fault], 6, 2).await;
            assert_refused(&run, words, fault);
            assert_eq!(run.report.visits[0].loads, 2, "{fault}");
        }
    });
}

#[test]
fn soft_blocks_and_empty_shells_are_never_read() {
    run(async {
        let blocks = [
            (Skin::Hashed, "soft-block-page", "too many requests"),
            (Skin::Mui, "soft-block", "verify you are human"),
        ];
        for (skin, fault, words) in blocks {
            let run = collect(skin, &[fault], 6, 2).await;
            assert!(run.records().is_empty());
            assert!(matches!(run.report.exit_code, 4 | 5), "{fault}: {}", run.report.exit_code);
            for notes in run.failures().values() {
                assert!(notes.to_lowercase().contains(words), "{fault}: {notes}");
            }
        }
        let run = collect(Skin::Hashed, &["never-starts"], 6, 1).await;
        assert!(run.records().is_empty() && run.report.exit_code != 0);
    });
}
