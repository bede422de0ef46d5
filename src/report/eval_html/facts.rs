//! How the agent worked in a run: routes and tools, latency, cost, and the anchors of the judge.

use std::fmt::Write as _;

use super::super::chart::{Gauge, bar, gauge};
use super::super::eval::{anchor_line, cost_lines, rate};
use super::super::html::escape;
use super::super::words::per_cent;
use super::{clip, spaced, words};
use crate::scoring::stats::Percentiles;
use crate::workflow::evaluate::RunSummary;

/// Bytes of a name, and rows of a table: what an agent calls its tools and nodes may be anything.
const MAX_NAME: usize = 200;
const MAX_ROWS: usize = 100;

pub(super) fn html(out: &mut String, summary: &RunSummary) {
    routes(out, summary);
    latency(out, summary);
    out.push_str("<section>\n<h2>Cost</h2>\n");
    let judge = anchor_line(summary).into_iter();
    for line in cost_lines(summary).into_iter().chain(judge) {
        let _ = writeln!(out, "<p>{}</p>", escape(&line));
    }
    out.push_str("</section>\n");
}

fn routes(out: &mut String, summary: &RunSummary) {
    let routes = &summary.trajectories;
    if routes.n == 0 && summary.tools.is_empty() {
        return;
    }
    out.push_str("<section>\n<h2>Routes and tools</h2>\n");
    if routes.n > 0 {
        let verdicts: Vec<String> =
            routes.verdicts.iter().map(|(verdict, count)| format!("{} {count}", words(verdict))).collect();
        let _ = writeln!(
            out,
            "<p>Right or acceptable routes: {}. Strictly right: {}. By verdict: {}.</p>",
            escape(&rate(summary.trajectory_rate)),
            per_cent(routes.strict_rate.unwrap_or_default()),
            escape(&verdicts.join(", "))
        );
    }
    if let Some(found) = &summary.tool_selection {
        let _ = writeln!(
            out,
            "<p>Called tools are {} like the expected ones, over {} answers.</p>",
            per_cent(found.mean),
            found.n
        );
    }
    let most = summary.tools.values().max().copied().unwrap_or(1).max(1) as f64;
    if !summary.tools.is_empty() {
        out.push_str("<table class=\"groups\"><thead><tr><th>tool</th><th class=\"n\">calls</th><th></th></tr></thead><tbody>\n");
        for (name, calls) in summary.tools.iter().take(MAX_ROWS) {
            let _ = writeln!(
                out,
                "<tr><th scope=\"row\"><code>{}</code></th><td class=\"n\" data-head=\"calls\">{calls}</td><td class=\"chart\">{}</td></tr>",
                clip(name, MAX_NAME),
                bar(0.0, *calls as f64 / most)
            );
        }
        out.push_str("</tbody></table>\n");
    }
    out.push_str("</section>\n");
}

fn latency(out: &mut String, summary: &RunSummary) {
    if summary.latency_ms.is_none() && summary.node_latency_ms.is_empty() {
        return;
    }
    out.push_str(
        "<section>\n<h2>Latency</h2>\n<table class=\"groups\"><thead><tr><th></th><th class=\"n\">n</th><th class=\"n\">p50</th>\
         <th class=\"n\">p95</th><th class=\"n\">p99</th><th></th></tr></thead><tbody>\n",
    );
    let pipelines =
        summary.pipeline_latency_ms.iter().map(|(pipeline, found)| (format!("pipeline {pipeline}"), found));
    let nodes = summary
        .node_latency_ms
        .iter()
        .take(MAX_ROWS)
        .map(|(name, found)| (format!("node {}", spaced(name)), found));
    let rows: Vec<(String, &Percentiles)> = summary
        .latency_ms
        .iter()
        .map(|found| ("question to answer".to_owned(), found))
        .chain(pipelines)
        .chain(nodes)
        .collect();
    let longest = rows.iter().map(|(_, found)| found.p99).fold(1.0, f64::max);
    for (name, found) in rows {
        let label = format!("{name}: half within {}, 95 % within {}", time(found.p50), time(found.p95));
        let chart = Gauge {
            scale: (0.0, longest),
            value: found.p99,
            interval: Some((found.p50, found.p95)),
            limit: None,
            baseline: None,
            label: &label,
        };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"n\" data-head=\"n\">{}</td><td class=\"n\" data-head=\"p50\">{}</td>\
             <td class=\"n\" data-head=\"p95\">{}</td><td class=\"n\" data-head=\"p99\">{}</td><td class=\"chart\">{}</td></tr>",
            clip(&name, MAX_NAME),
            found.n,
            time(found.p50),
            time(found.p95),
            time(found.p99),
            gauge(chart)
        );
    }
    out.push_str("</tbody></table>\n<p class=\"soft\">Band: from p50 to p95. Line: p99. A node that contains others includes their time.</p>\n</section>\n");
}

/// Milliseconds for a person.
pub(super) fn time(millis: f64) -> String {
    if millis < 1000.0 { format!("{millis:.0} ms") } else { format!("{:.1} s", millis / 1000.0) }
}
