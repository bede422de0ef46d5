//! Percentiles of latencies.

use serde::Serialize;

/// What a latency is reported by (evaluation strategy, sections 2 and 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Percentiles {
    /// How many values.
    pub n: u64,
    /// The median.
    pub p50: f64,
    /// 95 % are at most this.
    pub p95: f64,
    /// 99 % are at most this.
    pub p99: f64,
}

/// The p-th percentile, p from 0 to 1, by linear interpolation between the two nearest values: position (n − 1) · p of the sorted
/// values from 0 (Hyndman and Fan 1996, definition 7; `percentile_cont` of SQL, which evaluation strategy 5.3 uses). `None`
/// without values, for a value that is no number, and for p out of range.
#[must_use]
pub fn percentile(values: &[f64], p: f64) -> Option<f64> {
    of_sorted(&sorted(values)?, p)
}

/// The median, the 95th and the 99th percentile, as [`percentile`] has them.
#[must_use]
pub fn percentiles(values: &[f64]) -> Option<Percentiles> {
    let values = sorted(values)?;
    let at = |p| of_sorted(&values, p);
    Some(Percentiles { n: values.len() as u64, p50: at(0.5)?, p95: at(0.95)?, p99: at(0.99)? })
}

fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.iter().all(|value| value.is_finite()).then_some(values)
}

fn of_sorted(values: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let place = (values.len().checked_sub(1)?) as f64 * p;
    let below = *values.get(place.floor() as usize)?;
    let above = *values.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}
