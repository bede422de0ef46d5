//! `eval compare` and `eval trend`: runs beside each other.

use clap::{Args, ValueEnum};

use super::eval_output::Runs;
use super::print::print_alone;
use crate::error::{Error, Exit, Result};
use crate::report::{Format, print_status};
use crate::scoring::stats::Seed;
use crate::scoring::suite::Resampling;
use crate::workflow::evaluate::{QuestionRecord, RunFolder, RunSettings, compare, history, trend};

/// Compare two runs question by question: what is fixed, what is broken, and whether that may be chance
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval compare 20261101T103000Z latest\n  atlas-gt eval compare 20261101T103000Z latest --fail-on regressions --format md\n\nExit code 3: regressions, with --fail-on regressions"
)]
pub(super) struct CompareArgs {
    /// The earlier run: its name, its folder, or `latest`
    first: String,
    /// The later run
    second: String,
    /// What makes the command fail (exit 3)
    #[arg(long, value_enum)]
    fail_on: Option<FailOn>,
    #[command(flatten)]
    runs: Runs,
    /// How often the difference of the scores is resampled
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    resamples: u32,
    /// Where the resampling starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// What makes a comparison fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A question that passed does not any more
    Regressions,
}

/// Show the last runs beside each other, against the baseline
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval trend\n  atlas-gt eval trend --runs 20 --format md\n  atlas-gt eval trend --format json --folder out/runs"
)]
pub(super) struct TrendArgs {
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = trend::DEFAULT_RUNS)]
    runs: usize,
    /// Folder of the runs and of history.jsonl
    #[arg(long, value_name = "DIR", env = "ATLAS_GT_RUNS", default_value = "runs")]
    folder: std::path::PathBuf,
}

pub(super) fn compare(format: Format, args: &CompareArgs) -> Result<Exit> {
    let (first, second) = (load(&args.runs, &args.first)?, load(&args.runs, &args.second)?);
    let resampling = Resampling { resamples: args.resamples, seed: Seed(args.seed) };
    let fails = args.fail_on == Some(FailOn::Regressions);
    let compared = compare::compare((&first.0, &first.1), (&second.0, &second.1), resampling, fails)
        .map_err(|why| Error::Usage(format!("{} and {}: {why}", args.first, args.second)))?;
    print_alone(format, &compared)
}

fn load(runs: &Runs, run: &str) -> Result<(RunSettings, Vec<QuestionRecord>)> {
    let folder = RunFolder::open(&runs.folder, run)?;
    let settings = folder.settings()?;
    let questions = folder.questions(&settings.planned)?;
    Ok((settings, questions))
}

pub(super) fn trend(format: Format, args: &TrendArgs) -> Result<Exit> {
    let path = args.folder.join("history.jsonl");
    let (lines, bad) = history::read(&path)?;
    for line in bad {
        print_status(format_args!("{}:{}: not read: {}", path.display(), line.line, line.message));
    }
    let found = trend::trend(&lines, args.runs).ok_or_else(|| {
        Error::Nothing(format!("{} holds no run: `atlas-gt eval run` makes one", path.display()))
    })?;
    print_alone(format, &found)
}
