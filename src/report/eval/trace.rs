//! The agent's trace of a question: its nodes as a waterfall, nested by parent, and its tool calls.

use super::super::chart::Chart;
use super::super::doc::clip;
use super::super::{Body, Table, Text, Tone};
use super::shown::time;
use crate::agent::{ExecutionTrace, NodeTrace, TokenUsage};
use crate::row;
use crate::scoring::tools::ToolCall;

/// How much detail a question shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detail {
    /// Maximum bytes of a text.
    pub text: usize,
    /// Maximum rows of a table or list.
    pub rows: usize,
    /// Whether passed answers show traces and judgements.
    pub of_passed: bool,
}

/// Levels of detail, from everything a person can read to what fits a page of very many questions.
pub(super) const DETAILS: [Detail; 5] = [
    Detail { text: 20_000, rows: 200, of_passed: true },
    Detail { text: 4_000, rows: 50, of_passed: true },
    Detail { text: 1_000, rows: 20, of_passed: true },
    Detail { text: 600, rows: 12, of_passed: false },
    Detail { text: 200, rows: 5, of_passed: false },
];

/// The maximum indentation of nested nodes.
const MAX_DEPTH: usize = 6;

pub(super) fn section(body: &mut Body, trace: &ExecutionTrace, detail: Detail) {
    let mut facts: Vec<String> = Vec::new();
    if trace.total_duration_ms > 0 {
        facts.push(time(trace.total_duration_ms as f64));
    }
    facts.extend(trace.usage.map(tokens));
    if !facts.is_empty() {
        body.line(Text::muted(facts.join(" · ")));
    }
    if let Some(error) = &trace.error {
        body.note(vec![clip(error, detail.text)]);
    }
    waterfall(body, trace, detail);
    calls(body, trace, detail);
    if let Some(sql) = &trace.pipeline_sql {
        body.code(clip(sql, detail.text));
    }
    if !trace.unknown_keys.is_empty() {
        let keys: Vec<&str> = trace.unknown_keys.iter().take(detail.rows).map(String::as_str).collect();
        body.line(clip(&format!("unread keys: {}", keys.join(", ")), detail.text));
    }
}

fn tokens(usage: TokenUsage) -> String {
    format!("{} + {} tokens", usage.input_tokens, usage.output_tokens)
}

fn waterfall(body: &mut Body, trace: &ExecutionTrace, detail: Detail) {
    let nodes = &trace.node_traces;
    if nodes.is_empty() {
        if !trace.node_sequence.is_empty() {
            let nodes: Vec<&str> = trace.node_sequence.iter().take(detail.rows).map(String::as_str).collect();
            body.line(clip(&format!("nodes: {}", nodes.join(" → ")), detail.text));
        }
        return;
    }
    let starts = nodes.iter().map(|node| node.start_time).fold(f64::INFINITY, f64::min);
    let ends = nodes.iter().map(end).fold(trace.total_duration_ms as f64 / 1000.0, f64::max);
    let from = starts.min(0.0);
    let whole = (ends - from).max(1e-9);
    let cells = |(node, depth): (&NodeTrace, usize)| {
        let took = if node.is_timed() {
            let bar = Chart::bar((node.start_time - from) / whole, (end(node) - from) / whole);
            Text::from(time(node.duration_ms as f64)).with(bar)
        } else {
            Text::muted("–")
        };
        let of_model: Vec<String> = node.usage.map(tokens).into_iter().chain(node.model.clone()).collect();
        let name = format!("{}{}", "\u{2003}".repeat(depth), node.node_name);
        row![clip(&name, detail.text), took, clip(&of_model.join(", "), detail.text)]
    };
    let rows = nodes_with_depth(nodes).into_iter().take(detail.rows).map(cells);
    body.table(Table::new(&["node", "took", "tokens, model"]).rows(rows));
    body.more(nodes.len(), detail.rows, "nodes");
}

/// The end of a node. Some traces give only its duration.
fn end(node: &NodeTrace) -> f64 {
    node.end_time.max(node.start_time + node.duration_ms as f64 / 1000.0)
}

/// The nodes with their depth, each after its parent, in the order of the trace. A node without a
/// known parent, or that is its own ancestor, is a root.
fn nodes_with_depth(nodes: &[NodeTrace]) -> Vec<(&NodeTrace, usize)> {
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
    // nodes in a cycle have no root
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

fn calls(body: &mut Body, trace: &ExecutionTrace, detail: Detail) {
    let named = || trace.tool_calls.iter().map(|name| ToolCall::named(name)).collect();
    let calls: Vec<ToolCall> = trace.calls.clone().unwrap_or_else(named);
    if calls.is_empty() {
        return body.line(Text::muted("no tool was called"));
    }
    body.items(calls.iter().take(detail.rows).map(|call| {
        let arguments = match call.arguments.is_empty() {
            true => String::new(),
            false => serde_json::to_string(&call.arguments).unwrap_or_default(),
        };
        let failed = if call.failed == Some(true) { " failed" } else { "" };
        let budget = call.budget.map_or_else(String::new, |left| format!(" budget {left}"));
        row![
            Text { code: true, ..clip(&call.name, detail.text) },
            Text::toned(Tone::Bad, failed),
            format!("{budget} "),
            Text { tone: Tone::Muted, ..clip(&arguments, detail.text) }
        ]
    }));
    body.more(calls.len(), detail.rows, "calls");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stand_within_their_parents_and_circles_lose_none() {
        let node =
            |name: &str, parent| NodeTrace { node_name: name.to_owned(), parent, ..NodeTrace::default() };
        let names = |nodes: &[NodeTrace]| -> Vec<(String, usize)> {
            nodes_with_depth(nodes).into_iter().map(|(node, depth)| (node.node_name.clone(), depth)).collect()
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
