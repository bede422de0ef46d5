//! What a case may expect of an agent's tools.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The names of the tools that fetch data. Documentation tools are none.
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

/// The mode that the agent ran in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RouteMode {
    /// The agent chooses.
    #[default]
    Auto,
    /// SQL alone.
    SqlOnly,
    /// GraphQL alone.
    GraphqlOnly,
}

/// How the calls must relate to the expected ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchMode {
    /// The same calls in the same order.
    #[default]
    Strict,
    /// The same calls in any order.
    Unordered,
    /// No call beyond the expected ones; some may be missing.
    Subset,
    /// Every expected call; others may come with them.
    Superset,
}

/// How arguments are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arguments {
    /// All equal.
    #[default]
    Exact,
    /// Not looked at.
    Ignored,
    /// The expected ones are among those given.
    Subset,
    /// Only these are compared, exactly.
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
    /// Whether a tool is it.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        match self {
            Self::One(tool) => tool == name,
            Self::AnyOf(tools) => tools.iter().any(|tool| tool == name),
        }
    }

    /// It in words: `a | b`.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::One(tool) => tool.clone(),
            Self::AnyOf(tools) => tools.join(" | "),
        }
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
    /// How its arguments are compared, instead of the tool's or the general way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<Arguments>,
}

/// What is expected of the calls.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MatchSpec {
    /// How the calls must relate to the expected ones.
    pub mode: MatchMode,
    /// The expected calls.
    pub calls: Vec<CallSpec>,
    /// How arguments are compared, unless a tool or a call says otherwise.
    pub arguments: Arguments,
    /// How the arguments of single tools are compared.
    pub per_tool: BTreeMap<String, Arguments>,
    /// Tools that must not be called.
    pub forbidden: Vec<String>,
    /// How often the same call with the same arguments may be made; no limit when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_repeats: Option<usize>,
}
