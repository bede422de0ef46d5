//! A refresh that is ended in the middle: what it read waits already, and the next one goes on from there.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use atlas_gt::event::Events;
use atlas_gt::truth::Store;
use atlas_gt::truth::run_log::RunLog;
use atlas_gt::workflow::refresh::{self, Look, Picked};

use crate::bench::{Plan, browsers, client, collected, expected, found, records, replica, run, some};

#[test]
#[ignore = "slow: make test-deep"]
fn a_refresh_that_is_ended_keeps_what_it_read_and_is_gone_on_with() {
    run(async {
        let browsers = browsers().await;
        let folder = collected(&browsers.pool).await;
        let before = records(folder.path());
        let twin = replica(2027, &[]).await;
        let chosen = some(&["61", "65", "78", "147", "204"]);
        let plan = Plan::new(&twin.base_url, chosen.clone());
        let log = folder.path().join(".refresh.jsonl");
        let ended = async {
            while !std::fs::read_to_string(&log).is_ok_and(|text| text.contains("\"finished\"")) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        let first = Plan { sessions: 1, ..Plan::new(&twin.base_url, chosen.clone()) };
        tokio::select! {
            biased;
            () = ended => {}
            report = first.refresh(&browsers.pool, folder.path()) => panic!("it was not ended: {report:#?}"),
        }
        assert_eq!(records(folder.path()), before);
        let (answered, waits) = {
            let store = Store::read(folder.path()).unwrap();
            let run = RunLog::of_refresh(&store).unfinished().unwrap().unwrap();
            (run.answered, refresh::waiting(&store, &Picked::default()).unwrap())
        };
        assert!(!answered.is_empty() && answered.len() < chosen.len(), "{answered:?}");
        assert!(!waits.is_empty(), "what was read waits for --commit already");

        let mut job = plan.job(folder.path());
        job.options.goes_on = true;
        let job = Arc::new(job);
        let (own, events, stop) = (client(&job), Events::silent(), AtomicBool::new(false));
        let look = Look { job: &job, client: Some(&own), run: "on", events: &events, stop: &stop };
        let report = look.refresh(&browsers.pool).await.unwrap();
        drop(job);
        assert_eq!(found(&report), expected(&chosen), "{:#?}", report.failed);
        let read_before: BTreeSet<String> = chosen
            .iter()
            .filter(|entry| answered.contains(&entry.question_id))
            .map(|entry| entry.url.path())
            .collect();
        let again: Vec<&str> = report.visits.iter().map(|visit| visit.page.as_str()).collect();
        let left: BTreeSet<String> = chosen
            .iter()
            .filter(|entry| !answered.contains(&entry.question_id))
            .map(|entry| entry.url.path())
            .collect();
        for page in read_before.difference(&left) {
            assert!(!again.contains(&page.as_str()), "{page} was read again");
        }
        assert!(!log.exists(), "a run that is done leaves no log");
        assert_eq!(records(folder.path()), before, "a dry run touches no record");
    });
}
