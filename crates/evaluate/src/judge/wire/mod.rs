//! The wire formats of the three providers. Pure.

mod anthropic;
mod gemini;
mod openai;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{JudgeError, JudgeReply, ModelId, Prompt};
use crate::scoring::scorers::Provider;

/// The maximum tokens of a reply, including the model's reasoning.
const MAX_TOKENS: u32 = 8_192;

/// Features that a model does not support, learned from rejected requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Without {
    /// Whether it rejects a temperature.
    pub temperature: bool,
    /// Whether it rejects a schema. The prompt still asks for JSON.
    pub schema: bool,
}

/// A request in wire format.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WireRequest {
    /// The path after the base address.
    pub path: String,
    /// Headers without secrets.
    pub headers: &'static [(&'static str, &'static str)],
    /// The header of the key, and its value prefix.
    pub key: (&'static str, &'static str),
    /// The body.
    pub body: Value,
}

/// Builds the request for a prompt.
pub(super) fn request(id: &ModelId, prompt: &Prompt, without: Without) -> WireRequest {
    match id.provider {
        Provider::OpenAi | Provider::Compatible => openai::request(id, prompt, without),
        Provider::Anthropic => anthropic::request(id, prompt, without),
        Provider::Google => gemini::request(id, prompt, without),
    }
}

/// Parses a successful response.
///
/// # Errors
/// The model refused, the reply was cut off, or the format is unknown.
pub(super) fn reply(provider: Provider, body: &[u8]) -> Result<JudgeReply, JudgeError> {
    match provider {
        Provider::OpenAi | Provider::Compatible => openai::reply(body),
        Provider::Anthropic => anthropic::reply(body),
        Provider::Google => gemini::reply(body),
    }
}

/// The feature that a client error is about, if omitting it may help.
pub(super) fn unsupported(body: &str, tried: Without) -> Option<Without> {
    let names = |words: &[&str]| words.iter().any(|word| body.contains(word));
    if !tried.temperature && names(&["temperature"]) {
        Some(Without { temperature: true, ..tried })
    } else if !tried.schema
        && names(&[
            "response_format",
            "json_schema",
            "output_config",
            "responseJsonSchema",
            "response_json_schema",
        ])
    {
        Some(Without { schema: true, ..tried })
    } else {
        None
    }
}

/// The turns of a conversation: speaker and text. `model` is the provider's name for the model's
/// role.
fn turns<'p>(prompt: &'p Prompt, model: &'static str) -> impl Iterator<Item = (&'static str, &'p str)> {
    let repair = prompt.repair.iter();
    let again = repair.flat_map(move |repair| [(model, repair.reply.as_str()), ("user", &repair.problem)]);
    std::iter::once(("user", prompt.text.as_str())).chain(again)
}

/// The first reply in a response.
fn only<T>(replies: Vec<T>, key: &str) -> Result<T, JudgeError> {
    replies.into_iter().next().ok_or_else(|| JudgeError::Malformed(format!("`{key}` is empty")))
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, JudgeError> {
    serde_json::from_slice(body).map_err(|error| JudgeError::Malformed(error.to_string()))
}

fn cut_off() -> JudgeError {
    JudgeError::Malformed(format!("the reply was cut off at {MAX_TOKENS} tokens"))
}

/// Text that is not blank.
fn worded(text: String) -> Result<String, JudgeError> {
    if text.trim().is_empty() {
        return Err(JudgeError::Malformed("the reply is empty".to_owned()));
    }
    Ok(text)
}
