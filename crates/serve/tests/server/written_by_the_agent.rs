//! Traces that the agent writes itself, into its own table or by the documented Python.

use super::*;

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
    let page = include_str!("../../../../docs/how-to/production.md");
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
    let now = Timestamp::now();
    let source = TraceSource::of_lines(log.as_bytes(), now).unwrap();
    let done = source.import(&database, &traces, now).await.unwrap().unwrap();
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
