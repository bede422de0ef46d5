//! Each command over a site whose responses are partial, have their numbers as texts, or have none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use atlas_gt::acquire::browser::Pool;
use atlas_gt::acquire::graphql::{Client, Patience};
use atlas_gt::event::Events;
use atlas_gt::manifest::Entry;
use atlas_gt::workflow::mend;
use atlas_gt::workflow::refresh::{Look, Refreshed};
use atlas_gt::workflow::survey::{self, Bundle};
use atlas_gt::workflow::{self, CollectReport, Job, QuestionOutcome};
use atlas_gt_twin::{Skin, Twin, TwinOptions};

use crate::pages::manifest;
use crate::stage::{self, extractors, options, record, records, run, specs, tree};

/// A figure of a country page, one beside it that rests on nothing else, and the largest row of a treemap.
const QUESTIONS: [&str; 3] = ["61", "65", "208"];

/// An error for the first, and one for the largest row of the last.
const ERRORS: [&str; 2] = ["errors-with-data=latestGdpPerCapita", "errors-with-data=importValue:largest"];

fn entries() -> Vec<Entry> {
    let mut entries = manifest();
    entries.retain(|entry| QUESTIONS.contains(&entry.question_id.as_str()));
    assert_eq!(entries.len(), QUESTIONS.len());
    entries
}

/// What a store says: the rows of each record as they are shown.
fn shown(store: &Path) -> BTreeMap<String, Vec<String>> {
    let rows = |text: &str| {
        record(text).results.data.iter().map(|row| format!("{:?} {}", row.number, row.shown())).collect()
    };
    records(store).iter().map(|(id, text)| (id.clone(), rows(text))).collect()
}

struct Site {
    twin: Twin,
    pool: Pool,
}

impl Site {
    fn fault(&self, faults: &[&str]) {
        self.twin.set_faults(faults.iter().map(|fault| fault.parse().unwrap()).collect());
    }

    fn job(&self, entries: &[Entry], store: &Path, now: &str) -> Job {
        Job { attempts: 1, ..stage::job(&self.twin.base_url, entries, extractors(), store, now) }
    }

    async fn collect(&self, store: &Path) -> CollectReport {
        let job = Arc::new(self.job(&entries(), store, "2026-11-20T10:30:00Z"));
        workflow::collect(&self.pool, &job, &Events::silent(), &AtomicBool::new(false)).await.unwrap()
    }

    async fn refresh(&self, store: &Path) -> Refreshed {
        let job = Arc::new(self.job(&entries(), store, "2027-02-20T10:30:00Z"));
        let patience = Patience { attempts: 1, ..Patience::default() };
        let client = Client::with_patience(&job.base, None, Arc::clone(&job.rate), patience).unwrap();
        let (events, stop) = (Events::silent(), AtomicBool::new(false));
        let look = Look { job: &job, client: Some(&client), run: "look", events: &events, stop: &stop };
        look.refresh(&self.pool).await.unwrap()
    }
}

/// The notes of the questions that failed.
fn failed(report: &CollectReport) -> BTreeMap<&str, String> {
    let failed = report.questions.iter().filter(|one| one.outcome == QuestionOutcome::Failed);
    failed.map(|one| (one.question_id.as_str(), one.notes.join("\n"))).collect()
}

/// The first and the last failed for the field that has the error, and nothing else did.
#[track_caller]
fn assert_named(failed: &BTreeMap<&str, String>) {
    assert_eq!(failed.keys().copied().collect::<Vec<_>>(), ["208", "61"], "{failed:#?}");
    assert!(failed["61"].contains("countryProfile.latestGdpPerCapita: "), "{failed:#?}");
    assert!(failed["208"].contains("importValue: "), "{failed:#?}");
}

/// Everything but the log of checks is as it was.
#[track_caller]
fn assert_untouched(store: &Path, before: &BTreeMap<std::path::PathBuf, Vec<u8>>) {
    let mut after = tree(store);
    let mut before = before.clone();
    for tree in [&mut after, &mut before] {
        tree.retain(|path, _| !path.ends_with("checks.jsonl") && !path.ends_with("site.json"));
    }
    let changed: BTreeSet<_> = after
        .iter()
        .filter(|(path, bytes)| before.get(*path) != Some(*bytes))
        .map(|(path, _)| path)
        .collect();
    assert!(changed.is_empty() && before.len() == after.len(), "{changed:?}");
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_13_no_command_takes_what_a_response_does_not_give_for_a_value_or_an_absence() {
    run(async {
        let twin = stage::faulty(TwinOptions { skin: Skin::Mui, ..TwinOptions::default() }, &[]).await;
        let pool = Pool::start(2, options(&twin.base_url)).await.unwrap();
        let (site, folder) = (Site { twin, pool }, tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        let store = at("plain");
        let report = site.collect(&store).await;
        assert_eq!((report.exit_code, failed(&report)), (0, BTreeMap::new()));
        let (plain, before) = (shown(&store), tree(&store));

        site.fault(&ERRORS);
        let report = site.collect(&at("errors")).await;
        assert_eq!(report.exit_code, 4);
        assert_named(&failed(&report));
        assert_eq!(shown(&at("errors")), BTreeMap::from([("65".to_owned(), plain["65"].clone())]));
        let looked = site.refresh(&store).await;
        assert!(looked.changes.is_empty() && looked.broken.is_empty(), "{looked:#?}");
        assert_eq!((looked.unchanged, looked.exit_code), (1, 4));
        let causes = looked.failed.iter().map(|one| (one.question_id.as_str(), one.cause.clone()));
        assert_named(&causes.collect());
        assert_untouched(&store, &before);

        let mut pages = survey::pages(&["country".to_owned(), "treemap".to_owned()]).unwrap();
        pages.retain(|page| ["Kenya", "Imports"].contains(&page.name.as_str()));
        let job = Arc::new(site.job(&[], &at("survey"), "2026-11-20T10:30:00Z"));
        let stop = AtomicBool::new(false);
        let surveyed =
            survey::survey(&site.pool, &job, None, &pages, &Events::silent(), &stop).await.unwrap();
        drop(job);
        assert_eq!(surveyed.exit() as u8, 4);
        let said = serde_json::to_string(&surveyed.pages).unwrap();
        for field in ["countryProfile.latestGdpPerCapita: ", "importValue: "] {
            assert!(said.contains(field), "{field} is not in: {said}");
        }
        let mended = mend::mend(&Bundle::read(&at("survey")).unwrap(), specs(), None).unwrap();
        assert_eq!((mended.exit() as u8, mended.unique.as_slice()), (4, &[][..]));
        let why =
            |subject: &str| mended.open.iter().find(|one| one.subject == subject).map(|one| one.why.as_str());
        let named = |subject: &str, field: &str| why(subject).is_some_and(|why| why.contains(field));
        assert!(named("gdp_per_capita", "latestGdpPerCapita: "), "{:#?}", mended.open);

        site.fault(&["numbers-as-text"]);
        let report = site.collect(&at("texts")).await;
        assert_eq!((report.exit_code, failed(&report)), (0, BTreeMap::new()));
        assert_eq!(shown(&at("texts")), plain);
        let looked = site.refresh(&store).await;
        assert_eq!((looked.changes.len(), looked.unchanged, looked.exit_code), (0, 3, 0), "{looked:#?}");

        site.fault(&["no-numbers"]);
        let report = site.collect(&at("none")).await;
        assert!(report.exit_code != 0 && failed(&report).contains_key("208"), "{report:#?}");
        let kept = shown(&at("none"));
        assert!(kept.iter().all(|(id, rows)| plain[id] == *rows), "{kept:#?}");
        let looked = site.refresh(&store).await;
        // without an error nothing tells a null from a label that moved: the extractor is reported broken, and nothing changes
        assert!(looked.changes.is_empty(), "{looked:#?}");
        assert!(looked.exit_code != 0 && !looked.failed.is_empty(), "{looked:#?}");
        // what a person is to look at is beside the records
        assert_eq!(shown(&store), plain);
        assert!(!store.join("pending").exists(), "{looked:#?}");
        site.pool.close().await;
    });
}
