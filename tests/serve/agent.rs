//! An agent behind an address, which a test can change while it runs: some questions it answers, others it lets wait.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::sync::watch;

/// What it says to a question that holds these words; nothing is never answered.
type Answers = Mutex<BTreeMap<String, Option<String>>>;

pub struct Agent {
    pub address: String,
    state: Arc<(Answers, watch::Sender<u32>)>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Agent {
    pub async fn start() -> Self {
        let state = Arc::new((Answers::default(), watch::Sender::new(0)));
        let app = Router::new().route("/api/chat/stream", post(chat)).with_state(state.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { address, state, task }
    }

    /// What it says from now on; questions that wait are answered by it too.
    pub fn says(&self, words: &str, answer: Option<&str>) {
        self.state.0.lock().unwrap().insert(words.to_owned(), answer.map(str::to_owned));
        self.state.1.send_modify(|changed| *changed += 1);
    }
}

async fn chat(State(state): State<Arc<(Answers, watch::Sender<u32>)>>, body: Bytes) -> Response {
    let asked: Value = serde_json::from_slice(&body).unwrap();
    let question = asked["question"].as_str().unwrap().to_owned();
    let mut changes = state.1.subscribe();
    let answer = loop {
        let found = state
            .0
            .lock()
            .unwrap()
            .iter()
            .find(|(words, _)| question.contains(*words))
            .map(|(_, said)| said.clone());
        match found {
            Some(Some(answer)) => break answer,
            Some(None) => changes.changed().await.unwrap(),
            None => break "I could not find that.".to_owned(),
        }
    };
    let event = |name: &str, data: Value| format!("event: {name}\r\ndata: {data}\r\n\r\n");
    let text = [
        event("thread_id", json!({ "thread_id": "t" })),
        event("agent_talk", json!({ "source": "agent", "content": answer, "message_type": "agent_talk" })),
        event(
            "done",
            json!({ "thread_id": "t", "tool_call_counts": { "query_tool": 1 }, "total_time_ms": 40 }),
        ),
    ]
    .concat();
    ([("content-type", "text/event-stream")], text).into_response()
}
