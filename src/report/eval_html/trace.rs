//! How the agent went about a question: its nodes as a waterfall, each within the one that it ran in, and the tools that it called.

use std::fmt::Write as _;

use super::super::chart::bar;
use super::super::html::escape;
use super::facts::time;
use super::{Detail, clip, more};
use crate::agent::{ExecutionTrace, NodeTrace, TokenUsage};
use crate::scoring::tools::ToolCall;

/// Deeper nodes stand as far in as these.
const MAX_DEPTH: usize = 6;

pub(super) fn html(out: &mut String, trace: &ExecutionTrace, detail: Detail) {
    let mut facts: Vec<String> = Vec::new();
    if trace.total_duration_ms > 0 {
        facts.push(time(trace.total_duration_ms as f64));
    }
    facts.extend(trace.usage.map(tokens));
    let _ = write!(out, "<h4>Trace</h4><p class=\"soft\">{}</p>", escape(&facts.join(" · ")));
    if let Some(error) = &trace.error {
        let _ = write!(out, "<p class=\"note\">{}</p>", clip(error, detail.text));
    }
    waterfall(out, trace, detail);
    calls(out, trace, detail);
    if let Some(sql) = &trace.pipeline_sql {
        let _ = write!(out, "<pre>{}</pre>", clip(sql, detail.text));
    }
    if !trace.unknown_keys.is_empty() {
        let keys: Vec<&str> = trace.unknown_keys.iter().take(detail.rows).map(String::as_str).collect();
        let _ = write!(
            out,
            "<p class=\"soft\">keys that are not read: {}</p>",
            clip(&keys.join(", "), detail.text)
        );
    }
}

fn tokens(usage: TokenUsage) -> String {
    format!("{} + {} tokens", usage.input_tokens, usage.output_tokens)
}

fn waterfall(out: &mut String, trace: &ExecutionTrace, detail: Detail) {
    let nodes = &trace.node_traces;
    if nodes.is_empty() {
        if !trace.node_sequence.is_empty() {
            let nodes: Vec<&str> = trace.node_sequence.iter().take(detail.rows).map(String::as_str).collect();
            let _ = write!(out, "<p class=\"soft\">nodes: {}</p>", clip(&nodes.join(" → "), detail.text));
        }
        return;
    }
    let starts = nodes.iter().map(|node| node.start_time).fold(f64::INFINITY, f64::min);
    let ends = nodes.iter().map(end).fold(trace.total_duration_ms as f64 / 1000.0, f64::max);
    let from = starts.min(0.0);
    let whole = (ends - from).max(1e-9);
    out.push_str("<table class=\"trace\"><tr><th>node<th>time<th class=\"n\">took<th>tokens, model</tr>\n");
    for (node, depth) in nested(nodes).into_iter().take(detail.rows) {
        let (chart, took) = if node.is_timed() {
            let chart = bar((node.start_time - from) / whole, (end(node) - from) / whole);
            (chart, time(node.duration_ms as f64))
        } else {
            (String::new(), "–".to_owned())
        };
        let of_model: Vec<String> = node.usage.map(tokens).into_iter().chain(node.model.clone()).collect();
        let _ = writeln!(
            out,
            "<tr><td class=\"d{depth}\">{}<td>{chart}<td class=\"n\">{took}<td>{}",
            clip(&node.node_name, detail.text),
            clip(&of_model.join(", "), detail.text)
        );
    }
    out.push_str("</table>");
    more(out, nodes.len(), detail, "nodes");
}

/// When a node ended; some records say only how long it took.
fn end(node: &NodeTrace) -> f64 {
    node.end_time.max(node.start_time + node.duration_ms as f64 / 1000.0)
}

/// The nodes with their depth, each after the one that it ran within, in the order of the record. A node whose parent is not there,
/// or that is its own ancestor, stands at the outside.
fn nested(nodes: &[NodeTrace]) -> Vec<(&NodeTrace, usize)> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (node, at) in nodes.iter().zip(0..) {
        match node.parent.filter(|parent| *parent != at).and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(at),
            None => roots.push(at),
        }
    }
    let mut seen = vec![false; nodes.len()];
    let mut found = Vec::with_capacity(nodes.len());
    // what a circle holds is reached from no root
    for root in roots.into_iter().chain(0..nodes.len()) {
        let mut left = vec![(root, 0)];
        while let Some((at, depth)) = left.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            found.push((&nodes[at], depth.min(MAX_DEPTH)));
            left.extend(children[at].iter().rev().map(|child| (*child, depth + 1)));
        }
    }
    found
}

fn calls(out: &mut String, trace: &ExecutionTrace, detail: Detail) {
    let named = || trace.tool_calls.iter().map(|name| ToolCall::named(name)).collect();
    let calls: Vec<ToolCall> = trace.calls.clone().unwrap_or_else(named);
    if calls.is_empty() {
        out.push_str("<p class=\"soft\">no tool was called</p>");
        return;
    }
    out.push_str("<ol class=\"calls\">");
    for call in calls.iter().take(detail.rows) {
        let arguments = if call.arguments.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&call.arguments).unwrap_or_default()
        };
        let failed = if call.failed == Some(true) { " <b>failed</b>" } else { "" };
        let budget = call.budget.map_or_else(String::new, |left| format!(" budget {left}"));
        let _ = write!(
            out,
            "<li><code>{}</code>{failed}{budget} <small>{}</small>",
            clip(&call.name, detail.text),
            clip(&arguments, detail.text)
        );
    }
    out.push_str("</ol>");
    more(out, calls.len(), detail, "calls");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stand_within_their_parents_and_circles_lose_none() {
        let node =
            |name: &str, parent| NodeTrace { node_name: name.to_owned(), parent, ..NodeTrace::default() };
        let names = |nodes: &[NodeTrace]| -> Vec<(String, usize)> {
            nested(nodes).into_iter().map(|(node, depth)| (node.node_name.clone(), depth)).collect()
        };
        let due = |due: &[(&str, usize)]| -> Vec<(String, usize)> {
            due.iter().map(|(name, depth)| ((*name).to_owned(), *depth)).collect()
        };
        let nodes =
            [node("inner", Some(1)), node("agent", None), node("late", Some(1)), node("deep", Some(0))];
        assert_eq!(names(&nodes), due(&[("agent", 0), ("inner", 1), ("deep", 2), ("late", 1)]));
        let circle = [node("a", Some(1)), node("b", Some(0)), node("own", Some(2)), node("lost", Some(99))];
        assert_eq!(names(&circle), due(&[("own", 0), ("lost", 0), ("a", 0), ("b", 1)]));
    }
}
