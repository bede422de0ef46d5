//! `atlas-gt eval`: runs evaluations of the agent, and reports on them.

use clap::{Args, Subcommand};

use super::eval_output::{Runs, show};
use super::eval_run::{RescoreArgs, ResumeArgs, RunArgs};
use super::print::print_alone;
use super::settings::Shared;
use super::{eval_calibrate, eval_compare, eval_cost, eval_export, eval_label, eval_run};
use crate::error::{Exit, Result};
use crate::report;
use crate::workflow::evaluate::{self, CaseKind, RunFolder, history};

/// Ask the agent, score its answers against the truth, and compare runs
#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Run(Box<RunArgs>),
    Resume(ResumeArgs),
    Rescore(RescoreArgs),
    Report(ReportArgs),
    Compare(eval_compare::CompareArgs),
    Trend(eval_compare::TrendArgs),
    List(ListArgs),
    Cost(eval_cost::CostArgs),
    Export(eval_export::ExportArgs),
    Label(eval_label::LabelArgs),
    Calibrate(eval_calibrate::CalibrateArgs),
}

/// Print the report of a saved run
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval report latest\n  atlas-gt eval report 20261120T103000Z --format md\n  atlas-gt eval report latest --format html > report.html\n  atlas-gt eval report latest --format junit\n\nExits with the run's own exit code"
)]
pub(super) struct ReportArgs {
    /// The run: its name, its folder, or `latest`
    run: String,
    #[command(flatten)]
    runs: Runs,
}

/// List the runs
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  atlas-gt eval list\n  atlas-gt eval list --runs out/runs")]
pub(super) struct ListArgs {
    #[command(flatten)]
    runs: Runs,
}

pub(super) fn run(shared: Shared, args: EvalArgs) -> Result<Exit> {
    match args.action {
        Action::Run(args) => eval_run::run(&shared, &args),
        Action::Resume(args) => eval_run::resume(&shared, &args),
        Action::Rescore(args) => eval_run::rescore(&shared, &args),
        Action::Report(args) => report(&shared, &args),
        Action::Compare(args) => eval_compare::compare(&shared, &args),
        Action::Trend(args) => eval_compare::trend(&shared, &args),
        Action::List(args) => list(&shared, &args),
        Action::Cost(args) => eval_cost::run(&shared, &args),
        Action::Export(args) => eval_export::run(&shared, &args),
        Action::Label(args) => eval_label::run(&shared, &args),
        Action::Calibrate(args) => eval_calibrate::run(&shared, &args),
    }
}

fn report(shared: &Shared, args: &ReportArgs) -> Result<Exit> {
    let runs = args.runs.folder(shared)?;
    let folder = RunFolder::open(&runs, &args.run)?;
    let settings = folder.settings()?;
    let (summary, questions) = evaluate::summary_of(&folder, &settings, None)?;
    show(&summary, &questions, &settings, (shared.format, &runs))
}

fn list(shared: &Shared, args: &ListArgs) -> Result<Exit> {
    let runs = args.runs.folder(shared)?;
    let names = evaluate::list_some(&runs, CaseKind::Manifest)?;
    let (lines, _) = history::read(&runs.join("history.jsonl"))?;
    let settings = |run: &str| RunFolder::open(&runs, run).ok()?.settings().ok();
    print_alone(shared.format, &report::eval::Runs::of(names, &lines, settings))
}
