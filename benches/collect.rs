//! What a collection costs: pages a minute with one and with two browsers, requests a question, own time against
//! waiting, memory of the tool without the browsers, and the extraction of captured pages. Then a thousand questions
//! over fifty countries: loads against pages, own time against waiting, and whether memory stays flat.
//!
//! Reads the twin, served by a process of its own, so that its work and memory are not counted. Run with
//! `make bench`; `cargo bench --bench collect -- extraction` measures the extraction alone, `-- thousand` the long run.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::Capture;
use atlas_gt::extract::Wanted;
use atlas_gt::truth::Store;
use atlas_gt::value::Context;
use serde_json::{Value, json};

/// Collections with each number of browsers, unless `ATLAS_GT_BENCH_RUNS` says otherwise.
const RUNS: usize = 3;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let program = env!("CARGO_BIN_EXE_atlas-gt");
    let folder = tempfile::tempdir()?;
    let twin = Twin::start(program)?;
    if std::env::args().any(|argument| argument == "thousand") {
        return thousand(program, &twin.base, folder.path());
    }
    extraction(program, &twin.base, folder.path())?;
    if std::env::args().any(|argument| argument == "extraction") {
        return Ok(());
    }
    let count = std::env::var("ATLAS_GT_BENCH_RUNS").map_or(Ok(RUNS), |runs| runs.parse())?;
    println!("whole manifest, {count} runs each, interleaved; twin with 5–40 ms an API request\n");
    let mut rows: Vec<(usize, Vec<Run>)> = vec![(1, Vec::new()), (2, Vec::new())];
    for number in 0..count {
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
    thousand(program, &twin.base, folder.path())
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
        own_share: (sum("own_ms") + sum("filing_ms")) / sum("took_ms"),
        memory: report["peak_memory_mb"].as_f64().ok_or("no memory")?,
        requests_per_question: report["requests"].as_f64().ok_or("no requests")?
            / f64::from(u32::try_from(report["questions"].as_array().map_or(1, Vec::len))?),
    })
}

/// Countries and questions of each in the long run.
const LONG: (usize, usize) = (50, 20);

/// Points that every country page has.
const POINTS: [&str; 20] = [
    "gdp_per_capita",
    "gdp_per_capita_ppp",
    "gdp_per_capita_rank",
    "income_classification",
    "population",
    "gdp_per_capita_growth_5y",
    "eci_rank",
    "eci_rank_change_decade",
    "growth_projection",
    "growth_projection_rank",
    "total_exports",
    "exporter_rank",
    "current_account",
    "export_growth_5y",
    "total_imports",
    "eci_rank_complexity",
    "diversity_rank",
    "coi_rank",
    "strategic_approach",
    "global_trade_share",
];

/// The ids of the countries that have a page, as the site's own API lists them.
fn countries(base: &str) -> Outcome<Vec<String>> {
    let address = base.strip_prefix("http://").ok_or("no plain address")?;
    let body = json!({ "query": "{ allCountryProfiles { location { id } } }" }).to_string();
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "POST /api/countries/graphql HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("no body")?;
    let answer: Value = serde_json::from_str(body)?;
    let rows = answer["data"]["allCountryProfiles"].as_array().ok_or("no countries")?;
    let ids = rows.iter().filter_map(|row| row["location"]["id"].as_str()?.strip_prefix("location-"));
    Ok(ids.map(str::to_owned).collect())
}

/// A manifest of a thousand questions.
fn long_manifest(base: &str, folder: &Path) -> Outcome<PathBuf> {
    let (count, each) = LONG;
    let all = countries(base)?;
    if all.len() < count {
        return Err(format!("{} countries have a page, {count} are wanted", all.len()).into());
    }
    // spread over all of them
    let chosen = (0..count).map(|at| &all[at * all.len() / count]);
    let questions: Vec<Value> = chosen
        .enumerate()
        .flat_map(|(at, country)| {
            POINTS.iter().take(each).enumerate().map(move |(number, point)| {
                json!({
                    "question_id": 10_000 + at * each + number,
                    "atlas_url": format!("https://atlas.hks.harvard.edu/countries/{country}"),
                    "extraction_method": "dom",
                    "extractor": "country_profile",
                    "data_points": [point],
                })
            })
        })
        .collect();
    let path = folder.join("long.json");
    std::fs::write(&path, json!({ "questions": questions }).to_string())?;
    Ok(path)
}

/// A thousand questions over fifty countries, with the memory of the tool sampled twice a second.
fn thousand(program: &str, base: &str, folder: &Path) -> Outcome<()> {
    let manifest = long_manifest(base, folder)?;
    let output = folder.join("long-report.json");
    let mut run = Command::new(program)
        .args(["collect", "--site", base, "--sessions", "2", "--store"])
        .arg(folder.join("long"))
        .arg("--manifest")
        .arg(&manifest)
        .arg("--report")
        .arg(&output)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut samples = Vec::new();
    while run.try_wait()?.is_none() {
        samples.extend(resident(run.id()));
        std::thread::sleep(Duration::from_millis(500));
    }
    let report: Value = serde_json::from_slice(&std::fs::read(&output)?)?;
    let visits = report["visits"].as_array().ok_or("no visits")?;
    let sum = |key: &str| visits.iter().filter_map(|visit| visit[key].as_f64()).sum::<f64>();
    let quarter = samples.len() / 4;
    let most = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    println!(
        "\n{} questions on {} pages: {} loads, {} collected, {} failed, {:.1} s",
        report["questions"].as_array().map_or(0, Vec::len),
        visits.len(),
        sum("loads"),
        report["totals"]["collected"],
        report["totals"]["failed"],
        report["took_ms"].as_f64().ok_or("no time")? / 1000.0,
    );
    println!(
        "visits took {:.3} times the waiting that the pages impose, filing beside them {:.1} % of their time; memory of \
         the tool: {:.0} MB at most, {:.0} in its second quarter, {:.0} in its last",
        sum("took_ms") / (sum("took_ms") - sum("own_ms")),
        sum("filing_ms") / sum("took_ms") * 100.0,
        most(&samples),
        most(samples.get(quarter..2 * quarter).unwrap_or_default()),
        most(samples.get(3 * quarter..).unwrap_or_default()),
    );
    Ok(())
}

/// Resident memory of a process in MB.
fn resident(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
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
    let extractors = atlas_gt::extract::Extractors::built_in()?;
    println!("extraction of a capture, all points wanted, 200 times each\n");
    for (id, page, extractor, _) in PAGES {
        let extractor = extractors.get(extractor).expect("built in");
        let about =
            Context { product: Some("8703".into()), partner: Some("840".into()), ..Context::default() };
        let points = extractor.spec().points.iter();
        let wanted: Vec<Wanted> = points.map(|point| extractor.wanted(&point.id, &about)).collect();
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
