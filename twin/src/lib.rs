//! A faithful local replica of the Atlas of Economic Complexity and both of its APIs, for testing the tool.
//!
//! It reproduces the site's figures, quirks and failures, and differs from the real site only in its address. It is
//! never simplified to make something pass, and knows nothing of the tool.

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
