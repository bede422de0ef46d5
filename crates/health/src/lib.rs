//! The health of existing truth: imports other tools' records, finds wrong, stale and missing
//! records, and assigns each question its expected tool.

use atlas_gt_core::{atlas, compiled_in, config, error, evidence, input, selection, value, words};
use atlas_gt_extract as extract;
use atlas_gt_extract::manifest;
use atlas_gt_scoring as scoring;
use atlas_gt_truth as truth;

pub mod annotate;
pub mod coverage;
pub mod external;
pub mod import;
pub mod lint;
pub mod stale;
