//! The health of existing truth: importing other tools' records, what is wrong, stale or missing in records, and which tool
//! each question expects.

use atlas_gt_core::{atlas, config, error, evidence, input, selection, value, words};
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
