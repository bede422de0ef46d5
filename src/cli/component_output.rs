//! What `atlas-gt component` prints: a table for people, cases for JUnit.

use std::fmt::Write as _;

use super::score_output::{JunitCase, JunitState};
use crate::report::eval::exit_line;
use crate::report::{per_cent, table};
use crate::scoring::components::{CaseFailure, ComponentReport, Metric};
use crate::scoring::stats::TargetOutcome;
use crate::workflow::evaluate::RunSummary;

/// Rates, tiers and failures of every component, and what follows.
pub(super) fn for_people(summary: &RunSummary) -> String {
    let mut text = String::new();
    for report in &summary.components {
        let _ = writeln!(
            text,
            "{}: {} cases, {} without an answer",
            report.component.name(),
            report.n,
            report.without_answer
        );
        let rows = report.metrics.iter().map(|metric| {
            let target = metric.target.map_or_else(String::new, |target| format!("≥ {}", per_cent(target)));
            vec![metric.name.clone(), rate(metric), interval(metric), target, outcome(metric)]
        });
        text.push_str(&table(&["rate", "right", "95 % interval", "target", "outcome"], rows));
        if !report.tiers.is_empty() {
            let rows = report.tiers.iter().map(|tier| {
                let mut row = vec![tier.tier.name().to_owned()];
                row.extend(tier.metrics.iter().map(rate));
                row
            });
            let names =
                report.tiers.first().map(|tier| tier.metrics.iter().map(|metric| metric.name.as_str()));
            let head: Vec<&str> = std::iter::once("tier").chain(names.into_iter().flatten()).collect();
            text.push_str(&table(&head, rows));
        }
        for failure in &report.failures {
            let _ = writeln!(text, "  {} {}\n    {}", failure.id, failure.question, why(failure));
        }
        text.push('\n');
    }
    if let Some(gate) = &summary.gate {
        let word = if gate.passed { "passed" } else { "FAILED" };
        let _ = writeln!(text, "gate of {} {word}: {}", per_cent(gate.min_pass_rate), gate.note);
    }
    let _ = writeln!(text, "{}", exit_line(summary.exit_code, &summary.exit_reason));
    text
}

/// One case a threshold, one a case that got no answer.
pub(super) fn junit_cases(reports: &[ComponentReport]) -> Vec<JunitCase> {
    let mut cases = Vec::new();
    for report in reports {
        let component = report.component.name();
        for metric in report.metrics.iter().filter(|metric| metric.target.is_some()) {
            let state = match metric.outcome {
                Some(TargetOutcome::Met) => JunitState::Passed,
                Some(TargetOutcome::Missed) => JunitState::Failed,
                Some(TargetOutcome::TooFewToTell) | None => JunitState::Skipped,
            };
            let target = metric.target.map(per_cent).unwrap_or_default();
            cases.push(JunitCase {
                name: format!("{component}: {}", metric.name),
                state,
                message: format!(
                    "{} {}, target {target}: {}",
                    rate(metric),
                    interval(metric),
                    outcome(metric)
                ),
            });
        }
        cases.extend(report.failures.iter().filter(|failure| failure.error.is_some()).map(|failure| {
            JunitCase {
                name: format!("{component}: {}", failure.id),
                state: JunitState::Error,
                message: why(failure),
            }
        }));
    }
    cases
}

fn why(failure: &CaseFailure) -> String {
    if let Some(error) = &failure.error {
        return error.clone();
    }
    failure.misses.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn rate(metric: &Metric) -> String {
    metric.result.map_or_else(
        || "-".to_owned(),
        |rate| format!("{}/{} {}", rate.successes, rate.n, per_cent(rate.rate)),
    )
}

fn interval(metric: &Metric) -> String {
    let words = |low: f64, high: f64| format!("{} to {}", per_cent(low), per_cent(high));
    metric.result.map_or_else(String::new, |rate| words(rate.interval.low, rate.interval.high))
}

fn outcome(metric: &Metric) -> String {
    metric.outcome.map_or_else(String::new, |outcome| outcome.words().to_owned())
}
