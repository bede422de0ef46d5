//! The routes of the desk.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use atlas_gt_core::error::Error;
use atlas_gt_core::evidence::Hash;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use futures::{Stream, stream};
use jiff::{Span, Timestamp};
use serde_json::Value;

use super::acting::{act, command};
use super::frame::{Answer, open, read, show};
use super::jobs::{Followed, Order};
use super::page::Page;
use super::sources::Sources;
use super::strategies::Tried;
use super::{actions, changes, inbox, production, promotion, records, review, runs, spot_checks, strategies};
use crate::api::current;
use crate::app::{App, Desk};
use crate::failures::{FailureReport, failures};
use crate::metrics::Metrics;
use crate::request_failure::Failure;
use crate::templates::values;

type QueryParameters = Query<BTreeMap<String, String>>;

/// Figures and failures of seven days. About a twentieth of all requests counts as slow, so with many requests the
/// failures take long to collect.
pub(crate) async fn week(app: &App) -> Result<(Arc<Metrics>, Arc<FailureReport>), Failure> {
    let metrics = current(app).await?;
    let of = app.clone();
    // A job may have reviewed some failures.
    let since = app.jobs.last_end();
    let failures = app.week.get(app.window.version(), since, async move || collect_week(&of).await).await?;
    Ok((metrics, failures))
}

async fn collect_week(app: &App) -> Result<FailureReport, Failure> {
    let now = Timestamp::now();
    let since = now.checked_sub(Span::new().hours(7 * 24)).unwrap_or(now);
    failures(&app.database, &app.traces, &app.window, since, now).await.map_err(|error| {
        tracing::error!("{error}");
        Failure(
            StatusCode::SERVICE_UNAVAILABLE,
            "the database cannot be read: see the server's log".to_owned(),
        )
    })
}

/// All routes of the desk.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(get_inbox))
        .route("/records", get(get_records))
        .route("/records/{id}", get(get_record))
        .route("/review", of_files("review", review::page))
        .route("/review/{id}", get(get_review))
        .route("/changes", of_files("changes", changes::page))
        .route("/runs", of_files("runs", runs::page))
        .route("/runs/{run}", get(get_run))
        .route("/compare", get(get_comparison))
        .route("/spot-checks", of_files("spot-checks", spot_checks::page))
        .route("/production", get(get_production))
        .route("/production/week.md", get(get_week))
        .route("/production/{failure}", get(get_promotion))
        .route("/points", get(get_points))
        .route(
            "/configuration",
            of_files("configuration", |sources| strategies::page(sources, &Tried::default())),
        )
        .route("/strategies.json", get(get_strategies))
        .route("/jobs", get(get_jobs))
        .route("/jobs/{number}", get(get_job))
        .route("/jobs/{number}/events", get(get_job_events))
        .route("/pictures/{hash}", get(get_picture))
        .route("/do/{action}", post(act))
}

/// A page of files that needs nothing of its request.
fn of_files(here: &'static str, page: fn(&Sources) -> Result<Page, Error>) -> MethodRouter<App> {
    get(move |State(app): State<App>| async move { open(&app, here, page).await })
}

async fn get_inbox(State(app): State<App>) -> Answer {
    let (metrics, failures) = week(&app).await?;
    let now = Timestamp::now();
    open(&app, "", move |sources| inbox::page(sources, Some((&metrics, &failures)), now)).await
}

async fn get_records(State(app): State<App>, Query(given): QueryParameters) -> Answer {
    let search = given.get("q").cloned().unwrap_or_default();
    open(&app, "records", move |sources| records::page(sources, &search)).await
}

async fn get_record(State(app): State<App>, Path(id): Path<String>) -> Answer {
    open(&app, "records", move |sources| records::one(sources, &id)).await
}

async fn get_review(State(app): State<App>, Path(id): Path<String>) -> Answer {
    open(&app, "review", move |sources| review::one(sources, &id)).await
}

async fn get_run(State(app): State<App>, Path(run): Path<String>, Query(given): QueryParameters) -> Answer {
    let text = |key: &str| given.get(key).cloned().unwrap_or_default();
    let (verdict, search) = (text("verdict"), text("q"));
    open(&app, "runs", move |sources| runs::one(sources, &run, &verdict, &search)).await
}

async fn get_comparison(State(app): State<App>, Query(given): QueryParameters) -> Answer {
    let text = |key: &str| given.get(key).cloned().unwrap_or_default();
    let (first, second) = (text("first"), text("second"));
    open(&app, "runs", move |sources| runs::comparison(sources, &first, &second)).await
}

async fn get_production(State(app): State<App>) -> Answer {
    let (metrics, failures) = week(&app).await?;
    open(&app, "production", move |sources| production::page(sources, &metrics, &failures)).await
}

/// The weekly report.
async fn get_week(State(app): State<App>) -> Answer {
    let (_, failures) = week(&app).await?;
    let kind = (header::CONTENT_TYPE, "text/markdown; charset=utf-8");
    let name = (header::CONTENT_DISPOSITION, "attachment; filename=\"failures.md\"");
    Ok(([kind, name], (app.options.week_report)(&failures)).into_response())
}

/// The form that promotes a failure, with the page and data points that the command proposes.
async fn get_promotion(State(app): State<App>, Path(key): Path<String>) -> Answer {
    let none =
        || Failure(StatusCode::NOT_FOUND, "there is no such failure in the last seven days".to_owned());
    let mut arguments = actions::promotion(&app.sources, &key).map_err(|_| none())?;
    let (_, failures) = week(&app).await?;
    let failure = failures.failures.iter().find(|failure| failure.failure == key).ok_or_else(none)?;
    arguments.extend(["--propose", "--format=json"].map(str::to_owned));
    arguments.extend(app.sources.flags.iter().cloned());
    let done = command(&app, &actions::with_database(arguments, &app.options.database)).await;
    let (proposal, said) = report(&done.said);
    let page = promotion::page(&app.sources, failure, &proposal, &said);
    show(&app, "production", page).await
}

/// The proposals of `mend` for points that are no longer found.
async fn get_points(State(app): State<App>) -> Answer {
    let mut arguments = ["mend", "--format=json"].map(str::to_owned).to_vec();
    arguments.extend(app.sources.flags.iter().cloned());
    let done = command(&app, &Order { arguments, environment: Vec::new() }).await;
    let (found, said) = report(&done.said);
    let values = values! { found, said };
    show(&app, "points", Page { template: "points.html", values }).await
}

/// The report in a command's output, which is the first JSON object, and what to show instead: its error, or the whole
/// output.
fn report(said: &str) -> (Value, String) {
    let json = said.find('{').and_then(|at| said.get(at..)).unwrap_or_default();
    let first = serde_json::Deserializer::from_str(json).into_iter::<Value>().next();
    let Some(Ok(report)) = first else { return (Value::Null, said.to_owned()) };
    match report.get("error").and_then(Value::as_str) {
        Some(error) => (Value::Null, error.to_owned()),
        None => (report, String::new()),
    }
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

async fn get_job(State(app): State<App>, Path(number): Path<String>) -> Answer {
    let number = number.parse().map_err(|_| no_job())?;
    let job = app.jobs.list().into_iter().find(|job| job.number == number).ok_or_else(no_job)?;
    let Followed { lines, at, .. } = app.jobs.followed(number, 0).ok_or_else(no_job)?;
    show(&app, "jobs", Page { template: "job.html", values: values! { job, lines, at } }).await
}

/// Streams a job's lines and progress. A browser that reconnects sends its last offset.
async fn get_job_events(
    State(app): State<App>,
    Path(number): Path<String>,
    Query(given): QueryParameters,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let from = last.or(given.get("from").map(String::as_str)).and_then(|text| text.parse().ok()).unwrap_or(0);
    let number = number.parse().map_err(|_| no_job())?;
    app.jobs.followed(number, from).ok_or_else(no_job)?;
    let jobs = app.jobs.clone();
    let events = stream::unfold(Some((from, None, jobs.changes())), move |state| {
        let jobs = jobs.clone();
        async move {
            let (from, known, mut changes) = state?;
            loop {
                let Followed { lines, at, progress, runs } = jobs.followed(number, from)?;
                if !lines.is_empty() {
                    let event = Event::default().id(at.to_string()).data(lines.join("\n"));
                    return Some((Ok(event), Some((at, known, changes))));
                }
                if progress != known {
                    let data = serde_json::to_string(&progress).unwrap_or_default();
                    let event = Event::default().event("progress").data(data);
                    return Some((Ok(event), Some((from, progress, changes))));
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

/// A screenshot of the store, by hash and never by path.
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

/// An error page for browsers.
pub(crate) async fn failure_page(app: &Arc<Desk>, failure: &Failure) -> Option<Response> {
    let page =
        Page { template: "failure.html", values: values! { why => failure.1, status => failure.0.as_u16() } };
    let mut response = show(app, "", page).await.ok()?;
    *response.status_mut() = failure.0;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Some(response)
}
