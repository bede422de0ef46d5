//! How the agent worked in a run: routes and tools, latency, and cost.

use super::super::chart::{Chart, Gauge};
use super::super::doc::clip;
use super::super::words::{count, per_cent};
use super::super::{Body, Table, Text};
use super::shown::{rate, time, words};
use crate::row;
use crate::scoring::stats::Percentiles;
use crate::words::spaced;
use crate::workflow::evaluate::{AnchorReport, RunCost, RunSummary};

/// Maximum bytes of a name, and rows of a table. Agents name their tools and nodes freely.
const MAX_NAME: usize = 200;
const MAX_ROWS: usize = 100;

pub(super) fn sections(body: &mut Body, summary: &RunSummary) {
    body.section("Routes and tools", |body| routes(body, summary));
    body.section("Latency", |body| latency(body, summary));
    body.section("Cost", |body| {
        body.line(cost_line(&summary.cost));
        if let Some(anchors) = &summary.anchors {
            body.line(anchor_line(anchors));
        }
    });
}

/// The cost of a run. If answers state no cost, the price list gives an assumed one.
fn cost_line(cost: &RunCost) -> String {
    let answers = cost.agent_usd.map_or_else(|| "unknown".to_owned(), |usd| format!("${}", usd.normalize()));
    let assumed =
        (cost.assumed > 0).then(|| format!(", {} of them assumed from the price list", cost.assumed));
    let mut line = format!(
        "cost of answers {answers}{}; judge ${}; spent by this run ${}",
        assumed.unwrap_or_default(),
        cost.judge_usd.normalize(),
        cost.total_usd.normalize()
    );
    if cost.unknown > 0 {
        line += &format!(", {} of unknown price not counted", cost.unknown);
    }
    if let Some(budget) = cost.budget_usd {
        line += &format!(", budget ${}", budget.normalize());
    }
    line + &format!("; ${} in seven days", cost.week_usd.normalize())
}

fn routes(body: &mut Body, summary: &RunSummary) {
    let routes = &summary.trajectories;
    if routes.n > 0 {
        let verdicts: Vec<String> =
            routes.verdicts.iter().map(|(verdict, count)| format!("{} {count}", words(verdict))).collect();
        body.line(format!(
            "routes: {}, strict {}; by verdict: {}",
            rate(summary.trajectory_rate),
            per_cent(routes.strict_rate.unwrap_or_default()),
            verdicts.join(", ")
        ));
    }
    if let Some(found) = &summary.tool_selection {
        let (mean, answers) = (per_cent(found.mean), count(found.n, "answer"));
        body.line(format!("tool calls match the expected ones by {mean}, over {answers}"));
    }
    let most = summary.tools.values().max().copied().unwrap_or(1).max(1) as f64;
    let cells = |(name, calls): (&String, &u64)| {
        let bar = Chart::bar(0.0, *calls as f64 / most);
        row![Text { code: true, ..clip(name, MAX_NAME) }, Text::from(*calls).with(bar)]
    };
    let tools = summary.tools.iter().take(MAX_ROWS).map(cells);
    body.table(Table::new(&["tool", "calls"]).rows(tools));
}

fn latency(body: &mut Body, summary: &RunSummary) {
    let of_pipeline = summary.pipeline_latency_ms.iter();
    let pipelines = of_pipeline.map(|(pipeline, found)| (format!("pipeline {pipeline}"), found));
    let of_node = summary.node_latency_ms.iter().take(MAX_ROWS);
    let nodes = of_node.map(|(name, found)| (format!("node {}", spaced(name)), found));
    let whole = summary.latency_ms.iter().map(|found| ("question to answer".to_owned(), found));
    let rows: Vec<(String, &Percentiles)> = whole.chain(pipelines).chain(nodes).collect();
    let longest = rows.iter().map(|(_, found)| found.p99).fold(1.0, f64::max);
    let cells = |(name, found): &(String, &Percentiles)| {
        let label = format!("{name}: half within {}, 95 % within {}", time(found.p50), time(found.p95));
        let gauge = Gauge {
            scale: (0.0, longest),
            value: found.p99,
            interval: Some((found.p50, found.p95)),
            ..Gauge::default()
        };
        let p99 = Text::from(time(found.p99)).with(gauge.chart(label));
        row![clip(name, MAX_NAME), found.n, time(found.p50), time(found.p95), p99]
    };
    body.table(Table::new(&["", ">n", ">p50", ">p95", "p99"]).rows(rows.iter().map(cells)));
}

/// One line on the judge's anchors.
pub(super) fn anchor_line(anchors: &AnchorReport) -> String {
    let mut line = format!("anchors of the judge: {}", count(anchors.n, "labelled answer"));
    if let Some(agreement) = anchors.agreement {
        line += &format!(", agreement {}", per_cent(agreement));
    }
    if anchors.unscored > 0 {
        line += &format!(", {} unscored", anchors.unscored);
    }
    line += &match (&anchors.compared_with, anchors.drifted, anchors.distance) {
        (Some(run), Some(drifted), Some(distance)) => {
            let word = if drifted { "the JUDGE HAS DRIFTED" } else { "no drift of the judge" };
            format!("; {word} since run {run} ({distance:.2} points of 5)")
        }
        (Some(run), ..) => format!("; too few scores to compare with run {run}"),
        (None, ..) => "; no earlier run of this judge to compare with".to_owned(),
    };
    if let Some(cause) = &anchors.score_change_from {
        line += &format!("; the score change comes from the {cause}");
    }
    line
}
