//! Ask-Atlas over HTTP: a fresh thread a question, the answer from the event stream, the details from the thread.

use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable};
use serde_json::{Value, json};
use tokio::time::timeout;
use url::Url;

use super::sse::{Event, Events};
use super::trace::{TurnReader, message_text};
use super::{Agent, AgentError, AgentQuestion, Reply, answered};
use crate::error::{Error, Result};
use crate::evidence::Hash;
pub(super) use crate::http::chain;

/// Limits of the conversation with Ask-Atlas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskOptions {
    /// For one whole answer.
    pub timeout: Duration,
    /// Bytes of one event stream.
    pub most: u64,
    /// Times that a question is sent when it does not get there.
    pub attempts: usize,
    /// Before the second time; doubles from there.
    pub first_wait: Duration,
}

impl Default for AskOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(180),
            most: 8 << 20,
            attempts: 3,
            first_wait: Duration::from_secs(1),
        }
    }
}

/// How much of what a server says an error quotes, in characters.
const QUOTE: usize = 200;

/// Ask-Atlas.
#[derive(Debug)]
pub struct AskAtlas {
    http: reqwest::Client,
    base: Url,
    options: AskOptions,
}

impl AskAtlas {
    /// Ask-Atlas at an address such as `http://localhost:8000`.
    ///
    /// # Errors
    /// When it is no http address, or there is no HTTP client.
    pub fn new(base: &str, options: AskOptions) -> Result<Self> {
        let (http, url) = http_client("--agent", base, options.timeout)?;
        Ok(Self { http, base: url, options })
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }

    /// Sends the question and reads the stream to its end.
    async fn stream(
        &self,
        asked: &AgentQuestion,
        request_id: &str,
        heard: &mut Heard,
    ) -> Result<(), AgentError> {
        let body = json!({ "question": asked.question, "mode": asked.mode.name() });
        let mut response = self
            .http
            .post(self.address("/api/chat/stream"))
            .header("X-Request-ID", request_id)
            .header("Accept", "text/event-stream")
            .json(&body)
            .send()
            .await
            .map_err(|error| AgentError::Transport(chain(&error)))?;
        let status = response.status().as_u16();
        if status != 200 {
            let text = match body_of(response, self.options.most).await {
                Err(long @ AgentError::TooLong(_)) => return Err(long),
                text => text.unwrap_or_default(),
            };
            let text = String::from_utf8_lossy(&text);
            let mut body: String = text.chars().take(QUOTE).collect();
            if status == 422 && text.contains("mode") {
                body.push_str(" (this server may know other modes: see --mode)");
            }
            return Err(AgentError::Status { status, body });
        }
        let mut events = Events::default();
        let mut bytes = 0_u64;
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    bytes += chunk.len() as u64;
                    if bytes > self.options.most {
                        return Err(AgentError::TooLong(self.options.most));
                    }
                    for event in events.push(&chunk) {
                        heard.take(&event)?;
                    }
                }
                Ok(None) => break,
                Err(error) => return Err(AgentError::CutOff(chain(&error))),
            }
        }
        if heard.done { Ok(()) } else { Err(AgentError::CutOff("it ended without its `done`".to_owned())) }
    }

    /// What the thread says under a path of its own.
    async fn of_thread(&self, thread: &str, path: &str, request_id: &str) -> Result<Value, String> {
        let url = self.address(&format!("/api/threads/{thread}/{path}"));
        let sent = self.http.get(&url).header("X-Request-ID", request_id).send().await;
        let response = sent.map_err(|error| chain(&error))?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(format!("status {status}"));
        }
        let text = body_of(response, self.options.most).await.map_err(|error| error.to_string())?;
        serde_json::from_slice(&text).map_err(|error| chain(&error))
    }

    async fn forget(&self, thread: &str, request_id: &str) -> Result<(), String> {
        let url = self.address(&format!("/api/threads/{thread}"));
        let sent = self.http.delete(&url).header("X-Request-ID", request_id).send().await;
        let status = sent.map_err(|error| chain(&error))?.status();
        if status.is_success() { Ok(()) } else { Err(format!("status {}", status.as_u16())) }
    }

    async fn once(&self, asked: &AgentQuestion) -> Result<Reply, AgentError> {
        let request_id = request_id(asked);
        let mut heard = Heard::new();
        let result = timeout(self.options.timeout, self.stream(asked, &request_id, &mut heard))
            .await
            .unwrap_or(Err(AgentError::Timeout(self.options.timeout)));
        let mut notes = Vec::new();
        let brief = self.options.timeout.min(Duration::from_secs(20));
        let (mut turn, mut messages) = (None, None);
        if let Some(thread) = heard.thread.clone().filter(|thread| is_id(thread)) {
            if result.is_ok() {
                let ask = |path| timeout(brief, self.of_thread(&thread, path, &request_id));
                let (details, said) = tokio::join!(ask("turns/0"), ask("messages"));
                for (what, found, slot) in
                    [("details", details, &mut turn), ("messages", said, &mut messages)]
                {
                    match found {
                        Ok(Ok(found)) => *slot = Some(found),
                        Ok(Err(why)) => notes.push(format!("no {what} of the thread: {why}")),
                        Err(_) => notes.push(format!("no {what} of the thread: it took too long")),
                    }
                }
            }
            // the thread is deleted whatever the outcome
            match timeout(brief, self.forget(&thread, &request_id)).await {
                Ok(Ok(())) => {}
                Ok(Err(why)) => notes.push(format!("thread {thread} was not deleted: {why}")),
                Err(_) => notes.push(format!("thread {thread} was not deleted: it took too long")),
            }
        }
        result?;
        let mut reply = heard.reply(asked, turn.as_ref(), messages.as_ref());
        reply.request_id = Some(request_id);
        reply.notes.extend(notes);
        answered(asked, reply)
    }
}

impl Agent for AskAtlas {
    fn name(&self) -> String {
        format!("Ask-Atlas at {}", self.base.as_str().trim_end_matches('/'))
    }

    async fn ask(&self, asked: &AgentQuestion) -> Result<Reply, AgentError> {
        let waits = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(self.options.first_wait)
            .with_max_times(self.options.attempts.saturating_sub(1));
        (|| self.once(asked))
            .retry(waits)
            .when(AgentError::is_transport)
            .notify(|error, wait| tracing::info!("{error}; again in {} ms", wait.as_millis()))
            .await
    }
}

/// A client for an address that an option names.
pub(super) fn http_client(option: &str, address: &str, timeout: Duration) -> Result<(reqwest::Client, Url)> {
    let wrong = |why: String| Error::Usage(format!("{option} {address}: {why}"));
    let url = Url::parse(address).map_err(|error| wrong(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong("give an address such as http://localhost:8000".to_owned()));
    }
    // without a provider the first TLS client panics; a second installation is no harm
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut http = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(timeout.min(Duration::from_secs(10)))
        .user_agent(concat!("atlas-gt/", env!("CARGO_PKG_VERSION")));
    if crate::machine::is_loopback(&url) {
        http = http.no_proxy();
    }
    let http = http.build().map_err(|error| wrong(error.to_string()))?;
    Ok((http, url))
}

/// A whole body of at most so many bytes.
pub(super) async fn body_of(mut response: reqwest::Response, most: u64) -> Result<Vec<u8>, AgentError> {
    let mut text = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| AgentError::CutOff(chain(&error)))? {
        if text.len() as u64 + chunk.len() as u64 > most {
            return Err(AgentError::TooLong(most));
        }
        text.extend_from_slice(&chunk);
    }
    Ok(text)
}

/// An id for the agent's logs: the same for the same question and mode.
fn request_id(asked: &AgentQuestion) -> String {
    let hash = Hash::of(format!("{} {} {}", asked.question_id, asked.mode.name(), asked.question).as_bytes());
    let hash: String = hash.as_str().chars().filter(char::is_ascii_alphanumeric).take(12).collect();
    format!("atlas-gt-{}-{hash}", asked.question_id)
}

/// Whether a thread's id can stand in a path.
fn is_id(thread: &str) -> bool {
    !thread.is_empty()
        && thread.len() <= 128
        && thread.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// What the event stream has said so far.
struct Heard {
    since: Instant,
    thread: Option<String>,
    /// What the agent said since it last called a tool.
    answer: String,
    /// What it said before.
    drafts: Vec<String>,
    trace: TurnReader,
    done: bool,
}

impl Heard {
    fn new() -> Self {
        let trace = TurnReader::default();
        Self {
            since: Instant::now(),
            thread: None,
            answer: String::new(),
            drafts: Vec::new(),
            trace,
            done: false,
        }
    }

    fn take(&mut self, event: &Event) -> Result<(), AgentError> {
        if self.done {
            return Ok(());
        }
        let data: Value = serde_json::from_str(&event.data).map_err(|error| {
            let quoted: String = event.data.chars().take(QUOTE).collect();
            AgentError::Malformed(format!("event `{}` is no JSON ({error}): {quoted}", event.name))
        })?;
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        // some servers name the event in its data only
        let name = if event.name.is_empty() {
            text("message_type").or_else(|| text("type")).unwrap_or("")
        } else {
            &event.name
        };
        match name {
            "thread_id" => self.thread = text("thread_id").map(str::to_owned),
            "agent_talk" => self.answer.push_str(&message_text(data.get("content"))),
            // a tool is called: what was said before was thinking aloud
            "tool_call" | "tool_output" => self.draft(),
            "error" => {
                let keys = ["message", "detail", "error", "content"];
                let message = keys.iter().find_map(|key| text(key)).unwrap_or("an error without words");
                return Err(AgentError::Reported(message.to_owned()));
            }
            "done" => {
                self.done = true;
                self.thread = self.thread.take().or_else(|| text("thread_id").map(str::to_owned));
            }
            _ => {}
        }
        let at = (self.since.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        self.trace.event(name, &data, at);
        Ok(())
    }

    /// What was said so far was no answer yet.
    fn draft(&mut self) {
        let draft = std::mem::take(&mut self.answer);
        self.drafts.extend(Some(draft.trim().to_owned()).filter(|draft| !draft.is_empty()));
    }

    /// The answer is the last message of the thread: what the stream says may be a draft and the answer with nothing between them.
    fn settle(&mut self, messages: Option<&Value>) {
        if let Some(last) = messages.and_then(last_answer) {
            let said = std::mem::replace(&mut self.answer, last);
            let draft = said.trim().strip_suffix(self.answer.as_str()).unwrap_or(said.trim()).trim();
            self.drafts
                .extend(Some(draft.to_owned()).filter(|draft| !draft.is_empty() && *draft != self.answer));
            return;
        }
        let said = self.answer.trim();
        let half = said.len() / 2;
        if said.is_char_boundary(half) && said[..half].trim() == said[half..].trim() {
            self.answer = said[half..].trim().to_owned();
        }
    }

    fn reply(mut self, asked: &AgentQuestion, turn: Option<&Value>, messages: Option<&Value>) -> Reply {
        self.settle(messages);
        let unread = turn.and_then(|turn| self.trace.turn(turn).err());
        let mut trace = self.trace.finish();
        trace.question_id = asked.question_id.to_string();
        trace.total_duration_ms = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        Reply {
            answer: self.answer.trim().to_owned(),
            drafts: self.drafts,
            links: trace.addresses(),
            trace: Some(trace),
            request_id: None,
            notes: unread.map(|why| format!("the details of the thread: {why}")).into_iter().collect(),
        }
    }
}

/// The last message of the agent that has words in it.
fn last_answer(messages: &Value) -> Option<String> {
    let list = ["messages", "data"].iter().find_map(|key| messages.get(*key)?.as_array());
    let list = list.or_else(|| messages.as_array())?;
    let answer = |message: &Value| {
        let role = ["role", "type"].iter().find_map(|key| message.get(*key)?.as_str())?;
        let text = message_text(message.get("content"));
        (matches!(role, "ai" | "assistant") && !text.trim().is_empty()).then(|| text.trim().to_owned())
    };
    list.iter().rev().find_map(answer)
}
