//! Scorer `json`: the answer as an object, compared field by field.

use serde_json::{Map, Value};

use crate::json::{JsonConfig, Numbers, Similarities, parse_object, score};
use crate::score::Score;
use crate::suite::{AgentOutput, Scorer, ScorerError, SuiteCase, configured};

/// Scores the answer's object against `expected_output`, like `score json`.
pub(super) struct JsonFields;

fn config(given: &Value) -> Result<JsonConfig, String> {
    let config: JsonConfig = configured(given)?;
    config.check()?;
    Ok(config)
}

impl Scorer for JsonFields {
    fn name(&self) -> &str {
        "json"
    }

    fn scores_words(&self) -> bool {
        true
    }

    fn lacks(&self, case: &SuiteCase) -> Option<&'static str> {
        case.expected_output.as_ref().is_none_or(Map::is_empty).then_some("`expected_output`")
    }

    fn check(&self, given: &Value) -> Result<(), String> {
        config(given).map(drop)
    }

    fn score(&self, case: &SuiteCase, output: &AgentOutput, given: &Value) -> Result<Score, ScorerError> {
        let Some(answer) = &output.object else {
            return Ok(Score::scored(0.0, "the answer is not a JSON object"));
        };
        let mut config = config(given).map_err(ScorerError)?;
        if case.numbers == Numbers::Display {
            config.numbers = Numbers::Display;
        }
        let text = |object: &Map<String, Value>| Value::Object(object.clone()).to_string();
        let (truth, answer) = (case.expected_output.as_ref().map(text).unwrap_or_default(), text(answer));
        let read = |side: &str, text| {
            parse_object(text).map_err(|error| ScorerError(format!("{side}: {}", error.message)))
        };
        let truth = read("expected_output", truth.as_bytes())?;
        let answer = read("output", answer.as_bytes())?;
        Ok(score(truth, answer, &config, &Similarities::new()).erased())
    }
}
