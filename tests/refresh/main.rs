//! Refresh as a whole: a real Chromium over the local replica of the site, whose next release changes a known list of
//! values. One collection serves all tests; one pair of browsers runs at a time.

mod bench;
mod cli;
mod imported;
mod queue;
mod resume;
mod review;
#[path = "../stage/mod.rs"]
mod stage;
mod storm;
mod story;
