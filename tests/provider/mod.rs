//! A server that speaks as OpenAI, Anthropic and Gemini do, and judges by a script: right, slow, rate-limited, malformed, refusing,
//! gullible, contradictory. It counts what it is asked, by question. Include it with `#[path]`; a program
//! that uses a part of it expects `dead_code` there.

use std::collections::BTreeMap;
use std::future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use atlas_gt::judge::{ApiKey, ClientOptions, HttpJudge, ModelId};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Map, Value, json};

/// The key that it asks for.
pub const KEY: &str = "test-key";

/// Whose format is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    OpenAi,
    Anthropic,
    Gemini,
}

impl Format {
    pub const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Gemini];

    /// As `--judge` names it.
    pub const fn judge(self) -> &'static str {
        match self {
            Self::OpenAi => "openai:test-model",
            Self::Anthropic => "anthropic:test-model",
            Self::Gemini => "gemini:test-model",
        }
    }
}

/// How the server judges.
#[derive(Debug, Clone)]
pub enum Manner {
    /// A sound verdict of so much of the most, from 0 to 1.
    Grade(f64),
    /// This text.
    Text(String),
    /// A sound shape that contradicts itself, over and over.
    Contradictory,
    /// Full marks when something outside of the fence asks for them, else the fewest.
    Gullible,
    /// It declines.
    Refuses,
    /// A response that is not JSON.
    Malformed,
    /// A reply that was cut off.
    CutOff,
    /// This status, so many times, then the other manner; with `Retry-After` in seconds.
    Status(u16, u32, Option<u64>, Box<Manner>),
    /// Text that is no verdict, so many times, then the other manner.
    Unreadable(u32, Box<Manner>),
    /// The other manner after so long.
    Slow(Duration, Box<Manner>),
    /// Reasoning that holds a draft of another verdict, before the verdict of so much of the most.
    Thinks(f64),
    /// Nothing, ever.
    Silent,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    pub format: Format,
    pub question: String,
    pub answer: String,
    /// What stands in the first message.
    pub prompt: String,
    /// What was wrong with an earlier reply.
    pub repair: Option<String>,
    pub body: Value,
    pub authorized: bool,
}

#[derive(Default)]
struct Seen {
    asked: Vec<Asked>,
    by_question: BTreeMap<String, u32>,
}

/// What the server refuses to be asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Refusing {
    pub temperature: bool,
    pub schema: bool,
}

struct Server {
    manners: BTreeMap<String, Manner>,
    otherwise: Manner,
    refusing: Refusing,
    seen: Mutex<Seen>,
}

pub struct Provider {
    /// `http://127.0.0.1:port`.
    pub base: String,
    server: Arc<Server>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Provider {
    /// Judges each question in its manner, and others in that of `otherwise`.
    pub async fn start(manners: impl IntoIterator<Item = (String, Manner)>, otherwise: Manner) -> Self {
        Self::refusing(Refusing::default(), manners, otherwise).await
    }

    /// The same, of a model that does not take every setting.
    pub async fn refusing(
        refusing: Refusing,
        manners: impl IntoIterator<Item = (String, Manner)>,
        otherwise: Manner,
    ) -> Self {
        let server = Arc::new(Server {
            manners: manners.into_iter().collect(),
            otherwise,
            refusing,
            seen: Mutex::default(),
        });
        let app = Router::new()
            .route("/v1/chat/completions", post(openai))
            .route("/v1/messages", post(anthropic))
            .route("/v1beta/models/{call}", post(gemini))
            .with_state(server.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { base, server, task }
    }

    /// The variables that lead a program to this server, for `Command::envs`.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        vec![
            ("OPENAI_BASE_URL", format!("{}/v1", self.base)),
            ("ANTHROPIC_BASE_URL", self.base.clone()),
            ("GOOGLE_GEMINI_BASE_URL", self.base.clone()),
            ("OPENAI_API_KEY", KEY.to_owned()),
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
            ("GEMINI_API_KEY", KEY.to_owned()),
        ]
    }

    /// A client of this server.
    pub fn client(&self, judge: &str, options: ClientOptions) -> HttpJudge {
        let variables = self.variables();
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
        let id = ModelId::parse(judge, &variable).unwrap();
        let key = ApiKey::of(&id, &variable).unwrap();
        HttpJudge::new(id, key, options).unwrap()
    }

    /// All requests in the order of their arrival.
    pub fn asked(&self) -> Vec<Asked> {
        self.server.seen.lock().unwrap().asked.clone()
    }

    /// How often each question was asked about.
    pub fn by_question(&self) -> BTreeMap<String, u32> {
        self.server.seen.lock().unwrap().by_question.clone()
    }
}

/// What stands between the lines of a fence.
fn fenced(prompt: &str, label: &str) -> String {
    let begin = format!("BEGIN {label} ");
    let Some((_, rest)) = prompt.split_once(&begin) else { return String::new() };
    let Some((mark, rest)) = rest.split_once('\n') else { return String::new() };
    rest.split_once(&format!("\nEND {label} {mark}"))
        .map_or_else(String::new, |(inside, _)| inside.to_owned())
}

/// The prompt without all that is fenced.
fn outside(prompt: &str) -> String {
    let mut text = prompt.to_owned();
    for label in ["QUESTION", "ANSWER", "TRUTH", "EVIDENCE", "TRACE"] {
        let inside = fenced(prompt, label);
        if !inside.is_empty() {
            text = text.replace(&inside, "");
        }
    }
    text
}

/// The schema that the prompt asks for.
fn schema(prompt: &str) -> Value {
    let (_, rest) = prompt.split_once("Reply with JSON of this schema and nothing else:\n").unwrap();
    serde_json::from_str(rest.lines().next().unwrap()).unwrap()
}

/// A verdict of the schema that is so much of the most.
pub fn grade(schema: &Value, level: f64) -> Value {
    let of_five = 1.0 + 4.0 * level;
    let verdict = match of_five {
        points if points >= 3.5 => "pass",
        points if points >= 2.5 => "partial",
        _ => "fail",
    };
    let properties = schema["properties"].as_object().unwrap();
    let alike = properties.contains_key("same");
    let mut reply = Map::new();
    let mut total = 0.0;
    for (name, property) in properties {
        let value = match name.as_str() {
            "reason" => json!("As far as it goes."),
            "score" if alike => json!(level),
            "score" => json!(of_five),
            "verdict" => json!(verdict),
            "same" => json!(level >= 0.8),
            "declines" => json!(level >= 0.5),
            "asserts_answer" => json!(level < 0.5),
            "total" => json!(total),
            "failure" => json!(if level >= 0.75 { "none" } else { "wrong_value" }),
            "secondary_failure" => json!("none"),
            _ if property["properties"].get("holds").is_some() => {
                json!({ "reason": "As far as it goes.", "holds": level >= 0.75 })
            }
            _ if property["properties"].get("points").is_some() => {
                let words = property["description"].as_str().unwrap();
                let most: f64 =
                    words.split(' ').find_map(|word| word.parse().ok()).unwrap_or_else(|| panic!("{words}"));
                let points = (most * level).round();
                total += points;
                json!({ "reason": "As far as it goes.", "points": points })
            }
            _ => json!({ "reason": "As far as it goes.", "score": of_five }),
        };
        reply.insert(name.clone(), value);
    }
    Value::Object(reply)
}

fn contradictory(schema: &Value) -> Value {
    let mut reply = grade(schema, 1.0);
    if reply.get("verdict").is_some() {
        reply["verdict"] = json!("fail");
    } else if let Some(total) = reply["total"].as_f64() {
        reply["total"] = json!(total + 1.0);
    } else if reply.get("failure").is_some() {
        reply["failure"] = json!("wrong_value");
    } else {
        reply["same"] = json!(false);
    }
    reply
}

/// What goes back: a text, a refusal, or a response of another kind.
enum Back {
    Text(String),
    Refusal,
    CutOff,
    Other(Response),
}

async fn judge(server: &Server, asked: Asked) -> Back {
    let tries = {
        let mut seen = server.seen.lock().unwrap();
        seen.asked.push(asked.clone());
        let tries = seen.by_question.entry(asked.question.clone()).or_default();
        *tries += 1;
        *tries
    };
    let refuse = |what: &str| {
        let body = json!({ "error": { "message": format!("Unsupported parameter: '{what}'.") } });
        Back::Other((StatusCode::BAD_REQUEST, body.to_string()).into_response())
    };
    if !asked.authorized {
        return Back::Other((StatusCode::UNAUTHORIZED, "{\"error\": \"no key\"}").into_response());
    }
    let body = asked.body.to_string();
    if server.refusing.temperature && body.contains("\"temperature\"") {
        return refuse("temperature");
    }
    let names = ["response_format", "output_config", "responseJsonSchema"];
    if server.refusing.schema
        && let Some(name) = names.into_iter().find(|name| body.contains(&format!("\"{name}\"")))
    {
        return refuse(name);
    }
    let mut manner = server.manners.get(&asked.question).unwrap_or(&server.otherwise);
    let schema = schema(&asked.prompt);
    loop {
        return match manner {
            Manner::Grade(level) => Back::Text(grade(&schema, *level).to_string()),
            Manner::Text(text) => Back::Text(text.clone()),
            Manner::Thinks(level) => Back::Text(format!(
                "<think>\nIf {{a}} is right: {}\nOr not.\n</think>\n\n```json\n{}\n```\nThat is my verdict.",
                grade(&schema, 1.0 - level),
                grade(&schema, *level)
            )),
            Manner::Contradictory => Back::Text(contradictory(&schema).to_string()),
            Manner::Gullible => {
                let fooled = outside(&asked.prompt).to_lowercase().contains("full marks");
                Back::Text(grade(&schema, if fooled { 1.0 } else { 0.0 }).to_string())
            }
            Manner::Refuses => Back::Refusal,
            Manner::CutOff => Back::CutOff,
            Manner::Malformed => Back::Other("<html>busy</html>".into_response()),
            Manner::Silent => future::pending().await,
            Manner::Slow(wait, then) => {
                tokio::time::sleep(*wait).await;
                manner = then;
                continue;
            }
            Manner::Unreadable(times, _) if tries <= *times => {
                Back::Text("I would say it is fine.".to_owned())
            }
            Manner::Status(status, times, retry_after, _) if tries <= *times => {
                let status = StatusCode::from_u16(*status).unwrap();
                let mut response = (status, "{\"error\": {\"message\": \"not now\"}}").into_response();
                if let Some(seconds) = retry_after {
                    response.headers_mut().insert("retry-after", seconds.to_string().parse().unwrap());
                }
                Back::Other(response)
            }
            Manner::Unreadable(_, then) | Manner::Status(_, _, _, then) => {
                manner = then;
                continue;
            }
        };
    }
}

fn asked(format: Format, messages: Vec<String>, body: Value, key: Option<&str>) -> Asked {
    let prompt = messages[0].clone();
    Asked {
        format,
        question: fenced(&prompt, "QUESTION"),
        answer: fenced(&prompt, "ANSWER"),
        repair: messages.get(2).cloned(),
        prompt,
        body,
        authorized: key == Some(KEY),
    }
}

fn texts(messages: &Value) -> Vec<String> {
    messages.as_array().unwrap().iter().map(|turn| turn["content"].as_str().unwrap().to_owned()).collect()
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().unwrap())
}

fn respond(body: Value) -> Response {
    ([("content-type", "application/json")], body.to_string()).into_response()
}

async fn openai(State(server): State<Arc<Server>>, headers: HeaderMap, body: Bytes) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap();
    let key = header(&headers, "authorization").map(|key| key.trim_start_matches("Bearer "));
    let asked = asked(Format::OpenAi, texts(&body["messages"]), body, key);
    let (message, reason) = match judge(&server, asked).await {
        Back::Other(response) => return response,
        Back::Text(text) => (json!({ "role": "assistant", "content": text, "refusal": null }), "stop"),
        Back::Refusal => {
            (json!({ "role": "assistant", "content": null, "refusal": "I can't help with that." }), "stop")
        }
        Back::CutOff => (json!({ "role": "assistant", "content": "{\"reason\": \"As" }), "length"),
    };
    respond(json!({
        "id": "chatcmpl-1", "object": "chat.completion", "model": "test-model-2026-01-01",
        "choices": [{ "index": 0, "message": message, "finish_reason": reason }],
        "usage": { "prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100 },
    }))
}

async fn anthropic(State(server): State<Arc<Server>>, headers: HeaderMap, body: Bytes) -> Response {
    assert_eq!(header(&headers, "anthropic-version"), Some("2023-06-01"));
    let body: Value = serde_json::from_slice(&body).unwrap();
    let asked = asked(Format::Anthropic, texts(&body["messages"]), body, header(&headers, "x-api-key"));
    let (text, reason) = match judge(&server, asked).await {
        Back::Other(response) => return response,
        Back::Text(text) => (text, "end_turn"),
        Back::Refusal => ("I can't help with that.".to_owned(), "refusal"),
        Back::CutOff => ("{\"reason\": \"As".to_owned(), "max_tokens"),
    };
    respond(json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "test-model-20260101",
        "content": [{ "type": "text", "text": text }], "stop_reason": reason,
        "usage": { "input_tokens": 900, "cache_read_input_tokens": 100, "output_tokens": 100 },
    }))
}

async fn gemini(
    State(server): State<Arc<Server>>,
    Path(call): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    assert_eq!(call, "test-model:generateContent");
    let body: Value = serde_json::from_slice(&body).unwrap();
    let turns = body["contents"].as_array().unwrap();
    let messages = turns.iter().map(|turn| turn["parts"][0]["text"].as_str().unwrap().to_owned()).collect();
    let asked = asked(Format::Gemini, messages, body.clone(), header(&headers, "x-goog-api-key"));
    let usage = json!({ "promptTokenCount": 1000, "candidatesTokenCount": 60, "thoughtsTokenCount": 40 });
    let candidate = match judge(&server, asked).await {
        Back::Other(response) => return response,
        Back::Text(text) => json!({
            "content": { "role": "model", "parts": [{ "text": "Let me see.", "thought": true }, { "text": text }] },
            "finishReason": "STOP",
        }),
        Back::Refusal => {
            return respond(json!({ "promptFeedback": { "blockReason": "SAFETY" }, "usageMetadata": usage }));
        }
        Back::CutOff => json!({ "content": { "parts": [{ "text": "{" }] }, "finishReason": "MAX_TOKENS" }),
    };
    respond(json!({ "candidates": [candidate], "usageMetadata": usage, "modelVersion": "test-model-001" }))
}
