//! Collection as a whole: a real Chromium over the local replica of the site, from manifest to verified records.
//! At most two browsers run at a time.

mod bench;
mod cli;
mod disagreement;
mod extractors;
mod faults;
mod golden;
mod interrupted;
mod layouts;
mod mend;
mod network;
mod outputs;
mod processes;
mod renames;
mod resume;
#[path = "../stage/mod.rs"]
mod stage;
mod whole;
