//! `atlas-gt score text`: the six threshold metrics with the trace of every decision.

use std::path::PathBuf;

use clap::Args;

use super::score_output::{Format, JunitCase, JunitState, read_json, show};
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::report::table;
use crate::scoring::text::{Facts, TextDetails, score_text};
use crate::selection::at_least_one;

/// Arguments of `score text`
#[derive(Debug, Args)]
pub struct TextArgs {
    /// Facts, required sections and relevant sources: {"facts": […], "required_sections": […], "queries": […]}
    #[arg(long)]
    facts: PathBuf,
    /// The Markdown text
    report: PathBuf,
    /// Print the trace of every decision below the table
    #[arg(long)]
    trace: bool,
    /// Fail (exit 3) below this share of the points, 0 to 1
    #[arg(long)]
    min_score: Option<f64>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Longest report that is scored, in bytes.
const LONGEST_REPORT: usize = 4 << 20;

/// Runs the command.
///
/// # Errors
/// Files that cannot be read, and facts that are not as they should be.
pub fn run(args: &TextArgs) -> Result<Exit> {
    let facts: Facts = read_json(&args.facts)?;
    facts.check().map_err(|message| Error::Usage(format!("{}: {message}", args.facts.display())))?;
    let report = input::text(&args.report)?;
    if report.len() > LONGEST_REPORT {
        return Err(Error::Usage(format!(
            "{} has {} MB, more than the {} MB of the longest report that is scored: is it the right file?",
            args.report.display(),
            report.len() >> 20,
            LONGEST_REPORT >> 20
        )));
    }
    at_least_one(facts.facts.len() + facts.required_sections.len() + facts.queries.len(), || {
        format!("{} names no fact, no section and no source to score by", args.facts.display())
    })?;
    let scored = score_text(&report, &facts);
    show(
        args.format,
        &scored,
        |scored| for_people(&scored.metadata, args.trace),
        |scored| ("score text".to_owned(), cases(&scored.metadata)),
    )?;
    let passes = args.min_score.is_none_or(|bar| scored.reaches(bar) == Some(true));
    Ok(if passes { Exit::Ok } else { Exit::Differences })
}

fn for_people(scored: &TextDetails, trace: bool) -> String {
    let rows = scored.metrics.iter().map(|metric| {
        let points = metric.score.map_or_else(|| "-".to_owned(), |score| score.to_string());
        let title = metric.trace.title.split(" (").next().unwrap_or_default().to_owned();
        vec![
            title,
            format!("{points}/{}", metric.maximum),
            metric.quality.to_owned(),
            metric.trace.result.clone(),
        ]
    });
    let mut text = table(&["metric", "points", "quality", "why"], rows);
    let by_share = scored.band_by_share.map_or("-", |band| band.name());
    text.push_str(&format!(
        "{} of {} points: {} by points, {by_share} by share of 14\n",
        scored.points,
        scored.attainable,
        scored.band_by_points.name()
    ));
    if trace {
        for metric in &scored.metrics {
            text.push('\n');
            text.push_str(&metric.trace.to_string());
        }
    }
    text
}

/// A metric passes in a JUnit report when it has a point at all.
fn cases(scored: &TextDetails) -> Vec<JunitCase> {
    scored
        .metrics
        .iter()
        .map(|metric| JunitCase {
            name: metric.trace.title.clone(),
            state: match metric.score {
                None => JunitState::Skipped,
                Some(0) => JunitState::Failed,
                Some(_) => JunitState::Passed,
            },
            message: format!("{}: {}", metric.trace.score, metric.trace.result),
        })
        .collect()
}
