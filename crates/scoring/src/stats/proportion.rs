//! Rates with their interval, and the smallest difference that a run of n questions can detect.

use schemars::JsonSchema;
use serde::Serialize;
use strum::VariantArray;

use super::distribution::normal_quantile;
use super::mean::{Bounds, CONFIDENCE};

/// A rate with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Proportion {
    /// Number of successes.
    pub successes: u64,
    /// Number of trials.
    pub n: u64,
    /// The share of successes.
    pub rate: f64,
    /// 95 % interval.
    pub interval: Bounds,
}

/// A rate with Wilson's score interval (Wilson 1927, JASA 22; recommended for small n by Brown, Cai and DasGupta 2001).
/// `None` if n is 0 or successes exceed n.
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
    // Set the ends exactly where rounding would miss 0 or 1.
    let low = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if successes == n { 1.0 } else { (centre + half).min(1.0) };
    Some(Proportion { successes, n, rate, interval: Bounds { low, high } })
}

/// A target limit of a figure. A figure at the limit counts as at least the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// The figure should be at least this.
    AtLeast(f64),
    /// The figure should be below this.
    Below(f64),
}

/// The verdict on a figure with a target (of a run, a component or production), by its interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum TargetOutcome {
    /// The whole interval is on the required side.
    Met,
    /// The whole interval is on the other side.
    Missed,
    /// The interval contains the limit.
    TooFewToTell,
    /// The figure was not measured.
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

    /// Compares an exactly known figure with the limit.
    #[must_use]
    pub fn outcome_of_exact(self, figure: Option<f64>) -> TargetOutcome {
        self.outcome(figure.map(|figure| Bounds { low: figure, high: figure }))
    }

    /// Compares the interval of a figure with the limit.
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

/// The smallest true difference of two means that a two-sided test at level `alpha` detects with probability `power`, over
/// the same questions in both runs: (z(1−α/2) + z(power)) · σ/√n, where σ is the deviation of the differences (Miller,
/// "Adding Error Bars to Evals", 2024, section 5; Cohen 1988, chapter 2). `None` for n = 0 or arguments out of range.
#[must_use]
pub fn minimum_detectable_difference(deviation: f64, n: u64, alpha: f64, power: f64) -> Option<f64> {
    let open = |p: f64| p > 0.0 && p < 1.0;
    if n == 0 || !open(alpha) || !open(power) || !deviation.is_finite() || deviation < 0.0 {
        return None;
    }
    Some((normal_quantile(1.0 - alpha / 2.0) + normal_quantile(power)) * deviation / (n as f64).sqrt())
}
