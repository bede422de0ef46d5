//! The history of every value, from changelog and record: its periods, sources, and who replaced it and why. Also the
//! record at an earlier time.

use jiff::Timestamp;
use serde::Serialize;

use std::fmt;

use super::changelog::{self, ARCHIVED, ChangelogEntry, READ_AGAIN, Side, TAKEN_BACK, displayed, written};
use super::files::{time_text, whole_seconds};
use super::judged;
use super::kind::ChangeKind;
use super::provenance::{Imported, Stored};
use super::quarantine::Quarantined;
use super::record::{Record, Results};
use super::row::Row;
use super::store::Store;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::{Channel, Hash};
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::selection::at_least_one;
use atlas_gt_core::source::SourceMethod;
use atlas_gt_core::words::count;

/// A value from when it became the truth until it was replaced.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Life {
    /// The value's field in the record.
    pub field: String,
    /// Its display name.
    pub metric: String,
    /// The displayed text; `None` while there was no value.
    pub value: Option<String>,
    /// The number, as an exact decimal.
    pub number: Option<String>,
    /// Its year or period.
    pub year: Option<String>,
    /// Its rank.
    pub rank: Option<String>,
    /// When it was read.
    #[serde(serialize_with = "seconds")]
    pub read_at: Option<Timestamp>,
    /// When it became the truth: when it was accepted, or, for the first value, when it was read.
    #[serde(serialize_with = "seconds")]
    pub since: Option<Timestamp>,
    /// When it was replaced; `None` for the current value.
    #[serde(serialize_with = "seconds")]
    pub until: Option<Timestamp>,
    /// Its source.
    pub source: Option<SourceMethod>,
    /// The channel it was read through.
    pub channel: Option<Channel>,
    /// Its capture.
    pub evidence: Option<Hash>,
    /// The import it came from, if it has no capture.
    pub imported: Option<Imported>,
    /// How it replaced the previous value.
    pub change: Option<Replacement>,
}

/// How a value replaced another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Replacement {
    /// The run that replaced it.
    pub run: String,
    /// The kind of change.
    pub kind: Option<ChangeKind>,
    /// Why it was forced, accepted in review or undone.
    pub reason: Option<String>,
    /// Who accepted or undid it; `None` if an older version did not record it.
    pub by: Option<String>,
    /// Whether it was forced.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// Whether a decision was undone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.map_or_else(|| "change".to_owned(), |kind| kind.to_string());
        f.write_str(&kind)?;
        let reason = self.reason.as_deref();
        match reason {
            Some(ARCHIVED) => return f.write_str(", the previous value was imported as archived"),
            Some(READ_AGAIN) => return write!(f, ", {READ_AGAIN}"),
            _ => {}
        }
        let action = match (self.forced, self.undone) {
            (true, _) => "FORCED",
            (_, true) => TAKEN_BACK,
            _ => "accepted",
        };
        write!(f, ", {action}")?;
        if !self.run.is_empty() {
            write!(f, " in run {}", self.run)?;
        }
        if let Some(by) = &self.by {
            write!(f, " by {by}")?;
        }
        match reason.map(|reason| (reason, reason.strip_prefix(TAKEN_BACK))) {
            // In lines of older versions the name follows here.
            Some((_, Some(rest))) => f.write_str(rest),
            Some((reason, None)) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

/// A change that a person rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RejectedChange {
    /// The value's field in the record.
    pub field: String,
    /// The value on the page; `None` if it had no such row.
    pub value: Option<String>,
    /// When it was rejected.
    #[serde(serialize_with = "whole_seconds")]
    pub at: Timestamp,
    /// The run that rejected it.
    pub run: String,
    /// Who rejected it; `None` if an older version did not record it.
    pub by: Option<String>,
}

impl fmt::Display for RejectedChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rejected in run {}", self.run)?;
        self.by.as_ref().map_or(Ok(()), |by| write!(f, " by {by}"))
    }
}

fn seconds<S: serde::Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => whole_seconds(at, serializer),
        None => serializer.serialize_none(),
    }
}

/// The history of a question.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct History {
    /// The question.
    pub question_id: QuestionId,
    /// All values, the oldest of each field first.
    pub lives: Vec<Life>,
    /// Rejected changes that can be undone, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<RejectedChange>,
    /// Where changelog and record disagree.
    pub disagreements: Vec<Disagreement>,
    /// Unreadable files. Without a readable record, the values come from the changelog alone. A changed changelog is
    /// listed too.
    pub quarantined: Vec<Quarantined>,
}

/// A field whose changelog and record disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Disagreement {
    /// The field.
    pub field: String,
    /// The disagreement.
    pub message: String,
}

/// The history of a question, limited to the wanted fields.
///
/// # Errors
/// A file is damaged, or neither record nor changelog has the question.
pub fn of(store: &Store, id: &QuestionId, wanted: &dyn Fn(&str) -> bool) -> Result<History> {
    let entries = changelog::of(store, id)?;
    // Without changelog entries, an unreadable record is an error.
    let stored = if entries.is_empty() { store.load(id)? } else { store.readable(id) };
    let quarantined = store.quarantined();
    let is_gone = store.is_gone(id)?;
    at_least_one(entries.len() + usize::from(stored.is_some()), || match is_gone {
        true => gone(id, 0),
        false => format!("{} has no record of question {id}: collect it first", store.dir().display()),
    })?;
    let mut fields: Vec<String> =
        stored.iter().flat_map(|stored| &stored.record.results.data).map(Row::field).collect();
    for entry in &entries {
        if !fields.contains(&entry.line.field) {
            fields.push(entry.line.field.clone());
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    fields.retain(|field| wanted(field) && seen.insert(field.clone()));
    let lives = fields.iter().flat_map(|field| lives(field, &entries, stored.as_ref())).collect();
    Ok(History {
        question_id: id.clone(),
        lives,
        rejected: rejected(store, id, wanted),
        disagreements: match quarantined.iter().any(|one| one.question_id.is_some()) {
            true => Vec::new(),
            false => disagreements(stored.as_ref(), &entries),
        },
        quarantined,
    })
}

/// The rejected changes. `verify` reports an unreadable file of decisions.
fn rejected(store: &Store, id: &QuestionId, wanted: &dyn Fn(&str) -> bool) -> Vec<RejectedChange> {
    let Ok(Some(last)) = judged::load(store, id) else { return Vec::new() };
    let mut all = Vec::new();
    for change in last.on_changes().filter(|change| !change.accepted) {
        for field in change.fields.iter().filter(|field| wanted(field)) {
            let row = change.reading.record.results.data.iter().find(|row| row.field() == *field);
            all.push(RejectedChange {
                field: field.clone(),
                value: row.map(Row::shown),
                at: change.at,
                run: change.run.clone(),
                by: change.by.clone(),
            });
        }
    }
    all
}

/// The values of one field, oldest first.
fn lives(field: &str, entries: &[ChangelogEntry], stored: Option<&Stored>) -> Vec<Life> {
    let own: Vec<&ChangelogEntry> = entries.iter().filter(|entry| entry.line.field == field).collect();
    let mut lives = Vec::new();
    if let Some(first) = own.first()
        && !first.line.old.is_null()
    {
        let mut life = life(field, first.before.as_ref(), &first.line.old);
        life.since = life.read_at;
        life.until = Some(first.line.timestamp);
        lives.push(life);
    }
    for (at, entry) in own.iter().enumerate() {
        let mut life = life(field, entry.after.as_ref(), &entry.line.new);
        life.since = Some(entry.line.timestamp);
        life.until = own.get(at + 1).map(|next| next.line.timestamp);
        life.source = life.source.or(Some(entry.line.source));
        life.change = Some(Replacement {
            run: entry.line.run.clone(),
            kind: entry.line.kind,
            reason: entry.line.reason.clone(),
            by: entry.line.by.clone(),
            forced: entry.is_forced(),
            undone: entry.is_undone(),
        });
        lives.push(life);
    }
    if own.is_empty()
        && let Some(stored) = stored
        && let Some(row) = stored.record.results.data.iter().find(|row| row.field() == field)
    {
        let point = stored.provenance.as_ref().and_then(|provenance| provenance.of(row));
        let mut life = of_row(field, row);
        life.read_at = Some(point.map_or(stored.record.execution_timestamp, |point| point.read_at));
        life.since = life.read_at;
        life.source = Some(stored.record.source_method);
        life.channel = point.map(|point| point.channel);
        life.evidence = point.and_then(|point| point.evidence.clone());
        life.imported = point.and_then(|point| point.imported.clone());
        lives.push(life);
    }
    lives
}

fn of_row(field: &str, row: &Row) -> Life {
    Life {
        field: field.to_owned(),
        metric: row.metric.clone(),
        value: Some(row.shown()),
        number: row.number.map(|number| number.to_string()),
        year: row.year.clone(),
        rank: row.extra.get("rank").map(|rank| rank.as_str().map_or_else(|| rank.to_string(), str::to_owned)),
        ..Life::default()
    }
}

fn life(field: &str, side: Option<&Side>, value: &serde_json::Value) -> Life {
    match side {
        Some(side) => Life {
            read_at: Some(side.read_at),
            source: Some(side.source),
            channel: side.channel,
            evidence: side.evidence.clone(),
            imported: side.imported.clone(),
            ..of_row(field, &side.row)
        },
        None => {
            let (value, number) = displayed(None, value);
            Life { value, number, ..of_row(field, &Row::default()) }
        }
    }
}

/// Disagreements between record and changelog, or within the changelog.
#[must_use]
pub fn disagreements(stored: Option<&Stored>, entries: &[ChangelogEntry]) -> Vec<Disagreement> {
    let mut found: Vec<Disagreement> = entries.iter().filter_map(|entry| backwards(entry, None)).collect();
    let mut last: Vec<(&str, &ChangelogEntry)> = Vec::new();
    for entry in entries {
        match last.iter_mut().find(|(field, _)| *field == entry.line.field) {
            Some((_, before)) => {
                if before.line.new != entry.line.old {
                    found.push(Disagreement {
                        field: entry.line.field.clone(),
                        message: format!(
                            "the changelog replaces {} on {}, but {} on {}: a line in between is missing",
                            before.line.new,
                            day(before.line.timestamp),
                            entry.line.old,
                            day(entry.line.timestamp)
                        ),
                    });
                }
                found.extend(backwards(entry, Some(before.line.timestamp)));
                *before = entry;
            }
            None => last.push((&entry.line.field, entry)),
        }
    }
    let rows = stored.map_or(&[][..], |stored| &stored.record.results.data);
    for (field, entry) in last {
        let mut of_field = rows.iter().filter(|row| row.field() == field);
        let now = of_field.next();
        // Rows without a distinct field cannot be followed.
        if of_field.next().is_none() && written(now) != entry.line.new {
            found.push(Disagreement {
                field: field.to_owned(),
                message: format!(
                    "the changelog has {} since {}, but the record has {}: restore the record from git, or \
                    collect and refresh the question again",
                    entry.line.new,
                    day(entry.line.timestamp),
                    written(now)
                ),
            });
        }
    }
    found
}

/// The message for a record whose files were deleted, with its number of changes in the changelog.
#[must_use]
pub fn gone(id: &QuestionId, changes: usize) -> String {
    let known = match changes {
        0 => String::new(),
        changes => format!("; the changelog has {} of it", count(changes, "change")),
    };
    format!(
        "the record of question {id} is gone{known}: restore it from version control, or collect it again"
    )
}

/// Detects a clock that ran backwards: a value replaced before it was read, or before its predecessor was.
fn backwards(entry: &ChangelogEntry, before: Option<Timestamp>) -> Option<Disagreement> {
    let read = [&entry.before, &entry.after].into_iter().flatten().map(|side| side.read_at);
    // Imported older values may be replaced by anything read later.
    let earlier = before.or_else(|| read.max()).filter(|_| !entry.is_archived())?;
    (entry.line.timestamp < earlier).then(|| Disagreement {
        field: entry.line.field.clone(),
        message: format!(
            "the changelog has it replaced on {}, but {} on {}: the clock ran backwards",
            time_text(entry.line.timestamp),
            if before.is_some() { "before that" } else { "read" },
            time_text(earlier)
        ),
    })
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// The record of a question at an earlier time; `None` if there was none yet.
///
/// # Errors
/// A file is damaged, or a changelog line lacks the row it replaced.
pub fn record_at(store: &Store, id: &QuestionId, moment: Timestamp) -> Result<Option<Record>> {
    let Some(stored) = store.load(id)? else { return Ok(None) };
    let entries = changelog::of(store, id)?;
    as_of(&stored, &entries, moment).map_err(|message| Error::Store {
        path: store.dir().join(changelog::FILE),
        message: format!("question {id}: {message}"),
    })
}

fn as_of(stored: &Stored, entries: &[ChangelogEntry], moment: Timestamp) -> Result<Option<Record>, String> {
    let record = &stored.record;
    let mut rows: Vec<(Row, Timestamp, SourceMethod)> = record
        .results
        .data
        .iter()
        .map(|row| {
            let point = stored.provenance.as_ref().and_then(|provenance| provenance.of(row));
            let read_at = point.map_or(record.execution_timestamp, |point| point.read_at);
            (row.clone(), read_at, record.source_method)
        })
        .collect();
    for entry in entries.iter().rev().filter(|entry| entry.line.timestamp > moment) {
        let at = rows.iter().position(|(row, ..)| row.field() == entry.line.field);
        let before = match (&entry.before, entry.line.old.is_null()) {
            (Some(side), _) => Some((side.row.clone(), side.read_at, side.source)),
            (None, true) => None,
            (None, false) => {
                return Err(format!(
                    "the change of {} on {} lacks the previous row",
                    entry.line.field,
                    day(entry.line.timestamp)
                ));
            }
        };
        match (at, before) {
            (Some(at), Some(before)) => rows[at] = before,
            (Some(at), None) => drop(rows.remove(at)),
            (None, Some(before)) => rows.push(before),
            (None, None) => {}
        }
    }
    // Rows first read later did not exist yet.
    rows.retain(|(_, read_at, _)| *read_at <= moment);
    let Some(read_at) = rows.iter().map(|(_, read_at, _)| *read_at).max() else { return Ok(None) };
    let method = rows.iter().map(|(.., method)| *method).min_by_key(|method| method.strength());
    let rank = |row: &Row| row.extra.get("rank").and_then(|rank| rank.as_str()?.parse::<u32>().ok());
    rows.sort_by_key(|(row, ..)| rank(row));
    Ok(Some(Record {
        execution_timestamp: read_at,
        source_method: method.unwrap_or(record.source_method),
        results: Results { data: rows.into_iter().map(|(row, ..)| row).collect() },
        ..record.clone()
    }))
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
