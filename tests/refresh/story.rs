//! What a team does each quarter: a dry run, a part accepted, the rest, the history, and a second dry run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::extract::Extractors;
use atlas_gt::truth::{
    ChangeKind, CommitRun, Reason, Row, Site, SourceMethod, Store, changelog, history, pending,
};
use atlas_gt::workflow::refresh::{self, Commit, Committed, Picked};
use atlas_gt::{report, workflow};
use atlas_gt_twin as twin;

use crate::bench::{
    ACCEPTED, COLLECTED, Plan, Told, browsers, collected, entries, expected, found, record, records, replica,
    reworded, run, some, specs, tree,
};

fn commit(store: &Path, picked: &Picked, force: Option<&Reason>) -> Committed {
    let store = Store::open(store, Site::Twin).unwrap();
    let run = CommitRun { id: "accept".to_owned(), now: ACCEPTED.parse().unwrap(), by: None };
    let order = Commit { picked, force, run: &run };
    refresh::commit(&store, &order).unwrap()
}

fn only(question: &str, field: &str) -> Picked {
    Picked { questions: Some(vec![question.to_owned()]), fields: vec![field.to_owned()], kinds: Vec::new() }
}

/// The wording that the next release uses, as a team would add it.
fn mended() -> Extractors {
    reworded("labels = [\"Diversity Rank\"]", "labels = [\"Diversity Rank\", \"Rank by Diversity\"]")
}

/// The lines of a text that another does not have.
fn other_lines<'a>(text: &'a str, than: &str) -> Vec<&'a str> {
    let known: BTreeSet<&str> = than.lines().collect();
    text.lines().filter(|line| !known.contains(line)).map(str::trim).collect()
}

#[test]
fn the_next_release_from_dry_run_to_history() {
    run(async {
        let browsers = browsers().await;
        let folder = collected(&browsers.pool).await;
        let store = folder.path();
        let before = tree(store);
        let twin = replica(2027, &[]).await;
        let plan = Plan::new(&twin.base_url, entries());

        // exactly what the release changes, of the right kind, no more and no fewer
        let report = plan.refresh(&browsers.pool, store).await;
        assert_eq!(found(&report), expected(&entries()), "{:#?} {:#?}", report.changes, report.failed);
        let kinds: BTreeSet<&str> = found(&report).into_iter().map(|told| told.2.leak() as &str).collect();
        assert_eq!(kinds.len(), 7, "every kind is among them: {kinds:?}");
        assert_eq!((report.failed.len(), report.exit_code), (0, 4), "{:?}", report.failed);
        assert_eq!(report.site_vintage.as_deref(), Some("2027-02-01"));
        let gdp = report.changes.iter().find(|change| change.field == "gdp_per_capita").unwrap();
        assert_eq!(gdp.line, "Q61: GDP per capita changed from $2,274 to $2,350 (+3.3 %, revision)");
        // a change was looked at twice, and what did not change once
        let loads = |page: &str| report.visits.iter().filter(|visit| visit.page == page).count();
        assert_eq!((loads("/countries/404"), report.visits.iter().all(|visit| visit.loads == 1)), (2, true));
        // nothing that was there is touched
        let after = tree(store);
        let own = |path: &&PathBuf| !path.ends_with("checks.jsonl") && !path.ends_with("site.json");
        for path in before.keys().filter(own) {
            assert_eq!(after.get(path), before.get(path), "{}", path.display());
        }
        let page = report::write(
            &report,
            report::Format::Html,
            &report::Invocation::default(),
            report::Terminal::PLAIN,
        )
        .unwrap();
        assert!(page.contains("$2,274") && page.contains("$2,350") && !page.contains("<script"), "{page}");

        // the same again: what waits is left as it is, to the byte
        let few = Plan { entries: some(&["62", "204"]), ..Plan::new(&twin.base_url, Vec::new()) };
        let again = few.refresh(&browsers.pool, store).await;
        assert_eq!(found(&again), expected(&few.entries));
        let mut twice = tree(store);
        let mut once = after;
        for tree in [&mut once, &mut twice] {
            tree.remove(Path::new("checks.jsonl")).unwrap();
        }
        let names =
            |tree: &std::collections::BTreeMap<PathBuf, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&once), names(&twice), "no evidence is kept of what waits already");
        assert!(once == twice);

        // a part is taken, that part alone, without a visit
        let visited = twin.log().len();
        let done = commit(store, &only("61", "gdp_per_capita"), None);
        assert_eq!((done.taken.len(), done.taken[0].changes[0].line.as_str()), (1, gdp.line.as_str()));
        let texts = records(store);
        for (id, text) in records_of(&before) {
            assert_eq!(texts[&id] == text, id != "61", "question {id}");
        }
        let old = &records_of(&before)["61"];
        let changed = other_lines(&texts["61"], old);
        assert_eq!(
            changed,
            [
                "\"execution_timestamp\": \"2027-02-20T10:30:00Z\",",
                "\"value\": \"$2,350\",",
                "\"number\": \"2350\",",
            ]
        );
        // the rest is taken
        let done = commit(store, &Picked::default(), None);
        let all: usize = done.taken.iter().map(|accepted| accepted.changes.len()).sum();
        assert_eq!((all + 1, done.left), (report.changes.len(), 0));
        assert_eq!(twin.log().len(), visited, "a commit needs no visit");
        {
            let store = Store::read(store).unwrap();
            assert_eq!(pending::ids(&store).unwrap(), []);
            // the changelog has one line a value
            assert_eq!(changelog::read(&store).unwrap().len(), report.changes.len());
            let verified = workflow::verify(&store, &plan.extractors).unwrap();
            let broken = |doubt: &&workflow::Doubt| !doubt.field.starts_with("diversity_rank");
            assert_eq!(verified.doubts.iter().filter(broken).count(), 0, "{:#?}", verified.doubts);
        }

        // once the extractor is mended, a second dry run has nothing to say and changes no byte
        let mut mended = Plan { extractors: mended(), now: "2027-02-22T10:30:00Z", ..plan };
        // the table of opportunities takes longer than all others together
        mended.entries.retain(|entry| entry.extractor != "feasibility_table");
        let before = tree(store);
        let second = mended.refresh(&browsers.pool, store).await;
        assert_eq!((second.exit_code, found(&second)), (0, BTreeSet::new()), "{:#?}", second.failed);
        let after = tree(store);
        let touched: Vec<&PathBuf> = after
            .iter()
            .filter(|(path, bytes)| before.get(*path) != Some(*bytes))
            .map(|(path, _)| path)
            .collect();
        assert_eq!((touched, after.len()), (vec![&PathBuf::from("checks.jsonl")], before.len()));

        // the history tells it
        let store = Store::read(store).unwrap();
        let told = history::of(&store, &"61".parse().unwrap(), &|_| true).unwrap();
        let values: Vec<_> = told.lives.iter().map(|life| life.value.clone().unwrap()).collect();
        assert_eq!(values, ["$2,274", "$2,350"]);
        assert_eq!(told.lives[0].since, Some(COLLECTED.parse().unwrap()));
        assert_eq!(
            (told.lives[0].until, told.lives[1].since),
            (Some(ACCEPTED.parse().unwrap()), told.lives[0].until)
        );
        assert!(told.lives[0].evidence != told.lives[1].evidence && told.lives[1].evidence.is_some());
        let then =
            history::record_at(&store, &"61".parse().unwrap(), "2026-12-31T23:59:59Z".parse().unwrap());
        assert_eq!(&then.unwrap().unwrap().to_text().unwrap(), old);
    });
}

fn records_of(
    tree: &std::collections::BTreeMap<PathBuf, Vec<u8>>,
) -> std::collections::BTreeMap<String, String> {
    tree.iter()
        .filter(|(path, _)| path.ends_with("results.json"))
        .map(|(path, bytes)| {
            (path.parent().unwrap().to_str().unwrap().to_owned(), String::from_utf8(bytes.clone()).unwrap())
        })
        .collect()
}

fn fields(told: BTreeSet<Told>) -> BTreeSet<(String, String)> {
    told.into_iter().map(|told| (told.0, told.1)).collect()
}

#[test]
#[ignore = "slow: make test-deep"]
fn decision_12_the_apis_alone_find_it_and_a_page_decides() {
    run(async {
        let browsers = browsers().await;
        let folder = collected(&browsers.pool).await;
        let store = folder.path();
        let before = records(store);
        let twin = replica(2027, &[]).await;
        let ids = ["61", "62", "65", "78", "89", "95", "114", "139", "147", "204"];
        let plan = Plan::new(&twin.base_url, some(&ids));
        let asked = plan.ask(store).await;
        assert_eq!((asked.failed.len(), asked.exit_code), (0, 3), "{:#?}", asked.failed);
        assert!(asked.changes.iter().all(|change| change.needs_page_look), "{:#?}", asked.changes);
        // the same fields as the pages would show, found without one page
        assert_eq!(fields(found(&asked)), fields(expected(&some(&ids))), "{:#?}", asked.changes);
        assert!(twin.log().iter().all(atlas_gt_twin::LogEntry::is_api), "no page was visited");
        assert_eq!(records(store), before);

        // nothing of it is taken before its page was looked at, but by force, and the history says why
        let done = commit(store, &only("61", "gdp_per_capita"), None);
        assert_eq!((done.taken.len(), done.needs_page_look.as_slice()), (0, &["61".to_owned()][..]));
        assert_eq!(records(store), before);
        let reason = Reason::new("the page is being rebuilt").unwrap();
        let forced = commit(store, &only("62", "gdp_per_capita_ppp"), Some(&reason));
        assert_eq!(forced.taken.len(), 1);
        let told = history::of(&Store::read(store).unwrap(), &"62".parse().unwrap(), &|_| true).unwrap();
        let life = told.lives.last().unwrap();
        assert_eq!(life.change.as_ref().unwrap().reason.as_deref(), Some("the page is being rebuilt"));
        assert_eq!(life.source, Some(SourceMethod::GraphqlApi));
        let verified = workflow::verify(&Store::read(store).unwrap(), &plan.extractors).unwrap();
        assert_eq!(verified.doubts, [], "its responses hold it");

        // a look at just that page makes it the page's word
        let look = Plan { entries: some(&["61"]), ..plan };
        let looked = look.refresh(&browsers.pool, store).await;
        assert!(looked.changes.iter().all(|change| !change.needs_page_look));
        let done = commit(store, &only("61", "gdp_per_capita"), None);
        assert_eq!(done.taken.len(), 1);
        let now = record(&records(store)["61"]);
        assert_eq!(
            (now.source_method, now.results.data[0].shown().as_str()),
            (SourceMethod::BrowserCountryPage, "$2,350")
        );

        // a record whose truth is the API's needs no page
        let api = tempfile::tempdir().unwrap();
        of_the_api(store, api.path());
        let own = Plan { entries: some(&["65", "78"]), ..look };
        let asked = own.ask(api.path()).await;
        let told: Vec<_> =
            asked.changes.iter().map(|change| (change.question_id.as_str(), change.kind.name())).collect();
        assert_eq!(told, [("78", "revision"), ("65", "rounding")], "{:#?}", asked.changes);
        assert!(asked.changes.iter().all(|change| !change.needs_page_look));
        assert_eq!(commit(api.path(), &Picked::default(), None).taken.len(), 2);
        let again = own.ask(api.path()).await;
        assert_eq!((again.changes.len(), again.unchanged, again.exit_code), (0, 2, 0));
    });
}

/// Two records as an API answered them, in a store of their own.
fn of_the_api(from: &Path, to: &Path) {
    let (from, to) = (Store::read(from).unwrap(), Store::open(to, Site::Twin).unwrap());
    for (id, number) in [("65", "52444000"), ("78", "367679021629.48")] {
        let stored = from.load(&id.parse().unwrap()).unwrap().unwrap();
        let mut record = stored.record;
        record.source_method = SourceMethod::GraphqlApi;
        let row: &mut Row = &mut record.results.data[0];
        row.number = Some(number.parse().unwrap());
        let mut provenance = stored.provenance.unwrap();
        provenance.points[0].channel = atlas_gt::truth::Channel::Api;
        let now = COLLECTED.parse().unwrap();
        atlas_gt::truth::file_reading(&to, &record, &provenance, now).unwrap();
    }
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_release_in_mid_run_is_noticed_and_everything_looked_at_again() {
    run(async {
        let browsers = browsers().await;
        let folder = collected(&browsers.pool).await;
        // the first page and a part of the second are answered from the first release
        let twin = replica(2024, &["moves-on=22"]).await;
        let chosen = some(&["78", "147", "204", "205"]);
        let report = Plan::new(&twin.base_url, chosen.clone()).refresh(&browsers.pool, folder.path()).await;
        assert_eq!(
            report.moved_on.as_ref().map(|moved| (moved.before.as_str(), moved.after.as_str())),
            Some(("2026-02-01", "2027-02-01")),
            "{:#?}",
            report.failed
        );
        assert_eq!(found(&report), expected(&chosen), "{:#?}", report.failed);
        // readings of a release that is no longer out do not count
        twin.set_faults(Vec::new());
        twin.publish(2024).unwrap();
        let plan = Plan { now: "2027-02-21T10:30:00Z", ..Plan::new(&twin.base_url, some(&["204"])) };
        let back = plan.refresh(&browsers.pool, folder.path()).await;
        assert_eq!((back.changes.len(), back.exit_code), (0, 0), "{:#?}", back.failed);
        let expired: Vec<&str> = back.expired.iter().map(|expired| expired.question_id.as_str()).collect();
        assert_eq!(expired, ["204", "78", "147", "205"], "its page agrees again: {:?}", back.expired);
        assert!(twin::vintage_changes(2025).is_err());

        // what the APIs answered of the release before is asked again
        let twin = replica(2024, &["moves-on=2"]).await;
        let chosen = some(&["61", "78"]);
        let asked = Plan::new(&twin.base_url, chosen.clone()).ask(folder.path()).await;
        assert!(asked.moved_on.is_some(), "{:#?}", asked.failed);
        assert_eq!(fields(found(&asked)), fields(expected(&chosen)), "{:#?}", asked.changes);
    });
}

#[test]
fn the_list_of_changes_names_pages_points_and_kinds_that_exist() {
    let specs = specs();
    let known: BTreeSet<&str> =
        specs.iter().flat_map(|spec| spec.points.iter().map(|point| point.id.as_str())).collect();
    for change in twin::vintage_changes(2027).unwrap() {
        assert!(AtlasUrl::parse(&change.page).is_ok(), "{change:?}");
        assert!(known.contains(change.point.as_str()), "{change:?}");
        let kind: ChangeKind = change.kind.parse().unwrap();
        assert_eq!(kind.name(), change.kind);
        assert!(
            change.old != change.new
                || change.old.is_none()
                || kind.name() != "revision"
                || change.row.is_some()
        );
    }
}
