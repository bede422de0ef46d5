//! How an agent came to its answer: the trace of evaluation strategy 5.1.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scoring::tools::DataTools;
use crate::truth::Pipeline;

/// What one run of the agent did (evaluation strategy 5.1, `ExecutionTrace`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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
}

/// One node's run (evaluation strategy 5.1, `NodeTrace`). Times are seconds since the question was sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
}

impl ExecutionTrace {
    /// The pipeline that the data came from, by tools, nodes and SQL; unknown when the trace holds none of them.
    #[must_use]
    pub fn pipeline(&self, tools: &DataTools) -> Pipeline {
        let called = |names: &[String]| self.tool_calls.iter().any(|call| names.contains(call));
        let ran = |node: &str| self.node_sequence.iter().any(|name| name == node);
        let graphql = called(&tools.graphql) || ran("build_and_execute_graphql");
        let sql = called(&tools.sql) || ran("execute_sql") || self.pipeline_sql.is_some();
        match (graphql, sql) {
            (true, true) => Pipeline::Mixed,
            (true, false) => Pipeline::Graphql,
            (false, true) => Pipeline::Sql,
            (false, false) if self.tool_calls.is_empty() && self.node_sequence.is_empty() => {
                Pipeline::Unknown
            }
            (false, false) => Pipeline::None,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pipeline_is_told_by_tools_nodes_or_sql() {
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
}
