//! Annotations follow the rules of phase 0, keep what a person decided, and say what they cannot decide.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use atlas_gt::manifest::ExpectedTool;
use atlas_gt::workflow::annotate::{Annotations, Because, annotate, classification_set, decided};
use serde_json::{Value as Json, json};

use crate::{call, questions};

fn annotations(seed: u64) -> Annotations {
    let (extractors, manifest) = questions();
    annotate(&manifest, &extractors, BTreeMap::new(), seed)
}

fn ids(annotations: &Annotations, because: Because) -> BTreeSet<String> {
    let listed = annotations.for_review().filter(|(_, one)| *one == because);
    listed.map(|(annotation, _)| annotation.question_id.to_string()).collect()
}

#[test]
fn evaluation_strategy_phase_0_tools_follow_category_and_source() {
    let (_, manifest) = questions();
    let annotations = annotations(1);
    assert_eq!(annotations.ruled.len(), manifest.entries.len() + manifest.behaviors.len());
    for entry in &manifest.entries {
        let annotation = &annotations.ruled[&entry.question_id];
        let expected = match entry.info.category.as_deref() {
            Some("gql_cross_tool") => ExpectedTool::Both,
            Some("gql_link_verification") => ExpectedTool::Either,
            _ => ExpectedTool::GraphqlOnly,
        };
        assert_eq!(annotation.expected_tool, Some(expected), "{annotation:?}");
        let differs = entry.info.expected_tool.filter(|tool| *tool != expected);
        assert_eq!(annotation.manifest.as_ref().and_then(|says| says.expected_tool), differs);
    }
    for behavior in &manifest.behaviors {
        let annotation = &annotations.ruled[&behavior.question_id];
        assert_eq!(annotation.expected_tool, Some(ExpectedTool::Refusal), "{annotation:?}");
        assert_eq!(annotation.expected_query_type.as_deref(), Some("reject"));
    }
    assert!(annotations.ruled.values().all(|one| !one.rule.is_empty() && one.reason.contains("; ")));
    assert_eq!(ids(&annotations, Because::EdgeCase), ["46", "59"].map(str::to_owned).into());
}

#[test]
fn query_types_by_rule_are_those_of_the_manifest_but_for_one_in_ten() {
    let (_, manifest) = questions();
    let annotations = annotations(1);
    let same = manifest.entries.iter().filter(|entry| {
        annotations.ruled[&entry.question_id].expected_query_type == entry.info.expected_query_type
    });
    let same = same.count();
    assert!(same * 10 >= manifest.entries.len() * 9, "{same} of {}", manifest.entries.len());
}

#[test]
fn a_person_looks_at_all_that_is_open_and_at_a_tenth_of_the_rest() {
    let one = annotations(1);
    let open = one.for_review().filter(|(_, because)| *because != Because::Sample).count();
    let drawn = ids(&one, Because::Sample);
    assert_eq!(drawn.len(), (one.ruled.len() - open).div_ceil(10));
    assert_eq!(one, annotations(1));
    assert_ne!(drawn, ids(&annotations(2), Because::Sample));
    assert!(one.ruled.values().all(|annotation| annotation.review == annotation.review_because.is_some()));
}

#[test]
fn a_question_of_an_unknown_source_waits_for_a_person_with_what_the_manifest_says() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = json!([
        {"question_id": "a", "question_text": "What is the GDP per capita of Kenya?", "source": "sql",
         "atlas_url": "/countries/404", "extraction_method": "dom", "extractor": "country_profile",
         "data_points": ["gdp_per_capita"], "expected_tool": "sql_preferred", "expected_tool_reason": "one row"},
        {"question_id": "b", "question_text": "Who are you?", "expected_behavior": "it says what it is"}
    ]);
    std::fs::write(folder.path().join("m.json"), manifest.to_string()).unwrap();
    let run = || {
        call(
            folder.path(),
            "2026-11-20T00:00:00Z",
            &["annotate", "--manifest", "m.json", "--output", "tool_annotations.json"],
        )
    };
    let (code, out, err) = run();
    assert!(code == 0 && out.contains("2 to check: 2 without a rule"), "{out}{err}");
    let path = folder.path().join("tool_annotations.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut file: Vec<Json> = serde_json::from_str(&text).unwrap();
    assert_eq!((&file[0]["rule"], &file[0]["review"]), (&json!("none"), &json!(true)));
    assert_eq!(
        (&file[0]["expected_tool"], &file[0]["expected_query_type"]),
        (&json!("sql_preferred"), &json!("country_profile"))
    );
    assert_eq!(file[1]["expected_tool"], Json::Null);
    run();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "the same input gives the same bytes");

    // what a person decided stays, with what was added to it, also of questions that are gone
    file[1] = json!({"question_id": "b", "expected_tool": "refusal", "by": "J. Doe", "reviewed": true});
    file.push(json!({"reviewed": true, "question_id": "gone", "expected_query_type": "reject"}));
    std::fs::write(&path, json!(file).to_string()).unwrap();
    let (_, out, _) = run();
    assert!(out.contains("3 annotations, 2 by a person; 1 to check"), "{out}");
    let kept: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(kept[1..], file[1..]);

    // a file that cannot be read is left alone
    for (text, word) in [
        (
            "[{\"question_id\": 1, \"reviewed\": true,\n\"expected_tool\": \"maybe\"}]",
            "tool_annotations.json:2:",
        ),
        ("[{\"question_id\": 1, \"reviewed\": true}, {\"question_id\": \"1\", \"reviewed\": true}]", "twice"),
        (
            "[{\"question_id\": 1, \"reviewed\": true, \"expected_query_type\": \"x\"}]",
            "unknown query type `x`",
        ),
    ] {
        std::fs::write(&path, text).unwrap();
        let (code, _, err) = run();
        assert!(code == 2 && err.contains(word), "{err}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn evaluation_strategy_phase_1_the_classification_set_holds_only_what_nobody_doubts() {
    let (_, manifest) = questions();
    let annotations = annotations(1);
    let set = classification_set(&manifest, &annotations, 3, 1);
    assert_eq!(set, classification_set(&manifest, &annotations, 3, 1));
    let of: BTreeMap<String, _> = manifest
        .entries
        .iter()
        .map(|entry| (format!("extracted from Q{}", entry.question_id), entry))
        .collect();
    for (at, case) in set.cases.iter().enumerate() {
        assert_eq!(case.id, format!("cls_{:03}", at + 1));
        if let Some(entry) = of.get(&case.notes) {
            assert_eq!(entry.info.expected_query_type.as_deref(), Some(case.expected_query_type));
            assert_eq!(entry.info.question_text.as_deref(), Some(case.question.as_str()));
        } else {
            assert_eq!((case.expected_query_type, case.expected_api_target), ("reject", None));
        }
    }
    let counted = |kind: &str| set.cases.iter().filter(|case| case.expected_query_type == kind).count();
    assert_eq!((counted("country_profile"), counted("reject")), (3, 8));
    assert_eq!((set.missing["reject"].available, set.missing["reject"].wanted), (8, 12));
    let kenya = set.cases.iter().find(|case| case.expected_country == Some("Kenya")).unwrap();
    assert!(kenya.question.contains("Kenya") && kenya.expected_api_target == Some("country_pages"));
    assert!(decided(Path::new("/no/such/file.json")).unwrap().is_empty());
}

#[test]
fn a_list_gets_true_reasons_and_a_set_of_what_a_rule_typed() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set.json");
    let run = |questions: Json| {
        std::fs::write(folder.path().join("m.json"), questions.to_string()).unwrap();
        let arguments =
            ["annotate", "--manifest", "m.json", "--output", "a.json", "--classification-set", "set.json"];
        let (code, out, err) = call(folder.path(), "2026-11-20T00:00:00Z", &arguments);
        let written = std::fs::read_to_string(folder.path().join("a.json")).unwrap();
        // long lines are wrapped
        (code, out.split_whitespace().collect::<Vec<_>>().join(" ") + &err, written)
    };
    let pageless = json!({"id": 3, "text": "What are the exports of tea of Kenya?"});
    let (code, said, written) = run(json!([pageless]));
    assert!(
        code == 2 && said.contains("no question has an undisputed query type") && !set.exists(),
        "{said}"
    );
    assert!(
        written.contains("it has no page and no data points") && !written.contains("expected behavior"),
        "{written}"
    );
    let people = json!({"id": 1, "text": "How many people live in Peru?"});
    let income = json!({"id": 2, "text": "What is the GDP per capita of Kenya?"});
    let (code, said, _) = run(json!([people, income, pageless]));
    assert!(code == 0 && said.contains("country_profile 2 of 3"), "{said}");
    let cases: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(&set).unwrap()).unwrap();
    assert!(
        cases.len() == 2 && cases.iter().all(|case| case["expected_query_type"] == "country_profile"),
        "{cases:?}"
    );
}
