//! The report of an import: the outcome of every record, row and value, with totals.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

use crate::error::Exit;
use crate::external::QuarantinedFile;
use crate::truth::{SourceMethod, WriteOutcome};

/// The outcome of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordOutcome {
    /// The store had no record; now it has one.
    Written,
    /// The store had the same from a weaker source.
    Strengthened,
    /// The store has the same.
    Unchanged,
    /// The store differs. The reading is pending.
    Pending,
    /// The store has a newer record that differs.
    Older,
    /// The record states an expected behavior and has no value.
    Behavior,
    /// The record has no value.
    Empty,
}

impl RecordOutcome {
    /// The outcome as text.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Strengthened => "strengthened",
            Self::Unchanged => "unchanged",
            Self::Pending => "pending",
            Self::Older => "older than the store",
            Self::Behavior => "expected behavior",
            Self::Empty => "without a value",
        }
    }

    pub(super) const fn of(outcome: &WriteOutcome, has_behavior: bool) -> Self {
        match outcome {
            WriteOutcome::Written => Self::Written,
            WriteOutcome::Strengthened => Self::Strengthened,
            WriteOutcome::Unchanged => Self::Unchanged,
            WriteOutcome::Pending { .. } => Self::Pending,
            WriteOutcome::Older(_) => Self::Older,
            WriteOutcome::Refused(_) if has_behavior => Self::Behavior,
            WriteOutcome::Refused(_) => Self::Empty,
        }
    }
}

/// The use of a leaf in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeafUse {
    /// The value of a data point in the manifest.
    Placed,
    /// Stored beside an assigned value, in the same row.
    Beside,
    /// A value under its own name, which no page shows.
    Own,
    /// The precise value of a displayed one.
    Precise,
    /// A precise value that contradicts the displayed one. It is stored beside it.
    Unfit,
    /// Part of the context.
    About,
    /// A remark, kept only in this report.
    Note,
    /// Empty.
    Nothing,
}

/// One leaf of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LeafReport {
    /// The row, from 1.
    pub row: usize,
    /// Its path in the row.
    pub key: String,
    /// Its contents.
    pub text: String,
    /// Its use.
    #[serde(rename = "use")]
    pub used: LeafUse,
    /// The record field that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Why it has no data point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The outcome of a record and its contents.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RecordReport {
    /// The question.
    pub question_id: String,
    /// The file, relative to the folder.
    pub file: String,
    /// The outcome.
    pub outcome: RecordOutcome,
    /// The source method of its values.
    pub source_method: SourceMethod,
    /// Whether the method is assumed, because the record does not state it.
    pub method_assumed: bool,
    /// Whether the questions file has its question.
    pub has_question: bool,
    /// Whether the manifest has its question.
    pub in_manifest: bool,
    /// The differences from the store.
    pub changes: Vec<String>,
    /// Every leaf of its rows.
    pub leaves: Vec<LeafReport>,
    /// Every leaf of its archived rows.
    pub archived: Vec<LeafReport>,
    /// Other contents: remarks, errors, unknown keys.
    pub beside: BTreeMap<String, Json>,
    /// What a person should check.
    pub notes: Vec<String>,
}

/// The totals of an import, with unreadable files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ImportReport {
    /// Whether this was a dry run.
    pub dry_run: bool,
    /// The records read.
    pub records: usize,
    /// Records by outcome.
    pub outcomes: BTreeMap<RecordOutcome, usize>,
    /// Records with a question in the manifest.
    pub in_manifest: usize,
    /// Records among them with a value at some data point.
    pub placed: usize,
    /// Leaves by use.
    pub leaves: BTreeMap<LeafUse, usize>,
    /// Records that do not state their source method.
    pub method_assumed: usize,
    /// Records without a question.
    pub without_question: usize,
    /// Questions without a record.
    pub without_record: usize,
    /// Added page checks.
    pub looks: usize,
    /// Older values added to the history.
    pub archived: usize,
    /// Added expected behaviors.
    pub behaviors: usize,
    /// Questions with quotes from papers or web pages.
    pub references: usize,
    /// Unreadable files.
    pub quarantined: Vec<QuarantinedFile>,
}

impl ImportReport {
    pub(super) fn count(&mut self, record: &RecordReport) {
        self.records += 1;
        *self.outcomes.entry(record.outcome).or_default() += 1;
        let is_placed = record.leaves.iter().any(|leaf| leaf.used == LeafUse::Placed);
        if record.in_manifest {
            self.in_manifest += 1;
            self.placed += usize::from(is_placed);
        }
        for leaf in &record.leaves {
            *self.leaves.entry(leaf.used).or_default() += 1;
        }
        self.method_assumed +=
            usize::from(record.method_assumed && record.outcome != RecordOutcome::Behavior);
        self.without_question += usize::from(!record.has_question);
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let waits = self.outcomes.contains_key(&RecordOutcome::Pending);
        let of_values = if waits { Exit::Differences } else { Exit::Ok };
        let of_files = if self.quarantined.is_empty() { Exit::Ok } else { Exit::Usage };
        of_values.worst(of_files)
    }
}
