//! What must not get in, and what must not get lost: sizes, floods, and SQL, markup, paths and commands in every parameter.

mod routes;

use super::*;

/// What is sent is refused by its size before it is read, and where too much is on its way already, with the time after which to come again.
#[tokio::test]
async fn too_much_is_refused_and_what_was_refused_may_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(options(file(folder.path()), folder.path())).await;
    let (_, _, csrf) = page(&server, "/configuration").await;
    let wide = "x".repeat(64 * 1024);
    assert_eq!(
        act(&server, "strategy-import", &csrf, &[("text", &wide)]).await.0,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let spans = json!({ "resourceSpans": [{ "padding": "x".repeat(4 << 20) }] });
    assert_eq!(server.post("/v1/traces", &spans).await.status(), StatusCode::PAYLOAD_TOO_LARGE);

    // bodies of unknown length that do not come take all the room
    let head = format!(
        "POST /api/traces HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n",
        server.address
    );
    let mut held = Vec::new();
    for _ in 0..31 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        held.push(stream);
    }
    let trace = json!({ "id": id(1), "thread_id": "t", "question": "q" }).to_string();
    let body = format!("{}{trace}", " ".repeat(1_045_000));
    let send = async || {
        let request =
            client().post(format!("{}/api/traces", server.base)).header("content-type", "application/json");
        request.body(body.clone()).send().await.unwrap()
    };
    let patience = Instant::now() + Duration::from_secs(9);
    let refused = loop {
        let answer = send().await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            break answer;
        }
        assert!(answer.status() == StatusCode::OK && Instant::now() < patience);
    };
    assert_eq!(refused.headers()["retry-after"], "1");
    drop(held);
    while send().await.status() != StatusCode::OK {
        assert!(Instant::now() < patience);
    }
    assert_eq!(
        server.metrics().await["windows"][0]["requests"],
        1,
        "nothing is lost, and nothing there twice"
    );
    server.end().await;
}

#[tokio::test]
async fn traces_are_kept_for_so_many_days() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&file(folder.path())).await.unwrap();
    let traces = Traces::new(database.clone()).await.unwrap();
    let now = Timestamp::now();
    let rows: Vec<TraceRow> = [6, 8]
        .map(|days| {
            let created_at = Some(now - jiff::SignedDuration::from_hours(24 * days));
            let row = TraceRow {
                thread_id: "t".to_owned(),
                question: format!("{days} days ago"),
                error: Some("x".to_owned()),
                created_at,
                ..TraceRow::default()
            };
            row.checked(now).unwrap()
        })
        .to_vec();
    traces.write(&rows, false).await.unwrap();
    let questions = async || {
        let mut found = Vec::new();
        traces.failed(0, f64::MAX, 10, |row| found.push(row.question)).await.unwrap();
        found
    };
    assert_eq!(questions().await.len(), 2);
    let server = start(Options { keep_days: 7, ..options(file(folder.path()), folder.path()) }).await;
    let patience = Instant::now() + Duration::from_secs(20);
    while questions().await != ["6 days ago"] {
        assert!(Instant::now() < patience);
        tokio::task::yield_now().await;
    }
    server.end().await;
}

/// SQL, markup, paths and control characters in every parameter: no page breaks, no text becomes markup, and every table is there.
#[tokio::test]
async fn nothing_that_is_sent_is_more_than_text() {
    let folder = tempfile::tempdir().unwrap();
    let check = folder.path().join("checks/one");
    std::fs::create_dir_all(&check).unwrap();
    let attacks = [
        "'; DROP TABLE request_traces; --",
        "\" OR 1=1; DELETE FROM audit; --",
        "<script>alert(1)</script><img src=x onerror=alert(1)>",
        "../../../../etc/passwd",
        "--store=/etc",
        "$(touch owned) `touch owned`; touch owned",
        "{{ 7 * 7 }}{% include 'base.html' %}\u{202e}\r\nSet-Cookie: a=b",
    ];
    let report = json!({ "timestamp": attacks[2], "questions_checked": 1, "matches": 0, "mismatches": 1, "causes": { attacks[2]: 1 },
                         "agent": attacks[2], "details": [{ "match": false, "question_id": attacks[2], "question_text": attacks[2],
                                                            "discrepancy": attacks[2], "agent_answer": attacks[2], "browser_data": attacks[6] }] });
    std::fs::write(check.join("spot_check_report.json"), report.to_string()).unwrap();
    let server = start(options(file(folder.path()), folder.path())).await;
    let (_, _, csrf) = page(&server, "/configuration").await;
    let is_text = |text: &str, what: &str| {
        assert!(!text.contains("<script>alert") && !text.contains("<img src=x"), "{what}: {text}");
    };
    for attack in attacks {
        let encoded: String =
            url::form_urlencoded::byte_serialize(attack.as_bytes()).collect::<String>().replace('+', "%20");
        let trace = json!({ "thread_id": attack, "question": attack, "error": attack, "pipeline_used": attack, "tool_calls": [attack],
                            "node_sequence": [attack] });
        assert_eq!(server.post("/api/traces", &trace).await.status(), StatusCode::OK, "{attack}");
        for path in [
            format!("/records?q={encoded}"),
            format!("/records/{encoded}"),
            format!("/review/{encoded}"),
            format!("/runs/{encoded}"),
            format!("/runs/{encoded}?verdict={encoded}&q={encoded}"),
            format!("/compare?first={encoded}&second={encoded}"),
            format!("/pictures/{encoded}"),
            format!("/jobs/{encoded}"),
            format!("/jobs/1/events?from={encoded}"),
            format!("/production/{encoded}"),
            format!("/?done={encoded}"),
            format!("/{encoded}"),
        ] {
            let (status, text, _) = page(&server, &path).await;
            assert!(status.as_u16() < 500, "{path}: {status}");
            is_text(&text, &path);
        }
        for (action, keys) in [
            ("review-accept", &["id", "point", "value", "reason", "by"][..]),
            ("review-reject", &["id", "reason", "by"]),
            ("review-undo", &["id", "by"]),
            ("change-accept", &["id", "field", "kind", "all", "by"]),
            ("change-reject", &["id", "field", "kind", "all", "by"]),
            ("change-undo", &["run", "by"]),
            ("failure-review", &["failure", "class", "reason", "by"]),
            ("failure-undo", &["failure", "by"]),
            ("promote", &["failure", "like", "url", "context", "agent", "agent_site", "reason", "by"]),
            ("label", &["run", "id", "label", "by"]),
            ("mend-accept", &["proposal", "by"]),
            ("survey", &["by"]),
            ("collect", &["questions", "by"]),
            ("refresh", &["questions", "by"]),
            ("refresh-stale", &["by"]),
            ("spot-check", &["agent", "agent_site", "questions", "by"]),
            ("eval", &["agent", "agent_site", "questions", "by"]),
            ("strategy-set", &["field", "strategy", "by"]),
            ("strategy-remove", &["field", "by"]),
            ("strategy-import", &["text", "by"]),
            ("strategy-try", &["truth", "answer"]),
            ("job-stop", &["job", "by"]),
        ] {
            let attacked: Vec<(&str, &str)> = keys.iter().map(|key| (*key, attack)).collect();
            let (status, text) = act(&server, action, &csrf, &attacked).await;
            assert!(status.as_u16() < 500, "{action}: {status}");
            is_text(&text, action);
            // with all else as it should be, one field alone
            let good = [
                ("id", "61"),
                ("point", "gdp"),
                ("failure", "0123456789ab"),
                ("class", "infrastructure"),
                ("agent", "http://127.0.0.1:1"),
                ("reason", "r"),
                ("run", "latest"),
                ("label", "fail"),
                ("field", "f"),
                ("strategy", "EXACT"),
            ];
            for key in keys.iter().filter(|_| !["strategy-set"].contains(&action)) {
                let one: Vec<(&str, &str)> = keys
                    .iter()
                    .filter_map(|known| {
                        if known == key {
                            Some((*key, attack))
                        } else {
                            good.iter().find(|(name, _)| name == known).copied()
                        }
                    })
                    .collect();
                let (status, text) = act(&server, action, &csrf, &one).await;
                assert!(status.as_u16() < 500, "{action} {key}: {status}");
                is_text(&text, &format!("{action} {key}"));
            }
        }
    }
    for path in PAGES {
        let (status, text, _) = page(&server, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        is_text(&text, path);
    }
    server.end().await;
    assert!(!folder.path().join("owned").exists() && !Path::new("owned").exists());
    let database = Database::open(&file(folder.path())).await.unwrap();
    let Database::Sqlite(pool) = &database else { unreachable!() };
    let traces: i64 =
        sqlx::query_scalar("SELECT count(*) FROM request_traces").fetch_one(pool).await.unwrap();
    assert_eq!(traces, attacks.len() as i64);
    // who wrote what is all there, the forged names with it
    let audited: i64 = sqlx::query_scalar("SELECT count(*) FROM audit WHERE who = $1")
        .bind(attacks[0])
        .fetch_one(pool)
        .await
        .unwrap();
    assert!(audited > 0);
}
