//! API errors, and whether a retry may help.

use std::time::Duration;

use crate::atlas::Api;
use crate::error::Error;

/// Why a query has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// The question is invalid; nothing was sent.
    #[error("{0}")]
    Question(String),
    /// The live schema no longer has what the question needs; nothing was sent.
    #[error(
        "{api} API, {operation}: not sent, because the live schema differs: {because} (`atlas-gt api introspect` shows all differences)"
    )]
    Disabled {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// What differs.
        because: String,
    },
    /// The connection failed, broke or timed out.
    #[error("{api} API, {operation}: {message}")]
    Connection {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// What happened.
        message: String,
    },
    /// A status that permits a retry.
    #[error("{api} API, {operation}: HTTP {status}{}", retry_after.map_or_else(String::new, |wait| format!(", retry in {} s", wait.as_secs())))]
    Busy {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// HTTP status: 429, 500, 502, 503 or 504.
        status: u16,
        /// The wait that `Retry-After` requests.
        retry_after: Option<Duration>,
    },
    /// A body that is not a GraphQL answer, for example truncated or a block page.
    #[error("{api} API, {operation}: the answer cannot be read: {message}")]
    Unreadable {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// What is wrong with the body, and how it starts.
        message: String,
    },
    /// A status that rules out a retry.
    #[error("{api} API, {operation}: refused with HTTP {status}: {message}")]
    Refused {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// HTTP status.
        status: u16,
        /// The server's message.
        message: String,
    },
    /// The server answered with errors and no data.
    #[error("{api} API, {operation}: {message}")]
    Failed {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// All of the server's error messages.
        message: String,
    },
}

impl ApiError {
    /// Whether a retry may succeed.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Connection { .. } | Self::Busy { .. } | Self::Unreadable { .. })
    }

    /// Whether the site is at fault (unreachable, refusing or unreadable), and not the question.
    #[must_use]
    pub const fn is_of_the_site(&self) -> bool {
        !matches!(self, Self::Question(_) | Self::Disabled { .. } | Self::Failed { .. })
    }

    /// Whether all requests to the site must wait.
    #[must_use]
    pub const fn asks_to_hold_back(&self) -> bool {
        matches!(self, Self::Busy { status: 429 | 503, .. })
    }

    /// The wait that `Retry-After` requests.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

impl From<ApiError> for Error {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::Question(message) => Self::Usage(message),
            other => Self::Site(other.to_string()),
        }
    }
}
