//! Starts a twin on loopback, changes it at run time, and stops it.

use super::connection::{Peer, ResettableListener};
use super::data::Revision;
use super::data::vintage::{self, VintageChange};
use super::fault::Fault;
use super::log::LogEntry;
use super::options::TwinOptions;
use super::routes;
use super::state::{Apis, State};
use axum::Router;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The available releases by name.
const VINTAGES: [(i32, Revision); 2] = [(2024, Revision::Published), (2027, Revision::Next)];

fn release(vintage: i32) -> Result<Revision, String> {
    let found = VINTAGES.iter().find(|(name, _)| *name == vintage).map(|(_, release)| *release);
    found.ok_or_else(|| {
        let known: Vec<String> = VINTAGES.iter().map(|(name, _)| name.to_string()).collect();
        format!("the twin has no release of {vintage}: use {}", known.join(" or "))
    })
}

/// The page changes of a release, compared with the previous one. Empty for the first.
///
/// # Errors
/// There is no such release.
pub fn vintage_changes(vintage: i32) -> Result<&'static [VintageChange], String> {
    let broken = |message: String| format!("twin data: {message}");
    Ok(match release(vintage)? {
        Revision::Next => vintage::next().map_err(broken)?.changes(),
        Revision::Published | Revision::Revised => &[],
    })
}

/// A running twin. Dropping it stops it.
pub struct Twin {
    /// `http://127.0.0.1:PORT`, without a trailing slash.
    pub base_url: String,
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Twin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Twin").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl Twin {
    /// All requests so far, in the order of their responses.
    #[must_use]
    pub fn log(&self) -> Vec<LogEntry> {
        self.state.log()
    }

    /// Replaces the faults in force.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        let release = self.state.current().release;
        self.state.set(faults, release);
    }

    /// Publishes a release: from now on pages and APIs show it. Faults stay in force.
    ///
    /// # Errors
    /// There is no such release.
    pub fn publish(&self, vintage: i32) -> Result<(), String> {
        let release = release(vintage)?;
        Apis::over(release)?;
        let faults = self.state.current().faults.iter().map(|(fault, _)| fault.clone()).collect();
        self.state.set(faults, release);
        Ok(())
    }

    /// Stops the twin and waits until it has stopped.
    pub async fn shutdown(mut self) {
        self.stop.take();
        if let Some(server) = self.server.take() {
            server.abort();
            let _ = server.await;
        }
    }
}

impl Drop for Twin {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}

/// Starts a twin on loopback.
///
/// # Errors
/// The port is in use, or an option names unknown data.
pub async fn start(options: TwinOptions) -> Result<Twin, String> {
    let release = release(options.vintage)?;
    Apis::over(release)?;
    let port = options.port;
    let state = Arc::new(State::new(options, release));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(|error| format!("port {port} of 127.0.0.1: {error}; use another port, or 0"))?;
    let address = listener.local_addr().map_err(|error| format!("port {port}: {error}"))?;
    let app = Router::new().fallback(routes::answer).with_state(Arc::clone(&state));
    let service = app.into_make_service_with_connect_info::<Peer>();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(async move {
        let serve = axum::serve(ResettableListener(listener), service).with_graceful_shutdown(async {
            // Resolves when the sender is dropped.
            let _ = stopped.await;
        });
        let _ = serve.await;
    });
    Ok(Twin { base_url: format!("http://{address}"), state, stop: Some(stop), server: Some(server) })
}
