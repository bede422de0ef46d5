//! The wire formats of the three providers. Pure.

mod anthropic;
mod gemini;
mod openai;
mod shared;

use super::{JudgeError, JudgeReply, ModelId, Prompt};
use crate::scoring::scorers::Provider;

pub(super) use shared::{WireRequest, Without};

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
