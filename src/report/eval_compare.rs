//! Evaluation runs beside each other, for people: a comparison, a trend, a calibration of the judge.

use std::fmt::Write as _;

use super::eval::exit_line;
use super::table::{markdown_table, table};
use super::words::{count, per_cent};
use crate::scoring::stats::Proportion;
use crate::scoring::suite::{ChangedCase, RunComparison};
use crate::workflow::evaluate::calibrate::CalibrationReport;
use crate::workflow::evaluate::compare::EvalComparison;
use crate::workflow::evaluate::trend::{Trend, TrendRun};

fn changed_rows(compared: &EvalComparison) -> Vec<Vec<String>> {
    let row = |kind: &str, case: &ChangedCase| {
        let difference = case.difference.map_or_else(|| "–".to_owned(), |by| format!("{by:+.2}"));
        vec![case.case.clone(), kind.to_owned(), case.words(), difference]
    };
    let questions = &compared.questions;
    let broken = questions.regressions.iter().map(|case| row("broken", case));
    broken.chain(questions.improvements.iter().map(|case| row("fixed", case))).collect()
}

fn category_rows(compared: &EvalComparison) -> Vec<Vec<String>> {
    let row = |one: &crate::workflow::evaluate::compare::CategoryComparison| {
        vec![
            one.name.clone(),
            one.paired.to_string(),
            format!("{} → {}", one.first_passed, one.second_passed),
            format!("{:.4}", one.mcnemar.p_value),
            format!("{:.4}", one.adjusted_p),
        ]
    };
    compared.categories.iter().map(row).collect()
}

fn truth_rows(compared: &EvalComparison) -> Vec<Vec<String>> {
    let row = |one: &crate::workflow::evaluate::compare::TruthChange| {
        let now = one.verdict_now.map_or("left out", |verdict| verdict.name());
        vec![
            one.question_id.clone(),
            one.first_truth.clone(),
            one.second_truth.clone(),
            format!("{} → {now}", one.verdict_then.name()),
        ]
    };
    compared.truth_changed.iter().map(row).collect()
}

const CHANGED: [&str; 4] = ["question", "", "verdict", "score"];
const CATEGORY: [&str; 5] = ["category", "paired", "passed", "p", "p (Holm)"];
const TRUTH: [&str; 4] = ["question", "truth then", "truth now", "first run by the newer truth"];

fn lines(compared: &EvalComparison) -> Vec<String> {
    let questions = &compared.questions;
    let rate = |rate: &Option<Proportion>| {
        rate.map_or_else(
            || "nothing".to_owned(),
            |rate| format!("{} of {} ({})", rate.successes, rate.n, per_cent(rate.rate)),
        )
    };
    let mut lines = vec![
        format!(
            "{} in both runs: {} pass, then {}",
            count(questions.paired, "question"),
            rate(&questions.first),
            rate(&questions.second)
        ),
        format!(
            "broken {}, fixed {}; McNemar's exact test: p = {:.4}",
            questions.regressions.len(),
            questions.improvements.len(),
            questions.mcnemar.p_value
        ),
    ];
    lines.extend(chance_lines(questions));
    lines.push(exit_line(compared.exit_code, &compared.exit_reason));
    lines
}

/// How much of the difference of two runs may be chance, and what is not compared.
#[must_use]
pub fn chance_lines(compared: &RunComparison) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(difference) = &compared.score_difference {
        lines.push(format!(
            "mean score {:+.3} (95 % interval {:+.3} to {:+.3}, {} pairs resampled {} times, seed {})",
            difference.difference,
            difference.interval.low,
            difference.interval.high,
            difference.n,
            difference.resamples,
            difference.seed.0
        ));
    }
    if let Some(least) = compared.minimum_detectable_difference {
        lines.push(format!("differences below {least:.3} would mostly go unnoticed (5 % level, 80 % power)"));
    }
    if compared.unscored > 0 {
        lines.push(format!("without a verdict in one of the runs, and left out: {}", compared.unscored));
    }
    for (which, names) in [("first", &compared.only_first), ("second", &compared.only_second)] {
        if !names.is_empty() {
            lines.push(format!("in the {which} run alone: {}", names.join(", ")));
        }
    }
    lines
}

/// A comparison on a terminal.
#[must_use]
pub fn text(compared: &EvalComparison) -> String {
    let mut text = format!("{} and then {}\n", compared.first, compared.second);
    for (head, rows) in [
        (&CHANGED[..], changed_rows(compared)),
        (&CATEGORY[..], category_rows(compared)),
        (&TRUTH[..], truth_rows(compared)),
    ] {
        if !rows.is_empty() {
            text.push_str(&table(head, rows));
        }
    }
    for line in lines(compared) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// A comparison in Markdown.
#[must_use]
pub fn markdown(compared: &EvalComparison) -> String {
    let mut text = format!("# {} and then {}\n\n", compared.first, compared.second);
    for line in lines(compared) {
        let _ = writeln!(text, "- {line}");
    }
    for (title, head, rows) in [
        ("Changed questions", &CHANGED[..], changed_rows(compared)),
        ("Categories", &CATEGORY[..], category_rows(compared)),
        ("Questions whose truth changed", &TRUTH[..], truth_rows(compared)),
    ] {
        if !rows.is_empty() {
            let _ = write!(text, "\n## {title}\n\n{}", markdown_table(head, rows));
        }
    }
    text
}

/// Cells of a bar in text.
const BAR: usize = 20;

/// A share as a bar, with the baseline drawn in it: `█████·····│··`.
fn bar(share: Option<f64>, baseline: f64) -> String {
    let cells = |share: f64| (share.clamp(0.0, 1.0) * BAR as f64).round() as usize;
    let Some(share) = share else { return String::new() };
    let mark = cells(baseline).min(BAR - 1);
    let cell = |at: usize| match at {
        at if at == mark => '│',
        at if at < cells(share) => '█',
        _ => '·',
    };
    (0..BAR).map(cell).collect()
}

/// The last runs as a Markdown report (evaluation strategy, section 8, "Trend Reporting").
#[must_use]
pub fn trend(trend: &Trend) -> String {
    let mut text = format!("# Trend of {}\n\n", count(trend.runs.len(), "run"));
    let baseline = &trend.baseline;
    let _ = writeln!(
        text,
        "Scoring version {}. The baseline of {} (│): {} passed, score {} of 5, over {}.\n",
        trend.scoring_version,
        baseline.date,
        per_cent(baseline.pass_rate),
        baseline.avg_score,
        count(baseline.questions, "question")
    );
    for (version, runs) in &trend.other_versions {
        let _ = writeln!(text, "- left out: {} of scoring version {version}", count(*runs, "run"));
    }
    let row = |one: &TrendRun| {
        let run = &one.run;
        vec![
            run.run.clone(),
            run.questions.to_string(),
            run.pass_rate.map_or_else(|| "–".to_owned(), per_cent),
            bar(run.pass_rate, baseline.pass_rate),
            run.avg_score.map_or_else(|| "–".to_owned(), |score| format!("{score:.2}")),
            bar(run.avg_score.map(|score| score / 5.0), baseline.avg_score / 5.0),
            run.trajectory_match_rate.map_or_else(|| "–".to_owned(), per_cent),
            format!("{:.0} s", run.duration_s),
            format!("${:.2}", run.cost()),
            if run.complete { String::new() } else { "partial".to_owned() },
        ]
    };
    let rows: Vec<_> = trend.runs.iter().map(row).collect();
    let head = ["run", "questions", "passed", "", "score", "", "routes", "took", "cost", ""];
    let _ = writeln!(text, "\n{}", markdown_table(&head, rows));
    if !trend.categories.is_empty() {
        let mut head = vec!["category"];
        head.extend(trend.runs.iter().map(|one| one.run.run.as_str()));
        let row = |(name, rates): (&String, &Vec<Option<f64>>)| {
            let cells = rates.iter().map(|rate| rate.map_or_else(|| "–".to_owned(), per_cent));
            std::iter::once(name.clone()).chain(cells).collect::<Vec<_>>()
        };
        let rows: Vec<_> = trend.categories.iter().map(row).collect();
        let _ = writeln!(text, "## Pass rates by category\n\n{}", markdown_table(&head, rows));
    }
    text.push_str("## Regressions against the run before\n\n");
    for one in trend.runs.iter().filter(|one| one.compared > 0) {
        let lost = if one.regressions.is_empty() { "none".to_owned() } else { one.regressions.join(", ") };
        let _ = writeln!(text, "- {}: {lost} (of {})", one.run.run, count(one.compared, "question"));
    }
    let _ = writeln!(text, "\nSpent in the seven days up to the last run: ${}", trend.week_usd.normalize());
    if trend.week_alert {
        text.push_str("**ALERT: more than $100 in seven days**\n");
    }
    text
}

/// A calibration on a terminal.
#[must_use]
pub fn calibration(report: &CalibrationReport) -> String {
    let mut text = format!("{} (prompts {})\n", report.judge.model, report.judge.prompts_hash);
    if let Some(found) = &report.agreement {
        let rows: Vec<Vec<String>> = found
            .base_rates
            .iter()
            .map(|rate| vec![rate.label.name().to_owned(), per_cent(rate.first), per_cent(rate.second)])
            .collect();
        text.push_str(&table(&["label", "person", "judge"], rows));
        let _ = writeln!(
            text,
            "agreement {} ({} of {}, 95 % interval {} to {}); always saying {} would agree in {}",
            per_cent(found.agreement.rate),
            found.agreement.successes,
            found.agreement.n,
            per_cent(found.agreement.interval.low),
            per_cent(found.agreement.interval.high),
            found.baseline.label.name(),
            per_cent(found.baseline.rate)
        );
        if let Some((kappa, ends)) = found.kappa.zip(found.kappa_interval) {
            let _ = writeln!(text, "kappa {kappa:.2} (95 % interval {:.2} to {:.2})", ends.low, ends.high);
        }
    }
    for (name, found) in &report.dimensions {
        let _ = writeln!(text, "{name}: {:.2} points apart on average over {}", found.distance, found.n);
    }
    if let Some(found) = &report.with_itself {
        let word = if found.consistent { "within" } else { "ABOVE" };
        let _ = writeln!(
            text,
            "two rounds of the judge: {:.2} points apart on average, {word} the 0.3 that are allowed",
            found.distance
        );
    }
    for (id, (person, judge)) in &report.differences {
        let _ = writeln!(text, "{id}: the person says {}, the judge {}", person.name(), judge.name());
    }
    for (id, why) in &report.unscored {
        let _ = writeln!(text, "{id} unscored: {why}");
    }
    match &report.note.why {
        None => text.push_str("calibrated\n"),
        Some(why) => {
            let _ = writeln!(text, "UNCALIBRATED: {why}; such a judge fails no gate");
        }
    }
    let exit = report.exit();
    let _ = writeln!(text, "{}", exit_line(exit as u8, exit.meaning()));
    text
}
