//! Means of scores from 0 to 1 with n, standard error, and a 95 % interval by Student's t.

use std::collections::BTreeMap;

use serde::Serialize;

use super::distribution::student_t_quantile;

/// The two-sided confidence level of all intervals.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Bounds {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A mean with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MeanEstimate {
    /// Number of values.
    pub n: u64,
    /// The mean.
    pub mean: f64,
    /// Standard error of the mean; absent for a single value.
    pub standard_error: Option<f64>,
    /// 95 % interval; absent for a single value.
    pub interval: Option<Bounds>,
    /// Number of clusters, if the error is clustered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<u64>,
}

/// The interval `mean ± t(0.975, df) · se`, clamped to 0 to 1.
fn t_interval(mean: f64, standard_error: f64, df: f64) -> Bounds {
    let half = student_t_quantile(0.5 + CONFIDENCE / 2.0, df) * standard_error;
    Bounds { low: (mean - half).max(0.0), high: (mean + half).min(1.0) }
}

/// Mean, standard error s/√n and Student-t interval with n − 1 degrees of freedom (Student 1908; any
/// statistics text). `None` without values.
#[must_use]
pub fn mean(values: &[f64]) -> Option<MeanEstimate> {
    let mut running = Running::default();
    for value in values {
        running.add(*value);
    }
    running.estimate()
}

/// Mean and cluster-robust standard error: scores of questions about one page or country are correlated.
/// se = √(G/(G−1) · Σ_g (Σ_{i∈g} (x_i − x̄))²) / n, with G − 1 degrees of freedom: the estimator of Liang and
/// Zeger (1986) with the small-sample factor of statsmodels' `cov_type="cluster"`; recommended for evaluations by
/// Miller, "Adding Error Bars to Evals" (2024), section 2.2. `None` without values; no error with one cluster.
#[must_use]
pub(crate) fn clustered_mean<'a>(values: impl IntoIterator<Item = (&'a str, f64)>) -> Option<MeanEstimate> {
    let mut clusters: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (cluster, value) in values {
        clusters.entry(cluster).or_default().push(value);
    }
    let n: usize = clusters.values().map(Vec::len).sum();
    if n == 0 {
        return None;
    }
    let mean = clusters.values().flatten().sum::<f64>() / n as f64;
    let groups = clusters.len() as f64;
    let standard_error = (clusters.len() > 1).then(|| {
        let meat: f64 = clusters
            .values()
            .map(|members| members.iter().map(|value| value - mean).sum::<f64>().powi(2))
            .sum();
        (groups / (groups - 1.0) * meat).sqrt() / n as f64
    });
    Some(MeanEstimate {
        n: n as u64,
        mean,
        standard_error,
        interval: standard_error.map(|error| t_interval(mean, error, groups - 1.0)),
        clusters: Some(clusters.len() as u64),
    })
}

/// Mean and variance in one pass and constant memory (Welford 1962).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(into = "Option<MeanEstimate>")]
pub struct Running {
    n: u64,
    mean: f64,
    squares: f64,
}

impl Running {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        let away = value - self.mean;
        self.mean += away / self.n as f64;
        self.squares += away * (value - self.mean);
    }

    /// The mean; `None` without values.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.mean)
    }

    /// The mean with error and interval; `None` without values.
    #[must_use]
    pub fn estimate(&self) -> Option<MeanEstimate> {
        let n = self.n as f64;
        let standard_error = (self.n > 1).then(|| (self.squares / (n - 1.0) / n).sqrt());
        Some(MeanEstimate {
            n: self.n,
            mean: self.mean()?,
            standard_error,
            interval: standard_error.map(|error| t_interval(self.mean, error, n - 1.0)),
            clusters: None,
        })
    }
}

impl From<Running> for Option<MeanEstimate> {
    fn from(running: Running) -> Self {
        running.estimate()
    }
}
