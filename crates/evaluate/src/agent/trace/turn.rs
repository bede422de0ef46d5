//! Ask-Atlas: the events of its stream as they come, and its summary of a turn.

use serde_json::{Value, json};

use super::keys::{Fields, Place, Unknown};
use super::{ExecutionTrace, NodeTrace};
use crate::scoring::tools::ToolCall;

static TURN: Place = Place {
    path: "",
    keys: &[
        ("entities", "entities that were found in the question"),
        ("resolved_params", "their ids"),
        ("resolved_ids", "the same"),
        ("queries", "the SQL that was run"),
        ("graphql_summaries", "one object a GraphQL call"),
        ("atlas_links", "links to pages of the Atlas"),
        ("total_execution_time_ms", "from question to answer, in milliseconds, where nothing was measured"),
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
        ("classification", "how the question was classified"),
        ("entities", "entities that were found in it"),
        ("links", "links to pages of the Atlas"),
    ],
    unused: &["api_target", "execution_time_ms", "query"],
};

/// What is read of a summary.
#[cfg(test)]
pub(super) static PLACES: &[&Place] = &[&TURN, &QUERY, &SUMMARY];

/// A record with any of these is a turn summary.
pub(super) const MARKS: &[&str] =
    &["queries", "graphql_summaries", "resolved_params", "resolved_ids", "docs_consulted"];

/// Reads a turn summary alone. It names no tools, so which were called stays unknown.
pub(super) fn read(value: &Value) -> Result<ExecutionTrace, String> {
    let mut reader = TurnReader::default();
    reader.turn(value)?;
    Ok(reader.finish())
}

/// What stream and summary have said so far.
#[derive(Debug, Default)]
pub(crate) struct TurnReader {
    trace: ExecutionTrace,
    /// Names and counts of `done.tool_call_counts`, in its order.
    counted: Option<Vec<String>>,
    /// Tools in the order of their calls, where the stream names them.
    called: Vec<String>,
    started: Vec<(String, f64)>,
    sql: Vec<String>,
    unknown: Unknown,
}

impl TurnReader {
    /// One event of the stream, `at` so many seconds since the question was sent. Others than those that say something of the
    /// run pass by.
    pub(crate) fn event(&mut self, name: &str, data: &Value, at: f64) {
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        match name {
            "tool_call" => {
                let named = text("tool").or_else(|| text("name")).or_else(|| text("content"));
                self.called.extend(named.map(str::to_owned));
            }
            "node_start" => {
                if let Some(node) = text("node").or_else(|| text("stage")) {
                    self.started.push((node.to_owned(), at));
                }
            }
            "pipeline_state" => self.state(data, at),
            "atlas_links" => self.link(data.get("atlas_links")),
            "done" => {
                let counts = data.get("tool_call_counts").and_then(Value::as_object);
                self.counted = counts.map(|counts| {
                    let times =
                        |count: &Value| usize::try_from(count.as_u64().unwrap_or(1)).unwrap_or(1).min(1000);
                    let each =
                        counts.iter().map(|(tool, count)| std::iter::repeat_n(tool.clone(), times(count)));
                    each.flatten().collect()
                });
            }
            _ => {}
        }
    }

    fn state(&mut self, data: &Value, at: f64) {
        let Some(stage) = data.get("stage").or_else(|| data.get("node")).and_then(Value::as_str) else {
            return;
        };
        let begun = self.started.iter().rposition(|(node, _)| node == stage);
        let start = begun.map_or(at, |position| self.started.remove(position).1);
        self.trace.node_traces.push(NodeTrace::between(stage, start, at));
        let some = |key: &str| data.get(key).filter(|value| !value.is_null()).cloned();
        let trace = &mut self.trace;
        if data.get("query_type").is_some() {
            trace.graphql_classification = Some(json!({
                "query_type": some("query_type"),
                "is_rejected": some("is_rejected"),
                "api_target": some("api_target"),
            }));
        }
        trace.graphql_classification = some("classification").or_else(|| trace.graphql_classification.take());
        trace.graphql_entities = some("entities").or_else(|| trace.graphql_entities.take());
        trace.graphql_resolved_params =
            some("resolved_params").or_else(|| trace.graphql_resolved_params.take());
        self.query(data.get("sql").and_then(Value::as_str));
        self.link(data.get("atlas_links"));
    }

    /// The summary of the turn: what the stream has said stands.
    ///
    /// # Errors
    /// A value of another kind than expected, with its key.
    pub(crate) fn turn(&mut self, turn: &Value) -> Result<(), String> {
        let turn = Fields::open(&TURN, turn, &mut self.unknown)?;
        self.link(turn.get("atlas_links"));
        fill(&mut self.trace.graphql_entities, turn.get("entities"));
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
            fill(&mut self.trace.graphql_entities, summary.get("entities"));
            self.link(summary.get("links"));
        }
        Ok(())
    }

    /// The trace of all that was said.
    pub(crate) fn finish(mut self) -> ExecutionTrace {
        // the counts say which tools; the order is that of the stream, where it names the same
        let named = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let calls = match self.counted {
            Some(counted) if named(counted.clone()) == named(self.called.clone()) => Some(self.called),
            Some(counted) => Some(counted),
            None => Some(self.called).filter(|called| !called.is_empty()),
        };
        let trace = &mut self.trace;
        trace.calls = calls.as_ref().map(|calls| calls.iter().map(|name| ToolCall::named(name)).collect());
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
