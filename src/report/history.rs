//! The history of values and the changelog for people.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::refresh::cell;
use super::words::count;
use crate::truth::ARCHIVED;
use crate::truth::changelog::Line;
use crate::truth::history::{History, Life};

/// Every value of a question, the oldest first.
#[must_use]
pub fn text(history: &History) -> String {
    let mut text = String::new();
    let mut field = None;
    for life in &history.lives {
        if field != Some(&life.field) {
            let _ = writeln!(text, "Q{} {} ({})", history.question_id, life.field, life.metric);
            field = Some(&life.field);
        }
        text.push_str(&described(life));
    }
    for found in &history.disagreements {
        let _ = writeln!(text, "Q{} {}: {}", history.question_id, found.field, found.message);
    }
    text
}

fn described(life: &Life) -> String {
    let value = life.value.as_deref().unwrap_or("no such row");
    let number = life.number.as_ref().filter(|number| *number != value);
    let number = number.map_or_else(String::new, |number| format!(" [{number}]"));
    let year = life.year.as_ref().map_or_else(String::new, |year| format!(" of {year}"));
    let rank = life.rank.as_ref().map_or_else(String::new, |rank| format!(", rank {rank}"));
    let until = life.until.map_or_else(|| "now".to_owned(), day);
    let mut text = format!(
        "  {} to {until}: {value}{number}{year}{rank}\n",
        life.since.map_or_else(|| "?".to_owned(), day)
    );
    let mut notes = Vec::new();
    if let Some(change) = &life.change {
        let kind = change.kind.map_or_else(|| "change".to_owned(), |kind| kind.to_string());
        notes.push(kind);
        if !change.run.is_empty() {
            notes.push(format!("accepted in run {}", change.run));
        }
        if let Some(reason) = &change.reason {
            notes.push(match &change.by {
                Some(by) => format!("by {by}: {reason}"),
                None if reason == ARCHIVED => "the value before it was imported as archived".to_owned(),
                None => format!("FORCED: {reason}"),
            });
        }
    }
    if let Some(read_at) = life.read_at {
        notes.push(format!("read {}", day(read_at)));
    }
    if let Some(source) = life.source.and_then(|source| serde_json::to_value(source).ok()) {
        let channel = life.channel.and_then(|channel| serde_json::to_value(channel).ok());
        let channel = channel.as_ref().and_then(serde_json::Value::as_str);
        let channel = channel.map_or_else(String::new, |channel| format!(" ({channel})"));
        notes.push(format!("from {}{channel}", source.as_str().unwrap_or_default()));
    }
    if let Some(evidence) = &life.evidence {
        notes.push(format!("evidence {}", &evidence.as_str()[..12]));
    }
    if let Some(imported) = &life.imported {
        notes.push(format!("imported from {imported}"));
    }
    let _ = writeln!(text, "      {}", notes.join(", "));
    text
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// The changelog as a table.
#[must_use]
pub fn table(lines: &[Line]) -> String {
    let mut table = super::words::table(&["when", "question", "field", "old", "new", "kind", "reason"]);
    for line in lines {
        table.add_row(cells(line));
    }
    format!("{table}\n{}\n", count(lines.len(), "change"))
}

/// The changelog as Markdown.
#[must_use]
pub fn markdown(lines: &[Line]) -> String {
    let mut text = String::from(
        "| when | question | field | old | new | kind | reason |\n|---|---|---|---|---|---|---|\n",
    );
    for line in lines {
        let cells = cells(line).map(|text| cell(&text));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

fn cells(line: &Line) -> [String; 7] {
    let plain = |value: &serde_json::Value| match value {
        serde_json::Value::Null => "–".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    [
        line.timestamp.strftime("%Y-%m-%d %H:%M").to_string(),
        line.question_id.to_string(),
        line.field.clone(),
        plain(&line.old),
        plain(&line.new),
        line.kind.map_or_else(String::new, |kind| kind.to_string()),
        line.reason.clone().unwrap_or_default(),
    ]
}
