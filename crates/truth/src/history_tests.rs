//! Tests of the life of values and of the truth as of a day.

use super::super::samples::*;
use super::super::take_back::take_back_run;
use super::super::{Channel, CommitRun, Person, Reason, RowChange, commit, discard, file_reading, prepare};
use super::*;

fn read(store: &Store, value: &str, number: i64, when: &str) {
    let mut record = record(
        "61",
        vec![row("gdp_per_capita", value, number), row("population", "52.4 million", 52_400_000)],
    );
    record.execution_timestamp = at(when);
    file_reading(store, &record, &provenance(&record, Channel::Dom, None), at(when)).unwrap();
}

fn accept(store: &Store, when: &str) {
    let one = prepare(store, &id("61"), &|_, _| true, None).unwrap().unwrap();
    commit(store, &[one], &CommitRun { id: format!("run of {when}"), now: at(when), by: None }).unwrap();
}

/// Read in March, replaced in May and in September.
fn lived() -> (tempfile::TempDir, Store) {
    let (dir, store) = store();
    read(&store, "$2,274", 2274, "2026-03-01T08:00:00Z");
    read(&store, "$2,350", 2350, "2026-05-01T08:00:00Z");
    accept(&store, "2026-05-02T09:00:00Z");
    read(&store, "$2,360", 2360, "2026-09-01T08:00:00Z");
    accept(&store, "2026-09-03T09:00:00Z");
    (dir, store)
}

#[test]
fn a_value_has_its_life_told_from_first_reading_to_now() {
    let (_dir, store) = lived();
    let reported = of(&store, &id("61"), &|field| field == "gdp_per_capita").unwrap();
    let lives: Vec<_> = reported
        .lives
        .iter()
        .map(|life| (life.value.clone().unwrap(), life.since.unwrap(), life.until))
        .collect();
    assert_eq!(
        lives,
        [
            ("$2,274".to_owned(), at("2026-03-01T08:00:00Z"), Some(at("2026-05-02T09:00:00Z"))),
            ("$2,350".to_owned(), at("2026-05-02T09:00:00Z"), Some(at("2026-09-03T09:00:00Z"))),
            ("$2,360".to_owned(), at("2026-09-03T09:00:00Z"), None),
        ]
    );
    assert_eq!(reported.lives[1].change.as_ref().unwrap().run, "run of 2026-05-02T09:00:00Z");
    assert_eq!(reported.lives[1].read_at, Some(at("2026-05-01T08:00:00Z")));
    assert_eq!(reported.disagreements, []);
    // a value that never changed has one life
    let population = of(&store, &id("61"), &|field| field == "population").unwrap();
    assert_eq!(population.lives.len(), 1);
    assert_eq!(population.lives[0].since, Some(at("2026-03-01T08:00:00Z")));
    assert!(of(&store, &id("99"), &|_| true).unwrap_err().to_string().contains("collect it first"));
}

#[test]
fn who_accepted_rejected_and_took_back_is_in_the_history() {
    let (dir, store) = store();
    let run = |name: &str, when: &str, by: Option<&str>| CommitRun {
        id: name.to_owned(),
        now: at(when),
        by: by.map(str::to_owned),
    };
    let all = |_: &RowChange, _| true;
    read(&store, "$2,274", 2274, "2026-03-01T08:00:00Z");
    // the first as an older version wrote it, which named nobody
    for (name, day, by) in [("old", "04", None), ("one", "05", Some("Ada"))] {
        read(&store, "$2,350", 2350, &format!("2026-{day}-01T08:00:00Z"));
        let run = run(name, &format!("2026-{day}-02T09:00:00Z"), by);
        discard(&store, &[id("61")], &all, &run).unwrap();
    }
    read(&store, "$2,350", 2350, "2026-06-01T08:00:00Z");
    let why = Reason::new("checked by hand");
    let forced = prepare(&store, &id("61"), &all, why.as_ref()).unwrap().unwrap();
    commit(&store, &[forced], &run("two", "2026-06-02T09:00:00Z", Some("Ben"))).unwrap();
    let eve = Person { by: "Eve".into(), at: at("2026-06-03T09:00:00Z"), why: "undone".into(), crop: None };
    let undo = run("three", "2026-06-03T09:00:00Z", Some("Eve"));
    take_back_run(&store, Some("two"), &|_| true, &eve, &undo).unwrap();

    let history = || of(&store, &id("61"), &|field| field == "gdp_per_capita").unwrap();
    let replaced = || -> Vec<String> {
        let lives = history().lives;
        lives.iter().filter_map(|life| Some(life.change.as_ref()?.to_string())).collect()
    };
    assert_eq!(
        replaced(),
        [
            "revision, FORCED in run two by Ben: checked by hand",
            "revision, taken back in run three by Eve: undone"
        ]
    );
    let rejected = history().rejected;
    let told: Vec<String> = rejected.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["rejected in run old", "rejected in run one by Ada"]);
    assert_eq!((rejected[1].value.as_deref(), rejected[1].at), (Some("$2,350"), at("2026-05-02T09:00:00Z")));
    assert_eq!(of(&store, &id("61"), &|field| field == "population").unwrap().rejected, []);

    // lines of older versions say what they said
    let path = dir.path().join("changelog.jsonl");
    let mut text = std::fs::read_to_string(&path).unwrap();
    let older = [
        (",\"by\":\"Ben\"", ""),
        (",\"by\":\"Eve\"", ""),
        ("\"taken back: undone\"", "\"taken back by Eve: undone\""),
    ];
    for (new, old) in older {
        assert!(text.contains(new), "{text}");
        text = text.replace(new, old);
    }
    std::fs::write(path, text).unwrap();
    assert_eq!(
        replaced(),
        ["revision, FORCED in run two: checked by hand", "revision, taken back in run three by Eve: undone"]
    );
}

#[test]
fn the_truth_as_of_a_day_is_what_was_accepted_until_then() {
    let (_dir, store) = lived();
    let shown = |moment: &str| {
        let record = record_at(&store, &id("61"), at(moment)).unwrap()?;
        Some(record.results.data.iter().map(Row::shown).collect::<Vec<_>>())
    };
    assert_eq!(shown("2026-02-28T00:00:00Z"), None, "nothing was known yet");
    assert_eq!(shown("2026-03-02T00:00:00Z").unwrap(), ["$2,274", "52.4 million"]);
    assert_eq!(shown("2026-05-01T12:00:00Z").unwrap()[0], "$2,274", "read, and not accepted yet");
    assert_eq!(shown("2026-06-30T23:59:59Z").unwrap()[0], "$2,350");
    assert_eq!(shown("2026-12-01T00:00:00Z").unwrap(), ["$2,360", "52.4 million"]);
    let record = record_at(&store, &id("61"), at("2026-06-30T23:59:59Z")).unwrap().unwrap();
    assert_eq!(record.execution_timestamp, at("2026-05-01T08:00:00Z"), "when the values of then were read");
}

#[test]
fn a_record_that_left_the_changelog_behind_is_noticed() {
    let (dir, store) = lived();
    let mut stored = store.load(&id("61")).unwrap().unwrap();
    stored.record.results.data[0].number = Some(2370.into());
    store.save(&stored.record, &stored.provenance.unwrap()).unwrap();
    let found = of(&store, &id("61"), &|_| true).unwrap().disagreements;
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("2360") && found[0].message.contains("2370"), "{found:?}");
    // and a line that somebody took out
    let path = dir.path().join("changelog.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let third = lines[1].replace("\"old\":2350", "\"old\":2351");
    lines[1] = &third;
    std::fs::write(&path, lines.join("\n")).unwrap();
    let found = of(&store, &id("61"), &|_| true).unwrap().disagreements;
    assert!(found.iter().any(|one| one.message.contains("a line in between is missing")), "{found:?}");
}

#[test]
fn lines_of_other_tools_in_the_documented_form_are_history_too() {
    let (dir, store) = store();
    read(&store, "$2,350", 2350, "2026-06-15T10:00:00Z");
    let line = r#"{"timestamp": "2026-06-15T10:00:00Z", "question_id": "61", "field": "gdp_per_capita", "old": 2274, "new": 2350, "source": "graphql_api"}"#;
    std::fs::write(dir.path().join("changelog.jsonl"), format!("{line}\n")).unwrap();
    let reported = of(&store, &id("61"), &|field| field == "gdp_per_capita").unwrap();
    let values: Vec<_> = reported.lives.iter().map(|life| life.value.clone().unwrap()).collect();
    assert_eq!(values, ["2274", "2350"]);
    let error = record_at(&store, &id("61"), at("2026-06-01T00:00:00Z")).unwrap_err().to_string();
    assert!(error.contains("lacks the previous row"), "{error}");
}

#[test]
fn decision_28_of_a_record_that_cannot_be_read_the_changelog_still_tells() {
    let (dir, store) = lived();
    std::fs::write(dir.path().join("61/results.json"), "{").unwrap();
    let told = of(&store, &id("61"), &|field| field == "gdp_per_capita").unwrap();
    assert_eq!(told.lives.len(), 3);
    assert_eq!(told.disagreements, [], "what the record says is not known");
    assert_eq!(told.quarantined.len(), 1);
    assert!(told.quarantined[0].to_string().contains("61/results.json:1:1: EOF"), "{:?}", told.quarantined);
}

#[test]
fn a_record_that_was_removed_and_read_again_has_a_history_without_a_gap() {
    let (dir, store) = lived();
    std::fs::remove_dir_all(dir.path().join("61")).unwrap();
    read(&store, "$2,400", 2400, "2026-10-01T08:00:00Z");
    let told = of(&store, &id("61"), &|field| field == "gdp_per_capita").unwrap();
    assert_eq!(told.disagreements, []);
    let values: Vec<_> = told.lives.iter().map(|life| life.value.clone().unwrap()).collect();
    assert_eq!(values, ["$2,274", "$2,350", "$2,360", "$2,400"]);
    let change = told.lives[3].change.as_ref().unwrap();
    assert!(change.to_string().ends_with("the record was removed and read again"), "{change}");
    assert!(!change.forced);
    // not before the change that is known
    std::fs::remove_dir_all(dir.path().join("61")).unwrap();
    read(&store, "$2,500", 2500, "2026-09-15T08:00:00Z");
    assert!(store.load(&id("61")).unwrap().is_none(), "the clock went back");
    // the same value is no change
    read(&store, "$2,400", 2400, "2026-11-01T08:00:00Z");
    assert_eq!(of(&store, &id("61"), &|field| field == "gdp_per_capita").unwrap().lives.len(), 4);
}
