//! Ground truth from the Atlas of Economic Complexity: collect it with a real browser, keep it with
//! its evidence, compare and score against it.
//!
//! Modules import downwards only. From the ground up:
//! [`value`], [`atlas`], [`capture`], [`evidence`], [`picture`], [`event`], [`config`],
//! [`machine`], [`error`], [`selection`], [`breaker`], [`input`] →
//! [`manifest`], [`truth`], [`scoring`] → [`acquire`], [`agent`], [`judge`] → [`extract`] → [`workflow`] → [`report`].
//! The crate `atlas-gt-twin` stands aside: a local replica of the site, used by the command line and by tests only.

pub mod cli;
pub mod report;
pub mod workflow;

pub use atlas_gt_acquire as acquire;
use atlas_gt_core::atomic_file;
pub use atlas_gt_core::{
    atlas, breaker, capture, clock, config, error, event, evidence, input, machine, picture, sample,
    selection, value,
};
pub use atlas_gt_evaluate as evaluate;
pub use atlas_gt_evaluate::{agent, judge};
pub use atlas_gt_extract as extract;
pub use atlas_gt_extract::manifest;
pub use atlas_gt_health as health;
pub use atlas_gt_health::{external, lint};
pub use atlas_gt_mend as mend;
pub use atlas_gt_scoring as scoring;
pub use atlas_gt_truth as truth;
