//! The only source of the current time.

use jiff::Timestamp;

use crate::error::{Error, Result};

/// The system clock, or a fixed time.
#[derive(Debug, Clone, Copy, Default)]
pub enum Clock {
    /// The system's time.
    #[default]
    System,
    /// Always the same time, so that runs can be compared byte by byte.
    Fixed(Timestamp),
}

impl Clock {
    /// The time in `ATLAS_GT_NOW` (as `2026-11-20T10:30:00Z`) if set, else the system clock. A build shell's
    /// `SOURCE_DATE_EPOCH` does not count, because it would silently misdate readings.
    ///
    /// # Errors
    /// `ATLAS_GT_NOW` is not a valid time.
    pub fn from_environment() -> Result<Self> {
        let Some(text) = std::env::var_os("ATLAS_GT_NOW").filter(|text| !text.is_empty()) else {
            return Ok(Self::System);
        };
        let text = text.to_string_lossy();
        text.trim().parse().map(Self::Fixed).map_err(|error| {
            Error::Usage(format!("ATLAS_GT_NOW={text} is not a time such as 2026-11-20T10:30:00Z: {error}"))
        })
    }

    /// The current time.
    #[must_use]
    pub fn now(self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Fixed(at) => at,
        }
    }
}

/// Parses a timestamp as tools write it: RFC 3339, also with a doubled zone (`+00:00Z`), without a zone, or a date
/// alone. Without a zone it is UTC.
#[must_use]
pub fn read_moment(text: &str) -> Option<Timestamp> {
    let bare = text.trim();
    let once = bare.strip_suffix('Z').filter(|once| once.parse::<Timestamp>().is_ok());
    let zoned = [format!("{bare}Z"), format!("{bare}T00:00:00Z")];
    [Some(bare), once, Some(zoned[0].as_str()), Some(zoned[1].as_str())]
        .into_iter()
        .flatten()
        .find_map(|text| text.parse().ok())
}
