//! The evidence of a value: the hash of its source bytes, its channel, and whether the channels agree.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A BLAKE3 hash of uncompressed bytes, 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(String);

/// An invalid hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a hash: expected 64 lower-case hexadecimal digits")]
pub struct HashError(String);

impl Hash {
    /// The hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().to_string())
    }

    /// The hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> std::result::Result<Self, HashError> {
        let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == 64 && text.bytes().all(digit) {
            Ok(Self(text.to_owned()))
        } else {
            Err(HashError(text.to_owned()))
        }
    }
}

impl TryFrom<String> for Hash {
    type Error = HashError;

    fn try_from(text: String) -> std::result::Result<Self, HashError> {
        text.parse()
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a value was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The text of a card or bar.
    Dom,
    /// A sentence of running text.
    Narrative,
    /// A cell of a table.
    Table,
    /// The label of a drawn cell.
    Label,
    /// A tooltip.
    Tooltip,
    /// The response to a query of the page itself.
    PageResponse,
    /// The response to a query of our own.
    Api,
    /// A person who read a screenshot.
    Person,
    /// An imported file: how the value was read is unknown.
    Imported,
}

/// Whether the channels of a value agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// The displayed value and the response behind it agree.
    Agrees,
    /// They differ; the displayed value stays the truth.
    PageDisagrees,
    /// Only one channel has the value.
    Single,
    /// A response that no displayed text confirmed.
    Unverified,
    /// The page should display the response's value but does not. It awaits review.
    NotDisplayed,
    /// It comes from our own query. It never scores answers from the same API.
    NotIndependent,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hashes_are_hashes() {
        for text in ["", "abc", &"g".repeat(64), &"A".repeat(64), "../../etc/passwd"] {
            assert!(text.parse::<Hash>().is_err(), "{text}");
        }
        assert!("0".repeat(64).parse::<Hash>().is_ok());
    }
}
