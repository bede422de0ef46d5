//! The report of an import: per record the outcome of every row and value, and counts of it all.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

use crate::error::Exit;
use crate::external::QuarantinedFile;
use crate::truth::{SourceMethod, WriteOutcome};

/// The outcome of an imported record, as a word of the report. It is that of the store without its details; of a record that holds
/// no value it says whether the record tells what a right answer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordOutcome {
    /// There was none in the store, and now there is one.
    Written,
    /// The store said the same from a weaker source.
    Strengthened,
    /// The store says the same.
    Unchanged,
    /// The store says something else: it waits for a person.
    Pending,
    /// The store says something else, and was read later.
    Older,
    /// It says what a right answer does, and holds no value.
    Behavior,
    /// It holds no value.
    Empty,
}

impl RecordOutcome {
    /// As people write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
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
            WriteOutcome::Written | WriteOutcome::Forced(_) => Self::Written,
            WriteOutcome::Strengthened => Self::Strengthened,
            WriteOutcome::Unchanged => Self::Unchanged,
            WriteOutcome::Pending { .. } => Self::Pending,
            WriteOutcome::Older(_) => Self::Older,
            WriteOutcome::Refused(_) if has_behavior => Self::Behavior,
            WriteOutcome::Refused(_) => Self::Empty,
        }
    }
}

/// What a leaf of a row became.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeafUse {
    /// The value of a data point of the manifest.
    Placed,
    /// Kept in the row of the placed value beside it.
    Beside,
    /// A value under a name of its own, which no page is read for.
    Own,
    /// The precise number of a value.
    Precise,
    /// A precise number that does not fit the value beside it; it is kept beside it.
    Unfit,
    /// It says what values are about.
    About,
    /// A remark, kept in this report alone.
    Note,
    /// It holds nothing.
    Nothing,
}

/// One leaf of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LeafReport {
    /// The row, from 1.
    pub row: usize,
    /// Its place in the row.
    pub key: String,
    /// What it holds.
    pub text: String,
    /// What it became.
    #[serde(rename = "use")]
    pub used: LeafUse,
    /// The field of the record that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Why it belongs to no data point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The outcome for a record and everything in it.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RecordReport {
    /// The question.
    pub question_id: String,
    /// The file, below the folder.
    pub file: String,
    /// What became of it.
    pub outcome: RecordOutcome,
    /// How its values were found.
    pub source_method: SourceMethod,
    /// Whether that is taken for granted, as the record does not say.
    pub method_assumed: bool,
    /// Whether the file of questions has its question.
    pub has_question: bool,
    /// Whether the manifest has its question.
    pub in_manifest: bool,
    /// What differs from the store.
    pub changes: Vec<String>,
    /// Every leaf of its rows.
    pub leaves: Vec<LeafReport>,
    /// Every leaf of its archived rows.
    pub archived: Vec<LeafReport>,
    /// What it says beside its rows: remarks, errors, keys without a meaning here.
    pub beside: BTreeMap<String, Json>,
    /// What somebody has to look at.
    pub notes: Vec<String>,
}

/// An import in numbers, with what could not be read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ImportReport {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The records read.
    pub records: usize,
    /// Records by what became of them.
    pub outcomes: BTreeMap<RecordOutcome, usize>,
    /// Records of questions of the manifest.
    pub in_manifest: usize,
    /// Those of them with a value that has a data point.
    pub placed: usize,
    /// Leaves of rows by what became of them.
    pub leaves: BTreeMap<LeafUse, usize>,
    /// Records that do not say how their values were found.
    pub method_assumed: usize,
    /// Records without a question.
    pub without_question: usize,
    /// Questions without a record.
    pub without_record: usize,
    /// Looks at pages that were added.
    pub looks: usize,
    /// Older values that were added to the history.
    pub archived: usize,
    /// Expected behaviors that were added.
    pub behaviors: usize,
    /// Questions with quotes of papers or web pages.
    pub references: usize,
    /// What could not be read.
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

    /// The exit code that this leads to.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let waits = self.outcomes.contains_key(&RecordOutcome::Pending);
        let of_values = if waits { Exit::Differences } else { Exit::Ok };
        let of_files = if self.quarantined.is_empty() { Exit::Ok } else { Exit::Usage };
        of_values.worst(of_files)
    }
}
