//! A broken label: the question fails, nothing else does, and what the response holds waits for a person.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use atlas_gt::event::Events;
use atlas_gt::extract::Extractors;
use atlas_gt::truth::{
    Agreement, Channel, Pipeline, SourceMethod, Store, changelog, may_score, pending, review,
};
use atlas_gt::workflow;

use crate::bench::{COLLECTED, Plan, browsers, collected, record, records, replica, reworded, run, some};
use crate::cli::call;

/// The label of one value is not what the page says.
fn broken() -> Extractors {
    reworded(
        "labels = [\"GDP per capita\"], rule = \"F5\", without",
        "labels = [\"Income a head\"], rule = \"F5\", without",
    )
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_23_a_change_behind_a_broken_label_waits_for_a_person() {
    run(async {
        let browsers = browsers().await;
        let folder = collected(&browsers.pool).await;
        let before = records(folder.path());
        let twin = replica(2027, &[]).await;
        let plan = Plan { extractors: broken(), ..Plan::new(&twin.base_url, some(&["61", "62"])) };
        let report = plan.refresh(&browsers.pool, folder.path()).await;
        assert_eq!(report.exit_code, 4, "{:#?}", report.failed);
        let broken: Vec<&str> = report.broken.iter().map(|broken| broken.question_id.as_str()).collect();
        assert_eq!(broken, ["61"], "one broken label blocks no other question");
        assert!(!report.changes.is_empty() && report.changes.iter().all(|change| change.question_id == "62"));
        let notes = report.broken[0].notes.join("\n");
        assert!(notes.contains("$2,350") && notes.contains("atlas-gt review show 61"), "{notes}");
        assert_eq!(records(folder.path()), before);
        // what the page calls it is found by the value, and `mend` reads what was kept
        let mendable = report.mendable.unwrap();
        assert_eq!((mendable.points, mendable.of), (1, 1));
        let said =
            call(folder.path(), &["mend", mendable.bundle.to_str().unwrap(), "--format", "json"]).await;
        let said: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(said["bundle"], mendable.bundle.to_str().unwrap());
        {
            let store = Store::read(folder.path()).unwrap();
            assert_eq!(review::ids(&store).unwrap(), ["61".parse().unwrap()]);
            assert_eq!(pending::ids(&store).unwrap(), ["62".parse().unwrap()]);
            let held = review::load(&store, &"61".parse().unwrap()).unwrap().unwrap();
            assert_eq!(held.missing[0].response_value.as_deref(), Some("$2,350"));
            assert!(held.missing[0].looked_for.contains("income a head"), "{:?}", held.missing);
            assert!(store.evidence(&held.capture).is_ok() && store.picture(&held.picture.unwrap()).is_ok());
            assert_eq!(store.unreferenced().unwrap(), [], "what is under review is not dropped");
        }
        // again: not a byte of it moves
        let file = folder.path().join("review/61.json");
        let first = std::fs::read(&file).unwrap();
        plan.refresh(&browsers.pool, folder.path()).await;
        assert_eq!(std::fs::read(&file).unwrap(), first);

        let store = folder.path().to_str().unwrap();
        let said = call(folder.path(), &["review", "show", "61", "--store", store]).await;
        assert!(
            said.out.contains("the record says: $2,274") && said.out.contains("picture: "),
            "{}",
            said.out
        );
        let said =
            call(folder.path(), &["review", "accept", "61", "--reason", "seen", "--store", store]).await;
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(
            said.out, "1 value accepted\nQ61: gdp_per_capita changed from $2,274 to $2,350\n",
            "{}",
            said.err
        );
        let now = record(&records(folder.path())["61"]);
        assert_eq!(
            (now.results.data[0].shown().as_str(), now.source_method),
            ("$2,350", SourceMethod::BrowserCountryPage)
        );
        let store = Store::read(folder.path()).unwrap();
        assert_eq!(review::ids(&store).unwrap(), []);
        let log = changelog::read(&store).unwrap();
        assert_eq!(
            (log.len(), log[0].line.reason.as_deref(), log[0].line.run.as_str()),
            (1, Some("seen"), "review")
        );
        let provenance = store.load(&"61".parse().unwrap()).unwrap().unwrap().provenance.unwrap();
        assert_eq!(provenance.points[0].channel, Channel::Person);
        let verified = workflow::verify(&store, &plan.extractors).unwrap();
        let own: Vec<_> = verified.doubts.iter().filter(|doubt| doubt.question_id == "61").collect();
        assert!(own.is_empty(), "{own:#?}");
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_23_what_nobody_reviewed_is_no_truth() {
    run(async {
        let browsers = browsers().await;
        let folder = tempfile::tempdir().unwrap();
        let twin = replica(2024, &[]).await;
        let entries = some(&["61", "62"]);
        let plan = Plan { extractors: broken(), now: COLLECTED, ..Plan::new(&twin.base_url, entries) };
        let stop = AtomicBool::new(false);
        let job = Arc::new(plan.job(folder.path()));
        let report = workflow::collect(&browsers.pool, &job, &Events::silent(), &stop).await.unwrap();
        drop(job);
        assert_eq!((report.exit_code, report.totals.failed, report.totals.collected), (4, 1, 1));
        let id = "61".parse().unwrap();
        let held = {
            let store = Store::read(folder.path()).unwrap();
            assert_eq!(store.load(&id).unwrap(), None, "no truth, so nothing to score with");
            review::load(&store, &id).unwrap().unwrap()
        };
        let point = &held.provenance.points[0];
        assert_eq!(held.record.source_method, SourceMethod::GraphqlApi);
        assert_eq!(point.agreement, Some(Agreement::NotDisplayed));
        for pipeline in [Pipeline::Graphql, Pipeline::Sql, Pipeline::None] {
            assert!(!may_score(&held.record, Some(point), pipeline).scores(), "{pipeline}");
        }
        let store = folder.path().to_str().unwrap();
        let answer = ["score", "answer", "--question", "61", "Kenya's GDP per capita is $2,274."];
        let scored =
            call(folder.path(), &[&answer[..], &["--store", store, "--site", "twin"]].concat()).await;
        assert_ne!(scored.code, 0, "{}", scored.out);
        let said = call(folder.path(), &["review", "list", "--store", store]).await;
        assert!(said.out.starts_with("1 question under review, 1 value\n"), "{}", said.out);
        let said = call(folder.path(), &["review", "accept", "61", "--store", store]).await;
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(record(&records(folder.path())["61"]).results.data[0].shown(), "$2,274");
        let gone = ["review", "reject", "61", "--reason", "no", "--store", store];
        let gone = call(folder.path(), &gone).await;
        assert!(gone.code == 2 && gone.err.contains("it is not under review"), "{}", gone.err);
    });
}
