//! A team's own run: one object per question, from `result.json` or the `results` of a
//! `summary.json`.

use serde_json::Value;

use super::execution::ExecutionTrace;
use super::keys::{Fields, Place, Unknown};
use super::turn::{NEVER_RAN, cost, counted, mark_rejected, times, tokens};
use crate::scoring::tools::ToolCall;

static RECORD: Place = Place {
    path: "",
    keys: &[
        ("question_id", "the question, as text or number"),
        ("tools_used", "the tools, if nothing states the number of calls"),
        ("tool_call_counts", "the tools with their number of calls, if there are no details"),
        ("tool_call_details", "the calls, in the order of `index`"),
        ("sql", "the executed SQL: text or a list"),
        ("duration_s", "from question to answer, in seconds"),
        ("error", "the error"),
        ("token_usage", "`total`: tokens of the whole run"),
        ("cost", "`total_cost_usd`"),
        ("step_timing", "runs of nodes: `node`, `wall_time_ms`, `llm_time_ms`, `io_time_ms`"),
        ("step_timing_summary", "the same by node, if there is no list"),
        ("graphql_classification", "the classification of the question"),
        ("graphql_api_target", "the queried API"),
        ("graphql_entity_extraction", "entities found in the question"),
        ("graphql_resolved_params", "resolved ids of the entities"),
        ("graphql_atlas_links", "links to pages of the Atlas"),
    ],
    unused: &[
        "agent_mode",
        "answer",
        "category",
        "difficulty",
        "graphql_call_history",
        "question",
        "question_text",
        "reasoning_traces",
        "sql_call_history",
        "status",
        "timestamp",
    ],
};

static DETAIL: Place = Place {
    path: "tool_call_details[].",
    keys: &[
        ("index", "its place"),
        ("tool_name", "the tool"),
        ("arguments", "arguments"),
        ("result_content", "the result: a call that the server did not make is skipped"),
        ("pipeline_metadata", "`is_rejected`, `success`, `error`: whether it failed"),
    ],
    unused: &[],
};

/// The keys of this format.
#[cfg(test)]
pub(super) static PLACES: &[&Place] = &[&RECORD, &DETAIL];

/// Any of these keys marks a result.
pub(crate) const MARKS: &[&str] = &[
    "tools_used",
    "tool_call_counts",
    "tool_call_details",
    "step_timing_summary",
    "duration_s",
    "agent_mode",
];

/// Whether an object is a result.
pub(crate) fn is_result(object: &serde_json::Map<String, Value>) -> bool {
    MARKS.iter().any(|key| object.contains_key(*key))
}

/// Parses a result.
pub(super) fn read(value: &Value) -> Result<ExecutionTrace, String> {
    let mut unknown = Unknown::new();
    let record = Fields::open(&RECORD, value, &mut unknown)?;
    let mut trace = ExecutionTrace {
        question_id: record.id("question_id")?.unwrap_or_default(),
        graphql_classification: filled(record.get("graphql_classification")),
        graphql_entities: filled(record.get("graphql_entity_extraction")),
        graphql_resolved_params: filled(record.get("graphql_resolved_params")),
        atlas_links: record.list("graphql_atlas_links")?.to_vec(),
        pipeline_sql: sql(record.get("sql")),
        total_duration_ms: record
            .get("duration_s")
            .and_then(Value::as_f64)
            .map_or(0, |seconds| (seconds.max(0.0) * 1000.0).round() as u64),
        error: record.text("error")?.map(str::to_owned),
        usage: tokens(value),
        cost_usd: cost(value),
        calls: calls(&record, &mut unknown)?,
        ..ExecutionTrace::default()
    };
    if let (Some(Value::Object(classified)), Some(target)) =
        (&mut trace.graphql_classification, record.get("graphql_api_target"))
    {
        classified.entry("api_target").or_insert_with(|| target.clone());
    }
    let timing = record.get("step_timing").or_else(|| record.get("step_timing_summary"));
    if let Some(timing) = timing {
        times(timing.get("by_node").unwrap_or(timing), &mut trace);
    }
    mark_rejected(&mut trace);
    trace.tool_calls = trace.calls.iter().flatten().map(|call| call.name.clone()).collect();
    trace.unknown_keys = unknown.into_iter().collect();
    Ok(trace)
}

/// The calls; none if the record does not list them.
fn calls(record: &Fields<'_>, unknown: &mut Unknown) -> Result<Option<Vec<ToolCall>>, String> {
    let mut listed: Vec<(u64, ToolCall)> = Vec::new();
    let details = record.list("tool_call_details")?;
    for (place, detail) in details.iter().enumerate() {
        let detail = Fields::open(&DETAIL, detail, unknown)?;
        let result = super::message_text(detail.get("result_content"));
        let Some(name) = detail.text("tool_name")?.filter(|_| !result.contains(NEVER_RAN)) else { continue };
        let meta = |key: &str| detail.get("pipeline_metadata").and_then(|meta| meta.get(key));
        let says = |key: &str| meta(key).and_then(Value::as_bool);
        let failed = says("is_rejected")
            .filter(|rejected| *rejected)
            .or_else(|| says("success").map(|success| !success))
            .or_else(|| meta("error").filter(|error| !error.is_null()).map(|_| true));
        let arguments = match detail.get("arguments") {
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_default(),
            _ => serde_json::Map::new(),
        };
        let at = detail.whole("index")?.unwrap_or(place as u64);
        listed.push((at, ToolCall { arguments, failed, ..ToolCall::named(name) }));
    }
    if !details.is_empty() {
        listed.sort_by_key(|(at, _)| *at);
        return Ok(Some(listed.into_iter().map(|(_, call)| call).collect()));
    }
    let counts = record.get("tool_call_counts").and_then(Value::as_object).map(counted);
    let used = record.list("tools_used")?.iter().filter_map(Value::as_str);
    let counts = counts.or_else(|| {
        record.get("tools_used")?;
        Some(used.map(|tool| (tool.to_owned(), 1)).collect())
    });
    let repeated = |(tool, count): (String, usize)| std::iter::repeat_n(ToolCall::named(&tool), count);
    Ok(counts.map(|counts| counts.into_iter().flat_map(repeated).collect()))
}

/// A value that is not empty.
fn filled(value: Option<&Value>) -> Option<Value> {
    let is_empty = |value: &&Value| value.as_object().is_some_and(serde_json::Map::is_empty);
    value.filter(|value| !is_empty(value)).cloned()
}

/// The executed statements.
fn sql(value: Option<&Value>) -> Option<String> {
    let statements: Vec<&str> = match value? {
        Value::String(text) => vec![text],
        Value::Array(list) => {
            list.iter().filter_map(|one| one.as_str().or_else(|| one.get("sql")?.as_str())).collect()
        }
        _ => Vec::new(),
    };
    let statements: Vec<&str> = statements.into_iter().filter(|text| !text.trim().is_empty()).collect();
    (!statements.is_empty()).then(|| statements.join(";\n"))
}
