//! Scorer `tool_calls`: matches calls and their arguments with the expected calls, in the modes strict, unordered, subset
//! and superset. Also checks forbidden tools and repeats.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;

use crate::compare::matching::pair;
use crate::score::Score;
use crate::suite::{AgentOutput, NO_CALLS, SuiteCase};
use crate::tools::{Arguments, CallSpec, MatchMode, MatchSpec, ToolCall};

/// The match of an expected call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallMatch {
    /// The expected tool.
    pub expected: String,
    /// The position of the matching call, from 1.
    pub matched: Option<usize>,
    /// Why no call matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The details behind the score of the calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchDetails {
    /// The match of every expected call.
    pub expected: Vec<CallMatch>,
    /// Positions, from 1, of calls that match no expected call.
    pub unexpected: Vec<usize>,
    /// Forbidden tools that were called.
    pub forbidden: Vec<String>,
    /// Calls that were repeated too often.
    pub repeated: Vec<String>,
}

/// Matches calls with the expected calls. The score is the number of matches divided by the number of relevant calls for the
/// mode; 0 if a call is forbidden or repeated too often.
#[must_use]
pub fn match_calls(spec: &MatchSpec, calls: &[ToolCall]) -> Score<MatchDetails> {
    let assigned = match spec.mode {
        MatchMode::Strict => in_order(spec.calls.len(), calls.len(), |row, column| {
            difference(spec, &spec.calls[row], &calls[column]).is_none()
        }),
        _ => any_order(spec, calls),
    };
    let expected: Vec<CallMatch> = spec
        .calls
        .iter()
        .zip(&assigned)
        .enumerate()
        .map(|(position, (wanted, matched))| CallMatch {
            expected: wanted.tool.label(),
            matched: matched.map(|at| at + 1),
            reason: matched.is_none().then(|| why_not(spec, wanted, position, calls)),
        })
        .collect();
    let unexpected: Vec<usize> =
        (0..calls.len()).filter(|at| !assigned.contains(&Some(*at))).map(|at| at + 1).collect();
    let mut forbidden: Vec<String> =
        calls.iter().map(|call| call.name.clone()).filter(|name| spec.forbidden.contains(name)).collect();
    forbidden.sort();
    forbidden.dedup();
    let repeated = spec.max_repeats.map_or_else(Vec::new, |limit| repeats(calls, limit));

    let matched = assigned.iter().flatten().count();
    let relevant = match spec.mode {
        MatchMode::Strict | MatchMode::Unordered => spec.calls.len().max(calls.len()),
        MatchMode::Subset => calls.len(),
        MatchMode::Superset => spec.calls.len(),
    };
    let clean = forbidden.is_empty() && repeated.is_empty();
    let score = match (clean, relevant) {
        (false, _) => 0.0,
        // Making no call is a subset of any calls, but meets no expectation.
        (true, 0) if !spec.calls.is_empty() => 0.0,
        (true, 0) => 1.0,
        (true, relevant) => matched as f64 / relevant as f64,
    };

    let mut reasons: Vec<String> = Vec::new();
    if calls.is_empty() && !spec.calls.is_empty() {
        reasons.push("nothing was called".to_owned());
    }
    if spec.mode != MatchMode::Subset {
        reasons.extend(expected.iter().filter_map(|call| {
            call.reason.as_ref().map(|reason| format!("expected {}: {reason}", call.expected))
        }));
    }
    if spec.mode != MatchMode::Superset {
        let beyond =
            |at: &usize| calls.get(at - 1).map(|call| format!("call {at} ({}) is not expected", call.name));
        reasons.extend(unexpected.iter().filter_map(beyond));
    }
    reasons.extend(forbidden.iter().map(|name| format!("{name} is forbidden")));
    reasons.extend(repeated.iter().map(|call| format!("{call} is repeated too often")));
    if reasons.is_empty() {
        reasons.push(format!("{matched} of {} expected calls match", spec.calls.len()));
    }
    let details = MatchDetails { expected, unexpected, forbidden, repeated };
    Score { reasons, ..Score::new(Some(score), "", details) }
}

/// The matching column of every row, by the longest common subsequence: one missing call does not make all later ones
/// wrong.
pub(super) fn in_order(
    rows: usize,
    columns: usize,
    equal: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut lengths = vec![vec![0_u32; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            lengths[row][column] = if equal(row, column) {
                lengths[row + 1][column + 1] + 1
            } else {
                lengths[row + 1][column].max(lengths[row][column + 1])
            };
        }
    }
    let mut assigned = vec![None; rows];
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        if equal(row, column) {
            assigned[row] = Some(column);
            row += 1;
            column += 1;
        } else if lengths[row + 1][column] >= lengths[row][column + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    assigned
}

/// The largest assignment of calls to expected calls. A call that fits two expectations goes to the one that no other call
/// fits.
fn any_order(spec: &MatchSpec, calls: &[ToolCall]) -> Vec<Option<usize>> {
    pair(spec.calls.len(), calls.len(), |wanted, call| {
        difference(spec, &spec.calls[wanted], &calls[call]).is_none()
    })
}

/// Why a call is not the expected one; `None` when it is.
fn difference(spec: &MatchSpec, wanted: &CallSpec, call: &ToolCall) -> Option<String> {
    if !wanted.tool.allows(&call.name) {
        return Some(format!("{} was called instead", call.name));
    }
    let how = wanted.compare.as_ref().or_else(|| spec.per_tool.get(&call.name)).unwrap_or(&spec.arguments);
    let differs = |key: &str| match (wanted.arguments.get(key), call.arguments.get(key)) {
        (Some(a), Some(b)) if a == b => None,
        (None, None) => None,
        (Some(a), Some(b)) => Some(format!("argument {key:?} is {b}, expected {a}")),
        (Some(a), None) => Some(format!("argument {key:?} is missing, expected {a}")),
        (None, Some(b)) => Some(format!("argument {key:?} is {b}, but was not expected")),
    };
    let mut expected = wanted.arguments.keys();
    match how {
        Arguments::Ignored => None,
        Arguments::Fields(fields) => fields.iter().find_map(|field| differs(field)),
        Arguments::Subset => expected.find_map(|key| differs(key)),
        Arguments::Exact => expected.chain(call.arguments.keys()).find_map(|key| differs(key)),
    }
}

fn why_not(spec: &MatchSpec, wanted: &CallSpec, position: usize, calls: &[ToolCall]) -> String {
    let of_tool = || calls.iter().find(|call| wanted.tool.allows(&call.name));
    let in_place = calls.get(position).filter(|call| wanted.tool.allows(&call.name));
    match in_place.or_else(of_tool).map(|call| difference(spec, wanted, call)) {
        None => "it was not called".to_owned(),
        Some(Some(difference)) => difference,
        Some(None) => "it was called, but out of order or not often enough".to_owned(),
    }
}

fn repeats(calls: &[ToolCall], limit: usize) -> Vec<String> {
    let mut counts: IndexMap<(&str, String), usize> = IndexMap::new();
    for call in calls {
        // Sort the keys, so that their order does not matter.
        let arguments: BTreeMap<_, _> = call.arguments.iter().collect();
        *counts.entry((&call.name, format!("{arguments:?}"))).or_default() += 1;
    }
    let often = counts.into_iter().filter(|(_, count)| *count > limit);
    often
        .map(|((name, _), count)| format!("{name} with the same arguments ({count} times, limit {limit})"))
        .collect()
}

/// Scores the calls with their arguments against `expected_calls`.
pub(super) fn tool_calls(case: &SuiteCase, output: &AgentOutput) -> Score {
    match (&case.expected_calls, &output.trajectory) {
        (Some(expected), Some(made)) => match_calls(expected, &made.calls).erased(),
        (_, None) => Score::unscored(NO_CALLS),
        (None, _) => Score::unscored("no calls are expected"),
    }
}
