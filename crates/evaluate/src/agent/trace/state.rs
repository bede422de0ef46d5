//! The state of a LangGraph agent (`AtlasAgentState`): messages name the tools, channels the
//! pipeline steps, checkpoints or stream events the nodes.

use serde_json::{Value, json};

use super::execution::{ExecutionTrace, NodeTrace};
use super::keys::{Fields, Place, Unknown};
use super::turn::TurnReader;
use crate::scoring::tools::{ToolCall, parse_trajectory};
use crate::token_usage::TokenUsage;

static STATE: Place = Place {
    path: "",
    keys: &[
        ("values", "the state, if it comes as a snapshot; its keys may also be here directly"),
        ("messages", "the conversation; this run starts after the last message of a person"),
        ("question_id", "the question"),
        ("graphql_classification", "the classification of the question"),
        ("graphql_entity_extraction", "entities found in the question"),
        ("graphql_resolved_params", "resolved ids of the entities"),
        ("graphql_atlas_links", "links to pages of the Atlas"),
        ("pipeline_sql", "the executed SQL"),
        ("last_error", "the error"),
        ("token_usage", "tokens of every model call"),
        ("step_timing", "timings of the nodes, if neither `history` nor `events` has them"),
        ("history", "snapshots of all steps, newest or oldest first: node transitions and times"),
        ("events", "stream events, if there is no `history`"),
    ],
    unused: &[
        "config",
        "created_at",
        "docs_context",
        "docs_question",
        "docs_selected_files",
        "docs_synthesis",
        "graphql_api_target",
        "graphql_assessment",
        "graphql_call_history",
        "graphql_context",
        "graphql_execution_time_ms",
        "graphql_query",
        "graphql_question",
        "graphql_raw_response",
        "graphql_reasoning_trace",
        "graphql_surface_to_agent",
        "interrupts",
        "metadata",
        "next",
        "override_agent_mode",
        "override_direction",
        "override_mode",
        "override_schema",
        "parent_config",
        "pipeline_assessment",
        "pipeline_codes",
        "pipeline_context",
        "pipeline_execution_time_ms",
        "pipeline_products",
        "pipeline_question",
        "pipeline_reasoning_trace",
        "pipeline_result",
        "pipeline_result_columns",
        "pipeline_result_rows",
        "pipeline_sql_history",
        "pipeline_surface_to_agent",
        "pipeline_table_info",
        "queries_executed",
        "retry_count",
        "sql_call_history",
        "tasks",
        "turn_summaries",
    ],
};

static MESSAGE: Place = Place {
    path: "messages[].",
    keys: &[
        ("type", "`ai`, `tool`, `human`, `system`, `developer`; `constructor` if the message is in `kwargs`"),
        ("role", "the same: `assistant`, `tool`, `user`, `system`, `developer`"),
        ("kwargs", "the message, as LangChain serialises it"),
        ("id", "the class of the message, beside `kwargs`"),
        ("data", "the message, as LangChain's `messages_to_dict` writes it"),
        ("tool_calls", "calls of tools, in order"),
        ("tool_call_id", "the call that a tool message answers"),
        ("name", "the tool, in a tool message that answers no known call"),
        ("status", "`error`: the call failed; `success`: it did not"),
        ("usage_metadata", "tokens of the model call, if there is no `token_usage`"),
        (
            "additional_kwargs",
            "`tool_calls` of OpenAI if the message has none; `budget_remaining` after the call",
        ),
        ("artifact", "`budget_remaining` after the call: the budget before the next one"),
    ],
    unused: &["content", "example", "invalid_tool_calls", "lc", "response_metadata"],
};

static USAGE: Place = Place {
    path: "token_usage[].",
    keys: &[
        ("node", "the node that called the model"),
        ("model_name", "the model"),
        ("input_tokens", "tokens sent"),
        ("output_tokens", "tokens received"),
    ],
    unused: &["input_token_details", "output_token_details", "tool_pipeline", "total_tokens"],
};

static TIMING: Place = Place {
    path: "step_timing[].",
    keys: &[("node", "the node"), ("duration_ms", "milliseconds"), ("wall_time_ms", "the same")],
    unused: &["tool_pipeline"],
};

static STEP: Place = Place {
    path: "history[].",
    keys: &[
        ("metadata", "`step` orders the steps; the keys of `writes` are the nodes that ran in it"),
        ("next", "the nodes of the following step, if there is no `writes`"),
        ("created_at", "the end of the step"),
    ],
    unused: &["config", "interrupts", "parent_config", "tasks", "values"],
};

static EVENT: Place = Place {
    path: "events[].",
    keys: &[
        (
            "event",
            "`on_chain_start` and `on_chain_end` of a node; an event of Ask-Atlas's stream; others are ignored",
        ),
        ("name", "the node, if `metadata.langgraph_node` is the same"),
        ("metadata", "`langgraph_node`"),
        ("run_id", "matches an end to its start"),
        ("timestamp", "seconds, or a time such as 2026-03-01T10:00:00Z"),
        ("data", "the data of an Ask-Atlas stream event"),
    ],
    unused: &["parent_ids", "tags"],
};

/// The keys of this format.
#[cfg(test)]
pub(super) static PLACES: &[&Place] = &[&STATE, &MESSAGE, &USAGE, &TIMING, &STEP, &EVENT];

/// Whether a list item is a message rather than a tool call.
pub(super) fn is_message(value: &Value) -> bool {
    value.get("content").is_some() || value.get("kwargs").is_some() || value.get("data").is_some()
}

/// Parses a state, a snapshot, or a list of messages.
pub(super) fn read(value: &Value) -> Result<ExecutionTrace, String> {
    let wrapped;
    let value = if value.is_array() {
        wrapped = json!({ "messages": value });
        &wrapped
    } else {
        value
    };
    let mut unknown = Unknown::new();
    let outer = Fields::open(&STATE, value, &mut unknown)?;
    let state = match outer.get("values") {
        Some(values) => Fields::open(&STATE, values, &mut unknown)?,
        None => outer,
    };
    let beside = |key: &str| outer.get(key).or_else(|| state.get(key));
    let mut trace = ExecutionTrace {
        question_id: outer.id("question_id")?.or(state.id("question_id")?).unwrap_or_default(),
        graphql_classification: state.get("graphql_classification").cloned(),
        graphql_entities: state.get("graphql_entity_extraction").cloned(),
        graphql_resolved_params: state.get("graphql_resolved_params").cloned(),
        atlas_links: state.list("graphql_atlas_links")?.to_vec(),
        pipeline_sql: state.text("pipeline_sql")?.map(str::to_owned),
        error: state.text("last_error")?.map(str::to_owned),
        ..ExecutionTrace::default()
    };
    messages(state.list("messages")?, &mut trace, &mut unknown)?;
    if let Some(history) = beside("history") {
        steps(history, &mut trace, &mut unknown)?;
    } else if let Some(stream) = beside("events") {
        events(stream, &mut trace, &mut unknown)?;
    }
    if trace.node_traces.is_empty() {
        timings(state.list("step_timing")?, &mut trace, &mut unknown)?;
    }
    token_usage(state.list("token_usage")?, &mut trace, &mut unknown)?;
    trace.unknown_keys = unknown.into_iter().collect();
    Ok(trace)
}

/// Unwraps a message, and returns its speaker.
fn unwrap<'a>(message: &'a Value, unknown: &mut Unknown) -> Result<(Fields<'a>, &'a str), String> {
    let outer = Fields::open(&MESSAGE, message, unknown)?;
    let inner = match outer.get("kwargs").or_else(|| outer.get("data")) {
        Some(inner) => Fields::open(&MESSAGE, inner, unknown)?,
        None => outer,
    };
    let class =
        outer.get("id").and_then(Value::as_array).and_then(|path| path.last()).and_then(Value::as_str);
    let kind = match class {
        Some(class) if outer.get("kwargs").is_some() => Some(class),
        _ => inner.text("type")?.or(outer.text("type")?).or(inner.text("role")?),
    };
    Ok((inner, kind.ok_or("`messages[]` has neither `type` nor `role`")?))
}

fn messages(list: &[Value], trace: &mut ExecutionTrace, unknown: &mut Unknown) -> Result<(), String> {
    let mut calls: Vec<ToolCall> = Vec::new();
    let mut ids: Vec<Option<String>> = Vec::new();
    let mut left: Option<i64> = None;
    let mut usage: Option<TokenUsage> = None;
    for message in list {
        let (message, kind) = unwrap(message, unknown)?;
        match kind {
            "human" | "user" | "HumanMessage" => {
                (calls, ids, left, usage) = (Vec::new(), Vec::new(), None, None);
            }
            "ai" | "assistant" | "AIMessage" | "AIMessageChunk" => {
                let own = message
                    .get("tool_calls")
                    .filter(|calls| calls.as_array().is_none_or(|list| !list.is_empty()));
                let raw = message.get("additional_kwargs").and_then(|more| more.get("tool_calls"));
                if let Some(made) = own.or(raw) {
                    let made_ids = made.as_array().into_iter().flatten();
                    ids.extend(
                        made_ids.map(|call| call.get("id").and_then(Value::as_str).map(str::to_owned)),
                    );
                    let made =
                        parse_trajectory(made).map_err(|why| format!("`messages[].tool_calls`: {why}"))?;
                    unknown.extend(made.unknown_keys.iter().map(|key| format!("messages[].{key}")));
                    calls.extend(
                        made.calls.into_iter().map(|call| ToolCall { budget: call.budget.or(left), ..call }),
                    );
                }
                if let Some(counted) = message.read::<TokenUsage>("usage_metadata")? {
                    usage = Some(usage.unwrap_or_default().plus(counted));
                }
            }
            "tool" | "ToolMessage" => {
                let id = message.text("tool_call_id")?;
                let at = ids.iter().position(|known| known.as_deref() == id && id.is_some());
                let failed = match message.text("status")? {
                    Some("error") => Some(true),
                    Some("success") => Some(false),
                    _ => None,
                };
                match at.and_then(|at| calls.get_mut(at)) {
                    Some(call) => call.failed = failed.or(call.failed),
                    None => {
                        let name = message
                            .text("name")?
                            .ok_or("a tool message has neither a known `tool_call_id` nor a `name`")?;
                        calls.push(ToolCall { failed, budget: left, ..ToolCall::named(name) });
                        ids.push(id.map(str::to_owned));
                    }
                }
                let budget = |key: &str| message.get(key)?.get("budget_remaining")?.as_i64();
                left = budget("artifact").or_else(|| budget("additional_kwargs")).or(left);
            }
            "system" | "SystemMessage" | "developer" | "remove" => {}
            other => {
                return Err(format!("`messages[].type` is {other:?}: expected ai, tool, human or system"));
            }
        }
    }
    trace.tool_calls = calls.iter().map(|call| call.name.clone()).collect();
    trace.calls = Some(calls);
    trace.usage = usage;
    Ok(())
}

/// Reads the snapshots of all steps. Each step lasts from the end of the previous one to its own
/// end.
fn steps(history: &Value, trace: &mut ExecutionTrace, unknown: &mut Unknown) -> Result<(), String> {
    struct Step<'a> {
        number: i64,
        writes: Option<Vec<&'a str>>,
        next: Vec<String>,
        ended: Option<f64>,
    }
    let list = history.as_array().ok_or("`history` is not a list of snapshots")?;
    let mut steps = Vec::new();
    for step in list {
        let step = Fields::open(&STEP, step, unknown)?;
        let metadata = step.get("metadata");
        let number = metadata.and_then(|more| more.get("step")).and_then(Value::as_i64);
        let writes = metadata.and_then(|more| more.get("writes")).and_then(Value::as_object);
        steps.push(Step {
            number: number.ok_or("`history[].metadata` has no `step`")?,
            writes: writes.map(|writes| writes.keys().map(String::as_str).collect()),
            next: step.read("next")?.unwrap_or_default(),
            ended: step.get("created_at").map(|at| moment("history[].created_at", at)).transpose()?,
        });
    }
    steps.sort_by_key(|step| step.number);
    let first = steps.first().and_then(|step| step.ended);
    for pair in steps.windows(2) {
        let [before, step] = pair else { continue };
        let ran: Vec<&str> = match &step.writes {
            Some(writes) => writes.clone(),
            None => before.next.iter().map(String::as_str).collect(),
        };
        let since = |at: Option<f64>| Some(at? - first?);
        for node in ran.into_iter().filter(|node| !node.starts_with("__")) {
            let (start, end) = since(before.ended).zip(since(step.ended)).unwrap_or_default();
            trace.node_traces.push(NodeTrace::between(node, round(start), round(end)));
        }
    }
    finish_nodes(trace);
    Ok(())
}

/// Reads stream events: LangGraph's own (`astream_events`), updates (`{node: …}`), or Ask-Atlas's.
fn events(stream: &Value, trace: &mut ExecutionTrace, unknown: &mut Unknown) -> Result<(), String> {
    let list = stream.as_array().ok_or("`events` is not a list")?;
    let mut started: Vec<(String, f64)> = Vec::new();
    let mut first = None;
    let mut turn = TurnReader::default();
    for event in list {
        if event.get("event").is_none() {
            let object = event.as_object().ok_or("`events[]` is not an object")?;
            let nodes = object.keys().filter(|node| !node.starts_with("__"));
            trace.node_traces.extend(nodes.map(|node| NodeTrace::between(node, 0.0, 0.0)));
            continue;
        }
        let event = Fields::open(&EVENT, event, unknown)?;
        let at = event.get("timestamp").map(|at| moment("events[].timestamp", at)).transpose()?;
        first = first.or(at);
        let at = round(at.zip(first).map_or(0.0, |(at, first)| at - first));
        let name = event.text("name")?;
        let node = event.get("metadata").and_then(|more| more.get("langgraph_node")).and_then(Value::as_str);
        let run = event.id("run_id")?.unwrap_or_default();
        match (event.text("event")?, name) {
            (Some("on_chain_start"), Some(name)) if node == Some(name) => started.push((run, at)),
            (Some("on_chain_end"), Some(name)) if node == Some(name) => {
                let begun = started.iter().position(|(known, _)| *known == run);
                let start = begun.map_or(at, |position| started.remove(position).1);
                trace.node_traces.push(NodeTrace::between(name, start, at));
            }
            (Some(other), _) => turn.event(other, event.get("data").unwrap_or(&Value::Null), at),
            (None, _) => {}
        }
    }
    let said = turn.finish();
    trace.node_traces.extend(said.node_traces);
    finish_nodes(trace);
    Ok(())
}

fn timings(list: &[Value], trace: &mut ExecutionTrace, unknown: &mut Unknown) -> Result<(), String> {
    for step in list {
        let step = Fields::open(&TIMING, step, unknown)?;
        let node_name = step.text("node")?.ok_or("`step_timing[]` has no `node`")?.to_owned();
        let duration_ms = step.whole("duration_ms")?.or(step.whole("wall_time_ms")?).unwrap_or_default();
        trace.node_traces.push(NodeTrace { node_name, duration_ms, ..NodeTrace::default() });
    }
    finish_nodes(trace);
    Ok(())
}

/// Assigns the tokens of model calls to node runs, in order. The last run gets the rest.
fn token_usage(list: &[Value], trace: &mut ExecutionTrace, unknown: &mut Unknown) -> Result<(), String> {
    let mut sum = TokenUsage::default();
    for record in list {
        let record = Fields::open(&USAGE, record, unknown)?;
        let node = record.text("node")?.ok_or("`token_usage[]` has no `node`")?;
        let usage = TokenUsage {
            input_tokens: record.whole("input_tokens")?.unwrap_or_default(),
            output_tokens: record.whole("output_tokens")?.unwrap_or_default(),
        };
        sum = sum.plus(usage);
        let runs = || trace.node_traces.iter().enumerate().filter(|(_, run)| run.node_name == node);
        let at = runs().find(|(_, run)| run.usage.is_none()).or_else(|| runs().next_back()).map(|(at, _)| at);
        let model = record.text("model_name")?.map(str::to_owned);
        match at.and_then(|at| trace.node_traces.get_mut(at)) {
            Some(run) => {
                run.usage = Some(run.usage.unwrap_or_default().plus(usage));
                run.model = run.model.take().or(model);
            }
            None => trace.node_traces.push(NodeTrace {
                node_name: node.to_owned(),
                model,
                usage: Some(usage),
                ..NodeTrace::default()
            }),
        }
    }
    if !list.is_empty() {
        trace.usage = Some(sum);
    }
    Ok(())
}

fn finish_nodes(trace: &mut ExecutionTrace) {
    trace.node_sequence = trace.node_traces.iter().map(|node| node.node_name.clone()).collect();
    let end = trace.node_traces.iter().map(|node| node.end_time).fold(0.0, f64::max);
    let sum: u64 = trace.node_traces.iter().map(|node| node.duration_ms).sum();
    trace.total_duration_ms = if end > 0.0 { (end * 1000.0).round() as u64 } else { sum };
}

/// A time in seconds.
fn moment(key: &str, value: &Value) -> Result<f64, String> {
    let text = value.as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok());
    text.map(|at| at.as_microsecond() as f64 / 1e6)
        .or_else(|| value.as_f64())
        .ok_or_else(|| format!("`{key}` is {value}: expected seconds or a time such as 2026-03-01T10:00:00Z"))
}

fn round(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
