//! A real Selenium Grid, a hub and two nodes, one of which is killed in mid-run. `make test-grid` fetches the
//! program, names it in `ATLAS_GT_GRID_JAR`, and runs this.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use atlas_gt::acquire::browser::{BrowserOptions, Pool};
use atlas_gt_twin::{self as twin, Skin, TwinOptions};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::Value;

/// One of each of six pages.
const QUESTIONS: &str = "61,68,75,80,85,89";

/// A part of the Grid with everything that it started.
struct Part(Child);

impl Part {
    fn start(folder: &Path, name: &str, arguments: &[&str]) -> Self {
        let jar = std::env::var("ATLAS_GT_GRID_JAR").expect("run by `make test-grid`");
        let log = File::create(folder.join(format!("{name}.log"))).unwrap();
        let child = Command::new("java")
            .args(["-Xmx256m", "-jar", &jar])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .process_group(0)
            .spawn()
            .unwrap();
        Self(child)
    }

    fn end(&mut self) {
        let _ = killpg(Pid::from_raw(self.0.id().try_into().unwrap()), Signal::SIGKILL);
        let _ = self.0.wait();
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.end();
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn program(names: &[&str]) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let found =
        std::env::split_paths(&path).flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    found.into_iter().find(|path| path.is_file()).unwrap_or_else(|| panic!("none of {names:?} is on PATH"))
}

struct Grid {
    folder: tempfile::TempDir,
    url: String,
    nodes: Vec<Part>,
    _hub: Part,
}

impl Grid {
    async fn start(nodes: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [port, publish, subscribe] = [free_port(), free_port(), free_port()];
        let [publish, subscribe] = [publish, subscribe].map(|port| format!("tcp://127.0.0.1:{port}"));
        let bus = format!("[events]\npublish = {publish:?}\nsubscribe = {subscribe:?}\n");
        let hub = format!(
            "[server]\nhost = \"127.0.0.1\"\nport = {port}\n{bus}bind = true\n\
             [sessionqueue]\nsession-request-timeout = 20\n"
        );
        std::fs::write(folder.path().join("hub.toml"), hub).unwrap();
        let hub = Part::start(folder.path(), "hub", &["hub", "--config", "hub.toml"]);
        let config = format!(
            "{bus}bind = false\n[node]\nselenium-manager = false\ndetect-drivers = false\nmax-sessions = 1\noverride-max-sessions = true\nsession-timeout = 60\n\
             heartbeat-period = 5\nregister-period = 60\n\
             [[node.driver-configuration]]\ndisplay-name = \"chromium\"\nwebdriver-executable = {:?}\n\
             max-sessions = 1\nstereotype = '{{\"browserName\": \"chrome\", \"goog:chromeOptions\": \
             {{\"binary\": {:?}, \"args\": [\"--no-sandbox\"]}}}}'\n",
            program(&["chromedriver"]),
            program(&["chromium", "chromium-browser", "google-chrome"]),
        );
        std::fs::write(folder.path().join("node.toml"), config).unwrap();
        let url = format!("http://127.0.0.1:{port}");
        let mut grid = Self { nodes: Vec::new(), _hub: hub, url, folder };
        for _ in 0..nodes {
            grid.add_node();
        }
        let started = Instant::now();
        while grid.slots().await.len() < grid.nodes.len() {
            assert!(started.elapsed() < Duration::from_secs(120), "{}", grid.logs());
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        grid
    }

    fn add_node(&mut self) {
        let (name, port) = (format!("node{}", self.nodes.len()), free_port().to_string());
        let arguments = ["node", "--config", "node.toml", "--host", "127.0.0.1", "--port", &port];
        self.nodes.push(Part::start(self.folder.path(), &name, &arguments));
    }

    /// Every slot: whether somebody uses it.
    async fn slots(&self) -> Vec<bool> {
        let Ok(answer) = reqwest::get(format!("{}/status", self.url)).await else { return Vec::new() };
        let status: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default();
        let nodes = status["value"]["nodes"].as_array().cloned().unwrap_or_default();
        let up = nodes.iter().filter(|node| node["availability"] == "UP");
        up.flat_map(|node| node["slots"].as_array().unwrap()).map(|slot| !slot["session"].is_null()).collect()
    }

    fn logs(&self) -> String {
        let read = |name: &str| std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
        let last = |text: String| text.lines().rev().take(15).collect::<Vec<_>>().join("\n");
        ["hub.log", "node0.log", "node1.log", "node2.log"]
            .map(|name| format!("== {name}\n{}", last(read(name))))
            .join("\n")
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a Selenium Grid: make test-grid"]
async fn a_grid_that_loses_a_node_answers_everything_and_gets_its_sessions_back() {
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut grid = Grid::start(2).await;
    let options = TwinOptions { skin: Skin::Hashed, rate_limit: None, ..TwinOptions::default() };
    let twin = twin::start(options).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
        .args(["collect", "--site", &twin.base_url, "--questions", QUESTIONS, "--webdriver", &grid.url])
        .args(["--sessions", "4", "--format", "json", "--store"])
        .arg(folder.path().join("s"))
        .arg("--manifest")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while twin.log().iter().filter(|entry| entry.path.starts_with("/countries/")).count() < 2 {
        assert!(started.elapsed() < Duration::from_secs(240), "{}", grid.logs());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(grid.slots().await, [true, true], "four were asked for, two are there");
    grid.nodes[0].end();
    let output = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{told}\n{}", grid.logs()));
    println!(
        "{} pages, {} retries, {} browsers replaced, {} ms",
        report["visits"].as_array().unwrap().len(),
        report["retries"],
        report["restarts"],
        report["took_ms"]
    );
    assert_eq!(output.status.code(), Some(0), "{told}\n{}", grid.logs());
    assert_eq!((&report["totals"]["collected"], &report["totals"]["failed"]), (&6.into(), &0.into()));
    // the node that is left is busy with its own browser: the lost one is replaced by it or not at all
    let replaced = report["restarts"].as_u64() >= Some(1) || told.contains("continuing with fewer");
    assert!(report["retries"].as_u64() >= Some(1) && replaced, "{told}");
    let left = grid.slots().await;
    assert!(left.iter().filter(|taken| **taken).count() <= 1, "the dead node's slot at most: {left:?}");

    // what is left of it can be used, is busy then, and is given back
    let address: url::Url = format!("{}/", grid.url).parse().unwrap();
    let browser = |patience| {
        let mut options = BrowserOptions::new(twin.base_url.parse().unwrap());
        options.webdriver = Some(address.clone());
        options.start = Duration::from_secs(patience);
        options
    };
    let started = Instant::now();
    while grid.slots().await != [false] {
        assert!(started.elapsed() < Duration::from_secs(120), "{:?}\n{}", grid.slots().await, grid.logs());
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let pool = Pool::start(3, browser(40)).await.unwrap();
    let busy = Pool::start(1, browser(2)).await.unwrap_err().to_string();
    assert!(busy.contains("is busy") && busy.contains("all of its 1 slots"), "{busy}");
    let held = pool.checkout().await.unwrap();
    // a node that comes gives one more of those that were asked for
    grid.add_node();
    let joined = tokio::time::timeout(Duration::from_secs(120), pool.checkout()).await;
    let joined = joined.unwrap_or_else(|_| panic!("{}", grid.logs())).unwrap();
    assert!(held.session().is_some() && joined.session().is_some());
    assert_eq!(grid.slots().await, [true, true]);
    pool.close().await;
    assert_eq!(grid.slots().await, [false, false], "also those that were handed out");
    drop((held, joined));
    // what nobody closes is given back too
    let pool = Pool::start(1, browser(40)).await.unwrap();
    drop(pool);
    let started = Instant::now();
    while grid.slots().await != [false, false] {
        assert!(started.elapsed() < Duration::from_secs(20), "{}", grid.logs());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn an_address_without_a_grid_is_told() {
    let mut options = BrowserOptions::new("http://127.0.0.1:1/".parse().unwrap());
    options.webdriver = Some(format!("http://127.0.0.1:{}/", free_port()).parse().unwrap());
    let error = Pool::start(1, options).await.unwrap_err().to_string();
    assert!(error.contains("no Selenium Grid answers") && error.contains("--webdriver"), "{error}");
}

/// What geckodriver says to somebody who wants Chromium.
#[tokio::test]
async fn firefox_is_refused_with_the_reason() {
    use axum::routing::{get, post};
    let refusal = || async {
        let said = serde_json::json!({ "value": {
            "error": "session not created", "message": "Unable to find a matching set of capabilities", "stacktrace": "",
        } });
        (axum::http::StatusCode::INTERNAL_SERVER_ERROR, said.to_string())
    };
    let app = axum::Router::new()
        .route("/status", get(|| async { r#"{"value":{"message":"","ready":true}}"# }))
        .route("/session", post(refusal));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    let mut options = BrowserOptions::new("http://127.0.0.1:1/".parse().unwrap());
    options.webdriver = Some(url.parse().unwrap());
    let error = Pool::start(1, options).await.unwrap_err().to_string();
    server.abort();
    assert!(error.contains("provides no Chromium") && error.contains("Firefox is no replacement"), "{error}");
}
