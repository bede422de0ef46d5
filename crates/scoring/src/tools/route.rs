//! Trajectory verdicts: did the agent take the route that the question asks for? (Evaluation strategy, section 6,
//! "`TrajectoryVerdict` Judge Mode"; decision 8, which lets section 6 win over section 2.)

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ExpectedTool;
use super::call::Trajectory;
use super::expected::DataTools;
use crate::score::Score;

/// The verdict on the route that an agent took to its data, whatever its answer is: a route can be acceptable, which no answer is.
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

/// What the score of a route rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    /// Acceptable counts as a match; this distinguishes it from a pass.
    pub route: TrajectoryVerdict,
    /// What was expected.
    pub expected: ExpectedTool,
    /// The data tools that were called, in order.
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
        (ExpectedTool::Refusal, false, false) => (Pass, "no data tool was called, as befits a refusal"),
        (ExpectedTool::Refusal, _, _) => (Fail, "a data tool was called where a refusal was expected"),
        (_, false, false) => (Fail, "no data tool was called"),
        (ExpectedTool::GraphqlOnly, true, false) => (Pass, "GraphQL alone was used"),
        (ExpectedTool::GraphqlOnly, _, true) => (Fail, "SQL was used where only GraphQL was expected"),
        (ExpectedTool::SqlOnly, false, true) => (Pass, "SQL alone was used"),
        (ExpectedTool::SqlOnly, true, _) => (Fail, "GraphQL was used where only SQL was expected"),
        (ExpectedTool::GraphqlPreferred, true, _) => (Pass, "GraphQL was used"),
        (ExpectedTool::GraphqlPreferred, false, true) => {
            (Acceptable, "SQL alone was used as a fallback for GraphQL")
        }
        (ExpectedTool::SqlPreferred, _, true) => (Pass, "SQL was used"),
        (ExpectedTool::SqlPreferred, true, false) => {
            (Acceptable, "GraphQL alone was used as a fallback for SQL")
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

/// How many of the routes were right.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct MatchRate {
    /// Judged trajectories.
    pub n: u64,
    /// (pass + acceptable) / n; nothing without any.
    pub rate: Option<f64>,
    /// pass / n; nothing without any.
    pub strict_rate: Option<f64>,
    /// How often each verdict was given.
    pub verdicts: BTreeMap<TrajectoryVerdict, u64>,
}

/// The match rate over verdicts, and the strict one beside it (decision 8).
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
