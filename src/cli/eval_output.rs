//! What the subcommands of `atlas-gt eval` share: where runs are kept, and how a run is printed.

use std::path::{Path, PathBuf};

use clap::Args;

use super::print::print_alone;
use crate::error::{Exit, Result};
use crate::report::Format;
use crate::report::eval::EvalReport;
use crate::workflow::evaluate::{self, QuestionRecord, RunSettings, RunSummary, StoreNow};

/// Where runs are kept.
#[derive(Debug, Args)]
pub(super) struct Runs {
    /// Folder of the runs and of history.jsonl
    #[arg(long = "runs", value_name = "DIR", env = "ATLAS_GT_RUNS", default_value = "runs")]
    pub folder: PathBuf,
}

/// Prints a run; the exit code is the one that it prints.
pub(super) fn show(
    summary: &RunSummary,
    questions: &[QuestionRecord],
    settings: &RunSettings,
    (format, runs): (Format, &Path),
) -> Result<Exit> {
    let store = match format {
        Format::Html => evaluate::store_now(settings, questions),
        _ => StoreNow::default(),
    };
    print_alone(format, &EvalReport { summary, questions, store, runs })
}
