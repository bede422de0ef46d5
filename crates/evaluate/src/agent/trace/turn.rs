//! Ask-Atlas: its stream events, and its summary of a turn.

use rust_decimal::Decimal;
use serde_json::Value;

use super::execution::{ExecutionTrace, NodeTrace};
use super::keys::{Fields, Place, Unknown};
use crate::scoring::tools::{DataTools, ToolCall};
use crate::token_usage::TokenUsage;

static TURN: Place = Place {
    path: "",
    keys: &[
        ("entities", "entities found in the question"),
        ("resolved_params", "their ids"),
        ("resolved_ids", "the same"),
        ("queries", "the executed SQL"),
        ("graphql_summaries", "one object per GraphQL call"),
        ("atlas_links", "links to pages of the Atlas"),
        ("total_execution_time_ms", "from question to answer, in milliseconds, if nothing was measured"),
    ],
    unused: &[
        "docs_consulted",
        "graphql_call_details",
        "pipeline_steps",
        "sql_call_details",
        "total_graphql_time_ms",
        "total_rows",
    ],
};

static QUERY: Place = Place {
    path: "queries[].",
    keys: &[("sql", "the SQL")],
    unused: &["columns", "execution_time_ms", "row_count", "rows", "schema_name", "tables"],
};

static SUMMARY: Place = Place {
    path: "graphql_summaries[].",
    keys: &[
        ("classification", "the classification of the question"),
        ("entities", "entities found in the question"),
        ("links", "links to pages of the Atlas"),
    ],
    unused: &["api_target", "execution_time_ms", "query"],
};

/// The keys of a summary.
#[cfg(test)]
pub(super) static PLACES: &[&Place] = &[&TURN, &QUERY, &SUMMARY];

/// Any of these keys marks a turn summary.
pub(super) const MARKS: &[&str] =
    &["queries", "graphql_summaries", "resolved_params", "resolved_ids", "docs_consulted"];

/// Parses a turn summary alone. It names no tools, so the calls stay unknown.
pub(super) fn read(value: &Value) -> Result<ExecutionTrace, String> {
    let mut reader = TurnReader::default();
    reader.turn(value)?;
    Ok(reader.finish())
}

/// The server's message for a call that did not run: of parallel calls it runs only the first.
pub(super) const NEVER_RAN: &str = "Only one query can be executed at a time";

/// The stages that show a tool running, with the tool.
const STAGES: [(&str, &str); 3] =
    [("extract_graphql_question", "graphql"), ("execute_sql", "sql"), ("retrieve_docs", "docs")];

/// Collects a trace from the stream and the summary.
#[derive(Debug, Default)]
pub(crate) struct TurnReader {
    trace: ExecutionTrace,
    /// `done.tool_call_counts`, in its order.
    counted: Option<Vec<(String, usize)>>,
    /// The called tools in order, if the stream names them.
    called: Vec<String>,
    /// The calls that the server counted but did not make.
    never_ran: usize,
    /// Running nodes, by index in the trace.
    running: Vec<usize>,
    /// The [`STAGES`] seen, in order.
    ran: Vec<&'static str>,
    sql: Vec<String>,
    unknown: Unknown,
}

impl TurnReader {
    /// Reads an event of the stream, `at` this many seconds since the question was sent. Unrelated
    /// events are ignored.
    pub(crate) fn event(&mut self, name: &str, data: &Value, at: f64) {
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        match name {
            // `content` repeats earlier text and is not a name
            "tool_call" => self.called.extend(text("tool").or_else(|| text("name")).map(str::to_owned)),
            "tool_output" if message_text(data.get("content")).contains(NEVER_RAN) => self.never_ran += 1,
            "node_start" => {
                if let Some(node) = text("node").or_else(|| text("stage")) {
                    self.running.push(self.trace.node_traces.len());
                    self.trace.node_traces.push(NodeTrace::between(node, at, at));
                }
            }
            "pipeline_state" => self.state(data, at),
            "atlas_links" => {
                let lists = [data.get("atlas_links"), data.get("links"), data.get("content"), Some(data)];
                self.link(lists.into_iter().flatten().find(|list| list.is_array()));
            }
            "done" => self.done(data, at),
            _ => {}
        }
    }

    fn state(&mut self, data: &Value, at: f64) {
        let Some(stage) = data.get("stage").or_else(|| data.get("node")).and_then(Value::as_str) else {
            return;
        };
        self.ran.extend(STAGES.iter().filter(|(known, _)| *known == stage).map(|(_, tools)| *tools));
        let nodes = &mut self.trace.node_traces;
        match self.running.iter().rposition(|node| nodes[*node].node_name == stage) {
            Some(position) => {
                let node = &mut nodes[self.running.remove(position)];
                *node = NodeTrace::between(stage, node.start_time, at);
            }
            None => nodes.push(NodeTrace::between(stage, at, at)),
        }
        let some = |key: &str| data.get(key).filter(|value| !value.is_null()).cloned();
        let trace = &mut self.trace;
        classify(trace, data);
        trace.graphql_classification = some("classification").or_else(|| trace.graphql_classification.take());
        if stage.contains("graphql") || data.get("query_type").is_some() {
            trace.graphql_entities =
                some("entities").filter(is_of_graphql).or_else(|| trace.graphql_entities.take());
        }
        let ids = some("resolved_ids").or_else(|| some("resolved_params"));
        trace.graphql_resolved_params = ids.or_else(|| trace.graphql_resolved_params.take());
        self.query(data.get("sql").and_then(Value::as_str));
        self.link(data.get("atlas_links"));
    }

    /// Reads the server's own counts.
    fn done(&mut self, data: &Value, at: f64) {
        for node in self.running.drain(..) {
            let node = &mut self.trace.node_traces[node];
            *node = NodeTrace::between(&node.node_name, node.start_time, at);
        }
        if let Some(counts) = data.get("tool_call_counts").and_then(Value::as_object) {
            self.counted = Some(counted(counts));
        }
        self.trace.usage = tokens(data);
        self.trace.cost_usd = cost(data);
        if let Some(timing) = data.get("step_timing") {
            times(timing.get("by_node").unwrap_or(timing), &mut self.trace);
        }
    }

    /// Reads the turn's summary. It never replaces values of the stream.
    ///
    /// # Errors
    /// A value has an unexpected type, with its key.
    pub(crate) fn turn(&mut self, turn: &Value) -> Result<(), String> {
        let turn = Fields::open(&TURN, turn, &mut self.unknown)?;
        self.link(turn.get("atlas_links"));
        fill(&mut self.trace.graphql_entities, turn.get("entities").filter(|found| is_of_graphql(found)));
        let params = turn.get("resolved_params").or_else(|| turn.get("resolved_ids"));
        fill(&mut self.trace.graphql_resolved_params, params);
        self.trace.total_duration_ms = turn.whole("total_execution_time_ms")?.unwrap_or_default();
        for query in turn.list("queries")? {
            let query = Fields::open(&QUERY, query, &mut self.unknown)?;
            self.query(query.text("sql")?);
        }
        for summary in turn.list("graphql_summaries")? {
            let summary = Fields::open(&SUMMARY, summary, &mut self.unknown)?;
            fill(&mut self.trace.graphql_classification, summary.get("classification"));
            fill(
                &mut self.trace.graphql_entities,
                summary.get("entities").filter(|found| is_of_graphql(found)),
            );
            self.link(summary.get("links"));
        }
        Ok(())
    }

    /// The complete trace.
    pub(crate) fn finish(mut self) -> ExecutionTrace {
        // the counts name the tools; their order comes from the stream if it names the same tools,
        // else from the stages
        let named = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let counted = self.counted.map(|mut counted| {
            leave_out(&mut counted, self.never_ran, &self.ran);
            counted.sort_by_key(|(tool, _)| {
                let first = self.ran.iter().position(|ran| *ran == kind_of(tool));
                first.unwrap_or(usize::MAX)
            });
            counted.into_iter().flat_map(|(tool, count)| std::iter::repeat_n(tool, count)).collect::<Vec<_>>()
        });
        let calls = match counted {
            Some(counted) if named(counted.clone()) == named(self.called.clone()) => Some(self.called),
            Some(counted) => Some(counted),
            None => Some(self.called).filter(|called| !called.is_empty()),
        };
        let trace = &mut self.trace;
        trace.calls = calls.as_ref().map(|calls| calls.iter().map(|name| ToolCall::named(name)).collect());
        mark_rejected(trace);
        trace.tool_calls = calls.unwrap_or_default();
        trace.node_sequence = trace.node_traces.iter().map(|node| node.node_name.clone()).collect();
        trace.pipeline_sql = (!self.sql.is_empty()).then(|| self.sql.join(";\n"));
        trace.unknown_keys = self.unknown.into_iter().collect();
        self.trace
    }

    fn link(&mut self, links: Option<&Value>) {
        for link in links.and_then(Value::as_array).into_iter().flatten() {
            if !self.trace.atlas_links.contains(link) {
                self.trace.atlas_links.push(link.clone());
            }
        }
    }

    fn query(&mut self, sql: Option<&str>) {
        if let Some(sql) = sql.filter(|sql| !sql.trim().is_empty())
            && !self.sql.iter().any(|known| known == sql)
        {
            self.sql.push(sql.to_owned());
        }
    }
}

fn fill(slot: &mut Option<Value>, value: Option<&Value>) {
    if slot.is_none() {
        *slot = value.cloned();
    }
}

/// The text of a message, from a string or a list of blocks.
pub(crate) fn message_text(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let text = |block: &Value| match block {
                Value::String(text) => Some(text.clone()),
                block => Some(block.get("text")?.as_str()?.to_owned()),
            };
            blocks.iter().filter_map(text).collect()
        }
        _ => String::new(),
    }
}

/// Whether entities come from the API pipeline. Those of the database pipeline name its schemas.
fn is_of_graphql(entities: &Value) -> bool {
    entities.get("schemas").is_none()
}

/// Reads the classification in an event. Missing parts keep their value.
fn classify(trace: &mut ExecutionTrace, data: &Value) {
    const KEYS: [&str; 5] = ["query_type", "is_rejected", "rejection_reason", "api_target", "success"];
    if data.get("query_type").is_none() && data.get("api_target").is_none() {
        return;
    }
    let mut known = match trace.graphql_classification.take() {
        Some(Value::Object(known)) => known,
        _ => serde_json::Map::new(),
    };
    for (key, value) in
        KEYS.iter().filter_map(|key| Some((*key, data.get(*key).filter(|value| !value.is_null())?)))
    {
        // one successful query is enough
        if key != "success" || known.get(key) != Some(&Value::Bool(true)) {
            known.insert(key.to_owned(), value.clone());
        }
    }
    trace.graphql_classification = Some(Value::Object(known));
}

/// Marks rejected calls as failed.
pub(super) fn mark_rejected(trace: &mut ExecutionTrace) {
    trace.node_sequence = trace.node_traces.iter().map(|node| node.node_name.clone()).collect();
    if trace.is_unanswered() {
        let calls = trace.calls.iter_mut().flatten().filter(|call| kind_of(&call.name) == "graphql");
        calls.for_each(|call| call.failed = Some(true));
    }
}

/// The pipeline of a tool, in the terms of [`STAGES`].
fn kind_of(tool: &str) -> &'static str {
    let tools = DataTools::default();
    let is = |names: &[String]| names.iter().any(|name| name == tool);
    match () {
        () if is(&tools.graphql) => "graphql",
        () if is(&tools.sql) => "sql",
        () => "docs",
    }
}

/// Removes calls that never ran from the counts of tools that were counted more often than seen
/// running.
fn leave_out(counted: &mut Vec<(String, usize)>, never_ran: usize, ran: &[&str]) {
    for _ in 0..never_ran {
        let surplus = |(tool, count): &(String, usize)| {
            let seen = ran.iter().filter(|ran| **ran == kind_of(tool)).count();
            count.saturating_sub(seen)
        };
        if let Some(most) = counted.iter_mut().max_by_key(|one| surplus(one)) {
            most.1 = most.1.saturating_sub(1);
        }
    }
    counted.retain(|(_, count)| *count > 0);
}

/// The tools with their number of calls.
pub(super) fn counted(counts: &serde_json::Map<String, Value>) -> Vec<(String, usize)> {
    let times = |count: &Value| usize::try_from(count.as_u64().unwrap_or(1)).unwrap_or(1).min(1000);
    counts.iter().map(|(tool, count)| (tool.clone(), times(count))).filter(|(_, count)| *count > 0).collect()
}

/// The tokens of a whole run, from `token_usage` or its `total`.
pub(super) fn tokens(data: &Value) -> Option<TokenUsage> {
    let usage = data.get("token_usage")?;
    let usage = usage.get("total").unwrap_or(usage);
    let whole = |key: &str| usage.get(key).and_then(Value::as_u64);
    let (input, output) = (whole("input_tokens"), whole("output_tokens"));
    input.or(output)?;
    Some(TokenUsage { input_tokens: input.unwrap_or_default(), output_tokens: output.unwrap_or_default() })
}

/// The cost of the run, as stated by the server.
pub(super) fn cost(data: &Value) -> Option<Decimal> {
    dollars(data.get("cost")?.get("total_cost_usd")?)
}

/// An amount, as number or text.
pub(super) fn dollars(cost: &Value) -> Option<Decimal> {
    let text = cost.as_str().map_or_else(|| cost.to_string(), str::to_owned);
    text.parse().or_else(|_| Decimal::from_scientific(&text)).ok()
}

/// Reads the node timings measured by the server: an object by node, or a list. Several runs of a
/// node share its time.
pub(super) fn times(timing: &Value, trace: &mut ExecutionTrace) {
    let by_name = timing.as_object().into_iter().flatten().map(|(node, times)| (node.as_str(), times));
    let listed = timing.as_array().into_iter().flatten();
    let listed = listed.filter_map(|times| Some((times.get("node")?.as_str()?, times)));
    for (node, times) in by_name.chain(listed) {
        let of = |keys: &[&str]| {
            keys.iter().find_map(|key| times.get(*key)?.as_f64()).map(|ms| ms.max(0.0).round() as u64)
        };
        let Some(wall) = of(&["wall_time_ms", "total_wall_time_ms", "wall_ms", "wall", "duration_ms"]) else {
            continue;
        };
        let (llm, io) = (
            of(&["llm_time_ms", "total_llm_time_ms", "llm_ms", "llm"]),
            of(&["io_time_ms", "total_io_time_ms", "io_ms", "io"]),
        );
        let mut runs: Vec<_> = trace.node_traces.iter_mut().filter(|run| run.node_name == node).collect();
        if timing.is_array() {
            // each list entry is one run
            runs.clear();
        }
        let share = runs.len().max(1) as u64;
        let set = |run: &mut NodeTrace| {
            run.duration_ms = wall / share;
            run.llm_time_ms = llm.map(|ms| ms / share);
            run.io_time_ms = io.map(|ms| ms / share);
        };
        if runs.is_empty() {
            // a node without time did not run
            if wall == 0 {
                continue;
            }
            let mut run = NodeTrace::between(node, 0.0, 0.0);
            set(&mut run);
            trace.node_traces.push(run);
        } else {
            runs.into_iter().for_each(set);
        }
    }
}
