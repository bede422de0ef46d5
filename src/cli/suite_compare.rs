//! `atlas-gt suite compare`: two runs of one suite, case by case.

use std::path::{Path, PathBuf};

use clap::Args;

use super::print::print_alone;
use super::score_files::{document, lines};
use crate::error::{Error, Exit, Result};
use crate::report::Format;
use crate::scoring::stats::Seed;
use crate::scoring::suite::{Resampling, RunCase, compare_runs};
use crate::selection::at_least_one;

/// Arguments of `suite compare`
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The earlier run: what `suite run --format jsonl` printed
    first: PathBuf,
    /// The later run
    second: PathBuf,
    /// How often the difference of the scores is resampled
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    resamples: u32,
    /// Where the resampling starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
///
/// # Errors
/// Files that cannot be read, are no runs, or are runs that must not be compared.
pub fn run(format: Format, args: &CompareArgs) -> Result<Exit> {
    let (first, second) = (cases(&args.first)?, cases(&args.second)?);
    let resampling = Resampling { resamples: args.resamples, seed: Seed(args.seed) };
    let compared = compare_runs(&first, &second, resampling).map_err(|message| {
        Error::Usage(format!("{} and {}: {message}", args.first.display(), args.second.display()))
    })?;
    print_alone(format, &compared)
}

/// The cases of a run, one a line.
fn cases(path: &Path) -> Result<Vec<RunCase>> {
    // the last line of a run has no case
    let is_case = |line: &Result<(usize, Vec<u8>)>| !matches!(line, Ok((_, text)) if text.starts_with(b"{\"summary\":"));
    let cases: Result<Vec<RunCase>> = lines(path)?
        .filter(is_case)
        .map(|line| {
            let (number, text) = line?;
            document(path, number, &text).map_err(|error| match error {
                Error::Syntax { path, line, column, message } => {
                    let message = format!("{message}: expected a line of `suite run --format jsonl`");
                    Error::Syntax { path, line, column, message }
                }
                other => other,
            })
        })
        .collect();
    at_least_one(cases?, || format!("{} holds no case of a run", path.display()))
}
