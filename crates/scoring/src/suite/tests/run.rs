//! Running a suite: defaults, verdicts and rates (decisions 7, 8 and 17), and reading answers.

use serde_json::{Value, json};

use super::super::{ScoreBand, SuiteCase, parse_answer};
use super::{run, suite};
use crate::CaseVerdict;

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
    let names = |case: &SuiteCase| case.scorers.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&suite.cases[0]), ["tool_selection", "reasoning", "grounding"]);
    assert!((suite.cases[0].min_score - 0.7).abs() < 1e-12);
    assert_eq!(names(&suite.cases[1]), ["tool_selection", "reasoning"]);
    assert!((suite.cases[1].min_score - 0.9).abs() < 1e-12);
    // Decision 7: case configuration beats suite, key by key.
    assert_eq!(suite.cases[1].scorers[0].config, json!({"strict_order": true, "penalize_extra": 0.1}));
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
fn decision_7_a_case_passes_if_every_scored_scorer_reaches_min_score() {
    let text = r#"
name: s
default_scorers: [tool_selection, contains, reasoning]
default_min_score: 0.5
cases:
  - {name: c, input: {query: q}, expected_tools: [a], expected_output_contains: [x, y]}
"#;
    let verdict = |tools: Value, output: &str| {
        run(text, &[json!({"case": "c", "output": output, "tool_calls": tools})]).0[0].verdict
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
    let (_, result) = run(
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
