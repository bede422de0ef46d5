//! How values are compared and scored. Pure: no I/O, no clock, no async.

pub mod compare;
mod verdict;

pub use verdict::{Cause, Comparison, Verdict};
