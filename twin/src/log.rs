//! What was asked of a twin: read by tests, at no public route.

use serde_json::Value;
use std::time::Duration;

/// One request.
#[derive(Debug, Clone)]
pub struct LogEntry {
    /// When it arrived, since the start.
    pub at: Duration,
    /// `GET`, `POST`.
    pub method: String,
    /// Path with query.
    pub path: String,
    /// Status of the answer; 0 when the connection was reset.
    pub status: u16,
    /// Name of the GraphQL operation.
    pub operation: Option<String>,
    /// Fields of the query type that were asked for.
    pub fields: Vec<String>,
    /// GraphQL variables; null when there are none.
    pub variables: Value,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// Whether a page of the site sent it (by its `Referer`).
    pub by_page: bool,
}

impl LogEntry {
    /// Whether it counts against the rate limit.
    #[must_use]
    pub fn is_api(&self) -> bool {
        self.path.starts_with("/api/")
    }
}
