//! `--notify`: what a webhook is told, and that it changes nothing else.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::Value;

use crate::{call, stage};

/// A webhook that answers one message with a status; its address, and what it was sent.
fn webhook(status: &'static str) -> (String, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/services/secret-of-the-hook", listener.local_addr().unwrap());
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut text = String::new();
        let mut buffer = [0; 4096];
        let is_whole = |text: &str| text.split_once("\r\n\r\n").is_some_and(|(_, body)| body.ends_with('}'));
        while !is_whole(&text) {
            let read = stream.read(&mut buffer).unwrap();
            text.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
        write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        text
    });
    (address, heard)
}

/// The message of a request.
fn message(request: &str) -> String {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(
        head.starts_with("POST /services/secret-of-the-hook ") && head.contains("application/json"),
        "{head}"
    );
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["text"]);
    body["text"].as_str().unwrap().to_owned()
}

const REFRESH: &str = "refresh --site twin --store store --api-only --questions 61 --vintage 2027 --notify";

#[test]
fn a_webhook_is_told_how_a_command_ended_and_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path());
    let (address, heard) = webhook("200 OK");
    assert_eq!(call(folder.path(), REFRESH, &[&address]).0, 3);
    let text = message(&heard.join().unwrap());
    assert!(
        text.starts_with("atlas-gt refresh: exit code 3, differences or a failed gate\n1 change waits"),
        "{text}"
    );
    assert!(text.contains("1 question of http"), "{text}");

    // an error says what it is; here the address comes from the configuration
    let (address, heard) = webhook("200 OK");
    std::fs::write(folder.path().join("atlas-gt.toml"), format!("notify = \"{address}\"\n")).unwrap();
    let run = "eval run --site twin --store store --agent-site twin --answers nothing.jsonl";
    assert_eq!(call(folder.path(), run, &[]).0, 2);
    let text = message(&heard.join().unwrap());
    assert!(text.starts_with("atlas-gt eval run: exit code 2") && text.contains("nothing.jsonl"), "{text}");
}

#[test]
fn a_webhook_that_fails_is_a_warning_without_its_address() {
    let folder = tempfile::tempdir().unwrap();
    stage(folder.path());
    let (address, heard) = webhook("404 Not Found");
    let (code, out, err) = call(folder.path(), REFRESH, &[&address]);
    drop(heard.join());
    assert_eq!(code, 3, "{out}{err}");
    assert!(err.contains("warning: --notify: 127.0.0.1 was not notified: HTTP 404"), "{err}");
    let (_, _, gone) = call(folder.path(), REFRESH, &["http://127.0.0.1:1/services/secret-of-the-hook"]);
    assert!(gone.contains("was not notified: Connection refused"), "{gone}");
    assert!(!gone.contains("site:"), "the webhook is not the site: {gone}");
    assert!(![out, err, gone].concat().contains("secret-of-the-hook"));
    // nothing to tell: nobody is asked
    let quiet = "collect --site twin --store store --questions 61 --max-age 3650d --notify";
    let (code, _, err) = call(folder.path(), quiet, &["http://127.0.0.1:1/"]);
    assert!(code == 0 && !err.contains("--notify"), "{err}");
    assert_eq!(call(folder.path(), quiet, &["nowhere"]).0, 2);
}
