use super::super::samples::*;
use super::super::{Channel, RowChange, changelog, commit, discard, file_reading, prepare};
use super::*;

fn run(name: &str) -> CommitRun {
    CommitRun { id: name.to_owned(), now: at(NOON), by: None }
}

fn ada() -> Person {
    Person { by: "Ada".into(), at: at(NOON), why: "undone".into(), crop: None }
}

/// A record of two values, both of which the page shows otherwise by now.
fn wait(store: &Store, question: &str) {
    let values = |gdp: i64, people: i64| {
        record(
            question,
            vec![row("gdp", &gdp.to_string(), gdp), row("population", &people.to_string(), people)],
        )
    };
    for record in [values(1, 10), values(2, 20)] {
        file_reading(store, &record, &provenance(&record, Channel::Dom, None), at(NOON)).unwrap();
    }
}

fn values(store: &Store, question: &str) -> Vec<String> {
    let stored = store.load(&id(question)).unwrap().unwrap();
    stored.record.results.data.iter().map(super::super::Row::shown).collect()
}

fn waiting(store: &Store, question: &str) -> Vec<String> {
    let Some(waiting) = pending::load(store, &id(question)).unwrap() else { return Vec::new() };
    let stored = store.load(&id(question)).unwrap().unwrap();
    assert_eq!(waiting.expired(Some(&stored), None), None, "it still counts");
    let found = super::super::changes(&stored.record.results.data, &waiting.record.results.data);
    found.into_iter().map(|change| change.field).collect()
}

fn accept(store: &Store, question: &str, field: &'static str, name: &str) {
    let chosen = move |change: &RowChange, _| change.field == field;
    commit(store, &[prepare(store, &id(question), &chosen, None).unwrap().unwrap()], &run(name)).unwrap();
}

fn undo(store: &Store, name: Option<&str>) -> TakenBackRun {
    take_back_run(store, name, &|_| true, &ada(), &run("undo")).unwrap()
}

#[test]
fn what_was_accepted_and_what_was_discarded_is_taken_back_step_by_step() {
    let (_dir, store) = store();
    wait(&store, "61");
    accept(&store, "61", "gdp", "one");
    let population = |change: &RowChange, _| change.field == "population";
    let done = discard(&store, &[id("61")], &population, &run("two")).unwrap();
    assert_eq!((done[0].fields.as_slice(), done[0].left), (&["population".to_owned()][..], 0));
    assert_eq!((values(&store, "61"), waiting(&store, "61")), (vec!["2".into(), "10".into()], vec![]));

    assert_eq!(runs(&store).unwrap()[0].run, "two");
    let taken = undo(&store, None);
    assert_eq!((taken.run.as_str(), taken.questions[&id("61")].len()), ("two", 0), "no record changes");
    assert_eq!(waiting(&store, "61"), ["population"]);
    let taken = undo(&store, Some("one"));
    assert_eq!(taken.questions[&id("61")][0].to_string(), "gdp changed from 2 to 1");
    assert_eq!(
        (values(&store, "61"), waiting(&store, "61")),
        (vec!["1".into(), "10".into()], vec!["gdp".to_owned(), "population".into()])
    );
    let said: Vec<_> = changelog::read(&store)
        .unwrap()
        .into_iter()
        .map(|entry| (entry.line.old, entry.line.new, entry.line.reason))
        .collect();
    let undone = Some("taken back: undone".to_owned());
    assert_eq!(said, [(1.into(), 2.into(), None), (2.into(), 1.into(), undone)], "both are kept");
    assert!(take_back_run(&store, None, &|_| true, &ada(), &run("undo")).is_err(), "nothing is left");
}

#[test]
fn a_lost_decision_is_reported_with_the_command_that_drops_it() {
    let (dir, store) = store();
    wait(&store, "61");
    accept(&store, "61", "gdp", "one");
    std::fs::remove_dir_all(dir.path().join("judged")).unwrap();
    let reported = || {
        let reader = Store::read(dir.path()).unwrap();
        reader.try_every_file().unwrap();
        reader.quarantined().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let command = format!("drop it (`atlas-gt review undo 61 --store {}`)", dir.path().display());
    let lost = reported();
    assert!(lost.len() == 1 && lost[0].contains("is missing") && lost[0].contains(&command), "{lost:?}");
    let error = take_back(&store, &id("61"), &ada(), &run("undo")).unwrap_err().to_string();
    assert!(error.contains("was dropped"), "{error}");
    assert_eq!(reported(), Vec::<String>::new());
}

#[test]
fn half_of_a_reading_is_discarded_and_the_other_half_goes_on_waiting() {
    let (_dir, store) = store();
    wait(&store, "61");
    let gdp = |change: &RowChange, _| change.field == "gdp";
    assert_eq!(discard(&store, &[id("61")], &gdp, &run("one")).unwrap()[0].left, 1);
    assert_eq!(waiting(&store, "61"), ["population"]);
    accept(&store, "61", "population", "two");
    assert_eq!(values(&store, "61"), ["1", "20"]);
    undo(&store, Some("two"));
    undo(&store, Some("one"));
    assert_eq!(waiting(&store, "61"), ["gdp", "population"]);
}

#[test]
fn a_run_is_taken_back_but_for_records_that_were_written_since() {
    let (_dir, store) = store();
    for question in ["61", "62", "63"] {
        wait(&store, question);
    }
    let all = |_: &RowChange, _| true;
    let prepared = ["61", "62", "63"].map(|one| prepare(&store, &id(one), &all, None).unwrap().unwrap());
    commit(&store, &prepared, &run("all")).unwrap();
    // one is written since, and a later reading of another one waits
    let later = |question: &str| {
        let mut later = record(question, vec![row("gdp", "3", 3), row("population", "30", 30)]);
        later.execution_timestamp = at("2026-11-20T13:00:00Z");
        file_reading(&store, &later, &provenance(&later, Channel::Dom, None), at("2026-11-20T13:00:00Z"))
            .unwrap();
    };
    later("61");
    let run_of = |name: &str| CommitRun { id: name.to_owned(), now: at("2026-11-20T14:00:00Z"), by: None };
    commit(&store, &[prepare(&store, &id("61"), &all, None).unwrap().unwrap()], &run_of("later")).unwrap();
    later("62");
    let back = |name: &str| take_back_run(&store, Some(name), &|_| true, &ada(), &run_of("undo"));
    let taken = back("all").unwrap();
    assert_eq!(taken.questions.keys().collect::<Vec<_>>(), [&id("63")]);
    assert!(taken.left[&id("62")].contains("another reading is pending since"), "{:?}", taken.left);
    assert_eq!(
        (values(&store, "61"), values(&store, "62"), values(&store, "63")),
        (
            vec!["3".to_owned(), "30".into()],
            vec!["2".to_owned(), "20".into()],
            vec!["1".to_owned(), "10".into()]
        )
    );
    assert!(back("all").unwrap_err().to_string().contains("another reading is pending since"));
    // with the later one gone the first can be taken back too
    back("later").unwrap();
    assert_eq!(values(&store, "61"), ["2", "20"]);
}
