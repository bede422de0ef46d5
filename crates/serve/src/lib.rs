//! The desk: production traces in a database, figures, failure reviews, and interactive pages.

mod api;
pub mod database;
mod desk;
pub mod failures;
mod guard;
pub mod import;
mod ingest;
pub mod metrics;
mod pages;
mod server;
mod site;
mod spans;
#[cfg(test)]
mod style_tests;
pub mod trace_row;
pub mod traces;
mod value_cache;
pub mod window;

pub use desk::Sources;
pub use desk::inbox::{InboxItem, inbox};
pub use guard::secret;
pub use server::{Desk, Options, is_private};
pub use site::{SiteWritten, write_site};
