//! Imported records before the page: what it says the same becomes browser truth, what it says otherwise waits and is taken
//! with its history.

use std::fs;
use std::path::Path;

use atlas_gt::evaluate::expected;
use atlas_gt::external::{Folder, ListedQuestions};
use atlas_gt::scoring::answer::{AnswerVerdict, score};
use atlas_gt::truth::{
    Channel, CommitRun, Pipeline, Site, SourceMethod, Store, changelog, history, may_score, pending,
};
use atlas_gt::workflow;
use atlas_gt::workflow::import::{ImportOrder, ImportReport, RecordOutcome, import};
use atlas_gt::workflow::refresh::{self, Commit, Picked};
use serde_json::json;

use crate::bench::{ACCEPTED, COLLECTED, Plan, browsers, extractors, replica, run, some, tree};

/// Three records of another tool: two say what the replica shows, one does not.
fn folder(at: &Path) {
    let write = |id: &str, row: serde_json::Value| {
        let record = json!({
            "question_id": id, "execution_timestamp": "2026-10-01T00:00:00Z", "source": "atlas_country_page",
            "atlas_url": "https://atlas.hks.harvard.edu/countries/404", "results": {"data": [row]},
        });
        let folder = at.join(id).join("ground_truth");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("results.json"), record.to_string()).unwrap();
    };
    write("61", json!({"metric": "GDP per capita", "value": "$2,274", "raw_value": 2274.3, "year": "2024"}));
    write("65", json!({"metric": "Population", "value": "52.4 million", "year": "2024"}));
    write("108", json!({"metric": "Diversity rank", "value": "1st of 145", "year": "2024"}));
    let questions = json!([
        { "id": 61, "text": "What is the GDP per capita of Kenya?" },
        { "id": 65, "text": "What is the population of Kenya?" },
        { "id": 108, "text": "Which place does Kenya hold among the ranked countries by diversity of its exports?" },
    ]);
    fs::write(at.join("questions.json"), questions.to_string()).unwrap();
}

/// Imports the folder as one of the replica's.
fn take(folder: &Path, store: &Path) -> ImportReport {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let store = Store::open(store, Site::Twin).unwrap();
    let order = ImportOrder {
        folder: &Folder::open(folder).unwrap(),
        questions: &ListedQuestions::read(&folder.join("questions.json")).unwrap(),
        manifest: &atlas_gt::manifest::load(&manifest, extractors()).unwrap(),
        extractors: extractors(),
        site: Site::Twin,
        assumed: SourceMethod::GraphqlApi,
        dry_run: false,
        run: CommitRun { id: "import".to_owned(), now: COLLECTED.parse().unwrap(), by: None },
    };
    import(&order, Some(&store), &mut |_| Ok(())).unwrap()
}

/// How an answer is judged by the record of Kenya's GDP per capita.
fn judged(store: &Store, answer: &str) -> AnswerVerdict {
    let stored = store.load(&"61".parse().unwrap()).unwrap().unwrap();
    let expected = expected::expected(&stored.record, stored.provenance.as_ref(), None);
    score(&expected, Some("What is the GDP per capita of Kenya?"), answer).points[0].said
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_12_what_the_page_says_takes_the_place_of_imported_truth() {
    run(async {
        let (foreign, folder_of_store) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = folder_of_store.path();
        folder(foreign.path());
        let report = take(foreign.path(), path);
        assert_eq!((report.outcomes[&RecordOutcome::Written], report.placed), (3, 3), "{report:#?}");
        let id = |id: &str| id.parse().unwrap();
        {
            let store = Store::read(path).unwrap();
            assert_eq!(judged(&store, "Kenya's GDP per capita is $2,274."), AnswerVerdict::Right);
            assert_eq!(judged(&store, "Kenya's GDP per capita is $2,174."), AnswerVerdict::Wrong);
            let stored = store.load(&id("61")).unwrap().unwrap();
            let point = &stored.provenance.as_ref().unwrap().points[0];
            assert!(!may_score(&stored.record, Some(point), Pipeline::Graphql).scores());
            assert!(may_score(&stored.record, Some(point), Pipeline::Sql).scores());
        }

        let twin = replica(2024, &[]).await;
        let browsers = browsers().await;
        let plan = Plan::new(&twin.base_url, some(&["61", "65", "108"]));
        let looked = plan.refresh(&browsers.pool, path).await;
        let changed: Vec<&str> = looked.changes.iter().map(|change| change.field.as_str()).collect();
        assert_eq!((changed, looked.failed.len(), looked.exit_code), (vec!["diversity_rank"], 0, 3));

        // what is the same has the page for its source and its evidence, and keeps value and time
        let store = Store::open(path, Site::Twin).unwrap();
        for question in ["61", "65"] {
            let stored = store.load(&id(question)).unwrap().unwrap();
            assert_eq!(stored.record.source_method, SourceMethod::BrowserCountryPage, "{question}");
            assert_eq!(stored.record.execution_timestamp.to_string(), "2026-10-01T00:00:00Z");
            let point = &stored.provenance.as_ref().unwrap().points[0];
            assert!(point.evidence.is_some() && point.channel != Channel::Imported, "{point:#?}");
            assert!(may_score(&stored.record, Some(point), Pipeline::Graphql).scores());
        }
        assert_eq!(judged(&store, "Kenya's GDP per capita is $2,274."), AnswerVerdict::Right);
        // what differs waits, and is taken with its history
        assert!(!pending::load(&store, &id("108")).unwrap().unwrap().suspect);
        let order = Commit {
            picked: &Picked::default(),
            force: None,
            run: &CommitRun { id: "accept".to_owned(), now: ACCEPTED.parse().unwrap(), by: None },
        };
        refresh::commit(&store, &order).unwrap();
        let entry = changelog::read(&store).unwrap().remove(0);
        assert_eq!((entry.line.field.as_str(), &entry.line.old), ("diversity_rank", &json!(1)));
        assert_eq!(
            entry.before.unwrap().imported.unwrap().to_string(),
            "108/ground_truth/results.json row 1 (value)"
        );
        assert_eq!(history::of(&store, &id("108"), &|_| true).unwrap().lives.len(), 2);
        let verified = workflow::verify(&store, &plan.extractors).unwrap();
        assert_eq!(
            (verified.doubts.len(), verified.imported, verified.confirmed),
            (0, 0, 3),
            "{:#?}",
            verified.doubts
        );
        drop(store);

        // the folder is imported once more: the page's truth stays, and no byte changes
        let before = tree(path);
        let again = take(foreign.path(), path);
        assert_eq!(
            (again.outcomes[&RecordOutcome::Unchanged], again.outcomes[&RecordOutcome::Older]),
            (2, 1)
        );
        assert!(tree(path) == before);
    });
}
