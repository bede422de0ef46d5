//! Trajectory verdicts: did the agent take the route that the question asks for? (Evaluation strategy, section 6,
//! "`TrajectoryVerdict` Judge Mode"; decision 8, which lets section 6 win over section 2.)

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::call::Trajectory;

/// The route that a question asks for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedTool {
    /// SQL and not GraphQL.
    SqlOnly,
    /// GraphQL and not SQL.
    GraphqlOnly,
    /// GraphQL; SQL alone is acceptable.
    GraphqlPreferred,
    /// Any data tool.
    #[serde(alias = "any")]
    Either,
    /// No data tool.
    Refusal,
    /// Both.
    Both,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrajectoryVerdict {
    /// The right route.
    Pass,
    /// A route that works but is not the preferred one.
    Acceptable,
    /// The wrong route.
    Fail,
}

/// The names of the tools that fetch data. Documentation tools are none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DataTools {
    /// Tools that query the site's API.
    pub graphql: Vec<String>,
    /// Tools that query the database.
    pub sql: Vec<String>,
}

impl Default for DataTools {
    fn default() -> Self {
        Self { graphql: vec!["atlas_graphql".to_owned()], sql: vec!["query_tool".to_owned()] }
    }
}

/// A verdict with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrajectoryScore {
    /// The verdict.
    pub verdict: TrajectoryVerdict,
    /// What was expected.
    pub expected: ExpectedTool,
    /// The data tools that were called, in order.
    pub data_tools: Vec<String>,
    /// One sentence for a person.
    pub reason: String,
}

/// Judges the route of a trajectory.
#[must_use]
pub fn judge_trajectory(
    expected: ExpectedTool,
    trajectory: &Trajectory,
    tools: &DataTools,
) -> TrajectoryScore {
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
        (ExpectedTool::Either, _, _) => (Pass, "a data tool was used"),
        (ExpectedTool::Both, true, true) => (Pass, "GraphQL and SQL were used"),
        (ExpectedTool::Both, true, false) => (Fail, "SQL is missing: both tools were expected"),
        (ExpectedTool::Both, false, true) => (Fail, "GraphQL is missing: both tools were expected"),
    };
    TrajectoryScore { verdict, expected, data_tools, reason: reason.to_owned() }
}

/// How many of the routes were right.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
