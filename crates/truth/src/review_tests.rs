use super::super::run_log::RunLog;
use super::super::samples::{NOON, at, id, provenance, record, row, store};
use super::super::take_back::take_back;
use super::super::{CommitRun, Store, accept_reviewed};
use super::*;
use crate::value::Period;

fn missing(field: &str, response_value: Option<&str>) -> Missing {
    let looked_for = "drawn".to_owned();
    let response_value = response_value.map(str::to_owned);
    serde_json::from_value(serde_json::json!({
        "field": field, "response_value": response_value, "looked_for": looked_for,
    }))
    .unwrap()
}

/// One value of a year waits, with what a response holds, if anything.
fn review(store: &Store, year: i16, response: Option<(&str, i64)>) -> Review {
    let value = match response {
        Some((text, number)) => row("eci_seen", text, number),
        None => Row { value: None, number: None, ..row("eci_seen", "", 0) },
    };
    let record = record("901", vec![value]);
    let mut provenance = provenance(&record, Channel::Person, Some(Hash::of(b"page")));
    provenance.points[0].agreement = Some(Agreement::NotDisplayed);
    provenance.points[0].context.period = Some(Period::year(year));
    Review {
        question_id: id("901"),
        input_of: None,
        review: ReviewState::Needed,
        rejected: None,
        taken_back: Vec::new(),
        seen_at: at(NOON),
        missing: vec![missing("eci_seen", response.map(|(text, _)| text))],
        base: store.load(&id("901")).unwrap().map(|stored| stored.hash),
        capture: Hash::of(b"page"),
        picture: Some(Hash::of(b"picture")),
        record,
        provenance,
    }
}

fn accept(store: &Store, mut review: Review, value: &str, number: i64) {
    let read = ReadValue {
        name: None,
        value: value.to_owned(),
        number: Some(number.into()),
        interval: Some(Interval::point(number.into())),
    };
    let person = Person { by: "Ada".into(), at: at(NOON), why: "seen".into(), crop: Some(Hash::of(b"crop")) };
    review.missing[0].accepted = Some(Accepted { read: Some(read), person });
    let run = CommitRun { id: "review".into(), now: at(NOON), by: None };
    accept_reviewed(store, &review, &run).unwrap();
}

#[test]
fn a_record_that_is_taken_back_is_not_missed_and_one_that_is_removed_is() {
    let (folder, store) = store();
    accept(&store, review(&store, 2024, None), "12", 12);
    std::fs::rename(folder.path().join("901"), folder.path().join("elsewhere")).unwrap();
    assert_eq!(store.gone().unwrap().into_iter().collect::<Vec<_>>(), [id("901")]);
    std::fs::rename(folder.path().join("elsewhere"), folder.path().join("901")).unwrap();
    let person = Person { by: "Ada".into(), at: at(NOON), why: "undone".into(), crop: None };
    let run = CommitRun { id: "undo".into(), now: at(NOON), by: None };
    take_back(&store, &id("901"), &person, &run).unwrap();
    assert!(store.load(&id("901")).unwrap().is_none() && store.gone().unwrap().is_empty());
}

#[test]
fn a_removed_record_that_a_person_reads_again_has_a_history_without_a_gap() {
    let (folder, store) = store();
    accept(&store, review(&store, 2024, None), "12", 12);
    accept(&store, review(&store, 2024, None), "13", 13);
    std::fs::remove_dir_all(folder.path().join("901")).unwrap();
    accept(&store, review(&store, 2024, None), "14", 14);
    let told = crate::history::of(&store, &id("901"), &|_| true).unwrap();
    assert_eq!(told.disagreements, []);
    let values: Vec<_> = told.lives.iter().filter_map(|life| life.value.clone()).collect();
    assert_eq!(values.last().unwrap(), "14", "{values:?}");
}

/// A store whose `site.json` was made anew knows what a person decided.
#[test]
fn a_decision_can_be_undone_after_a_lost_site_json_was_made_anew() {
    let (folder, store) = store();
    accept(&store, review(&store, 2024, None), "12", 12);
    std::mem::drop(store);
    std::fs::write(folder.path().join("site.json"), "{\"site\": \"live\"}\n").unwrap();
    crate::seal(folder.path(), &[]).unwrap();
    let store = Store::open(folder.path(), crate::Site::Live).unwrap();
    let person = Person { by: "Ada".into(), at: at(NOON), why: "undone".into(), crop: None };
    let run = CommitRun { id: "undo".into(), now: at(NOON), by: None };
    take_back(&store, &id("901"), &person, &run).unwrap();
    assert!(store.load(&id("901")).unwrap().is_none());
}

#[test]
fn a_value_that_a_person_read_stands_until_something_says_otherwise() {
    let (_folder, store) = store();
    accept(&store, review(&store, 2024, None), "12", 12);
    let stored = store.load(&id("901")).unwrap().unwrap();
    let stands = |year, response| {
        let found = review(&store, year, response);
        assert_eq!(found.with_judged(&stored).is_some(), !is_new(&store, &found).unwrap());
        found.with_judged(&stored).map(|(record, _)| record.results.data[0].shown())
    };
    assert_eq!(stands(2024, None).as_deref(), Some("12"), "nothing displays it, as before");
    assert_eq!(stands(2024, Some(("12", 12))).as_deref(), Some("12"));
    assert_eq!(stands(2024, Some(("13", 13))), None, "the response says otherwise");
    assert_eq!(stands(2025, None), None, "the drawing is of another year");
    // judged again: the picture that counts is the new one, the value and its time stay
    let before = stored.record.clone();
    accept(&store, review(&store, 2025, None), "12", 12);
    let stored = store.load(&id("901")).unwrap().unwrap();
    assert_eq!(stored.record, before);
    let context = &stored.provenance.as_ref().unwrap().points[0].context;
    assert_eq!(context.period, Some(Period::year(2025)));
}

#[test]
fn what_was_rejected_comes_back_only_as_another_reading() {
    let (_folder, store) = store();
    let person = Person { by: "Ada".into(), at: at(NOON), why: "blurred".into(), crop: None };
    let found = review(&store, 2024, Some(("12", 12)));
    save(&store, &Review { review: ReviewState::Rejected, rejected: Some(person), ..found.clone() }).unwrap();
    assert!(!is_new(&store, &found).unwrap());
    assert!(is_new(&store, &review(&store, 2024, Some(("13", 13)))).unwrap());
    assert!(is_new(&store, &review(&store, 2025, Some(("12", 12)))).unwrap());
    assert!(is_new(&store, &review(&store, 2024, None)).unwrap());
}

#[test]
fn a_failed_question_is_settled_by_a_record_that_a_person_accepted_and_by_nothing_less() {
    let (_folder, store) = store();
    let log = RunLog::of_collect(&store);
    log.begin(vec![id("901")], None, at(NOON)).unwrap();
    log.finished(&id("901"), false).unwrap();
    let is_failed = || !log.unfinished().unwrap().unwrap().is_complete();
    let person = Person { by: "Ada".into(), at: at(NOON), why: "seen".into(), crop: None };
    let found = review(&store, 2024, Some(("12", 12)));
    let accepted = Some(Accepted { read: None, person: person.clone() });
    let half = vec![Missing { accepted, ..found.missing[0].clone() }, missing("other", None)];
    save(&store, &Review { missing: half, ..found.clone() }).unwrap();
    assert!(is_failed(), "only some of its values are accepted");
    let rejected = Some(person.clone());
    save(&store, &Review { review: ReviewState::Rejected, rejected, ..found.clone() }).unwrap();
    assert!(is_failed(), "what is rejected leaves it without truth");
    accept(&store, found, "12", 12);
    assert!(!is_failed());
    let run = CommitRun { id: "undo".into(), now: at(NOON), by: None };
    take_back(&store, &id("901"), &person, &run).unwrap();
    assert!(is_failed(), "its record is gone again");
    accept(&store, review(&store, 2024, None), "12", 12);
    log.begin(vec![id("901")], None, at("2026-11-21T12:00:00Z")).unwrap();
    log.finished(&id("901"), false).unwrap();
    assert!(is_failed(), "it was accepted before this run");
}

#[test]
fn files_of_before_are_read() {
    let (_folder, store) = store();
    let mut old = serde_json::to_value(review(&store, 2024, Some(("12", 12)))).unwrap();
    old["missing"] = serde_json::json!([{
        "field": "eci_seen", "response_value": "12", "source": "countryYear.eci", "looked_for": "label",
    }]);
    let read: Review = serde_json::from_value(old).unwrap();
    assert_eq!(read.missing[0].response_value.as_deref(), Some("12"));
    assert!(read.is_needed() && read.missing[0].crop.is_none());
}

#[test]
fn a_row_of_a_list_is_known_by_its_rank_once_a_person_has_named_it() {
    let (_folder, store) = store();
    let mut found = review(&store, 2024, None);
    let rank = |place: &str| Row {
        value: None,
        number: None,
        extra: [("rank".to_owned(), place.into())].into_iter().collect(),
        ..row("eci_seen", "", 0)
    };
    found.record.results.data = vec![rank("1"), rank("2")];
    let point = found.provenance.points[0].clone();
    found.provenance.points =
        ["1", "2"].map(|place| PointProvenance { subject: Some(place.into()), ..point.clone() }).into();
    found.missing = ["eci_seen[1]", "eci_seen[2]"]
        .map(|field| Missing { named: Some("product".into()), ..missing(field, None) })
        .into();
    let mut judged = found.clone();
    for (at, (name, value)) in [("Tea", 12), ("Coffee", 7)].into_iter().enumerate() {
        let read = ReadValue {
            name: Some(name.into()),
            value: value.to_string(),
            number: Some(value.into()),
            interval: Some(Interval::point(value.into())),
        };
        let person = Person { by: "Ada".into(), at: at_noon(), why: "seen".into(), crop: None };
        judged.missing[at].accepted = Some(Accepted { read: Some(read), person });
    }
    accept_reviewed(&store, &judged, &CommitRun { id: "review".into(), now: at_noon(), by: None }).unwrap();
    let stored = store.load(&id("901")).unwrap().unwrap();
    let fields: Vec<String> = stored.record.results.data.iter().map(Row::field).collect();
    assert_eq!(fields, ["eci_seen[Tea]", "eci_seen[Coffee]"]);
    assert!(
        stored.record.results.data.iter().all(|row| stored.provenance.as_ref().unwrap().of(row).is_some())
    );
    let (record, _) = found.with_judged(&stored).unwrap();
    assert_eq!(record.results, stored.record.results);
}

fn at_noon() -> Timestamp {
    at(NOON)
}
