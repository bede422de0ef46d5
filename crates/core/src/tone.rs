//! Whether a text is good or bad news.

use serde::Serialize;

/// Whether a text is good or bad news.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Neutral.
    #[default]
    Plain,
    /// Good.
    Good,
    /// Needs attention.
    Warning,
    /// Bad.
    Bad,
    /// Secondary.
    Muted,
}

impl Tone {
    /// The tone of an exit code. Differences are a warning; every other failure is bad.
    #[must_use]
    pub const fn of_exit(code: u8) -> Self {
        match code {
            0 => Self::Good,
            3 => Self::Warning,
            _ => Self::Bad,
        }
    }
}
