//! A case with everything that applies to it, and the suite that it stands in.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::file::InputFile;
use crate::json::Numbers;
use crate::text::Facts;
use crate::tools::{DataTools, ExpectedTool, MatchSpec, RouteMode};

/// A suite, checked and with its defaults resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Its cases.
    pub cases: Vec<SuiteCase>,
}

/// A case with everything that applies to it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SuiteCase {
    /// Its name.
    pub name: String,
    /// What the agent is given.
    pub input: InputFile,
    /// The page or country that it is about.
    pub cluster: Option<String>,
    /// Tools that should be called.
    pub expected_tools: Option<Vec<String>>,
    /// Tools that should be called in this order.
    pub expected_tool_sequence: Option<Vec<String>>,
    /// Route that the question asks for.
    pub expected_tool: Option<ExpectedTool>,
    /// Calls with their arguments.
    pub expected_calls: Option<MatchSpec>,
    /// Phrases that the answer should hold.
    pub expected_output_contains: Vec<String>,
    /// The value that the answer should state.
    pub expected_value: Option<String>,
    /// The JSON object that the answer should be.
    pub expected_output: Option<serde_json::Map<String, Value>>,
    /// Facts, sections and sources.
    pub expected_facts: Option<Facts>,
    /// The page that the answer should link to.
    pub expected_url: Option<String>,
    /// Its scorers with their configuration, `null` when there is none.
    pub scorers: Vec<(String, Value)>,
    /// Least score of every scorer.
    pub min_score: f64,
    /// How to compare numbers without a strategy.
    pub numbers: Numbers,
    /// Names of the tools that fetch data.
    pub data_tools: DataTools,
    /// The mode that the agent runs in.
    pub mode: RouteMode,
}
