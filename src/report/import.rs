//! An import for a person, with the records that need a look, and for programs, with every leaf of every record.

use std::fmt::Write as _;

use serde::Serialize;

use super::words::{count, plural};
use crate::workflow::import::{ImportReport, LeafUse, RecordOutcome, RecordReport};

/// What a person has to look at in a record; none where nothing is.
#[must_use]
pub fn needs_a_look(record: &RecordReport) -> Option<String> {
    if record.notes.is_empty() {
        return None;
    }
    let mut text = format!("Q{} ({}): {}\n", record.question_id, record.file, record.outcome.name());
    for note in record.notes.iter().chain(&record.changes) {
        let _ = writeln!(text, "  {note}");
    }
    let own = record.leaves.iter().filter(|leaf| leaf.used == LeafUse::Own);
    let first = own.filter_map(|leaf| Some((&leaf.key, &leaf.text, leaf.why.as_ref()?))).next();
    if let Some((key, value, why)) = first.filter(|_| record.changes.is_empty()) {
        let _ = writeln!(text, "  {key} {value}: {why}");
    }
    Some(text)
}

/// The counts of an import.
#[must_use]
pub fn counts(report: &ImportReport, store: &str) -> String {
    let mut text = String::new();
    for quarantined in &report.quarantined {
        let _ = writeln!(text, "quarantined: {quarantined}");
    }
    let verb = if report.dry_run { "would be " } else { "" };
    let outcomes: Vec<String> =
        report.outcomes.iter().map(|(outcome, n)| format!("{n} {}", outcome.name())).collect();
    let _ = writeln!(text, "{}: {verb}{}", count(report.records, "record"), outcomes.join(", "));
    let of = |used: LeafUse| report.leaves.get(&used).copied().unwrap_or_default();
    let _ = writeln!(
        text,
        "{} of {} of the manifest have a value at a data point",
        report.placed,
        count(report.in_manifest, "record")
    );
    let _ = writeln!(
        text,
        "values: {} at data points, {} kept beside them, {} under names of their own, {} empty; {} precise numbers ({} do not fit)",
        of(LeafUse::Placed),
        of(LeafUse::Beside),
        of(LeafUse::Own),
        of(LeafUse::Nothing),
        of(LeafUse::Precise) + of(LeafUse::Unfit),
        of(LeafUse::Unfit)
    );
    let mut more = Vec::new();
    if report.method_assumed > 0 {
        let what = plural(report.method_assumed, "record does", "records do");
        more.push(format!("{what} not say how its values were found"));
    }
    let parts = [
        (report.without_question, "record without a question", "records without a question"),
        (report.without_record, "question without a record", "questions without a record"),
        (report.looks, "look at a page added", "looks at pages added"),
        (report.archived, "older value added to the history", "older values added to the history"),
        (
            report.references,
            "question with quotes of papers or web pages",
            "questions with quotes of papers or web pages",
        ),
        (report.behaviors, "expected behavior added", "expected behaviors added"),
    ];
    more.extend(parts.iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| plural(*n, one, many)));
    if !more.is_empty() {
        let _ = writeln!(text, "{}", more.join("; "));
    }
    if !report.quarantined.is_empty() {
        let _ = writeln!(
            text,
            "{} quarantined",
            plural(report.quarantined.len(), "file or entry is", "files or entries are")
        );
    }
    if report.outcomes.contains_key(&RecordOutcome::Pending) {
        text.push_str("what waits: `atlas-gt refresh` shows it, `atlas-gt refresh --commit` takes it\n");
    }
    let done = if report.dry_run { "nothing was written" } else { "imported" };
    let _ = writeln!(text, "{done} ({store})");
    text
}

/// The records of an import as one JSON document that is printed piece by piece, so that it is never held whole.
#[derive(Debug, Default)]
pub struct Document {
    has_records: bool,
}

impl Document {
    /// The next piece: a record.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn record(&mut self, record: &RecordReport) -> serde_json::Result<String> {
        let start = if self.has_records { ",\n" } else { "{\n  \"records\": [\n" };
        self.has_records = true;
        Ok(format!("{start}{}", indented(record, "    ")?))
    }

    /// The last piece: the counts.
    ///
    /// # Errors
    /// They cannot be written as JSON.
    pub fn end(self, report: &ImportReport) -> serde_json::Result<String> {
        let start = if self.has_records { "\n  ]" } else { "{\n  \"records\": []" };
        let summary = indented(report, "  ")?;
        Ok(format!("{start},\n  \"summary\": {}\n}}\n", summary.trim_start()))
    }
}

fn indented<T: Serialize>(value: &T, by: &str) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    let lines: Vec<String> = text.lines().map(|line| format!("{by}{line}")).collect();
    Ok(lines.join("\n"))
}
