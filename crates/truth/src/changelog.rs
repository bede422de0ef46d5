//! `changelog.jsonl`: what a value was before it was replaced, one line a value, never rewritten (evaluation
//! strategy, section 4.4, with run, kind, context, reason and evidence beside the documented keys).

use std::fs::File;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use rayon::prelude::*;
use rust_decimal::prelude::ToPrimitive;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::checks::integer_or_text;
use super::files::{if_there, whole_seconds};
use super::kind::ChangeKind;
use super::provenance::Imported;
use super::record::Row;
use super::store::Store;
use super::tally::{Digest, Tally};
use crate::error::{Error, Result};
use crate::value::Context;
use atlas_gt_core::evidence::{Channel, Hash};
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::source::SourceMethod;

/// The file.
pub(super) const FILE: &str = "changelog.jsonl";

/// The reason of an older value that was imported.
pub const ARCHIVED: &str = "imported: archived";

/// What the reason begins with where a decision was undone.
pub(super) const TAKEN_BACK: &str = "taken back";

/// One value that was replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ChangelogEntry {
    /// When; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub timestamp: Timestamp,
    /// The question.
    #[serde(serialize_with = "integer_or_text")]
    #[schemars(schema_with = "super::checks::integer_or_text_schema")]
    pub question_id: QuestionId,
    /// The value's field in the record: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// What it was: an integer where it is one, else the text; null when there was no row.
    pub old: Value,
    /// What it is now; null when the row is gone.
    pub new: Value,
    /// Where the new value comes from.
    pub source: SourceMethod,
    /// The run that replaced it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// What kind of change it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ChangeKind>,
    /// Why it was forced, accepted in review or taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who accepted it, or took it back. Older lines have it of what was accepted in review alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What the value is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// The row as it was, and how it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Side>,
    /// The row as it is now, and how it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Side>,
}

impl ChangelogEntry {
    /// Whether it records an imported value that is older than the record.
    #[must_use]
    pub(crate) fn is_archived(&self) -> bool {
        self.reason.as_deref() == Some(ARCHIVED)
    }

    /// Whether it records that a decision was undone.
    pub(super) fn is_undone(&self) -> bool {
        self.reason.as_deref().is_some_and(|reason| reason.starts_with(TAKEN_BACK))
    }

    /// Whether a reading was forced into the truth: it has a reason, and no person read the value.
    pub(super) fn is_forced(&self) -> bool {
        let is_read = self.after.as_ref().is_some_and(|after| after.channel == Some(Channel::Person));
        self.reason.is_some() && !is_read && !self.is_archived() && !self.is_undone()
    }
}

/// Archived values come first, by their time, wherever their lines stand: they are from before the record.
fn in_order(mut entries: Vec<ChangelogEntry>) -> Vec<ChangelogEntry> {
    entries.sort_by_key(|entry| (!entry.is_archived(), entry.is_archived().then_some(entry.timestamp)));
    entries
}

/// A row with how it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Side {
    /// Where it came from.
    pub source: SourceMethod,
    /// When it was read; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub read_at: Timestamp,
    /// Through which channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// What proves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Hash>,
    /// The picture that was kept with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<Hash>,
    /// Where it was imported from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// The row itself.
    pub row: Row,
}

/// An entry without rows and evidence, for lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ChangelogLine {
    /// When; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub timestamp: Timestamp,
    /// The question.
    pub question_id: QuestionId,
    /// The value's field in the record.
    pub field: String,
    /// What it was.
    pub old: Value,
    /// What it became.
    pub new: Value,
    /// Where the new value comes from.
    pub source: SourceMethod,
    /// The run that replaced it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// What kind of change it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ChangeKind>,
    /// Why it was forced, accepted in review or taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who accepted it, or took it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// What was read of the changelog, in its order.
struct Log<T> {
    entries: Vec<T>,
    /// Lines that could not be read, by their number, and why.
    bad: Vec<(usize, String)>,
    /// All lines, those that were not read included.
    tally: Tally,
}

/// A row as the changelog writes it.
#[must_use]
pub fn written(row: Option<&Row>) -> Value {
    let Some(row) = row else { return Value::Null };
    let integer = row.number.filter(|number| number.fract().is_zero()).and_then(|number| number.to_i64());
    match integer {
        Some(number) => number.into(),
        None => row.shown().into(),
    }
}

/// All entries, the archived first, then in the file's order. A file that is not as it was written is quarantined; what can
/// be read of it counts.
///
/// # Errors
/// When the file is there and cannot be read.
pub fn read(store: &Store) -> Result<Vec<ChangelogEntry>> {
    Ok(in_order(checked(store, &|_| true)?))
}

/// All entries without rows and evidence, since a moment; as [`read`] does.
///
/// # Errors
/// When the file is there and cannot be read.
pub fn lines(store: &Store, since: Option<Timestamp>) -> Result<Vec<ChangelogLine>> {
    let mut lines: Vec<ChangelogLine> = checked(store, &|_| true)?;
    lines.retain(|line| since.is_none_or(|since| line.timestamp >= since));
    Ok(lines)
}

/// All entries of one question; as [`read`] does.
///
/// # Errors
/// When the file is there and cannot be read.
pub fn of(store: &Store, id: &QuestionId) -> Result<Vec<ChangelogEntry>> {
    // lines of other questions are not parsed; other tools write blanks around the colon
    let value = id.to_json().to_string();
    let own = [format!("\"question_id\":{value}"), format!("\"question_id\": {value}")];
    let quoted = [format!("\"question_id\":\"{id}\""), format!("\"question_id\": \"{id}\"")];
    let is_own = |line: &str| own.iter().chain(&quoted).any(|mark| line.contains(mark.as_str()));
    let mut entries: Vec<ChangelogEntry> = checked(store, &is_own)?;
    entries.retain(|entry| entry.question_id == *id);
    Ok(in_order(entries))
}

/// The tally of the file as it is.
///
/// # Errors
/// When the file is there and cannot be read.
pub(super) fn tally(store: &Store) -> Result<Tally> {
    Ok(scan::<ChangelogLine>(&store.dir().join(FILE), &|_| false)?.tally)
}

/// The entries whose lines are worth it; where the file is not as `site.json` says that it was left, it is quarantined.
fn checked<T: DeserializeOwned + Send>(
    store: &Store,
    worth: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<T>> {
    let path = store.dir().join(FILE);
    let is_whole = |log: &Log<T>| log.bad.is_empty() && store.marker().changelog == log.tally;
    let log = store.steady(|| scan(&path, worth), |log| log.as_ref().is_ok_and(is_whole))?;
    let set_aside = |line: Option<usize>, what: &str| store.set_line_aside(&path, line, what);
    for (line, why) in &log.bad {
        set_aside(Some(*line), &format!("{why}: the change is not known"));
    }
    if let Some(fault) = store.marker().changelog.differs(&log.tally).filter(|_| log.bad.is_empty()) {
        set_aside(None, &fault);
    }
    Ok(log.entries)
}

/// Bytes that are read at a time.
const BLOCK: usize = 32 << 20;

/// Reads the lines that are worth it, block by block, each block on all cores.
fn scan<T: DeserializeOwned + Send>(path: &Path, worth: &(dyn Fn(&str) -> bool + Sync)) -> Result<Log<T>> {
    let mut log = Log { entries: Vec::new(), bad: Vec::new(), tally: Tally::default() };
    let Some(mut file) = if_there(path, File::open(path))? else { return Ok(log) };
    let mut block = Vec::new();
    let mut lines = 0;
    loop {
        let had = block.len();
        let got = file.by_ref().take(BLOCK as u64).read_to_end(&mut block).map_err(Error::file(path))?;
        if got == 0 && had == 0 {
            return Ok(log);
        }
        // a line that the block cuts waits for the next one
        let whole = if got == 0 {
            block.len()
        } else {
            block.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
        };
        let rest = block.split_off(whole);
        for part in pieces(&block).into_par_iter().map(|piece| read_piece(piece, worth)).collect::<Vec<_>>() {
            log.entries.extend(part.entries);
            log.bad.extend(part.bad.into_iter().map(|(at, message)| (lines + at, message)));
            part.digests.iter().for_each(|line| log.tally.push(*line));
            lines += part.digests.len();
        }
        block = rest;
    }
}

struct Part<T> {
    entries: Vec<T>,
    bad: Vec<(usize, String)>,
    /// Those of all lines.
    digests: Vec<Digest>,
}

fn read_piece<T: DeserializeOwned>(piece: &[u8], worth: &(dyn Fn(&str) -> bool + Sync)) -> Part<T> {
    let mut part = Part { entries: Vec::new(), bad: Vec::new(), digests: Vec::new() };
    for line in piece.split_inclusive(|byte| *byte == b'\n') {
        part.digests.push(Digest::of(line));
        let number = part.digests.len();
        let text = match std::str::from_utf8(line) {
            Ok(text) => text.trim(),
            Err(error) => {
                part.bad.push((number, error.to_string()));
                continue;
            }
        };
        if text.is_empty() || !worth(text) {
            continue;
        }
        match serde_json::from_str(text) {
            Ok(entry) => part.entries.push(entry),
            Err(error) => part.bad.push((number, error.to_string())),
        }
    }
    part
}

/// A block in pieces of whole lines, a few for each core.
fn pieces(block: &[u8]) -> Vec<&[u8]> {
    let size = (block.len() / (rayon::current_num_threads() * 4)).max(1 << 16);
    let mut pieces = Vec::new();
    let mut rest = block;
    while !rest.is_empty() {
        let end = rest
            .get(size..)
            .and_then(|tail| tail.iter().position(|byte| *byte == b'\n'))
            .map_or(rest.len(), |at| size + at + 1);
        let (piece, tail) = rest.split_at(end);
        pieces.push(piece);
        rest = tail;
    }
    pieces
}
