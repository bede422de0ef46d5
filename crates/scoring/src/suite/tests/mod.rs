//! Tests of suites: the scorers as documented, running and reading a suite.

mod read;
mod run;
mod scorers;

use std::path::Path;

use serde_json::Value;

use atlas_gt_core::diagnostic::Diagnostic;

use super::*;
use crate::scorers::builtin;

fn read(text: &str) -> Result<(Suite, Vec<Diagnostic>), Vec<Diagnostic>> {
    read_suite(Path::new("suite.yaml"), text, &builtin())
}

fn suite(text: &str) -> Suite {
    read(text).unwrap().0
}

fn answer(value: Value) -> AgentOutput {
    parse_answer(&value).unwrap()
}

/// The results of the cases, and the scores of the suite.
fn run_suite(suite: &Suite, answers: &[AgentOutput], registry: &Registry) -> (Vec<CaseResult>, SuiteScores) {
    let of = |case: &SuiteCase| answers.iter().find(|answer| answer.case == case.name);
    let cases: Vec<_> = suite
        .cases
        .iter()
        .map(|case| (case.cluster.as_deref(), run_case(case, of(case), registry)))
        .collect();
    let scores = summarize(&suite.name, &cases, 0);
    (cases.into_iter().map(|(_, result)| result).collect(), scores)
}

fn run(text: &str, answers: &[Value]) -> (Vec<CaseResult>, SuiteScores) {
    let answers: Vec<AgentOutput> = answers.iter().cloned().map(answer).collect();
    run_suite(&suite(text), &answers, &builtin())
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
