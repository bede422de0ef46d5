//! The server: one router behind one guard. The number and duration of connections are limited.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::api;
use crate::app::{App, Desk, Peer};
use crate::desk::last_action::after_action;
use crate::desk::routes;
use crate::guard::secure;
use crate::pages;
use crate::request_failure::Failure;
use crate::spans;

/// Maximum number of connections.
const CONNECTIONS: usize = 256;

/// Timeout for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Timeout for open requests at shutdown.
const END_TIME: Duration = Duration::from_secs(5);

/// Interval between deletions of old traces.
const RETENTION_PAUSE: Duration = Duration::from_secs(3600);

/// How long spans wait for their root, in milliseconds.
const SPANS_MS: i64 = 24 * 3600 * 1000;

impl Desk {
    /// Serves until `stop` resolves, then completes open requests.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        let app: App = Arc::new(self);
        let router = router(app.clone());
        let retention = tokio::spawn(keep_within_days(app.clone()));
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let (ending, ended) = watch::channel(false);
        let mut connections = JoinSet::new();
        tokio::pin!(stop);
        loop {
            let accepted = async {
                let permit = room.clone().acquire_owned().await;
                (permit, listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                () = &mut stop => break,
                accepted = accepted => accepted,
            };
            while connections.try_join_next().is_some() {}
            let Ok((stream, peer)) = accepted else {
                // Usually out of file handles. Wait for connections to close.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(router.clone().layer(Extension(Peer(peer.ip()))));
            let mut ended = ended.clone();
            connections.spawn(async move {
                let _permit = permit;
                let mut server = http1::Builder::new();
                server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
                let connection = server.serve_connection(TokioIo::new(stream), service);
                tokio::pin!(connection);
                tokio::select! {
                    _ = &mut connection => {}
                    _ = ended.changed() => {
                        connection.as_mut().graceful_shutdown();
                        let _ = connection.await;
                    }
                }
            });
        }
        drop(listener);
        let _ = ending.send(true);
        let all = async { while connections.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(END_TIME, all).await;
        retention.abort();
        app.jobs.stop_all();
        app.database.close().await;
    }
}

fn router(app: App) -> Router {
    Router::new()
        .route("/api/traces", post(api::post_traces))
        .route("/v1/traces", post(api::post_spans))
        .route("/api/metrics", get(api::get_metrics))
        .route("/metrics", get(api::get_open_metrics))
        .merge(routes::routes())
        .route("/login", get(pages::get_login).post(pages::post_login))
        .route("/assets/desk.css", get(pages::get_style))
        .route("/assets/desk.js", get(pages::get_script))
        .fallback(|| async { Failure(StatusCode::NOT_FOUND, "there is no such page".to_owned()) })
        .layer(from_fn_with_state(app.clone(), guarded))
        .with_state(app)
}

/// Checks requests, renders error pages for browsers, and adds security headers.
async fn guarded(
    State(app): State<App>,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let for_people = accepts.is_some_and(|kinds| kinds.contains("text/html"));
    let mut response = match app.guard.admit(peer, &method, &path, request.headers()) {
        Ok(()) => {
            let query = request.uri().query().map(str::to_owned);
            let response = after_action(query.as_deref(), next.run(request)).await;
            match response.extensions().get::<Failure>().cloned().filter(|_| for_people) {
                Some(failure) => routes::failure_page(&app, &failure).await.unwrap_or(response),
                None => response,
            }
        }
        Err(refusal) if for_people && method == Method::GET && refusal.status == StatusCode::UNAUTHORIZED => {
            Redirect::to("/login").into_response()
        }
        Err(refusal) => Failure(refusal.status, refusal.why.to_owned()).into_response(),
    };
    secure(response.headers_mut());
    response
}

/// Deletes old traces, and spans whose root never arrived.
async fn keep_within_days(app: App) {
    loop {
        let now = Timestamp::now().as_millisecond();
        let oldest = now - i64::from(app.options.keep_days) * 24 * 3600 * 1000;
        if app.ingest.is_some() {
            match app.traces.delete_before(oldest).await {
                Ok(0) => {}
                Ok(gone) => tracing::info!("deleted {gone} traces older than {} days", app.options.keep_days),
                Err(error) => tracing::error!("could not delete old traces: {error}"),
            }
        }
        if let Err(error) = spans::drop_before(&app.database, now - SPANS_MS).await {
            tracing::error!("could not delete old spans: {error}");
        }
        tokio::time::sleep(RETENTION_PAUSE).await;
    }
}

/// Whether only this machine can reach an address.
#[must_use]
pub fn is_private(address: SocketAddr) -> bool {
    address.ip().is_loopback()
}
