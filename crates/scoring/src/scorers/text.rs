//! Scorer `text`: the threshold metrics of a Markdown text.

use crate::score::Score;
use crate::suite::{AgentOutput, SuiteCase};
use crate::text::score_text;

/// The answer's points for `expected_facts` as a share of the attainable points.
pub(super) fn text(case: &SuiteCase, output: &AgentOutput) -> Score {
    score_text(&output.text, &case.expected_facts.clone().unwrap_or_default()).erased()
}
