//! What kind of change a difference is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::changes::RowChange;
use super::provenance::Provenance;

/// What kind of change a difference between a record and a reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The site gives another value for the same thing.
    Revision,
    /// The same value at the precision displayed: printed otherwise, or moved below what is displayed.
    Rounding,
    /// The value is now of something else: another year, classification, partner, ranking.
    Scope,
    /// The same data point in another form: another unit, words for a number, another code.
    Schema,
    /// There is no value any more.
    Disappearance,
    /// There is a value where there was none.
    Appearance,
    /// The page is there and the value can no longer be found on it. No change of the truth: nothing can be
    /// accepted, the extractor has to be mended.
    ExtractorBroken,
}

impl ChangeKind {
    /// Every kind, in the order in which reports tell them.
    pub const ALL: [Self; 7] = [
        Self::Revision,
        Self::Rounding,
        Self::Scope,
        Self::Schema,
        Self::Disappearance,
        Self::Appearance,
        Self::ExtractorBroken,
    ];

    /// Its name in files and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Revision => "revision",
            Self::Rounding => "rounding",
            Self::Scope => "scope",
            Self::Schema => "schema",
            Self::Disappearance => "disappearance",
            Self::Appearance => "appearance",
            Self::ExtractorBroken => "extractor_broken",
        }
    }

    /// What the rows alone tell: whether a value came, went or is another one.
    #[must_use]
    pub fn by_presence(change: &RowChange) -> Self {
        let is_there = |row: Option<&super::Row>| row.is_some_and(|row| row.absence.is_none());
        match (is_there(change.old.as_ref()), is_there(change.new.as_ref())) {
            (false, true) => Self::Appearance,
            (true, false) => Self::Disappearance,
            (true, true) => Self::Revision,
            (false, false) => Self::Schema,
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rounding => "rounding only",
            Self::ExtractorBroken => "extractor broken",
            other => other.name(),
        })
    }
}

impl FromStr for ChangeKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = text.trim().to_lowercase().replace([' ', '-'], "_");
        let found = Self::ALL.into_iter().find(|kind| kind.name() == plain);
        found.or((plain == "rounding_only").then_some(Self::Rounding)).ok_or_else(|| {
            let all: Vec<&str> = Self::ALL.iter().map(|kind| kind.name()).collect();
            format!("`{text}` is no kind of change: use one of {}", all.join(", "))
        })
    }
}

/// Tells the kind of each difference of a record, from all of them and from how both sides were read: the one
/// comparator, handed in.
pub type Kinds<'a> = &'a dyn Fn(&[RowChange], Option<&Provenance>, Option<&Provenance>) -> Vec<ChangeKind>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for kind in ChangeKind::ALL {
            assert_eq!(kind.name().parse::<ChangeKind>(), Ok(kind));
            assert_eq!(kind.to_string().parse::<ChangeKind>(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert!("other".parse::<ChangeKind>().unwrap_err().contains("revision"));
    }
}
