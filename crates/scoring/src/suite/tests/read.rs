//! Reading suites and cases: problems with their lines, the published schema.

use std::path::Path;

use atlas_gt_core::diagnostic::Severity;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{ConfiguredScorer, SuiteCase, commands_of, read_case, suite_schema};
use super::{GROUNDED, SEARCH, read};
use crate::scorers::builtin;

#[test]
fn a_case_alone_is_read_as_in_a_suite() {
    let text = "name: c\ncluster: kenya\nexpected_value: $5\nexpected_facts: {facts: [a]}\nscorers: [value, mine]\n\
                expected_tools: [a]\nmin_score: 0.5\nscorer_config: {tool_selection: {penalize_extra: 0.5}, mine: {command: [x]}}\n";
    let read = |text| read_case(Path::new("case.yaml"), text, &builtin(), &["tool_selection", "link"], 1.0);
    let case = read(text).unwrap();
    let scorer =
        ConfiguredScorer { name: "tool_selection".to_owned(), config: json!({"penalize_extra": 0.5}) };
    assert_eq!(case.scorers, [scorer]);
    let older: SuiteCase =
        serde_json::from_value(json!({"scorers": [["tool_selection", {"penalize_extra": 0.5}]]})).unwrap();
    assert_eq!(older.scorers, case.scorers);
    assert!((case.min_score - 0.5).abs() < 1e-12);
    assert!(
        (read("expected_tools: [a]").unwrap().min_score - 1.0).abs() < 1e-12,
        "name and input may be missing"
    );
    assert!(
        read("scorer_config:\nexpected_output_contains:\nexpected_tools: [a]").is_ok(),
        "blank keys count as left out"
    );
    assert_eq!(read("expected_tool: maybe").unwrap_err().place.line, 1);
    assert!(read("scorer_config: {tool_selection: {strict: true}}").unwrap_err().message.contains("strict"));
}

#[test]
fn problems_are_named_with_their_line() {
    for (text, line, part) in [
        (
            "name: s\ncases:\n  - name: c\n    input: {query: q}\n    scorers: [tool_selecton]\n",
            5,
            "did you mean \"tool_selection\"?",
        ),
        (
            "name: s\ncases:\n  - name: c\n    inputs: {query: q}\n",
            4,
            "unknown key `inputs` (did you mean `input`?)",
        ),
        (
            "name: s\ndefault_min_score: 7\ncases:\n  - {name: c, input: {query: q}, scorers: [value], expected_value: x}\n",
            2,
            "expected 0 to 1",
        ),
        (
            "name: s\ndefault_scorers: [contains]\ncases:\n  - {name: c, input: {query: q}}\n  - {name: c, input: {query: q}}\n",
            5,
            "already defined in line 4",
        ),
        ("name: s\ncases:\n  - name: c\n    input: {query: q}\n", 3, "has no scorers"),
        (
            "name: s\ndefault_scorers: [mine]\nscorer_config: {mine: {command: python3 mine.py}}\ncases:\n  - {name: c, input: {query: q}}\n",
            2,
            "`command` must be a list",
        ),
        ("name: s\ncases: []\n", 1, "no cases"),
        (
            "name: s\ncases:\n  - {name: c, input: {query: ' '}, scorers: [value], expected_value: x}\n",
            3,
            "`query` is empty",
        ),
        (
            "name: s\ncases:\n  - {name: c, input: {query: q}, scorers: [link], expected_url: countries/404}\n",
            3,
            "`expected_url` of the case \"c\": \"countries/404\" is not a web address",
        ),
        (
            "name: s\ncases:\n  - {name: c, input: {query: q}, scorers: [tool_selection], expected_tools: [a, '']}\n",
            3,
            "a tool of the case \"c\" has an empty name",
        ),
        (
            "name: s\ncases:\n  - {name: c, input: {query: q}, scorers: [tool_calls], expected_calls: {calls: [{tool: [a, ' ']}]}}\n",
            3,
            "a tool of the case \"c\" has an empty name",
        ),
        (
            "name: s\ndefault_scorers: [reasoning]\nscorer_config:\n  reasoning:\n    model: llama-3\ncases:\n  - {name: c, input: {query: q}}\n",
            5,
            "provider of model",
        ),
        (
            "name: s\ndefault_scorers: [tool_selection]\nscorer_config:\n  tool_selection: {strict: true}\ncases:\n  - {name: c, input: {query: q}}\n",
            4,
            "unknown field `strict`",
        ),
        ("name: s\nname: t\ncases: []\n", 2, "stands twice"),
        ("name: [\n", 2, ""),
        (
            "name: s\ncases:\n  - name: c\n    input: {query: q}\n    scorers: [value]\n    min_score: .nan\n",
            6,
            "non-finite float",
        ),
    ] {
        let problems = read(text).unwrap_err();
        let mut errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
        let problem = errors.find(|problem| problem.to_string().contains(part));
        let problem = problem.unwrap_or_else(|| panic!("{part}: {problems:?}"));
        assert!(problem.place.line.abs_diff(line) <= 1 && problem.place.column > 0, "{text}: {problem:?}");
    }
    let (_, warnings) =
        read("name: s\ncases:\n  - {name: c, input: {query: q}, scorers: [value]}\n").unwrap();
    assert!(
        warnings[0].message.contains("needs `expected_value`") && warnings[0].place.line == 3,
        "{warnings:?}"
    );
}

#[test]
fn everything_that_is_wrong_is_reported_at_once_with_its_field() {
    let text = "name: 2026\ndefault_min_score: high\ncases:\n  - {name: a, input: {query: q}, scorer: [value]}\n  - {name: b, input: 7, expected_tool: maybe}\n  - 3\n";
    let found: Vec<String> = read(text).unwrap_err().iter().map(ToString::to_string).collect();
    let expected = [
        "2:20: default_min_score: expected a number, found a text",
        "4:5: cases[0]: the case \"a\" has no scorers: give `scorers` or `default_scorers`",
        "4:34: cases[0].scorer: unknown key `scorer` (did you mean `scorers`?)",
        "5:22: cases[1].input: expected an object, found a number",
        "5:40: cases[1].expected_tool: `maybe` is not known here (known: ",
        "6:5: cases[2]: expected an object, found a number",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(&format!("suite.yaml:{expected}")), "{expected}: {found}");
    }
}

#[test]
fn anchors_that_explode_are_refused() {
    let mut text = String::from("name: s\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let alias = format!("*a{}", level - 1);
        text.push_str(&format!("a{level}: &a{level} [{}]\n", [alias.as_str(); 10].join(", ")));
    }
    text.push_str("cases: *a11\n");
    // expanded, it would have a million million nodes and never be done
    let problems = read(&text).unwrap_err();
    assert!(problems[0].severity == Severity::Error && problems[0].place.line > 0, "{problems:?}");
    // Also where any value is allowed.
    let config = text
        .replace("cases: *a11", "")
        .replace("name: s\n", "name: s\nscorer_config:\n")
        .replace("\na", "\n  a");
    assert!(read(&format!("{config}cases: []\n")).is_err());
    let deep = format!("name: s\ncases: {}", "[".repeat(10_000));
    assert!(read(&deep).is_err());
}

#[test]
fn programs_are_found_before_the_suite_is_checked() {
    let text = "name: s\nscorer_config:\n  mine: {command: [python3, score.py], timeout_seconds: 5}\ncases:\n  - {name: c, input: {query: q}, scorers: [mine]}\n";
    let commands = commands_of(text);
    assert_eq!(commands["mine"].command, ["python3", "score.py"]);
    assert!((commands["mine"].timeout_seconds - 5.0).abs() < 1e-12);
    assert!(commands_of("name: [").is_empty());
}

#[test]
fn the_published_schema_is_current_and_accepts_the_documented_suites() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../manifests/suite.schema.json");
    let current = serde_json::to_string_pretty(&suite_schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(path, &current).unwrap();
    }
    let published = std::fs::read_to_string(path).unwrap();
    assert!(published == current, "it is old: run the test with UPDATE_SCHEMA=1");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("suite.json", suite_schema().to_value()).unwrap();
    let schema = compiler.compile("suite.json", &mut schemas).unwrap();
    for text in [SEARCH, GROUNDED] {
        let value: Value = serde_saphyr::from_str(text).unwrap();
        let checked = schemas.validate(&value, schema);
        assert!(checked.is_ok(), "{}", checked.unwrap_err());
    }
    let without_input = json!({"name": "s", "cases": [{"name": "c"}]});
    assert!(schemas.validate(&without_input, schema).is_err());
}

proptest! {
    #[test]
    fn any_suite_text_is_read_or_refused(text in "(name: s\n|cases:\n|  - name: c\n|    input: \\{query: q\\}\n|    scorers: \\[value\\]\n|[&*]a |: |- |\\[|\\{|\\PC){0,12}") {
        if let Err(problems) = read(&text) {
            prop_assert!(!problems.is_empty());
        }
    }
}
