//! The server over real connections: traces in, figures out, and what is turned away.

mod attacks;
mod postgres;

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use atlas_gt_core::config::StaleMonths;
use atlas_gt_serve::database::Database;
use atlas_gt_serve::import::import_lines;
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
        by: "tester".to_owned(),
    }
}

fn options(database: String, folder: &Path) -> Options {
    Options { database, traces_from: None, token: None, keep_days: 90, sources: sources(folder) }
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

async fn traces_come_in_once_and_outlast_the_server(database: String) {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(database.clone(), folder.path())).await;
    let one = json!({ "id": id(1), "thread_id": "t", "question": "How much did Kenya export?", "tool_calls": ["query_tool"],
                      "node_sequence": ["agent"], "latency_ms": 1200, "error": null });
    let answer: Value = server.post("/api/traces", &one).await.json().await.unwrap();
    assert_eq!(answer, json!({ "accepted": 1, "known": 0 }));
    let bad = json!({ "id": id(2), "thread_id": "t", "question": "Q", "error": "broke", "pipeline_used": "graphql", "latency_ms": 9000,
                      "budget_used": 60, "budget_limit": 120, "breaker": "open" });
    let answer: Value = server.post("/api/traces", &json!([one, bad, bad])).await.json().await.unwrap();
    assert_eq!(answer, json!({ "accepted": 1, "known": 2 }));

    // acknowledged: another server on the same file has them
    server.ended.abort();
    let server = start(options(database, folder.path())).await;
    let found = server.metrics().await;
    let hour = &found["windows"][0];
    assert_eq!(
        (&hour["requests"], &hour["error_rate"], &hour["budget"]["peak"]),
        (&json!(2), &json!(0.5), &json!(0.5))
    );
    assert_eq!(hour["pipelines"]["sql"]["share"], 0.5);
    assert_eq!(
        found["targets"][1],
        json!({ "name": "graphql_latency_p95_ms", "target": "< 5 s", "value": 9000.0, "state": "missed" })
    );
    let text = client().get(format!("{}/metrics", server.base)).send().await.unwrap().text().await.unwrap();
    assert!(
        text.contains("atlas_gt_breaker_trips{window=\"7d\"} 1\n") && text.ends_with("# EOF\n"),
        "{text}"
    );
    server.end().await;
}

fn attribute(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

async fn spans_of_one_trace_may_come_apart(database: String) {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(database, folder.path())).await;
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let span = |id: &str, parent: Option<&str>, name: &str, attributes: Vec<Value>| {
        json!({ "traceId": trace, "spanId": id, "parentSpanId": parent.unwrap_or_default(), "name": name,
                "startTimeUnixNano": "1795687200000000000", "endTimeUnixNano": "1795687203500000000", "attributes": attributes })
    };
    let request = |span: Value| json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [span] }] }] });
    let tool = span(
        "b",
        Some("a"),
        "execute_tool atlas_graphql",
        vec![
            attribute("gen_ai.operation.name", "execute_tool"),
            attribute("gen_ai.tool.name", "atlas_graphql"),
            attribute("gen_ai.tool.call.result", "SECRET of a person"),
        ],
    );
    let said: Value = server.post("/v1/traces", &request(tool)).await.json().await.unwrap();
    assert_eq!(said, json!({ "partialSuccess": {} }));
    assert_eq!(server.metrics().await["windows"][2]["requests"], 0, "its root is not there");
    let messages = json!([{ "role": "system", "parts": [{ "type": "text", "content": "SECRET" }] },
                          { "role": "user", "parts": [{ "type": "text", "content": "What did Kenya export?" }] }]);
    let root = span(
        "a",
        None,
        "invoke_agent",
        vec![
            attribute("gen_ai.input.messages", &messages.to_string()),
            attribute("gen_ai.output.messages", "SECRET"),
            attribute("gen_ai.conversation.id", "thread-7"),
        ],
    );
    for _ in 0..2 {
        assert_eq!(server.post("/v1/traces", &request(root.clone())).await.status(), StatusCode::OK);
    }
    let nameless = json!({ "traceId": "1af7651916cd43dd8448eb211c80319c", "spanId": "a", "name": "x",
                           "startTimeUnixNano": "1", "endTimeUnixNano": "2" });
    let said: Value = server.post("/v1/traces", &request(nameless)).await.json().await.unwrap();
    assert!(said["partialSuccess"]["errorMessage"].as_str().unwrap().contains("has no question"), "{said}");
    let week = &server.metrics().await["windows"][2];
    assert_eq!(
        (&week["requests"], &week["pipelines"]["graphql"]["p95_ms"]),
        (&json!(1), &json!(3500.0)),
        "{week}"
    );
    server.end().await;
}

async fn what_is_wrong_is_refused_with_its_reason_and_nothing_of_it_is_kept(database: String) {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(database, folder.path())).await;
    let good = json!({ "thread_id": "t\0", "question": "'; DROP TABLE request_traces; --\0" });
    assert_eq!(server.post("/api/traces", &good).await.status(), StatusCode::OK);
    let many: Vec<Value> = (0..1001).map(|_| good.clone()).collect();
    let wide = json!({ "thread_id": "t", "question": "x".repeat(1 << 20) });
    for (body, status, said) in [
        (json!([good, { "thread_id": "t" }]), StatusCode::BAD_REQUEST, "trace 2: `question`"),
        (
            json!({ "thread_id": "t", "question": "q", "email": "a@b.c" }),
            StatusCode::BAD_REQUEST,
            "unknown field `email`",
        ),
        (json!("text"), StatusCode::BAD_REQUEST, "invalid type"),
        (json!(many), StatusCode::PAYLOAD_TOO_LARGE, "at most 1000"),
        (wide, StatusCode::PAYLOAD_TOO_LARGE, "1048576 bytes"),
    ] {
        let answer = server.post("/api/traces", &body).await;
        assert_eq!(answer.status(), status, "{said}");
        let text = answer.text().await.unwrap();
        assert!(text.contains(said), "{said}: {text}");
    }
    let form = client()
        .post(format!("{}/api/traces", server.base))
        .header("content-type", "text/plain")
        .body(good.to_string());
    assert_eq!(form.send().await.unwrap().status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    for (name, value) in
        [("origin", "http://evil.example"), ("sec-fetch-site", "cross-site"), ("host", "evil.example")]
    {
        let request = client().post(format!("{}/api/traces", server.base)).header(name, value).json(&good);
        assert_eq!(request.send().await.unwrap().status(), StatusCode::FORBIDDEN, "{name}");
    }
    let metrics = client().get(format!("{}/api/metrics", server.base)).send().await.unwrap();
    assert!(metrics.headers()["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
    assert_eq!(metrics.headers()["x-content-type-options"], "nosniff");
    let metrics: Value = metrics.json().await.unwrap();
    assert_eq!(metrics["windows"][2]["requests"], 1, "the table is there, and so is what was good");
    server.end().await;
}

#[tokio::test]
async fn sqlite_takes_traces_and_refuses_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    traces_come_in_once_and_outlast_the_server(file(folder.path())).await;
    let folder = tempfile::tempdir().unwrap();
    what_is_wrong_is_refused_with_its_reason_and_nothing_of_it_is_kept(file(folder.path())).await;
    let folder = tempfile::tempdir().unwrap();
    spans_of_one_trace_may_come_apart(file(folder.path())).await;
    let bytes = std::fs::read(file(folder.path())).unwrap();
    let file = String::from_utf8_lossy(&bytes);
    assert!(!file.contains("SECRET") && file.contains("What did Kenya export?") && file.contains("thread-7"));
    assert!(file.contains("0af76519-16cd-43dd-8448-eb211c80319c") && file.contains("[\"atlas_graphql\"]"));
}

#[tokio::test]
#[ignore = "slow: it starts a PostgreSQL"]
async fn postgresql_takes_traces_and_refuses_what_is_wrong() {
    let postgres = Postgres::start().await;
    traces_come_in_once_and_outlast_the_server(postgres.database("once").await).await;
    what_is_wrong_is_refused_with_its_reason_and_nothing_of_it_is_kept(postgres.database("wrong").await)
        .await;
    spans_of_one_trace_may_come_apart(postgres.database("spans").await).await;
}

/// The table of section 5.2, made by the agent, read by a role that may do nothing else.
#[tokio::test]
#[ignore = "slow: it starts a PostgreSQL"]
async fn a_table_that_the_agent_writes_is_read_without_the_right_to_write() {
    let postgres = Postgres::start().await;
    let app = postgres.database("app").await;
    let statements = "CREATE TABLE request_traces (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), thread_id TEXT NOT NULL, \
        question TEXT NOT NULL, tool_calls JSONB, node_sequence JSONB, pipeline_used TEXT, latency_ms INTEGER, error TEXT, \
        created_at TIMESTAMPTZ DEFAULT NOW()); CREATE INDEX idx_request_traces_created_at ON request_traces (created_at); \
        CREATE ROLE reader LOGIN; GRANT SELECT ON request_traces TO reader; \
        INSERT INTO request_traces (thread_id, question, pipeline_used, latency_ms) VALUES ('t', 'q', 'sql', 100)";
    postgres.execute("app", statements).await;
    let folder = tempfile::tempdir().unwrap();
    let reader = app.replace("postgres@", "reader@");
    let server =
        start(Options { traces_from: Some(reader), ..options(file(folder.path()), folder.path()) }).await;
    assert_eq!(server.metrics().await["windows"][0]["requests"], 1);
    postgres
        .execute("app", "INSERT INTO request_traces (thread_id, question, error) VALUES ('t', 'q', 'broke')")
        .await;
    // what is new is looked for once a second
    let patience = Instant::now() + Duration::from_secs(20);
    while server.metrics().await["windows"][0]["requests"] != 2 {
        assert!(Instant::now() < patience);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let refused = server.post("/api/traces", &json!({ "thread_id": "t", "question": "q" })).await;
    assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED);
    server.end().await;
}

/// The code of `docs/how-to/production.md`, as it stands there.
fn documented(mark: &str) -> String {
    let page = include_str!("../../../docs/how-to/production.md");
    let (_, rest) = page.split_once(&format!("<!-- {mark} -->\n```python\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

fn python(program: &Path, script: &str) -> String {
    let output = Command::new(program).arg("-c").arg(script).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const SAVED: &str = "save_trace(connection, 't', 'How much did Kenya export?', ['query_tool'], ['agent'], 'sql', 1200, None)\n\
                     save_trace(connection, 't', \"Kenya's GDP\", [], [], None, 20000, 'broke')\n";

#[tokio::test]
#[ignore = "slow: it needs Python"]
async fn the_documented_python_writes_what_the_server_reads() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(file(folder.path()), folder.path())).await;
    let insert = documented("insert").replace("%s", "?");
    let script =
        format!("{insert}\nimport sqlite3\nconnection = sqlite3.connect({:?})\n{SAVED}", file(folder.path()));
    python(Path::new("python3"), &script);
    let found = server.metrics().await;
    assert_eq!(
        (&found["windows"][0]["requests"], &found["windows"][0]["error_rate"]),
        (&json!(2), &json!(0.5)),
        "{found}"
    );

    // the log line, through the importer of the server's own JSON
    let script = format!(
        "{}\nlogger = logging.getLogger('agent')\nhandler = logging.StreamHandler(__import__('sys').stdout)\n\
         handler.setFormatter(JsonFormatter())\nlogger.addHandler(handler)\nlogger.setLevel('INFO')\nlogger.info('started')\n\
         log_request(logger, 't', 'q', ['query_tool'], ['agent'], 5, None)\n",
        documented("log")
    );
    let log = python(Path::new("python3"), &script);
    let database = Database::open(&file(folder.path())).await.unwrap();
    let traces = Traces::new(database.clone()).await.unwrap();
    let done =
        import_lines(&database, &traces, &mut log.as_bytes(), Timestamp::now()).await.unwrap().unwrap();
    assert_eq!((done.accepted, done.skipped, done.wrong.len()), (1, 1, 0), "{log}");
    server.end().await;
}

#[tokio::test]
#[ignore = "slow: it starts a PostgreSQL and installs psycopg"]
async fn the_documented_python_writes_to_postgresql() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("python/bin/python");
    for arguments in [&["-m", "venv", "python"][..], &["-m", "pip", "install", "-q", "psycopg[binary]"]] {
        let python = if arguments[1] == "venv" { Path::new("python3") } else { &program };
        let made = Command::new(python).args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    let postgres = Postgres::start().await;
    let address = postgres.database("app").await;
    let server = start(options(address.clone(), folder.path())).await;
    let script = format!(
        "{}\nimport psycopg\nconnection = psycopg.connect({address:?})\n{SAVED}",
        documented("insert")
    );
    python(&program, &script);
    let found = server.metrics().await;
    assert_eq!(
        (&found["windows"][0]["requests"], &found["windows"][0]["error_rate"]),
        (&json!(2), &json!(0.5)),
        "{found}"
    );
    server.end().await;
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

#[tokio::test]
async fn every_page_is_there_without_a_store_and_says_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(file(folder.path()), folder.path())).await;
    for path in PAGES {
        let (status, text, _) = page(&server, path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        assert!(text.contains("<h1>") && text.ends_with("</html>"), "{path}: {text}");
    }
    for (path, status) in [
        ("/nothing", 404),
        ("/records/61", 404),
        ("/records/..%2f..%2fetc%2fpasswd", 404),
        ("/runs/..%2f..%2fetc", 404),
        ("/runs/%2fetc%2fpasswd", 404),
        ("/compare?first=/etc&second=..", 404),
        ("/pictures/..%2fsite.json", 404),
        ("/pictures/0000000000000000000000000000000000000000000000000000000000000000", 404),
        ("/jobs/7", 404),
        ("/production/0123456789ab", 404),
        ("/production/..%2f..%2fetc", 404),
        ("/jobs/x", 404),
    ] {
        let (found, text, _) = page(&server, path).await;
        assert_eq!(found.as_u16(), status, "{path}: {text}");
    }
    server.end().await;
}

#[tokio::test]
async fn what_others_wrote_is_shown_as_text_and_what_is_done_is_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(file(folder.path()), folder.path())).await;
    let markup = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{ 7 * 7 }}";
    let trace = json!({ "thread_id": markup, "question": markup, "error": markup, "pipeline_used": markup, "tool_calls": [markup] });
    assert_eq!(server.post("/api/traces", &trace).await.status(), StatusCode::OK);
    for path in ["/", "/production", "/records?q=%3Cscript%3Ealert(1)", "/runs"] {
        let (_, text, _) = page(&server, path).await;
        assert!(!text.contains("<script>alert") && !text.contains("<img src=x"), "{path}: {text}");
    }
    let (_, text, csrf) = page(&server, "/production").await;
    assert!(text.contains("&lt;script&gt;alert(1)") && text.contains("{{ 7 * 7 }}"), "{text}");
    let failure = text.split_once("name=\"failure\" value=\"").unwrap().1[..12].to_owned();

    let fields = [
        ("failure", failure.as_str()),
        ("class", "infrastructure"),
        ("reason", markup),
        ("next", "/production"),
    ];
    assert_eq!(act(&server, "failure-review", "forged", &fields).await.0, StatusCode::FORBIDDEN);
    assert_eq!(act(&server, "failure-review", "", &fields).await.0, StatusCode::FORBIDDEN);
    let (status, text) = act(&server, "failure-review", &csrf, &fields).await;
    assert_eq!(status, StatusCode::OK, "after the redirect");
    let shown = format!("called: failures review {failure} --class=infrastructure --reason=&lt;script&gt;");
    assert!(
        text.contains(&shown) && text.contains("atlas-gt failures review") && !text.contains("<script>alert"),
        "{text}"
    );
    assert!(text.contains("action=\"/do/failure-undo\""), "it can be taken back: {text}");
    // what one person did is not shown to another
    assert!(!page(&server, "/production").await.1.contains("called: failures review"));
    let (_, text, _) = page(&server, &format!("/production/{failure}")).await;
    let shown = format!("called: failures promote {failure} --manifest=");
    assert!(text.contains(&shown) && text.contains("--propose --format=json"), "{text}");

    // nothing that is no action of the desk is run, and nobody is sent elsewhere
    for (action, fields, status) in [
        ("rm", vec![], 422),
        ("review-accept", vec![("id", "../x"), ("point", "p")], 422),
        ("eval", vec![("agent", "--agent-command=rm")], 422),
        ("failure-undo", vec![("failure", "'; DROP TABLE audit; --")], 422),
    ] {
        let (found, text) = act(&server, action, &csrf, &fields).await;
        assert_eq!(found.as_u16(), status, "{action}: {text}");
    }
    let away = [("failure", failure.as_str()), ("next", "//evil.example/")];
    let (status, text) = act(&server, "failure-undo", &csrf, &away).await;
    assert!(status == StatusCode::OK && text.contains("<h1>Inbox</h1>"), "{text}");

    // a job runs the command and keeps what it says
    let (status, text) = act(&server, "collect", &csrf, &[("questions", "61,64")]).await;
    assert!(status == StatusCode::OK && text.contains("atlas-gt collect --questions=61,64"), "{text}");
    let events =
        client().get(format!("{}/jobs/1/events", server.base)).send().await.unwrap().text().await.unwrap();
    assert!(
        events.contains("data: called: collect --questions=61,64\n") && events.contains("event: end"),
        "{events}"
    );

    // strategies are added, tried and removed
    let (_, text) = act(&server, "strategy-set", &csrf, &[("field", "name"), ("strategy", "FUZZY")]).await;
    let shown = "printf &#x27;%s&#x27; &#x27;{\n  &quot;name&quot;: &quot;FUZZY&quot;\n}\n&#x27; &gt; ";
    assert!(text.contains(shown), "{text}");
    assert_eq!(
        std::fs::read_to_string(folder.path().join("strategies.json")).unwrap(),
        "{\n  \"name\": \"FUZZY\"\n}\n"
    );
    let (_, text) =
        act(&server, "strategy-import", &csrf, &[("text", "{\"a\": \"WRONG\"}"), ("next", "/configuration")])
            .await;
    assert!(text.contains("Not done"), "{text}");
    let (_, text) =
        act(&server, "strategy-try", &csrf, &[("truth", "{}"), ("answer", "</textarea><script>")]).await;
    assert!(
        text.contains("called: score json --truth truth.json --answer answer.json --strategies=")
            && text.contains("&lt;&#x2f;textarea&gt;&lt;script&gt;"),
        "{text}"
    );
    act(&server, "strategy-remove", &csrf, &[("field", "name")]).await;
    assert_eq!(std::fs::read_to_string(folder.path().join("strategies.json")).unwrap(), "{}\n");
    server.end().await;

    let database = Database::open(&file(folder.path())).await.unwrap();
    let Database::Sqlite(pool) = &database else { unreachable!() };
    let actions: Vec<String> =
        sqlx::query_scalar("SELECT action FROM audit ORDER BY rowid").fetch_all(pool).await.unwrap();
    assert!(actions[0].starts_with("atlas-gt failures review") && actions.len() == 6, "{actions:?}");
}

#[tokio::test]
async fn a_person_logs_in_with_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let token = "0123456789abcdef0123456789abcdef";
    let server =
        start(Options { token: Some(token.to_owned()), ..options(file(folder.path()), folder.path()) }).await;
    let (status, text, csrf) = page(&server, "/records").await;
    assert!(status == StatusCode::OK && text.contains("<h1>Log in</h1>"), "{text}");
    let log_in = async |token: &str, csrf: &str| {
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let request = client
            .post(format!("{}/login", server.base))
            .header("content-type", "application/x-www-form-urlencoded");
        request.body(format!("csrf={csrf}&token={token}")).send().await.unwrap()
    };
    assert_eq!(log_in(token, "forged").await.status(), StatusCode::FORBIDDEN);
    assert_eq!(log_in("wrong", &csrf).await.status(), StatusCode::UNAUTHORIZED);
    let answer = log_in(token, &csrf).await;
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let answer =
        client().get(format!("{}/records", server.base)).header("cookie", cookie).send().await.unwrap();
    assert!(answer.text().await.unwrap().contains("<h1>Records</h1>"));
    server.end().await;
}

#[tokio::test]
async fn with_a_token_nothing_is_answered_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        start(Options { token: Some("right".to_owned()), ..options(file(folder.path()), folder.path()) })
            .await;
    let get =
        |path: &str, token: &str| client().get(format!("{}{path}", server.base)).bearer_auth(token).send();
    for path in ["/api/metrics", "/metrics", "/", "/../../etc/passwd", "/records/61"] {
        assert_eq!(
            client().get(format!("{}{path}", server.base)).send().await.unwrap().status(),
            StatusCode::UNAUTHORIZED,
            "{path}"
        );
    }
    assert_eq!(server.post("/api/traces", &json!({})).await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(get("/api/metrics", "wrong").await.unwrap().status(), StatusCode::UNAUTHORIZED);
    assert_eq!(get("/api/metrics", "right").await.unwrap().status(), StatusCode::OK);
    server.end().await;
}

/// A job of one server is one of the store: another server names it, and starts none before it has ended.
#[tokio::test]
async fn two_servers_of_a_store_run_one_job() {
    let folder = tempfile::tempdir().unwrap();
    let own = sources(folder.path());
    let gate = folder.path().join("gate");
    assert!(Command::new("mkfifo").arg(&gate).status().unwrap().success());
    std::fs::write(&own.program, format!("#!/bin/sh\ncat '{}'\n", gate.display())).unwrap();
    let one = start(options(file(folder.path()), folder.path())).await;
    let other = start(options(file(folder.path()), folder.path())).await;
    let csrf = page(&one, "/configuration").await.2;
    let csrf_of_other = page(&other, "/configuration").await.2;
    let (status, text) = act(&one, "collect", &csrf, &[("questions", "61"), ("by", "Ada")]).await;
    assert!(status == StatusCode::OK && text.contains("running"), "{text}");
    let (_, text, _) = page(&other, "/jobs").await;
    let said = "Another server runs a job on this store: <code>atlas-gt collect --questions=61</code> (Ada, ";
    assert!(text.contains(said) && text.contains("Jobs <b>1</b>"), "{text}");
    let (_, text) = act(&other, "survey", &csrf_of_other, &[]).await;
    assert!(text.contains("Not done:") && text.contains("atlas-gt collect --questions=61 (Ada, "), "{text}");
    // it ends, and the other one may
    std::fs::write(&gate, "done").unwrap();
    let ended = client().get(format!("{}/jobs/1/events", one.base)).send().await.unwrap();
    assert!(ended.text().await.unwrap().contains("event: end"));
    assert!(!page(&other, "/jobs").await.1.contains("Another server"));
    std::fs::write(&own.program, "#!/bin/sh\necho surveyed\n").unwrap();
    let (_, text) = act(&other, "survey", &csrf_of_other, &[]).await;
    assert!(text.contains("<h1>Job 1</h1>"), "{text}");
    one.end().await;
    other.end().await;
}
