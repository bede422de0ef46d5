//! `eval compare` and `eval trend`: runs beside each other.

use std::path::Path;

use clap::{Args, ValueEnum};

use super::eval_output::Runs;
use super::print::print_alone;
use super::score_files::{document, lines};
use super::settings::Shared;
use crate::error::{Error, Exit, Result};
use crate::report::print_status;
use crate::scoring::stats::Seed;
use crate::scoring::suite::{Resampling, RunCase};
use crate::selection::at_least_one;
use crate::workflow::evaluate::compare::ComparedRun;
use crate::workflow::evaluate::{RunFolder, compare, history, trend};

/// Compare two runs question by question: what is fixed, what is broken, and whether that may be chance
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval compare 20261101T103000Z latest\n  atlas-gt eval compare 20261101T103000Z latest --fail-on regressions --format md\n  atlas-gt suite compare first.jsonl second.jsonl\n\nExit code 3: regressions, with --fail-on regressions and for suites"
)]
pub(super) struct CompareArgs {
    /// The earlier run: its name, its folder, `latest`, or a file of what `suite run --format jsonl` printed
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
    after_help = "Examples:\n  atlas-gt eval trend\n  atlas-gt eval trend --last 20 --format md\n  atlas-gt eval trend --format json --runs out/runs"
)]
pub(super) struct TrendArgs {
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = trend::DEFAULT_RUNS)]
    last: usize,
    /// Whose cases: questions of the manifest, or components
    #[arg(long, value_parser = ["manifest", "components"], default_value = "manifest")]
    cases: String,
    #[command(flatten)]
    runs: Runs,
}

/// Compares two runs; regressions fail where they are asked to, or the command always has them fail.
pub(super) fn compare(shared: &Shared, args: &CompareArgs, fails: bool) -> Result<Exit> {
    let runs = args.runs.folder(shared)?;
    let (first, second) = (load(&runs, &args.first)?, load(&runs, &args.second)?);
    let resampling = Resampling { resamples: args.resamples, seed: Seed(args.seed) };
    let fails = fails || args.fail_on == Some(FailOn::Regressions);
    let compared = compare::compare(&first, &second, resampling, fails)
        .map_err(|why| Error::Usage(format!("{} and {}: {why}", args.first, args.second)))?;
    print_alone(shared.format, &compared)
}

fn load(runs: &Path, run: &str) -> Result<ComparedRun> {
    if Path::new(run).is_file() || run.ends_with(".jsonl") {
        return Ok(ComparedRun::of_cases(run.to_owned(), cases(Path::new(run))?));
    }
    let folder = RunFolder::open(runs, run)?;
    let settings = folder.settings()?;
    let questions = folder.questions(&settings.planned)?;
    Ok(ComparedRun::kept(&settings, questions))
}

/// The cases of a run, one a line.
fn cases(path: &Path) -> Result<Vec<RunCase>> {
    let case = |line: Result<(usize, Vec<u8>)>| {
        let (number, text) = line?;
        document(path, number, &text).map_err(|error| match error {
            Error::Syntax { path, line, column, message } => {
                let message = format!("{message}: expected a line of `suite run --format jsonl`");
                Error::Syntax { path, line, column, message }
            }
            other => other,
        })
    };
    // the last line of a run has no case
    let is_case = |line: &Result<(usize, Vec<u8>)>| !matches!(line, Ok((_, text)) if text.starts_with(b"{\"summary\":"));
    let cases: Result<Vec<RunCase>> = lines(path)?.filter(is_case).map(case).collect();
    at_least_one(cases?, || format!("{} holds no case of a run", path.display()))
}

pub(super) fn trend(shared: &Shared, args: &TrendArgs) -> Result<Exit> {
    let path = args.runs.folder(shared)?.join("history.jsonl");
    let (lines, bad) = history::read(&path)?;
    for line in bad {
        print_status(format_args!("{}:{}: not read: {}", path.display(), line.line, line.message));
    }
    let found = trend::trend(&lines, &args.cases, args.last).ok_or_else(|| {
        let made = if args.cases == "manifest" { "eval run" } else { "component run" };
        Error::Nothing(format!("{} holds no run of these cases: `atlas-gt {made}` makes one", path.display()))
    })?;
    print_alone(shared.format, &found)
}
