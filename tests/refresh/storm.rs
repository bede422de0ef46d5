//! A site in trouble: nothing that it does is a change, and no byte of the store moves.

use std::time::Duration;

use crate::bench::{Plan, browsers, collected, replica, run, some, tree};

#[test]
fn decision_13_a_storm_is_no_change_and_moves_no_byte() {
    run(async {
        let browsers = browsers().await;
        let folder = collected(&browsers.pool).await;
        let before = tree(folder.path());
        // the next release is out, so that there would be something to find
        let twin = replica(2027, &[]).await;
        let page_timeout = Duration::from_secs(5);
        let plan = Plan {
            page_timeout,
            attempts: 1,
            ..Plan::new(&twin.base_url, some(&["61", "62", "139", "204"]))
        };
        for (faults, code, words) in [
            (&["too-many"][..], 5, "429"),
            (&["server-error"], 5, "500"),
            (&["half-json"], 5, "502"),
            (&["reset"], 5, "could not be reached"),
            (&["soft-block-page"], 5, "many requests"),
            (&["never-starts"], 4, "not the page"),
            (&["wrong-country=231"], 4, "Ethiopia"),
        ] {
            twin.set_faults(faults.iter().map(|fault| fault.parse().unwrap()).collect());
            let report = plan.refresh(&browsers.pool, folder.path()).await;
            let causes: Vec<&str> = report
                .failed
                .iter()
                .map(|failed| failed.cause.as_str())
                .chain(report.broken.iter().flat_map(|broken| broken.notes.iter().map(String::as_str)))
                .collect();
            assert_eq!((report.changes.len(), report.exit_code), (0, code), "{faults:?}: {causes:#?}");
            assert!(
                causes.iter().any(|cause| cause.to_lowercase().contains(&words.to_lowercase())),
                "{faults:?}: {causes:#?}"
            );
            assert_eq!(report.unchanged + report.failed.len() + report.broken.len(), 4, "{faults:?}");
            let now = tree(folder.path());
            let touched: Vec<_> =
                now.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes)).collect();
            assert!(
                touched.is_empty() && now.len() == before.len(),
                "{faults:?}: {:?}",
                touched.iter().map(|(path, _)| path).collect::<Vec<_>>()
            );

            // the APIs alone: no better, no worse
            let asked = plan.ask(folder.path()).await;
            if code == 5 && faults.len() == 1 {
                assert_eq!((asked.changes.len(), asked.exit_code), (0, 5), "{faults:?}: {:#?}", asked.failed);
                assert_eq!(tree(folder.path()), before, "{faults:?}: the APIs alone");
            }
        }
    });
}
