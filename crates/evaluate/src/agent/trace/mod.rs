//! How an agent came to its answer: the trace of evaluation strategy 5.1, read from whatever the agent records.
//! The format is recognised by its shape; `keys.rs` lists every key that is read, and what else a record holds is named.

mod keys;
mod otlp;
mod plain;
mod read;
mod result;
mod state;
mod summary;
#[cfg(test)]
mod tests;
mod turn;

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scoring::stats::{Percentiles, percentiles};
use crate::scoring::tools::{DataTools, ToolCall, Trajectory};
use crate::truth::Pipeline;

pub(super) use result::is_result;
pub(super) use turn::{TurnReader, message_text};

/// What one run of the agent did (evaluation strategy 5.1, `ExecutionTrace`). Reading one takes any of the formats of
/// `docs/reference/traces.md`; it is written in the plain one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, try_from = "Value")]
pub struct ExecutionTrace {
    /// The question.
    pub question_id: String,
    /// Names of the tools that were called, in order of their first call, each as often as it was called.
    pub tool_calls: Vec<String>,
    /// Nodes in the order in which they finished.
    pub node_sequence: Vec<String>,
    /// Times of the nodes.
    pub node_traces: Vec<NodeTrace>,
    /// How the question was classified.
    pub graphql_classification: Option<Value>,
    /// Entities that were found in it.
    pub graphql_entities: Option<Value>,
    /// Their ids.
    pub graphql_resolved_params: Option<Value>,
    /// Links to pages of the Atlas.
    pub atlas_links: Vec<Value>,
    /// The SQL that was run.
    pub pipeline_sql: Option<String>,
    /// From question to answer.
    pub total_duration_ms: u64,
    /// What went wrong.
    pub error: Option<String>,
    /// The same calls as `tool_calls` with their arguments, failures and budget; nothing where the record does not say which tools
    /// were called, an empty list where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<ToolCall>>,
    /// Tokens of the whole run; nothing when they were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// What the run cost in US dollars, as the agent says itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<Decimal>,
    /// Keys of the record that no reader knows, each once, by their path: `messages[].mood`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_keys: Vec<String>,
}

/// One node's run (evaluation strategy 5.1, `NodeTrace`). Times are seconds since the question was sent; all are 0 where the record
/// does not give them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct NodeTrace {
    /// The node.
    pub node_name: String,
    /// When it began.
    pub start_time: f64,
    /// When it ended.
    pub end_time: f64,
    /// How long it took.
    pub duration_ms: u64,
    /// How much of that it waited for models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm_time_ms: Option<u64>,
    /// How much of that it waited for data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub io_time_ms: Option<u64>,
    /// The position in `node_traces`, from 0, of the node that it ran within.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// The model that it called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens of its model calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
}

impl NodeTrace {
    /// A run from second to second.
    pub(super) fn between(name: &str, start: f64, end: f64) -> Self {
        Self {
            node_name: name.to_owned(),
            start_time: start,
            end_time: end,
            duration_ms: ((end - start).max(0.0) * 1000.0).round() as u64,
            ..Self::default()
        }
    }

    /// Whether the record says how long it took.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.duration_ms > 0 || self.end_time > self.start_time
    }
}

/// Tokens of model calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct TokenUsage {
    /// Tokens that were sent.
    pub input_tokens: u64,
    /// Tokens that came back.
    pub output_tokens: u64,
}

impl TokenUsage {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }
}

/// Latency of every node over many traces, in milliseconds, by its name. Runs without a time are left out; a node that contains
/// others includes their time.
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

impl ExecutionTrace {
    /// The pipeline that the data came from, by tools, nodes and SQL; unknown when the trace holds none of them.
    #[must_use]
    pub fn pipeline(&self, tools: &DataTools) -> Pipeline {
        let called = |names: &[String]| self.tool_calls.iter().any(|call| names.contains(call));
        let ran = |node: &str| self.node_sequence.iter().any(|name| name == node);
        let is_answered = !turn::is_unanswered(self);
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

    /// The calls as the scorers of tools take them; nothing when the record does not say which tools were called.
    #[must_use]
    pub fn trajectory(&self) -> Option<Trajectory> {
        let calls = self.calls.clone()?;
        Some(Trajectory { calls, unknown_keys: self.unknown_keys.clone() })
    }

    /// Addresses among the links.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        self.atlas_links
            .iter()
            .filter_map(|link| link.as_str().or_else(|| link.get("url").and_then(Value::as_str)))
            .map(str::to_owned)
            .collect()
    }
}
