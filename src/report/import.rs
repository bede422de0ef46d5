//! The report of an import: records that need a check, and counts of all outcomes.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, plural};
use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Tone};
use crate::error::Exit;
use crate::row;
use crate::workflow::import::{ImportReport, LeafUse, RecordOutcome, RecordReport};
use atlas_gt_core::question_id::question_label;

/// An import. In JSON, records are printed one by one, because they may exceed the memory.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct RecordImport {
    /// The records, with every leaf of every row.
    pub records: Vec<RecordReport>,
    /// The totals of the import.
    pub summary: ImportReport,
    /// The store.
    #[serde(skip)]
    pub store: String,
    /// Records that need a check: name, outcome and reason.
    #[serde(skip)]
    pub to_check: Vec<[String; 3]>,
}

impl RecordImport {
    /// Notes a record that a person must check.
    pub fn keep_for_review(&mut self, record: &RecordReport) {
        if record.notes.is_empty() {
            return;
        }
        let mut notes: Vec<String> = record.notes.iter().chain(&record.changes).cloned().collect();
        let own = record.leaves.iter().filter(|leaf| leaf.used == LeafUse::Own);
        let first = own.filter_map(|leaf| Some((&leaf.key, &leaf.text, leaf.why.as_ref()?))).next();
        if let Some((key, value, why)) = first.filter(|_| record.changes.is_empty()) {
            notes.push(format!("{key} {value}: {why}"));
        }
        self.to_check.push([
            record.question_id.clone(),
            format!("{} ({})", record.outcome.words(), record.file),
            notes.join("\n"),
        ]);
    }
}

impl Report for RecordImport {
    const NAME: &'static str = "import";
    const ITEMS: Option<&'static str> = Some("records");

    fn exit(&self) -> Exit {
        self.summary.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let report = &self.summary;
        let mut doc = Doc::new("Import");
        let verb = if report.dry_run { "would be " } else { "" };
        let done = if report.dry_run { "nothing was written" } else { "imported" };
        let outcomes: Vec<String> =
            report.outcomes.iter().map(|(outcome, n)| format!("{n} {}", outcome.words())).collect();
        let tone = if self.exit() == Exit::Ok { Tone::Good } else { Tone::Warning };
        let records = count(report.records, "record");
        doc.verdict(tone, format!("{done} ({}): {records}: {verb}{}", self.store, outcomes.join(", ")));
        doc.sum(format!(
            "{} of {} with a question in the manifest {} a value at a data point",
            report.placed,
            count(report.in_manifest, "record"),
            if report.placed == 1 { "has" } else { "have" }
        ));
        let of = |used: LeafUse| report.leaves.get(&used).copied().unwrap_or_default();
        doc.sum(format!(
            "values: {} at data points, {} stored beside them, {} under other names, {} empty; {} precise numbers ({} \
             do not fit)",
            of(LeafUse::Placed),
            of(LeafUse::Beside),
            of(LeafUse::Own),
            of(LeafUse::Nothing),
            of(LeafUse::Precise) + of(LeafUse::Unfit),
            of(LeafUse::Unfit)
        ));
        let more = remarks(report);
        if !more.is_empty() {
            doc.sum(more.join("; "));
        }
        doc.body.section("Unreadable", |body| body.list(report.quarantined.iter().map(ToString::to_string)));
        doc.body.section("To check", |body| {
            let cells = |[id, outcome, notes]: &[String; 3]| {
                row![question_label(id), invocation.question(id), outcome, notes]
            };
            body.rows(&["question", "asked", "outcome", "why"], self.to_check.iter().map(cells));
        });
        if report.outcomes.contains_key(&RecordOutcome::Pending) && !report.dry_run {
            doc.next("go through pending changes", invocation.command("refresh --review"));
            doc.next("accept all of them", invocation.command("refresh --commit"));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |[id, outcome, notes]: &[String; 3]| {
            ReportCase::of_question(id, CaseVerdict::Fail, format!("{outcome}: {notes}"))
        };
        let unread =
            self.summary.quarantined.iter().map(|one| ReportCase::new("unread", CaseVerdict::Error, one));
        self.to_check.iter().map(case).chain(unread).collect()
    }
}

fn remarks(report: &ImportReport) -> Vec<String> {
    let mut more = Vec::new();
    if report.method_assumed > 0 {
        let what = plural(report.method_assumed, "record does", "records do");
        more.push(format!("{what} not say how the values were found"));
    }
    let parts = [
        (report.without_question, "record without a question", "records without a question"),
        (report.without_record, "question without a record", "questions without a record"),
        (report.looks, "page check added", "page checks added"),
        (report.archived, "older value added to the history", "older values added to the history"),
        (
            report.references,
            "question with quotes from papers or web pages",
            "questions with quotes from papers or web pages",
        ),
        (report.behaviors, "expected behavior added", "expected behaviors added"),
        (report.quarantined.len(), "file or entry is quarantined", "files or entries are quarantined"),
    ];
    more.extend(parts.iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| plural(*n, one, many)));
    more
}
