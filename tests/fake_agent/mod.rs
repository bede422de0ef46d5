//! A server that speaks as Ask-Atlas does, and errs in every way that is known: events as sse-starlette sends them, with
//! pings, details of a thread, deletion.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use futures::{StreamExt, stream};
use serde_json::{Value, json};

/// How the server answers a question.
#[derive(Debug, Clone)]
pub enum Manner {
    /// An answer, with the pipeline that it came from.
    Says(String),
    /// The same with a link.
    Links(String, String),
    /// An answer from SQL.
    BySql(String),
    /// No tool: a draft and the answer, with no event between them.
    Doubled(String, String),
    /// GraphQL turns the question down, and SQL answers it.
    Rejected(String),
    /// Two calls at once, of which the first runs.
    Parallel(String),
    /// An answer from the documentation alone.
    Docs(String),
    /// Nothing for so long.
    Slow(Duration),
    /// Half an answer, then the end.
    CutOff(String),
    /// An event that is not JSON.
    Malformed,
    /// An error event.
    Error(String),
    /// An HTTP status, so many times, then the answer.
    Status(u16, u32, String),
    /// More than anybody wants.
    Endless,
    /// An error with more than anybody wants.
    EndlessError,
}

#[derive(Default)]
pub struct Seen {
    pub questions: Vec<(String, String)>,
    pub request_ids: BTreeSet<String>,
    pub details: Vec<String>,
    pub threads: BTreeSet<String>,
    /// The last message of a thread.
    answers: BTreeMap<String, String>,
    pub most_at_once: u32,
    at_once: u32,
    tries: BTreeMap<String, u32>,
}

pub struct Fake {
    pub base: String,
    state: Arc<Server>,
    task: tokio::task::JoinHandle<()>,
}

struct Server {
    manners: BTreeMap<String, Manner>,
    seen: Mutex<Seen>,
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Fake {
    /// Answers each question in its manner; other questions are declined.
    pub async fn start(manners: impl IntoIterator<Item = (String, Manner)>) -> Self {
        let state = Arc::new(Server { manners: manners.into_iter().collect(), seen: Mutex::default() });
        let app = Router::new()
            .route("/api/chat/stream", post(chat))
            .route("/api/threads/{id}/turns/0", get(turn))
            .route("/api/threads/{id}/messages", get(messages))
            .route("/api/threads/{id}", delete(forget))
            .with_state(state.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { base, state, task }
    }

    pub fn seen<T>(&self, look: impl FnOnce(&Seen) -> T) -> T {
        look(&self.state.seen.lock().unwrap())
    }
}

fn event(name: &str, data: &Value) -> String {
    format!("event: {name}\r\ndata: {data}\r\n\r\n")
}

async fn chat(State(server): State<Arc<Server>>, headers: HeaderMap, body: Bytes) -> Response {
    let asked: Value = serde_json::from_slice(&body).unwrap();
    let question = asked["question"].as_str().unwrap().to_owned();
    let mode = asked["mode"].as_str().unwrap().to_owned();
    if !["auto", "sql_only", "graphql_only"].contains(&mode.as_str()) {
        let detail = "Input should be 'auto', 'sql_only' or 'graphql_only'";
        let said = json!({ "detail": [{ "loc": ["body", "mode"], "msg": detail }] });
        return (StatusCode::UNPROCESSABLE_ENTITY, axum::Json(said)).into_response();
    }
    let manner = server.manners.get(&question).cloned();
    let (thread, tries) = {
        let mut seen = server.seen.lock().unwrap();
        seen.questions.push((question.clone(), mode));
        let id = headers.get("x-request-id").map(|id| id.to_str().unwrap().to_owned());
        seen.request_ids.extend(id);
        let tries = seen.tries.entry(question.clone()).or_default();
        *tries += 1;
        let tries = *tries;
        seen.at_once += 1;
        seen.most_at_once = seen.most_at_once.max(seen.at_once);
        (format!("thread-{}", seen.questions.len()), tries)
    };
    tokio::time::sleep(Duration::from_millis(20)).await;
    server.seen.lock().unwrap().at_once -= 1;
    let manner = manner.unwrap_or_else(|| Manner::Says("I cannot help with that question.".into()));
    if let Manner::Status(status, times, _) = &manner
        && tries <= *times
    {
        return (StatusCode::from_u16(*status).unwrap(), "{\"detail\": \"Service not ready.\"}")
            .into_response();
    }
    let endless = |much: String| {
        stream::unfold(much, |much| async move {
            tokio::task::yield_now().await;
            Some((Ok::<_, std::io::Error>(much.clone()), much))
        })
    };
    if let Manner::EndlessError = &manner {
        let body = Body::from_stream(endless("very much ".repeat(20_000)));
        return (StatusCode::BAD_REQUEST, body).into_response();
    }
    server.seen.lock().unwrap().threads.insert(thread.clone());
    let talk = |text: &str| {
        event("agent_talk", &json!({ "source": "agent", "content": text, "message_type": "agent_talk" }))
    };
    const DRAFT: &str = "Let me look that up. ";
    let mut parts = vec![
        event("thread_id", &json!({ "thread_id": thread })),
        ": ping - 2026-11-20 10:30:00\r\n\r\n".to_owned(),
        talk(DRAFT),
    ];
    // the call repeats what was said before, and names no tool
    let call =
        event("tool_call", &json!({ "source": "agent", "content": DRAFT, "message_type": "tool_call" }));
    let output = |content: &str| {
        event("tool_output", &json!({ "source": "tool", "content": content, "message_type": "tool_output" }))
    };
    let node = |name: &str, state: Value| {
        let mut state = state;
        state["stage"] = name.into();
        let start = event("node_start", &json!({ "node": name, "label": name, "query_index": 1 }));
        [start, event("pipeline_state", &state)].concat()
    };
    let plan = |rejected: bool| {
        let reason = rejected.then_some("no query of the API holds it");
        [
            call.clone(),
            node("extract_graphql_question", json!({ "question": question })),
            node(
                "plan_query",
                json!({ "query_type": if rejected { "reject" } else { "country_profile" },
                "is_rejected": rejected, "rejection_reason": reason, "entities": { "country": "Kenya" } }),
            ),
        ]
        .concat()
    };
    let graphql = |links: &[&str]| {
        let links: Vec<Value> = links.iter().map(|url| json!({ "url": url, "label": "Atlas" })).collect();
        let links = if links.is_empty() {
            String::new()
        } else {
            event("atlas_links", &json!({ "atlas_links": links }))
        };
        [
            plan(false),
            node("resolve_ids", json!({ "resolved_ids": { "country_id": 404 } })),
            node(
                "build_and_execute_graphql",
                json!({ "execution_time_ms": 12, "api_target": "country_pages",
                "success": true, "query_type": "country_profile" }),
            ),
            node("assess_graphql_result", json!({ "verdict": "sufficient" })),
            output("GDP per capita: 2274"),
            links,
        ]
        .concat()
    };
    let sql = [
        call.clone(),
        node(
            "extract_products",
            json!({ "entities": { "schemas": ["hs92"], "products": [], "countries": ["Kenya"] } }),
        ),
        node("execute_sql", json!({ "sql": "SELECT 1", "row_count": 1 })),
        output("1 row"),
    ]
    .concat();
    let done = |counts: Value| {
        let mut by_node =
            json!({ "agent": { "wall_time_ms": 310.4, "llm_time_ms": 300.0, "io_time_ms": 0.0 } });
        if counts.get("atlas_graphql").is_some() && !matches!(manner, Manner::Rejected(_)) {
            by_node["build_and_execute_graphql"] =
                json!({ "wall_time_ms": 12.0, "llm_time_ms": 0.0, "io_time_ms": 11.0 });
        }
        event(
            "done",
            &json!({
                "thread_id": thread, "tool_call_counts": counts, "total_time_ms": 40, "total_queries": 1,
                "token_usage": { "total": { "input_tokens": 1200, "output_tokens": 80, "total_tokens": 1280, "call_count": 3 } },
                "cost": { "by_pipeline": {}, "total_cost_usd": 0.0042 },
                "step_timing": { "by_node": by_node },
            }),
        )
    };
    match &manner {
        Manner::Says(answer) | Manner::Status(_, _, answer) => {
            parts.push(graphql(&[]));
            // the answer comes in pieces that respect no border
            let chars: Vec<char> = answer.chars().collect();
            parts.extend(chars.chunks(7).map(|piece| talk(&piece.iter().collect::<String>())));
            parts.push(done(json!({ "atlas_graphql": 1 })));
        }
        Manner::Links(answer, link) => {
            parts.extend([graphql(&[link]), talk(answer), done(json!({ "atlas_graphql": 1 }))]);
        }
        Manner::BySql(answer) => parts.extend([sql, talk(answer), done(json!({ "query_tool": 1 }))]),
        Manner::Doubled(draft, answer) => {
            parts.pop();
            let block = |text: &str| {
                event(
                    "agent_talk",
                    &json!({ "source": "agent", "content": [{ "type": "text", "text": text }] }),
                )
            };
            parts.extend([talk(draft), block(answer), done(json!({}))]);
        }
        Manner::Rejected(answer) => {
            let output = output("The question cannot be answered by GraphQL.");
            let counts = json!({ "query_tool": 1, "atlas_graphql": 1 });
            parts.extend([plan(true), output, sql, talk(answer), done(counts)]);
        }
        Manner::Parallel(answer) => {
            let refused = output("Only one query can be executed at a time. Ask again.");
            let counts = json!({ "atlas_graphql": 1, "query_tool": 1 });
            parts.extend([graphql(&[]), refused, talk(answer), done(counts)]);
        }
        Manner::Docs(answer) => {
            let docs = node("retrieve_docs", json!({ "doc_titles": ["Glossary"] }));
            let counts = json!({ "docs_tool": 1 });
            parts.extend([call, docs, output("Glossary"), talk(answer), done(counts)]);
        }
        Manner::Slow(wait) => {
            let begun = parts.concat();
            let wait = *wait;
            let slow = stream::iter([Ok::<_, std::io::Error>(begun)]).chain(stream::once(async move {
                tokio::time::sleep(wait).await;
                Ok(String::new())
            }));
            return sse(Body::from_stream(slow));
        }
        Manner::CutOff(answer) => parts.push(talk(answer)),
        Manner::Malformed => parts.push("event: agent_talk\r\ndata: {\"content\": \"$2,2\r\n\r\n".to_owned()),
        Manner::Error(message) => {
            parts.extend([event("error", &json!({ "message": message })), done(json!({}))]);
        }
        Manner::Endless => {
            let begun = stream::iter([Ok::<_, std::io::Error>(parts.concat())]);
            return sse(Body::from_stream(begun.chain(endless(talk(&"very much ".repeat(20_000))))));
        }
        Manner::EndlessError => {}
    }
    if let Manner::Says(answer)
    | Manner::Status(_, _, answer)
    | Manner::Links(answer, _)
    | Manner::BySql(answer)
    | Manner::Doubled(_, answer)
    | Manner::Rejected(answer)
    | Manner::Docs(answer)
    | Manner::Parallel(answer) = &manner
    {
        server.seen.lock().unwrap().answers.insert(thread.clone(), answer.clone());
    }
    let parts: Vec<Result<String, std::io::Error>> = parts.into_iter().map(Ok).collect();
    sse(Body::from_stream(stream::iter(parts)))
}

fn sse(body: Body) -> Response {
    ([("content-type", "text/event-stream")], body).into_response()
}

async fn turn(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Response {
    let mut seen = server.seen.lock().unwrap();
    if !seen.threads.contains(&id) {
        return StatusCode::NOT_FOUND.into_response();
    }
    seen.details.push(id);
    let turn = json!({
        "entities": { "country": "Kenya" },
        "resolved_params": { "country_id": 404 },
        "queries": [{ "sql": "" }],
        "atlas_links": [],
    });
    axum::Json(turn).into_response()
}

async fn messages(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Response {
    let seen = server.seen.lock().unwrap();
    let Some(answer) = seen.answers.get(&id) else { return StatusCode::NOT_FOUND.into_response() };
    let human = json!({ "role": "human", "content": "the question" });
    let call = json!({ "role": "ai", "content": "", "tool_calls": [{ "name": "atlas_graphql" }] });
    let last = json!({ "role": "ai", "content": [{ "type": "text", "text": answer }] });
    axum::Json(json!([human, call, last])).into_response()
}

async fn forget(State(server): State<Arc<Server>>, Path(id): Path<String>) -> StatusCode {
    if server.seen.lock().unwrap().threads.remove(&id) {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::NOT_FOUND
    }
}
