//! Statistics for evaluations: the uncertainty of means and rates, and tests for differences between runs. Every formula
//! cites its source; the expected values in the tests come from SciPy, statsmodels and scikit-learn.

mod agreement;
mod distribution;
mod mean;
mod multiple;
mod paired;
mod percentile;
mod proportion;
#[cfg(test)]
mod tests;

pub use agreement::{
    BaseRate, Calibration, Consistency, ConstantBaseline, MAX_DIFFERENCE, MIN_KAPPA, RaterAgreement,
    agreement, calibration, consistency,
};
pub(crate) use mean::clustered_mean;
pub use mean::{Bounds, MeanEstimate, Running, mean};
pub use multiple::holm;
pub(crate) use paired::bootstrap_difference;
pub use paired::{BootstrapEstimate, McNemar, Seed, mcnemar_exact};
pub use percentile::{Percentiles, percentiles};
pub use proportion::{Limit, Proportion, TargetOutcome, minimum_detectable_difference, wilson};
