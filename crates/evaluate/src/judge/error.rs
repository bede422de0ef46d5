//! Errors of a judge.

use std::time::Duration;

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// Too many requests, even after waiting.
    #[error("the judge limits the rate of requests: {message}")]
    RateLimited {
        /// How long the server asked to wait.
        retry_after: Option<Duration>,
        /// The server's message.
        message: String,
    },
    /// The provider or the model refused.
    #[error("the judge refused: {0}")]
    Refused(String),
    /// The response is malformed or was cut off.
    #[error("the judge's response is malformed: {0}")]
    Malformed(String),
    /// The reply took too long.
    #[error("the judge gave no reply within {0:?} (--judge-timeout)")]
    Timeout(Duration),
    /// The judge was unreachable, or the connection broke.
    #[error("the judge could not be reached: {0}")]
    Transport(String),
    /// Another error status.
    #[error("the judge answered with status {status}: {body}")]
    Status {
        /// HTTP status.
        status: u16,
        /// The start of the response body.
        body: String,
        /// How long the server asked to wait.
        retry_after: Option<Duration>,
    },
}

impl JudgeError {
    /// Whether a retry may help: transport errors, 429, 5xx.
    #[must_use]
    pub(crate) const fn is_passing(&self) -> bool {
        matches!(self, Self::RateLimited { .. } | Self::Transport(_) | Self::Status { status: 500..=599, .. })
    }

    /// How long the server asked to wait.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
