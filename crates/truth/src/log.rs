//! A log whose last line is a tally of the others. Appending touches only the log, and a changed, truncated or lost
//! line is noticed, even the last.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::files::{length, optional_bytes, tail};
use super::tally::Tally;
use crate::atomic_file;
use crate::error::Result;

/// A change at the end of a file: from an offset on, it gets new content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Append {
    /// The number of bytes that stay.
    pub before: u64,
    /// The replaced content after them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub was: String,
    /// The new content.
    pub add: String,
}

impl Append {
    /// Writes it, whatever part has already been written.
    pub fn write(&self, path: &Path) -> Result<()> {
        atomic_file::append_at(path, self.before, self.add.as_bytes())
    }

    /// Whether a file with this end may be the result of writing only a part of it.
    pub fn allows(&self, end: &[u8]) -> bool {
        let (was, add) = (self.was.as_bytes(), self.add.as_bytes());
        let written = end.iter().zip(add).take_while(|(one, other)| one == other).count();
        end[written..] == was[written.min(was.len())..]
    }
}

/// The lines of a log.
#[derive(Debug, Default)]
pub(super) struct Entries {
    text: Vec<u8>,
    /// Why the log counts as changed; `None` if it is intact.
    pub fault: Option<String>,
}

impl Entries {
    /// The last non-empty line, with its number.
    pub fn last(&self) -> Option<(usize, &[u8])> {
        self.lines().last()
    }

    /// All non-empty lines with their numbers, from 1. A tally in their midst, left by a foreign append, is skipped.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let lines = self.text.split(|byte| *byte == b'\n').enumerate();
        let is_entry = |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"{\"lines\":");
        lines.filter(move |(_, line)| is_entry(line)).map(|(at, line)| (at + 1, line))
    }
}

/// A log of these lines, each of which ends with a line break.
pub(super) fn begun(lines: &str) -> String {
    lines.to_owned() + &closing(&Tally::of(lines.as_bytes()))
}

/// Adds the tally to a text of lines; `None` if it already ends with one.
pub(super) fn closed(text: &str) -> Option<String> {
    let is_open = split(text.as_bytes()).1.is_none();
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    is_open.then(|| begun(&format!("{text}{end}")))
}

fn closing(tally: &Tally) -> String {
    let hash = tally.hash.as_ref().map_or_else(String::new, |hash| format!(",\"hash\":\"{hash}\""));
    format!("{{\"lines\":{}{hash}}}\n", tally.lines)
}

/// Splits a log into its lines and its tally, if it ends with one.
fn split(text: &[u8]) -> (&[u8], Option<Tally>) {
    let above = text.strip_suffix(b"\n").unwrap_or(text);
    let at = above.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let (lines, last) = text.split_at(at);
    match serde_json::from_slice::<Tally>(last) {
        Ok(tally) if closing(&tally).as_bytes() == last => (lines, Some(tally)),
        _ => (text, None),
    }
}

/// Reads a log; `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<Entries>> {
    let Some(text) = optional_bytes(path)? else { return Ok(None) };
    let (lines, tally) = split(&text);
    let fault = match tally {
        None => {
            Some("was truncated or changed: its last line is not the tally of the lines above it".to_owned())
        }
        Some(tally) => tally.differs(&Tally::of(lines)),
    };
    let length = lines.len();
    let mut text = text;
    text.truncate(length);
    Ok(Some(Entries { text, fault }))
}

/// Maximum length of a tally, in bytes.
const MAX_TALLY: u64 = 160;

/// Prepares to append lines, each with its line break. A log without a valid tally also accepts lines, but still counts
/// as changed.
pub(super) fn append(path: &Path, lines: &str) -> Result<Append> {
    let length = length(path)?;
    let end = tail(path, length.saturating_sub(MAX_TALLY))?;
    if let (_, Some(mut tally)) = split(&end) {
        let was = closing(&tally);
        tally.add(lines.as_bytes());
        return Ok(Append {
            before: length - was.len() as u64,
            was,
            add: lines.to_owned() + &closing(&tally),
        });
    }
    let torn = end.last().is_some_and(|last| *last != b'\n');
    let there = Tally::of(&optional_bytes(path)?.unwrap_or_default()).lines;
    let tally = Tally { lines: there + Tally::of(lines.as_bytes()).lines, hash: None };
    // An unfinished line must not absorb the first new one.
    let add = format!("{}{lines}{}", if torn { "\n" } else { "" }, closing(&tally));
    Ok(Append { before: length, was: String::new(), add })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(lines: &[&str]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        std::fs::write(&path, begun("")).unwrap();
        for line in lines {
            append(&path, &format!("{line}\n")).unwrap().write(&path).unwrap();
        }
        (folder, path)
    }

    #[test]
    fn every_changed_byte_and_every_missing_line_of_a_log_is_seen() {
        let (_folder, path) = log(&["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"]);
        let whole = std::fs::read(&path).unwrap();
        let entries = read(&path).unwrap().unwrap();
        assert_eq!((entries.lines().count(), &entries.fault), (3, &None));
        let fault = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read(&path).unwrap().unwrap().fault
        };
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert!(fault(&changed).is_some(), "byte {at}");
            assert!(fault(&whole[..at]).is_some(), "cut off at {at}");
            changed.remove(at);
            assert!(fault(&changed).is_some(), "without byte {at}");
        }
        let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
        for at in 0..lines.len() {
            let left: Vec<&[u8]> =
                lines.iter().enumerate().filter(|(one, _)| *one != at).map(|(_, l)| *l).collect();
            assert!(fault(&left.concat()).is_some(), "without line {}", at + 1);
        }
        assert_eq!(fault(&whole), None);
    }

    #[test]
    fn a_line_that_is_added_hides_no_fault_and_is_swallowed_by_none() {
        let (_folder, path) = log(&["{\"a\":1}", "{\"b\":2}"]);
        let length = std::fs::read(path).unwrap().len();
        for cut in 1..=length {
            let (_folder, path) = log(&["{\"a\":1}", "{\"b\":2}"]);
            let whole = std::fs::read(&path).unwrap();
            std::fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            append(&path, "{\"c\":3}\n").unwrap().write(&path).unwrap();
            let entries = read(&path).unwrap().unwrap();
            assert!(entries.fault.is_some(), "{cut}");
            assert!(entries.lines().any(|(_, line)| line == b"{\"c\":3}"), "{cut}");
        }
    }

    #[test]
    fn what_an_interrupted_append_may_leave_is_told_from_an_edit() {
        let append = Append { before: 3, was: "old\n".into(), add: "new line\nend\n".into() };
        for end in ["old\n", "nld\n", "ned\n", "new\n", "new ", "new line\nen", "new line\nend\n"] {
            assert!(append.allows(end.as_bytes()), "{end:?}");
        }
        for end in ["", "oldest\n", "xew line\n", "new line\nend\nmore", "ol"] {
            assert!(!append.allows(end.as_bytes()), "{end:?}");
        }
    }
}
