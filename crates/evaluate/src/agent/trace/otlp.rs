//! OpenTelemetry spans as OTLP/JSON, with the attributes of the semantic conventions for generative AI. A tool call is
//! a span whose `gen_ai.operation.name` is `execute_tool`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::execution::{ExecutionTrace, NodeTrace};
use super::keys::{Fields, Place, Unknown};
use super::turn::dollars;
use crate::scoring::tools::ToolCall;
use crate::token_usage::TokenUsage;

static REQUEST: Place =
    Place { path: "", keys: &[("resourceSpans", "all spans of one question")], unused: &[] };

static RESOURCE: Place =
    Place { path: "resourceSpans[].", keys: &[("scopeSpans", "spans")], unused: &["resource", "schemaUrl"] };

static SCOPE: Place =
    Place { path: "scopeSpans[].", keys: &[("spans", "spans")], unused: &["schemaUrl", "scope"] };

static SPAN: Place = Place {
    path: "spans[].",
    keys: &[
        ("traceId", "all spans must belong to one trace"),
        ("spanId", "its id"),
        ("parentSpanId", "the enclosing span"),
        ("name", "the node"),
        ("startTimeUnixNano", "nanoseconds, a text or a number"),
        ("endTimeUnixNano", "the same"),
        ("attributes", "a list of `key` and `value`"),
        ("status", "`code` 2 or `STATUS_CODE_ERROR`: it failed; `message` is the reason"),
    ],
    unused: &[
        "droppedAttributesCount",
        "droppedEventsCount",
        "droppedLinksCount",
        "events",
        "flags",
        "kind",
        "links",
        "traceState",
    ],
};

static ATTRIBUTE: Place = Place {
    path: "attributes.",
    keys: &[
        ("gen_ai.operation.name", "`execute_tool`: the span is a tool call"),
        ("gen_ai.tool.name", "the tool"),
        ("gen_ai.tool.call.arguments", "its arguments: a map, or a string with a JSON object"),
        ("gen_ai.usage.input_tokens", "tokens sent"),
        ("gen_ai.usage.output_tokens", "tokens received"),
        ("gen_ai.usage.prompt_tokens", "tokens sent, in older conventions"),
        ("gen_ai.usage.completion_tokens", "tokens received, in older conventions"),
        ("gen_ai.response.model", "the model"),
        ("gen_ai.request.model", "the model, if no response names it"),
        ("error.type", "it failed"),
        ("db.query.text", "the executed SQL"),
        ("db.statement", "the executed SQL, in older conventions"),
        ("budget_remaining", "calls left in the GraphQL budget before this one"),
        ("breaker_reset", "the breaker half-opened or closed before this call"),
        ("question_id", "the question"),
        ("cost_usd", "the cost in US dollars"),
        ("graphql_classification", "the classification of the question: a map, or JSON"),
        ("graphql_entities", "entities found in the question: a map, or JSON"),
        ("graphql_resolved_params", "resolved ids of the entities: a map, or JSON"),
        ("atlas_links", "links to pages of the Atlas: a list, or JSON"),
    ],
    unused: &[
        "gen_ai.agent.description",
        "gen_ai.agent.id",
        "gen_ai.agent.name",
        "gen_ai.conversation.id",
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gen_ai.output.type",
        "gen_ai.provider.name",
        "gen_ai.request.choice.count",
        "gen_ai.request.max_tokens",
        "gen_ai.request.seed",
        "gen_ai.request.temperature",
        "gen_ai.request.top_p",
        "gen_ai.response.finish_reasons",
        "gen_ai.response.id",
        "gen_ai.system",
        "gen_ai.system_instructions",
        "gen_ai.tool.call.id",
        "gen_ai.tool.call.result",
        "gen_ai.tool.definitions",
        "gen_ai.tool.description",
        "gen_ai.tool.type",
        "gen_ai.usage.cache_creation.input_tokens",
        "gen_ai.usage.cache_read.input_tokens",
        "question",
        "server.address",
        "server.port",
    ],
};

/// The parsed spans.
#[cfg(test)]
pub(super) static PLACES: &[&Place] = &[&REQUEST, &RESOURCE, &SCOPE, &SPAN, &ATTRIBUTE];

struct Span {
    id: String,
    parent: Option<String>,
    name: String,
    start: u64,
    end: u64,
    failed: Option<String>,
    attributes: Value,
}

/// Reads the spans of one question.
pub(super) fn read(value: &Value) -> Result<ExecutionTrace, String> {
    let mut unknown = Unknown::new();
    let mut spans = Vec::new();
    let mut traces = BTreeSet::new();
    for resource in Fields::open(&REQUEST, value, &mut unknown)?.list("resourceSpans")? {
        for scope in Fields::open(&RESOURCE, resource, &mut unknown)?.list("scopeSpans")? {
            for one in Fields::open(&SCOPE, scope, &mut unknown)?.list("spans")? {
                let fields = Fields::open(&SPAN, one, &mut unknown)?;
                traces.extend(fields.text("traceId")?.map(str::to_ascii_lowercase));
                spans.push(span(&fields)?);
            }
        }
    }
    if traces.len() > 1 {
        return Err(format!("`resourceSpans` holds {} traces: give the spans of one question", traces.len()));
    }
    let mut trace = build(&spans, &mut unknown)?;
    trace.unknown_keys = unknown.into_iter().collect();
    Ok(trace)
}

fn span(fields: &Fields<'_>) -> Result<Span, String> {
    let name = fields.text("name")?.ok_or("`spans[]` has no `name`")?.to_owned();
    let time = |key: &str| fields.whole(key)?.ok_or_else(|| format!("the span {name:?} has no `{key}`"));
    let mut attributes = Map::new();
    for attribute in fields.list("attributes")? {
        let key = attribute.get("key").and_then(Value::as_str);
        let key = key.ok_or_else(|| format!("an attribute of the span {name:?} has no `key`"))?;
        attributes.insert(key.to_owned(), attribute.get("value").map_or(Value::Null, plain_value));
    }
    let status = fields.get("status");
    let is_error = status.and_then(|status| status.get("code")).is_some_and(|code| {
        code.as_u64() == Some(2) || matches!(code.as_str(), Some("STATUS_CODE_ERROR" | "2"))
    });
    let message = status.and_then(|status| status.get("message")).and_then(Value::as_str);
    let kind = attributes.get("error.type").and_then(Value::as_str);
    let words = || message.filter(|text| !text.is_empty()).or(kind).unwrap_or("failed").to_owned();
    Ok(Span {
        id: fields.text("spanId")?.unwrap_or_default().to_ascii_lowercase(),
        parent: fields.text("parentSpanId")?.map(str::to_ascii_lowercase),
        start: time("startTimeUnixNano")?,
        end: time("endTimeUnixNano")?,
        failed: (is_error || kind.is_some()).then(words),
        attributes: Value::Object(attributes),
        name,
    })
}

/// An OTLP value as plain JSON.
fn plain_value(value: &Value) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|object| object.iter().next()) else {
        return Value::Null;
    };
    match kind.as_str() {
        "intValue" => {
            let number = inner.as_str().and_then(|text| text.parse::<i64>().ok()).or_else(|| inner.as_i64());
            number.map_or(Value::Null, Value::from)
        }
        "arrayValue" => {
            let items = inner.get("values").and_then(Value::as_array).into_iter().flatten();
            items.map(plain_value).collect()
        }
        "kvlistValue" => {
            let items = inner.get("values").and_then(Value::as_array).into_iter().flatten();
            let pair =
                |item: &Value| Some((item.get("key")?.as_str()?.to_owned(), plain_value(item.get("value")?)));
            Value::Object(items.filter_map(pair).collect())
        }
        _ => inner.clone(),
    }
}

fn build(spans: &[Span], unknown: &mut Unknown) -> Result<ExecutionTrace, String> {
    let mut trace = ExecutionTrace { calls: Some(Vec::new()), ..ExecutionTrace::default() };
    let Some(first) = spans.iter().map(|span| span.start).min() else { return Ok(trace) };
    let last = spans.iter().map(|span| span.end).max().unwrap_or(first);
    trace.total_duration_ms = last.saturating_sub(first) / 1_000_000;

    // a parent finishes after its children
    let mut sorted: Vec<&Span> = spans.iter().collect();
    sorted.sort_by_key(|span| (span.end, std::cmp::Reverse(span.start)));
    let place: BTreeMap<&str, usize> = sorted
        .iter()
        .zip(0..)
        .filter(|(span, _)| !span.id.is_empty())
        .map(|(span, at)| (span.id.as_str(), at))
        .collect();
    let mut calls = Vec::new();
    let mut sql: Vec<String> = Vec::new();
    for span in &sorted {
        let attributes = Fields::open(&ATTRIBUTE, &span.attributes, unknown)?;
        let parent = span.parent.as_deref().and_then(|parent| place.get(parent)).copied();
        if parent.is_none() {
            trace.error = trace.error.take().or_else(|| span.failed.clone());
        }
        trace.node_traces.push(NodeTrace { parent, ..node(span, &attributes, first)? });
        if attributes.text("gen_ai.operation.name")? == Some("execute_tool") {
            calls.push((span.start, call(span, &attributes)?));
        }
        sql.extend(attributes.text("db.query.text")?.or(attributes.text("db.statement")?).map(str::to_owned));
        add_own_attributes(&mut trace, &attributes)?;
    }
    trace.usage = whole_usage(&trace.node_traces);
    trace.node_sequence = trace.node_traces.iter().map(|node| node.node_name.clone()).collect();
    trace.pipeline_sql = (!sql.is_empty()).then(|| sql.join(";\n"));
    calls.sort_by_key(|(start, _)| *start);
    trace.tool_calls = calls.iter().map(|(_, call)| call.name.clone()).collect();
    trace.calls = Some(calls.into_iter().map(|(_, call)| call).collect());
    Ok(trace)
}

/// A span as a node, in seconds from the start of the first span.
fn node(span: &Span, attributes: &Fields<'_>, first: u64) -> Result<NodeTrace, String> {
    let seconds = |at: u64| (at.saturating_sub(first) / 1000) as f64 / 1e6;
    let input =
        attributes.whole("gen_ai.usage.input_tokens")?.or(attributes.whole("gen_ai.usage.prompt_tokens")?);
    let output = attributes
        .whole("gen_ai.usage.output_tokens")?
        .or(attributes.whole("gen_ai.usage.completion_tokens")?);
    let usage = (input.is_some() || output.is_some()).then(|| TokenUsage {
        input_tokens: input.unwrap_or_default(),
        output_tokens: output.unwrap_or_default(),
    });
    let model = attributes.text("gen_ai.response.model")?.or(attributes.text("gen_ai.request.model")?);
    Ok(NodeTrace {
        model: model.map(str::to_owned),
        usage,
        ..NodeTrace::between(&span.name, seconds(span.start), seconds(span.end))
    })
}

/// Reads our own attributes, which no convention defines.
fn add_own_attributes(trace: &mut ExecutionTrace, attributes: &Fields<'_>) -> Result<(), String> {
    if let Some(cost) = attributes.get("cost_usd") {
        trace.cost_usd = dollars(cost);
    }
    if let Some(id) = attributes.id("question_id")? {
        trace.question_id = id;
    }
    for (key, slot) in [
        ("graphql_classification", &mut trace.graphql_classification),
        ("graphql_entities", &mut trace.graphql_entities),
        ("graphql_resolved_params", &mut trace.graphql_resolved_params),
    ] {
        *slot = attributes.get(key).map(parsed).or_else(|| slot.take());
    }
    match attributes.get("atlas_links").map(parsed) {
        Some(Value::Array(links)) => trace.atlas_links.extend(links),
        Some(link) => trace.atlas_links.push(link),
        None => {}
    }
    Ok(())
}

fn call(span: &Span, attributes: &Fields<'_>) -> Result<ToolCall, String> {
    let named = attributes.text("gen_ai.tool.name")?.or_else(|| span.name.strip_prefix("execute_tool "));
    let name = named
        .ok_or_else(|| format!("the span {:?} names no tool: it has no `gen_ai.tool.name`", span.name))?;
    let arguments = match attributes.get("gen_ai.tool.call.arguments").map(parsed) {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(_) => {
            return Err(format!(
                "`gen_ai.tool.call.arguments` of the span {:?} is not a JSON object",
                span.name
            ));
        }
    };
    Ok(ToolCall {
        name: name.to_owned(),
        arguments,
        failed: Some(span.failed.is_some()),
        budget: attributes.read("budget_remaining")?,
        breaker_reset: attributes.read("breaker_reset")?.unwrap_or_default(),
    })
}

/// A value that may be a JSON string.
fn parsed(value: &Value) -> Value {
    let text = value.as_str().map(str::trim).filter(|text| text.starts_with(['{', '[']));
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| value.clone())
}

/// The sum over spans. A span that contains others with tokens only repeats theirs.
fn whole_usage(nodes: &[NodeTrace]) -> Option<TokenUsage> {
    let mut repeats = vec![false; nodes.len()];
    for node in nodes.iter().filter(|node| node.usage.is_some()) {
        let mut above = node.parent;
        // a chain longer than the number of spans is a cycle
        for _ in 0..nodes.len() {
            let Some(at) = above else { break };
            if let Some(flag) = repeats.get_mut(at) {
                *flag = true;
            }
            above = nodes.get(at).and_then(|node| node.parent);
        }
    }
    let own = nodes.iter().zip(repeats).filter(|(_, repeats)| !repeats).filter_map(|(node, _)| node.usage);
    own.reduce(TokenUsage::plus)
}
