//! Trajectory verdicts: did the agent take the route that the question calls for? (Evaluation strategy, section 6,
//! "`TrajectoryVerdict` Judge Mode"; by decision 8, section 6 overrides section 2.)

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ExpectedTool;
use super::call::Trajectory;
use super::expected::DataTools;
use crate::score::Score;

/// The verdict on an agent's route to its data, independent of its answer. Only a route can be `acceptable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrajectoryVerdict {
    /// The right route.
    Pass,
    /// A route that works but is not the preferred one.
    Acceptable,
    /// The wrong route.
    Fail,
}

/// The details behind the score of a route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The verdict. `Acceptable` scores like a pass.
    pub route: TrajectoryVerdict,
    /// The expected route.
    pub expected: ExpectedTool,
    /// The called data tools, in order.
    pub data_tools: Vec<String>,
}

/// Judges the route of a trajectory.
#[must_use]
pub fn judge_trajectory(expected: ExpectedTool, trajectory: &Trajectory, tools: &DataTools) -> Score<Route> {
    let is = |names: &[String], name: &str| names.iter().any(|tool| tool == name);
    let graphql = trajectory.names().any(|name| is(&tools.graphql, name));
    let sql = trajectory.names().any(|name| is(&tools.sql, name));
    let data_tools: Vec<String> = trajectory
        .names()
        .filter(|name| is(&tools.graphql, name) || is(&tools.sql, name))
        .map(str::to_owned)
        .collect();
    use TrajectoryVerdict::{Acceptable, Fail, Pass};
    let (verdict, reason) = match (expected, graphql, sql) {
        (ExpectedTool::Refusal, false, false) => (Pass, "no data tool was called, as expected for a refusal"),
        (ExpectedTool::Refusal, _, _) => (Fail, "a data tool was called, but a refusal was expected"),
        (_, false, false) => (Fail, "no data tool was called"),
        (ExpectedTool::GraphqlOnly, true, false) => (Pass, "only GraphQL was used"),
        (ExpectedTool::GraphqlOnly, _, true) => (Fail, "SQL was used, but only GraphQL was expected"),
        (ExpectedTool::SqlOnly, false, true) => (Pass, "only SQL was used"),
        (ExpectedTool::SqlOnly, true, _) => (Fail, "GraphQL was used, but only SQL was expected"),
        (ExpectedTool::GraphqlPreferred, true, _) => (Pass, "GraphQL was used"),
        (ExpectedTool::GraphqlPreferred, false, true) => {
            (Acceptable, "only SQL was used, as a fallback for GraphQL")
        }
        (ExpectedTool::SqlPreferred, _, true) => (Pass, "SQL was used"),
        (ExpectedTool::SqlPreferred, true, false) => {
            (Acceptable, "only GraphQL was used, as a fallback for SQL")
        }
        (ExpectedTool::Either, _, _) => (Pass, "a data tool was used"),
        (ExpectedTool::Both, true, true) => (Pass, "GraphQL and SQL were used"),
        (ExpectedTool::Both, true, false) => (Fail, "SQL is missing: both tools were expected"),
        (ExpectedTool::Both, false, true) => (Fail, "GraphQL is missing: both tools were expected"),
    };
    let (value, name) = match verdict {
        Pass => (1.0, "pass"),
        Acceptable => (1.0, "acceptable"),
        Fail => (0.0, "fail"),
    };
    Score::new(Some(value), format!("{name}: {reason}"), Route { route: verdict, expected, data_tools })
}

/// The rate of right routes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct MatchRate {
    /// Number of judged trajectories.
    pub n: u64,
    /// (pass + acceptable) / n; absent if n is 0.
    pub rate: Option<f64>,
    /// pass / n; absent if n is 0.
    pub strict_rate: Option<f64>,
    /// Number of trajectories by verdict.
    pub verdicts: BTreeMap<TrajectoryVerdict, u64>,
}

/// Computes the match rate and the strict match rate (decision 8).
#[must_use]
pub fn match_rate(verdicts: impl IntoIterator<Item = TrajectoryVerdict>) -> MatchRate {
    let mut counts: BTreeMap<TrajectoryVerdict, u64> = BTreeMap::new();
    for verdict in verdicts {
        *counts.entry(verdict).or_default() += 1;
    }
    let n: u64 = counts.values().sum();
    let of = |verdict| counts.get(&verdict).copied().unwrap_or(0);
    let pass = of(TrajectoryVerdict::Pass);
    let share = |part: u64| (n > 0).then(|| part as f64 / n as f64);
    MatchRate {
        n,
        rate: share(pass + of(TrajectoryVerdict::Acceptable)),
        strict_rate: share(pass),
        verdicts: counts,
    }
}
