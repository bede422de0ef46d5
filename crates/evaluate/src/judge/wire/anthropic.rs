//! Anthropic's messages API.

use serde::Deserialize;
use serde_json::json;

use super::shared::{MAX_TOKENS, WireRequest, Without, cut_off, parse, turns, worded};
use crate::judge::{JudgeError, JudgeReply, ModelId, Prompt, TokenUsage};

pub(super) fn request(id: &ModelId, prompt: &Prompt, without: Without) -> WireRequest {
    let turns = turns(prompt, "assistant");
    let messages: Vec<_> = turns.map(|(role, text)| json!({ "role": role, "content": text })).collect();
    let mut body = json!({ "model": id.model, "max_tokens": MAX_TOKENS, "messages": messages });
    if !without.temperature {
        body["temperature"] = json!(0);
    }
    if !without.schema {
        body["output_config"] =
            json!({ "format": { "type": "json_schema", "schema": prompt.schema.schema } });
    }
    WireRequest {
        path: "/v1/messages".to_owned(),
        headers: &[("anthropic-version", "2023-06-01")],
        key: ("x-api-key", ""),
        body,
    }
}

#[derive(Deserialize)]
struct Message {
    content: Vec<Block>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Tokens,
    model: Option<String>,
}

#[derive(Deserialize)]
struct Block {
    text: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Tokens {
    input_tokens: u64,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: u64,
}

pub(super) fn reply(body: &[u8]) -> Result<JudgeReply, JudgeError> {
    let message: Message = parse(body)?;
    let text: String = message.content.into_iter().filter_map(|block| block.text).collect();
    match message.stop_reason.as_deref() {
        Some("refusal") => {
            let why = if text.trim().is_empty() { "no reason given".to_owned() } else { text };
            return Err(JudgeError::Refused(why));
        }
        Some("max_tokens") => return Err(cut_off()),
        _ => {}
    }
    let Tokens { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } =
        message.usage;
    let cached = cache_creation_input_tokens.unwrap_or(0) + cache_read_input_tokens.unwrap_or(0);
    Ok(JudgeReply {
        text: worded(text)?,
        usage: TokenUsage { input_tokens: input_tokens + cached, output_tokens },
        model: message.model,
    })
}
