//! The tool calls that a case may expect.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The names of the tools that fetch data, without documentation tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DataTools {
    /// Tools that query the site's API.
    pub graphql: Vec<String>,
    /// Tools that query the database.
    pub sql: Vec<String>,
}

impl Default for DataTools {
    fn default() -> Self {
        Self { graphql: vec!["atlas_graphql".to_owned()], sql: vec!["query_tool".to_owned()] }
    }
}

/// How the actual calls must relate to the expected ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchMode {
    /// The same calls in the same order.
    #[default]
    Strict,
    /// The same calls in any order.
    Unordered,
    /// Only expected calls; some may be missing.
    Subset,
    /// All expected calls; there may be others.
    Superset,
}

/// How arguments are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arguments {
    /// All arguments must be equal.
    #[default]
    Exact,
    /// Arguments are not compared.
    Ignored,
    /// All expected arguments must be present; there may be others.
    Subset,
    /// Only these arguments are compared, exactly.
    Fields(Vec<String>),
}

/// The name of an expected tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "a tool's name, or a list of alternatives")]
pub enum ToolName {
    /// This tool.
    One(String),
    /// Any of these.
    AnyOf(Vec<String>),
}

impl ToolName {
    /// The names that it allows.
    #[must_use]
    pub fn names(&self) -> &[String] {
        match self {
            Self::One(tool) => std::slice::from_ref(tool),
            Self::AnyOf(tools) => tools,
        }
    }

    /// Whether it allows a tool.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        self.names().iter().any(|tool| tool == name)
    }

    /// The name for messages: `a | b`.
    #[must_use]
    pub fn label(&self) -> String {
        self.names().join(" | ")
    }
}

/// An expected call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallSpec {
    /// The tool, or alternatives.
    pub tool: ToolName,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// How to compare its arguments; overrides the tool's and the general setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<Arguments>,
}

/// The expected calls and how to match them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MatchSpec {
    /// How the actual calls must relate to the expected ones.
    pub mode: MatchMode,
    /// The expected calls.
    pub calls: Vec<CallSpec>,
    /// How to compare arguments, unless a tool or call overrides it.
    pub arguments: Arguments,
    /// How to compare the arguments of single tools.
    pub per_tool: BTreeMap<String, Arguments>,
    /// Tools that must not be called.
    pub forbidden: Vec<String>,
    /// Maximum number of identical calls with the same arguments; no limit when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_repeats: Option<usize>,
}
