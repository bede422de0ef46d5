//! OpenAI's chat completions API, also used by compatible servers.

use serde::Deserialize;
use serde_json::json;

use super::shared::{MAX_TOKENS, WireRequest, Without, cut_off, only, parse, turns, worded};
use crate::judge::{JudgeError, JudgeReply, ModelId, Prompt, TokenUsage};
use crate::scoring::scorers::Provider;

pub(super) fn request(id: &ModelId, prompt: &Prompt, without: Without) -> WireRequest {
    let turns = turns(prompt, "assistant");
    let messages: Vec<_> = turns.map(|(role, text)| json!({ "role": role, "content": text })).collect();
    // Compatible servers only know the older name.
    let limit = if id.provider == Provider::OpenAi { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({ "model": id.model, "messages": messages, limit: MAX_TOKENS });
    if !without.temperature {
        body["temperature"] = json!(0);
    }
    if !without.schema {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": { "name": prompt.schema.name, "strict": true, "schema": prompt.schema.schema },
        });
    }
    WireRequest {
        path: "/chat/completions".to_owned(),
        headers: &[],
        key: ("authorization", "Bearer "),
        body,
    }
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    usage: Option<Tokens>,
    model: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Tokens {
    prompt_tokens: u64,
    completion_tokens: u64,
}

pub(super) fn reply(body: &[u8]) -> Result<JudgeReply, JudgeError> {
    let completion: Completion = parse(body)?;
    let choice = only(completion.choices, "choices")?;
    if let Some(refusal) = choice.message.refusal.filter(|refusal| !refusal.trim().is_empty()) {
        return Err(JudgeError::Refused(refusal));
    }
    match choice.finish_reason.as_deref() {
        Some("content_filter") => return Err(JudgeError::Refused("a content filter".to_owned())),
        Some("length") => return Err(cut_off()),
        _ => {}
    }
    let usage = completion.usage.unwrap_or_default();
    Ok(JudgeReply {
        text: worded(choice.message.content.unwrap_or_default())?,
        usage: TokenUsage { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
        model: completion.model,
    })
}
