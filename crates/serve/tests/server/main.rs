//! The server over real connections: traces in, figures out, what is turned away, and what a person does at the desk.

mod attacks;
mod desk;
mod postgres;
mod traces;
mod written_by_the_agent;

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use atlas_gt_core::config::StaleMonths;
use atlas_gt_serve::database::Database;
use atlas_gt_serve::import::TraceSource;
use atlas_gt_serve::trace_row::TraceRow;
use atlas_gt_serve::traces::Traces;
use atlas_gt_serve::{Desk, Options, Sources};
use jiff::Timestamp;
use postgres::Postgres;
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

struct Server {
    base: String,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

fn client() -> Client {
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::new()
}

fn file(folder: &Path) -> String {
    folder.join("traces.db").to_str().unwrap().to_owned()
}

/// The desk over a folder; what is done there is done by a program that only says how it was called.
fn sources(folder: &Path) -> Sources {
    let program = folder.join("atlas-gt");
    if !program.exists() {
        std::fs::write(&program, "#!/bin/sh\necho \"called: $*\"\n").unwrap();
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    Sources {
        store: folder.join("store"),
        runs: folder.join("runs"),
        spot_checks: folder.join("checks"),
        strategies: folder.join("strategies.json"),
        promote_to: folder.join("production.json"),
        agent_site: "live".to_owned(),
        stale_months: StaleMonths::all(6),
        program,
        flags: Vec::new(),
        trace_flags: String::new(),
        by: "tester".to_owned(),
    }
}

fn options(database: String, folder: &Path) -> Options {
    let sources = sources(folder);
    Options {
        database,
        traces_from: None,
        token: None,
        keep_days: 90,
        sources,
        week_report: |_| String::new(),
    }
}

async fn start(options: Options) -> Server {
    let desk = Desk::open(options).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let ended = tokio::spawn(desk.serve(listener, async { drop(stopped.await) }));
    Server { base: format!("http://{address}"), address, stop, ended }
}

impl Server {
    async fn end(self) {
        drop(self.stop);
        self.ended.await.unwrap();
    }

    async fn post(&self, path: &str, body: &Value) -> Response {
        client().post(format!("{}{path}", self.base)).json(body).send().await.unwrap()
    }

    async fn metrics(&self) -> Value {
        client().get(format!("{}/api/metrics", self.base)).send().await.unwrap().json().await.unwrap()
    }
}

fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// The text of a page, and the token of its forms.
async fn page(server: &Server, path: &str) -> (StatusCode, String, String) {
    let answer =
        client().get(format!("{}{path}", server.base)).header("accept", "text/html").send().await.unwrap();
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    let csrf = text.split_once("name=\"csrf\" value=\"").map_or("", |(_, rest)| &rest[..64]);
    let csrf = csrf.to_owned();
    (status, text, csrf)
}

async fn act(server: &Server, action: &str, csrf: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    body.append_pair("csrf", csrf).extend_pairs(fields);
    let request = client()
        .post(format!("{}/do/{action}", server.base))
        .header("content-type", "application/x-www-form-urlencoded");
    let answer = request.header("accept", "text/html").body(body.finish()).send().await.unwrap();
    (answer.status(), answer.text().await.unwrap())
}

const PAGES: [&str; 10] = [
    "/",
    "/records",
    "/review",
    "/changes",
    "/runs",
    "/spot-checks",
    "/production",
    "/points",
    "/configuration",
    "/jobs",
];
