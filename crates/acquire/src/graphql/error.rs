//! Errors of an API, and whether asking again may help.

use std::time::Duration;

use crate::atlas::Api;
use crate::error::Error;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// The question is invalid; nothing was sent.
    #[error("{0}")]
    Question(String),
    /// The live schema no longer has what the question needs; nothing was sent.
    #[error(
        "{api} API, {operation}: not asked, since the live schema differs: {because} (`atlas-gt api introspect` shows all)"
    )]
    Disabled {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// What differs.
        because: String,
    },
    /// No connection, or it broke, or it took too long.
    #[error("{api} API, {operation}: {message}")]
    Connection {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// What happened.
        message: String,
    },
    /// A status that says "later".
    #[error("{api} API, {operation}: HTTP {status}{}", retry_after.map_or_else(String::new, |wait| format!(", come back in {} s", wait.as_secs())))]
    Busy {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// HTTP status: 429, 500, 502, 503 or 504.
        status: u16,
        /// What `Retry-After` asks for.
        retry_after: Option<Duration>,
    },
    /// A body that is no GraphQL answer: cut off, or a page that blocks.
    #[error("{api} API, {operation}: the answer is not understood: {message}")]
    Unreadable {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// What is wrong with it, and how it begins.
        message: String,
    },
    /// A status that says "never".
    #[error("{api} API, {operation}: refused with HTTP {status}: {message}")]
    Refused {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// The server answered with errors and no data at all.
    #[error("{api} API, {operation}: {message}")]
    Failed {
        /// The API.
        api: Api,
        /// The operation.
        operation: String,
        /// The server's words, all of them.
        message: String,
    },
}

impl ApiError {
    /// Whether the same question may be answered later.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Connection { .. } | Self::Busy { .. } | Self::Unreadable { .. })
    }

    /// Whether it is the site that could not be reached, refused or did not make sense, and not the question.
    #[must_use]
    pub const fn is_of_the_site(&self) -> bool {
        !matches!(self, Self::Question(_) | Self::Disabled { .. } | Self::Failed { .. })
    }

    /// Whether everything that asks the site is to wait.
    #[must_use]
    pub const fn asks_to_hold_back(&self) -> bool {
        matches!(self, Self::Busy { status: 429 | 503, .. })
    }

    /// What `Retry-After` asks for.
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
