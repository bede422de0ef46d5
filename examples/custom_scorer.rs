//! A scorer of one's own: implement the trait, register it under its name, use the name in a suite.
//!
//! Run it with `cargo run --example custom_scorer`.

use std::error::Error;

use atlas_gt::scoring::suite::{
    AgentOutput, Case, Registry, Scorer, ScorerError, ScorerResult, parse_answer, read_suite, run_suite,
};
use serde_json::{Value, json};

/// Rewards short answers: full marks up to `limit` words, then less in proportion.
struct Brevity;

impl Scorer for Brevity {
    fn name(&self) -> &str {
        "brevity"
    }

    fn description(&self) -> &str {
        "rewards answers of at most `limit` words"
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        match config.get("limit").map(Value::as_u64) {
            None => Ok(()),
            Some(Some(1..)) => Ok(()),
            Some(_) => Err("`limit` must be a whole number of words, 1 or more".to_owned()),
        }
    }

    fn score(&self, _: &Case, output: &AgentOutput, config: &Value) -> Result<ScorerResult, ScorerError> {
        let limit = config.get("limit").and_then(Value::as_u64).unwrap_or(20);
        let words = output.text.split_whitespace().count() as u64;
        if words == 0 {
            return Ok(ScorerResult::unscored("the answer is empty"));
        }
        let score = (limit as f64 / words as f64).min(1.0);
        Ok(ScorerResult::scored(score, format!("{words} words, the limit is {limit}")))
    }
}

const SUITE: &str = "
name: brevity-example
default_scorers: [contains, brevity]
scorer_config:
  brevity: {limit: 8}
cases:
  - name: gdp
    input: {query: What is the GDP per capita of Kenya?}
    expected_output_contains: ['$2,274']
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = Registry::builtin();
    registry.register(Box::new(Brevity))?;
    let (suite, _) = read_suite(SUITE, &registry).map_err(|problems| format!("{problems:?}"))?;
    let answer = parse_answer(
        &json!({"case": "gdp", "output": "The GDP per capita of Kenya is $2,274 in 2024, they say."}),
    )?;
    let result = run_suite(&suite, &[answer], &registry);
    for scorer in &result.cases[0].scorers {
        println!("{:10} {:?} {}", scorer.scorer, scorer.score, scorer.reason);
    }
    println!("{:?}", result.cases[0].verdict);
    Ok(())
}
