//! A site in trouble: nothing that it does is a change, and no byte of the store moves.

use std::time::Duration;

use crate::bench::{Plan, browsers, collected, replica, run, some, tree};

#[test]
#[ignore = "slow: make test-deep"]
fn decision_13_a_storm_is_no_change_and_moves_no_byte() {
    run(async {
        let browsers = browsers().await;
        let folder = collected(&browsers.pool).await;
        let before = tree(folder.path());
        let page_timeout = Duration::from_secs(5);
        let all: &[&str] = &["61", "62", "139", "204"];
        for (fault, codes, words, ids) in [
            ("too-many", &[5][..], "429", all),
            ("server-error", &[5], "500", all),
            ("half-json", &[5], "502", all),
            ("reset", &[5], "could not be reached", all),
            ("soft-block-page", &[4, 5], "too many requests", all),
            ("never-starts", &[4, 5], "", all),
            ("wrong-country=231", &[4], "Ethiopia", &all[..3]),
        ] {
            // the next release is out, so that there would be something to find; each time at another address, for a
            // browser keeps the files of one that it knows
            let twin = replica(2027, &[fault]).await;
            let plan = Plan {
                entries: some(ids),
                page_timeout,
                attempts: 1,
                ..Plan::new(&twin.base_url, Vec::new())
            };
            let report = plan.refresh(&browsers.pool, folder.path()).await;
            let causes: Vec<&str> = report
                .failed
                .iter()
                .map(|failed| failed.cause.as_str())
                .chain(report.broken.iter().flat_map(|broken| broken.notes.iter().map(String::as_str)))
                .collect();
            assert!(report.changes.is_empty(), "{fault}: {:#?}", report.changes);
            assert!(codes.contains(&report.exit_code), "{fault}: {}: {causes:#?}", report.exit_code);
            assert!(report.broken.is_empty(), "{fault}: no extractor is to blame: {:#?}", report.broken);
            assert!(
                causes.iter().any(|cause| cause.to_lowercase().contains(&words.to_lowercase())),
                "{fault}: {causes:#?}"
            );
            assert_eq!(report.unchanged + report.failed.len(), ids.len(), "{fault}");
            let now = tree(folder.path());
            let touched: Vec<_> =
                now.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes)).collect();
            assert!(
                touched.is_empty() && now.len() == before.len(),
                "{fault}: {:?}",
                touched.iter().map(|(path, _)| path).collect::<Vec<_>>()
            );

            // the APIs alone: no better, no worse; a page that does not start is nothing to them
            if all.len() == ids.len() && fault != "never-starts" {
                let asked = plan.ask(folder.path()).await;
                assert_eq!((asked.changes.len(), asked.exit_code), (0, 5), "{fault}: {:#?}", asked.failed);
                assert_eq!(tree(folder.path()), before, "{fault}: the APIs alone");
            }
        }
    });
}
