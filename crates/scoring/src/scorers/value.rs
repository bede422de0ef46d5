//! The value that the answer states, at displayed precision.

use serde_json::Value;

use crate::compare::compare_texts;
use crate::score::Score;
use crate::suite::{AgentOutput, Case, Scorer, ScorerError};

/// The answer against `expected_value`, by the one comparator.
pub(super) struct DisplayedValue;

impl Scorer for DisplayedValue {
    fn name(&self) -> &str {
        "value"
    }

    fn scores_words(&self) -> bool {
        true
    }

    fn lacks(&self, case: &Case) -> Option<&'static str> {
        case.expected_value.is_none().then_some("`expected_value`")
    }

    fn score(&self, case: &Case, output: &AgentOutput, _: &Value) -> Result<Score, ScorerError> {
        let expected = case.expected_value.as_deref().unwrap_or_default();
        Ok(compare_texts(expected, output.text.trim()).into())
    }
}
