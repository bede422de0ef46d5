//! Scorer `value`: the answer's value at displayed precision.

use crate::compare::compare_texts;
use crate::score::Score;
use crate::suite::{AgentOutput, SuiteCase};

/// Compares the answer with `expected_value` by the comparator.
pub(super) fn value(case: &SuiteCase, output: &AgentOutput) -> Score {
    compare_texts(case.expected_value.as_deref().unwrap_or_default(), output.text.trim()).into()
}
