//! Tests of the commit: a part, the rest, and a process that dies at every place of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::samples::*;
use super::super::{Channel, SourceMethod, Store, WriteOutcome, changelog, file_reading, history, pending};
use super::*;
use crate::Site;
use crate::atomic_file::fault;

fn run() -> CommitRun {
    CommitRun { id: "r1".into(), now: at(NOON), by: None }
}

fn old(question: &str) -> Record {
    record(
        question,
        vec![row("gdp_per_capita", "$2,274", 2274), row("population", "52.4 million", 52_400_000)],
    )
}

fn new(question: &str) -> Record {
    let mut new = record(
        question,
        vec![row("gdp_per_capita", "$2,350", 2350), row("population", "53.1 million", 53_100_000)],
    );
    new.execution_timestamp = at("2026-11-19T00:00:00Z");
    new
}

fn wait(store: &Store, question: &str) {
    for record in [old(question), new(question)] {
        let hash = store.put_evidence(record.execution_timestamp.to_string().as_bytes()).unwrap();
        let provenance = provenance(&record, Channel::Dom, Some(hash));
        file_reading(store, &record, &provenance, at(NOON)).unwrap();
    }
}

fn all(_: &RowChange, _: ChangeKind) -> bool {
    true
}

fn prepared(store: &Store, question: &str, chosen: &dyn Fn(&RowChange, ChangeKind) -> bool) -> Prepared {
    prepare(store, &id(question), chosen, None).unwrap().unwrap()
}

#[test]
fn a_commit_tells_run_kind_and_both_sides_with_their_evidence() {
    let (_dir, store) = store();
    wait(&store, "61");
    let one = prepared(&store, "61", &|change, _| change.field == "gdp_per_capita");
    assert_eq!((one.taken.len(), one.left), (1, 1));
    commit(&store, &[one], &run()).unwrap();
    let reported = changelog::read(&store).unwrap();
    assert_eq!(reported.len(), 1);
    let entry = &reported[0];
    assert_eq!(
        (&entry.line.old, &entry.line.new, entry.line.run.as_str()),
        (&2274.into(), &2350.into(), "r1")
    );
    assert_eq!((entry.line.kind, &entry.line.reason), (Some(ChangeKind::Revision), &None));
    let (before, after) = (entry.before.as_ref().unwrap(), entry.after.as_ref().unwrap());
    assert_eq!((before.row.shown().as_str(), after.row.shown().as_str()), ("$2,274", "$2,350"));
    assert!(before.evidence.is_some() && after.evidence.is_some() && before.evidence != after.evidence);
    // the documented keys come first, as documented
    let text = serde_json::to_string(entry).unwrap();
    let seed = r#"{"timestamp":"2026-11-20T12:00:00Z","question_id":61,"field":"gdp_per_capita","old":2274,"new":2350,"source":"browser_country_page","#;
    assert!(text.starts_with(seed), "{text}");

    // the rest goes on waiting, and still counts beside the record as it is now
    let waiting = pending::load(&store, &id("61")).unwrap().unwrap();
    assert_eq!(waiting.expired(store.load(&id("61")).unwrap().as_ref(), None), None);
    let rest = prepared(&store, "61", &all);
    assert_eq!((rest.taken[0].change.field.as_str(), rest.left), ("population", 0));
    commit(&store, &[rest], &run()).unwrap();
    assert!(pending::load(&store, &id("61")).unwrap().is_none());
    let record = store.load(&id("61")).unwrap().unwrap();
    assert_eq!(record.record.results, new("61").results);
}

#[test]
fn a_replaced_value_is_listed_as_displayed_with_its_number_beside_it() {
    let (_dir, store) = store();
    wait(&store, "61");
    commit(&store, &[prepared(&store, "61", &all)], &run()).unwrap();
    let values = |one: &changelog::ReplacedValue| {
        [&one.old, &one.old_number, &one.new, &one.new_number].map(|text| text.clone().unwrap_or_default())
    };
    let listed: Vec<_> = changelog::replaced(&store, None).unwrap().iter().map(values).collect();
    let gdp = ["$2,274", "2274", "$2,350", "2350"].map(str::to_owned);
    let population = ["52.4 million", "52400000", "53.1 million", "53100000"].map(str::to_owned);
    assert_eq!(listed, [gdp, population]);
    // lines of other tools have no rows
    let seed = r#"{"timestamp":"2026-06-15T10:00:00Z","question_id":61,"field":"a","old":2274,"new":"$2,350","source":"graphql_api"}"#;
    let one = serde_json::from_str(seed).unwrap();
    assert_eq!(values(&one), ["2274", "2274", "$2,350", ""].map(str::to_owned));
}

#[test]
fn a_ranking_is_taken_as_a_whole() {
    let (_dir, store) = store();
    let list = |first: &str, second: &str| {
        let mut rows = vec![row("top", "26%", 26), row("top", "20%", 20), row("gdp", "$1", 1)];
        for (at, name) in [first, second].into_iter().enumerate() {
            rows[at].extra.insert("rank".into(), (at + 1).to_string().into());
            rows[at].extra.insert("code".into(), name.into());
        }
        record("61", rows)
    };
    for record in [list("a", "b"), list("c", "b")] {
        file_reading(&store, &record, &provenance(&record, Channel::Dom, None), at(NOON)).unwrap();
    }
    let one = prepared(&store, "61", &|change, _| change.field == "top[c]");
    assert_eq!(one.along, ["top[a]"]);
    commit(&store, &[one], &run()).unwrap();
    let shown: Vec<String> =
        store.load(&id("61")).unwrap().unwrap().record.results.data.iter().map(Row::field).collect();
    assert_eq!(shown, ["top[c]", "top[b]", "gdp"]);
}

#[test]
fn a_waiting_reading_expires_when_record_or_site_move_on() {
    let (_dir, store) = store();
    wait(&store, "61");
    let mut waiting = pending::load(&store, &id("61")).unwrap().unwrap();
    let stored = store.load(&id("61")).unwrap();
    assert_eq!(waiting.expired(stored.as_ref(), Some("2027")), None, "nothing is known of its release");
    for point in &mut waiting.provenance.points {
        point.site_vintage = Some("2026".into());
    }
    assert_eq!(waiting.expired(stored.as_ref(), Some("2026")), None);
    let why = waiting.expired(stored.as_ref(), Some("2027")).unwrap().to_string();
    assert!(why.contains("2026") && why.contains("2027"), "{why}");
    let mut other = old("61");
    other.results.data[0].country = "Kenia".into();
    store.save(&other, &provenance(&other, Channel::Dom, None)).unwrap();
    let stored = store.load(&id("61")).unwrap();
    assert_eq!(waiting.expired(stored.as_ref(), None), Some(pending::Expired::RecordMovedOn));
}

#[test]
fn decision_12_a_weaker_row_takes_no_strongers_place_without_a_reason_that_history_shows() {
    let (_dir, store) = store();
    let record = old("61");
    file_reading(&store, &record, &provenance(&record, Channel::Dom, None), at(NOON)).unwrap();
    let mut weaker = new("61");
    weaker.source_method = SourceMethod::GraphqlApi;
    let how = provenance(&weaker, Channel::Api, None);
    let outcome = file_reading(&store, &weaker, &how, at(NOON)).unwrap();
    assert!(matches!(outcome, WriteOutcome::Pending { suspect: true, .. }));
    let refused = prepare(&store, &id("61"), &all, None).unwrap_err().to_string();
    assert!(refused.contains("weaker") && refused.contains("reason"), "{refused}");
    let reason = Reason::new("the page is gone").unwrap();
    let forced = prepare(&store, &id("61"), &all, Some(&reason)).unwrap().unwrap();
    commit(&store, &[forced], &run()).unwrap();
    let reported = history::of(&store, &id("61"), &|_| true).unwrap();
    let forced = reported.lives.iter().find(|life| life.value.as_deref() == Some("$2,350")).unwrap();
    assert_eq!(forced.change.as_ref().unwrap().reason.as_deref(), Some("the page is gone"));
    assert_eq!(forced.source, Some(SourceMethod::GraphqlApi));
}

/// Two questions that wait, and an older line in the changelog.
fn two_questions(folder: &Path) {
    let store = Store::open(folder, Site::Live).unwrap();
    wait(&store, "60");
    commit(&store, &[prepared(&store, "60", &all)], &CommitRun { id: "r0".into(), now: at(NOON), by: None })
        .unwrap();
    wait(&store, "61");
    wait(&store, "62");
}

fn commit_both(folder: &Path) -> Result<()> {
    let store = Store::open(folder, Site::Live)?;
    let both =
        [prepared(&store, "61", &all), prepared(&store, "62", &|change, _| change.field == "population")];
    commit(&store, &both, &run())
}

/// Everything of a store that is not left over from a death and swept at the next opening.
fn state(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(folder)
        .into_iter()
        .map(|(path, bytes)| (path.strip_prefix(folder).unwrap().to_owned(), bytes))
        .collect()
}

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in state(from) {
        let path = to.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

fn assert_agrees(folder: &Path, about: &str) {
    let store = Store::read(folder).unwrap();
    let entries = changelog::read(&store).unwrap();
    for question in ["60", "61", "62"] {
        let stored = store.load(&id(question)).unwrap();
        let own: Vec<_> =
            entries.iter().filter(|entry| entry.line.question_id.as_str() == question).cloned().collect();
        assert_eq!(history::disagreements(stored.as_ref(), &own), [], "{about}");
        for hash in stored.unwrap().provenance.unwrap().evidence() {
            store.evidence(hash).unwrap();
        }
    }
}

/// How often a commit of two questions can die, and where.
fn places() -> (tempfile::TempDir, BTreeMap<PathBuf, Vec<u8>>, Vec<&'static str>) {
    let template = tempfile::tempdir().unwrap();
    two_questions(template.path());
    let done = tempfile::tempdir().unwrap();
    copy(template.path(), done.path());
    fault::die_at(None);
    commit_both(done.path()).unwrap();
    let places = fault::passed();
    (template, state(done.path()), places)
}

#[test]
fn a_commit_that_dies_anywhere_is_whole_or_has_not_happened() {
    let (template, after, places) = places();
    let before = state(template.path());
    assert!(before != after && places.len() > 30, "{places:?}");
    let (mut undone, mut finished) = (0, 0);
    for (number, place) in places.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        copy(template.path(), folder.path());
        fault::die_at(Some(number));
        let died = commit_both(folder.path());
        fault::die_at(None);
        let about = format!("died at {number}, {place}");
        // whoever dies after the very last write has finished
        let error = died.as_ref().err().map(ToString::to_string);
        assert!(error.as_ref().is_none_or(|error| error.contains("died")), "{about}: {error:?}");
        // the next command, one that only reads, brings it to an end
        drop(Store::read(folder.path()).unwrap());
        drop(Store::open(folder.path(), Site::Live).unwrap());
        let now = state(folder.path());
        assert!(now == before || now == after, "{about}: a half state");
        *(if now == before { &mut undone } else { &mut finished }) += 1;
        assert_agrees(folder.path(), &about);
        if now == before {
            // nothing was lost: the same commit can be made again
            commit_both(folder.path()).unwrap();
            assert_eq!(state(folder.path()), after, "{about}: again");
        }
    }
    assert!(undone >= 3 && finished > 20, "{undone} undone, {finished} finished");
}

#[test]
fn finishing_may_die_anywhere_too() {
    let (template, after, places) = places();
    // the journal is there, and nothing else has been written
    let begun = tempfile::tempdir().unwrap();
    copy(template.path(), begun.path());
    let first = places.iter().position(|place| *place == "after the rename").unwrap() + 1;
    fault::die_at(Some(first));
    commit_both(begun.path()).unwrap_err();
    for number in 0.. {
        let folder = tempfile::tempdir().unwrap();
        copy(begun.path(), folder.path());
        fault::die_at(Some(number));
        let died = Store::read(folder.path()).is_err();
        fault::die_at(None);
        drop(Store::open(folder.path(), Site::Live).unwrap());
        assert_eq!(state(folder.path()), after, "finishing died at {number}");
        if !died {
            assert!(number > 20, "{number}");
            break;
        }
    }
}

#[test]
fn what_was_changed_since_an_interrupted_commit_is_not_written_over() {
    let (template, _, places) = places();
    let folder = tempfile::tempdir().unwrap();
    copy(template.path(), folder.path());
    let first = places.iter().position(|place| *place == "after the rename").unwrap() + 1;
    fault::die_at(Some(first));
    commit_both(folder.path()).unwrap_err();
    fault::die_at(None);
    let path = folder.path().join("62/results.json");
    let mine = std::fs::read_to_string(&path).unwrap().replace("Kenya", "mine");
    std::fs::write(&path, &mine).unwrap();
    for error in
        [Store::read(folder.path()).unwrap_err(), Store::open(folder.path(), Site::Live).unwrap_err()]
    {
        let error = error.to_string();
        assert!(error.contains("62/results.json") && error.contains("commit.json"), "{error}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), mine);
    // giving the commit up leaves the store as it was, but for what was changed by hand
    std::fs::remove_file(folder.path().join("commit.json")).unwrap();
    drop(Store::open(folder.path(), Site::Live).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), mine);
}

#[test]
fn two_commits_at_once_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    two_questions(folder.path());
    let first = Store::open(folder.path(), Site::Live).unwrap();
    let before = state(folder.path());
    let error = commit_both(folder.path()).unwrap_err().to_string();
    assert!(error.contains("is locked by process"), "{error}");
    assert_eq!(state(folder.path()), before);
    drop(first);
    commit_both(folder.path()).unwrap();
}

#[test]
fn a_damaged_line_is_named_once_whether_its_rows_are_read_or_not() {
    let folder = tempfile::tempdir().unwrap();
    two_questions(folder.path());
    let path = folder.path().join("changelog.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    let first = whole.lines().next().unwrap();
    let broken = first.replace("\"field\":", "\"feild\":");
    std::fs::write(&path, format!("{whole}{broken}\n")).unwrap();
    let store = Store::read(folder.path()).unwrap();
    let lines = changelog::lines(&store, None).unwrap();
    let entries = changelog::read(&store).unwrap();
    assert_eq!((lines.len(), entries.len()), (whole.lines().count(), whole.lines().count()));
    let [bad] = &store.quarantined()[..] else { panic!("{:?}", store.quarantined()) };
    let due = format!("changelog.jsonl:{}: missing field `field`: this change", lines.len() + 1);
    assert!(bad.to_string().contains(&due), "{bad}");
}

#[test]
fn a_torn_line_of_something_else_does_not_swallow_the_first_of_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    two_questions(folder.path());
    let path = folder.path().join("changelog.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{whole}{{\"torn\":")).unwrap();
    commit_both(folder.path()).unwrap();
    let store = Store::read(folder.path()).unwrap();
    assert_eq!(changelog::lines(&store, None).unwrap().len(), 2 + 3);
    let [bad] = &store.quarantined()[..] else { panic!("{:?}", store.quarantined()) };
    assert!(bad.to_string().contains("changelog.jsonl:3: EOF"), "{bad}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with(&whole), "nothing is rewritten");
}
