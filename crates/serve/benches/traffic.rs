//! What the server carries: figures over a million requests, and 2,000 traces a second beside twenty readers of the desk.
//!
//! `cargo bench -p atlas-gt-serve` uses SQLite, and PostgreSQL too where `ATLAS_GT_BENCH_POSTGRES` names an empty database.
//! `ATLAS_GT_BENCH_SECONDS` says how long the load lasts (60).

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use atlas_gt_core::config::StaleMonths;
use atlas_gt_serve::database::Database;
use atlas_gt_serve::metrics::metrics;
use atlas_gt_serve::trace_row::TraceRow;
use atlas_gt_serve::traces::Traces;
use atlas_gt_serve::window::Window;
use atlas_gt_serve::{Desk, Options, Sources};
use jiff::Timestamp;
use reqwest::Client;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::Command;

const ROWS: i64 = 1_000_000;
const RATE: u32 = 2000;
const READERS: usize = 20;

/// Requests spread over seven days, three pipelines, one in thirty failed.
fn row(number: i64, now: Timestamp) -> TraceRow {
    let back = number * 7 * 24 * 3600 * 1000 / ROWS;
    let at = Timestamp::from_millisecond(now.as_millisecond() - back).unwrap();
    let row = TraceRow {
        thread_id: "bench".to_owned(),
        question: format!("How much did country {} export?", number % 240),
        pipeline_used: Some(["sql", "graphql", "mixed"][usize::try_from(number % 3).unwrap()].to_owned()),
        latency_ms: Some(i32::try_from(500 + number * 7919 % 20_000).unwrap()),
        error: (number % 30 == 0).then(|| "timeout".to_owned()),
        budget_used: Some(i32::try_from(number % 120).unwrap()),
        budget_limit: Some(120),
        breaker: Some("closed".to_owned()),
        created_at: Some(at),
        ..TraceRow::default()
    };
    row.checked(now).unwrap()
}

async fn figures(name: &str, address: &str) {
    let database = Database::open(address).await.unwrap();
    let traces = Traces::new(database.clone()).await.unwrap();
    let now = Timestamp::now();
    let began = Instant::now();
    for from in (0..ROWS).step_by(10_000) {
        let rows: Vec<TraceRow> = (from..from + 10_000).map(|number| row(number, now)).collect();
        traces.write(&rows, false).await.unwrap();
    }
    let wrote = began.elapsed();
    let window: Arc<Window> = Arc::default();
    let began = Instant::now();
    window.refresh(&traces, now.as_millisecond()).await.unwrap();
    let loaded = began.elapsed();
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..20 {
        // what was written in the last minute is read again
        tokio::time::sleep(Duration::from_millis(1100)).await;
        let began = Instant::now();
        window.refresh(&traces, now.as_millisecond()).await.unwrap();
        let found = metrics(&window, now);
        times.push(began.elapsed());
        assert!(found.windows[2].requests >= 999_000);
    }
    times.sort();
    println!(
        "{name}: a million rows written in {wrote:.1?}, read at the start in {loaded:.1?}; figures median {:.1?}, slowest {:.1?}",
        times[10], times[19]
    );
    database.close().await;
}

/// Megabytes of a process that are in memory.
fn memory_mb(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096 / 1_000_000
}

fn options(folder: &Path) -> Options {
    let sources = Sources {
        store: folder.join("store"),
        runs: folder.join("runs"),
        spot_checks: folder.join("checks"),
        strategies: folder.join("strategies.json"),
        promote_to: folder.join("production.json"),
        agent_site: "live".to_owned(),
        stale_months: StaleMonths::all(6),
        program: "/bin/false".into(),
        flags: Vec::new(),
        trace_flags: String::new(),
        by: "bench".to_owned(),
    };
    let database = folder.join("load.db").to_str().unwrap().to_owned();
    Options {
        database,
        traces_from: None,
        token: None,
        keep_days: 90,
        sources,
        week_report: |_| String::new(),
    }
}

/// The folder of a server that this program is started as: in a process of its own, so that memory is the server's alone.
const SERVE: &str = "ATLAS_GT_BENCH_SERVE";

async fn serve(folder: &Path) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("http://{}", listener.local_addr().unwrap());
    let desk = Desk::open(options(folder)).await.unwrap();
    desk.serve(listener, std::future::pending()).await;
}

/// Reads a page again and again, as a person does, until it ends. Returns how long each answer took.
async fn read_pages(
    base: String,
    path: &'static str,
    ends: Arc<AtomicBool>,
) -> (&'static str, Vec<Duration>) {
    let client = Client::new();
    let mut times = Vec::new();
    while !ends.load(Ordering::Acquire) {
        let began = Instant::now();
        let answer = client.get(format!("{base}{path}")).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.bytes().await.unwrap();
        times.push(began.elapsed());
        // a person reads for a while
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    (path, times)
}

async fn load(folder: &Path, seconds: u32) {
    let program = std::env::current_exe().unwrap();
    let mut server =
        Command::new(program).env(SERVE, folder).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let process = server.id().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let base = lines.next_line().await.unwrap().unwrap();
    let ends = Arc::new(AtomicBool::new(false));
    let mut readers = Vec::new();
    for number in 0..READERS {
        let path = ["/", "/production", "/records", "/api/metrics"][number % 4];
        readers.push(tokio::spawn(read_pages(base.clone(), path, ends.clone())));
    }
    let client = Client::new();
    let (began, mut sent, mut refused) = (Instant::now(), 0_u32, 0_u32);
    let mut memory = Vec::new();
    // lists of 20, as a collector sends them
    let mut tick = tokio::time::interval(Duration::from_secs(1) * 20 / RATE);
    let mut posts = tokio::task::JoinSet::new();
    for number in 0..seconds * RATE / 20 {
        tick.tick().await;
        let rows: Vec<serde_json::Value> = (0..20)
            .map(|one| serde_json::json!({ "thread_id": "load", "question": format!("question {}", number % 50), "latency_ms": 900 + one,
                                           "tool_calls": ["query_tool"], "error": (number % 50 == 0).then_some("timeout") }))
            .collect();
        let request = client.post(format!("{base}/api/traces")).json(&rows);
        posts.spawn(async move { request.send().await.unwrap().status() });
        while let Some(status) = posts.try_join_next() {
            if status.unwrap() == 200 { sent += 20 } else { refused += 20 }
        }
        if number % (seconds * RATE / 20 / 6).max(1) == 0 {
            memory.push(memory_mb(process));
        }
    }
    while let Some(status) = posts.join_next().await {
        if status.unwrap() == 200 { sent += 20 } else { refused += 20 }
    }
    let took = began.elapsed();
    ends.store(true, Ordering::Release);
    let mut times: Vec<Duration> = Vec::new();
    let mut by_path: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for reader in readers {
        let (path, of_reader) = reader.await.unwrap();
        times.extend(&of_reader);
        by_path.entry(path).or_default().extend(of_reader);
    }
    times.sort();
    for (path, times) in &mut by_path {
        times.sort();
        println!("{path}: median {:.1?}, p99 {:.1?}", times[times.len() / 2], times[times.len() * 99 / 100]);
    }
    println!(
        "load: {sent} traces in {took:.1?} ({:.0} a second), {refused} told to come again; {} pages beside, median {:.1?}, p99 {:.1?}; \
         memory in MB {memory:?}, {} at the end",
        f64::from(sent) / took.as_secs_f64(),
        times.len(),
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        memory_mb(process),
    );
    server.kill().await.unwrap();
}

#[tokio::main]
async fn main() {
    drop(rustls::crypto::ring::default_provider().install_default());
    if let Some(folder) = std::env::var_os(SERVE) {
        return serve(Path::new(&folder)).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let seconds =
        std::env::var("ATLAS_GT_BENCH_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    load(folder.path(), seconds).await;
    figures("SQLite", folder.path().join("million.db").to_str().unwrap()).await;
    if let Ok(address) = std::env::var("ATLAS_GT_BENCH_POSTGRES") {
        figures("PostgreSQL", &address).await;
    }
}
