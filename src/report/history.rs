//! The history of a question's values, its record on a given day, and the changelog.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::words::count;
use super::{Doc, Invocation, Report, Text, Tone};
use crate::error::Exit;
use crate::row;
use crate::truth::changelog::ReplacedValue;
use crate::truth::history::{History, Life, RejectedChange};
use crate::truth::{Record, Row};
use atlas_gt_core::question_id::question_label;

impl Report for History {
    const NAME: &'static str = "history";
    const ITEMS: Option<&'static str> = Some("lives");

    fn exit(&self) -> Exit {
        if self.disagreements.is_empty() { Exit::Ok } else { Exit::Differences }
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let id = self.question_id.as_str();
        let mut doc = Doc::new(format!("History of question {id}"));
        let asked = invocation.label_and_question(id);
        doc.sum(format!("{asked}: {}", count(self.lives.len(), "value")));
        for found in &self.disagreements {
            doc.verdict(Tone::Bad, format!("{} {}: {}", question_label(id), found.field, found.message));
        }
        for alike in self.lives.chunk_by(|one, next| one.field == next.field) {
            doc.body.section(format!("{} ({})", alike[0].field, alike[0].metric), |body| {
                body.rows(&["since", "until", "value", "how"], alike.iter().map(cells));
            });
        }
        if !self.rejected.is_empty() {
            let cells = |one: &RejectedChange| {
                let value = one.value.as_deref().unwrap_or("no such row");
                row![day(one.at), &one.field, value, one.to_string()]
            };
            doc.body.section("Rejected", |body| {
                body.rows(&["when", "field", "value", "how"], self.rejected.iter().map(cells));
            });
        }
        doc
    }
}

fn cells(life: &Life) -> Vec<Text> {
    let value = life.value.as_deref().unwrap_or("no such row");
    let number = life.number.as_ref().filter(|number| *number != value);
    let number = number.map_or_else(String::new, |number| format!(" [{number}]"));
    let year = life.year.as_ref().map_or_else(String::new, |year| format!(" of {year}"));
    let rank = life.rank.as_ref().map_or_else(String::new, |rank| format!(", rank {rank}"));
    row![
        life.since.map_or_else(|| "?".to_owned(), day),
        life.until.map_or_else(|| "now".to_owned(), day),
        format!("{value}{number}{year}{rank}"),
        notes(life).join(", ")
    ]
}

fn notes(life: &Life) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(change) = &life.change {
        notes.push(change.to_string());
    }
    notes.extend(life.read_at.map(|read_at| format!("read {}", day(read_at))));
    if let Some(source) = life.source.as_ref().map(crate::words::name) {
        let channel = life.channel.as_ref().map(crate::words::name);
        notes.push(format!("from {source}{}", channel.map_or_else(String::new, |it| format!(" ({it})"))));
    }
    notes.extend(life.evidence.as_ref().map(|evidence| format!("evidence {}", &evidence.as_str()[..12])));
    notes.extend(life.imported.as_ref().map(|imported| format!("imported from {imported}")));
    notes
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// The record of a question on a given day, in the format that an evaluation pins.
impl Report for Record {
    const NAME: &'static str = "record";

    fn doc(&self, invocation: &Invocation) -> Doc {
        let id = self.question_id.as_str();
        let mut doc = Doc::new(format!("Record of question {id}"));
        doc.sum(invocation.label_and_question(id));
        let cells = |one: &Row| row![one.field(), &one.metric, &one.country, one.shown(), one.year.clone()];
        let head = ["field", "metric", "country", "value", "year"];
        doc.body.rows(&head, self.results.data.iter().map(cells));
        doc
    }
}

/// The changelog.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChangelogReport {
    /// Every replaced value, in the order of the file.
    pub changes: Vec<ReplacedValue>,
}

impl Report for ChangelogReport {
    const NAME: &'static str = "changelog";
    const ITEMS: Option<&'static str> = Some("changes");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Changelog");
        doc.sum(count(self.changes.len(), "change"));
        let cells = |line: &ReplacedValue| {
            row![
                line.timestamp.strftime("%Y-%m-%d %H:%M").to_string(),
                &line.question_id,
                invocation.question(line.question_id.as_str()),
                &line.field,
                line.old.as_deref(),
                line.new.as_deref(),
                line.kind.map_or_else(String::new, |kind| kind.to_string()),
                line.by.clone().unwrap_or_default(),
                line.reason.clone().unwrap_or_default(),
            ]
        };
        let head = ["when", "question", "asked", "field", "old", "new", "kind", "by", "reason"];
        doc.body.rows(&head, self.changes.iter().map(cells));
        doc
    }
}
