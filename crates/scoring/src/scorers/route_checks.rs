//! Scorer `route_checks`: checks the trace of an agent that may fall back to SQL (evaluation strategy, section 2, tier 3). A
//! budget of 5 or less degrades to SQL, five failures in a row trip the breaker, and `sql_only` never calls GraphQL.

use serde::Serialize;
use serde_json::json;

use crate::CaseVerdict;
use crate::score::Score;
use crate::suite::{AgentOutput, NO_CALLS, SuiteCase};
use crate::tools::{DataTools, Mode, ToolCall};

/// At this budget or below, automatic mode uses only SQL.
pub(crate) const BUDGET_FLOOR: i64 = 5;

/// The number of consecutive GraphQL failures that opens the breaker.
pub(crate) const BREAKER_FAILURES: u32 = 5;

/// The checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceCheck {
    /// Budget ≤ 5 degrades to SQL.
    BudgetDegradesToSql,
    /// Five failures in a row trip the breaker.
    BreakerTrips,
    /// `sql_only` never calls GraphQL.
    SqlOnlyNeverCallsGraphql,
}

/// A check with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModeChecks {
    /// The check.
    pub check: TraceCheck,
    /// Pass if the situation arose and the agent acted correctly; unscored if it did not arise or the trace does not record it.
    pub outcome: CaseVerdict,
    /// The reason in one sentence.
    pub reason: String,
}

/// Runs all checks over a trace.
#[must_use]
pub(crate) fn check_trace(mode: Mode, calls: &[ToolCall], tools: &DataTools) -> Vec<ModeChecks> {
    let is_graphql = |call: &ToolCall| tools.graphql.contains(&call.name);
    let is_sql = |call: &ToolCall| tools.sql.contains(&call.name);
    let made = |check, outcome, reason: String| ModeChecks { check, outcome, reason };

    let low: Vec<usize> = (0..calls.len())
        .filter(|at| calls[*at].budget.is_some_and(|budget| budget <= BUDGET_FLOOR))
        .collect();
    let against = low.iter().find(|at| is_graphql(&calls[**at]));
    let budget = match (mode, low.first(), against) {
        (Mode::Auto | Mode::GraphqlSql, Some(_), Some(at)) => (
            CaseVerdict::Fail,
            format!(
                "call {} is {} with a budget of {}; at {BUDGET_FLOOR} or less only SQL is allowed",
                at + 1,
                calls[*at].name,
                calls[*at].budget.unwrap_or_default()
            ),
        ),
        (Mode::Auto | Mode::GraphqlSql, Some(first), None) if low.iter().any(|at| is_sql(&calls[*at])) => {
            (CaseVerdict::Pass, format!("from call {} on, with the budget low, only SQL was used", first + 1))
        }
        (Mode::Auto | Mode::GraphqlSql, _, _) => (
            CaseVerdict::Unscored,
            format!("no data call was recorded with a budget of {BUDGET_FLOOR} or less"),
        ),
        _ => (CaseVerdict::Unscored, "the budget applies only to automatic mode".to_owned()),
    };

    let breaker = breaker(calls, is_graphql);
    let first_graphql = calls.iter().position(is_graphql);
    let sql_only = match (mode, first_graphql) {
        (Mode::SqlOnly, Some(at)) => {
            (CaseVerdict::Fail, format!("call {} is {} in sql_only mode", at + 1, calls[at].name))
        }
        (Mode::SqlOnly, None) if calls.is_empty() => (CaseVerdict::Unscored, "nothing was called".to_owned()),
        (Mode::SqlOnly, None) => (CaseVerdict::Pass, "GraphQL was never called".to_owned()),
        _ => (CaseVerdict::Unscored, "the agent did not run in sql_only mode".to_owned()),
    };
    vec![
        made(TraceCheck::BudgetDegradesToSql, budget.0, budget.1),
        made(TraceCheck::BreakerTrips, breaker.0, breaker.1),
        made(TraceCheck::SqlOnlyNeverCallsGraphql, sql_only.0, sql_only.1),
    ]
}

fn breaker(calls: &[ToolCall], is_graphql: impl Fn(&ToolCall) -> bool) -> (CaseVerdict, String) {
    let mut failures = 0;
    let mut tripped = None;
    for (at, call) in calls.iter().enumerate() {
        if call.breaker_reset {
            failures = 0;
        }
        if !is_graphql(call) {
            continue;
        }
        if failures >= BREAKER_FAILURES {
            return (
                CaseVerdict::Fail,
                format!(
                    "call {} is {} after {failures} failures in a row: the breaker should be open",
                    at + 1,
                    call.name
                ),
            );
        }
        failures = if call.failed == Some(true) { failures + 1 } else { 0 };
        if failures == BREAKER_FAILURES {
            tripped = Some(at + 1);
        }
    }
    match tripped {
        Some(at) => {
            (CaseVerdict::Pass, format!("after the failure of call {at} GraphQL was not called again"))
        }
        None => (CaseVerdict::Unscored, format!("GraphQL did not fail {BREAKER_FAILURES} times in a row")),
    }
}

/// Runs the checks for the case's `mode`: 0 if one fails, unscored if no situation arose.
pub(super) fn route_checks(case: &SuiteCase, output: &AgentOutput) -> Score {
    let Some(made) = &output.trajectory else { return Score::unscored(NO_CALLS) };
    let checks = check_trace(case.mode, &made.calls, &case.data_tools);
    let any = |outcome| checks.iter().any(|check| check.outcome == outcome);
    let value = match (any(CaseVerdict::Fail), any(CaseVerdict::Pass)) {
        (true, _) => Some(0.0),
        (false, true) => Some(1.0),
        (false, false) => None,
    };
    let named = checks.iter().filter(|check| value.is_none() || check.outcome != CaseVerdict::Unscored);
    let mut reasons: Vec<String> = named.map(|check| check.reason.clone()).collect();
    if !made.unknown_keys.is_empty() {
        reasons.push(format!("unknown keys: {}", made.unknown_keys.join(", ")));
    }
    let details = serde_json::Map::from_iter([("checks".to_owned(), json!(checks))]);
    Score { reasons, ..Score::new(value, "", details) }
}
