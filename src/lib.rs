//! Ground truth from the Atlas of Economic Complexity: collected with a real browser, stored with its evidence, and
//! used to compare and score answers.
//!
//! One answer, scored against the truth:
//!
//! ```
//! use atlas_gt::{scoring::answer::{AnswerVerdict, score}, truth::Row, evaluate::expected::of_row};
//! let mut row = Row { data_point: "gdp_per_capita".into(), metric: "GDP per capita".into(), ..Row::default() };
//! (row.country, row.value, row.year) = ("Kenya".into(), Some("$2,274".into()), Some("2024".into()));
//! let scored = score(&[of_row(&row, None, None)], None, "Kenya's GDP per capita was $2,274 in 2024.");
//! assert_eq!(scored.points[0].said, AnswerVerdict::Right);
//! ```
//!
//! This package holds the commands, the reports and the runs over pages ([`workflow`]). The libraries below it are
//! separate crates, re-exported here: [`mend`], [`health`], [`evaluate`], [`acquire`] → [`truth`], [`extract`] →
//! [`scoring`] → the modules of `core` ([`value`], [`atlas`], [`capture`] …). Imports point down only. The crate
//! `atlas-gt-twin`, a local replica of the site, is separate; only the command line and tests use it.

pub mod cli;
pub mod report;
pub mod workflow;

pub use atlas_gt_acquire as acquire;
use atlas_gt_core::atomic_file;
pub use atlas_gt_core::{
    atlas, breaker, capture, clock, config, error, event, evidence, input, machine, picture, sample,
    selection, value, words,
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
