//! The route that the agent took to its data (evaluation strategy, section 6, "`TrajectoryVerdict` Judge Mode").

use serde_json::Value;

use crate::score::Score;
use crate::suite::{AgentOutput, Case, NO_CALLS, Scorer, ScorerError};
use crate::tools::judge_trajectory;

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
        let Some(made) = &output.trajectory else { return Ok(Score::unscored(NO_CALLS)) };
        Ok(match case.expected_tool {
            Some(expected) => judge_trajectory(expected, made, &case.data_tools).erased(),
            None => Score::unscored("no route is expected"),
        })
    }
}
