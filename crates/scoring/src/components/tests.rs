//! The cases that come with the program, and the numbers of answers with known mistakes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::*;
use crate::stats::TargetOutcome;

/// The report of answers by the ids of their cases; where one is missing there is none.
fn report(
    component: Component,
    cases: &[ComponentCase],
    answers: &BTreeMap<String, Result<Map<String, Value>, String>>,
) -> ComponentReport {
    let none = Err("no answer is recorded".to_owned());
    let scored = cases.iter().map(|case| {
        let answer = answers.get(&case.id).unwrap_or(&none).as_ref().map_err(String::as_str);
        (case.scored(), answer.map(|answer| component.score_fields(&case.expected, Some(answer))))
    });
    let scored: Vec<_> = scored.collect();
    let answered =
        scored.iter().map(|(case, found)| AnsweredCase { case, found: found.as_ref().map_err(|why| *why) });
    super::report(component, &answered.collect::<Vec<_>>())
}

fn built_in(component: Component) -> Vec<ComponentCase> {
    let list: Vec<Value> = serde_json::from_str(component.built_in()).unwrap();
    read_cases(component, &list).unwrap()
}

/// Internal ids of HS92 goods by code: 650 and the position of the code in the list of headings.
fn ids() -> BTreeMap<String, u64> {
    let mut codes = Vec::new();
    for line in
        include_str!("../../../../twin/src/data/chapters.psv").lines().filter(|line| !line.starts_with('#'))
    {
        let mut fields = line.split('|');
        let (chapter, ranges) = (fields.next().unwrap(), fields.next().unwrap());
        for range in ranges.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last): (u32, u32) = (first.parse().unwrap(), last.parse().unwrap());
            codes.extend((first..=last).map(|heading| format!("{chapter}{heading:02}")));
        }
    }
    codes.into_iter().zip(650..).collect()
}

#[test]
fn section_6_every_case_is_true_by_the_dictionaries() {
    for &component in Component::ALL {
        for case in built_in(component) {
            assert_eq!(check_case(&case), [], "{}", case.id);
        }
    }
    let ids = ids();
    assert_eq!((ids["0901"], ids["2709"], ids["8703"]), (726, 910, 1763));
    let mut checked = 0;
    for (value, case) in serde_json::from_str::<Vec<Value>>(Component::IdResolution.built_in())
        .unwrap()
        .iter()
        .zip(built_in(Component::IdResolution))
    {
        // the codes of the products stand in the notes
        let notes = value["notes"].as_str().unwrap();
        let coded: Vec<u64> = notes.split("HS92 ").skip(1).map(|rest| ids[&rest[..4]]).collect();
        let expected: Vec<u64> = match &case.expected["product_id"] {
            Value::Array(list) => list.iter().map(|id| id.as_u64().unwrap()).collect(),
            one => one.as_u64().into_iter().collect(),
        };
        if case.tier == Some(Tier::Services) || expected.is_empty() {
            assert_eq!(coded, [] as [u64; 0], "{}", case.id);
        } else {
            assert_eq!(coded, expected, "{}", case.id);
            checked += coded.len();
        }
    }
    assert!(checked >= 45, "{checked}");
    for case in built_in(Component::Extraction) {
        if let Some(code) = case.expected.get("product_code").and_then(Value::as_str) {
            assert!(ids.contains_key(code), "{}: {code}", case.id);
        }
    }
}

#[test]
fn section_6_the_sets_cover_what_it_lists() {
    let all = |component| built_in(component);
    let kinds: BTreeMap<String, usize> =
        all(Component::Classification).iter().fold(BTreeMap::new(), |mut map, case| {
            *map.entry(case.expected["query_type"].as_str().unwrap().to_owned()).or_default() += 1;
            map
        });
    assert_eq!(kinds.values().sum::<usize>(), 60);
    assert_eq!(kinds.len(), crate::atlas::query_types().len(), "every query type has a case: {kinds:?}");
    assert_eq!(kinds["reject"], 12);

    let extraction = all(Component::Extraction);
    let stating = |field: &str| {
        extraction
            .iter()
            .filter(|case| case.expected.get(field).is_some_and(|value| !value.is_null()))
            .count()
    };
    let years = extraction.iter().filter(|case| {
        ["min_year", "max_year"].iter().any(|field| case.expected.get(*field).is_some_and(Value::is_number))
    });
    assert!(extraction.len() >= 30 && stating("country_code") >= 15 && stating("partner_country_code") >= 5);
    assert!(stating("product") >= 10 && years.count() >= 10);
    for field in ["product_level", "product_class", "lookback_years", "group_type"] {
        assert!(stating(field) >= 5, "{field}");
    }

    let tiers = [Tier::Clean, Tier::Alias, Tier::Ambiguous, Tier::Services, Tier::Missing]
        .map(|tier| all(Component::IdResolution).iter().filter(|case| case.tier == Some(tier)).count());
    assert_eq!(tiers, [15, 12, 8, 5, 5]);
}

#[test]
fn what_cannot_be_true_is_reported() {
    let wrong = |component, case: Value| -> String {
        let problems = read_cases(component, &[case]).err().unwrap_or_default();
        problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; ")
    };
    let ext = |key: &str, value: Value| {
        wrong(
            Component::Extraction,
            json!({"id": "e", "question": "q", "input_query_type": "treemap_products", "expected_country": "Kenya", key: value}),
        )
    };
    assert_eq!(ext("expected_country_code", json!("KEN")), "");
    assert!(ext("expected_country_code", json!("UGA")).contains("Uganda"));
    assert!(ext("expected_country_code", json!("KN")).contains("alpha-3"));
    assert!(ext("expected_product_class", json!("HS96")).contains("HS96"));
    assert!(ext("expected_product_code", json!("901")).contains("digits"));
    assert!(ext("expected_min_year", json!("soon")).contains("whole number"));
    assert!(ext("input_query_type", json!("treemap")).contains("no query type"));
    let cls = |kind: &str, api: Value| {
        wrong(
            Component::Classification,
            json!({"id": "c", "question": "q", "expected_query_type": kind, "expected_api_target": api}),
        )
    };
    assert_eq!(cls("reject", Value::Null), "");
    assert!(cls("marketshare", json!("country_pages")).contains("does not answer marketshare"));
    let id = |tier: &str, country: u64, product: Value| {
        wrong(
            Component::IdResolution,
            json!({"id": "i", "question": "q", "tier": tier, "expected_country_id": country, "expected_product_id": product}),
        )
    };
    assert_eq!(id("clean", 404, json!(726)), "");
    assert!(id("clean", 405, json!(726)).contains("405"));
    assert!(id("ambiguous", 404, json!(726)).contains("tier"));
    assert!(id("services", 404, json!(726)).contains("tier"));
}

#[test]
fn a_team_s_own_fields_and_keys_are_taken_as_they_are() {
    let entry = json!({"id": 7, "question": "How much coffee did Kenya sell to the EU in 2020?", "input_query_type": "group_bilateral",
        "expected_year": 2020, "expected_trade_direction": "exports", "expected_services_class": null, "expected_partner_group": "EU",
        "expected_roast": "dark", "difficulty": "easy"});
    assert_eq!(Component::of_case(&entry), Some(Component::Extraction));
    let cases = read_cases(Component::Extraction, &[entry]).unwrap();
    assert_eq!((check_case(&cases[0]), cases[0].id.as_str()), (Vec::new(), "7"));
    let answer =
        json!({"year": "2020", "trade_direction": "exporter", "partner_group": "Africa", "roast": "Dark"});
    let answers = BTreeMap::from([("7".to_owned(), Ok(answer.as_object().unwrap().clone()))]);
    let report = report(Component::Extraction, &cases, &answers);
    let right = |name: &str| {
        let metric = report.metrics.iter().find(|metric| metric.name == name).unwrap();
        metric.result.unwrap().successes
    };
    let found = ["year", "trade_direction", "services_class", "partner_group", "roast"].map(right);
    assert_eq!(found, [1, 1, 1, 0, 1]);
    // entries of a question list: what they expect of the API and the classification
    let listed = json!({"id": 61, "text": "q", "expected_api_target": "explore", "expected_classification": "HS12",
        "expected_behavior": null});
    assert_eq!(Component::of_case(&listed), Some(Component::Classification));
    let cases = read_cases(Component::Classification, &[listed]).unwrap();
    assert_eq!((check_case(&cases[0]), cases[0].expected.len()), (Vec::new(), 2));
    assert_eq!(Component::of_case(&json!({"id": 1, "text": "q", "expected_tool": "refusal"})), None);
    let resolved = json!({"id": "i", "question": "q", "tier": "Missing entity", "expected_country_id": null});
    assert_eq!(Component::of_case(&resolved), Some(Component::IdResolution));
    assert_eq!(read_cases(Component::IdResolution, &[resolved]).unwrap()[0].tier, Some(Tier::Missing));
    for (kind, api) in [
        ("country_profile_partners", "country_pages"),
        ("group_products", "explore"),
        ("global_datum", "explore"),
    ] {
        let case =
            json!({"id": "c", "question": "q", "expected_query_type": kind, "expected_api_target": api});
        assert_eq!(
            check_case(&read_cases(Component::Classification, &[case]).unwrap()[0]),
            Vec::new(),
            "{kind}"
        );
    }
}

#[test]
fn values_are_equal_in_every_way_that_agents_write_them() {
    let field = |name: &str| *FIELDS.iter().find(|field| field.name == name).unwrap();
    let right = |name: &str, expected: Value, answered: Value| field(name).is_right(&expected, &answered);
    assert!(
        right("country", json!("United States"), json!("the US"))
            && !right("country", json!("Niger"), json!("Nigeria"))
    );
    assert!(
        right("country_code", json!("KEN"), json!("ken")) && right("min_year", json!(2010), json!("2010"))
    );
    assert!(
        right("product_level", json!("fourDigit"), json!(4))
            && !right("product_code", json!("0901"), json!(901))
    );
    assert!(
        right("country_id", json!(404), json!("location-404"))
            && right("country_id", json!(404), json!("404"))
    );
    assert!(
        right("product_id", json!(726), json!("product-HS92-726"))
            && !right("product_id", json!(726), json!(727))
    );
    assert!(
        right("product_id", json!([910, 911]), json!(911))
            && !right("product_id", json!([910, 911]), Value::Null)
    );
    assert!(right("max_year", Value::Null, json!("")) && !right("max_year", Value::Null, json!(2024)));
    assert!(
        !right("product_id", Value::Null, json!([726, 727])) && !right("country_id", json!(404), json!(true))
    );
}

/// Every threshold of tier 2; none of a tier, and none beside them.
#[test]
fn section_2_thresholds_of_components() {
    let thresholds = |component| -> Vec<(String, f64)> {
        let found = report(component, &built_in(component), &BTreeMap::new());
        assert!(found.tiers.iter().flat_map(|tier| &tier.metrics).all(|metric| metric.target.is_none()));
        found.metrics.into_iter().filter_map(|metric| Some((metric.name, metric.target?))).collect()
    };
    let due = |due: &[(&str, f64)]| -> Vec<(String, f64)> {
        due.iter().map(|(name, least)| ((*name).to_owned(), *least)).collect()
    };
    assert_eq!(
        thresholds(Component::Classification),
        due(&[("accuracy", 0.90), ("rejection precision", 0.85), ("rejection recall", 0.80)])
    );
    assert_eq!(
        thresholds(Component::Extraction),
        due(&[("country accuracy", 0.90), ("product accuracy", 0.85)])
    );
    assert_eq!(
        thresholds(Component::IdResolution),
        due(&[("country accuracy", 0.95), ("product accuracy", 0.90)])
    );
}

/// Ten questions, four of them to reject. Two of the six are rejected, one of the four is not; one has no answer.
#[test]
fn section_2_precision_and_recall_of_rejection_by_hand() {
    let cases: Vec<Value> = (0..10)
        .map(|at| {
            let kind = if at < 6 { "country_profile" } else { "reject" };
            json!({"id": format!("c{at}"), "question": "q", "expected_query_type": kind})
        })
        .collect();
    let cases = read_cases(Component::Classification, &cases).unwrap();
    let answer = |value: Value| Ok::<Map<String, Value>, String>(value.as_object().unwrap().clone());
    let answers = (0..10)
        .map(|at| {
            let answer = match at {
                0 | 1 => answer(json!({"query_type": "reject"})),
                2 => answer(json!({"query_type": "country_year"})),
                6 => answer(json!({"query_type": "country_profile"})),
                7 => Err("it crashed".to_owned()),
                8 => answer(json!({"query_type": "country_profile", "is_rejected": true})),
                9 => answer(json!({"query_type": "reject"})),
                _ => answer(json!({"query_type": "country_profile"})),
            };
            (format!("c{at}"), answer)
        })
        .collect();
    let report = report(Component::Classification, &cases, &answers);
    let counted = |name: &str| {
        let metric = report.metrics.iter().find(|metric| metric.name == name).unwrap();
        (metric.result.unwrap().successes, metric.result.unwrap().n, metric.outcome.unwrap())
    };
    // right: c3, c4, c5 and the rejected c8, c9
    assert_eq!(counted("accuracy"), (5, 10, TargetOutcome::Missed));
    // rejected: c0, c1, c8, c9
    assert_eq!(counted("rejection precision"), (2, 4, TargetOutcome::Missed));
    // to reject: c6, c7 (no answer counts as wrong, decision 17), c8, c9
    assert_eq!(counted("rejection recall"), (2, 4, TargetOutcome::TooFewToTell));
    assert_eq!((report.n, report.without_answer, report.failures.len()), (10, 1, 5));
    assert!(report.is_missed());
}

#[test]
fn a_code_decides_on_a_product_where_there_is_one_and_its_name_where_there_is_none() {
    let case = |id: &str, product: &str, code: Value| {
        json!({"id": id, "question": "q", "input_query_type": "treemap_products", "expected_product": product,
            "expected_product_code": code})
    };
    let cases = [case("a", "coffee", json!("0901")), case("b", "Travel & tourism", Value::Null)];
    let cases = read_cases(Component::Extraction, &cases).unwrap();
    let answer = |name: &str, code: Value| {
        Ok(json!({"product": name, "product_code": code}).as_object().unwrap().clone())
    };
    let score = |a, b| {
        let report = report(
            Component::Extraction,
            &cases,
            &BTreeMap::from([("a".to_owned(), a), ("b".to_owned(), b)]),
        );
        report
            .metrics
            .iter()
            .find(|metric| metric.name == "product accuracy")
            .unwrap()
            .result
            .unwrap()
            .successes
    };
    assert_eq!(score(answer("coffee beans", json!("0901")), answer("travel & tourism", Value::Null)), 2);
    assert_eq!(score(answer("coffee", json!("0902")), answer("tourists", Value::Null)), 0);
}
