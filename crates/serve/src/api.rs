//! The API for programs: receives traces, returns figures.

use std::collections::HashSet;
use std::fmt::Display;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::app::App;
use crate::ingest::Room;
use crate::metrics::{Metrics, metrics};
use crate::request_failure::{Failure, body, broken_off};
use crate::spans;
use crate::trace_row::TraceRow;

/// Maximum size of a request body, in bytes.
pub(crate) const MAX_BODY: usize = 1 << 20;

/// Maximum size of a body of spans.
const MAX_SPANS_BODY: usize = 4 << 20;

/// Maximum number of traces per request.
const MAX_TRACES: usize = 1000;

/// Parses the JSON of a request and reserves room for it until it is answered.
async fn json_body<T: DeserializeOwned>(
    app: &App,
    headers: &HeaderMap,
    sent: Body,
    most: usize,
) -> Result<(T, Room), Failure> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // A form on another site cannot send this type without permission.
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        return Err(Failure(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "send Content-Type: application/json".to_owned(),
        ));
    }
    if app.ingest.is_none() {
        return Err(Failure(
            StatusCode::METHOD_NOT_ALLOWED,
            "traces are read-only: they come from --traces-from".to_owned(),
        ));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let length = length.unwrap_or(most);
    if length > most {
        return Err(Failure(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the body is longer than {most} bytes: send less at once"),
        ));
    }
    let room = app.ingest.as_ref().and_then(|ingest| ingest.room(length));
    let room = room.ok_or_else(|| {
        Failure(StatusCode::TOO_MANY_REQUESTS, "too many traces are waiting: send again".to_owned())
    })?;
    let bytes = body(sent, most).await?;
    let parsed = serde_json::from_slice(&bytes)
        .map_err(|error| Failure(StatusCode::BAD_REQUEST, error.to_string()))?;
    Ok((parsed, room))
}

/// `POST /api/traces`: stores one trace or a list, all or none.
pub(crate) async fn post_traces(
    State(app): State<App>,
    headers: HeaderMap,
    sent: Body,
) -> Result<Json<Value>, Failure> {
    let (value, _room) = json_body::<Value>(&app, &headers, sent, MAX_BODY).await?;
    let list = match value {
        Value::Array(list) => list,
        one => vec![one],
    };
    if list.len() > MAX_TRACES {
        return Err(Failure(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("{} traces: send at most {MAX_TRACES} at once", list.len()),
        ));
    }
    let (now, sent) = (Timestamp::now(), list.len() as u64);
    let mut rows: Vec<TraceRow> = Vec::with_capacity(list.len());
    let mut ids = HashSet::new();
    for (number, value) in list.into_iter().enumerate() {
        let row = TraceRow::read(value, now)
            .map_err(|error| Failure(StatusCode::BAD_REQUEST, format!("trace {}: {error}", number + 1)))?;
        // A request may contain the same trace twice.
        if ids.insert(row.id.clone()) {
            rows.push(row);
        }
    }
    let accepted = write(&app, rows, false).await?;
    Ok(Json(json!({ "accepted": accepted, "known": sent - accepted })))
}

async fn write(app: &App, rows: Vec<TraceRow>, updates: bool) -> Result<u64, Failure> {
    let Some(ingest) = &app.ingest else { return Ok(0) };
    if rows.is_empty() {
        return Ok(0);
    }
    ingest.write(rows, updates).await.map_err(|error| not_written("traces", error))
}

fn not_written(what: &str, error: impl Display) -> Failure {
    tracing::error!("{what} were not written: {error}");
    let message = format!("the database did not accept the {what}: send them again");
    Failure(StatusCode::SERVICE_UNAVAILABLE, message)
}

/// `POST /v1/traces`: stores spans in the JSON of OTLP/HTTP.
pub(crate) async fn post_spans(
    State(app): State<App>,
    headers: HeaderMap,
    sent: Body,
) -> Result<Json<Value>, Failure> {
    let (request, _room) = json_body::<Value>(&app, &headers, sent, MAX_SPANS_BODY).await?;
    if !request.get("resourceSpans").is_some_and(Value::is_array) {
        return Err(Failure(StatusCode::BAD_REQUEST, "`resourceSpans` is missing".to_owned()));
    }
    let received = spans::receive(&app.database, spans::parse(&request), Timestamp::now()).await;
    let received = received.map_err(|error| not_written("spans", error))?;
    write(&app, received.rows, true).await?;
    Ok(Json(match received.why {
        None => json!({ "partialSuccess": {} }),
        Some(why) => {
            json!({ "partialSuccess": { "rejectedSpans": received.rejected.to_string(), "errorMessage": why } })
        }
    }))
}

/// The current figures.
pub(crate) async fn current(app: &App) -> Result<Arc<Metrics>, Failure> {
    let now = Timestamp::now();
    app.window.refresh(&app.traces, now.as_millisecond()).await.map_err(|error| {
        tracing::error!("{error}");
        Failure(
            StatusCode::SERVICE_UNAVAILABLE,
            "the database cannot be read: see the server's log".to_owned(),
        )
    })?;
    let window = app.window.clone();
    let make = async move || {
        let made = tokio::task::spawn_blocking(move || metrics(&window, now)).await;
        made.map_err(|_| broken_off())
    };
    app.figures.get(app.window.version(), None, make).await
}

/// `GET /api/metrics`.
pub(crate) async fn get_metrics(State(app): State<App>) -> Result<Response, Failure> {
    Ok(Json(current(&app).await?.as_ref()).into_response())
}

/// `GET /metrics`, for monitoring systems.
pub(crate) async fn get_open_metrics(State(app): State<App>) -> Result<Response, Failure> {
    let text = current(&app).await?.open_metrics();
    let kind = [(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")];
    Ok((kind, text).into_response())
}
