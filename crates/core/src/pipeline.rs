//! The pipeline behind an answer, the one an agent should use, and the tool a question expects.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// The pipeline behind an answer.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Pipeline {
    /// GraphQL.
    Graphql,
    /// SQL.
    Sql,
    /// Both.
    Mixed,
    /// No data tool: documents, or the model alone.
    None,
    /// Not known.
    Unknown,
}

crate::words!(Pipeline);

impl Pipeline {
    /// Whether the answer may come from the GraphQL API. An unknown pipeline may.
    pub const fn may_be_graphql(self) -> bool {
        matches!(self, Self::Graphql | Self::Mixed | Self::Unknown)
    }
}

/// The pipeline that the agent should use.
#[derive(Serialize, Deserialize, JsonSchema, VariantArray)]
#[serde(rename_all = "snake_case")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// GraphQL alone.
    GraphqlOnly,
    /// SQL alone.
    SqlOnly,
    /// GraphQL and SQL, in the notation of newer servers.
    GraphqlSql,
    /// The agent decides.
    #[default]
    Auto,
}

crate::words!(Mode);

/// The tool the agent should use.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = any_is_either)]
pub enum ExpectedTool {
    /// The GraphQL tool and not SQL.
    GraphqlOnly,
    /// The SQL tool and not GraphQL.
    SqlOnly,
    /// GraphQL; SQL is acceptable.
    GraphqlPreferred,
    /// SQL; GraphQL is acceptable.
    SqlPreferred,
    /// Any data tool.
    #[serde(alias = "any")]
    Either,
    /// Both tools.
    Both,
    /// None: the agent should decline.
    Refusal,
}

crate::words!(ExpectedTool);

/// Adds `any`, the alias of `either`, to the schema.
fn any_is_either(schema: &mut schemars::Schema) {
    if let Some(serde_json::Value::Array(words)) = schema.get_mut("oneOf") {
        words.push(serde_json::json!({
            "description": "The same as `either`.", "type": "string", "const": "any"
        }));
    }
}
