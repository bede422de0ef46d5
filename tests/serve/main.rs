//! The desk as a program: what it acknowledged outlasts a kill, logs come in, failures are reviewed.

mod actions;
mod agent;
mod changes;
#[path = "../chromium/mod.rs"]
mod chromium;
mod desk;
mod hands;
mod markup;
mod points;
mod promoted;
mod shelf;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::Client;
use serde_json::{Value, json};

struct Server {
    process: Child,
    base: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas-gt"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ATLAS_GT_")) {
        if !["ATLAS_GT_CHROMIUM", "ATLAS_GT_CHROMEDRIVER"].contains(&name.as_str()) {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .env_remove("RUST_LOG")
        .env("USER", "tester");
    command
}

fn serve(folder: &Path, arguments: &[&str]) -> Server {
    let arguments = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
    let mut process =
        program(folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    Server { process, base: line.trim().trim_end_matches('/').to_owned() }
}

fn call(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = program(folder, arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

fn client() -> Client {
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::new()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_loses_no_trace_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = serve(folder.path(), &[]);
    let address = format!("{}/api/traces", server.base);
    let (client, stop) = (client(), AtomicBool::new(false));
    let send = async |sender: usize| {
        let mut acknowledged = Vec::new();
        for number in 0.. {
            let id = id(sender * 1_000_000 + number);
            let body = json!({ "id": id, "thread_id": "t", "question": "q", "error": "broke" });
            match client.post(&address).json(&body).send().await {
                Ok(answer) if answer.status() == 200 => acknowledged.push(id),
                _ => break,
            }
            if sender == 0 && number == 50 {
                stop.store(true, Ordering::Release);
            }
        }
        acknowledged
    };
    let kill = async {
        while !stop.load(Ordering::Acquire) {
            tokio::task::yield_now().await;
        }
        server.process.kill().unwrap();
    };
    let (a, b, c, ()) = tokio::join!(send(0), send(1), send(2), kill);
    let acknowledged = [a, b, c].concat();
    assert!(acknowledged.len() > 50);

    let server = serve(folder.path(), &[]);
    let again: Vec<Value> =
        acknowledged.iter().map(|id| json!({ "id": id, "thread_id": "t", "question": "q" })).collect();
    for part in again.chunks(1000) {
        let answer = client.post(format!("{}/api/traces", server.base)).json(&part).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        assert_eq!(answer, json!({ "accepted": 0, "known": part.len() }));
    }
}

#[test]
fn a_log_is_imported_and_its_failures_are_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    let line = |number: usize, error: &str| {
        let trace = json!({ "id": id(number), "thread_id": "t", "question": "What did <b>Kenya</b> export?", "error": error });
        json!({ "level": "INFO", "message": "request", "trace": trace }).to_string()
    };
    let log = [line(1, "no data for 2031"), line(2, "no data for 2032"), "other".to_owned()].join("\n");
    std::fs::write(folder.path().join("agent.log"), log).unwrap();
    let (code, out, err) = call(folder.path(), &["traces", "import", "agent.log"]);
    assert_eq!(
        (code, out.as_str()),
        (0, "2 traces new, 0 already known, 1 other line skipped, 0 invalid\n"),
        "{err}"
    );
    assert!(folder.path().join("ground_truth.traces.db").is_file());

    let (code, out, _) = call(folder.path(), &["failures", "--format", "json"]);
    assert_eq!(code, 3, "it is not reviewed");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&found["failures"][0]["count"], &found["failures"][0]["suggested"]),
        (&json!(2), &json!("eval_candidate"))
    );
    let failure = found["failures"][0]["failure"].as_str().unwrap();
    let review = |failure: &str, reason: &str| {
        call(
            folder.path(),
            &["failures", "review", failure, "--class", "known_limitation", "--reason", reason],
        )
    };
    assert_eq!(review(failure, " ").0, 2);
    assert_eq!(review("nothing", "x").0, 2);
    assert_eq!(
        review(failure, "no data of the future"),
        (0, format!("{failure}: known_limitation (tester)\n"), String::new())
    );
    let (code, out, _) = call(folder.path(), &["failures", "--format", "md"]);
    assert_eq!(code, 0);
    assert!(out.contains("What did &lt;b&gt;Kenya&lt;/b&gt; export? | no data for 2032 |"), "{out}");
    assert!(out.contains("no data of the future (tester, "), "{out}");
    assert_eq!(call(folder.path(), &["failures", "undo", failure]).0, 0);
    assert_eq!(call(folder.path(), &["failures"]).0, 3);
    let (code, _, err) =
        call(folder.path(), &["failures", "--database", "postgres://me:secret@127.0.0.1:1/none"]);
    assert!(code == 2 && !err.contains("secret") && err.contains("me:***@"), "{err}");
}

#[test]
fn a_file_without_a_trace_is_refused_and_no_database_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let span = json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [{ "spanId": "1" }] }] }] });
    for (text, problem) in [
        ("", "no trace to import: expected a trace (an object with `question` and `thread_id`)"),
        (
            "{\"question_id\": 61, \"answer\": \"$9\"}\nplain text\n",
            "or a log entry with a `trace` on a line",
        ),
        ("{\"thread_id\": \"t\", \"question\": \" \"}\n", "a.log:1: `question`"),
        (&span.to_string(), "a.log:1: a span has no `traceId`"),
        ("{\"resourceSpans\": []}", "a.log:1: the request has no span"),
    ] {
        std::fs::write(folder.path().join("a.log"), text).unwrap();
        let (code, out, err) = call(folder.path(), &["traces", "import", "a.log"]);
        assert!(code == 2 && err.contains(problem), "{text}: {code} {out}{err}");
        assert!(err.contains("a.log has no trace to import: expected "), "{text}: {err}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{text}");
    }
}

#[test]
fn what_only_reads_creates_no_database_and_a_missing_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, what) in [
        (&["failures", "--database", "none.db"][..], "database none.db does not exist"),
        (&["failures", "undo", "3f9a", "--database", "none.db"], "database none.db does not exist"),
        (&["failures", "review", "3f9a", "--class", "infrastructure", "--reason", "x"], "does not exist"),
        (&["site", "pages", "--database", "none.db"], "database none.db does not exist"),
        (&["traces", "import", "missing.log", "--database", "none.db"], "missing.log does not exist"),
    ] {
        let (code, out, err) = call(folder.path(), arguments);
        assert!(code == 2 && err.contains(what), "{arguments:?}: {out}{err}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{arguments:?}");
    }
}

#[tokio::test]
async fn others_need_the_token_which_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("short"), "abc").unwrap();
    let (code, _, err) = call(folder.path(), &["serve", "--listen", "0.0.0.0:0", "--token-file", "short"]);
    assert!(code == 2 && err.contains("32 characters"), "{err}");
    let token = "0123456789abcdef0123456789abcdef";
    std::fs::write(folder.path().join("token"), token).unwrap();
    let server = serve(folder.path(), &["--token-file", "token"]);
    let get = |token: &str| client().get(format!("{}/api/metrics", server.base)).bearer_auth(token).send();
    assert_eq!(get("wrong").await.unwrap().status(), 401);
    assert_eq!(get(token).await.unwrap().status(), 200);
}
