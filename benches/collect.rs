//! What a collection costs: pages a minute with one and with two browsers, requests a question, own time against
//! waiting, memory of the tool without the browsers, and the extraction of captured pages.
//!
//! Reads the twin, served by a process of its own, so that its work and memory are not counted. Run with
//! `make bench`; `cargo bench --bench collect -- extraction` measures the extraction alone.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::Capture;
use atlas_gt::extract::Wanted;
use atlas_gt::manifest::spec::Specs;
use atlas_gt::truth::Store;
use atlas_gt::value::Context;
use serde_json::{Value, json};

/// Collections with each number of browsers.
const RUNS: usize = 3;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let program = env!("CARGO_BIN_EXE_atlas-gt");
    let folder = tempfile::tempdir()?;
    let twin = Twin::start(program)?;
    extraction(program, &twin.base, folder.path())?;
    if std::env::args().any(|argument| argument == "extraction") {
        return Ok(());
    }
    println!("whole manifest, {RUNS} runs each, interleaved; twin with 5–40 ms an API request\n");
    let mut rows: Vec<(usize, Vec<Run>)> = vec![(1, Vec::new()), (2, Vec::new())];
    for number in 0..RUNS {
        for (sessions, runs) in &mut rows {
            let store = folder.path().join(format!("{sessions}-{number}"));
            runs.push(collect(program, &twin.base, &store, *sessions)?);
        }
    }
    for (sessions, runs) in &rows {
        let pages = spread(runs, |run| run.pages_per_minute);
        let own = spread(runs, |run| run.own_share * 100.0);
        let memory = spread(runs, |run| run.memory);
        println!(
            "{sessions} browser(s): {pages} pages/min · own time {own} % of a visit · tool without browsers {memory} MB"
        );
        let requests = spread(runs, |run| run.requests_per_question);
        println!("  {requests} requests a question");
    }
    Ok(())
}

struct Run {
    pages_per_minute: f64,
    own_share: f64,
    memory: f64,
    requests_per_question: f64,
}

fn collect(program: &str, base: &str, store: &Path, sessions: usize) -> Outcome<Run> {
    let output = Command::new(program)
        .args(["collect", "--site", base, "--format", "json", "--sessions", &sessions.to_string(), "--store"])
        .arg(store)
        .stderr(Stdio::null())
        .output()?;
    let report: Value = serde_json::from_slice(&output.stdout)?;
    if report["exit_code"] != 0 {
        return Err(format!("the collection ended with {}", report["exit_code"]).into());
    }
    let visits = report["visits"].as_array().ok_or("no visits")?;
    let sum = |key: &str| visits.iter().filter_map(|visit| visit[key].as_f64()).sum::<f64>();
    let count = u32::try_from(visits.len())?;
    Ok(Run {
        pages_per_minute: f64::from(count) * 60_000.0 / report["took_ms"].as_f64().ok_or("no time")?,
        own_share: sum("own_ms") / sum("took_ms"),
        memory: report["peak_memory_mb"].as_f64().ok_or("no memory")?,
        requests_per_question: report["requests"].as_f64().ok_or("no requests")?
            / f64::from(u32::try_from(report["questions"].as_array().map_or(1, Vec::len))?),
    })
}

fn spread(runs: &[Run], of: impl Fn(&Run) -> f64) -> String {
    let mut values: Vec<f64> = runs.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    format!("{:.1} ({:.1}–{:.1})", values[values.len() / 2], values[0], values[values.len() - 1])
}

/// Pages that are captured and extracted: a country, a drawing and a table of some 1,200 products each.
const PAGES: [(&str, &str, &str, &str); 3] = [
    ("country", "/countries/404", "country_profile", "gdp_per_capita"),
    ("treemap", "/explore/treemap?year=2024&exporter=country-276", "treemap_verify", "total_value"),
    (
        "table",
        "/explore/feasibility/table?year=2024&exporter=country-798&productLevel=4",
        "feasibility_table",
        "top_opportunities",
    ),
];

/// Captures pages with a real browser and extracts the stored captures again and again, all points of the extractor
/// wanted.
fn extraction(program: &str, base: &str, folder: &Path) -> Outcome<()> {
    let questions = PAGES.map(|(id, page, extractor, point)| {
        json!({
            "question_id": id,
            "atlas_url": page,
            "extraction_method": "dom",
            "extractor": extractor,
            "data_points": [point],
        })
    });
    let manifest = folder.join("pages.json");
    std::fs::write(&manifest, json!({ "questions": questions }).to_string())?;
    let store = folder.join("pages");
    let output = Command::new(program)
        .args(["collect", "--site", base, "--manifest"])
        .arg(&manifest)
        .arg("--store")
        .arg(&store)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let store = Store::read(&store)?;
    let extractors = atlas_gt::workflow::extractors(&Specs::built_in()?)?;
    println!("extraction of a capture, all points wanted, 200 times each\n");
    for (id, page, extractor, _) in PAGES {
        let extractor = &extractors[extractor];
        let about =
            Context { product: Some("8703".into()), partner: Some("840".into()), ..Context::default() };
        let points = extractor.spec().points.iter();
        let wanted: Vec<Wanted> = points.map(|point| Wanted::about(extractor, &point.id, &about)).collect();
        let stored = store.load(&id.parse()?)?.ok_or("a page was not collected")?;
        let provenance = stored.provenance.ok_or("no provenance")?;
        let hash = provenance.evidence().next().ok_or("no evidence")?;
        let evidence = store.evidence(hash)?;
        let capture: Capture = serde_json::from_slice(&evidence)?;
        let url = AtlasUrl::parse(page)?.url;
        let read = extractor.extract(&capture, &url, &wanted);
        let rows =
            read.observations().filter(|one| one.keys.iter().any(|(key, _)| key == "column")).count() / 5;
        let mut times: Vec<Duration> = (0..200)
            .map(|_| {
                let started = Instant::now();
                std::hint::black_box(extractor.extract(&capture, &url, &wanted));
                started.elapsed()
            })
            .collect();
        times.sort();
        println!(
            "{page}: {:.1} ms (fastest {:.1}, slowest {:.1}); {} points, {rows} rows of a table, {} KB of markup, {} responses of {} KB",
            ms(times[times.len() / 2]),
            ms(times[0]),
            ms(times[times.len() - 1]),
            wanted.len(),
            capture.html.len() / 1024,
            capture.exchanges.len(),
            capture.exchanges.iter().map(|one| one.response.len()).sum::<usize>() / 1024,
        );
    }
    println!();
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// A twin in a process of its own.
struct Twin {
    process: Child,
    base: String,
}

impl Twin {
    fn start(program: &str) -> Outcome<Self> {
        let mut process = Command::new(program)
            .args(["twin", "--port", "0", "--rate-limit", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let base = line.trim().split("/countries").next().unwrap_or_default().to_owned();
        Ok(Self { process, base })
    }
}

impl Drop for Twin {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
