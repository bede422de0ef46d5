//! The scorers of a suite as documented (scorers, section by section; decisions 6 and 7).

use std::path::Path;

use serde_json::{Value, json};

use super::super::{AgentOutput, Scorer, ScorerError, SuiteCase, read_suite};
use super::{GROUNDED, SEARCH, answer, read, run, run_suite};
use crate::scorers::{JudgeConfig, Provider, builtin, provider_of};
use crate::{CaseVerdict, Score, Verdict};

#[test]
fn scorers_tool_selection_scorer() {
    let result = run(
        SEARCH,
        &[json!({"case": "search_task", "output": "", "tool_calls": ["web_search", "format_response"]})],
    );
    // The sequence's tools are expected too.
    assert_eq!(result.0[0].score, Some(1.0));
    assert_eq!(result.0[0].verdict, CaseVerdict::Pass);
    let unrecorded = run(SEARCH, &[json!({"case": "search_task", "output": ""})]);
    assert_eq!(unrecorded.0[0].verdict, CaseVerdict::Unscored);
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
    assert!((result.0[0].score.unwrap() - 0.8).abs() < 1e-12, "points / 10");
    let without = run(text, &[json!({"case": "complex_analysis", "output": "x"})]);
    assert_eq!(without.0[0].scorers[0].status, CaseVerdict::Unscored);
    assert!(without.1.missed(Some(0.0)).is_some(), "decision 6: unscored cannot pass a gate");
    for bad in [json!({"logical_coherence": 4}), json!({"logic": 1}), json!({})] {
        let result =
            run(text, &[json!({"case": "complex_analysis", "output": "x", "judge": {"reasoning": bad}})]);
        assert_eq!(result.0[0].verdict, CaseVerdict::Error);
    }
}

#[test]
fn scorers_grounding_scorer_and_decision_7_expected_content_needs_no_judge() {
    let points = json!({"grounding": {"factual_accuracy": 4, "evidence_support": 3}});
    for (text, score) in [("France has 67 Million people", 0.9), ("67 million", 0.8), ("many", 0.7)] {
        let result = run(GROUNDED, &[json!({"case": "factual_response", "output": text, "judge": points})]);
        assert!((result.0[0].score.unwrap() - score).abs() < 1e-12, "{text}");
    }
    let result = run(GROUNDED, &[json!({"case": "factual_response", "output": "France: 67 million"})]);
    let scorer = &result.0[0].scorers[0];
    assert_eq!(scorer.status, CaseVerdict::Unscored);
    assert_eq!(scorer.score.metadata["expected_content"], 2.0);
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
    let mut registry = builtin();
    registry.register(Box::new(MyCustomScorer)).unwrap();
    assert!(registry.register(Box::new(MyCustomScorer)).is_err(), "a name is taken once");
    let text =
        "name: s\ncases:\n  - name: c\n    input: {query: q}\n    scorers:\n      - my_custom_scorer\n";
    assert!(read(text).unwrap_err()[0].message.contains("unknown scorer"));
    let (suite, _) = read_suite(Path::new("suite.yaml"), text, &registry).unwrap();
    let result = run_suite(&suite, &[answer(json!({"case": "c", "output": "x"}))], &registry);
    assert_eq!(result.0[0].score, Some(0.8));
    assert_eq!(result.0[0].scorers[0].score.metadata["evidence"], json!(["Detail 1", "Detail 2"]));
    let crashed = run_suite(&suite, &[answer(json!({"case": "c", "output": "crash"}))], &registry);
    assert_eq!((crashed.1.verdict, crashed.0[0].score), (CaseVerdict::Error, None), "an error is not a zero");
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
        result.0[0].scorers.iter().map(|scorer| (&*scorer.scorer, scorer.score.value)).collect();
    for (name, score) in &scores {
        if *name == "text" {
            assert!(score.is_some_and(|score| score > 0.4 && score < 1.0), "{scores:?}");
        } else {
            assert_eq!(*score, Some(1.0), "{name}: {:#?}", result.0[0].scorers);
        }
    }
    assert!(result.0[0].scorers[0].score.reason().starts_with("acceptable"));
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
    let (case, scorer) = (&result.0[0], &result.0[0].scorers[0]);
    assert_eq!(
        (case.verdict, case.score, result.1.unscored),
        (CaseVerdict::Unscored, None, 1),
        "{result:#?}"
    );
    assert_eq!((scorer.score.value, scorer.score.verdict), (None, Verdict::Unscored));
    assert_eq!(scorer.score.metadata["accuracy"], 1.0, "what was judged stands beside it");
    assert_eq!(result.1.verdict, CaseVerdict::Fail);
    assert_eq!(
        result.1.missed(Some(0.5)).unwrap(),
        "1 scorer run unscored; no case has a score, the minimum is 0.5"
    );
    let same = run(text, &[json!({"case": "c", "output": {"gdp": 5, "note": "services lead the  exports"}})]);
    assert_eq!(same.0[0].verdict, CaseVerdict::Pass);
}
