//! Scorer `tool_selection`: Jaccard similarity of the tool sets, and similarity of the sequences by their longest common
//! subsequence (scorers, "Tool Selection Scorer"; decision 7).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tool_calls::in_order;
use crate::score::Score;
use crate::suite::{AgentOutput, NO_CALLS, Scorer, ScorerError, SuiteCase, configured};

/// The configuration of the scorer; `scorer_config.tool_selection` in a suite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SelectionConfig {
    /// Whether the sequence must match exactly: its part is 1 or 0. If only `expected_tools` is given, its order is the expected
    /// sequence.
    pub strict_order: bool,
    /// Penalty per unexpected tool, 0 to 1.
    pub penalize_extra: f64,
}

/// The details behind the score of a selection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelectionScore {
    /// Jaccard similarity of the sets, if `expected_tools` is given. Tools of the expected sequence count as expected.
    pub jaccard: Option<f64>,
    /// Similarity of the sequences, if one is expected.
    pub sequence: Option<f64>,
    /// Expected tools that were not called.
    pub missing: Vec<String>,
    /// Unexpected tools that were called, each listed once.
    pub unexpected: Vec<String>,
}

/// Scores the called tools, in order.
#[must_use]
pub fn tool_selection(
    expected_tools: Option<&[String]>,
    expected_sequence: Option<&[String]>,
    called: &[&str],
    config: SelectionConfig,
) -> Score<SelectionScore> {
    let actual: BTreeSet<&str> = called.iter().copied().collect();
    let expected: BTreeSet<&str> =
        expected_tools.into_iter().chain(expected_sequence).flatten().map(String::as_str).collect();
    let owned = |names: Vec<&&str>| names.into_iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let missing = owned(expected.difference(&actual).collect());
    let unexpected = owned(actual.difference(&expected).collect());

    let jaccard = expected_tools.map(|_| {
        let union = expected.union(&actual).count();
        // Both empty: nothing was expected, nothing was called.
        if union == 0 { 1.0 } else { expected.intersection(&actual).count() as f64 / union as f64 }
    });
    let wanted = expected_sequence.or(expected_tools.filter(|_| config.strict_order));
    let sequence = wanted.map(|wanted| {
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        if config.strict_order {
            f64::from(u8::from(wanted == called))
        } else {
            sequence_likeness(&wanted, called)
        }
    });
    let parts: Vec<f64> = jaccard.into_iter().chain(sequence).collect();
    if parts.is_empty() {
        return Score::new(
            None,
            "the case expects no tools: give `expected_tools` or `expected_tool_sequence`",
            SelectionScore { jaccard, sequence, missing, unexpected: Vec::new() },
        );
    }
    let mean = parts.iter().sum::<f64>() / parts.len() as f64;
    let penalty = config.penalize_extra * unexpected.len() as f64;
    let score = (mean - penalty).clamp(0.0, 1.0);

    let mut reasons = Vec::new();
    reasons.extend(jaccard.map(|jaccard| format!("tool set similarity {jaccard:.2}")));
    reasons.extend(sequence.map(|likeness| match config.strict_order {
        true if likeness > 0.5 => "the order is as expected".to_owned(),
        true => "the order is not as expected".to_owned(),
        false => format!("sequence similarity {likeness:.2}"),
    }));
    if !missing.is_empty() {
        reasons.push(format!("not called: {}", missing.join(", ")));
    }
    if !unexpected.is_empty() {
        reasons.push(format!("unexpected: {}", unexpected.join(", ")));
    }
    if penalty > 0.0 {
        reasons.push(format!("penalty of {penalty:.2} for unexpected tools"));
    }
    let details = SelectionScore { jaccard, sequence, missing, unexpected };
    Score { reasons, ..Score::new(Some(score), "", details) }
}

/// Length of the longest common subsequence divided by the longer length; 1 if both are empty.
fn sequence_likeness(a: &[&str], b: &[&str]) -> f64 {
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 1.0;
    }
    let common = in_order(a.len(), b.len(), |left, right| a[left] == b[right]);
    common.iter().flatten().count() as f64 / longer as f64
}

/// Scores the called tools against `expected_tools` and `expected_tool_sequence`.
pub(super) struct ToolSelection;

impl Scorer for ToolSelection {
    fn name(&self) -> &str {
        "tool_selection"
    }

    fn lacks(&self, case: &SuiteCase) -> Option<&'static str> {
        (case.expected_tools.is_none() && case.expected_tool_sequence.is_none())
            .then_some("`expected_tools` or `expected_tool_sequence`")
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        let SelectionConfig { penalize_extra, .. } = configured(config)?;
        if (0.0..=1.0).contains(&penalize_extra) {
            Ok(())
        } else {
            Err(format!("`penalize_extra` is {penalize_extra}: expected 0 to 1"))
        }
    }

    fn score(&self, case: &SuiteCase, output: &AgentOutput, config: &Value) -> Result<Score, ScorerError> {
        let config = configured(config).map_err(ScorerError)?;
        let Some(made) = &output.trajectory else { return Ok(Score::unscored(NO_CALLS)) };
        let called: Vec<&str> = made.names().collect();
        let (tools, sequence) = (case.expected_tools.as_deref(), case.expected_tool_sequence.as_deref());
        Ok(tool_selection(tools, sequence, &called, config).erased().with("called", called))
    }
}
