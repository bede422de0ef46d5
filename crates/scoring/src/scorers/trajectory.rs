//! Scorer `trajectory`: the agent's route to its data (evaluation strategy, section 6, "`TrajectoryVerdict` Judge Mode").

use crate::score::Score;
use crate::suite::{AgentOutput, NO_CALLS, SuiteCase};
use crate::tools::judge_trajectory;

/// Scores the route against `expected_tool`.
pub(super) fn trajectory(case: &SuiteCase, output: &AgentOutput) -> Score {
    match (case.expected_tool, &output.trajectory) {
        (Some(expected), Some(made)) => judge_trajectory(expected, made, &case.data_tools).erased(),
        (_, None) => Score::unscored(NO_CALLS),
        (None, _) => Score::unscored("no route is expected"),
    }
}
