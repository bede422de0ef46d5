//! Shared by the `atlas-gt eval` subcommands: the runs folder, the gate, and the output of a run.

use std::path::{Path, PathBuf};

use clap::Args;

use super::choice::share;
use super::print::print_alone;
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::Format;
use crate::report::eval::EvalReport;
use crate::workflow::evaluate::{self, QuestionRecord, RunSettings, RunSummary, StoreNow};

/// Flags for the runs folder.
#[derive(Debug, Args)]
pub(super) struct Runs {
    /// Folder of runs and history.jsonl [default: runs]
    #[arg(long, value_name = "DIR", env = "ATLAS_GT_RUNS")]
    runs: Option<PathBuf>,
}

impl Runs {
    /// The settings from the flag.
    pub fn settings(&self) -> Settings {
        Settings { runs: self.runs.clone(), ..Settings::default() }
    }

    /// The folder, from flag, environment or configuration.
    pub fn folder(&self, shared: &Shared) -> Result<PathBuf> {
        Ok(settings::resolve(shared, self.settings())?.runs)
    }
}

/// Flags of the gate.
#[derive(Debug, Args)]
pub(super) struct GateArgs {
    /// Fail (exit 3) if a smaller share passes, 0 to 1; undecided cases count as not passed
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub min_pass_rate: Option<f64>,
}

/// Prints a run. Returns the run's own exit code.
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
