//! Rates with their interval, and how small a difference a run of n questions can show.

use schemars::JsonSchema;
use serde::Serialize;
use strum::VariantArray;

use super::distribution::normal_quantile;
use super::mean::{Bounds, CONFIDENCE};

/// A rate with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Proportion {
    /// Successes.
    pub successes: u64,
    /// Of how many.
    pub n: u64,
    /// Their share.
    pub rate: f64,
    /// 95 % interval.
    pub interval: Bounds,
}

/// A rate with Wilson's score interval (Wilson 1927, JASA 22; recommended for small n by Brown, Cai and
/// DasGupta 2001). `None` when n is 0 or there are more successes than trials.
#[must_use]
pub fn wilson(successes: u64, n: u64) -> Option<Proportion> {
    if n == 0 || successes > n {
        return None;
    }
    let z = normal_quantile(0.5 + CONFIDENCE / 2.0);
    let (count, rate) = (n as f64, successes as f64 / n as f64);
    let spread = z * z / count;
    let centre = (rate + spread / 2.0) / (1.0 + spread);
    let half = z * (rate * (1.0 - rate) / count + spread / (4.0 * count)).sqrt() / (1.0 + spread);
    // The ends are exact where rounding would leave a speck beside them.
    let low = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if successes == n { 1.0 } else { (centre + half).min(1.0) };
    Some(Proportion { successes, n, rate, interval: Bounds { low, high } })
}

/// What a figure is held against. Edges are lower-inclusive: a figure at the limit is at least the limit, and not below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// It should be this or more.
    AtLeast(f64),
    /// It should be less.
    Below(f64),
}

/// The verdict on a figure that has a target, by its interval: of a run, a component or production. It is no verdict on an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum TargetOutcome {
    /// The whole interval is on the good side.
    Met,
    /// The whole interval is on the other side.
    Missed,
    /// The interval holds the limit.
    TooFewToTell,
    /// There is no figure.
    NotMeasured,
}

atlas_gt_core::names!(TargetOutcome);

impl Limit {
    /// The limit as a number.
    #[must_use]
    pub const fn value(self) -> f64 {
        match self {
            Self::AtLeast(limit) | Self::Below(limit) => limit,
        }
    }

    /// Holds a figure that is known exactly against the limit.
    #[must_use]
    pub fn outcome_of_exact(self, figure: Option<f64>) -> TargetOutcome {
        self.outcome(figure.map(|figure| Bounds { low: figure, high: figure }))
    }

    /// Holds the interval of a figure against the limit.
    #[must_use]
    pub fn outcome(self, interval: Option<Bounds>) -> TargetOutcome {
        let Some(Bounds { low, high }) = interval else { return TargetOutcome::NotMeasured };
        let (met, missed) = match self {
            Self::AtLeast(limit) => (low >= limit, high < limit),
            Self::Below(limit) => (high < limit, low >= limit),
        };
        match (met, missed) {
            (true, _) => TargetOutcome::Met,
            (_, true) => TargetOutcome::Missed,
            _ => TargetOutcome::TooFewToTell,
        }
    }
}

/// The smallest true difference of two means that a two-sided test at level `alpha` finds with probability
/// `power`, over the same questions in both runs: (z(1−α/2) + z(power)) · σ/√n, σ that of the differences (Miller, "Adding Error Bars to
/// Evals", 2024, section 5; Cohen 1988, chapter 2). `None` for n = 0 or numbers out of range.
#[must_use]
pub fn minimum_detectable_difference(deviation: f64, n: u64, alpha: f64, power: f64) -> Option<f64> {
    let open = |p: f64| p > 0.0 && p < 1.0;
    if n == 0 || !open(alpha) || !open(power) || !deviation.is_finite() || deviation < 0.0 {
        return None;
    }
    Some((normal_quantile(1.0 - alpha / 2.0) + normal_quantile(power)) * deviation / (n as f64).sqrt())
}
