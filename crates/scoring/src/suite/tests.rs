//! Suites as documented (scorers, section by section; decisions 6, 7 and 17), and files that are not as they should be.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use atlas_gt_core::diagnostic::{Diagnostic, Severity};

use super::*;
use crate::scorers::{self, JudgeConfig, Provider, provider_of};
use crate::{CaseVerdict, Score, Verdict};

fn read(text: &str) -> Result<(Suite, Vec<Diagnostic>), Vec<Diagnostic>> {
    read_suite(Path::new("suite.yaml"), text, &scorers::builtin())
}

fn suite(text: &str) -> Suite {
    read(text).unwrap().0
}

fn answer(value: Value) -> AgentOutput {
    parse_answer(&value).unwrap()
}

fn run_suite(suite: &Suite, answers: &[AgentOutput], registry: &Registry) -> SuiteResult {
    let of = |case: &SuiteCase| answers.iter().find(|answer| answer.case == case.name);
    let cases = suite.cases.iter().map(|case| run_case(case, of(case), registry)).collect();
    summarize(suite, cases, answers)
}

fn run(text: &str, answers: &[Value]) -> SuiteResult {
    let answers: Vec<AgentOutput> = answers.iter().cloned().map(answer).collect();
    run_suite(&suite(text), &answers, &scorers::builtin())
}

const SEARCH: &str = r#"
name: my-suite
cases:
  - name: search_task
    input:
      query: "What is the weather in Tokyo?"
    expected_tools:
      - web_search
    # or for ordered sequence:
    expected_tool_sequence:
      - web_search
      - format_response
    scorers:
      - tool_selection
"#;

#[test]
fn scorers_tool_selection_scorer() {
    let result = run(
        SEARCH,
        &[json!({"case": "search_task", "output": "", "tool_calls": ["web_search", "format_response"]})],
    );
    // The sequence's tools are expected too.
    assert_eq!(result.cases[0].score, Some(1.0));
    assert_eq!(result.cases[0].verdict, CaseVerdict::Pass);
    let unrecorded = run(SEARCH, &[json!({"case": "search_task", "output": ""})]);
    assert_eq!(unrecorded.cases[0].verdict, CaseVerdict::Unscored);
}

#[test]
fn scorers_reasoning_scorer() {
    let text = r#"
name: s
cases:
  - name: complex_analysis
    input:
      query: "Compare the economic policies of countries A and B"
    scorers:
      - reasoning
    scorer_config:
      reasoning:
        model: claude-3-5-sonnet  # Override default model
"#;
    let points = json!({"logical_coherence": 3, "information_usage": 2, "problem_decomposition": 2, "completeness": 1});
    let result =
        run(text, &[json!({"case": "complex_analysis", "output": "x", "judge": {"reasoning": points}})]);
    assert!((result.cases[0].score.unwrap() - 0.8).abs() < 1e-12, "points / 10");
    let without = run(text, &[json!({"case": "complex_analysis", "output": "x"})]);
    assert_eq!(without.cases[0].scorers[0].status, CaseVerdict::Unscored);
    assert!(!without.passes(0.0), "decision 6: unscored cannot pass a gate");
    for bad in [json!({"logical_coherence": 4}), json!({"logic": 1}), json!({})] {
        let result =
            run(text, &[json!({"case": "complex_analysis", "output": "x", "judge": {"reasoning": bad}})]);
        assert_eq!(result.cases[0].verdict, CaseVerdict::Error);
    }
}

const GROUNDED: &str = r#"
name: s
cases:
  - name: factual_response
    input:
      query: "What is the population of France?"
      context:
        source: "France has a population of approximately 67 million"
    expected_output_contains:
      - "67 million"
      - "France"
    scorers:
      - grounding
"#;

#[test]
fn scorers_grounding_scorer_and_decision_7_expected_content_needs_no_judge() {
    let points = json!({"grounding": {"factual_accuracy": 4, "evidence_support": 3}});
    for (text, score) in [("France has 67 Million people", 0.9), ("67 million", 0.8), ("many", 0.7)] {
        let result = run(GROUNDED, &[json!({"case": "factual_response", "output": text, "judge": points})]);
        assert!((result.cases[0].score.unwrap() - score).abs() < 1e-12, "{text}");
    }
    let result = run(GROUNDED, &[json!({"case": "factual_response", "output": "France: 67 million"})]);
    let scorer = &result.cases[0].scorers[0];
    assert_eq!(scorer.status, CaseVerdict::Unscored);
    assert_eq!(scorer.score.metadata["expected_content"], 2.0);
}

#[test]
fn scorers_global_defaults_and_per_case_configuration() {
    let text = r#"
name: my-suite
default_scorers:
  - tool_selection
  - reasoning
  - grounding
default_min_score: 0.7
scorer_config:
  tool_selection:
    strict_order: false
    penalize_extra: 0.1
  grounding:
    model: gemini-1.5-pro  # Cheaper for grounding checks
cases:
  - name: plain
    input: {query: q}
    expected_tools: [a]
  - name: critical_case
    input: {query: q}
    expected_tools: [a]
    scorers:
      - tool_selection
      - reasoning
    scorer_config:
      tool_selection:
        strict_order: true
      reasoning:
        model: claude-3-opus  # Use more capable model
    min_score: 0.9  # Higher threshold for critical cases
"#;
    let suite = suite(text);
    let names = |case: &SuiteCase| case.scorers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&suite.cases[0]), ["tool_selection", "reasoning", "grounding"]);
    assert!((suite.cases[0].min_score - 0.7).abs() < 1e-12);
    assert_eq!(names(&suite.cases[1]), ["tool_selection", "reasoning"]);
    assert!((suite.cases[1].min_score - 0.9).abs() < 1e-12);
    // Decision 7: case configuration beats suite, key by key.
    assert_eq!(suite.cases[1].scorers[0].1, json!({"strict_order": true, "penalize_extra": 0.1}));
}

#[test]
fn scorers_score_interpretation() {
    for (score, band) in [
        (1.0, ScoreBand::Excellent),
        (0.9, ScoreBand::Excellent),
        (0.89, ScoreBand::Good),
        (0.7, ScoreBand::Good),
        (0.69, ScoreBand::Fair),
        (0.5, ScoreBand::Fair),
        (0.49, ScoreBand::Poor),
        (0.0, ScoreBand::Poor),
    ] {
        assert_eq!(ScoreBand::of(score), band, "{score}");
    }
}

#[test]
fn scorers_llm_judge_configuration_and_decision_7_providers() {
    for (model, provider) in [
        ("claude-3-5-sonnet", Some(Provider::Anthropic)),
        ("claude-3-opus", Some(Provider::Anthropic)),
        ("gemini-1.5-pro", Some(Provider::Google)),
        ("gemini-1.5-flash", Some(Provider::Google)),
        ("gpt-5-mini", Some(Provider::OpenAi)),
        ("llama-3", None),
    ] {
        assert_eq!(provider_of(model), provider, "{model}");
    }
    assert_eq!(JudgeConfig::default().model, "claude-3-5-sonnet");
}

/// The documented custom scorer.
struct MyCustomScorer;

impl Scorer for MyCustomScorer {
    fn name(&self) -> &str {
        "my_custom_scorer"
    }

    fn score(&self, _: &SuiteCase, output: &AgentOutput, _: &Value) -> Result<Score, ScorerError> {
        if output.text == "crash" {
            return Err(ScorerError("it crashed".to_owned()));
        }
        Ok(Score::scored(0.8, "Custom evaluation passed")
            .with("evidence", ["Detail 1", "Detail 2"].as_slice()))
    }
}

#[test]
fn scorers_custom_scorers() {
    let mut registry = scorers::builtin();
    registry.register(Box::new(MyCustomScorer)).unwrap();
    assert!(registry.register(Box::new(MyCustomScorer)).is_err(), "a name is taken once");
    let text =
        "name: s\ncases:\n  - name: c\n    input: {query: q}\n    scorers:\n      - my_custom_scorer\n";
    assert!(read(text).unwrap_err()[0].message.contains("unknown scorer"));
    let (suite, _) = read_suite(Path::new("suite.yaml"), text, &registry).unwrap();
    let result = run_suite(&suite, &[answer(json!({"case": "c", "output": "x"}))], &registry);
    assert_eq!(result.cases[0].score, Some(0.8));
    assert_eq!(result.cases[0].scorers[0].score.metadata["evidence"], json!(["Detail 1", "Detail 2"]));
    let crashed = run_suite(&suite, &[answer(json!({"case": "c", "output": "crash"}))], &registry);
    assert_eq!(
        (crashed.verdict, crashed.cases[0].score),
        (CaseVerdict::Error, None),
        "an error is not a zero"
    );
}

#[test]
fn decision_7_a_case_passes_if_every_scored_scorer_reaches_min_score() {
    let text = r#"
name: s
default_scorers: [tool_selection, contains, reasoning]
default_min_score: 0.5
cases:
  - {name: c, input: {query: q}, expected_tools: [a], expected_output_contains: [x, y]}
"#;
    let verdict = |tools: Value, output: &str| {
        run(text, &[json!({"case": "c", "output": output, "tool_calls": tools})]).cases[0].verdict
    };
    assert_eq!(
        verdict(json!(["a"]), "x"),
        CaseVerdict::Pass,
        "edges are lower-inclusive, reasoning is unscored"
    );
    assert_eq!(verdict(json!(["b"]), "x y"), CaseVerdict::Fail);
}

#[test]
fn decision_17_failures_count_as_fails_and_not_as_zeros() {
    let text = r#"
name: s
default_scorers: [contains]
cases:
  - {name: a, input: {query: q}, expected_output_contains: [x]}
  - {name: b, input: {query: q}, expected_output_contains: [x]}
  - {name: c, input: {query: q}, expected_output_contains: [x]}
"#;
    let result = run(
        text,
        &[
            json!({"case": "a", "output": "x"}),
            json!({"case": "b", "error": "timeout"}),
            json!({"case": "d", "output": ""}),
        ],
    );
    assert_eq!(result.pass_rate.unwrap().successes, 1);
    assert_eq!(result.pass_rate.unwrap().n, 3);
    assert_eq!((result.score.unwrap().mean, result.score.unwrap().n), (1.0, 1));
    assert_eq!((result.errors, result.verdict), (2, CaseVerdict::Error));
    assert_eq!(result.unmatched, ["d"]);
}

#[test]
fn every_builtin_scorer_scores() {
    let text = r#"
name: s
numbers: display
default_scorers: [trajectory, tool_calls, contains, value, json, text, link]
default_min_score: 0.9
scorer_config:
  json: {strategies: {note: IGNORE}}
cases:
  - name: c
    input: {query: q}
    expected_tool: graphql_preferred
    expected_calls: {calls: [{tool: query_tool, arguments: {country: 404}}]}
    expected_output_contains: [gdp]
    expected_value: '{"gdp": "$2,274", "note": "x"}'
    expected_output: {gdp: "$2,274", note: y}
    expected_facts: {facts: ["$2,274"]}
    expected_url: https://atlas.hks.harvard.edu/countries/404
"#;
    let result = run(
        text,
        &[
            json!({"case": "c", "output": {"gdp": "$2,274", "note": "x"}, "links": ["https://atlas.hks.harvard.edu/countries/404/"],
            "tool_calls": [{"name": "query_tool", "args": {"country": 404}}]}),
        ],
    );
    let scores: Vec<(&str, Option<f64>)> =
        result.cases[0].scorers.iter().map(|scorer| (&*scorer.scorer, scorer.score.value)).collect();
    for (name, score) in &scores {
        if *name == "text" {
            assert!(score.is_some_and(|score| score > 0.4 && score < 1.0), "{scores:?}");
        } else {
            assert_eq!(*score, Some(1.0), "{name}: {:#?}", result.cases[0].scorers);
        }
    }
    assert!(result.cases[0].scorers[0].score.reason().starts_with("acceptable"));
}

#[test]
fn decision_6_a_json_field_that_nothing_could_judge_is_not_given_away() {
    let text = r#"
name: s
default_scorers: [json]
cases:
  - {name: c, input: {query: q}, expected_output: {gdp: 5, note: Services lead the exports}}
"#;
    let result = run(text, &[json!({"case": "c", "output": {"gdp": 5, "note": "Tea leads the exports"}})]);
    let (case, scorer) = (&result.cases[0], &result.cases[0].scorers[0]);
    assert_eq!((case.verdict, case.score, result.unscored), (CaseVerdict::Unscored, None, 1), "{result:#?}");
    assert_eq!((scorer.score.value, scorer.score.verdict), (None, Verdict::Unscored));
    assert_eq!(scorer.score.metadata["accuracy"], 1.0, "what was judged stands beside it");
    assert_eq!((result.verdict, result.passes(0.0)), (CaseVerdict::Fail, false));
    let same = run(text, &[json!({"case": "c", "output": {"gdp": 5, "note": "services lead the  exports"}})]);
    assert_eq!(same.cases[0].verdict, CaseVerdict::Pass);
}

#[test]
fn a_case_alone_is_read_as_in_a_suite() {
    let text = "name: c\ncluster: kenya\nexpected_value: $5\nexpected_facts: {facts: [a]}\nscorers: [value, mine]\n\
                expected_tools: [a]\nmin_score: 0.5\nscorer_config: {tool_selection: {penalize_extra: 0.5}, mine: {command: [x]}}\n";
    let read =
        |text| read_case(Path::new("case.yaml"), text, &scorers::builtin(), &["tool_selection", "link"], 1.0);
    let case = read(text).unwrap();
    assert_eq!(case.scorers, [("tool_selection".to_owned(), json!({"penalize_extra": 0.5}))]);
    assert!((case.min_score - 0.5).abs() < 1e-12);
    assert!(
        (read("expected_tools: [a]").unwrap().min_score - 1.0).abs() < 1e-12,
        "name and input may be missing"
    );
    assert_eq!(read("expected_tool: maybe").unwrap_err().place.line, 1);
    assert!(read("scorer_config: {tool_selection: {strict: true}}").unwrap_err().message.contains("strict"));
}

#[test]
fn decision_8_match_rate_and_the_strict_one_beside_it() {
    let text = r#"
name: s
default_scorers: [trajectory]
cases:
  - {name: a, cluster: kenya, input: {query: q}, expected_tool: graphql_preferred}
  - {name: b, cluster: kenya, input: {query: q}, expected_tool: graphql_preferred}
  - {name: c, cluster: spain, input: {query: q}, expected_tool: refusal}
  - {name: d, cluster: spain, input: {query: q}, expected_tool: either}
"#;
    let result = run(
        text,
        &[
            json!({"case": "a", "output": "", "tool_calls": ["atlas_graphql"]}),
            json!({"case": "b", "output": "", "tool_calls": ["query_tool"]}),
            json!({"case": "c", "output": "", "tool_calls": ["query_tool"]}),
        ],
    );
    let rate = result.trajectories.unwrap();
    assert_eq!((rate.n, rate.rate, rate.strict_rate), (4, Some(0.5), Some(0.25)));
    assert_eq!(result.score.unwrap().clusters, Some(2), "the error is clustered by country");
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
        ("name: s\ncases: []\n", 1, "no cases"),
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
        ("name: s\nname: t\ncases: []\n", 2, "duplicate"),
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
fn answers_are_read_from_several_shapes() {
    let read = |value: Value| parse_answer(&value);
    assert_eq!(read(json!({"case": "c", "output": "{\"a\": 1}"})).unwrap().object.unwrap()["a"], json!(1));
    assert_eq!(
        read(json!({"case": "c", "answer": {"a": 1}, "atlas_links": [{"url": "u"}]})).unwrap().links,
        ["u"]
    );
    for (bad, part) in [
        (json!({"output": "x"}), "`case` must"),
        (json!({"case": "c"}), "`output` is missing"),
        (json!({"case": "c", "output": "", "tools": []}), "unknown key"),
        (json!({"case": "c", "output": "", "tool_calls": [{}]}), "tool call 1"),
        (json!([]), "expected an object"),
    ] {
        assert!(read(bad).unwrap_err().contains(part));
    }
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
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(path, format!("{:#}\n", suite_schema())).unwrap();
    }
    let published: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(published, suite_schema(), "it is old: run the test with UPDATE_SCHEMA=1");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("suite.json", published).unwrap();
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
