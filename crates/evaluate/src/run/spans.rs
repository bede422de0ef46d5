//! Exports a run as OpenTelemetry spans (OTLP/JSON): one trace per question, following the semantic
//! conventions for generative AI. Scores are `gen_ai.evaluation.result` events of the root span.
//! The same run always gives the same ids.

use serde_json::{Map, Value, json};

use super::record::{QuestionRecord, Scored};
use super::settings::RunSettings;
use crate::agent::{ExecutionTrace, NodeTrace, TokenUsage};
use crate::evidence::Hash;
use crate::manifest::QuestionId;
use crate::scoring::CaseVerdict;

/// The spans of one question, as an OTLP request.
#[must_use]
pub fn spans(settings: &RunSettings, record: &QuestionRecord) -> Value {
    let tool = json!({ "name": "atlas-gt", "version": settings.tool_version });
    let resource = attributes([
        ("service.name", Some(json!(settings.agent_name))),
        ("atlas_gt.run", Some(json!(settings.run))),
        ("atlas_gt.site", Some(json!(settings.site.to_string()))),
    ]);
    let spans = QuestionSpans::new(settings, record).all();
    json!({ "resourceSpans": [{ "resource": { "attributes": resource }, "scopeSpans": [{ "scope": tool, "spans": spans }] }] })
}

/// A question with data shared by its spans.
struct QuestionSpans<'a> {
    settings: &'a RunSettings,
    record: &'a QuestionRecord,
    trace: ExecutionTrace,
    trace_id: String,
    /// Nanoseconds since 1970.
    start: i128,
    end: i128,
}

impl<'a> QuestionSpans<'a> {
    fn new(settings: &'a RunSettings, record: &'a QuestionRecord) -> Self {
        let trace = record.answer.reply.as_ref().and_then(|reply| reply.trace.clone()).unwrap_or_default();
        let start = record.answer.asked_at.as_nanosecond();
        let took = record.answer.latency_ms.unwrap_or(trace.total_duration_ms);
        let trace_id = trace_id(&settings.run, &record.question.question_id);
        Self { settings, record, trace, trace_id, start, end: start + i128::from(took) * 1_000_000 }
    }

    fn all(&self) -> Vec<Value> {
        let nodes = self.trace.node_traces.iter().enumerate().map(|(at, node)| self.node(at, node));
        let calls = self.trace.calls.iter().flatten().enumerate().map(|(at, call)| {
            let at_call = self.start + at as i128;
            let failed = (call.failed == Some(true)).then_some("the call failed");
            let budget = call.budget.map(|left| json!(left));
            let own = attributes([
                ("gen_ai.operation.name", Some(json!("execute_tool"))),
                ("gen_ai.tool.name", Some(json!(call.name))),
                (
                    "gen_ai.tool.call.arguments",
                    Some(json!(Value::Object(call.arguments.clone()).to_string())),
                ),
                ("budget_remaining", budget),
                ("breaker_reset", call.breaker_reset.then(|| json!(true))),
                ("error.type", failed.map(|_| json!("tool_error"))),
            ]);
            let name = format!("execute_tool {}", call.name);
            self.span(&format!("call {at}"), &name, (at_call, at_call), own, failed)
        });
        std::iter::once(self.root()).chain(nodes).chain(calls).collect()
    }

    /// The root span of the question, with its scores.
    fn root(&self) -> Value {
        let (question, answer, trace) = (&self.record.question, &self.record.answer, &self.trace);
        let said = |role: &str, text: &str| {
            json!([{ "role": role, "parts": [{ "type": "text", "content": text }] }]).to_string()
        };
        let reply = answer.reply.as_ref();
        let json_of = |value: &Option<Value>| value.as_ref().map(|value| json!(value.to_string()));
        let [input, output] = tokens(trace.usage);
        let cost = answer.cost_usd.and_then(|cost| cost.to_string().parse::<f64>().ok());
        let own = attributes([
            ("gen_ai.operation.name", Some(json!("invoke_agent"))),
            ("gen_ai.agent.name", Some(json!(self.settings.agent_name))),
            ("gen_ai.input.messages", Some(json!(said("user", &question.text)))),
            ("gen_ai.output.messages", reply.map(|reply| json!(said("assistant", &reply.answer)))),
            ("gen_ai.usage.input_tokens", input),
            ("gen_ai.usage.output_tokens", output),
            ("question_id", Some(json!(question.question_id.to_string()))),
            ("question", Some(json!(question.text))),
            ("cost_usd", cost.map(|cost| json!(cost))),
            ("graphql_classification", json_of(&trace.graphql_classification)),
            ("graphql_entities", json_of(&trace.graphql_entities)),
            ("graphql_resolved_params", json_of(&trace.graphql_resolved_params)),
            (
                "atlas_links",
                (!trace.atlas_links.is_empty()).then(|| json!(json!(trace.atlas_links).to_string())),
            ),
            ("db.query.text", trace.pipeline_sql.as_ref().map(|sql| json!(sql))),
            ("error.type", answer.error.as_ref().map(|_| json!("agent_error"))),
        ]);
        let times = (self.start, self.end);
        let mut span = self.span("root", "invoke_agent", times, own, answer.error.as_deref());
        if let Some(scored) = &self.record.scored {
            let at = self.end.to_string();
            let events = scores(scored).into_iter().map(|attributes| {
                json!({ "timeUnixNano": at, "name": "gen_ai.evaluation.result", "attributes": attributes })
            });
            span["events"] = events.collect();
        }
        span
    }

    fn node(&self, at: usize, node: &NodeTrace) -> Value {
        let moment = |seconds: f64| self.start + (seconds.max(0.0) * 1e6).round() as i128 * 1000;
        let begun = moment(node.start_time);
        let ended = moment(node.end_time).max(begun + i128::from(node.duration_ms) * 1_000_000);
        let [input, output] = tokens(node.usage);
        let own = attributes([
            ("gen_ai.response.model", node.model.as_ref().map(|model| json!(model))),
            ("gen_ai.usage.input_tokens", input),
            ("gen_ai.usage.output_tokens", output),
        ]);
        let mut span = self.span(&format!("node {at}"), &node.node_name, (begun, ended), own, None);
        if let Some(parent) = node.parent {
            span["parentSpanId"] = json!(self.span_id(&format!("node {parent}")));
        }
        span
    }

    fn span_id(&self, part: &str) -> String {
        id(&format!("{} {part}", self.trace_id), 16)
    }

    /// A span. Every span but the root is nested in it.
    fn span(
        &self,
        part: &str,
        name: &str,
        times: (i128, i128),
        own: Vec<Value>,
        failed: Option<&str>,
    ) -> Value {
        let mut span = json!({
            "traceId": self.trace_id, "spanId": self.span_id(part), "name": name, "kind": 1,
            "startTimeUnixNano": times.0.to_string(), "endTimeUnixNano": times.1.to_string(), "attributes": own,
        });
        if part != "root" {
            span["parentSpanId"] = json!(self.span_id("root"));
        }
        if let Some(why) = failed {
            span["status"] = json!({ "code": 2, "message": why });
        }
        span
    }
}

/// The result of each scorer, as attributes of an event.
fn scores(scored: &Scored) -> Vec<Vec<Value>> {
    let result = |name: &str, label: Option<&str>, value: Option<f64>, why: Option<&str>| {
        attributes([
            ("gen_ai.evaluation.name", Some(json!(name))),
            ("gen_ai.evaluation.score.label", label.map(|label| json!(label))),
            ("gen_ai.evaluation.score.value", value.map(|value| json!(value))),
            ("gen_ai.evaluation.explanation", why.filter(|why| !why.is_empty()).map(|why| json!(why))),
        ])
    };
    let of_verdict = |verdict: CaseVerdict| Some(verdict.name());
    let mut all = vec![result("verdict", of_verdict(scored.verdict), scored.score, Some(&scored.reason))];
    if let Some(route) = scored.trajectory {
        all.push(result("route", Some(atlas_gt_core::words::name(&route)), None, None));
    }
    for one in &scored.scorers {
        let why = one.score.reasons.first().map(String::as_str);
        all.push(result(&one.scorer, of_verdict(one.status), one.score.value, why));
    }
    for note in &scored.judgements {
        let mode = atlas_gt_core::words::name(&note.mode);
        all.push(result(
            &format!("judge_{mode}"),
            note.verdict.and_then(of_verdict),
            note.value,
            note.why.as_deref(),
        ));
        for (dimension, value) in &note.dimensions {
            let why = note.reasons.get(dimension).map(String::as_str);
            all.push(result(&format!("judge_{mode}.{dimension}"), None, Some(*value), why));
        }
    }
    all
}

fn tokens(usage: Option<TokenUsage>) -> [Option<Value>; 2] {
    [usage.map(|usage| json!(usage.input_tokens)), usage.map(|usage| json!(usage.output_tokens))]
}

/// Attributes in OTLP format, without those that have no value.
fn attributes<const N: usize>(all: [(&str, Option<Value>); N]) -> Vec<Value> {
    let written = |value: &Value| match value {
        Value::Number(number) if number.is_f64() => json!({ "doubleValue": number }),
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        Value::Bool(is_so) => json!({ "boolValue": is_so }),
        text => json!({ "stringValue": text }),
    };
    let all = all.into_iter().filter_map(|(key, value)| Some((key, value?)));
    all.map(|(key, value)| {
        Value::Object(Map::from_iter([("key".to_owned(), json!(key)), ("value".to_owned(), written(&value))]))
    })
    .collect()
}

/// The trace id of an answer of a run, 32 hexadecimal digits: the same in every export and import.
#[must_use]
pub fn trace_id(run: &str, question: &QuestionId) -> String {
    id(&format!("{run}\n{question}"), 32)
}

/// A hash of a text, with this many hexadecimal digits.
fn id(text: &str, digits: usize) -> String {
    Hash::of(text.as_bytes()).as_str().chars().take(digits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::samples;
    use crate::verdict::Decider;

    fn record() -> QuestionRecord {
        let mut record = samples::record("61");
        let trace = json!({
            "question_id": "61", "tool_calls": ["atlas_graphql", "query_tool"], "total_duration_ms": 1000,
            "calls": [{ "name": "atlas_graphql", "arguments": { "query": "x" }, "failed": true }, { "name": "query_tool", "arguments": {}, "failed": false }],
            "node_sequence": ["agent"], "node_traces": [{ "node_name": "agent", "start_time": 0.25, "end_time": 0.75, "duration_ms": 500, "model": "m" }],
            "graphql_classification": { "query_type": "reject", "is_rejected": true }, "graphql_resolved_params": { "country_id": 404 },
            "atlas_links": [{ "url": "https://a" }], "pipeline_sql": "SELECT 1", "usage": { "input_tokens": 900, "output_tokens": 80 }, "cost_usd": "0.0042"
        });
        record.answer.reply.as_mut().unwrap().trace = Some(serde_json::from_value(trace).unwrap());
        record.answer.cost_usd = Some("0.0042".parse().unwrap());
        record.scored = Some(samples::scored(CaseVerdict::Pass, Decider::Rules));
        record
    }

    #[test]
    fn a_question_s_spans_come_back_as_its_trace() {
        let record = record();
        let request = spans(&samples::settings(), &record);
        assert_eq!(request, spans(&samples::settings(), &record), "the same ids");
        let read: ExecutionTrace = serde_json::from_value(request.clone()).unwrap();
        let own = record.answer.reply.as_ref().unwrap().trace.clone().unwrap();
        assert_eq!(read.unknown_keys, [] as [&str; 0]);
        assert_eq!(
            (&read.question_id, &read.tool_calls, &read.calls),
            (&own.question_id, &own.tool_calls, &own.calls)
        );
        assert_eq!(
            (read.usage, read.cost_usd, &read.pipeline_sql),
            (own.usage, own.cost_usd, &own.pipeline_sql)
        );
        assert_eq!(
            (&read.graphql_classification, &read.graphql_resolved_params, &read.atlas_links),
            (&own.graphql_classification, &own.graphql_resolved_params, &own.atlas_links)
        );
        assert_eq!(read.total_duration_ms, 1000);
        let node = read.node_traces.iter().find(|node| node.node_name == "agent").unwrap();
        assert_eq!((node.start_time, node.duration_ms, node.model.as_deref()), (0.25, 500, Some("m")));
    }

    #[test]
    fn scores_are_events_of_the_root_by_the_names_of_the_conventions() {
        let request = spans(&samples::settings(), &record());
        let scope = &request["resourceSpans"][0]["scopeSpans"][0];
        let root = &scope["spans"][0];
        assert_eq!((root["parentSpanId"].is_null(), &root["name"]), (true, &json!("invoke_agent")));
        assert!(
            scope["spans"].as_array().unwrap()[1..].iter().all(|span| span["parentSpanId"] == root["spanId"])
        );
        assert_eq!(
            (root["traceId"].as_str().unwrap().len(), root["spanId"].as_str().unwrap().len()),
            (32, 16)
        );
        let event = &root["events"][0];
        assert_eq!(event["name"], json!("gen_ai.evaluation.result"));
        assert_eq!(
            event["attributes"],
            json!([
                { "key": "gen_ai.evaluation.name", "value": { "stringValue": "verdict" } },
                { "key": "gen_ai.evaluation.score.label", "value": { "stringValue": "pass" } },
                { "key": "gen_ai.evaluation.score.value", "value": { "doubleValue": 1.0 } },
                { "key": "gen_ai.evaluation.explanation", "value": { "stringValue": "a sample" } },
            ])
        );
        // an answer that never came is a span with an error
        let mut failed = record();
        (failed.answer.reply, failed.answer.error) = (None, Some("cut off".to_owned()));
        let root =
            spans(&samples::settings(), &failed)["resourceSpans"][0]["scopeSpans"][0]["spans"][0].clone();
        assert_eq!(root["status"], json!({ "code": 2, "message": "cut off" }));
    }
}
