//! How the report of a run shows verdicts, rates, scores, targets and times.

use serde::Serialize;

use std::path::Path;

use super::super::words::{self, per_cent};
use super::super::{Text, Tone};
use crate::scoring::stats::{Proportion, TargetOutcome};
use crate::words::{name, spaced};
use crate::workflow::evaluate::{RunSummary, RunTarget, Score5, TargetUnit};
use atlas_gt_core::command_line::runs_command;

/// A rate with its interval, as text.
pub(super) fn rate(rate: Option<Proportion>) -> String {
    rate.map_or_else(|| "not measured".to_owned(), |rate| words::rate(&rate))
}

pub(super) fn score(score: Option<Score5>) -> String {
    match score {
        None => "none: no judge scored any answer".to_owned(),
        Some(Score5 { n, mean, low: Some(low), high: Some(high) }) => {
            format!("{mean:.2} of 5 over {n} (95 % interval {low:.2} to {high:.2})")
        }
        Some(Score5 { n, mean, .. }) => format!("{mean:.2} of 5 over {n}"),
    }
}

/// Formats the value of a target in its unit.
pub(super) fn shown(target: &RunTarget, value: f64) -> String {
    match target.unit {
        TargetUnit::Points => format!("{value:.2}"),
        TargetUnit::Milliseconds => format!("{:.1} s", value / 1000.0),
        TargetUnit::Share => per_cent(value),
    }
}

/// The result of a target. "Not measured" differs from "too few to tell".
pub(super) fn outcome(target: &RunTarget) -> Text {
    let tone = match target.state {
        TargetOutcome::Met => Tone::Good,
        TargetOutcome::Missed => Tone::Bad,
        TargetOutcome::TooFewToTell | TargetOutcome::NotMeasured => Tone::Muted,
    };
    Text::badge(tone, target.state.words())
}

/// The command that continues a run, if it has cases left.
#[must_use]
pub fn resume_command(summary: &RunSummary, runs: &Path) -> Option<String> {
    Some(runs_command(&summary.resume()?, runs))
}

/// The name of an enum value, as words.
pub(super) fn words<T: Serialize>(value: &T) -> String {
    spaced(name(value))
}

/// The link that applies a filter of the page.
pub(super) fn filter(key: &str, value: &str) -> String {
    format!("#{}", url::form_urlencoded::Serializer::new(String::new()).append_pair(key, value).finish())
}

/// Formats milliseconds.
pub(super) fn time(millis: f64) -> String {
    if millis < 1000.0 { format!("{millis:.0} ms") } else { format!("{:.1} s", millis / 1000.0) }
}
