//! The site's two GraphQL APIs: typed questions and answers, one client for both, and a watch on whether
//! the live schemas are still those that the questions were written for.

mod answer;
mod ask;
mod cache;
mod client;
pub mod country;
mod depends;
mod diff;
mod document;
mod error;
pub mod explore;
mod fit;
mod guard;
mod introspect;
pub(super) mod retry_after;
mod row;
mod shape;
mod transport;
mod word;

pub use answer::{Answer, Origin, Problem, Reply};
pub use ask::{Ask, Level};
pub use cache::SchemaCache;
pub use client::{Client, Patience};
pub use depends::{Depends, depends};
pub use diff::{Change, Difference, Effect};
pub use document::{Api, Document, documents};
pub use error::ApiError;
pub use introspect::SchemaReport;
pub use row::Dated;
