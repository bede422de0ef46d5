//! Which pipeline answered, and which tool should have.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The pipeline that an answer came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
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

impl std::fmt::Display for Pipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Graphql => "graphql",
            Self::Sql => "sql",
            Self::Mixed => "mixed",
            Self::None => "none",
            Self::Unknown => "unknown",
        })
    }
}

impl Pipeline {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Graphql, Self::Sql, Self::Mixed, Self::None, Self::Unknown];

    /// Whether the answer may have come from the same API: an unknown pipeline may.
    pub const fn may_be_graphql(self) -> bool {
        matches!(self, Self::Graphql | Self::Mixed | Self::Unknown)
    }
}

/// Which tool the agent should answer with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
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

/// Tells the schema of `any`, the other word for `either`.
fn any_is_either(schema: &mut schemars::Schema) {
    if let Some(serde_json::Value::Array(words)) = schema.get_mut("oneOf") {
        words.push(serde_json::json!({
            "description": "The same as `either`.", "type": "string", "const": "any"
        }));
    }
}
