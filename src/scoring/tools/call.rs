//! Tool calls as agents record them, read from several shapes into one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A call of a tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Whether the call failed; `None` when the record does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<bool>,
    /// Calls left in the GraphQL budget before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// Whether the breaker had half-opened or closed again before this call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub breaker_reset: bool,
}

impl ToolCall {
    /// A call without arguments.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// What an agent did on the way to its answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Trajectory {
    /// Its tool calls in order.
    pub calls: Vec<ToolCall>,
}

impl Trajectory {
    /// Calls without arguments, by name.
    #[must_use]
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self { calls: names.into_iter().map(ToolCall::named).collect() }
    }

    /// The names of the tools in order of their calls.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|call| call.name.as_str())
    }
}

/// Reads a trajectory: a list of names or calls, or an object that holds one under `tool_calls`, `calls` or
/// `trajectory`. A call is a name, `{"name" | "tool" | "tool_name", "arguments" | "args" | "input" | "parameters"}`, or
/// that under `function`, its arguments an object or the text of one.
///
/// # Errors
/// What is in none of these shapes, with its position, in words.
pub fn parse_trajectory(value: &Value) -> Result<Trajectory, String> {
    let list = match value {
        Value::Array(list) => list,
        Value::Object(object) => ["tool_calls", "calls", "trajectory"]
            .iter()
            .find_map(|key| object.get(*key))
            .and_then(Value::as_array)
            .ok_or("expected a list of tool calls, or an object with `tool_calls`")?,
        _ => return Err("expected a list of tool calls, or an object with `tool_calls`".to_owned()),
    };
    let calls: Result<Vec<ToolCall>, String> = list
        .iter()
        .zip(1..)
        .map(|(call, number)| self::call(call).map_err(|message| format!("tool call {number}: {message}")))
        .collect();
    Ok(Trajectory { calls: calls? })
}

fn call(value: &Value) -> Result<ToolCall, String> {
    let object = match value {
        Value::String(name) if !name.is_empty() => return Ok(ToolCall::named(name)),
        Value::Object(object) => object,
        _ => return Err("expected a tool's name or an object with `name`".to_owned()),
    };
    let inner = object.get("function").and_then(Value::as_object).unwrap_or(object);
    let name = ["name", "tool", "tool_name"]
        .iter()
        .find_map(|key| inner.get(*key))
        .and_then(Value::as_str)
        .filter(|name| !name.is_empty())
        .ok_or("it has no `name`")?;
    let arguments = ["arguments", "args", "input", "parameters"].iter().find_map(|key| inner.get(*key));
    let arguments = match arguments {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(Value::String(text)) => serde_json::from_str(text)
            .map_err(|error| format!("the arguments of {name:?} are no JSON object: {error}"))?,
        Some(_) => return Err(format!("the arguments of {name:?} are not an object")),
    };
    let failed = match (object.get("failed"), object.get("error"), object.get("status")) {
        (Some(Value::Bool(failed)), _, _) => Some(*failed),
        (_, Some(Value::Null), _) => Some(false),
        (_, Some(Value::Bool(failed)), _) => Some(*failed),
        (_, Some(_), _) => Some(true),
        (_, _, Some(Value::String(status))) => match status.as_str() {
            "error" | "failed" | "failure" | "timeout" => Some(true),
            "ok" | "success" | "completed" => Some(false),
            _ => None,
        },
        _ => None,
    };
    let budget = object.get("budget").and_then(Value::as_i64);
    let breaker_reset = object.get("breaker_reset").and_then(Value::as_bool).unwrap_or_default();
    Ok(ToolCall { name: name.to_owned(), arguments, failed, budget, breaker_reset })
}
