//! The plain form: the trace as evaluation strategy 5.1 lists it, or the tool calls alone.

use serde_json::{Value, json};

use super::keys::{Fields, Place, Unknown};
use super::{ExecutionTrace, NodeTrace, TokenUsage};
use crate::scoring::tools::parse_trajectory;

static RECORD: Place = Place {
    path: "",
    keys: &[
        ("question_id", "the question, a text or a number"),
        ("tool_calls", "the tools that were called, in order: names or calls"),
        ("calls", "the same with arguments, failures and budget"),
        ("trajectory", "as `tool_calls`"),
        ("node_sequence", "names of the nodes in the order in which they finished"),
        ("node_traces", "times of the nodes"),
        ("graphql_classification", "how the question was classified"),
        ("graphql_entities", "entities that were found in it"),
        ("graphql_resolved_params", "their ids"),
        ("atlas_links", "links to pages of the Atlas: addresses, or objects with `url`"),
        ("url", "one link"),
        ("atlas_url", "one link"),
        ("pipeline_sql", "the SQL that was run"),
        ("total_duration_ms", "from question to answer, in milliseconds"),
        ("error", "what went wrong"),
        ("usage", "tokens of the whole run"),
        ("cost_usd", "what it cost, in US dollars"),
        ("unknown_keys", "keys that were not read when the trace was made"),
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
        ("llm_time_ms", "how much of that it waited for models"),
        ("io_time_ms", "how much of that it waited for data"),
        ("parent", "position in the list, from 0, of the node that it ran within"),
        ("model", "the model that it called"),
        ("usage", "tokens of its model calls"),
    ],
    unused: &[],
};

static USAGE: Place = Place {
    path: "usage.",
    keys: &[("input_tokens", "tokens that were sent"), ("output_tokens", "tokens that came back")],
    unused: &[],
};

/// What is read.
#[cfg(test)]
pub(super) static PLACES: &[&Place] = &[&RECORD, &NODE, &USAGE];

/// A record with any of these is plain.
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

/// Whether a plain record may have the key.
pub(super) fn knows(key: &str) -> bool {
    RECORD.keys.iter().any(|(known, _)| *known == key)
}

/// Reads an object of section 5.1, or a list of tool calls.
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
