//! From a capture to observations. Pure: no I/O, no clock, no async.

pub mod cue;
pub mod exchange;
pub mod page;
mod section;
