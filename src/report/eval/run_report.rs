//! The inputs of a run's report.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::workflow::evaluate::{QuestionRecord, RunSummary, StoreNow};

/// A run with its questions, and the current store.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvalReport<'a> {
    /// The run's summary.
    #[serde(flatten)]
    pub summary: &'a RunSummary,
    /// Its questions.
    #[serde(skip)]
    pub questions: &'a [QuestionRecord],
    /// The store's current records and pictures for these questions. Only a page needs them.
    #[serde(skip)]
    pub store: StoreNow,
    /// The folder of the runs.
    #[serde(skip)]
    pub runs: &'a Path,
}
