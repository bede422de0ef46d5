//! The route that the agent took to its data (evaluation strategy, section 6, "`TrajectoryVerdict` Judge Mode").

use serde_json::Value;

use super::recorded;
use crate::scoring::score::Score;
use crate::scoring::suite::{AgentOutput, Case, Scorer, ScorerError};
use crate::scoring::tools::judge_trajectory;

/// The route that was taken against `expected_tool`.
pub(super) struct TrajectoryScorer;

impl Scorer for TrajectoryScorer {
    fn name(&self) -> &str {
        "trajectory"
    }

    fn lacks(&self, case: &Case) -> Option<&'static str> {
        case.expected_tool.is_none().then_some("`expected_tool`")
    }

    fn score(&self, case: &Case, output: &AgentOutput, _: &Value) -> Result<Score, ScorerError> {
        Ok(match (case.expected_tool, recorded(output)) {
            (Some(expected), Ok(made)) => judge_trajectory(expected, made, &case.data_tools).erased(),
            (_, Err(unscored)) => unscored,
            (None, _) => Score::unscored("no route is expected"),
        })
    }
}
