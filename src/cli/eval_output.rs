//! What the subcommands of `atlas-gt eval` share: where runs are kept, and how a run is printed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::component_output;
use super::score_output::{self, JunitCase, JunitState};
use super::suite::state;
use crate::error::{Error, Exit, Result};
use crate::report;
use crate::workflow::evaluate::{self, QuestionRecord, RunSettings, RunSummary};

/// Where runs are kept.
#[derive(Debug, Args)]
pub(super) struct Runs {
    /// Folder of the runs and of history.jsonl
    #[arg(long = "runs", value_name = "DIR", env = "ATLAS_GT_RUNS", default_value = "runs")]
    pub folder: PathBuf,
}

/// What makes a run fail.
#[derive(Debug, Args)]
pub(super) struct GateArgs {
    /// Fail (exit 3) when a smaller share passes, 0 to 1; what nothing decided counts as not passed
    #[arg(long, value_name = "SHARE")]
    min_pass_rate: Option<f64>,
}

impl GateArgs {
    /// The least pass rate, where one is asked for.
    pub fn checked(&self) -> Result<Option<f64>> {
        match self.min_pass_rate {
            Some(share) if !(0.0..=1.0).contains(&share) => {
                Err(Error::Usage("--min-pass-rate: use a share from 0 to 1".to_owned()))
            }
            share => Ok(share),
        }
    }
}

/// How a run is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EvalFormat {
    /// For a terminal
    Table,
    /// For machines: as summary.json
    Json,
    /// A Markdown report
    Md,
    /// One page with every question, for a browser
    Html,
    /// JUnit XML for continuous integration, a test case a question
    Junit,
}

/// Prints a run; the exit code is the one that it prints.
pub(super) fn show(
    summary: &RunSummary,
    questions: &[QuestionRecord],
    settings: &RunSettings,
    format: EvalFormat,
) -> Result<Exit> {
    score_output::print(&match format {
        EvalFormat::Table if !summary.components.is_empty() => component_output::for_people(summary),
        EvalFormat::Table => report::eval::text(summary, super::print::colours()),
        EvalFormat::Json => score_output::pretty(summary)?,
        EvalFormat::Md => report::eval::markdown(summary, questions),
        EvalFormat::Html => {
            report::eval_html::page(summary, questions, &evaluate::store_now(settings, questions))
        }
        EvalFormat::Junit => {
            let cases: Vec<JunitCase> = questions.iter().map(case).collect();
            score_output::junit_with(&summary.run, &report::eval::properties(summary), &cases)?
        }
    })?;
    Ok(summary.exit())
}

fn case(record: &QuestionRecord) -> JunitCase {
    let (state, message) = match &record.scored {
        None => (JunitState::Skipped, "it has not ended".to_owned()),
        Some(scored) => (state(scored.verdict), scored.reason.clone()),
    };
    JunitCase { name: record.question.question_id.to_string(), state, message }
}
