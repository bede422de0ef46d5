//! Tests of what becomes of a reading.

use std::fs;

use super::super::samples::*;
use super::super::{Channel, SourceMethod, age, changelog, checks, pending};
use super::*;
use crate::atomic_file::fault;
use crate::value::Absence;

fn reading(value: &str, number: i64) -> Record {
    record("61", vec![row("gdp_per_capita", value, number), row("population", "52.4 million", 52_400_000)])
}

/// Files a reading. What was foretold of its evidence holds: files change just when it is to be kept.
fn file(store: &Store, record: &Record, channel: Channel) -> WriteOutcome {
    let provenance = provenance(record, channel, None);
    let id = &record.question_id;
    let holds = |store: &Store| {
        let stored = store.load(id).unwrap().and_then(|stored| stored.provenance);
        (stored, pending::load(store, id).unwrap())
    };
    let (stored, waiting) = holds(store);
    let kept = is_kept(store, record, &provenance).unwrap();
    let outcome = file_reading(store, record, &provenance, at(NOON)).unwrap();
    let (now, waits) = holds(store);
    // what waited may go without anything new being kept
    assert_eq!(kept, now != stored || (waits.is_some() && waits != waiting), "{outcome:?}");
    outcome
}

fn shown(store: &Store) -> Vec<String> {
    store.load(&id("61")).unwrap().unwrap().record.results.data.iter().map(super::super::Row::shown).collect()
}

fn reason() -> Reason {
    Reason::new(" the page was checked by hand ").unwrap()
}

#[test]
fn decision_14_an_absent_record_is_written() {
    let (_dir, store) = store();
    assert_eq!(file(&store, &reading("$2,274", 2274), Channel::Dom), WriteOutcome::Written);
    assert_eq!(shown(&store), ["$2,274", "52.4 million"]);
    assert_eq!(checks::read(&store).unwrap().checks, []);
}

#[test]
fn decision_14_an_equal_reading_changes_not_a_byte_but_the_list_of_looks() {
    let (dir, store) = store();
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    let mut before = files(dir.path());
    before.remove(&dir.path().join("checks.jsonl")).unwrap();
    let mut again = reading("$2274", 2274);
    again.execution_timestamp = at(NOON);
    again.results.data.reverse();
    assert_eq!(file(&store, &again, Channel::Dom), WriteOutcome::Unchanged);
    let mut after = files(dir.path());
    let looks = after.remove(&dir.path().join("checks.jsonl")).unwrap();
    assert_eq!(after, before);
    let looks = String::from_utf8(looks).unwrap();
    let line = "{\"schema_version\":1,\"timestamp\":\"2026-11-20T12:00:00Z\",\"question_id\":\"61\",\"outcome\":\"unchanged\"}\n";
    assert!(
        looks.strip_prefix(line).is_some_and(|tally| tally.starts_with("{\"lines\":1,\"hash\":\"")),
        "{looks}"
    );
    let older = r#"{"timestamp":"2026-11-20T12:00:00Z","question_id":61,"outcome":"unchanged"}"#;
    let older: Check = serde_json::from_str(older).unwrap();
    assert_eq!(older.question_id, id("61"));
}

#[test]
fn decision_14_a_differing_reading_waits_and_leaves_the_truth_alone() {
    let (dir, store) = store();
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    let before = fs::read(dir.path().join("61/results.json")).unwrap();
    let WriteOutcome::Pending { changes, suspect: false } =
        file(&store, &reading("$2,350", 2350), Channel::Dom)
    else {
        panic!("pending")
    };
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].to_string(), "gdp_per_capita changed from $2,274 to $2,350");
    assert_eq!(fs::read(dir.path().join("61/results.json")).unwrap(), before);
    let waiting = pending::load(&store, &id("61")).unwrap().unwrap();
    assert_eq!(waiting.record.results.data[0].shown(), "$2,350");
    assert_eq!(pending::ids(&store).unwrap(), [id("61")]);
    assert_eq!(checks::read(&store).unwrap().checks[0].outcome, CheckOutcome::Differs);

    let kept = fs::read(dir.path().join("pending/61.json")).unwrap();
    file_reading(
        &store,
        &reading("$2,350", 2350),
        &provenance(&waiting.record, Channel::Dom, None),
        at("2026-11-21T12:00:00Z"),
    )
    .unwrap();
    assert_eq!(fs::read(dir.path().join("pending/61.json")).unwrap(), kept, "the same reading waits once");
}

#[test]
fn decision_13_a_failed_or_empty_reading_is_refused() {
    let (dir, store) = store();
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    let before = fs::read(dir.path().join("61/results.json")).unwrap();
    let mut partial = reading("$2,350", 2350);
    partial.results.data[1].value = None;
    partial.results.data[1].absence = Some(Absence::ExtractionFailed);
    for (new, why) in [(partial, "population"), (record("61", Vec::new()), "nothing")] {
        let provenance = provenance(&new, Channel::Dom, None);
        let outcome = file_reading(&store, &new, &provenance, at(NOON)).unwrap();
        assert!(matches!(&outcome, WriteOutcome::Refused(reported) if reported.contains(why)), "{outcome:?}");
    }
    assert_eq!(fs::read(dir.path().join("61/results.json")).unwrap(), before);
    assert!(pending::load(&store, &id("61")).unwrap().is_none());
    let looks = checks::read(&store).unwrap().checks;
    assert!(looks.iter().all(|look| look.outcome == CheckOutcome::Failed) && looks.len() == 2, "{looks:?}");
}

#[test]
fn a_refused_reading_does_not_become_the_first_record_either() {
    let (_dir, store) = store();
    let mut failed = reading("$2,350", 2350);
    failed.results.data[0].absence = Some(Absence::ExtractionFailed);
    assert!(matches!(file(&store, &failed, Channel::Dom), WriteOutcome::Refused(_)));
    assert!(store.load(&id("61")).unwrap().is_none());
}

#[test]
fn decision_12_a_weaker_source_never_overwrites_and_makes_the_record_suspect() {
    let (dir, store) = store();
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    let before = fs::read(dir.path().join("61/results.json")).unwrap();
    for (method, channel) in [
        (SourceMethod::BrowserCountryPage, Channel::PageResponse),
        (SourceMethod::GraphqlApi, Channel::Api),
        (SourceMethod::SqlCrossCheck, Channel::Api),
        (SourceMethod::LlmGenerated, Channel::Api),
    ] {
        pending::drop(&store, &id("61")).unwrap();
        let mut weaker = reading("$2,350", 2350);
        weaker.source_method = method;
        let outcome = file(&store, &weaker, channel);
        assert!(matches!(outcome, WriteOutcome::Pending { suspect: true, .. }), "{method:?}: {outcome:?}");
        let error = accept(&store, &id("61"), &|_| true, None, at(NOON)).unwrap_err().to_string();
        assert!(error.contains("weaker") && error.contains("reason"), "{error}");
    }
    assert_eq!(fs::read(dir.path().join("61/results.json")).unwrap(), before);
    assert!(checks::read(&store).unwrap().checks.iter().all(|look| look.outcome == CheckOutcome::Suspect));
}

#[test]
fn a_weaker_reading_does_not_displace_a_stronger_one_that_waits() {
    let (_dir, store) = store();
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    file(&store, &reading("$2,350", 2350), Channel::Dom);
    let mut weaker = reading("$2,400", 2400);
    weaker.source_method = SourceMethod::GraphqlApi;
    file(&store, &weaker, Channel::Api);
    let waiting = pending::load(&store, &id("61")).unwrap().unwrap();
    assert_eq!(waiting.record.results.data[0].shown(), "$2,350");
    file(&store, &reading("$2,360", 2360), Channel::Dom);
    let waiting = pending::load(&store, &id("61")).unwrap().unwrap();
    assert_eq!(waiting.record.results.data[0].shown(), "$2,360", "a newer one as strong does");
}

#[test]
fn decision_12_force_needs_a_reason_and_is_told_in_the_changelog() {
    let (_dir, store) = store();
    assert_eq!(Reason::new("  "), None);
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    let mut weaker = reading("$2,350", 2350);
    weaker.source_method = SourceMethod::GraphqlApi;
    weaker.execution_timestamp = at(NOON);
    let provenance = provenance(&weaker, Channel::Api, None);
    file_reading(&store, &weaker, &provenance, at(NOON)).unwrap();
    let taken = accept(&store, &id("61"), &|_| true, Some(&reason()), at(NOON)).unwrap();
    assert_eq!(taken.map(|changes| changes.len()), Some(1));
    let stored = store.load(&id("61")).unwrap().unwrap();
    assert_eq!(stored.record.results.data[0].shown(), "$2,350");
    assert_eq!(stored.record.source_method, SourceMethod::GraphqlApi, "the weakest value's");
    assert_eq!(stored.record.execution_timestamp, at(NOON));
    let reported = changelog::read(&store).unwrap();
    assert_eq!(reported.len(), 1);
    let line = serde_json::to_string(&reported[0]).unwrap();
    let seed = concat!(
        r#"{"timestamp":"2026-11-20T12:00:00Z","question_id":61,"field":"gdp_per_capita","#,
        r#""old":2274,"new":2350,"source":"graphql_api","run":"by hand","kind":"revision","#,
        r#""reason":"the page was checked by hand","before":{"#
    );
    assert!(line.starts_with(seed), "{line}");
}

#[test]
fn a_stronger_source_with_the_same_values_takes_over_the_name_and_keeps_the_values() {
    let (_dir, store) = store();
    let mut api = reading("$2,274", 2274);
    api.source_method = SourceMethod::GraphqlApi;
    file(&store, &api, Channel::Api);
    let mut page = reading("USD 2274", 2274);
    page.execution_timestamp = at(NOON);
    assert_eq!(file(&store, &page, Channel::Dom), WriteOutcome::Strengthened);
    let stored = store.load(&id("61")).unwrap().unwrap();
    assert_eq!(stored.record.source_method, SourceMethod::BrowserCountryPage);
    assert_eq!(stored.record.results, api.results);
    assert_eq!(stored.record.execution_timestamp, api.execution_timestamp);
    assert_eq!(file(&store, &page, Channel::Dom), WriteOutcome::Unchanged);
    assert_eq!(file(&store, &api, Channel::Api), WriteOutcome::Unchanged, "the weaker does not take it back");
}

/// A look is what a run that is gone on with takes for an answer: it is there with all that it came to, or nothing is.
#[test]
fn a_look_is_told_with_what_it_came_to() {
    let mut api = reading("$2,274", 2274);
    api.source_method = SourceMethod::GraphqlApi;
    let page = reading("$2,274", 2274);
    let how = provenance(&page, Channel::Dom, None);
    let mut died = 0;
    for place in 0.. {
        let (dir, store) = store();
        file(&store, &api, Channel::Api);
        fault::die_at(Some(place));
        let filed = file_reading(&store, &page, &how, at(NOON));
        fault::die_at(None);
        drop(store);
        let store = Store::read(dir.path()).unwrap();
        let looks = checks::read(&store).unwrap().checks.len();
        let method = store.load(&id("61")).unwrap().unwrap().record.source_method;
        assert_eq!(looks == 1, method == SourceMethod::BrowserCountryPage, "died at {place}");
        assert_eq!(store.quarantined(), [], "died at {place}");
        if filed.is_ok() {
            assert_eq!(looks, 1);
            break;
        }
        died += 1;
    }
    assert!(died > 5, "{died}");
}

#[test]
fn a_look_that_confirms_the_truth_settles_what_waits() {
    let (_dir, store) = store();
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    file(&store, &reading("$2,350", 2350), Channel::Dom);
    let mut api = reading("$2,274", 2274);
    api.source_method = SourceMethod::GraphqlApi;
    file(&store, &api, Channel::Api);
    assert!(pending::load(&store, &id("61")).unwrap().is_some(), "a weaker look does not");
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    assert!(pending::load(&store, &id("61")).unwrap().is_none());
}

#[test]
fn a_pending_reading_is_accepted_field_by_field() {
    let (_dir, store) = store();
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    let mut new = reading("$2,350", 2350);
    new.results.data[1] = row("population", "53.1 million", 53_100_000);
    new.execution_timestamp = at(NOON);
    file(&store, &new, Channel::Narrative);

    assert_eq!(accept(&store, &id("62"), &|_| true, None, at(NOON)).unwrap(), None);
    let none = accept(&store, &id("61"), &|_| false, None, at(NOON)).unwrap().unwrap();
    assert_eq!(none, []);
    assert_eq!(shown(&store), ["$2,274", "52.4 million"]);

    let taken = accept(&store, &id("61"), &|field| field == "population", None, at(NOON));
    assert_eq!(taken.unwrap().unwrap().len(), 1);
    assert_eq!(shown(&store), ["$2,274", "53.1 million"]);
    assert!(pending::load(&store, &id("61")).unwrap().is_some(), "the other field still waits");
    let stored = store.load(&id("61")).unwrap().unwrap();
    let provenance = stored.provenance.unwrap();
    let channels: Vec<_> = provenance.points.iter().map(|point| point.channel).collect();
    assert_eq!(channels, [Channel::Dom, Channel::Narrative], "each row keeps how it was read");

    accept(&store, &id("61"), &|_| true, None, at(NOON)).unwrap();
    assert_eq!(shown(&store), ["$2,350", "53.1 million"]);
    assert!(pending::load(&store, &id("61")).unwrap().is_none());
    let fields: Vec<_> = changelog::read(&store).unwrap().into_iter().map(|entry| entry.line.field).collect();
    assert_eq!(fields, ["population", "gdp_per_capita"]);
}

#[test]
fn rows_that_appear_and_disappear_go_to_the_changelog_as_null() {
    let (_dir, store) = store();
    file(&store, &record("61", vec![row("gdp_per_capita", "$2,274", 2274)]), Channel::Dom);
    let mut gone = row("gdp_per_capita_rank", "", 0);
    (gone.value, gone.number, gone.absence) = (None, None, Some(Absence::NotShownHere));
    file(&store, &record("61", vec![gone]), Channel::Dom);
    accept(&store, &id("61"), &|_| true, None, at(NOON)).unwrap();
    let reported: Vec<_> = changelog::read(&store)
        .unwrap()
        .into_iter()
        .map(|entry| (entry.line.field, entry.line.old, entry.line.new))
        .collect();
    assert_eq!(
        reported[0],
        ("gdp_per_capita_rank".to_owned(), serde_json::Value::Null, "not shown here".into())
    );
    assert_eq!(reported[1], ("gdp_per_capita".to_owned(), 2274.into(), serde_json::Value::Null));
}

#[test]
fn a_reading_of_another_site_is_an_error_and_leaves_no_trace() {
    let (dir, store) = store();
    let before = files(dir.path());
    let mut twin = reading("$2,274", 2274);
    twin.site = super::super::Site::Twin;
    let error = file_reading(&store, &twin, &provenance(&twin, Channel::Dom, None), at(NOON));
    assert!(error.unwrap_err().to_string().contains("twin"));
    assert_eq!(files(dir.path()), before);
}

#[test]
fn a_torn_last_line_is_told_and_does_not_swallow_the_next() {
    let (dir, store) = store();
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    let path = dir.path().join("checks.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, &whole[..20]).unwrap();
    let told = || {
        let store = Store::read(dir.path()).unwrap();
        let count = checks::read(&store).unwrap().checks.len();
        (count, store.quarantined().iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let (count, bad) = told();
    assert!(count == 0 && bad.len() == 1 && bad[0].contains("checks.jsonl:1: EOF"), "{bad:?}");
    file(&store, &reading("$2,274", 2274), Channel::Dom);
    let (count, bad) = told();
    assert!(count == 1 && bad.len() == 1 && bad[0].contains("checks.jsonl:1: EOF"), "{bad:?}");
}

#[test]
fn decision_10_a_record_is_stale_six_months_after_the_last_good_look() {
    let (_dir, store) = store();
    let record = reading("$2,274", 2274);
    file(&store, &record, Channel::Dom);
    let stale = |now: &str| {
        let checks = checks::read(&store).unwrap();
        age(&record, &checks, super::super::STALE_AFTER_MONTHS, at(now)).stale
    };
    assert!(!stale("2026-08-31T23:59:59Z"));
    assert!(stale("2026-09-01T00:00:00Z"), "six months after 1 March");

    let look = |when: &str, outcome| {
        let check =
            Check { timestamp: at(when), question_id: id("61"), outcome, detail: None, site_vintage: None };
        checks::append(&store, &check).unwrap();
    };
    look("2026-08-30T00:00:00Z", CheckOutcome::Failed);
    look("2026-08-30T00:00:00Z", CheckOutcome::Suspect);
    assert!(stale("2026-09-01T00:00:00Z"), "a failed look is no look");
    look("2026-08-31T00:00:00Z", CheckOutcome::Unchanged);
    look("2026-04-01T00:00:00Z", CheckOutcome::Unchanged);
    assert!(!stale("2027-02-27T23:59:59Z"));
    assert!(stale("2027-02-28T00:00:00Z"), "August 31 and six months is the end of February");
}

/// A reading as an import writes it.
fn imported(store: &Store, method: SourceMethod, rows: Vec<super::super::Row>) -> WriteOutcome {
    let record = Record { source_method: method, ..record("61", rows) };
    let mut provenance = provenance(&record, Channel::Imported, None);
    for (at, point) in provenance.points.iter_mut().enumerate() {
        let (file, keys) = ("61/ground_truth/results.json".to_owned(), vec!["value".to_owned()]);
        point.imported = Some(super::super::Imported { file, row: at + 1, keys });
        point.locator = Some("value".to_owned());
        assert!(!point.follows(), "it has no evidence, and follows from no other value");
    }
    file_reading(store, &record, &provenance, at(NOON)).unwrap()
}

#[test]
fn decision_12_an_imported_value_is_stronger_than_our_own_query_and_weaker_than_a_page_that_was_read() {
    let value = || vec![row("gdp_per_capita", "$2,274", 2274)];
    let other = |method| Record {
        source_method: method,
        ..record("61", vec![row("gdp_per_capita", "$2,350", 2350)])
    };
    for method in [SourceMethod::BrowserExplorePage, SourceMethod::GraphqlApi] {
        for (reading, channel) in [
            (SourceMethod::BrowserCountryPage, Channel::Dom),
            (SourceMethod::BrowserExplorePage, Channel::PageResponse),
            (SourceMethod::GraphqlApi, Channel::Api),
        ] {
            let (_dir, store) = store();
            assert_eq!(imported(&store, method, value()), WriteOutcome::Written);
            let is_weaker = reading == SourceMethod::GraphqlApi && method != SourceMethod::GraphqlApi;
            assert!(
                matches!(file(&store, &other(reading), channel), WriteOutcome::Pending { suspect, .. } if suspect == is_weaker),
                "{method:?} {reading:?}"
            );
            // the same value: what was read has evidence, and takes over unless it is weaker
            let same = Record { source_method: reading, ..record("61", value()) };
            let outcome = if is_weaker { WriteOutcome::Unchanged } else { WriteOutcome::Strengthened };
            assert_eq!(file(&store, &same, channel), outcome, "{method:?} {reading:?}");
            let stored = store.load(&id("61")).unwrap().unwrap();
            assert_eq!(stored.record.source_method, if is_weaker { method } else { reading });
            assert_eq!(stored.provenance.unwrap().is_imported(), is_weaker);
            if !is_weaker {
                assert_eq!(imported(&store, method, value()), WriteOutcome::Unchanged, "importing it again");
            }
        }
    }
}

#[test]
fn imported_rows_that_no_data_point_fits_are_gone_in_words_and_kept_in_the_changelog() {
    let (_dir, store) = store();
    imported(&store, SourceMethod::GraphqlApi, vec![row("gdp_of_kenya", "$2,274", 2274)]);
    let before = store.load(&id("61")).unwrap().unwrap();
    let WriteOutcome::Pending { changes, suspect: false } =
        file(&store, &reading("$2,274", 2274), Channel::Dom)
    else {
        panic!("the page's reading should wait")
    };
    let told: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "gdp_per_capita is new ($2,274)",
            "population is new (52.4 million)",
            "gdp_of_kenya is gone (was $2,274)"
        ]
    );
    let (_, why) = super::super::judge(&changes[2], &changes, before.provenance.as_ref(), None);
    assert_eq!(
        why,
        "imported from 61/ground_truth/results.json row 1 (value); nothing read from the page has this name"
    );
    accept(&store, &id("61"), &|_| true, None, at(NOON)).unwrap();
    let gone = changelog::read(&store).unwrap().remove(2);
    assert_eq!((gone.line.field.as_str(), &gone.line.new), ("gdp_of_kenya", &serde_json::Value::Null));
    let side = gone.before.unwrap();
    assert_eq!(side.row, before.record.results.data[0]);
    assert_eq!(side.imported.unwrap().row, 1);
}
