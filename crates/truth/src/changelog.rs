//! `changelog.jsonl`: the previous value of each replaced value, one a line, append-only (evaluation strategy, section
//! 4.4, plus run, kind, context, reason and evidence).

use std::fs::File;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use rayon::prelude::*;
use rust_decimal::prelude::ToPrimitive;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::files::{if_there, whole_seconds};
use super::kind::ChangeKind;
use super::provenance::Imported;
use super::row::Row;
use super::store::Store;
use super::tally::{Digest, Tally};
use crate::error::{Error, Result};
use crate::value::Context;
use atlas_gt_core::evidence::{Channel, Hash};
use atlas_gt_core::input::json_fault;
use atlas_gt_core::question_id::{QuestionId, integer_or_text_schema};
use atlas_gt_core::source::SourceMethod;

/// The file name.
pub(super) const FILE: &str = "changelog.jsonl";

/// The reason of an imported older value.
pub const ARCHIVED: &str = "imported: archived";

/// The reason of a value that was read after the files of its record were removed.
pub(super) const READ_AGAIN: &str = "the record was removed and read again";

/// The prefix of the reason of an undone decision.
pub(super) const TAKEN_BACK: &str = "taken back";

/// A changelog entry without rows and evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangelogLine {
    /// When it was replaced, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub timestamp: Timestamp,
    /// The question.
    pub question_id: QuestionId,
    /// The value's field in the record: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// The old value: an integer if possible, else the text; null if there was no row.
    pub old: Value,
    /// The new value; null if the row is gone.
    pub new: Value,
    /// The source of the new value.
    pub source: SourceMethod,
    /// The run that replaced it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// The kind of change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ChangeKind>,
    /// Why it was forced, accepted in review or undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who accepted or undid it. Older lines name only the reviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A replaced value as it is displayed, without rows and evidence, for lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "ChangelogEntry")]
pub struct ReplacedValue {
    /// When it was replaced, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub timestamp: Timestamp,
    /// The question.
    pub question_id: QuestionId,
    /// The value's field in the record: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// The displayed text of the old value; null if there was no row.
    pub old: Option<String>,
    /// The old number, as an exact decimal.
    pub old_number: Option<String>,
    /// The displayed text of the new value; null if the row is gone.
    pub new: Option<String>,
    /// The new number, as an exact decimal.
    pub new_number: Option<String>,
    /// The source of the new value.
    pub source: SourceMethod,
    /// The run that replaced it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// The kind of change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ChangeKind>,
    /// Why it was forced, accepted in review or undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who accepted or undid it. Older lines name only the reviewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl From<ChangelogEntry> for ReplacedValue {
    fn from(entry: ChangelogEntry) -> Self {
        let ChangelogEntry { line, before, after, .. } = entry;
        let (old, old_number) = displayed(before.as_ref(), &line.old);
        let (new, new_number) = displayed(after.as_ref(), &line.new);
        Self {
            timestamp: line.timestamp,
            question_id: line.question_id,
            field: line.field,
            old,
            old_number,
            new,
            new_number,
            source: line.source,
            run: line.run,
            kind: line.kind,
            reason: line.reason,
            by: line.by,
        }
    }
}

/// A value of a line, as its displayed text and its number.
pub(super) fn displayed(side: Option<&Side>, value: &Value) -> (Option<String>, Option<String>) {
    match (side, value) {
        (Some(Side { row, .. }), _) => (Some(row.shown()), row.number.map(|number| number.to_string())),
        // Lines of other tools contain only the value.
        (None, Value::Null) => (None, None),
        (None, Value::String(text)) => (Some(text.clone()), None),
        (None, other) => (Some(other.to_string()), other.is_number().then(|| other.to_string())),
    }
}

/// A replaced value, with its rows and evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangelogEntry {
    /// What was replaced.
    #[serde(flatten, serialize_with = "stored_line")]
    #[schemars(schema_with = "stored_line_schema")]
    pub line: ChangelogLine,
    /// The value's context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// The old row, and how it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Side>,
    /// The new row, and how it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Side>,
}

/// Serialises the question's id as the seed does: as an integer if possible.
fn stored_line<S: Serializer>(line: &ChangelogLine, serializer: S) -> Result<S::Ok, S::Error> {
    let mut keys = serde_json::to_value(line).map_err(S::Error::custom)?;
    keys["question_id"] = line.question_id.to_json();
    keys.serialize(serializer)
}

/// The schema of what [`stored_line`] writes.
fn stored_line_schema(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = ChangelogLine::json_schema(generator);
    if let Some(id) = schema.pointer_mut("/properties/question_id").and_then(Value::as_object_mut) {
        id.remove("$ref");
        id.append(integer_or_text_schema(generator).ensure_object());
    }
    schema
}

impl ChangelogEntry {
    /// Whether it records an imported value that is older than the record.
    #[must_use]
    pub(crate) fn is_archived(&self) -> bool {
        self.line.reason.as_deref() == Some(ARCHIVED)
    }

    /// Whether it records an undone decision.
    pub(super) fn is_undone(&self) -> bool {
        self.line.reason.as_deref().is_some_and(|reason| reason.starts_with(TAKEN_BACK))
    }

    /// Whether the reading was forced: it has a reason, but no person read the value.
    pub(super) fn is_forced(&self) -> bool {
        let is_read = self.after.as_ref().is_some_and(|after| after.channel == Some(Channel::Person));
        let is_read_again = self.line.reason.as_deref() == Some(READ_AGAIN);
        self.line.reason.is_some() && !is_read && !is_read_again && !self.is_archived() && !self.is_undone()
    }
}

/// Sorts archived values first, by time, because they precede the record.
fn in_order(mut entries: Vec<ChangelogEntry>) -> Vec<ChangelogEntry> {
    entries.sort_by_key(|entry| (!entry.is_archived(), entry.is_archived().then_some(entry.line.timestamp)));
    entries
}

/// A row, and how it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// Its source.
    pub source: SourceMethod,
    /// When it was read, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub read_at: Timestamp,
    /// The channel it was read through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// Its capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Hash>,
    /// Its screenshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<Hash>,
    /// The import it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// The row.
    pub row: Row,
}

/// The parsed changelog, in file order.
struct Log<T> {
    entries: Vec<T>,
    /// The numbers of unreadable lines, with the error.
    bad: Vec<(usize, String)>,
    /// The tally of all lines, including unread ones.
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

/// Reads all entries: archived ones first, then in file order. A changed file is quarantined, and its readable entries
/// still count.
///
/// # Errors
/// The file exists but cannot be read.
pub fn read(store: &Store) -> Result<Vec<ChangelogEntry>> {
    Ok(in_order(checked(store, &|_| true)?))
}

/// Reads all entries since `since`, without rows and evidence. See [`read`].
///
/// # Errors
/// The file exists but cannot be read.
pub fn lines(store: &Store, since: Option<Timestamp>) -> Result<Vec<ChangelogLine>> {
    let mut lines: Vec<ChangelogLine> = checked(store, &|_| true)?;
    lines.retain(|line| since.is_none_or(|since| line.timestamp >= since));
    Ok(lines)
}

/// Reads all values replaced since `since`, as they are displayed. See [`read`].
///
/// # Errors
/// The file exists but cannot be read.
pub fn replaced(store: &Store, since: Option<Timestamp>) -> Result<Vec<ReplacedValue>> {
    let mut values: Vec<ReplacedValue> = checked(store, &|_| true)?;
    values.retain(|value| since.is_none_or(|since| value.timestamp >= since));
    Ok(values)
}

/// Reads all entries of one question. See [`read`].
///
/// # Errors
/// The file exists but cannot be read.
pub fn of(store: &Store, id: &QuestionId) -> Result<Vec<ChangelogEntry>> {
    // Lines of other questions are not parsed. Other tools write a space after the colon.
    let value = id.to_json().to_string();
    let own = [format!("\"question_id\":{value}"), format!("\"question_id\": {value}")];
    let quoted = [format!("\"question_id\":\"{id}\""), format!("\"question_id\": \"{id}\"")];
    let is_own = |line: &str| own.iter().chain(&quoted).any(|mark| line.contains(mark.as_str()));
    let mut entries: Vec<ChangelogEntry> = checked(store, &is_own)?;
    entries.retain(|entry| entry.line.question_id == *id);
    Ok(in_order(entries))
}

/// The tally of the current file.
///
/// # Errors
/// The file exists but cannot be read.
pub(super) fn tally(store: &Store) -> Result<Tally> {
    Ok(scan::<ChangelogLine>(&store.dir().join(FILE), &|_| false)?.tally)
}

/// Reads the entries whose lines `is_wanted` accepts. Quarantines the file if it differs from the tally in `site.json`.
fn checked<T: DeserializeOwned + Send>(
    store: &Store,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<T>> {
    let path = store.dir().join(FILE);
    let is_whole = |log: &Log<T>| log.bad.is_empty() && store.marker().changelog == log.tally;
    let log = store.steady(|| scan(&path, is_wanted), |log| log.as_ref().is_ok_and(is_whole))?;
    let set_aside = |line: Option<usize>, what: &str| store.set_line_aside(&path, line, what, "");
    for (line, why) in &log.bad {
        set_aside(Some(*line), &format!("{why}: this change is unknown"));
    }
    if let Some(fault) = store.marker().changelog.differs(&log.tally).filter(|_| log.bad.is_empty()) {
        set_aside(None, &fault);
    }
    Ok(log.entries)
}

/// Bytes read at a time.
const BLOCK: usize = 32 << 20;

/// Reads the wanted lines block by block, each on all cores.
fn scan<T: DeserializeOwned + Send>(
    path: &Path,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Log<T>> {
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
        // A line cut by the block's end is completed by the next block.
        let whole = if got == 0 {
            block.len()
        } else {
            block.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
        };
        let rest = block.split_off(whole);
        for part in
            pieces(&block).into_par_iter().map(|piece| read_piece(piece, is_wanted)).collect::<Vec<_>>()
        {
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
    /// One for each line.
    digests: Vec<Digest>,
}

fn read_piece<T: DeserializeOwned>(piece: &[u8], is_wanted: &(dyn Fn(&str) -> bool + Sync)) -> Part<T> {
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
        if text.is_empty() || !is_wanted(text) {
            continue;
        }
        match serde_json::from_str(text) {
            Ok(entry) => part.entries.push(entry),
            Err(error) => part.bad.push((number, json_fault(&error))),
        }
    }
    part
}

/// Splits a block into pieces of whole lines, a few for each core.
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
