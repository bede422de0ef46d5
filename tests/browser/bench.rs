//! A local site, a browser on it, and the check that nothing of it is left behind.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, RwLock, Weak};
use std::time::Duration;

use atlas_gt::acquire::browser::{BrowserOptions, Session};
use atlas_gt::acquire::{PageSource, SnapshotOptions};
use atlas_gt::capture::Capture;
use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{any, get};
use scraper::{ElementRef, Html as Document, Selector};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, SemaphorePermit};

/// What lent browsers and their sites live on, for the runtime of a test ends with it.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

static BROWSERS: Semaphore = Semaphore::const_new(2);

/// Room for `n` browsers.
pub async fn room(n: u32) -> SemaphorePermit<'static> {
    BROWSERS.acquire_many(n).await.unwrap()
}

#[derive(Default)]
pub struct Seen {
    pub requests: AtomicUsize,
    pub agents: Mutex<Vec<String>>,
    pub paths: Mutex<Vec<String>>,
}

#[derive(Clone)]
struct Served {
    pages: Arc<RwLock<HashMap<&'static str, String>>>,
    seen: Arc<Seen>,
}

/// A site on loopback that serves the given pages and a few misbehaving ones.
pub struct Site {
    pub url: String,
    pub seen: Arc<Seen>,
    served: Served,
    server: tokio::task::JoinHandle<()>,
}

impl Site {
    pub async fn serve(pages: &[(&'static str, &str)]) -> Self {
        let seen = Arc::new(Seen::default());
        let state = Served { pages: Arc::default(), seen: seen.clone() };
        let served = state.clone();
        let app = Router::new()
            .route("/status/{code}", any(status))
            .route("/empty/{code}", get(empty))
            .route("/loop", get(async || Redirect::temporary("/loop")))
            .route("/hang", get(async || std::future::pending::<()>().await))
            .route("/graphql", any(graphql))
            .route("/graphql-hangs", any(async || std::future::pending::<()>().await))
            .route("/asset.js", get(asset))
            .fallback(page)
            .with_state(state.clone())
            .layer(axum::middleware::from_fn_with_state(state, count));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let this = Self { url, seen, served, server };
        this.show(pages);
        this
    }

    /// Serves these pages from now on, instead of those before.
    fn show(&self, pages: &[(&'static str, &str)]) {
        let pages = pages.iter().map(|(path, html)| (*path, (*html).to_owned())).collect();
        *self.served.pages.write().unwrap() = pages;
    }

    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn count(
    State(state): State<Served>,
    headers: HeaderMap,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> Response {
    state.seen.requests.fetch_add(1, Ordering::SeqCst);
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    state.seen.agents.lock().unwrap().push(agent.to_owned());
    state.seen.paths.lock().unwrap().push(request.uri().path().to_owned());
    next.run(request).await
}

async fn page(State(state): State<Served>, uri: Uri) -> Response {
    match state.pages.read().unwrap().get(uri.path()) {
        Some(html) => Html(format!("<!DOCTYPE html><meta charset=utf-8>{html}")).into_response(),
        None => (StatusCode::NOT_FOUND, Html("<h1>nothing here</h1>")).into_response(),
    }
}

async fn status(UrlPath(code): UrlPath<u16>) -> Response {
    (StatusCode::from_u16(code).unwrap(), Html("<h1>an answer</h1>")).into_response()
}

async fn empty(UrlPath(code): UrlPath<u16>) -> StatusCode {
    StatusCode::from_u16(code).unwrap()
}

/// Echoes the request in a GraphQL-like answer.
async fn graphql(body: String) -> Response {
    let answer = serde_json::json!({ "data": { "asked": body, "exports": 378 } });
    ([(header::CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
}

async fn asset() -> Response {
    ([(header::CONTENT_TYPE, "text/javascript")], "window.loaded = true;").into_response()
}

/// A browser on a local site.
pub struct Bench {
    pub site: Site,
    pub session: Session,
    pub home: PathBuf,
    lender: Option<Arc<Lender>>,
    room: Option<SemaphorePermit<'static>>,
}

/// What is lent to one test after another. It ends with the last test that holds this.
#[derive(Default)]
struct Lender {
    free: Mutex<Vec<Bench>>,
}

static LENDER: Mutex<Weak<Lender>> = Mutex::new(Weak::new());

fn lender() -> Arc<Lender> {
    let mut lender = LENDER.lock().unwrap();
    lender.upgrade().unwrap_or_else(|| {
        let fresh = Arc::new(Lender::default());
        *lender = Arc::downgrade(&fresh);
        fresh
    })
}

impl Bench {
    /// One that another test may have used before, for a start takes longer than most tests.
    pub async fn lent(pages: &[(&'static str, &str)]) -> Self {
        let lender = lender();
        let room = room(1).await;
        let free = lender.free.lock().unwrap().pop();
        let bench = match free {
            Some(bench) => bench,
            None => RUNTIME.spawn(Self::of_no_test(|_| {})).await.unwrap(),
        };
        bench.site.show(pages);
        Self { lender: Some(lender), room: Some(room), ..bench }
    }

    /// One for this test alone, which harms it, or asks how it was started or what its site saw.
    pub async fn start(pages: &[(&'static str, &str)]) -> Self {
        Self::with(pages, |_| {}).await
    }

    pub async fn with(pages: &[(&'static str, &str)], tune: impl FnOnce(&mut BrowserOptions)) -> Self {
        let room = room(1).await;
        let bench = Self::of_no_test(tune).await;
        bench.site.show(pages);
        Self { room: Some(room), ..bench }
    }

    async fn of_no_test(tune: impl FnOnce(&mut BrowserOptions)) -> Self {
        let site = Site::serve(&[]).await;
        let options = options(&site, tune);
        let session = Session::start(&options).await.unwrap();
        let home = session.home().unwrap().to_owned();
        Self { site, session, home, lender: None, room: None }
    }

    /// Opens `path` and looks at it.
    pub async fn see(&mut self, path: &str, options: &SnapshotOptions) -> Capture {
        self.session.open(&self.site.at(path)).await.unwrap();
        self.session.snapshot(options).await.unwrap()
    }

    /// Gives back what was lent; ends what was not, and checks that it is gone.
    pub async fn finish(mut self) {
        let _room = self.room.take();
        if let Some(lender) = self.lender.take() {
            lender.free.lock().unwrap().push(self);
        } else {
            self.session.close().await;
            assert_gone(&self.home);
        }
    }
}

pub fn options(site: &Site, tune: impl FnOnce(&mut BrowserOptions)) -> BrowserOptions {
    let mut options = BrowserOptions::new(site.url.parse().unwrap());
    options.page_load = Duration::from_secs(20);
    options.script = Duration::from_secs(40);
    tune(&mut options);
    options
}

/// A page as a lent browser sees it that only waits.
pub async fn see(html: &str) -> Capture {
    see_with(html, &still()).await
}

/// A page as a lent browser sees it.
pub async fn see_with(html: &str, options: &SnapshotOptions) -> Capture {
    let mut bench = Bench::lent(&[("/", html)]).await;
    let capture = bench.see("/", options).await;
    bench.finish().await;
    capture
}

/// No process names the directory any more, and the directory is gone.
pub fn assert_gone(home: &Path) {
    assert_eq!(living_in(home), Vec::<String>::new(), "left behind");
    assert!(!home.exists(), "{} was left behind", home.display());
}

/// Command lines of the processes that name `home` in their command or environment.
pub fn living_in(home: &Path) -> Vec<String> {
    let needle = home.to_str().unwrap();
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok()))
        .filter_map(|entry| {
            let read = |file| std::fs::read(entry.path().join(file)).ok();
            let command = String::from_utf8_lossy(&read("cmdline")?).replace('\0', " ");
            let environment = String::from_utf8_lossy(&read("environ").unwrap_or_default()).into_owned();
            (command.contains(needle) || environment.contains(needle)).then_some(command)
        })
        .collect()
}

/// Options that only wait, for pages without sections.
pub fn still() -> SnapshotOptions {
    SnapshotOptions { max_wait: Duration::from_secs(5), ..SnapshotOptions::default() }
}

/// The first element of captured markup that fits `selector`.
pub fn pick<'a>(document: &'a Document, selector: &str) -> ElementRef<'a> {
    let parsed = Selector::parse(selector).unwrap();
    document.select(&parsed).next().unwrap_or_else(|| panic!("no {selector} in {}", document.html()))
}

/// Text that a person sees: without parts that are marked as not visible.
pub fn visible_text(html: &str) -> String {
    fn walk(element: ElementRef<'_>, out: &mut String) {
        if element.attr("data-agt-d") == Some("n") || element.value().name() == "head" {
            return;
        }
        for child in element.children() {
            if let Some(text) = child.value().as_text() {
                out.push_str(text);
                out.push(' ');
            } else if let Some(child) = ElementRef::wrap(child) {
                walk(child, out);
            }
        }
    }
    let document = Document::parse_document(html);
    let mut out = String::new();
    walk(document.root_element(), &mut out);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
