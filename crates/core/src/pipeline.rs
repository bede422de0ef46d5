//! Which pipeline answered, and which tool was expected.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// The pipeline that an answer came from.
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
    /// Nothing says which.
    Unknown,
}

crate::words!(Pipeline);

impl Pipeline {
    /// Whether the answer may have come from the same API: an unknown pipeline may.
    pub const fn may_be_graphql(self) -> bool {
        matches!(self, Self::Graphql | Self::Mixed | Self::Unknown)
    }
}

/// Which tool the agent should answer with.
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
    /// None: the agent should say that it cannot answer.
    Refusal,
}

crate::words!(ExpectedTool);

/// Tells the schema of `any`, the other word for `either`.
fn any_is_either(schema: &mut schemars::Schema) {
    if let Some(serde_json::Value::Array(words)) = schema.get_mut("oneOf") {
        words.push(serde_json::json!({
            "description": "The same as `either`.", "type": "string", "const": "any"
        }));
    }
}
