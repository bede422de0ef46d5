//! Percentiles of latencies.

use serde::Serialize;

/// The reported percentiles of a latency (evaluation strategy, sections 2 and 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Percentiles {
    /// Number of values.
    pub n: u64,
    /// The median.
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
}

/// The p-th percentile of sorted values, p from 0 to 1, by linear interpolation at the zero-based position (n − 1) · p
/// (Hyndman and Fan 1996, definition 7; SQL's `percentile_cont`, which evaluation strategy 5.3 uses). `None` without values.
pub(super) fn percentile(sorted: &[f64], p: f64) -> Option<f64> {
    let place = (sorted.len().checked_sub(1)?) as f64 * p;
    let below = *sorted.get(place.floor() as usize)?;
    let above = *sorted.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}

/// The median, 95th and 99th [`percentile`]; `None` without values or if a value is not finite.
#[must_use]
pub fn percentiles(values: &[f64]) -> Option<Percentiles> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |p| percentile(&sorted, p);
    let is_finite = sorted.iter().all(|value| value.is_finite());
    is_finite.then_some(Percentiles { n: sorted.len() as u64, p50: at(0.5)?, p95: at(0.95)?, p99: at(0.99)? })
}
