//! Compares values and scores answers. Pure: no I/O, no clock, no async.

use atlas_gt_core::{atlas, compiled_in, diagnostic, error, input, value};

pub mod answer;
mod case_verdict;
pub mod compare;
pub mod components;
pub mod cost;
pub mod json;
pub mod language;
mod outline;
pub mod prices;
pub mod rubric;
pub mod score;
pub mod scorers;
pub(crate) mod similarity;
pub mod stats;
pub mod suite;
pub mod text;
pub mod tools;
pub(crate) mod verdict;

pub use case_verdict::{CaseVerdict, VerdictCounts};
pub use score::Score;
pub use verdict::{Cause, Comparison, Verdict};

/// The version of the scoring rules. It rises whenever the same answer would score differently. Results of two versions
/// are never compared or put into one trend (decision 16).
pub const SCORING_VERSION: u32 = 23;
