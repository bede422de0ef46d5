//! The only source of the current time.

use jiff::Timestamp;

use crate::error::{Error, Result};

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
    /// The moment of `ATLAS_GT_NOW` (as `2026-11-20T10:30:00Z`) where that is set, else the system's time. No other
    /// variable counts: a build shell's `SOURCE_DATE_EPOCH` would quietly date what was read today.
    ///
    /// # Errors
    /// It is set and is no moment.
    pub fn from_environment() -> Result<Self> {
        let Some(text) = std::env::var_os("ATLAS_GT_NOW").filter(|text| !text.is_empty()) else {
            return Ok(Self::System);
        };
        let text = text.to_string_lossy();
        text.trim().parse().map(Self::Fixed).map_err(|error| {
            Error::Usage(format!("ATLAS_GT_NOW={text} is not a time such as 2026-11-20T10:30:00Z: {error}"))
        })
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

/// A moment as tools write it: RFC 3339, with its zone said twice (`+00:00Z`), without one, or a day alone; the last two are UTC.
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
