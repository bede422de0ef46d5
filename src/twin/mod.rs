//! A faithful local replica of the site and both of its APIs, for the command line and for tests.
//!
//! It knows the site's figures, quirks and failures, and is told apart from the real site by nothing but its
//! address. It is never made easier so that something passes. Imports of this module end at the command line.

mod api;
mod data;
mod fault;
mod limit;
mod log;
mod options;
mod routes;
mod server;
mod site;
mod wire;

pub use data::vintage::VintageChange;
pub use fault::Fault;
pub use log::LogEntry;
pub use options::{Latency, TwinOptions};
pub use server::{Twin, start, vintage_changes};
pub use site::Skin;

#[cfg(test)]
mod tests;
