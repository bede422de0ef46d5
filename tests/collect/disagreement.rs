//! The display against the page's own responses: what is displayed stays the truth, what contradicts it is
//! kept and reported; and a site that has changed since leaves the records alone.

use atlas_gt::event::Events;
use atlas_gt::truth::{Agreement, Store};
use atlas_gt::workflow::QuestionOutcome;
use atlas_gt_twin::Skin;

use crate::bench::{Plan, every_point, healthy_kenya, record, records, replica, run, shared, tree};

#[test]
#[ignore = "slow: make test-deep"]
fn decision_11_the_display_stays_and_the_contradiction_is_reported() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        let healthy = healthy_kenya(pool).await;
        // the page prints another figure than its own response holds, of the right form
        let twin = replica(Skin::Hashed, &["wrong-form=gdp:$2,299", "wrong-form=coi-rank:9th of 145"]).await;
        let run = Plan::new(&twin.base_url, every_point("404")).run(pool).await;
        assert_eq!(run.report.exit_code, 3, "{:#?}", run.failures());
        assert_eq!(run.report.totals.disagreeing, 2);
        let store = Store::read(run.folder.path()).unwrap();
        for (id, shown, precise) in [("gdp_per_capita", "$2,299", "2274"), ("coi_rank", "9th of 145", "8")] {
            let stored = store.load(&id.parse().unwrap()).unwrap().unwrap();
            assert_eq!(stored.record.results.data[0].value.as_deref(), Some(shown));
            let point = &stored.provenance.unwrap().points[0];
            assert_eq!(point.agreement, Some(Agreement::PageDisagrees));
            assert_eq!(point.precise.as_ref().unwrap().number.to_string(), precise);
            let told = run.report.questions.iter().find(|one| one.question_id == id).unwrap();
            assert_eq!(told.outcome, QuestionOutcome::Collected);
            assert!(
                told.disagreements.len() == 1 && told.disagreements[0].contains(precise),
                "{:?}",
                told.disagreements
            );
        }
        // the others, the honest difference of the RCA count among them, are as ever
        for (id, text) in run.records() {
            let marked = ["gdp_per_capita", "coi_rank"].contains(&id.as_str());
            assert_eq!(Some(&text) == healthy.get(&id), !marked, "{id}");
            let told = run.report.questions.iter().find(|one| one.question_id == id).unwrap();
            assert_eq!(told.disagreements.is_empty(), !marked, "{id}: {:?}", told.disagreements);
        }
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_14_a_changed_site_leaves_the_records_alone_and_waits() {
    run(async {
        let browsers = shared();
        let pool = browsers.pool().await;
        healthy_kenya(pool).await;
        let folder = tempfile::tempdir().unwrap();
        let twin = replica(Skin::Mui, &[]).await;
        let points = ["gdp_per_capita", "total_exports", "income_classification"];
        let mut entries = every_point("404");
        entries.retain(|entry| points.contains(&entry.question_id.as_str()));
        let plan = Plan::new(&twin.base_url, entries);
        let first = plan.run_into(pool, folder.path(), &Events::silent()).await;
        assert_eq!(first.exit_code, 0);
        // the looks are kept, and `site.json` knows what waits
        let mut before = tree(folder.path());
        before.retain(|path, _| !path.ends_with("checks.jsonl") && !path.ends_with("site.json"));
        assert!(before.len() > 2 * points.len(), "{:?}", before.keys());
        twin.set_faults(vec!["drift".parse().unwrap()]);
        let second = plan.run_into(pool, folder.path(), &Events::silent()).await;
        assert_eq!(second.exit_code, 3, "{:#?}", second.questions);
        let gdp = &second.questions.iter().find(|one| one.question_id == "gdp_per_capita").unwrap();
        assert_eq!(gdp.outcome, QuestionOutcome::Differs);
        assert!(gdp.notes.join(" ").contains("$2,304"), "{:?}", gdp.notes);
        let after = tree(folder.path());
        for (path, bytes) in &before {
            assert_eq!(after.get(path), Some(bytes), "{} was touched", path.display());
        }
        let value = record(&records(folder.path())["gdp_per_capita"]).results.data[0].value.clone();
        assert_eq!(value.as_deref(), Some("$2,274"));
        // decision 13: a site in trouble is no change, and takes nothing away
        twin.set_faults(vec!["server-error".parse().unwrap()]);
        let third = Plan { attempts: 1, ..plan }.run_into(pool, folder.path(), &Events::silent()).await;
        assert_eq!((third.exit_code, third.totals.differing), (5, 0));
        for (path, bytes) in &before {
            assert_eq!(tree(folder.path()).get(path), Some(bytes), "{} was touched", path.display());
        }
    });
}
