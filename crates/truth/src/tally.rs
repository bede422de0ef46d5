//! The tally of a file of lines: their number, and a hash chained over them. Adding a line costs the same at any
//! length, and any changed, truncated, moved or lost line changes the tally.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use atlas_gt_core::words::count;

/// The number of lines in a file, and a hash of their content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Tally {
    /// Number of lines, including unreadable ones.
    pub lines: u64,
    /// Chained hash: the hash of the previous chain value and of the last line's hash. `None` if a line was added to a
    /// file that had been changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub hash: Option<Digest>,
}

/// A BLAKE3 hash, written as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digest(blake3::Hash);

impl Digest {
    /// The hash of a line with its line break.
    pub fn of(line: &[u8]) -> Self {
        Self(blake3::hash(line))
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.to_hex())
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        blake3::Hash::from_hex(text).map(Self).map_err(serde::de::Error::custom)
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self { lines: 0, hash: Some(Digest::of(b"")) }
    }
}

impl Tally {
    /// The tally of a text whose lines all end with a line break.
    pub fn of(text: &[u8]) -> Self {
        let mut tally = Self::default();
        tally.add(text);
        tally
    }

    /// Adds lines.
    pub fn add(&mut self, text: &[u8]) {
        text.split_inclusive(|byte| *byte == b'\n').for_each(|line| self.push(Digest::of(line)));
    }

    /// Adds a line.
    pub fn push(&mut self, line: Digest) {
        self.lines += 1;
        if let Some(Digest(before)) = &mut self.hash {
            *before = blake3::Hasher::new().update(before.as_bytes()).update(line.0.as_bytes()).finalize();
        }
    }

    /// Whether there are no lines.
    pub const fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// Why a file with the tally `found` is not the recorded one; `None` if it is.
    pub fn differs(&self, found: &Self) -> Option<String> {
        if self.hash.is_none() {
            return Some("had been changed before a line was added to it".to_owned());
        }
        match (self.lines, found.lines) {
            (lines, found) if lines != found => {
                let found = count(found, "line");
                Some(format!("has {found} instead of {lines}: lines are missing, torn or foreign"))
            }
            _ if self.hash != found.hash => Some("was changed since it was written".to_owned()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_grows_line_by_line_and_differs_with_every_other_text() {
        let text = b"one\ntwo\nthree\n";
        let mut grown = Tally::of(b"one\n");
        grown.add(b"two\nthree\n");
        let tally = Tally::of(text);
        assert_eq!((&grown, tally.differs(&grown)), (&tally, None));
        for other in [
            "one\ntwo\n",
            "one\nthree\ntwo\n",
            "one\ntwo\nthree",
            "one\ntwo\nthre\n",
            "",
            "one\n\ntwo\nthree\n",
        ] {
            assert!(tally.differs(&Tally::of(other.as_bytes())).is_some(), "{other:?}");
        }
    }
}
