//! Ground truth from the Atlas of Economic Complexity: collect it with a real browser, keep it with
//! its evidence, compare and score against it.
//!
//! Modules import downwards only. From the ground up:
//! [`value`], [`atlas`], [`capture`], [`event`], [`config`], [`error`] →
//! [`manifest`], [`truth`], [`scoring`] → [`acquire`], [`agent`], [`judge`] → [`extract`] → [`workflow`] → [`report`].
//! [`twin`] stands aside: a local replica of the site, used by the command line and by tests only.

pub mod acquire;
pub mod agent;
pub mod atlas;
pub mod capture;
pub mod cli;
pub mod config;
pub mod error;
pub mod event;
pub mod extract;
pub mod judge;
pub mod manifest;
pub mod report;
pub mod scoring;
pub mod truth;
pub mod twin;
pub mod value;
mod whole;
pub mod workflow;
