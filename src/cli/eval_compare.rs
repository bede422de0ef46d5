//! `eval compare` and `eval trend`: compare runs.

use std::collections::BTreeSet;
use std::path::Path;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

use super::choice::choice;
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
use crate::workflow::evaluate::{CaseKind, RunFolder, compare, history, trend};

/// Compare two runs question by question: what improved, what broke, and whether it may be chance
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval compare 20261101T103000Z latest\n  atlas-gt eval compare 20261101T103000Z latest --fail-on regressions --format md\n  atlas-gt eval compare 20261101T103000Z latest --tag smoke --persona student\n  atlas-gt eval compare first.jsonl second.jsonl --fail-on regressions\n\nExit code 3: regressions, with --fail-on regressions"
)]
pub(super) struct CompareArgs {
    /// The earlier run: its name, its folder, `latest`, or the output of `suite run --format jsonl`
    first: String,
    /// The later run
    second: String,
    /// What makes the command fail (exit 3)
    #[arg(long, value_enum)]
    fail_on: Option<FailOn>,
    /// Compare only questions with this tag; repeat to allow several
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Compare only questions of this persona; repeat to allow several
    #[arg(long, value_name = "PERSONA")]
    persona: Vec<String>,
    #[command(flatten)]
    runs: Runs,
    /// Resamples for the confidence interval of the score difference
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    resamples: u32,
    /// Seed of the resampling
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// What makes a comparison fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A question that passed no longer passes
    Regressions,
}

/// Show the last runs side by side
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval trend\n  atlas-gt eval trend --last 20 --format md\n  atlas-gt eval trend --format json --runs out/runs\n  atlas-gt eval trend --history team/runs/history.jsonl"
)]
pub(super) struct TrendArgs {
    /// The number of runs
    #[arg(long, value_name = "N", default_value_t = trend::DEFAULT_RUNS, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    last: usize,
    /// Which cases
    #[arg(long, value_parser = choice::<CaseKind>(), default_value = "manifest")]
    cases: CaseKind,
    /// The suite, for runs of suites [default: that of the last run]
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    #[command(flatten)]
    runs: Runs,
    /// Also show the history file of another tool, as `runs/history.jsonl`: marked as another
    /// judge's, never compared
    #[arg(long, value_name = "FILE")]
    history: Vec<std::path::PathBuf>,
}

pub(super) fn compare(shared: &Shared, args: &CompareArgs) -> Result<Exit> {
    let runs = args.runs.folder(shared)?;
    let load = |run: &str| {
        let loaded = load(&runs, run)?;
        if args.tag.is_empty() && args.persona.is_empty() {
            return Ok(loaded);
        }
        loaded.of_cohort(&args.tag, &args.persona).map_err(Error::Usage)
    };
    let (first, second) = (load(&args.first)?, load(&args.second)?);
    let resampling = Resampling { resamples: args.resamples, seed: Seed(args.seed) };
    let fails = args.fail_on == Some(FailOn::Regressions);
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

/// The cases of a run, one per line.
fn cases(path: &Path) -> Result<Vec<RunCase>> {
    let case = |line: Result<(usize, Vec<u8>)>| {
        let (number, text) = line?;
        document(path, number, &text).map_err(|error| match error {
            Error::Syntax { path, place, message } => {
                let message = format!("{message}: expected a line of `suite run --format jsonl`");
                Error::Syntax { path, place, message }
            }
            other => other,
        })
    };
    // the last line of a run is its summary
    let is_case = |line: &Result<(usize, Vec<u8>)>| !matches!(line, Ok((_, text)) if text.starts_with(b"{\"summary\":"));
    let cases: Result<Vec<RunCase>> = lines(path)?.filter(is_case).map(case).collect();
    at_least_one(cases?, || format!("{} has no case of a run", path.display()))
}

pub(super) fn trend(shared: &Shared, args: &TrendArgs) -> Result<Exit> {
    let path = args.runs.folder(shared)?.join("history.jsonl");
    let mut lines = Vec::new();
    for (at, path) in std::iter::once(&path).chain(&args.history).enumerate() {
        if at > 0 && !path.exists() {
            let why = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such file");
            return Err(Error::named(path)(why));
        }
        let (more, bad) = history::read(path)?;
        for line in bad {
            print_status(format_args!("{}:{}: skipped: {}", path.display(), line.line, line.message));
        }
        if at > 0 && more.is_empty() {
            return Err(Error::Nothing(format!("{}: no line of it is a run", path.display())));
        }
        lines.extend(more);
    }
    lines.sort_by_key(|line| line.timestamp);
    let kind = if args.suite.is_some() { CaseKind::Suite } else { args.cases };
    let found = trend::trend(&lines, kind, args.suite.as_deref(), args.last).ok_or_else(|| {
        let (made, path) = (kind.command(), path.display());
        let known = |name: fn(&history::HistoryLine) -> Option<String>| {
            let all: BTreeSet<String> = lines.iter().filter_map(name).collect();
            all.into_iter().collect::<Vec<_>>().join(" or ")
        };
        let (flag, others) = match &args.suite {
            Some(_) => ("--suite", known(|line| line.suite.clone())),
            None => ("--cases", known(|line| Some(line.kind()?.name().to_owned()))),
        };
        let others = if others.is_empty() { others } else { format!(", or see {flag} {others}") };
        Error::Nothing(format!("{path} has no run of these cases: start one with `{made}`{others}"))
    })?;
    print_alone(shared.format, &found)
}
