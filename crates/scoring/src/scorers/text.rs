//! The threshold metrics over a Markdown text.

use serde_json::Value;

use crate::score::Score;
use crate::suite::{AgentOutput, Case, Scorer, ScorerError};
use crate::text::score_text;

/// The points of the answer against `expected_facts`, as a share of those that can be reached.
pub(super) struct Text;

impl Scorer for Text {
    fn name(&self) -> &str {
        "text"
    }

    fn scores_words(&self) -> bool {
        true
    }

    fn lacks(&self, case: &Case) -> Option<&'static str> {
        case.expected_facts.is_none().then_some("`expected_facts`")
    }

    fn score(&self, case: &Case, output: &AgentOutput, _: &Value) -> Result<Score, ScorerError> {
        let facts = case.expected_facts.clone().unwrap_or_default();
        Ok(score_text(&output.text, &facts).erased())
    }
}
