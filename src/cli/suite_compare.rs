//! `atlas-gt suite compare`: two runs of one suite, case by case.

use std::path::{Path, PathBuf};

use clap::Args;

use super::score_output::{Format, JunitCase, JunitState, document, junit, line, lines, pretty, print};
use crate::error::{Error, Exit, Result};
use crate::report::eval_compare::chance_lines;
use crate::report::table;
use crate::scoring::stats::{Proportion, Seed};
use crate::scoring::suite::{ChangedCase, Resampling, RunCase, RunComparison, compare_runs};
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
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
///
/// # Errors
/// Files that cannot be read, are no runs, or are runs that must not be compared.
pub fn run(args: &CompareArgs) -> Result<Exit> {
    let (first, second) = (cases(&args.first)?, cases(&args.second)?);
    let resampling = Resampling { resamples: args.resamples, seed: Seed(args.seed) };
    let compared = compare_runs(&first, &second, resampling).map_err(|message| {
        Error::Usage(format!("{} and {}: {message}", args.first.display(), args.second.display()))
    })?;
    let text = match args.format {
        Format::Json => pretty(&compared)?,
        Format::Jsonl => line(&compared)?,
        Format::Table => for_people(&compared),
        Format::Junit => junit("suite compare", &junit_cases(&compared))?,
    };
    print(&text)?;
    Ok(if compared.regressions.is_empty() { Exit::Ok } else { Exit::Differences })
}

/// The cases of a run, one a line.
fn cases(path: &Path) -> Result<Vec<RunCase>> {
    let cases: Result<Vec<RunCase>> = lines(path)?
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

fn for_people(compared: &RunComparison) -> String {
    let row = |change: &str, case: &ChangedCase| {
        let difference = case.difference.map_or_else(|| "-".to_owned(), |by| format!("{by:+.3}"));
        vec![case.case.clone(), change.to_owned(), case.words(), difference]
    };
    let rows: Vec<Vec<String>> = compared
        .regressions
        .iter()
        .map(|case| row("regression", case))
        .chain(compared.improvements.iter().map(|case| row("improvement", case)))
        .collect();
    let mut text =
        if rows.is_empty() { String::new() } else { table(&["case", "change", "verdict", "score"], rows) };
    let rate = |rate: &Option<Proportion>| {
        rate.map_or_else(|| "-".to_owned(), |rate| format!("{} of {} pass", rate.successes, rate.n))
    };
    text.push_str(&format!(
        "{} cases in both runs: {}, then {}\n\
         regressions: {}, improvements: {}; McNemar's exact test: p = {:.4}\n",
        compared.paired,
        rate(&compared.first),
        rate(&compared.second),
        compared.regressions.len(),
        compared.improvements.len(),
        compared.mcnemar.p_value
    ));
    for line in chance_lines(compared) {
        text.push_str(&format!("{line}\n"));
    }
    text
}

/// A regression fails; an improvement passes.
fn junit_cases(compared: &RunComparison) -> Vec<JunitCase> {
    let case = |changed: &ChangedCase, state| JunitCase {
        name: changed.case.clone(),
        state,
        message: changed.words(),
    };
    let regressions = compared.regressions.iter().map(|changed| case(changed, JunitState::Failed));
    regressions.chain(compared.improvements.iter().map(|changed| case(changed, JunitState::Passed))).collect()
}
