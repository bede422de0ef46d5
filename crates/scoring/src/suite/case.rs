//! A suite and its cases, with all defaults resolved.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::file::InputFile;
use crate::json::Numbers;
use crate::text::Facts;
use crate::tools::{DataTools, ExpectedTool, MatchSpec, Mode};

/// A checked suite with its defaults resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// The suite's purpose.
    pub description: Option<String>,
    /// Its cases.
    pub cases: Vec<SuiteCase>,
}

/// A scorer of a case. Older runs have it as a list of name and configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfiguredScorer {
    /// Its name.
    pub name: String,
    /// Its configuration; `null` for none.
    pub config: Value,
}

/// A case with its settings resolved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SuiteCase {
    /// Its name.
    pub name: String,
    /// The agent's input.
    pub input: InputFile,
    /// The page or country that the case is about.
    pub cluster: Option<String>,
    /// Tools that the agent should call.
    pub expected_tools: Option<Vec<String>>,
    /// Tools that the agent should call in this order.
    pub expected_tool_sequence: Option<Vec<String>>,
    /// The route that the question calls for.
    pub expected_tool: Option<ExpectedTool>,
    /// Expected calls with their arguments.
    pub expected_calls: Option<MatchSpec>,
    /// Phrases that the answer should contain.
    pub expected_output_contains: Vec<String>,
    /// The value that the answer should state.
    pub expected_value: Option<String>,
    /// The JSON object that the answer should equal.
    pub expected_output: Option<serde_json::Map<String, Value>>,
    /// Expected facts, sections and sources.
    pub expected_facts: Option<Facts>,
    /// The page that the answer should link to.
    pub expected_url: Option<String>,
    /// The scorers with their configuration.
    pub scorers: Vec<ConfiguredScorer>,
    /// The minimum score of every scorer.
    pub min_score: f64,
    /// How to compare numbers that have no strategy.
    pub numbers: Numbers,
    /// Names of the tools that fetch data.
    pub data_tools: DataTools,
    /// The agent's mode.
    pub mode: Mode,
}

impl SuiteCase {
    /// What it expects, by key: `expected_value`, `expected_tools`, …
    #[must_use]
    pub fn expectations(&self) -> Vec<(String, Value)> {
        let Ok(Value::Object(keys)) = serde_json::to_value(self) else { return Vec::new() };
        let is_set = |value: &Value| match value {
            Value::Null => false,
            Value::Array(items) => !items.is_empty(),
            _ => true,
        };
        keys.into_iter().filter(|(key, value)| key.starts_with("expected_") && is_set(value)).collect()
    }
}
