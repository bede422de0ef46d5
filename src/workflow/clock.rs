//! The one place that knows what time it is.

use jiff::Timestamp;

/// A clock: the system's, or one that stands still.
#[derive(Debug, Clone, Copy, Default)]
pub enum Clock {
    /// The system's time.
    #[default]
    System,
    /// Always the same moment, so that runs can be compared byte by byte.
    Fixed(Timestamp),
}

impl Clock {
    /// The moment of `SOURCE_DATE_EPOCH` (seconds since 1970, as reproducible builds use it) where that is
    /// set, else the system's time.
    #[must_use]
    pub fn from_environment() -> Self {
        std::env::var("SOURCE_DATE_EPOCH")
            .ok()
            .and_then(|seconds| Timestamp::from_second(seconds.trim().parse().ok()?).ok())
            .map_or(Self::System, Self::Fixed)
    }

    /// Now.
    #[must_use]
    pub fn now(self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Fixed(at) => at,
        }
    }
}
