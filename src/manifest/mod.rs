//! What to collect.

pub mod spec;
