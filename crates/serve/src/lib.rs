//! The desk: production traces in a database, their figures, the review of failures, and pages on which one can act.

mod api;
pub mod database;
pub mod failures;
mod guard;
pub mod import;
mod ingest;
pub mod metrics;
mod pages;
mod server;
mod spans;
pub mod trace_row;
pub mod traces;
pub mod window;

pub use guard::secret;
pub use server::{Desk, Options, is_private};
