//! Gemini's `generateContent` API.

use serde::Deserialize;
use serde_json::json;

use super::shared::{MAX_TOKENS, WireRequest, Without, cut_off, only, parse, turns, worded};
use crate::judge::{JudgeError, JudgeReply, ModelId, Prompt, TokenUsage};

pub(super) fn request(id: &ModelId, prompt: &Prompt, without: Without) -> WireRequest {
    let turns = turns(prompt, "model");
    let contents: Vec<_> =
        turns.map(|(role, text)| json!({ "role": role, "parts": [{ "text": text }] })).collect();
    let mut config = json!({ "maxOutputTokens": MAX_TOKENS, "responseMimeType": "application/json" });
    if !without.temperature {
        config["temperature"] = json!(0);
    }
    if !without.schema {
        config["responseJsonSchema"] = prompt.schema.schema.clone();
    }
    WireRequest {
        path: format!("/v1beta/models/{}:generateContent", id.model),
        headers: &[],
        key: ("x-goog-api-key", ""),
        body: json!({ "contents": contents, "generationConfig": config }),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Generated {
    #[serde(default)]
    candidates: Vec<Candidate>,
    prompt_feedback: Option<Feedback>,
    #[serde(default)]
    usage_metadata: Tokens,
    model_version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Content>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Tokens {
    prompt_token_count: u64,
    candidates_token_count: u64,
    thoughts_token_count: u64,
}

pub(super) fn reply(body: &[u8]) -> Result<JudgeReply, JudgeError> {
    let generated: Generated = parse(body)?;
    if let Some(reason) = generated.prompt_feedback.and_then(|feedback| feedback.block_reason) {
        return Err(JudgeError::Refused(format!("the prompt was blocked: {reason}")));
    }
    let candidate = only(generated.candidates, "candidates")?;
    match candidate.finish_reason.as_deref() {
        None | Some("STOP" | "FINISH_REASON_UNSPECIFIED") => {}
        Some("MAX_TOKENS") => return Err(cut_off()),
        Some(reason) => return Err(JudgeError::Refused(reason.to_owned())),
    }
    let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
    let text = parts.into_iter().filter(|part| !part.thought).filter_map(|part| part.text).collect();
    let usage = generated.usage_metadata;
    Ok(JudgeReply {
        text: worded(text)?,
        usage: TokenUsage {
            input_tokens: usage.prompt_token_count,
            output_tokens: usage.candidates_token_count + usage.thoughts_token_count,
        },
        model: generated.model_version,
    })
}
