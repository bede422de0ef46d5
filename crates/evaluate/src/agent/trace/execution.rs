//! An agent's run: its tools, nodes, times and tokens.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scoring::stats::{Percentiles, percentiles};
use crate::scoring::tools::{DataTools, ToolCall, Trajectory};
use crate::token_usage::TokenUsage;
use crate::truth::Pipeline;

/// An agent's run (evaluation strategy 5.1, `ExecutionTrace`). It can be read from any format of
/// `docs/reference/traces.md`, and is written in the plain one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(default)]
pub struct ExecutionTrace {
    /// The question.
    pub question_id: String,
    /// The names of called tools, ordered by first call and repeated once per call.
    pub tool_calls: Vec<String>,
    /// The nodes, in the order in which they finished.
    pub node_sequence: Vec<String>,
    /// The timings of the nodes.
    pub node_traces: Vec<NodeTrace>,
    /// The classification of the question.
    pub graphql_classification: Option<Value>,
    /// The entities found in the question.
    pub graphql_entities: Option<Value>,
    /// The resolved ids of these entities.
    pub graphql_resolved_params: Option<Value>,
    /// Links to pages of the Atlas.
    pub atlas_links: Vec<Value>,
    /// The executed SQL.
    pub pipeline_sql: Option<String>,
    /// The time from question to answer.
    pub total_duration_ms: u64,
    /// The error.
    pub error: Option<String>,
    /// The calls in `tool_calls` with arguments, failures and budget. None if the record does not
    /// list tools, empty if no tool was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<ToolCall>>,
    /// Tokens of the whole run; none if they were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// The cost in US dollars, as stated by the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<Decimal>,
    /// The paths of unknown keys in the record, each once: `messages[].mood`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_keys: Vec<String>,
}

impl ExecutionTrace {
    /// The pipeline of the data, from tools, nodes and SQL; unknown if the trace has none of these.
    #[must_use]
    pub fn pipeline(&self, tools: &DataTools) -> Pipeline {
        let called = |names: &[String]| self.tool_calls.iter().any(|call| names.contains(call));
        let ran = |node: &str| self.node_sequence.iter().any(|name| name == node);
        let is_answered = !self.is_unanswered();
        let graphql = is_answered && (called(&tools.graphql) || ran("build_and_execute_graphql"));
        let sql = called(&tools.sql) || ran("execute_sql") || self.pipeline_sql.is_some();
        match (graphql, sql) {
            (true, true) => Pipeline::Mixed,
            (true, false) => Pipeline::Graphql,
            (false, true) => Pipeline::Sql,
            (false, false) if self.calls.is_some() || !self.tool_calls.is_empty() => Pipeline::None,
            (false, false) if self.node_sequence.is_empty() => Pipeline::Unknown,
            (false, false) => Pipeline::None,
        }
    }

    /// Whether the API pipeline rejected the question or got no data.
    pub(super) fn is_unanswered(&self) -> bool {
        let said = |key: &str| self.graphql_classification.as_ref()?.get(key)?.as_bool();
        let is_built = self.node_sequence.iter().any(|node| node == "build_and_execute_graphql");
        said("is_rejected") == Some(true) && !is_built || said("success") == Some(false)
    }

    /// The calls in the form that the tool scorers take; none if the record does not list tools.
    #[must_use]
    pub fn trajectory(&self) -> Option<Trajectory> {
        let calls = self.calls.clone()?;
        Some(Trajectory { calls, unknown_keys: self.unknown_keys.clone() })
    }

    /// The addresses in the links.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        self.atlas_links
            .iter()
            .filter_map(|link| link.as_str().or_else(|| link.get("url").and_then(Value::as_str)))
            .map(str::to_owned)
            .collect()
    }
}

/// The run of a node (evaluation strategy 5.1, `NodeTrace`). Times are in seconds since the
/// question was sent, or 0 if unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct NodeTrace {
    /// The node.
    pub node_name: String,
    /// The start.
    pub start_time: f64,
    /// The end.
    pub end_time: f64,
    /// The duration.
    pub duration_ms: u64,
    /// The part spent waiting for models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm_time_ms: Option<u64>,
    /// The part spent waiting for data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub io_time_ms: Option<u64>,
    /// The index in `node_traces` of the enclosing node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens of its model calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
}

impl NodeTrace {
    /// The run of a node between two times.
    pub(super) fn between(name: &str, start: f64, end: f64) -> Self {
        Self {
            node_name: name.to_owned(),
            start_time: start,
            end_time: end,
            duration_ms: ((end - start).max(0.0) * 1000.0).round() as u64,
            ..Self::default()
        }
    }

    /// Whether the record has its duration.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.duration_ms > 0 || self.end_time > self.start_time
    }
}

/// The latency of every node over many traces, in milliseconds, by node name. Runs without a time
/// are skipped. A node includes the time of its nested nodes.
#[must_use]
pub(crate) fn latency_by_node<'a>(
    traces: impl IntoIterator<Item = &'a ExecutionTrace>,
) -> BTreeMap<String, Percentiles> {
    let mut runs: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for node in traces.into_iter().flat_map(|trace| &trace.node_traces).filter(|node| node.is_timed()) {
        runs.entry(&node.node_name).or_default().push(node.duration_ms as f64);
    }
    runs.into_iter().filter_map(|(name, times)| Some((name.to_owned(), percentiles(&times)?))).collect()
}
