//! The targets of evaluation strategy, section 8, held against intervals: met, missed, or too few questions to tell.

use schemars::JsonSchema;
use serde::Serialize;

use super::summary::RunSummary;
use super::verdict::QuestionVerdict;
use crate::scoring::stats::{Proportion, wilson};

/// A target and what the run says about it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Target {
    /// What is measured: `pass_rate`, `avg_weighted_score`, `trajectory_match_rate`, …
    pub name: &'static str,
    /// What the documents ask for, in words: `> 60 %`.
    pub target: &'static str,
    /// The same as a number, in the unit of `value`.
    pub limit: f64,
    /// What the run has, in the unit of the target; nothing without data.
    pub value: Option<f64>,
    /// Over how many.
    pub n: u64,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// What follows.
    pub state: TargetState,
}

/// What a run says about a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetState {
    /// The whole interval is on the good side.
    Met,
    /// The whole interval is on the other side.
    Missed,
    /// The interval holds the target.
    TooFewToTell,
    /// Nothing was measured.
    NotMeasured,
}

/// Which side of a limit is good.
#[derive(Clone, Copy)]
enum Side {
    Above(f64),
    Below(f64),
    AtLeast(f64),
}

impl Side {
    const fn limit(self) -> f64 {
        match self {
            Self::Above(limit) | Self::Below(limit) | Self::AtLeast(limit) => limit,
        }
    }

    fn judge(self, low: f64, high: f64) -> TargetState {
        let (met, missed) = match self {
            Self::Above(limit) => (low > limit, high <= limit),
            Self::Below(limit) => (high < limit, low >= limit),
            Self::AtLeast(limit) => (low >= limit, high < limit),
        };
        match (met, missed) {
            (true, _) => TargetState::Met,
            (_, true) => TargetState::Missed,
            _ => TargetState::TooFewToTell,
        }
    }
}

/// What the mean of the judge's weighted scores has to be.
const PASS_SCORE: Side = Side::Above(3.5);

fn rate(name: &'static str, target: &'static str, side: Side, found: Option<Proportion>) -> Target {
    let ends = found.map(|found| found.interval);
    Target {
        name,
        target,
        limit: side.limit(),
        value: found.map(|found| found.rate),
        n: found.map_or(0, |found| found.n),
        low: ends.map(|ends| ends.low),
        high: ends.map(|ends| ends.high),
        state: ends.map_or(TargetState::NotMeasured, |ends| side.judge(ends.low, ends.high)),
    }
}

/// A count over everything there is: no sample, so no interval.
fn share(name: &'static str, target: &'static str, side: Side, part: u64, all: u64) -> Target {
    let value = (all > 0).then(|| part as f64 / all as f64);
    let state = value.map_or(TargetState::NotMeasured, |value| side.judge(value, value));
    Target { name, target, limit: side.limit(), value, n: all, low: None, high: None, state }
}

/// A 95th percentile against a limit in milliseconds: it is below the limit when more than 95 % of the times are, and that share has
/// an interval.
fn p95(name: &'static str, target: &'static str, limit_ms: f64, value: Option<f64>, times: &[f64]) -> Target {
    let below = times.iter().filter(|time| **time < limit_ms).count() as u64;
    let state = wilson(below, times.len() as u64).map_or(TargetState::NotMeasured, |share| {
        Side::AtLeast(0.95).judge(share.interval.low, share.interval.high)
    });
    Target { name, target, limit: limit_ms, value, n: times.len() as u64, low: None, high: None, state }
}

/// All targets that a run can speak of. Those of component evaluations are reported by them, those of the budget and the breaker by
/// the production metrics; regressions are counted by a comparison.
pub(super) fn of(summary: &RunSummary, latencies: &[f64]) -> Vec<Target> {
    let all: u64 = summary.counts.values().sum();
    let errors = summary.counts.get(&QuestionVerdict::Error).copied().unwrap_or(0);
    let score = summary.weighted_score;
    let coverage = &summary.coverage;
    vec![
        rate("pass_rate", "> 60 %", Side::Above(0.60), summary.pass_rate),
        Target {
            name: "avg_weighted_score",
            target: "> 3.5 of 5",
            limit: PASS_SCORE.limit(),
            value: score.map(|score| score.mean),
            n: score.map_or(0, |score| score.n),
            low: score.and_then(|score| score.low),
            high: score.and_then(|score| score.high),
            state: match score {
                None => TargetState::NotMeasured,
                Some(score) => score
                    .low
                    .zip(score.high)
                    .map_or(TargetState::TooFewToTell, |(low, high)| PASS_SCORE.judge(low, high)),
            },
        },
        rate("trajectory_match_rate", "> 95 %", Side::Above(0.95), summary.trajectory_rate),
        p95("latency_p95_ms", "< 15 s", 15_000.0, summary.latency_ms.map(|found| found.p95), latencies),
        rate("error_rate", "< 5 %", Side::Below(0.05), wilson(errors, all)),
        share("questions_with_truth", "> 90 %", Side::Above(0.90), coverage.with_truth, coverage.questions),
        share(
            "categories_with_three",
            "100 %",
            Side::AtLeast(1.0),
            coverage.categories_with_three,
            coverage.categories,
        ),
        share(
            "browser_verified",
            "> 30 %",
            Side::Above(0.30),
            coverage.browser_verified,
            coverage.with_truth,
        ),
        share(
            "query_types_covered",
            "100 %",
            Side::AtLeast(1.0),
            coverage.query_types_covered,
            coverage.query_types,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use TargetState::{Met, Missed, NotMeasured, TooFewToTell};

    #[test]
    fn evaluation_strategy_8_targets_are_held_against_intervals() {
        let pass = |passed, n| rate("pass_rate", "> 60 %", Side::Above(0.60), wilson(passed, n)).state;
        // five of five is 56.6 to 100 %
        assert_eq!(
            [pass(5, 5), pass(170, 246), pass(120, 246), pass(150, 246)],
            [TooFewToTell, Met, Missed, TooFewToTell]
        );
        assert_eq!(pass(0, 0), NotMeasured);
        let errors = |errors, n| rate("error_rate", "< 5 %", Side::Below(0.05), wilson(errors, n)).state;
        assert_eq!([errors(0, 5), errors(2, 246), errors(40, 246)], [TooFewToTell, Met, Missed]);
        let times = |slow: usize, n: usize| {
            let times: Vec<f64> = (0..n).map(|at| if at < slow { 20_000.0 } else { 900.0 }).collect();
            p95("latency_p95_ms", "< 15 s", 15_000.0, None, &times).state
        };
        assert_eq!(
            [times(0, 5), times(2, 246), times(40, 246), times(0, 0)],
            [TooFewToTell, Met, Missed, NotMeasured]
        );
    }

    #[test]
    fn evaluation_strategy_8_coverage_is_counted() {
        let truth = |part, all| share("questions_with_truth", "> 90 %", Side::Above(0.90), part, all).state;
        assert_eq!([truth(190, 246), truth(222, 246), truth(9, 10)], [Missed, Met, Missed]);
        let categories = |part, all| share("categories", "100 %", Side::AtLeast(1.0), part, all).state;
        assert_eq!([categories(28, 28), categories(27, 28), categories(0, 0)], [Met, Missed, NotMeasured]);
    }
}
