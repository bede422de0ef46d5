//! The requests to a twin, for tests. No route exposes them.

use serde_json::Value;
use std::time::Duration;

/// One request.
#[derive(Debug, Clone)]
pub struct LogEntry {
    /// Time of arrival since the start.
    pub at: Duration,
    /// `GET`, `POST`.
    pub method: String,
    /// Path with query.
    pub path: String,
    /// Status of the response; 0 if the connection was reset.
    pub status: u16,
    /// Name of the GraphQL operation.
    pub operation: Option<String>,
    /// The selected fields of the query type.
    pub fields: Vec<String>,
    /// GraphQL variables; null if there are none.
    pub variables: Value,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// Whether a page of the site sent it, judging by its `Referer`.
    pub by_page: bool,
}

impl LogEntry {
    /// Whether it counts against the rate limit.
    #[must_use]
    pub fn is_api(&self) -> bool {
        self.path.starts_with("/api/")
    }
}
