//! Spot check: ask the agent, look at the page, compare both with the stored truth.

mod expected;

pub use expected::{expected, of_row};
