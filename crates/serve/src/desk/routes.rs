//! What the addresses of the desk answer.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use atlas_gt_core::error::{Error, Exit};
use atlas_gt_core::evidence::Hash;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use futures::{Stream, stream};
use jiff::{Span, Timestamp};
use serde_json::Value;

use crate::pages::values;
use serde::Serialize;

use super::actions::{self, Action};
use super::jobs::Order;
use super::{
    MenuEntry, Page, Sources, changes, inbox, production, records, review, runs, spot_checks, strategies,
};
use crate::api::{Failure, current};
use crate::audit;
use crate::failures::{FailureReport, failures};
use crate::metrics::Metrics;
use crate::pages::{form, render};
use crate::server::App;

/// A command that the browser waits for may take so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// What was done last, for the top of the next page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LastAction {
    command: String,
    by: String,
    failed: bool,
    said: String,
}

/// What stands around a page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Frame {
    pub menu: Vec<MenuEntry>,
    /// The page of the menu that is open.
    pub here: String,
    /// What every link begins and ends with.
    pub root: String,
    pub end: &'static str,
    /// Whether it is a file that nobody can act on.
    #[serde(rename = "static")]
    pub is_static: bool,
    pub csrf: String,
    pub by: String,
    pub last: Option<LastAction>,
}

/// A page as text.
pub(crate) fn html(page: Page, frame: &Frame) -> Result<String, Failure> {
    let mut values = page.values;
    if let (Some(values), Ok(Value::Object(frame))) = (values.as_object_mut(), serde_json::to_value(frame)) {
        values.extend(frame);
    }
    render(page.template, &values)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error {
            Error::Nothing(_) => StatusCode::NOT_FOUND,
            Error::Usage(_) | Error::Syntax { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, error.to_string())
    }
}

/// Files are read beside the threads that answer.
async fn read<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Sources) -> atlas_gt_core::error::Result<T> + Send + 'static,
) -> Result<T, Failure> {
    let app = app.clone();
    let done = tokio::task::spawn_blocking(move || work(&app.sources)).await;
    done.map_err(|_| {
        Failure(StatusCode::INTERNAL_SERVER_ERROR, "the page broke off: see the server's log".to_owned())
    })?
    .map_err(Failure::from)
}

type Answer = Result<Response, Failure>;
type Given = Query<BTreeMap<String, String>>;

async fn show(app: &App, here: &str, page: Page) -> Answer {
    let menu = read(app, Sources::menu).await?;
    let frame = Frame {
        menu,
        here: here.to_owned(),
        root: "/".to_owned(),
        end: "",
        is_static: false,
        csrf: app.guard.csrf.clone(),
        by: app.sources.by.clone(),
        last: app.last.lock().await.take(),
    };
    Ok(Html(html(page, &frame)?).into_response())
}

/// The failures of the week, when they were collected, and how long that took.
#[derive(Debug, Clone)]
pub(crate) struct Week {
    report: Arc<FailureReport>,
    at: Instant,
    took: Duration,
}

/// Collecting failures that takes no longer is waited for.
const QUICK: Duration = Duration::from_millis(20);

/// Figures and failures of seven days. A twentieth of the requests of a week is slower than the rest: at most a tenth of the time is
/// spent on collecting them, and where that takes long it is done behind the page, which is a few seconds old then.
pub(crate) async fn week(app: &App) -> Result<(Metrics, Arc<FailureReport>), Failure> {
    let metrics = current(app).await?;
    let known = app.week.lock().await.clone();
    let report = match known {
        Some(known) if known.at.elapsed() < known.took * 10 => known.report,
        Some(known) if known.took > QUICK => {
            if !app.collecting.swap(true, Ordering::AcqRel) {
                let app = app.clone();
                tokio::spawn(async move {
                    // what fails is logged, and tried again for the next page
                    let _ = collect_week(&app).await;
                    app.collecting.store(false, Ordering::Release);
                });
            }
            known.report
        }
        _ => collect_week(app).await?,
    };
    Ok((metrics, report))
}

async fn collect_week(app: &App) -> Result<Arc<FailureReport>, Failure> {
    let (began, now) = (Instant::now(), Timestamp::now());
    let since = now.checked_sub(Span::new().hours(7 * 24)).unwrap_or(now);
    let found = failures(&app.database, &app.traces, &app.window, since, now).await.map_err(|error| {
        tracing::error!("{error}");
        Failure(
            StatusCode::SERVICE_UNAVAILABLE,
            "the database cannot be read: see the server's log".to_owned(),
        )
    })?;
    let report = Arc::new(found);
    let week = Week { report: report.clone(), at: Instant::now(), took: began.elapsed() };
    *app.week.lock().await = Some(week);
    Ok(report)
}

/// The addresses of the desk.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(get_inbox))
        .route("/records", get(get_records))
        .route("/records/{id}", get(get_record))
        .route("/review", get(get_reviews))
        .route("/review/{id}", get(get_review))
        .route("/changes", get(get_changes))
        .route("/runs", get(get_runs))
        .route("/runs/{run}", get(get_run))
        .route("/compare", get(get_comparison))
        .route("/spot-checks", get(get_spot_checks))
        .route("/production", get(get_production))
        .route("/configuration", get(get_configuration))
        .route("/strategies.json", get(get_strategies))
        .route("/jobs", get(get_jobs))
        .route("/jobs/{number}", get(get_job))
        .route("/jobs/{number}/events", get(get_job_events))
        .route("/pictures/{hash}", get(get_picture))
        .route("/do/{action}", post(act))
}

async fn get_inbox(State(app): State<App>) -> Answer {
    let (metrics, failures) = week(&app).await?;
    let now = Timestamp::now();
    let page = read(&app, move |sources| inbox::page(sources, Some((&metrics, &failures)), now)).await?;
    show(&app, "", page).await
}

async fn get_records(State(app): State<App>, Query(given): Given) -> Answer {
    let search = given.get("q").cloned().unwrap_or_default();
    let page = read(&app, move |sources| records::page(sources, &search)).await?;
    show(&app, "records", page).await
}

async fn get_record(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let page = read(&app, move |sources| records::one(sources, &id)).await?;
    show(&app, "records", page).await
}

async fn get_reviews(State(app): State<App>) -> Answer {
    let page = read(&app, review::page).await?;
    show(&app, "review", page).await
}

async fn get_review(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let page = read(&app, move |sources| review::one(sources, &id)).await?;
    show(&app, "review", page).await
}

async fn get_changes(State(app): State<App>) -> Answer {
    let page = read(&app, changes::page).await?;
    show(&app, "changes", page).await
}

async fn get_runs(State(app): State<App>) -> Answer {
    let page = read(&app, runs::page).await?;
    show(&app, "runs", page).await
}

async fn get_run(State(app): State<App>, Path(run): Path<String>, Query(given): Given) -> Answer {
    let text = |key: &str| given.get(key).cloned().unwrap_or_default();
    let (verdict, search) = (text("verdict"), text("q"));
    let page = read(&app, move |sources| runs::one(sources, &run, &verdict, &search)).await?;
    show(&app, "runs", page).await
}

async fn get_comparison(State(app): State<App>, Query(given): Given) -> Answer {
    let text = |key: &str| given.get(key).cloned().unwrap_or_default();
    let (first, second) = (text("first"), text("second"));
    let page = read(&app, move |sources| runs::comparison(sources, &first, &second)).await?;
    show(&app, "runs", page).await
}

async fn get_spot_checks(State(app): State<App>) -> Answer {
    let page = read(&app, spot_checks::page).await?;
    show(&app, "spot-checks", page).await
}

async fn get_production(State(app): State<App>) -> Answer {
    let (metrics, failures) = week(&app).await?;
    show(&app, "production", production::page(&metrics, &failures)).await
}

async fn get_configuration(State(app): State<App>) -> Answer {
    let page = read(&app, |sources| strategies::page(sources, None)).await?;
    show(&app, "configuration", page).await
}

async fn get_strategies(State(app): State<App>) -> Answer {
    let text = read(&app, |sources| strategies::export(&sources.strategies)).await?;
    let kind = (header::CONTENT_TYPE, "application/json");
    Ok(([kind, (header::CONTENT_DISPOSITION, "attachment; filename=\"strategies.json\"")], text)
        .into_response())
}

async fn get_jobs(State(app): State<App>) -> Answer {
    let jobs = app.jobs.list();
    show(&app, "jobs", Page { template: "jobs.html", values: values! { jobs } }).await
}

fn no_job() -> Failure {
    Failure(StatusCode::NOT_FOUND, "there is no such job".to_owned())
}

async fn get_job(State(app): State<App>, Path(number): Path<u64>) -> Answer {
    let job = app.jobs.list().into_iter().find(|job| job.number == number).ok_or_else(no_job)?;
    let (lines, at, _) = app.jobs.lines(number, 0).ok_or_else(no_job)?;
    show(&app, "jobs", Page { template: "job.html", values: values! { job, lines, at } }).await
}

/// The lines of a job as they come. A browser that lost the connection says where it was.
async fn get_job_events(
    State(app): State<App>,
    Path(number): Path<u64>,
    Query(given): Given,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let from = last.or(given.get("from").map(String::as_str)).and_then(|text| text.parse().ok()).unwrap_or(0);
    app.jobs.lines(number, from).ok_or_else(no_job)?;
    let jobs = app.jobs.clone();
    let events = stream::unfold(Some((from, jobs.changes())), move |state| {
        let jobs = jobs.clone();
        async move {
            let (from, mut changes) = state?;
            loop {
                let (lines, at, runs) = jobs.lines(number, from)?;
                if !lines.is_empty() {
                    let event = Event::default().id(at.to_string()).data(lines.join("\n"));
                    return Some((Ok(event), Some((at, changes))));
                }
                if !runs {
                    return Some((Ok(Event::default().event("end").data("end")), None));
                }
                changes.changed().await.ok()?;
            }
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// A picture of the store, by its hash: never by a path.
async fn get_picture(State(app): State<App>, Path(hash): Path<String>) -> Answer {
    let none = || Error::Nothing("there is no such picture".to_owned());
    let hash: Hash = hash.parse().map_err(|_| none())?;
    let png = read(&app, move |sources| {
        let store = sources.store()?.ok_or_else(none)?;
        store.picture(&hash).map_err(|_| none())
    });
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable"),
    ];
    Ok((headers, png.await?).into_response())
}

/// A page of this server to go to next; the inbox where a form names anything else.
fn next_page(fields: &BTreeMap<String, String>) -> String {
    let next = fields.get("next").map(String::as_str).unwrap_or_default();
    let is_own = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n']);
    if is_own { next.to_owned() } else { "/".to_owned() }
}

/// `POST /do/{action}`.
async fn act(State(app): State<App>, Path(name): Path<String>, sent: Body) -> Answer {
    let fields = form(&app, sent).await?;
    let by = fields
        .get("by")
        .map(|by| by.trim())
        .filter(|by| !by.is_empty())
        .unwrap_or(&app.sources.by)
        .to_owned();
    let next = next_page(&fields);
    let text = |key: &str| fields.get(key).cloned().unwrap_or_default();
    let done = match name.as_str() {
        "job-stop" => {
            let number = text("job").parse().unwrap_or(0);
            let stopped = app.jobs.stop(number);
            Done::of(
                format!("kill -INT (job {number})"),
                if stopped {
                    Ok("it ends after what is in hand".to_owned())
                } else {
                    Err("it does not run".to_owned())
                },
            )
        }
        "strategy-set" | "strategy-remove" | "strategy-import" => {
            let (field, strategy, pasted, action) =
                (text("field"), text("strategy"), text("text"), name.clone());
            let file = app.sources.strategies.display().to_string();
            let result = read(&app, move |sources| match action.as_str() {
                "strategy-set" => strategies::set(&sources.strategies, &field, &strategy),
                "strategy-remove" => strategies::remove(&sources.strategies, &field),
                _ => strategies::import(&sources.strategies, &pasted),
            });
            Done::of(
                format!("edit {file}"),
                result.await.map(|()| format!("{file} is written")).map_err(|failure| failure.1),
            )
        }
        "strategy-try" => return try_pair(&app, &text("truth"), &text("answer")).await,
        "label" => {
            let (run, id, said) = (text("run"), text("id"), text("label"));
            let result = read(&app, move |sources| runs::label(sources, &run, &id, &said)).await;
            Done::of(
                format!("echo LABEL >> {}", app.sources.runs.join("labels.jsonl").display()),
                result.map_err(|failure| failure.1),
            )
        }
        _ => {
            let made = actions::action(&app.sources, &app.options.database, &name, &fields);
            match made.map_err(|why| Failure(StatusCode::UNPROCESSABLE_ENTITY, why))? {
                Action::Now(order) => command(&app, &order).await,
                Action::Job(order) => {
                    let started = app.jobs.start(&order, &app.sources.program, by.clone());
                    if let Ok(number) = started {
                        audit::write(&app.database, &by, &order.command(), 0).await;
                        return Ok(Redirect::to(&format!("/jobs/{number}")).into_response());
                    }
                    Done::of(order.command(), started.map(|_| String::new()))
                }
            }
        }
    };
    audit::write(&app.database, &by, &done.command, done.exit).await;
    // a review may have changed it
    *app.week.lock().await = None;
    let last = LastAction { command: done.command, by, failed: done.exit != 0, said: done.said };
    *app.last.lock().await = Some(last);
    Ok(Redirect::to(&next).into_response())
}

/// What an action came to.
struct Done {
    command: String,
    exit: i32,
    said: String,
}

impl Done {
    fn of(command: String, result: Result<String, String>) -> Self {
        let exit = if result.is_ok() { 0 } else { Exit::Usage as i32 };
        let (Ok(said) | Err(said)) = result;
        Self { command, exit, said }
    }
}

/// Runs a command and waits for it.
async fn command(app: &App, order: &Order) -> Done {
    let mut process = order.process(&app.sources.program);
    let output = tokio::time::timeout(PATIENCE, process.kill_on_drop(true).output()).await;
    let (exit, said) = match output {
        Err(_) => (-1, "it took longer than two minutes and was ended".to_owned()),
        Ok(Err(error)) => (-1, format!("it cannot be started: {error}")),
        Ok(Ok(output)) => {
            let text = [output.stdout, output.stderr].concat();
            let text: String = String::from_utf8_lossy(&text).chars().take(4000).collect();
            (output.status.code().unwrap_or(-1), text.trim().to_owned())
        }
    };
    Done { command: order.command(), exit, said }
}

/// Scores a pair of truth and answer by the strategies, and shows every score.
async fn try_pair(app: &App, truth: &str, answer: &str) -> Answer {
    let broken = |error: std::io::Error| Failure(StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
    let folder = tempfile::tempdir().map_err(broken)?;
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("truth.json"), truth).map_err(broken)?;
    std::fs::write(file("answer.json"), answer).map_err(broken)?;
    let path = |name: &str| file(name).display().to_string();
    let words = ["score", "json", "--truth", &path("truth.json"), "--answer", &path("answer.json")]
        .map(str::to_owned);
    let mut arguments = words.to_vec();
    if app.sources.strategies.is_file() {
        arguments.extend(["--strategies".to_owned(), app.sources.strategies.display().to_string()]);
    }
    let done = command(app, &Order { arguments, environment: Vec::new() }).await;
    let (truth, answer) = (truth.to_owned(), answer.to_owned());
    let page =
        read(app, move |sources| strategies::page(sources, Some((&truth, &answer, &done.said)))).await?;
    show(app, "configuration", page).await
}

/// A page for people where something is wrong.
pub(crate) async fn failure_page(app: &Arc<crate::server::Desk>, failure: &Failure) -> Option<Response> {
    let page =
        Page { template: "failure.html", values: values! { why => failure.1, status => failure.0.as_u16() } };
    let mut response = show(app, "", page).await.ok()?;
    *response.status_mut() = failure.0;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Some(response)
}
