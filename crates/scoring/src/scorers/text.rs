//! The threshold metrics over a Markdown text.

use crate::score::Score;
use crate::suite::{AgentOutput, SuiteCase};
use crate::text::score_text;

/// The points of the answer against `expected_facts`, as a share of those that can be reached.
pub(super) fn text(case: &SuiteCase, output: &AgentOutput) -> Score {
    score_text(&output.text, &case.expected_facts.clone().unwrap_or_default()).erased()
}
