//! An agent's server that speaks the events of the real one, evaluated and spot-checked by the binary: what the files of the run keep.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::{HeaderMap, Uri};
use serde_json::{Value, json};

use crate::fake_agent::{Fake, Manner};
use crate::stage::{self, Stage, Staged};

const LINK: &str = "https://atlas.hks.harvard.edu/countries/404";

fn says(question: &Staged) -> String {
    format!("{}'s GDP per capita is {}.", question.country, question.dollars)
}

fn manner(question: &Staged) -> Manner {
    let answer = says(question);
    match question.id {
        1 => Manner::Says(answer),
        2 => Manner::Links(answer, LINK.into()),
        3 => Manner::BySql(answer),
        4 => Manner::Doubled("Shall I look that up?".into(), answer),
        5 => Manner::Rejected(answer),
        6 => Manner::Parallel(answer),
        7 => Manner::Docs(answer),
        8 => Manner::Status(503, 1, answer),
        9 => Manner::Error("The model is overloaded".into()),
        10 => Manner::CutOff(answer),
        11 => Manner::Malformed,
        12 => Manner::Slow(Duration::from_secs(60)),
        13 => Manner::Endless,
        _ => Manner::EndlessError,
    }
}

/// The answered questions: tools, the pipeline that answered, whether ids were resolved, drafts, the link.
type Kept = (&'static [&'static str], &'static str, bool, &'static [&'static str], Option<&'static str>);

const ALOUD: &[&str] = &["Let me look that up."];
const GRAPHQL: &[&str] = &["atlas_graphql"];
const ANSWERED: [Kept; 8] = [
    (GRAPHQL, "graphql", true, ALOUD, None),
    (GRAPHQL, "graphql", true, ALOUD, Some(LINK)),
    (&["query_tool"], "sql", true, ALOUD, None),
    (&[], "none", true, &["Shall I look that up?"], None),
    (&["atlas_graphql", "query_tool"], "sql", true, ALOUD, None),
    // a call that never ran is no call
    (GRAPHQL, "graphql", true, ALOUD, None),
    (&["docs_tool"], "none", true, ALOUD, None),
    (GRAPHQL, "graphql", true, ALOUD, None),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_keeps_what_the_agent_s_server_says() {
    let stage = stage::of(14);
    let fake = Fake::start(stage.questions.iter().map(|one| (one.text.clone(), manner(one)))).await;
    let run = format!(
        "run --agent {} --agent-timeout 10 --questions 1-14 --concurrency 7 --format json",
        fake.base
    );
    let (code, out, err) = run_apart(&stage, run).await;
    assert_eq!(code, 6, "six questions have no answer: {out}{err}");
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&summary["counts"]["pass"], &summary["counts"]["error"]), (&json!(8), &json!(6)), "{out}");
    assert_eq!(summary["tools"], json!({ "atlas_graphql": 5, "docs_tool": 1, "query_tool": 2 }));
    // the server's own cost, where it answered; the price list speaks of the others
    assert_eq!(summary["cost"]["agent_usd"], json!("0.7536"), "8 of $0.0042, 6 of $0.12");
    assert_eq!(summary["cost"]["assumed"], json!(6));

    let kept = stage.kept(summary["run"].as_str().unwrap());
    for (question, (tools, pipeline, has_ids, drafts, link)) in stage.questions.iter().zip(ANSWERED) {
        let (id, record) = (question.id, &kept[&question.id]);
        let (answer, scored) = (&record["answer"], &record["scored"]);
        let reply = &answer["reply"];
        let trace = &reply["trace"];
        assert_eq!(reply["answer"], json!(says(question)), "{id}");
        assert_eq!(trace["tool_calls"], json!(tools), "{id}");
        assert_eq!((&scored["verdict"], &scored["pipeline"]), (&json!("pass"), &json!(pipeline)), "{id}");
        assert_eq!(reply["drafts"], json!(drafts), "{id}");
        assert_eq!(reply["links"].as_array().and_then(|links| links.first()?.as_str()), link, "{id}");
        assert_eq!(
            trace["graphql_resolved_params"] == json!({ "country_id": 404 }),
            has_ids,
            "{id}: {trace}"
        );
        assert_eq!((&answer["cost_usd"], &trace["cost_usd"]), (&json!("0.0042"), &json!("0.0042")), "{id}");
        assert_eq!(trace["usage"], json!({ "input_tokens": 1200, "output_tokens": 80 }), "{id}");
        let node = |name: &str| {
            let nodes = trace["node_traces"].as_array().unwrap();
            nodes.iter().find(|node| node["node_name"] == name).cloned().unwrap_or_default()
        };
        assert_eq!(
            (&node("agent")["duration_ms"], &node("agent")["llm_time_ms"]),
            (&json!(310), &json!(300))
        );
        if pipeline == "graphql" {
            let asked = node("build_and_execute_graphql");
            assert_eq!((&asked["duration_ms"], &asked["io_time_ms"]), (&json!(12), &json!(11)), "{id}");
            assert_eq!(trace["graphql_classification"]["api_target"], json!("country_pages"), "{id}");
        }
        // the database's entities are none of the API's
        assert_eq!(trace["graphql_entities"]["schemas"], Value::Null, "{id}");
        assert!(answer["latency_ms"].as_u64().unwrap() >= 20, "{id}");
    }
    let sql = &kept[&3]["answer"]["reply"]["trace"];
    assert_eq!(sql["pipeline_sql"], json!("SELECT 1"));
    let rejected = &kept[&5]["answer"]["reply"]["trace"];
    assert_eq!(
        (&rejected["calls"][0]["failed"], &rejected["graphql_classification"]["is_rejected"]),
        (&json!(true), &json!(true))
    );
    for (id, why) in
        [(9, "overloaded"), (10, "cut off"), (11, "not JSON"), (12, "10s"), (13, "bytes"), (14, "bytes")]
    {
        let answer = &kept[&id]["answer"];
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(why) && answer["reply"].is_null(), "{id}: {answer}");
    }
    fake.seen(|seen| assert!(seen.threads.is_empty(), "every thread is deleted: {:?}", seen.threads));

    // the run as spans: the file is read back, and a collector takes the same
    let (code, out, err) = run_apart(&stage, "export latest --otlp run.jsonl".to_owned()).await;
    assert!(code == 0 && out.contains("14 traces"), "{out}{err}");
    let text = std::fs::read_to_string(stage.path("run.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (line, question) in lines.iter().zip(&stage.questions).take(8) {
        let read: atlas_gt::agent::ExecutionTrace = serde_json::from_value(line.clone()).unwrap();
        let own = &kept[&question.id]["answer"]["reply"]["trace"];
        assert_eq!(
            (json!(read.tool_calls), json!(read.cost_usd)),
            (own["tool_calls"].clone(), own["cost_usd"].clone())
        );
        assert_eq!(json!(read.graphql_resolved_params), own["graphql_resolved_params"], "{}", question.id);
    }
    let (code, out, err) = apart(stage.command("traces import run.jsonl --database traces.db")).await;
    assert!(code == 0 && out.contains("14"), "{out}{err}");
    let collector = Collector::start().await;
    let mut command = stage.command(&format!("eval export latest --endpoint {}/otel", collector.base));
    command.env("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20c2VjcmV0,x-more=1");
    let (code, out, err) = apart(command).await;
    assert!(code == 0 && out.contains("14 traces") && !(out + &err).contains("c2VjcmV0"), "{err}");
    let (path, authorization, body) = collector.taken.lock().unwrap().remove(0);
    assert_eq!((path.as_str(), authorization.as_str()), ("/otel/v1/traces", "Basic c2VjcmV0"));
    let sent: Vec<&Value> = lines.iter().flat_map(|line| line["resourceSpans"].as_array().unwrap()).collect();
    assert_eq!(body["resourceSpans"], json!(sent));
    // one that refuses spans, and one that is away
    let (code, _, err) = run_apart(&stage, format!("export latest --endpoint {}/full", collector.base)).await;
    assert!(code == 5 && err.contains("refused 3 spans: quota"), "{err}");
    let (code, _, err) = run_apart(&stage, "export latest --endpoint http://127.0.0.1:9".to_owned()).await;
    assert!(code == 5 && err.contains("error: 127.0.0.1 did not accept the spans"), "{err}");
    assert!(!err.contains("site:"), "the collector is not the site: {err}");
    assert_eq!(run_apart(&stage, "export latest --endpoint collector".to_owned()).await.0, 2);

    // a mode that the server does not know is its error, and says what to do
    let run = format!("run --agent {} --mode graphql_sql --questions 1 --format json", fake.base);
    let (code, _, err) = run_apart(&stage, run).await;
    let last = stage.kept("20261120T103000Z-2");
    let error = last[&1]["answer"]["error"].as_str().unwrap().to_owned();
    assert!(code == 6 && error.contains("422") && error.contains("--mode"), "{error}{err}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spot_check_keeps_what_the_agent_s_server_says() {
    let stage = stage::of(1);
    let manifest = std::fs::read_to_string(stage::root().join("manifests/atlas.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let text = |id: u64| {
        let all = manifest["questions"].as_array().unwrap();
        let one = all.iter().find(|one| one["question_id"] == id).unwrap();
        one["question_text"].as_str().unwrap().to_owned()
    };
    let fake = Fake::start([
        (text(61), Manner::Links("Kenya's GDP per capita is $2,274.".into(), LINK.into())),
        (text(63), Manner::Rejected("Kenya ranks 99th of 145 countries by GDP per capita.".into())),
        (text(64), Manner::Doubled("Shall I look?".into(), "Kenya is a lower-middle-income country.".into())),
    ])
    .await;
    let twin = "--site twin --store twin --questions 61,63,64";
    let (code, out, err) = apart(on_twin(&stage, &format!("collect {twin}"))).await;
    assert_eq!(code, 0, "{out}{err}");
    let check = format!("spot-check {twin} --agent-site twin --agent {} --report check", fake.base);
    let (code, out, err) = apart(on_twin(&stage, &check)).await;
    assert_eq!(code, 3, "{out}{err}");
    let report = std::fs::read_to_string(stage.path("check/spot_check_report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["matches"], &report["mismatches"]), (&json!(2), &json!(1)), "{report}");
    let of =
        |id: u64| report["details"].as_array().unwrap().iter().find(|one| one["question_id"] == id).unwrap();
    for (id, cause, tools, answer) in [
        (61, "all_agree", json!(["atlas_graphql"]), "Kenya's GDP per capita is $2,274."),
        (
            63,
            "agent_wrong",
            json!(["atlas_graphql", "query_tool"]),
            "Kenya ranks 99th of 145 countries by GDP per capita.",
        ),
        (64, "all_agree", json!([]), "Kenya is a lower-middle-income country."),
    ] {
        let one = of(id);
        assert_eq!((&one["cause"], &one["agent_answer"]), (&json!(cause), &json!(answer)), "{one}");
        let trace = &one["trace"];
        assert_eq!((&trace["tool_calls"], &trace["cost_usd"]), (&tools, &json!("0.0042")), "{one}");
        assert_eq!(trace["usage"], json!({ "input_tokens": 1200, "output_tokens": 80 }), "{one}");
        assert_eq!(trace["graphql_resolved_params"], json!({ "country_id": 404 }), "{one}");
    }
    assert_eq!(of(63)["trace"]["pipeline_sql"], json!("SELECT 1"));

    // a recorded answer to a question without truth is listed in the report of the run
    let answers = [(61, "Kenya's GDP per capita is $2,274."), (62, "It is $7,159.")]
        .map(|(id, answer)| json!({ "question_id": id, "answer": answer }).to_string());
    std::fs::write(stage.path("answers.jsonl"), answers.join("\n")).unwrap();
    let check = "spot-check --site twin --store twin --agent-site twin --answers answers.jsonl";
    let (code, out, err) = apart(on_twin(&stage, check)).await;
    assert_eq!(code, 0, "{out}{err}");
    let report = "report 20261120T103000Z-2 --format json".to_owned();
    let (_, out, err) = run_apart(&stage, report).await;
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["answered_without_truth"], json!(["62"]), "{out}{err}");
}

/// A collector of OpenTelemetry that keeps what it takes.
struct Collector {
    base: String,
    /// Path, authorization, body.
    taken: Arc<Mutex<Vec<(String, String, Value)>>>,
}

impl Collector {
    async fn start() -> Self {
        let taken: Arc<Mutex<Vec<(String, String, Value)>>> = Arc::default();
        let kept = taken.clone();
        let take = move |uri: Uri, headers: HeaderMap, axum::Json(body): axum::Json<Value>| async move {
            let said = |name: &str| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
            kept.lock().unwrap().push((
                uri.path().to_owned(),
                said("authorization").unwrap_or_default(),
                body,
            ));
            axum::Json(match uri.path().starts_with("/full") {
                true => json!({ "partialSuccess": { "rejectedSpans": "3", "errorMessage": "quota" } }),
                false => json!({}),
            })
        };
        let app = axum::Router::new().fallback(axum::routing::post(take));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { base, taken }
    }
}

/// The binary with the project's own questions.
fn on_twin(stage: &Stage, arguments: &str) -> std::process::Command {
    let mut command = stage.command(arguments);
    command.env("ATLAS_GT_MANIFEST", stage::root().join("manifests/atlas.json"));
    command
}

/// Runs `eval` beside the server of this test.
async fn run_apart(stage: &Stage, arguments: String) -> (i32, String, String) {
    apart(stage.command(&format!("eval {arguments}"))).await
}

async fn apart(mut command: std::process::Command) -> (i32, String, String) {
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}
