//! Ask-Atlas over HTTP: one new thread per question, the answer from the event stream, the details
//! from the thread.

use std::time::{Duration, Instant};

use backon::Retryable;
use serde_json::{Value, json};
use tokio::time::timeout;
use url::Url;

use super::sse::{Event, Events};
use super::trace::{TurnReader, message_text};
use super::{Agent, AgentError, AgentQuestion, Reply, answered};
use crate::error::{Error, Result};
use crate::evidence::Hash;
pub(super) use crate::http::chain;
use crate::http::{Redirects, client};
use atlas_gt_core::retry::backoff;

/// The limits for requests to Ask-Atlas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskOptions {
    /// The time limit per answer.
    pub timeout: Duration,
    /// The maximum size of an event stream, in bytes.
    pub most: u64,
    /// The maximum number of attempts to send a question.
    pub attempts: usize,
    /// The wait before the second attempt. It doubles each time.
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

/// The maximum length of a server message in an error, in characters.
pub(super) const MAX_QUOTE: usize = 200;

/// The maximum wait between attempts.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// Ask-Atlas.
#[derive(Debug)]
pub struct AskAtlas {
    http: reqwest::Client,
    base: Url,
    options: AskOptions,
}

impl AskAtlas {
    /// A client for Ask-Atlas at an address such as `http://localhost:8000`.
    ///
    /// # Errors
    /// The address is not an http address, or no HTTP client can be created.
    pub fn new(base: &str, options: AskOptions) -> Result<Self> {
        let (http, url) = http_client("--agent", base, options.timeout)?;
        Ok(Self { http, base: url, options })
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }

    /// Sends the question and reads the event stream to its end.
    async fn stream(
        &self,
        asked: &AgentQuestion,
        request_id: &str,
        heard: &mut StreamState,
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
            let mut body: String = text.chars().take(MAX_QUOTE).collect();
            if status == 422 && text.contains("mode") {
                body.push_str(" (this server may support other modes: see --mode)");
            }
            return Err(AgentError::Status { status, body });
        }
        let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or("no content type").to_owned();
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
        if heard.done {
            return Ok(());
        }
        let why = match kind.starts_with("text/event-stream") {
            true => "it ended without its `done`".to_owned(),
            false => format!("it is not an event stream ({kind}) and has no `done` event"),
        };
        Err(AgentError::CutOff(why))
    }

    /// Fetches a part of the thread.
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
        let mut heard = StreamState::new();
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
                        Ok(Err(why)) => notes.push(format!("the thread's {what} are missing: {why}")),
                        Err(_) => notes.push(format!("the thread's {what} are missing: timeout")),
                    }
                }
            }
            // delete the thread in any case
            match timeout(brief, self.forget(&thread, &request_id)).await {
                Ok(Ok(())) => {}
                Ok(Err(why)) => notes.push(format!("thread {thread} was not deleted: {why}")),
                Err(_) => notes.push(format!("thread {thread} was not deleted: timeout")),
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
        (|| self.once(asked))
            .retry(backoff(self.options.first_wait, MAX_WAIT, self.options.attempts))
            .when(AgentError::is_transport)
            .notify(|error, wait| tracing::info!("{error}; retrying in {} ms", wait.as_millis()))
            .await
    }
}

/// An HTTP client for an address from an option.
pub(super) fn http_client(option: &str, address: &str, timeout: Duration) -> Result<(reqwest::Client, Url)> {
    let wrong = |why: String| Error::Usage(format!("{option} {address}: {why}"));
    let url = Url::parse(address).map_err(|error| wrong(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong("give an address such as http://localhost:8000".to_owned()));
    }
    // the caller's limit expires first, so a slow answer is not mistaken for a lost connection
    let http = client(&url, None, timeout + Duration::from_secs(10), Redirects::None)
        .map_err(|error| wrong(error.to_string()))?;
    Ok((http, url))
}

/// Reads a body of limited size.
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

/// A request id for the agent's logs, fixed per question and mode.
fn request_id(asked: &AgentQuestion) -> String {
    let hash = Hash::of(format!("{} {} {}", asked.question_id, asked.mode.name(), asked.question).as_bytes());
    let hash: String = hash.as_str().chars().filter(char::is_ascii_alphanumeric).take(12).collect();
    format!("atlas-gt-{}-{hash}", asked.question_id)
}

/// Whether a thread id is safe in a path.
fn is_id(thread: &str) -> bool {
    !thread.is_empty()
        && thread.len() <= 128
        && thread.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// The state of reading an event stream.
struct StreamState {
    since: Instant,
    thread: Option<String>,
    /// The agent's text since its last tool call.
    answer: String,
    /// The agent's earlier texts.
    drafts: Vec<String>,
    trace: TurnReader,
    done: bool,
}

impl StreamState {
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
            let quoted: String = event.data.chars().take(MAX_QUOTE).collect();
            AgentError::Malformed(format!("event `{}` is not JSON ({error}): {quoted}", event.name))
        })?;
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        // some servers name the event only in its data
        let name = if event.name.is_empty() {
            text("message_type").or_else(|| text("type")).unwrap_or("")
        } else {
            &event.name
        };
        match name {
            "thread_id" => self.thread = text("thread_id").map(str::to_owned),
            "agent_talk" => self.answer.push_str(&message_text(data.get("content"))),
            // text before a tool call is not part of the answer
            "tool_call" | "tool_output" => self.draft(),
            "error" => {
                let keys = ["message", "detail", "error", "content"];
                let message = keys.iter().find_map(|key| text(key)).unwrap_or("an error without a message");
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

    /// Moves the text so far to the drafts.
    fn draft(&mut self) {
        let draft = std::mem::take(&mut self.answer);
        self.drafts.extend(Some(draft.trim().to_owned()).filter(|draft| !draft.is_empty()));
    }

    /// Takes the last message of the thread as the answer. The stream alone may join a draft and
    /// the answer.
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
            notes: unread.map(|why| format!("the thread's details: {why}")).into_iter().collect(),
            ..Reply::default()
        }
    }
}

/// The last agent message with text.
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
