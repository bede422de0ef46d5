//! The site's two GraphQL APIs: one client for both, our own queries, and a check that the live schemas still match
//! these queries.

mod answer;
mod cache;
mod client;
mod diff;
mod document;
mod elements;
mod error;
mod guard;
mod introspect;
mod question;
mod transport;

pub use crate::atlas::Api;
pub use answer::{HttpReply, QueryAnswer};
pub use cache::SchemaCache;
pub use client::Client;
pub use diff::{Difference, Effect, SchemaChange};
pub use document::{QueryDocument, documents};
pub use error::ApiError;
pub use introspect::SchemaReport;
pub use question::ApiQuestion;
pub use transport::Patience;
