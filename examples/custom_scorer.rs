//! A scorer of one's own: implement the trait, register it under its name, use the name in a suite.
//!
//! Run it with `cargo run --example custom_scorer`.

use std::path::Path;

use std::error::Error;

use atlas_gt::scoring::suite::{
    AgentOutput, Scorer, ScorerError, SuiteCase, parse_answer, read_suite, run_case,
};
use atlas_gt::scoring::{Score, scorers};
use serde_json::{Value, json};

/// Rewards short answers: full marks up to `limit` words, then less in proportion.
struct Brevity;

impl Scorer for Brevity {
    fn name(&self) -> &str {
        "brevity"
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        match config.get("limit").map(Value::as_u64) {
            None => Ok(()),
            Some(Some(1..)) => Ok(()),
            Some(_) => Err("`limit` must be a whole number of words, 1 or more".to_owned()),
        }
    }

    fn score(&self, _: &SuiteCase, output: &AgentOutput, config: &Value) -> Result<Score, ScorerError> {
        let limit = config.get("limit").and_then(Value::as_u64).unwrap_or(20);
        let words = output.text.split_whitespace().count() as u64;
        if words == 0 {
            return Ok(Score::unscored("the answer is empty"));
        }
        let score = (limit as f64 / words as f64).min(1.0);
        Ok(Score::scored(score, format!("{words} words, the limit is {limit}")))
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
    let mut registry = scorers::builtin();
    registry.register(Box::new(Brevity))?;
    let (suite, _) =
        read_suite(Path::new("suite.yaml"), SUITE, &registry).map_err(|problems| format!("{problems:?}"))?;
    let answer = parse_answer(
        &json!({"case": "gdp", "output": "The GDP per capita of Kenya is $2,274 in 2024, they say."}),
    )?;
    let result = run_case(&suite.cases[0], Some(&answer), &registry);
    for scorer in &result.scorers {
        println!("{:10} {:?} {}", scorer.scorer, scorer.score.value, scorer.score.reason());
    }
    println!("{:?}", result.verdict);
    Ok(())
}
