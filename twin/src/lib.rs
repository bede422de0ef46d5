//! A faithful local replica of the Atlas of Economic Complexity and both of its APIs, to try the tool on.
//!
//! It knows the site's figures, quirks and failures, and differs from the real site in nothing but its address. It is
//! never made easier so that something passes, and knows nothing of the tool that reads it.

mod api;
mod connection;
mod data;
mod fault;
mod field_names;
mod limit;
mod log;
mod options;
mod routes;
mod server;
mod site;
mod state;

pub use data::vintage::VintageChange;
pub use fault::Fault;
pub use log::LogEntry;
pub use options::{Latency, TwinOptions};
pub use server::{Twin, start, vintage_changes};
pub use site::Skin;

#[cfg(test)]
mod tests;
