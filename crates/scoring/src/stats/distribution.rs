//! Quantiles of the distributions behind the intervals.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The t with P(T ≤ t) = p, for Student's t with `df` degrees of freedom; NaN for invalid `df`.
pub(super) fn student_t_quantile(p: f64, df: f64) -> f64 {
    StudentsT::new(0.0, 1.0, df).map_or(f64::NAN, |student| student.inverse_cdf(p))
}

/// The z with P(Z ≤ z) = p, for p from 0 to 1.
pub(super) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}
