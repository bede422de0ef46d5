//! One run of an agent in all four formats, and records that are not understood.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::scoring::suite::{AgentOutput, read_case, run_case};
use crate::scoring::tools::DataTools;
use crate::truth::Pipeline;

fn read(value: Value) -> ExecutionTrace {
    serde_json::from_value(value).unwrap()
}

fn complaint(value: Value) -> String {
    serde_json::from_value::<ExecutionTrace>(value).unwrap_err().to_string()
}

/// GraphQL fails with six calls left, five are left after it, then SQL answers.
fn state() -> Value {
    json!({
        "values": {
            "messages": [
                {"type": "human", "content": "an earlier question"},
                {"type": "ai", "content": "", "tool_calls": [{"name": "docs_tool", "args": {}, "id": "c0"}]},
                {"type": "tool", "content": "…", "tool_call_id": "c0"},
                {"type": "human", "content": "What does Kenya export?"},
                {"type": "ai", "content": "", "mood": "calm", "tool_calls": [
                    {"name": "atlas_graphql", "args": {"question": "exports"}, "id": "c1", "type": "tool_call", "budget_remaining": 6}],
                 "usage_metadata": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}},
                {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"], "kwargs":
                    {"content": "timeout", "tool_call_id": "c1", "status": "error", "artifact": {"budget_remaining": 5}}},
                {"type": "ai", "data": {"content": "", "additional_kwargs": {"tool_calls": [
                    {"id": "c2", "type": "function", "function": {"name": "query_tool", "arguments": "{\"question\": \"exports\"}"}}]}}},
                {"role": "tool", "content": "rows", "tool_call_id": "c2", "status": "success"},
                {"role": "assistant", "content": "Tea."}
            ],
            "graphql_classification": {"query_type": "treemap_products", "api_target": "explore"},
            "graphql_entity_extraction": {"country": "Kenya"},
            "graphql_resolved_params": {"country_id": 404},
            "graphql_atlas_links": [{"url": "https://atlas.hks.harvard.edu/countries/404"}],
            "pipeline_sql": "SELECT 1",
            "last_error": "",
            "token_usage": [
                {"node": "agent", "model_name": "m", "input_tokens": 100, "output_tokens": 20, "total_tokens": 120},
                {"node": "generate_sql", "model_name": "m", "input_tokens": 50, "output_tokens": 5}
            ],
            "graphql_raw_response": {}
        },
        "history": [
            {"metadata": {"step": 2, "source": "loop"}, "next": [], "created_at": "2026-03-01T10:00:02.5Z"},
            {"metadata": {"step": 1, "writes": {"agent": {}}}, "next": ["generate_sql"], "created_at": "2026-03-01T10:00:01Z"},
            {"metadata": {"step": 0}, "next": ["agent"], "created_at": "2026-03-01T10:00:00Z"}
        ]
    })
}

#[test]
fn section_5_1_agent_state_gives_every_field() {
    let trace = read(state());
    assert_eq!(trace.tool_calls, ["atlas_graphql", "query_tool"]);
    let calls = trace.calls.clone().unwrap();
    assert_eq!((calls[0].failed, calls[0].budget), (Some(true), Some(6)));
    assert_eq!((calls[1].failed, calls[1].budget), (Some(false), Some(5)));
    assert_eq!(calls[1].arguments["question"], "exports");
    assert_eq!(trace.node_sequence, ["agent", "generate_sql"]);
    let times: Vec<_> =
        trace.node_traces.iter().map(|node| (node.start_time, node.end_time, node.duration_ms)).collect();
    assert_eq!(times, [(0.0, 1.0, 1000), (1.0, 2.5, 1500)]);
    let usage = |input_tokens, output_tokens| Some(TokenUsage { input_tokens, output_tokens });
    assert_eq!((trace.node_traces[1].usage, trace.usage), (usage(50, 5), usage(150, 25)));
    assert_eq!((trace.total_duration_ms, trace.error.as_deref()), (2500, None));
    assert_eq!(trace.graphql_entities, Some(json!({"country": "Kenya"})));
    assert_eq!(trace.graphql_resolved_params, Some(json!({"country_id": 404})));
    assert_eq!(trace.addresses(), ["https://atlas.hks.harvard.edu/countries/404"]);
    assert_eq!(trace.pipeline(&DataTools::default()), Pipeline::Mixed);
    assert_eq!(trace.unknown_keys, ["messages[].mood"], "named and not dropped");
}

#[test]
fn section_5_1_a_node_has_the_keys_of_the_document() {
    let written = serde_json::to_value(read(state())).unwrap();
    let node = written["node_traces"][0].as_object().unwrap();
    let keys: Vec<&str> = node.keys().map(String::as_str).collect();
    assert_eq!(keys[..4], ["node_name", "start_time", "end_time", "duration_ms"]);
}

#[test]
fn section_5_1_a_node_whose_record_has_only_its_ends_took_the_time_between_them() {
    let node = |ends: Value| read(json!({ "node_traces": [ends] })).node_traces[0].duration_ms;
    assert_eq!(node(json!({"node_name": "agent", "start_time": 1.25, "end_time": 3.0})), 1750);
    assert_eq!(
        node(json!({"node_name": "agent", "start_time": 0, "end_time": 3, "duration_ms": 2990})),
        2990
    );
    assert_eq!(node(json!({"node_name": "agent"})), 0);
}

#[test]
fn a_trace_is_written_in_the_plain_form_and_reads_back() {
    let trace = read(state());
    assert_eq!(read(serde_json::to_value(&trace).unwrap()), trace);
    // records of old hold names alone
    let old = read(
        json!({"question_id": 61, "tool_calls": ["query_tool"], "node_sequence": [], "pipeline_sql": null, "colour": 1}),
    );
    assert_eq!(
        (old.question_id.as_str(), old.trajectory().unwrap().names().collect::<Vec<_>>()),
        ("61", vec!["query_tool"])
    );
    assert_eq!(old.unknown_keys, ["colour"]);
    assert_eq!(read(json!(["a", {"tool": "b", "mood": 1}])).unknown_keys, ["tool_calls[].mood"]);
    assert_eq!(read(json!({})).trajectory(), None);
    assert_eq!(read(json!({"atlas_links": ["https://a"]})).addresses(), ["https://a"]);
}

fn spans() -> Value {
    let attribute = |key: &str, value: Value| json!({"key": key, "value": value});
    let text = |key: &str, value: &str| attribute(key, json!({"stringValue": value}));
    json!({"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "agent"}, "spans": [
        {"traceId": "0A", "spanId": "01", "name": "invoke_agent atlas", "kind": 1,
         "startTimeUnixNano": "1700000000000000000", "endTimeUnixNano": "1700000003000000000",
         "attributes": [text("gen_ai.operation.name", "invoke_agent"), attribute("gen_ai.usage.input_tokens", json!({"intValue": "150"})),
                        text("question_id", "61")], "status": {}},
        {"traceId": "0a", "spanId": "03", "parentSpanId": "01", "name": "execute_tool query_tool",
         "startTimeUnixNano": "1700000002000000000", "endTimeUnixNano": 1700000002500000000_u64,
         "attributes": [text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", "query_tool"),
                        text("db.query.text", "SELECT 1"), text("team.colour", "red")], "status": {"code": 1}},
        {"traceId": "0a", "spanId": "02", "parentSpanId": "01", "name": "execute_tool atlas_graphql",
         "startTimeUnixNano": "1700000000500000000", "endTimeUnixNano": "1700000001250000000",
         "attributes": [text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", "atlas_graphql"),
                        text("gen_ai.tool.call.arguments", "{\"country\": 404}"), text("error.type", "timeout"),
                        attribute("budget_remaining", json!({"intValue": 6}))]},
        {"traceId": "0a", "spanId": "04", "parentSpanId": "01", "name": "chat m",
         "startTimeUnixNano": "1700000002500000000", "endTimeUnixNano": "1700000002900000000",
         "attributes": [text("gen_ai.operation.name", "chat"), text("gen_ai.request.model", "m"),
                        attribute("gen_ai.usage.input_tokens", json!({"intValue": 150})), attribute("gen_ai.usage.output_tokens", json!({"intValue": "25"}))]}
    ]}]}]})
}

#[test]
fn spans_become_tools_nodes_and_tokens() {
    let trace = read(spans());
    assert_eq!(
        (trace.question_id.as_str(), trace.total_duration_ms, trace.error.as_deref()),
        ("61", 3000, None)
    );
    assert_eq!(trace.tool_calls, ["atlas_graphql", "query_tool"], "in the order in which they began");
    let calls = trace.calls.clone().unwrap();
    assert_eq!(
        (calls[0].failed, calls[0].budget, &calls[0].arguments["country"]),
        (Some(true), Some(6), &json!(404))
    );
    assert_eq!(calls[1].failed, Some(false));
    assert_eq!(
        trace.node_sequence,
        ["execute_tool atlas_graphql", "execute_tool query_tool", "chat m", "invoke_agent atlas"]
    );
    let nodes: Vec<_> =
        trace.node_traces.iter().map(|node| (node.start_time, node.duration_ms, node.parent)).collect();
    assert_eq!(nodes, [(0.5, 750, Some(3)), (2.0, 500, Some(3)), (2.5, 400, Some(3)), (0.0, 3000, None)]);
    assert_eq!(trace.node_traces[2].model.as_deref(), Some("m"));
    // the span of the agent repeats what its model calls used
    assert_eq!(trace.usage, Some(TokenUsage { input_tokens: 150, output_tokens: 25 }));
    assert_eq!(trace.pipeline_sql.as_deref(), Some("SELECT 1"));
    assert_eq!(trace.unknown_keys, ["attributes.team.colour"]);
}

#[test]
fn a_turn_summary_says_what_was_done_and_not_which_tools() {
    let trace = read(json!({
        "entities": {"country": "Kenya"}, "resolved_ids": {"country_id": 404}, "queries": [{"sql": "SELECT 1", "rows": []}, {"sql": ""}],
        "graphql_summaries": [{"classification": {"query_type": "reject"}, "links": [{"url": "https://a"}], "weight": 1}],
        "total_execution_time_ms": 40
    }));
    assert_eq!((trace.pipeline_sql.as_deref(), trace.total_duration_ms), (Some("SELECT 1"), 40));
    assert_eq!(trace.graphql_classification, Some(json!({"query_type": "reject"})));
    assert_eq!(trace.trajectory(), None);
    assert_eq!(trace.unknown_keys, ["graphql_summaries[].weight"]);
}

#[test]
fn stream_events_of_a_graph_give_its_nodes() {
    let event = |event: &str, name: &str, node: &str, at: f64| json!({"event": event, "name": name, "run_id": name, "metadata": {"langgraph_node": node}, "timestamp": at});
    let trace = read(json!({"messages": [], "events": [
        event("on_chain_start", "agent", "agent", 100.0), event("on_chain_start", "RunnableSequence", "agent", 100.1),
        event("on_chain_end", "RunnableSequence", "agent", 100.4), event("on_chain_end", "agent", "agent", 100.5)
    ]}));
    assert_eq!((trace.node_sequence, trace.node_traces[0].duration_ms), (vec!["agent".to_owned()], 500));
    assert_eq!(trace.calls, Some(Vec::new()), "the messages show that no tool was called");
    let updates = read(json!({"messages": [], "events": [{"agent": {}}, {"execute_sql": {}}]}));
    assert_eq!(updates.node_sequence, ["agent", "execute_sql"]);
    assert_eq!(latency_by_node([&updates]).len(), 0, "no time, no latency");
}

#[test]
fn what_is_not_recognised_is_named() {
    assert!(complaint(json!({"steps": [], "agent": 1})).contains("`steps`, `agent`"));
    assert!(complaint(json!("atlas_graphql")).contains("found a text"));
    assert!(complaint(json!({"tool_calls": 3})).contains("expected a list"));
    assert!(
        complaint(json!({"tool_calls": [{"name": "a", "budget_remaining": "few"}]}))
            .contains("budget of \"a\"")
    );
    assert!(complaint(json!({"messages": [{"type": "robot", "content": ""}]})).contains("robot"));
    assert!(complaint(json!({"messages": {}})).contains("`messages` is an object"));
    let mut two = spans();
    two["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["traceId"] = json!("0b");
    assert!(complaint(two).contains("2 traces"));
    let mut timeless = spans();
    timeless["resourceSpans"][0]["scopeSpans"][0]["spans"][1]["endTimeUnixNano"] = Value::Null;
    assert!(complaint(timeless).contains("execute_tool query_tool"));
}

/// `budget_remaining` of a record reaches the check of the budget, from every format that names calls.
#[test]
fn section_2_a_spent_budget_is_checked_in_every_format() {
    let mut state = state();
    state["values"]["messages"][4]["tool_calls"][0]["budget_remaining"] = json!(5);
    let mut spans = spans();
    spans["resourceSpans"][0]["scopeSpans"][0]["spans"][2]["attributes"][4]["value"] =
        json!({"intValue": "5"});
    let plain = json!({"tool_calls": [{"name": "atlas_graphql", "budget_remaining": 5}]});
    let registry = crate::scoring::scorers::builtin();
    let case = read_case(Path::new("case.yaml"), "{mode: auto}", &registry, &["route_checks"], 1.0).unwrap();
    for record in [plain, state, spans] {
        let output = AgentOutput { trajectory: read(record).trajectory(), ..AgentOutput::default() };
        let result = run_case(&case, Some(&output), &registry);
        let reason = result.scorers[0].score.reasons.join("; ");
        assert_eq!(result.scorers[0].score.value, Some(0.0), "{reason}");
        assert!(reason.contains("atlas_graphql with a budget of 5"), "{reason}");
    }
}

#[test]
fn the_summary_for_a_judge_is_short_and_plain() {
    assert_eq!(
        read(state()).summary(&DataTools::default()),
        "Tools called, in order: atlas_graphql (failed), query_tool\nData came from: GraphQL and SQL\n\
         Classified as: {\"query_type\":\"treemap_products\",\"api_target\":\"explore\"}\nEntities: {\"country\":\"Kenya\"}\n\
         Resolved to: {\"country_id\":404}\nSQL: SELECT 1\nLinks: https://atlas.hks.harvard.edu/countries/404"
    );
    let long = ExecutionTrace { pipeline_sql: Some("SELECT x, ".repeat(1000)), ..ExecutionTrace::default() };
    assert!(long.summary(&DataTools::default()).chars().count() < 500);
    assert_eq!(ExecutionTrace::default().summary(&DataTools::default()), "");
}

#[test]
fn section_5_1_latency_is_that_of_every_node_over_all_runs() {
    let of = |times: &[u64]| ExecutionTrace {
        node_traces: times
            .iter()
            .map(|ms| NodeTrace { node_name: "agent".into(), duration_ms: *ms, ..NodeTrace::default() })
            .collect(),
        ..ExecutionTrace::default()
    };
    let traces = [of(&[100, 0]), of(&[200, 300, 400])];
    let agent = latency_by_node(&traces)["agent"];
    // position 3 · 0.95 = 2.85 of 100, 200, 300, 400
    assert_eq!((agent.n, agent.p50), (4, 250.0));
    assert!((agent.p95 - 385.0).abs() < 1e-9 && (agent.p99 - 397.0).abs() < 1e-9);
}

#[test]
fn section_5_1_the_pipeline_is_that_of_tools_nodes_or_sql() {
    let tools = DataTools::default();
    let of = |calls: &[&str], nodes: &[&str]| {
        let trace = ExecutionTrace {
            tool_calls: calls.iter().map(ToString::to_string).collect(),
            node_sequence: nodes.iter().map(ToString::to_string).collect(),
            ..ExecutionTrace::default()
        };
        trace.pipeline(&tools)
    };
    assert_eq!(of(&["atlas_graphql"], &[]), Pipeline::Graphql);
    assert_eq!(of(&[], &["execute_sql"]), Pipeline::Sql);
    assert_eq!(of(&["query_tool"], &["build_and_execute_graphql"]), Pipeline::Mixed);
    assert_eq!(of(&["docs_tool"], &[]), Pipeline::None);
    assert_eq!(of(&[], &[]), Pipeline::Unknown);
}
