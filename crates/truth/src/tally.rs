//! The tally of a file of lines: how many there are, and one hash over all of them. It grows with every line, so that adding
//! one costs the same however long the file is; a line that is changed, cut, moved or lost gives another tally.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of lines in a file, and a hash of their content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Lines, those that cannot be read included.
    pub lines: u64,
    /// The hash of the hash before the last line and of the hash of that line; none where a line was added to a file that was
    /// not as it was left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    /// Counts the lines of a text, each with its line break.
    pub fn of(text: &[u8]) -> Self {
        let mut tally = Self::default();
        tally.add(text);
        tally
    }

    /// Counts more lines.
    pub fn add(&mut self, text: &[u8]) {
        text.split_inclusive(|byte| *byte == b'\n').for_each(|line| self.push(Digest::of(line)));
    }

    /// Counts a line.
    pub fn push(&mut self, line: Digest) {
        self.lines += 1;
        if let Some(Digest(before)) = &mut self.hash {
            *before = blake3::Hasher::new().update(before.as_bytes()).update(line.0.as_bytes()).finalize();
        }
    }

    /// Whether there is no line.
    pub const fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// Why a file that counts so is not the one that this counts; none where it is.
    pub fn differs(&self, found: &Self) -> Option<String> {
        if self.hash.is_none() {
            return Some("had been changed before a line was added to it".to_owned());
        }
        match (self.lines, found.lines) {
            (lines, found) if lines != found => Some(format!(
                "has {found} lines where {lines} were written: lines are missing or torn, or are not ours"
            )),
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
