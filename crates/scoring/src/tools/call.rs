//! Reads recorded tool calls from several formats into one type.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A tool call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Whether the call failed; absent if the record does not state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<bool>,
    /// The GraphQL calls left in the budget before this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// Whether the circuit breaker half-opened or closed before this call.
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

/// The tool calls behind an agent's answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Trajectory {
    /// The tool calls in order.
    pub calls: Vec<ToolCall>,
    /// Unknown keys of the record, each listed once by path: `tool_calls[].mood`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_keys: Vec<String>,
}

impl Trajectory {
    /// The called tools in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|call| call.name.as_str())
    }
}

/// The keys of a recorded call, with their meaning.
pub const CALL_KEYS: [(&str, &str); 16] = [
    ("name", "the tool"),
    ("tool", "the tool"),
    ("tool_name", "the tool"),
    ("arguments", "arguments: an object, or a string that holds one"),
    ("args", "arguments"),
    ("input", "arguments"),
    ("parameters", "arguments"),
    ("function", "an object that holds name and arguments"),
    ("failed", "whether the call failed"),
    ("error", "the call failed, unless it is null or false"),
    ("status", "`error`, `failed`, `failure`, `timeout`: failed; `ok`, `success`, `completed`: not"),
    ("budget", "calls left in the GraphQL budget before this one"),
    ("budget_remaining", "calls left in the GraphQL budget before this one"),
    ("breaker_reset", "the breaker half-opened or closed before this call"),
    ("id", "which result belongs to the call"),
    ("type", "not used"),
];

/// Reads a trajectory: a list of calls, or an object with such a list under `tool_calls`, `calls` or `trajectory`. A call is
/// a name or `{"name" | "tool" | "tool_name", "arguments" | "args" | "input" | "parameters"}`, directly or under
/// `function`. Arguments are an object or a string that holds one.
///
/// # Errors
/// A call has none of these formats; with its position.
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
    let objects = list.iter().filter_map(Value::as_object);
    let inner = objects.clone().filter_map(|object| object.get("function")).filter_map(Value::as_object);
    let unknown: BTreeSet<&String> = objects
        .chain(inner)
        .flat_map(Map::keys)
        .filter(|key| CALL_KEYS.iter().all(|(known, _)| known != key))
        .collect();
    let unknown_keys = unknown.into_iter().map(|key| format!("tool_calls[].{key}")).collect();
    Ok(Trajectory { calls: calls?, unknown_keys })
}

fn call(value: &Value) -> Result<ToolCall, String> {
    let object = match value {
        Value::String(name) if !name.trim().is_empty() => return Ok(ToolCall::named(name)),
        Value::Object(object) => object,
        _ => return Err("expected a tool's name or an object with `name`".to_owned()),
    };
    let inner = object.get("function").and_then(Value::as_object).unwrap_or(object);
    let name = ["name", "tool", "tool_name"]
        .iter()
        .find_map(|key| inner.get(*key))
        .and_then(Value::as_str)
        .filter(|name| !name.trim().is_empty())
        .ok_or("it has no `name`")?;
    let arguments = ["arguments", "args", "input", "parameters"].iter().find_map(|key| inner.get(*key));
    let arguments = match arguments {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(Value::String(text)) => serde_json::from_str(text)
            .map_err(|error| format!("the arguments of {name:?} are not a JSON object: {error}"))?,
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
    let budget =
        ["budget", "budget_remaining"].iter().find_map(|key| object.get(*key)).filter(|left| !left.is_null());
    let budget = budget
        .map(|left| {
            left.as_i64().ok_or_else(|| format!("the budget of {name:?} is {left}: expected a whole number"))
        })
        .transpose()?;
    let breaker_reset = object.get("breaker_reset").and_then(Value::as_bool).unwrap_or_default();
    Ok(ToolCall { name: name.to_owned(), arguments, failed, budget, breaker_reset })
}
