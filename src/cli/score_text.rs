//! `atlas-gt score text`: scores a text by the six threshold metrics, with a trace of every
//! decision.

use std::path::PathBuf;

use clap::Args;

use super::choice::share;
use super::print::print_alone;
use super::score_files::read_json;
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::report::score::ScoredText;
use crate::report::{Format, print_status};
use crate::scoring::text::{Facts, score_text};
use crate::selection::at_least_one;

/// Arguments of `score text`
#[derive(Debug, Args)]
pub struct TextArgs {
    /// Facts, required sections and relevant sources: {"facts": […], "required_sections": […], "queries": […]}
    #[arg(long)]
    facts: PathBuf,
    /// The Markdown text
    report: PathBuf,
    /// Print how each decision was made below the table
    #[arg(long)]
    trace: bool,
    /// Fail (exit 3) below this share of the points, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_score: Option<f64>,
}

/// The maximum size of a report, in bytes.
const MAX_REPORT: usize = 4 << 20;

/// Runs the command.
///
/// # Errors
/// A file cannot be read, or the facts are invalid.
pub fn run(format: Format, args: &TextArgs) -> Result<Exit> {
    let facts: Facts = read_json(&args.facts)?;
    facts.check().map_err(|message| Error::Usage(format!("{}: {message}", args.facts.display())))?;
    let report = input::text(&args.report)?;
    if report.len() > MAX_REPORT {
        return Err(Error::Usage(format!(
            "{} has {} MB, but the maximum is {} MB: is it the right file?",
            args.report.display(),
            report.len() >> 20,
            MAX_REPORT >> 20
        )));
    }
    at_least_one(facts.facts.len() + facts.required_sections.len() + facts.queries.len(), || {
        format!("{} has no fact, section or source to score by", args.facts.display())
    })?;
    let scored = ScoredText { score: score_text(&report, &facts), trace: args.trace };
    print_alone(format, &scored)?;
    let passes = args.min_score.is_none_or(|bar| scored.score.reaches(bar) == Some(true));
    if let Some(bar) = args.min_score.filter(|_| !passes) {
        let value = scored
            .score
            .value
            .map_or_else(|| "there is no score, so it".to_owned(), |value| format!("the score {value:.3}"));
        print_status(format_args!("error: {value} does not reach --min-score {bar}"));
    }
    Ok(if passes { Exit::Ok } else { Exit::Differences })
}
