//! The plain format: the trace as in evaluation strategy 5.1, or only the tool calls.

use serde_json::{Value, json};

use super::execution::{ExecutionTrace, NodeTrace};
use super::keys::{Fields, Place, Unknown};
use crate::scoring::tools::parse_trajectory;
use crate::token_usage::TokenUsage;

static RECORD: Place = Place {
    path: "",
    keys: &[
        ("question_id", "the question, as text or number"),
        ("tool_calls", "the called tools, in order: names or calls"),
        ("calls", "the same with arguments, failures and budget"),
        ("trajectory", "same as `tool_calls`"),
        ("node_sequence", "node names, in the order in which they finished"),
        ("node_traces", "timings of the nodes"),
        ("graphql_classification", "the classification of the question"),
        ("graphql_entities", "entities found in the question"),
        ("graphql_resolved_params", "resolved ids of the entities"),
        ("atlas_links", "links to pages of the Atlas: addresses, or objects with `url`"),
        ("url", "one link"),
        ("atlas_url", "one link"),
        ("pipeline_sql", "the executed SQL"),
        ("total_duration_ms", "from question to answer, in milliseconds"),
        ("error", "the error"),
        ("usage", "tokens of the whole run"),
        ("cost_usd", "the cost in US dollars"),
        ("unknown_keys", "keys unknown when the trace was written"),
    ],
    unused: &[],
};

static NODE: Place = Place {
    path: "node_traces[].",
    keys: &[
        ("node_name", "its name"),
        ("start_time", "seconds since the question was sent"),
        ("end_time", "the same"),
        ("duration_ms", "milliseconds"),
        ("llm_time_ms", "the part spent waiting for models"),
        ("io_time_ms", "the part spent waiting for data"),
        ("parent", "index in the list of the enclosing node"),
        ("model", "the model"),
        ("usage", "tokens of its model calls"),
    ],
    unused: &[],
};

static USAGE: Place = Place {
    path: "usage.",
    keys: &[("input_tokens", "tokens sent"), ("output_tokens", "tokens received")],
    unused: &[],
};

/// The keys of this format.
#[cfg(test)]
pub(super) static PLACES: &[&Place] = &[&RECORD, &NODE, &USAGE];

/// Any of these keys marks a plain record.
pub(super) const MARKS: &[&str] = &[
    "tool_calls",
    "calls",
    "trajectory",
    "node_sequence",
    "node_traces",
    "graphql_classification",
    "graphql_entities",
    "graphql_resolved_params",
    "pipeline_sql",
    "total_duration_ms",
];

/// Whether a key is part of the plain format.
pub(super) fn knows(key: &str) -> bool {
    RECORD.keys.iter().any(|(known, _)| *known == key)
}

/// Parses an object of section 5.1, or a list of tool calls.
pub(super) fn read(value: &Value) -> Result<ExecutionTrace, String> {
    let wrapped;
    let value = if value.is_array() {
        wrapped = json!({ "tool_calls": value });
        &wrapped
    } else {
        value
    };
    let mut unknown = Unknown::new();
    let record = Fields::open(&RECORD, value, &mut unknown)?;
    let mut trace = ExecutionTrace {
        question_id: record.id("question_id")?.unwrap_or_default(),
        node_sequence: record.read("node_sequence")?.unwrap_or_default(),
        node_traces: record.read::<Vec<NodeTrace>>("node_traces")?.unwrap_or_default(),
        graphql_classification: record.get("graphql_classification").cloned(),
        graphql_entities: record.get("graphql_entities").cloned(),
        graphql_resolved_params: record.get("graphql_resolved_params").cloned(),
        atlas_links: record.list("atlas_links")?.to_vec(),
        pipeline_sql: record.text("pipeline_sql")?.map(str::to_owned),
        total_duration_ms: record.whole("total_duration_ms")?.unwrap_or_default(),
        error: record.text("error")?.map(str::to_owned),
        usage: record.read::<TokenUsage>("usage")?,
        cost_usd: record.read("cost_usd")?,
        ..ExecutionTrace::default()
    };
    for node in trace.node_traces.iter_mut().filter(|node| node.duration_ms == 0) {
        node.duration_ms = NodeTrace::between("", node.start_time, node.end_time).duration_ms;
    }
    for key in ["url", "atlas_url"] {
        trace.atlas_links.extend(record.text(key)?.map(|link| Value::String(link.to_owned())));
    }
    if let Some(calls) = ["calls", "tool_calls", "trajectory"].iter().find_map(|key| record.get(key)) {
        let made = parse_trajectory(calls)?;
        trace.tool_calls = made.names().map(str::to_owned).collect();
        trace.calls = Some(made.calls);
        unknown.extend(made.unknown_keys);
    }
    for node in record.list("node_traces")? {
        let node = Fields::open(&NODE, node, &mut unknown)?;
        node.get("usage").map(|usage| Fields::open(&USAGE, usage, &mut unknown)).transpose()?;
    }
    record.get("usage").map(|usage| Fields::open(&USAGE, usage, &mut unknown)).transpose()?;
    unknown.extend(record.read::<Vec<String>>("unknown_keys")?.unwrap_or_default());
    trace.unknown_keys = unknown.into_iter().collect();
    Ok(trace)
}
