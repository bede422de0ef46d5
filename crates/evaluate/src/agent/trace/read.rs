//! Detects the format of a record from its shape.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::Value;

use super::execution::ExecutionTrace;
use super::{otlp, plain, result, state, turn};
use crate::words::json_kind;

/// Reads any format. With serde's `try_from`, the schema of a trace would be that of any value.
impl<'de> Deserialize<'de> for ExecutionTrace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl TryFrom<Value> for ExecutionTrace {
    type Error = String;

    /// Parses a trace in any known format.
    ///
    /// # Errors
    /// The shape is unknown, with what was found; or a value has an unexpected type, with its key.
    fn try_from(value: Value) -> Result<Self, String> {
        match &value {
            Value::Array(list) if list.iter().any(state::is_message) => state::read(&value),
            Value::Array(_) => plain::read(&value),
            Value::Object(object) => {
                let has = |keys: &[&str]| keys.iter().any(|key| object.contains_key(*key));
                if has(&["resourceSpans"]) {
                    otlp::read(&value)
                } else if has(&["messages", "values"]) {
                    state::read(&value)
                } else if has(result::MARKS) {
                    result::read(&value)
                } else if has(plain::MARKS) || object.is_empty() {
                    plain::read(&value)
                } else if has(turn::MARKS) {
                    turn::read(&value)
                } else if object.keys().any(|key| plain::knows(key)) {
                    plain::read(&value)
                } else {
                    let found: Vec<String> = object.keys().take(8).map(|key| format!("`{key}`")).collect();
                    Err(unknown(&format!("an object with {}", found.join(", "))))
                }
            }
            other => Err(unknown(json_kind(other))),
        }
    }
}

fn unknown(found: &str) -> String {
    format!(
        "unknown trace format: found {found}; expected `tool_calls`, agent state with `messages`, spans under `resourceSpans`, \
         or a turn summary with `queries` or `graphql_summaries`"
    )
}
