//! An evaluation run for people: on a terminal, and as Markdown; the list of runs; what runs cost.

use std::fmt::Write as _;

use super::table::{markdown_table, table};
use super::words::{count, first_ids, painted, per_cent, plural};
use crate::scoring::cost::WEEKLY_ALERT;
use crate::scoring::prices::CostRow;
use crate::scoring::stats::Proportion;
use crate::workflow::evaluate::cost::Spend;
use crate::workflow::evaluate::history::HistoryLine;
use crate::workflow::evaluate::{
    CaseVerdict, Decider, Group, QuestionRecord, RunSummary, Score5, Target, Unit,
};

pub(super) fn rate(rate: Option<Proportion>) -> String {
    rate.map_or_else(
        || "nothing to tell".to_owned(),
        |rate| {
            format!(
                "{} ({} of {}, 95 % interval {} to {})",
                per_cent(rate.rate),
                rate.successes,
                rate.n,
                per_cent(rate.interval.low),
                per_cent(rate.interval.high)
            )
        },
    )
}

pub(super) fn score(score: Option<Score5>) -> String {
    match score {
        None => "no judge scored any answer".to_owned(),
        Some(Score5 { n, mean, low: Some(low), high: Some(high) }) => {
            format!("{mean:.2} of 5 over {n} (95 % interval {low:.2} to {high:.2})")
        }
        Some(Score5 { n, mean, .. }) => format!("{mean:.2} of 5 over {n}"),
    }
}

pub(super) fn of(group: &Group, verdict: CaseVerdict) -> u64 {
    group.counts.get(&verdict).copied().unwrap_or(0)
}

const GROUP_HEAD: [&str; 8] = ["", "pass", "partial", "fail", "unscored", "error", "pass rate", "score"];

fn group_rows(groups: &[Group]) -> Vec<Vec<String>> {
    let row = |group: &Group| {
        let counts = CaseVerdict::ALL.map(|verdict| of(group, verdict).to_string());
        let rate = group.pass_rate.map_or_else(String::new, |rate| per_cent(rate.rate));
        let score = group.weighted_score.map_or_else(String::new, |score| format!("{:.2}", score.mean));
        let [pass, partial, fail, unscored, error] = counts;
        vec![group.name.clone(), pass, partial, fail, unscored, error, rate, score]
    };
    groups.iter().map(row).collect()
}

/// A value of a target in its unit.
pub(super) fn shown(target: &Target, value: f64) -> String {
    match target.unit {
        Unit::Points => format!("{value:.2}"),
        Unit::Milliseconds => format!("{:.1} s", value / 1000.0),
        Unit::Share => per_cent(value),
    }
}

fn target_rows(summary: &RunSummary) -> Vec<Vec<String>> {
    let row = |target: &Target| {
        let shown = |value: f64| shown(target, value);
        let interval =
            target.low.zip(target.high).map(|(low, high)| format!("{} to {}", shown(low), shown(high)));
        vec![
            target.name.to_owned(),
            target.target.clone(),
            target.value.map_or_else(|| "–".to_owned(), shown),
            interval.unwrap_or_default(),
            target.n.to_string(),
            target.state.words().to_owned(),
        ]
    };
    summary.targets.iter().map(row).collect()
}

const TARGET_HEAD: [&str; 6] = ["target", "asked for", "found", "95 % interval", "n", ""];

/// What a reader must know before the numbers, and the numbers that are no tables: a line each.
fn lines(summary: &RunSummary) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(partial) = &summary.partial {
        lines.push(format!("PARTIAL RUN: {partial}"));
    }
    lines.push(format!("agent: {}; {}", summary.agent, summary.selection));
    if let Some(of) = &summary.rescore_of {
        lines.push(format!("the answers are those of run {of}"));
    }
    if let Some(judge) = &summary.judge {
        lines.push(format!(
            "judge: {} (prompts {}, {}), asked {} each",
            judge.model,
            judge.prompts_hash,
            match judge.rubric {
                crate::scoring::rubric::Rubric::FiveDimensions => "five dimensions",
                crate::scoring::rubric::Rubric::FourDimensions => "four dimensions",
            },
            plural(judge.repeat, "time", "times")
        ));
    }
    match &summary.calibration {
        Some(known) if !known.is_calibrated => lines.push(format!(
            "the judge is UNCALIBRATED and fails no gate: {}",
            known.why.as_deref().unwrap_or_default()
        )),
        Some(known) => lines.push(format!(
            "the judge is calibrated on {}: agreement {}, kappa {:.2}",
            count(known.labels, "label"),
            per_cent(known.agreement.unwrap_or_default()),
            known.kappa.unwrap_or_default()
        )),
        None => {}
    }
    lines.push(format!("pass rate {}", rate(summary.pass_rate)));
    lines.push(format!(
        "weighted score {}; baseline of {}: {} of 5, {}",
        score(summary.weighted_score),
        summary.baseline.date,
        summary.baseline.avg_score,
        per_cent(summary.baseline.pass_rate)
    ));
    if let Some(share) = summary.right_share {
        lines.push(format!(
            "right data points {} of an answer on average, over {} that rules could score",
            per_cent(share.mean),
            share.n
        ));
    }
    let by = |decider: Decider| summary.decided_by.get(&decider).copied().unwrap_or(0);
    lines.push(format!(
        "decided by rules {}, by the judge {}, by nobody {}",
        by(Decider::Rules),
        by(Decider::Judge),
        by(Decider::Nobody)
    ));
    if summary.trajectories.n > 0 {
        lines.push(format!(
            "routes: {}, strict {}",
            rate(summary.trajectory_rate),
            per_cent(summary.trajectories.strict_rate.unwrap_or_default())
        ));
    }
    if !summary.tools.is_empty() {
        let tools: Vec<String> =
            summary.tools.iter().map(|(name, calls)| format!("{name} {calls}")).collect();
        lines.push(format!("tools called: {}", tools.join(", ")));
    }
    let by_pipeline = summary.pipeline_latency_ms.iter();
    let by_pipeline = by_pipeline.map(|(pipeline, found)| (format!("latency, pipeline {pipeline}:"), *found));
    let latencies = summary.latency_ms.map(|found| ("latency".to_owned(), found)).into_iter();
    lines.extend(latencies.chain(by_pipeline).map(|(what, found)| {
        let [p50, p95, p99] = [found.p50, found.p95, found.p99].map(|millis| millis / 1000.0);
        format!("{what} p50 {p50:.1} s, p95 {p95:.1} s, p99 {p99:.1} s over {}", found.n)
    }));
    lines.extend(cost_lines(summary));
    lines.extend(anchor_line(summary));
    lines
}

pub(super) fn cost_lines(summary: &RunSummary) -> Vec<String> {
    let cost = &summary.cost;
    let mut line = format!(
        "cost ${} (agent ${}, judge ${})",
        cost.total_usd.normalize(),
        cost.agent_usd.normalize(),
        cost.judge_usd.normalize()
    );
    if cost.unknown > 0 {
        let _ = write!(line, ", {} of unknown price not counted", cost.unknown);
    }
    if let Some(budget) = cost.budget_usd {
        let _ = write!(line, ", budget ${}", budget.normalize());
    }
    let _ = write!(line, "; ${} in seven days", cost.week_usd.normalize());
    let mut lines = vec![line];
    if cost.week_alert {
        lines.push("ALERT: more than $100 in seven days".to_owned());
    }
    lines
}

pub(super) fn anchor_line(summary: &RunSummary) -> Option<String> {
    let anchors = summary.anchors.as_ref()?;
    let mut line = format!("anchors of the judge: {} labelled answers", anchors.n);
    if let Some(agreement) = anchors.agreement {
        let _ = write!(line, ", agreement {}", per_cent(agreement));
    }
    if anchors.unscored > 0 {
        let _ = write!(line, ", {} unscored", anchors.unscored);
    }
    match (&anchors.compared_with, anchors.drifted, anchors.distance) {
        (Some(run), Some(drifted), Some(distance)) => {
            let word = if drifted { "the JUDGE HAS DRIFTED" } else { "no drift of the judge" };
            let _ = write!(line, "; {word} since run {run} ({distance:.2} points of 5)");
        }
        (Some(run), ..) => {
            let _ = write!(line, "; too few are scored to compare with run {run}");
        }
        (None, ..) => line.push_str("; no earlier run of this judge to compare with"),
    }
    if let Some(cause) = &anchors.score_change_from {
        let _ = write!(line, "; the score changed because of the {cause}");
    }
    Some(line)
}

/// Questions that a person should look at, a line a kind.
fn attention(summary: &RunSummary) -> Vec<String> {
    let mut lines = Vec::new();
    let ids = |ids: &[String]| first_ids(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    for (kind, questions) in &summary.findings {
        lines.push(format!("{}: {} ({})", kind.replace('_', " "), questions.len(), ids(questions)));
    }
    if !summary.unstable.is_empty() {
        lines.push(format!(
            "unstable, the judge's repeats straddle the threshold: {}",
            ids(&summary.unstable)
        ));
    }
    let keys = |map: &std::collections::BTreeMap<String, String>| map.keys().cloned().collect::<Vec<_>>();
    if let Some((id, why)) = summary.judge_failures.iter().next() {
        let failed = keys(&summary.judge_failures);
        lines.push(format!("the judge failed where it was needed: {}; Q{id}: {why}", ids(&failed)));
    }
    for (id, disagreement) in summary.disagreements.iter().take(5) {
        lines.push(format!("Q{id}: {disagreement}; the rules stand"));
    }
    if summary.disagreements.len() > 5 {
        lines.push(format!("and {} more such disagreements", summary.disagreements.len() - 5));
    }
    if !summary.unknown_trace_keys.is_empty() {
        let keys = summary.unknown_trace_keys.join(", ");
        lines.push(format!("keys of traces that no reader knows: {keys}"));
    }
    for one in &summary.unreadable {
        lines.push(format!("Q{} was not asked, its truth cannot be read: {}", one.question_id, one.why));
    }
    lines
}

pub(super) fn verdict(summary: &RunSummary) -> String {
    let of = |verdict: CaseVerdict| summary.counts.get(&verdict).copied().unwrap_or(0);
    let counts: Vec<String> =
        CaseVerdict::ALL.map(|verdict| format!("{} {}", of(verdict), verdict.name())).to_vec();
    let mut text =
        format!("{} of {}: {}", counts_sum(summary), count(summary.planned, "question"), counts.join(", "));
    if let Some(gate) = &summary.gate {
        let word = if gate.passed { "passed" } else { "FAILED" };
        let _ = write!(text, "\ngate of {} {word}: {}", per_cent(gate.min_pass_rate), gate.note);
    }
    let _ = write!(text, "\n{}", exit_line(summary.exit_code, &summary.exit_reason));
    text
}

/// An exit code with its reason, as every result ends.
#[must_use]
pub fn exit_line(code: u8, reason: &str) -> String {
    format!("exit code {code}: {reason}")
}

/// What stands beside the questions in a JUnit report: the verdict, and each target with what was found.
#[must_use]
pub fn properties(summary: &RunSummary) -> Vec<(&'static str, String)> {
    let exit = exit_line(summary.exit_code, &summary.exit_reason);
    let of_target = |target: &Target| {
        let value = target.value.map_or_else(|| "–".to_owned(), |value| shown(target, value));
        (target.name, format!("{value} of {} over {}: {}", target.target, target.n, target.state.words()))
    };
    std::iter::once(("verdict", exit)).chain(summary.targets.iter().map(of_target)).collect()
}

fn counts_sum(summary: &RunSummary) -> u64 {
    summary.counts.values().sum()
}

/// A run on a terminal.
#[must_use]
pub fn text(summary: &RunSummary, colours: bool) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "run {}", summary.run);
    text.push_str(&table(&GROUP_HEAD, group_rows(&summary.categories)));
    text.push_str(&table(&TARGET_HEAD, target_rows(summary)));
    for line in lines(summary).into_iter().chain(attention(summary)) {
        let _ = writeln!(text, "{line}");
    }
    let verdict = verdict(summary);
    let colour = match summary.exit_code {
        0 => 32,
        3 => 33,
        _ => 31,
    };
    let _ = writeln!(text, "{}", if colours { painted(verdict, colour) } else { verdict });
    text
}

/// A run as a Markdown report.
#[must_use]
pub fn markdown(summary: &RunSummary, questions: &[QuestionRecord]) -> String {
    let mut text = format!("# Evaluation run {}\n\n", summary.run);
    let _ = writeln!(text, "{}\n", verdict(summary).replace('\n', "  \n"));
    for line in lines(summary) {
        let _ = writeln!(text, "- {line}");
    }
    let mut section = |title: &str, body: String| {
        let _ = writeln!(text, "\n## {title}\n\n{body}");
    };
    section("Targets", markdown_table(&TARGET_HEAD, target_rows(summary)));
    if !summary.dimensions.is_empty() {
        let row = |(name, score): (&String, &Score5)| {
            let ends = score.low.zip(score.high).map(|(low, high)| format!("{low:.2} to {high:.2}"));
            vec![name.clone(), format!("{:.2}", score.mean), ends.unwrap_or_default(), score.n.to_string()]
        };
        let rows: Vec<_> = summary.dimensions.iter().map(row).collect();
        section("Dimensions", markdown_table(&["dimension", "mean of 5", "95 % interval", "n"], rows));
    }
    for (title, groups) in [
        ("Categories", &summary.categories),
        ("Difficulty", &summary.difficulties),
        ("Kinds of queries", &summary.query_types),
        ("Sources of the truth", &summary.source_methods),
    ] {
        section(title, markdown_table(&GROUP_HEAD, group_rows(groups)));
    }
    if !summary.node_latency_ms.is_empty() {
        let row = |(name, found): (&String, &crate::scoring::stats::Percentiles)| {
            let shown = |value: f64| format!("{value:.0}");
            vec![name.clone(), shown(found.p50), shown(found.p95), shown(found.p99), found.n.to_string()]
        };
        let rows: Vec<_> = summary.node_latency_ms.iter().map(row).collect();
        section(
            "Latency by node, in milliseconds",
            markdown_table(&["node", "p50", "p95", "p99", "n"], rows),
        );
    }
    let attention = attention(summary);
    if !attention.is_empty() {
        section("To look at", attention.iter().map(|line| format!("- {line}\n")).collect());
    }
    let row = |record: &QuestionRecord| {
        let scored = record.scored.as_ref()?;
        (scored.verdict != CaseVerdict::Pass).then(|| {
            let id = record.question.question_id.to_string();
            vec![id, scored.verdict.name().to_owned(), record.question.text.clone(), scored.reason.clone()]
        })
    };
    let rows: Vec<_> = questions.iter().filter_map(row).collect();
    if !rows.is_empty() {
        section("Questions that did not pass", markdown_table(&["id", "verdict", "question", "why"], rows));
    }
    text
}

/// The runs, the oldest first.
#[must_use]
pub fn list(names: &[String], history: &[HistoryLine]) -> String {
    let row = |name: &String| {
        let line = history.iter().rev().find(|line| line.run == *name);
        let rate = line.and_then(|line| line.pass_rate).map_or_else(|| "–".to_owned(), per_cent);
        let state = match line {
            Some(line) if line.complete => "complete",
            Some(_) => "partial",
            None => "not ended",
        };
        let questions = line.map_or_else(String::new, |line| line.questions.to_string());
        let agent = line.map(|line| line.agent_model.clone()).unwrap_or_default();
        vec![name.clone(), state.to_owned(), questions, rate, agent]
    };
    let rows: Vec<_> = names.iter().map(row).collect();
    table(&["run", "", "questions", "pass rate", "agent"], rows)
}

/// What kinds of runs cost.
#[must_use]
pub fn costs(rows: &[CostRow], spend: &Spend) -> String {
    let dollars = |price: Option<rust_decimal::Decimal>| {
        price.map_or_else(|| "unknown".to_owned(), |price| format!("${price:.2}"))
    };
    let row = |row: &CostRow| {
        let cost = &row.cost;
        vec![
            row.name.clone(),
            row.questions.to_string(),
            dollars(cost.agent),
            dollars(cost.judge),
            dollars(cost.total),
        ]
    };
    let mut text = table(&["kind of run", "questions", "agent", "judge", "total"], rows.iter().map(row));
    let _ = writeln!(
        text,
        "spent in seven days: ${} in {}; all runs: ${}",
        spend.week.dollars.normalize(),
        count(spend.week.runs, "run"),
        spend.total_usd.normalize()
    );
    if spend.week.alert {
        let _ = writeln!(text, "ALERT: more than ${WEEKLY_ALERT} in seven days");
    }
    text
}
