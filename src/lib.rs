//! Ground truth from the Atlas of Economic Complexity: collect it with a real browser, keep it with
//! its evidence, compare and score against it.
//!
//! Modules import downwards only. From the ground up:
//! [`value`], [`atlas`], [`capture`], [`evidence`], [`picture`], [`event`], [`config`],
//! [`machine`], [`error`], [`selection`], [`breaker`], [`input`] →
//! [`manifest`], [`truth`], [`scoring`] → [`acquire`], [`agent`], [`judge`] → [`extract`] → [`workflow`] → [`report`].
//! The crate `atlas-gt-twin` stands aside: a local replica of the site, used by the command line and by tests only.

pub mod acquire;
pub mod agent;
pub mod atlas;
mod atomic_file;
pub mod breaker;
pub mod capture;
pub mod cli;
pub mod config;
pub mod error;
pub mod event;
pub mod evidence;
pub mod external;
pub mod extract;
pub mod input;
pub mod judge;
pub mod lint;
pub mod machine;
pub mod manifest;
pub mod picture;
mod process;
pub mod report;
pub mod scoring;
pub mod selection;
pub mod truth;
pub mod value;
pub mod workflow;
