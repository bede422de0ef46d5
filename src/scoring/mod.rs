//! How values are compared and scored. Pure: no I/O, no clock, no async.

pub mod compare;
pub mod cost;
pub mod json;
pub mod prose;
pub mod stats;
pub mod suite;
pub mod text;
pub mod tools;
mod verdict;

pub use verdict::{Cause, Comparison, Verdict};
