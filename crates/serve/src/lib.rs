//! The desk: production traces in a database, figures, failure reviews, and interactive pages.

mod api;
mod app;
pub mod database;
mod desk;
pub mod failures;
mod guard;
pub mod import;
mod ingest;
pub mod metrics;
mod pages;
mod request_failure;
mod server;
mod site;
mod spans;
#[cfg(test)]
mod style_tests;
mod templates;
pub mod trace_row;
pub mod traces;
mod value_cache;
pub mod window;

pub use app::{Desk, Options};
pub use desk::inbox::{InboxItem, inbox};
pub use desk::sources::Sources;
pub use guard::secret;
pub use server::is_private;
pub use site::{SiteWritten, write_site};
