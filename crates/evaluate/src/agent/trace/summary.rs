//! A trace in a few lines, for people and for a judge of the data source.

use serde_json::Value;

use super::execution::ExecutionTrace;
use crate::scoring::tools::DataTools;
use crate::truth::Pipeline;

/// The maximum length of a quoted query or object, in characters.
const MAX_QUOTE: usize = 400;

impl ExecutionTrace {
    /// One line per topic: tools, data source, classification, entities, ids, SQL, links, error.
    /// Missing topics are omitted.
    #[must_use]
    pub fn summary(&self, tools: &DataTools) -> String {
        let mut lines = Vec::new();
        match &self.calls {
            Some(calls) if calls.is_empty() => lines.push("Tools called: none".to_owned()),
            Some(calls) => {
                let each: Vec<String> = calls
                    .iter()
                    .map(|call| match call.failed {
                        Some(true) => format!("{} (failed)", call.name),
                        _ => call.name.clone(),
                    })
                    .collect();
                lines.push(format!("Tools called, in order: {}", each.join(", ")));
            }
            None => {}
        }
        let source = match self.pipeline(tools) {
            Pipeline::Graphql => Some("GraphQL"),
            Pipeline::Sql => Some("SQL"),
            Pipeline::Mixed => Some("GraphQL and SQL"),
            Pipeline::None => Some("no data tool"),
            Pipeline::Unknown => None,
        };
        lines.extend(source.map(|source| format!("Data came from: {source}")));
        let mut object = |label: &str, value: &Option<Value>| {
            lines.extend(value.as_ref().map(|value| format!("{label}: {}", quoted(&value.to_string()))));
        };
        object("Classified as", &self.graphql_classification);
        object("Entities", &self.graphql_entities);
        object("Resolved to", &self.graphql_resolved_params);
        lines.extend(self.pipeline_sql.as_ref().map(|sql| format!("SQL: {}", quoted(sql))));
        let links = self.addresses();
        if !links.is_empty() {
            lines.push(format!("Links: {}", quoted(&links.join(", "))));
        }
        lines.extend(self.error.as_ref().map(|error| format!("Error: {}", quoted(error))));
        lines.join("\n")
    }
}

/// The start of a text, on one line.
fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_QUOTE {
        return line;
    }
    let start: String = line.chars().take(MAX_QUOTE).collect();
    format!("{start}…")
}
