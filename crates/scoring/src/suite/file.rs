//! The file format of a suite (scorers, "Scorer Configuration") and its JSON Schema.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use atlas_gt_core::document::Located;

use crate::json::Numbers;
use crate::text::Facts;
use crate::tools::{DataTools, ExpectedTool, MatchSpec, Mode};

/// A suite of cases.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Evaluation suite")]
pub struct SuiteFile {
    /// The suite's name.
    pub name: Located<String>,
    /// The suite's purpose.
    #[serde(default)]
    pub description: Option<String>,
    /// Scorers for every case that names none.
    #[serde(default)]
    pub default_scorers: Vec<Located<String>>,
    /// Minimum score of every scorer, 0 to 1. Default: 0.7.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub default_min_score: Option<Located<f64>>,
    /// Configuration of scorers by name. A case's own configuration overrides it key by key.
    #[serde(default)]
    pub scorer_config: BTreeMap<String, Located<Value>>,
    /// How the `json` scorer compares numbers that have no strategy.
    #[serde(default)]
    pub numbers: Numbers,
    /// Names of the tools that fetch data.
    #[serde(default)]
    pub data_tools: DataTools,
    /// The cases.
    pub cases: Located<Vec<Located<CaseFile>>>,
}

/// A case. In a suite it needs a name and an input; for `score tools` both are optional.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["name", "input"]))]
pub struct CaseFile {
    /// The case's name, unique in the suite. Answers refer to it.
    #[schemars(with = "String")]
    pub name: Option<Located<String>>,
    /// The agent's input.
    #[schemars(with = "InputFile")]
    pub input: Option<Located<InputFile>>,
    /// The page or country that the case is about. Scores within one cluster are correlated.
    #[serde(default)]
    pub cluster: Option<String>,
    /// Tools that the agent should call, in any order.
    #[serde(default)]
    pub expected_tools: Option<Vec<String>>,
    /// Tools that the agent should call, in this order.
    #[serde(default)]
    pub expected_tool_sequence: Option<Vec<String>>,
    /// The route that the question calls for.
    #[serde(default)]
    pub expected_tool: Option<ExpectedTool>,
    /// Expected calls with their arguments.
    #[serde(default)]
    pub expected_calls: Option<MatchSpec>,
    /// Names of the tools that fetch data, instead of the suite's.
    #[serde(default)]
    pub data_tools: Option<DataTools>,
    /// The agent's mode, for `route_checks`.
    #[serde(default)]
    pub mode: Mode,
    /// Phrases that the answer should contain.
    #[serde(default)]
    pub expected_output_contains: Vec<String>,
    /// The value that the answer should state, as displayed.
    #[serde(default)]
    pub expected_value: Option<String>,
    /// The JSON object that the answer should equal.
    #[serde(default)]
    pub expected_output: Option<serde_json::Map<String, Value>>,
    /// Expected facts, sections and sources, for the threshold metrics.
    #[serde(default)]
    pub expected_facts: Option<Facts>,
    /// The page that the answer should link to.
    #[serde(default)]
    pub expected_url: Option<String>,
    /// Scorers of this case instead of the suite's.
    #[serde(default)]
    pub scorers: Option<Vec<Located<String>>>,
    /// Configuration of scorers by name.
    #[serde(default)]
    pub scorer_config: BTreeMap<String, Located<Value>>,
    /// Minimum score of every scorer of this case, 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub min_score: Option<Located<f64>>,
}

impl CaseFile {
    /// The names of all tools that it expects or forbids.
    pub(super) fn tools(&self) -> impl Iterator<Item = &String> {
        let lists = [&self.expected_tools, &self.expected_tool_sequence].into_iter().flatten();
        let calls = self.expected_calls.iter().flat_map(|spec| &spec.calls).map(|call| call.tool.names());
        let forbidden = self.expected_calls.iter().map(|spec| spec.forbidden.as_slice());
        lists.map(Vec::as_slice).chain(calls).chain(forbidden).flatten()
    }
}

/// The agent's input.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InputFile {
    /// The question.
    pub query: String,
    /// Context that the agent may use; `source` is a text.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub context: serde_json::Map<String, Value>,
}

/// Configuration of an external scorer program. It reads a JSON object from standard input and writes
/// `{"score", "reason", "evidence"}` to standard output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandConfig {
    /// The program and its arguments. It runs without a shell.
    pub command: Vec<String>,
    /// Time limit in seconds.
    #[serde(default = "thirty_seconds")]
    pub timeout_seconds: f64,
    /// Output limit in bytes.
    #[serde(default = "one_mebibyte")]
    pub max_output_bytes: u64,
}

const fn thirty_seconds() -> f64 {
    30.0
}

const fn one_mebibyte() -> u64 {
    1 << 20
}

/// The JSON Schema of a suite, as published in `manifests/suite.schema.json`.
#[must_use]
pub fn suite_schema() -> Schema {
    schemars::schema_for!(SuiteFile)
}
