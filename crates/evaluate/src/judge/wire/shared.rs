//! What the wire formats share: requests, turns, and the checks of a reply.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::judge::{JudgeError, Prompt};

/// The maximum tokens of a reply, including the model's reasoning.
pub(super) const MAX_TOKENS: u32 = 8_192;

/// Features that a model does not support, learned from rejected requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::judge) struct Without {
    /// Whether it rejects a temperature.
    pub temperature: bool,
    /// Whether it rejects a schema. The prompt still asks for JSON.
    pub schema: bool,
}

/// A request in wire format.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::judge) struct WireRequest {
    /// The path after the base address.
    pub path: String,
    /// Headers without secrets.
    pub headers: &'static [(&'static str, &'static str)],
    /// The header of the key, and its value prefix.
    pub key: (&'static str, &'static str),
    /// The body.
    pub body: Value,
}

/// The turns of a conversation: speaker and text. `model` is the provider's name for the model's
/// role.
pub(super) fn turns<'p>(
    prompt: &'p Prompt,
    model: &'static str,
) -> impl Iterator<Item = (&'static str, &'p str)> {
    let repair = prompt.repair.iter();
    let again = repair.flat_map(move |repair| [(model, repair.reply.as_str()), ("user", &repair.problem)]);
    std::iter::once(("user", prompt.text.as_str())).chain(again)
}

/// The first reply in a response.
pub(super) fn only<T>(replies: Vec<T>, key: &str) -> Result<T, JudgeError> {
    replies.into_iter().next().ok_or_else(|| JudgeError::Malformed(format!("`{key}` is empty")))
}

pub(super) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, JudgeError> {
    serde_json::from_slice(body).map_err(|error| JudgeError::Malformed(error.to_string()))
}

pub(super) fn cut_off() -> JudgeError {
    JudgeError::Malformed(format!("the reply was cut off at {MAX_TOKENS} tokens"))
}

/// Text that is not blank.
pub(super) fn worded(text: String) -> Result<String, JudgeError> {
    if text.trim().is_empty() {
        return Err(JudgeError::Malformed("the reply is empty".to_owned()));
    }
    Ok(text)
}
