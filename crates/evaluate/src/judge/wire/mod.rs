//! The formats of the three providers: what is sent and what comes back. Pure.

mod anthropic;
mod gemini;
mod openai;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{JudgeError, JudgeReply, ModelId, Prompt};
use crate::scoring::scorers::Provider;

/// The most tokens of a reply, those of the model's reasoning included.
const MAX_TOKENS: u32 = 8_192;

/// What a model cannot be asked for: found out when it refuses a request because of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Without {
    /// It takes no temperature.
    pub temperature: bool,
    /// It takes no schema; the prompt asks for JSON all the same.
    pub schema: bool,
}

/// A request as it goes over the wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WireRequest {
    /// Behind the base address.
    pub path: String,
    /// Headers that hold no secret.
    pub headers: &'static [(&'static str, &'static str)],
    /// The header of the key, and the prefix of its value.
    pub key: (&'static str, &'static str),
    /// The body.
    pub body: Value,
}

/// The request for a prompt.
pub(super) fn request(id: &ModelId, prompt: &Prompt, without: Without) -> WireRequest {
    match id.provider {
        Provider::OpenAi | Provider::Compatible => openai::request(id, prompt, without),
        Provider::Anthropic => anthropic::request(id, prompt, without),
        Provider::Google => gemini::request(id, prompt, without),
    }
}

/// The reply in a response with a status of success.
///
/// # Errors
/// A refusal, a reply that was cut off, or another format.
pub(super) fn reply(provider: Provider, body: &[u8]) -> Result<JudgeReply, JudgeError> {
    match provider {
        Provider::OpenAi | Provider::Compatible => openai::reply(body),
        Provider::Anthropic => anthropic::reply(body),
        Provider::Google => gemini::reply(body),
    }
}

/// Which part of a request a client error is about, where leaving it out may help.
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

/// The turns of a conversation: who speaks, as the provider calls the model, and what is said.
fn turns<'p>(prompt: &'p Prompt, model: &'static str) -> impl Iterator<Item = (&'static str, &'p str)> {
    let repair = prompt.repair.iter();
    let again = repair.flat_map(move |repair| [(model, repair.reply.as_str()), ("user", &repair.problem)]);
    std::iter::once(("user", prompt.text.as_str())).chain(again)
}

/// The first of the replies that a response holds.
fn only<T>(replies: Vec<T>, key: &str) -> Result<T, JudgeError> {
    replies.into_iter().next().ok_or_else(|| JudgeError::Malformed(format!("`{key}` is empty")))
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, JudgeError> {
    serde_json::from_slice(body).map_err(|error| JudgeError::Malformed(error.to_string()))
}

fn cut_off() -> JudgeError {
    JudgeError::Malformed(format!("the reply was cut off at {MAX_TOKENS} tokens"))
}

/// A text with something in it.
fn worded(text: String) -> Result<String, JudgeError> {
    if text.trim().is_empty() {
        return Err(JudgeError::Malformed("the reply is empty".to_owned()));
    }
    Ok(text)
}
