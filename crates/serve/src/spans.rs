//! Collects spans from OpenTelemetry exporters. The spans of a trace may arrive in several requests, the root last.
//! They are stored until the root arrives, and then converted to one trace. Only the needed attributes are stored: no
//! messages, no results.

use std::collections::BTreeMap;

use atlas_gt_evaluate::agent::ExecutionTrace;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::database::{Database, DatabaseResult, on_both};
use crate::trace_row::{MAX_TEXT, TraceRow, uuid};

/// The stored attributes.
const KEPT: [&str; 15] = [
    "gen_ai.operation.name",
    "gen_ai.tool.name",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.prompt_tokens",
    "gen_ai.usage.completion_tokens",
    "error.type",
    "question",
    "thread_id",
    "pipeline_used",
    "budget_used",
    "budget_limit",
    "breaker",
    "cost_usd",
    "feedback",
];

/// Attributes for the question and the conversation, in order of preference.
const QUESTION: [&str; 3] = ["question", "input.value", "gen_ai.prompt"];
const THREAD: [&str; 3] = ["thread_id", "gen_ai.conversation.id", "session.id"];

/// Maximum number of spans read of one trace.
const MAX_SPANS: i64 = 5000;

/// The result of a span request.
#[derive(Debug, Default)]
pub struct Received {
    /// The traces that are now complete.
    pub rows: Vec<TraceRow>,
    /// Number of rejected spans.
    pub rejected: usize,
    /// The reason of the first rejection.
    pub why: Option<String>,
}

struct ReducedSpan {
    trace_id: String,
    span_id: String,
    span: Value,
}

/// The usable spans of a request.
#[derive(Default)]
pub struct ParsedSpans {
    kept: Vec<ReducedSpan>,
    /// The rejected ones; no rows yet.
    pub(crate) received: Received,
}

impl ParsedSpans {
    /// Whether no span is usable.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// Parses the spans of a request.
#[must_use]
pub fn parse(request: &Value) -> ParsedSpans {
    let mut parsed = ParsedSpans::default();
    for span in spans_of(request) {
        match reduced(span) {
            Ok(one) => parsed.kept.push(one),
            Err(why) => parsed.received.reject(why),
        }
    }
    parsed
}

/// Stores the spans of a request and converts the complete traces to rows.
///
/// # Errors
/// The database cannot be written.
pub async fn receive(database: &Database, spans: ParsedSpans, now: Timestamp) -> DatabaseResult<Received> {
    let ParsedSpans { kept, mut received } = spans;
    let rows: Vec<Value> = kept
        .iter()
        .map(|one| {
            json!({ "trace_id": one.trace_id, "span_id": one.span_id, "span": one.span.to_string(),
                    "received_at": now.as_millisecond() })
        })
        .collect();
    save(database, &Value::from(rows).to_string()).await?;
    let mut touched: Vec<&str> = kept.iter().map(|one| one.trace_id.as_str()).collect();
    touched.sort_unstable();
    touched.dedup();
    for trace_id in touched {
        let spans = load(database, trace_id).await?;
        match complete_row(trace_id, &spans, now) {
            Ok(Some(row)) => received.rows.push(row),
            Ok(None) => {}
            Err(why) => received.reject(why),
        }
    }
    Ok(received)
}

impl Received {
    fn reject(&mut self, why: String) {
        self.rejected += 1;
        self.why.get_or_insert(why);
    }
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn spans_of(request: &Value) -> impl Iterator<Item = &Value> {
    list(request, "resourceSpans").flat_map(|one| list(one, "scopeSpans")).flat_map(|one| list(one, "spans"))
}

/// Reduces a span to the needed attributes.
fn reduced(span: &Value) -> std::result::Result<ReducedSpan, String> {
    let text = |key: &str| span.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let trace_id = text("traceId").ok_or("a span has no `traceId`")?;
    let trace_id =
        uuid(trace_id).ok_or_else(|| format!("`traceId` {trace_id:?} is not 32 hexadecimal digits"))?;
    let span_id: String = text("spanId").ok_or("a span has no `spanId`")?.chars().take(64).collect();
    let attributes: BTreeMap<&str, &Value> = list(span, "attributes")
        .filter_map(|one| Some((one.get("key")?.as_str()?, one.get("value")?)))
        .collect();
    let string = |key: &&str| attributes.get(key)?.get("stringValue")?.as_str();
    let question = QUESTION.iter().find_map(string).map(str::to_owned);
    let question = question.or_else(|| asked_in(attributes.get("gen_ai.input.messages")?));
    let thread = THREAD.iter().find_map(string).map(str::to_owned);
    let mut found: Vec<Value> = KEPT
        .iter()
        .filter(|key| !["question", "thread_id"].contains(key))
        .filter_map(|key| Some(json!({ "key": key, "value": attributes.get(key)? })))
        .collect();
    for (key, text) in [("question", question), ("thread_id", thread)] {
        let cut = text.map(|text| text.chars().take(MAX_TEXT).collect::<String>());
        found.extend(cut.map(|text| json!({ "key": key, "value": { "stringValue": text } })));
    }
    let mut kept = Map::new();
    for key in ["traceId", "spanId", "parentSpanId", "name", "startTimeUnixNano", "endTimeUnixNano", "status"]
    {
        kept.extend(span.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    kept.insert("attributes".to_owned(), found.into());
    Ok(ReducedSpan { trace_id, span_id, span: Value::Object(kept) })
}

/// The user's last message in `gen_ai.input.messages`: a JSON string, or a list in OTLP form.
fn asked_in(value: &Value) -> Option<String> {
    let messages: Value = serde_json::from_str(value.get("stringValue")?.as_str()?).ok()?;
    let last =
        messages.as_array()?.iter().rfind(|one| one.get("role").and_then(Value::as_str) == Some("user"))?;
    let parts = list(last, "parts").filter_map(|part| part.get("content")?.as_str());
    let text = parts.collect::<Vec<_>>().join("\n");
    Some(text).filter(|text| !text.is_empty()).or_else(|| Some(last.get("content")?.as_str()?.to_owned()))
}

/// The row of a trace; `None` if its root is missing.
fn complete_row(
    trace_id: &str,
    spans: &[Value],
    now: Timestamp,
) -> std::result::Result<Option<TraceRow>, String> {
    let is_root = |span: &&Value| span.get("parentSpanId").and_then(Value::as_str).is_none_or(str::is_empty);
    let Some(root) = spans.iter().find(is_root) else { return Ok(None) };
    // The question may be on the root, or on the agent's own span if the root belongs to a web server.
    let of = |key: &str| {
        let value = |span: &Value| {
            list(span, "attributes")
                .find(|one| one.get("key").and_then(Value::as_str) == Some(key))?
                .get("value")
                .cloned()
        };
        value(root).or_else(|| spans.iter().find_map(value))
    };
    let text = |key: &str| Some(of(key)?.get("stringValue")?.as_str()?.to_owned());
    let number = |key: &str| {
        let value = of(key)?;
        let whole = value.get("intValue").and_then(|n| n.as_i64().or_else(|| n.as_str()?.parse().ok()));
        whole.map(|n| n as f64).or_else(|| value.get("doubleValue")?.as_f64())
    };
    let question = text("question").ok_or_else(|| {
        format!("trace {trace_id} has no question: set the attribute `question` on its root span")
    })?;
    let request = json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] });
    let trace = ExecutionTrace::try_from(request).map_err(|error| format!("trace {trace_id}: {error}"))?;
    let thread = text("thread_id").unwrap_or_else(|| trace_id.to_owned());
    let whole = |key: &str| number(key).map(|number| number as i32);
    let row = TraceRow {
        id: Some(trace_id.to_owned()),
        created_at: started(root),
        budget_used: whole("budget_used"),
        budget_limit: whole("budget_limit"),
        breaker: text("breaker"),
        cost_usd: number("cost_usd"),
        feedback: whole("feedback").map(|thought| thought.clamp(-1, 1) as i16),
        ..TraceRow::of(&trace, thread, question)
    };
    let row = TraceRow { pipeline_used: text("pipeline_used").or(row.pipeline_used.clone()), ..row };
    row.checked(now).map(Some).map_err(|error| format!("trace {trace_id}: {error}"))
}

fn started(root: &Value) -> Option<Timestamp> {
    let nanoseconds = root.get("startTimeUnixNano")?;
    let number = nanoseconds.as_str().and_then(|text| text.parse().ok()).or_else(|| nanoseconds.as_i64())?;
    Timestamp::from_nanosecond(i128::from(number)).ok()
}

async fn save(database: &Database, rows: &str) -> DatabaseResult<()> {
    const SQLITE: &str = "INSERT INTO trace_spans (trace_id, span_id, span, received_at) SELECT json_extract(value, '$.trace_id'), \
         json_extract(value, '$.span_id'), json_extract(value, '$.span'), json_extract(value, '$.received_at') FROM json_each($1) \
         WHERE true ON CONFLICT (trace_id, span_id) DO UPDATE SET span = excluded.span";
    const POSTGRES: &str = "INSERT INTO trace_spans (trace_id, span_id, span, received_at) SELECT DISTINCT ON (trace_id, span_id) * \
         FROM jsonb_to_recordset($1::jsonb) AS sent(trace_id text, span_id text, span text, received_at bigint) \
         ON CONFLICT (trace_id, span_id) DO UPDATE SET span = excluded.span";
    match database {
        Database::Sqlite(pool) => sqlx::query(SQLITE).bind(rows).execute(pool).await.map(|_| ())?,
        Database::Postgres(pool) => sqlx::query(POSTGRES).bind(rows).execute(pool).await.map(|_| ())?,
    }
    Ok(())
}

async fn load(database: &Database, trace_id: &str) -> DatabaseResult<Vec<Value>> {
    const QUERY: &str = "SELECT span FROM trace_spans WHERE trace_id = $1 ORDER BY span_id LIMIT $2";
    let texts: Vec<String> = on_both!(database, pool => {
        sqlx::query_scalar(QUERY).bind(trace_id).bind(MAX_SPANS).fetch_all(pool).await?
    });
    Ok(texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
}

/// Deletes spans received before a time: their trace is complete, or its root never arrived.
///
/// # Errors
/// The database cannot be written.
pub async fn drop_before(database: &Database, moment: i64) -> DatabaseResult<()> {
    const DELETE: &str = "DELETE FROM trace_spans WHERE received_at < $1";
    on_both!(database, pool => sqlx::query(DELETE).bind(moment).execute(pool).await.map(|_| ())?);
    Ok(())
}
