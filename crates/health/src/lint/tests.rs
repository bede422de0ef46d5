//! The examples of every rule: the passing one gives no finding of it, the failing one does.

use std::path::Path;

use serde_json::Value;

use super::*;
use crate::external::{ForeignRecord, Verification};
use crate::manifest::{Asked, QuestionId};

/// The codes that are found in an example.
fn codes(example: &str) -> Vec<&'static str> {
    let items: Vec<Value> = serde_json::from_str(example).unwrap();
    let mut overview = Overview::new(true);
    let mut found = Vec::new();
    let mut before: Option<(QuestionId, Asked)> = None;
    for (at, mut item) in items.into_iter().enumerate() {
        let id: QuestionId = (at + 1).to_string().parse().unwrap();
        item["record"].as_object_mut().unwrap().remove("question_id");
        let Ok(mut record) = ForeignRecord::read(Path::new("results.json"), &id, item["record"].take())
        else {
            found.push(UNREADABLE.code);
            continue;
        };
        record.verification =
            item["verification"].as_object().and_then(|object| Verification::read(object, None));
        let question = &item["question"];
        let asked = question["text"].as_str().map(|text| Asked {
            proposed: question["proposed"].as_str().map(str::to_owned),
            ..Asked::new(text, question["atlas_url"].as_str(), false)
        });
        let beside = [before.as_ref().map(|(id, asked)| (id, asked)), None];
        let subject = LintSubject::new(&record, asked.as_ref())
            .between(beside)
            .at("2026-11-30T00:00:00Z".parse().unwrap());
        found.extend(RULES.iter().flat_map(|rule| rule.findings(&subject)).map(|finding| finding.code));
        overview.add(&subject, Silences::default());
        before = asked.map(|asked| (id, asked));
    }
    found.extend(RULES.iter().flat_map(|rule| rule.across(&overview).0).map(|finding| finding.code));
    found
}

#[test]
fn every_rule_passes_and_fails_its_own_examples() {
    for rule in RULES.iter().filter(|rule| rule.code != UNUSED.code) {
        let (passing, failing) = (codes(rule.passing), codes(rule.failing));
        assert!(!passing.contains(&rule.code), "{}: the passing example fails", rule.code);
        assert!(failing.contains(&rule.code), "{}: the failing example passes: {failing:?}", rule.code);
    }
}

#[test]
fn a_place_is_a_whole_number_from_one() {
    let record = |rank: &str| {
        format!(
            r#"[{{"record": {{"results": {{"data": [{{"metric": "ECI rank", "value": "{rank}", "unit": "rank"}}]}}}}}}]"#
        )
    };
    assert!(codes(&record("0th")).contains(&"GT029"), "{:?}", codes(&record("0th")));
    assert!(!codes(&record("7th")).contains(&"GT029"));
}

#[test]
fn codes_stand_once_and_in_order_of_their_numbers_where_the_strategy_numbers_them() {
    let mut codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
    let all = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), all);
    for number in 0..=24 {
        let code = format!("GT{number:03}");
        assert!(rule(&code).is_some(), "{code}");
    }
    assert!(rule("GT003").is_some() && rule("GT00").is_none() && rule("GT999").is_none());
}

#[test]
fn a_time_that_is_a_whole_minute_by_chance_is_no_finding() {
    let of = |whole: usize| {
        let record = |at: usize| {
            let second = if at < whole { 0 } else { at };
            serde_json::json!({ "record": { "execution_timestamp": format!("2026-02-28T10:14:{second:02}Z"),
                "results": { "data": [{ "value": "24" }] } } })
        };
        codes(&Value::from((0..30).map(record).collect::<Vec<_>>()).to_string()).contains(&"GT012b")
    };
    assert!(!of(3) && of(4));
}

#[test]
fn a_selection_names_rules_or_families_of_them() {
    let selection: RuleSelection = "GT003, gt005".parse().unwrap();
    assert!(selection.has("GT003b") && selection.has("GT005") && !selection.has("GT006"));
    assert!("GT099".parse::<RuleSelection>().is_err());
    assert!(RuleSelection::default().has("GT006"));
}

#[test]
fn a_silence_needs_a_reason_and_something_to_silence() {
    let is_rule = |code: &str| rule(code).is_some();
    let mut silences = Silences::read(
        Path::new("lint.json"),
        r#"{"GT003": "compared by hand", "GT005": "", "GT999": "x", "GT010": "why"}"#,
        is_rule,
    );
    assert_eq!(silences.of("GT003b"), Some(0));
    assert_eq!(silences.of("GT005"), None);
    assert!(silences.take("GT003b") && !silences.take("GT005"));
    let found: Vec<String> = silences.problems(|_| true).into_iter().map(|(key, _)| key).collect();
    assert_eq!(found, ["GT005", "GT999", "GT010"]);
    assert_eq!(silences.problems(|code| code != "GT010").len(), 2);
    assert_eq!(Silences::read(Path::new("lint.json"), "[]", is_rule).problems(|_| true).len(), 1);
}

#[test]
fn words_of_another_kind_are_no_other_value() {
    let of = |held: &str, verified: &str| {
        let record = serde_json::json!([{
            "record": {
                "execution_timestamp": "2026-02-28T10:14:09Z", "source_method": "graphql_api", "atlas_url": "/countries/404",
                "results": {"data": [{"metric": "A word", "value": held}]},
            },
            "verification": {"verified_value": verified, "match": true},
        }]);
        codes(&record.to_string()).contains(&"GT023")
    };
    assert!(of("B", "C") && of("$2,274", "$2,350"));
    assert!(
        !of("Light Touch Approach", "many opportunities to diversify")
            && !of("LowerMiddle", "lower-middle-income")
    );
}

#[test]
fn a_value_of_this_program_stands_for_the_number_beside_it() {
    let of = |value: &str, number: &str, unit: &str| {
        let record = serde_json::json!([{ "record": {
            "execution_timestamp": "2026-02-28T10:14:09Z", "source_method": "browser_country_page",
            "atlas_url": "/countries/404", "results": { "data": [{
                "data_point": "x", "metric": "A measure", "country": "Kenya", "value": value, "number": number,
                "unit": unit, "year": "2024",
            }] },
        } }]);
        codes(&record.to_string()).contains(&"GT008")
    };
    for (value, number, unit) in [
        ("$378 billion", "378000000000", "USD"),
        ("$1.1T", "1100000000000", "USD"),
        ("26.43%", "26.43", "percent"),
        ("-0.48", "-0.48", "index"),
        ("116th of 145", "116", "rank"),
    ] {
        assert!(!of(value, number, unit), "{value} {number}");
    }
    for (value, number, unit) in [
        ("$378 billion", "387000000000", "USD"),
        ("26.43%", "26.34", "percent"),
        ("0.48", "-0.48", "index"),
        ("116th of 145", "145", "rank"),
    ] {
        assert!(of(value, number, unit), "{value} {number}");
    }
}

#[test]
fn one_value_of_a_record_of_this_program_is_one_value() {
    let failing = r#"[{"question": {"text": "What is the GDP per capita of Kenya?", "atlas_url": "/countries/404"}, "record": {
        "execution_timestamp": "2026-11-21T00:59:02Z", "source_method": "browser_country_page", "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
        "results": {"data": [{"data_point": "gdp_per_capita", "metric": "GDP per capita", "country": "Kenya", "value": "$2,274",
        "number": "2274", "unit": "USD", "year": "2024", "answers": ["value"]}]}}, "verification": {"match": true, "page_showed": "$2,350"}}]"#;
    assert_eq!(codes(failing), ["GT022"]);
    let absent = r#"[{"question": {"text": "What does the Atlas propose to Germany?"}, "record": {
        "execution_timestamp": "2026-11-21T00:59:02Z", "source_method": "browser_country_page", "atlas_url": "/countries/276/product-table",
        "results": {"data": [{"data_point": "products", "metric": "New products", "country": "Germany", "absence": "not_available_for_country"}]}}}]"#;
    assert_eq!(codes(absent), Vec::<&str>::new());
}
