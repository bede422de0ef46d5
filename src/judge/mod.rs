//! Judges at the edge: what runs a program or a model and hands its scores to the pure scorers.

pub mod command;
pub(crate) mod process;

pub use command::CommandScorer;
