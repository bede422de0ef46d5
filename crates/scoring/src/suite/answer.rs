//! An agent's recorded answer, the input of all scorers.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::cost::Cost;
use crate::tools::{Trajectory, parse_trajectory};

/// The reason why tool scorers leave an answer unscored.
pub(crate) const NO_CALLS: &str = "the answer does not record its `tool_calls`";

/// An agent's answer to a case.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AgentOutput {
    /// The name of the case it answers.
    pub case: String,
    /// The answer's text.
    pub text: String,
    /// The answer as an object, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Map<String, Value>>,
    /// The agent's tool calls; absent when not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<Trajectory>,
    /// Addresses that the agent gave.
    pub links: Vec<String>,
    /// A judge's points, by scorer and criterion.
    pub judge: BTreeMap<String, BTreeMap<String, f64>>,
    /// The cost of the answer.
    #[serde(skip_serializing_if = "Cost::is_unstated")]
    pub cost: Cost,
    /// Why there is no answer, such as a crash or a timeout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl AgentOutput {
    /// Whether the answer is empty: an empty text, `{}`, `[]`, `""` or null.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        let read = || serde_json::from_str::<Value>(&self.text);
        self.text.trim().is_empty()
            || match read() {
                Ok(Value::Null) => true,
                Ok(Value::String(text)) => text.trim().is_empty(),
                Ok(Value::Array(items)) => items.is_empty(),
                Ok(Value::Object(fields)) => fields.is_empty(),
                _ => false,
            }
    }
}

/// Reads an answer: `{"case", "output" | "answer", "tool_calls"?, "links"?, "judge"?, "cost_usd"?, "error"?}`. A `cost_usd`
/// of null is an unknown price.
///
/// # Errors
/// A key is missing, unknown or of the wrong type.
pub fn parse_answer(value: &Value) -> Result<AgentOutput, String> {
    let object = value.as_object().ok_or("expected an object with `case` and `output`")?;
    const KNOWN: [&str; 11] = [
        "case",
        "name",
        "output",
        "answer",
        "tool_calls",
        "trajectory",
        "links",
        "atlas_links",
        "judge",
        "cost_usd",
        "error",
    ];
    if let Some(unknown) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(format!("unknown key {unknown:?}: expected one of {}", KNOWN.join(", ")));
    }
    let first =
        |keys: [&str; 2]| keys.iter().find_map(|key| object.get(*key)).filter(|value| !value.is_null());
    let case = first(["case", "name"]).and_then(Value::as_str).ok_or("`case` must name the case")?.to_owned();
    let error = match object.get("error") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => return Err("`error` must be a text".to_owned()),
    };
    let (text, answer) = match first(["output", "answer"]) {
        None if error.is_some() => (String::new(), None),
        None => return Err("`output` is missing: give the answer, or `error` when there is none".to_owned()),
        Some(Value::String(text)) => (text.clone(), serde_json::from_str(text).ok()),
        Some(value @ Value::Object(answer)) => (value.to_string(), Some(answer.clone())),
        Some(value) => (value.to_string(), None),
    };
    let trajectory = first(["tool_calls", "trajectory"]).map(parse_trajectory).transpose()?;
    let links = match first(["links", "atlas_links"]) {
        None => Vec::new(),
        Some(Value::Array(links)) => links
            .iter()
            .map(|link| {
                let address = link.as_str().or_else(|| link.get("url").and_then(Value::as_str));
                address.map(str::to_owned).ok_or("a link must be a text or an object with `url`")
            })
            .collect::<Result<_, _>>()?,
        Some(_) => return Err("`links` must be a list".to_owned()),
    };
    let judge = match object.get("judge") {
        None | Some(Value::Null) => BTreeMap::new(),
        Some(points) => serde_json::from_value(points.clone())
            .map_err(|error| format!("`judge` must hold points by scorer and criterion: {error}"))?,
    };
    let cost = match object.get("cost_usd") {
        None => Cost::Unstated,
        Some(Value::Null) => Cost::Unknown,
        Some(price) => Cost::read(price)?,
    };
    Ok(AgentOutput { case, text, object: answer, trajectory, links, judge, cost, error })
}
