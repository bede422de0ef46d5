//! The desk: its pages, what is done on them, who may, and one job of a store at a time.

use std::collections::BTreeMap;

use atlas_gt_truth::run_log::RunLog;
use atlas_gt_truth::{Provenance, Record, Site, Store, file_reading};

use super::*;

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

/// What waits by its title: its lines and its command.
fn waiting(folder: &Path) -> BTreeMap<&'static str, (Vec<String>, String)> {
    let items = atlas_gt_serve::inbox(&sources(folder), "2026-11-21T00:00:00Z".parse().unwrap()).unwrap();
    items.into_iter().map(|item| (item.title, (item.lines, item.command))).collect()
}

#[test]
fn an_interrupted_run_is_resumed_with_its_manifest_and_long_lists_say_how_much_more_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("store"), Site::Twin).unwrap();
    let old: Timestamp = "2020-01-01T00:00:00Z".parse().unwrap();
    let file = |id: u8| {
        let record: Record = serde_json::from_value(json!({
            "question_id": id.to_string(), "execution_timestamp": old, "source": "atlas_country_page",
            "source_method": "browser_country_page", "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
            "site": "twin", "results": { "data": [{
                "data_point": "gdp_per_capita", "metric": "GDP per capita", "country": "Kenya", "value": "$2,274",
                "number": "2274", "unit": "USD", "year": "2024" }] },
        }))
        .unwrap();
        let provenance: Provenance =
            serde_json::from_value(json!({ "question_id": id.to_string(), "points": [{
            "data_point": "gdp_per_capita", "channel": "dom", "agreement": "agrees", "read_at": old }] }))
            .unwrap();
        file_reading(&store, &record, &provenance, old).unwrap();
    };
    (1..=5).for_each(file);
    assert_eq!(waiting(folder.path())["Stale truth"].0.len(), 5);
    (6..=7).for_each(file);
    let (lines, _) = &waiting(folder.path())["Stale truth"];
    assert_eq!((lines.len(), lines[5].as_str()), (6, "and 2 more"), "{lines:?}");

    let questions = || vec!["1".parse().unwrap(), "2".parse().unwrap()];
    RunLog::of_collect(&store).begin(questions(), None, old).unwrap();
    assert_eq!(waiting(folder.path())["Unfinished collection"].1, "atlas-gt collect --resume");
    let own = Some(Path::new("my questions.json"));
    RunLog::of_collect(&store).begin(questions(), own, old).unwrap();
    RunLog::of_refresh(&store).begin(questions(), own, old).unwrap();
    let items = waiting(folder.path());
    for (title, command) in [("Unfinished collection", "collect"), ("Unfinished refresh", "refresh")] {
        assert_eq!(items[title].1, format!("atlas-gt {command} --resume --manifest 'my questions.json'"));
    }
}

#[tokio::test]
async fn commands_over_the_traces_name_their_database() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(file(folder.path()), folder.path());
    options.sources.trace_flags = " --database traces.db".to_owned();
    let server = start(options).await;
    let (_, text, _) = page(&server, "/production").await;
    for command in ["failures", "failures --format md"] {
        assert!(text.contains(&format!("<code>atlas-gt {command} --database traces.db</code>")), "{text}");
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
