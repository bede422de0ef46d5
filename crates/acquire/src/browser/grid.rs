//! A Selenium Grid: counts its free browsers, takes sessions, and returns them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fantoccini::error::NewSessionError;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde::Deserialize;
use tokio::task::JoinHandle;
use url::Url;

use crate::error::{Error, Result};
use crate::http::{Redirects, chain, client};

/// Timeout for the Grid's status request.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// How long the end of a run waits for abandoned session requests that may still succeed.
const LATE: Duration = Duration::from_secs(5);
/// Interval between two requests for a free browser.
const ASK_AGAIN: Duration = Duration::from_millis(500);
/// The `browserName` we request.
pub(super) const BROWSER_NAME: &str = "chrome";
/// Explains why only Chromium will do.
pub(super) const WHY_CHROMIUM: &str = "only Chromium can record the responses behind a page and keep other hosts \
     away from it, so Firefox is no replacement; add a node whose stereotype has \"browserName\": \"chrome\"";

/// A Grid, or a single driver that someone else started. Clones share their state.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    url: Url,
    http: reqwest::Client,
    /// Sessions that we hold.
    held: Arc<Mutex<BTreeSet<String>>>,
    /// Abandoned session requests. If one still succeeds, its session is returned to the Grid.
    late: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

/// The Chromium slots a Grid has at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Offer {
    /// Unknown: the address belongs to a single driver, not a Grid.
    Unknown,
    /// Slots for Chromium.
    Slots {
        /// Unused slots.
        free: usize,
        /// All slots.
        all: usize,
    },
    /// Only nodes without Chromium: their browsers with slot counts.
    NoChromium(BTreeMap<String, usize>),
    /// No node is registered.
    NoNodes,
}

#[derive(Deserialize)]
struct Status {
    value: Value,
}

#[derive(Deserialize)]
struct Value {
    nodes: Option<Vec<Node>>,
}

#[derive(Deserialize)]
struct Node {
    #[serde(default)]
    availability: String,
    #[serde(default)]
    slots: Vec<Slot>,
}

#[derive(Deserialize)]
struct Slot {
    #[serde(default)]
    session: serde_json::Value,
    #[serde(default)]
    stereotype: serde_json::Value,
}

/// Parses a Grid's status response.
fn read(status: &str) -> Result<Offer, serde_json::Error> {
    let status: Status = serde_json::from_str(status)?;
    let Some(nodes) = status.value.nodes else { return Ok(Offer::Unknown) };
    let up = || nodes.iter().filter(|node| matches!(node.availability.as_str(), "UP" | ""));
    let (mut free, mut all) = (0, 0);
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for slot in up().flat_map(|node| &node.slots) {
        let name = slot.stereotype["browserName"].as_str().unwrap_or("unnamed");
        if name.eq_ignore_ascii_case(BROWSER_NAME) {
            all += 1;
            free += usize::from(slot.session.is_null());
        } else {
            *others.entry(name.to_owned()).or_default() += 1;
        }
    }
    Ok(match (all, others.is_empty()) {
        (0, true) => Offer::NoNodes,
        (0, false) => Offer::NoChromium(others),
        _ => Offer::Slots { free, all },
    })
}

impl Grid {
    pub fn new(url: &Url) -> Result<Self> {
        Ok(Self {
            url: url.clone(),
            http: client(url, None, ANSWER_TIME, Redirects::SameHost)?,
            held: Arc::default(),
            late: Arc::default(),
        })
    }

    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The slots the Grid has at the moment.
    ///
    /// # Errors
    /// The Grid does not answer, or its answer is not a Grid status.
    pub async fn offer(&self) -> Result<Offer> {
        let fail = |why: String| {
            Error::Browser(format!(
                "no Selenium Grid answers at {} ({why}); start the hub, or correct --webdriver",
                self.url
            ))
        };
        let at = self.url.join("status").map_err(|error| fail(error.to_string()))?;
        let answer = self.http.get(at).send().await.map_err(|error| fail(chain(&error)))?;
        let text = answer.text().await.map_err(|error| fail(chain(&error)))?;
        read(&text).map_err(|error| fail(format!("its status cannot be read: {error}")))
    }

    /// Waits until a browser is free, and returns how many of `wanted` are free.
    ///
    /// # Errors
    /// The Grid does not answer, has no Chromium, or frees none within `patience`.
    pub async fn free(&self, wanted: usize, patience: Duration) -> Result<usize> {
        let started = Instant::now();
        loop {
            let offer = self.offer().await?;
            let problem = match offer {
                Offer::Unknown => return Ok(wanted),
                Offer::Slots { free, .. } if free > 0 => return Ok(wanted.min(free)),
                Offer::Slots { all, .. } => format!(
                    "the Grid at {} is busy: all of its {all} slots for Chromium are taken; try again later, or add nodes",
                    self.url
                ),
                Offer::NoChromium(others) => {
                    let others: Vec<String> =
                        others.iter().map(|(name, count)| format!("{count} of {name}")).collect();
                    return Err(Error::Browser(format!(
                        "the Grid at {} cannot provide Chromium: it has slots for {}; {WHY_CHROMIUM}",
                        self.url,
                        others.join(", ")
                    )));
                }
                Offer::NoNodes => format!(
                    "no node is registered with the Grid at {}; start a node and check that it finds the hub",
                    self.url
                ),
            };
            if started.elapsed() > patience {
                return Err(Error::Browser(problem));
            }
            tokio::time::sleep(ASK_AGAIN).await;
        }
    }

    /// Requests a session. Returns `None` if it does not start within `limit`. The request then continues in the
    /// background, because a Grid does not notice an abandoned request and would hold the slot until its own timeout.
    pub async fn connect(
        &self,
        builder: ClientBuilder<HttpConnector>,
        limit: Duration,
    ) -> Option<Result<Client, NewSessionError>> {
        let url = self.url.to_string();
        let mut connecting = tokio::spawn(async move { builder.connect(&url).await });
        match tokio::time::timeout(limit, &mut connecting).await {
            Ok(Ok(connected)) => return Some(connected),
            Ok(Err(panicked)) => std::panic::resume_unwind(panicked.into_panic()),
            Err(_) => {}
        }
        let grid = self.clone();
        let late = tokio::spawn(async move {
            if let Ok(Ok(client)) = connecting.await {
                grid.hold(&client).await.release().await;
            }
        });
        let mut all = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| !one.is_finished());
        all.push(late);
        None
    }

    /// Records a session, so that it is always returned to the Grid.
    pub async fn hold(&self, client: &Client) -> GridSession {
        let id = client.session_id().await.ok().flatten().unwrap_or_default();
        self.lock().insert(id.clone());
        GridSession { grid: self.clone(), id }
    }

    async fn release(&self, session: &str) {
        let known = self.lock().remove(session);
        let Ok(at) = self.url.join(&format!("session/{session}")) else { return };
        if known && let Err(error) = self.http.delete(at).send().await {
            tracing::warn!("session {session} could not be returned to the Grid: {}", chain(&error));
        }
    }

    /// Returns all sessions, including late ones that start within a short wait.
    pub(crate) async fn release_all(&self) {
        let late = std::mem::take(&mut *self.late.lock().unwrap_or_else(PoisonError::into_inner));
        let _ = tokio::time::timeout(LATE, futures::future::join_all(late)).await;
        let held: Vec<String> = self.lock().iter().cloned().collect();
        futures::future::join_all(held.iter().map(|session| self.release(session))).await;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A session on a Grid. Dropping it returns it.
#[derive(Debug)]
pub(super) struct GridSession {
    grid: Grid,
    id: String,
}

impl GridSession {
    /// Returns the session to the Grid. A second call does nothing.
    pub async fn release(&self) {
        self.grid.release(&self.id).await;
    }
}

impl Drop for GridSession {
    fn drop(&mut self) {
        // Without a runtime the program is exiting, and the pool has already returned every session.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (grid, id) = (self.grid.clone(), std::mem::take(&mut self.id));
            runtime.spawn(async move { grid.release(&id).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn status(nodes: &serde_json::Value) -> Offer {
        read(&json!({ "value": { "ready": true, "nodes": nodes } }).to_string()).unwrap()
    }

    /// A Grid that gives a session so late that nobody waits for it any more, and what it is asked.
    async fn slow_grid(takes: Duration) -> (Url, Arc<Mutex<Vec<String>>>) {
        use axum::extract::Request;
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let keep = Arc::clone(&asked);
        let app = axum::Router::new().fallback(async move |request: Request| {
            keep.lock().unwrap().push(format!("{} {}", request.method(), request.uri()));
            if request.uri().path() == "/session" {
                tokio::time::sleep(takes).await;
            }
            axum::Json(json!({ "value": { "sessionId": "7", "capabilities": { "browserName": "chrome" } } }))
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        (url, asked)
    }

    #[tokio::test]
    async fn a_session_that_comes_too_late_is_given_back() {
        let (url, asked) = slow_grid(Duration::from_millis(400)).await;
        let grid = Grid::new(&url).unwrap();
        let builder = ClientBuilder::new(HttpConnector::new());
        assert!(grid.connect(builder, Duration::from_millis(50)).await.is_none(), "it was given up");
        grid.release_all().await;
        let asked = asked.lock().unwrap().clone();
        assert_eq!(asked[..2], ["POST /session", "DELETE /session/7"]);
    }

    #[test]
    fn a_busy_grid_is_distinguished_from_one_that_has_no_chromium() {
        let slot = |browser: &str, taken: bool| {
            let session = if taken { json!({ "sessionId": "1" }) } else { json!(null) };
            json!({ "session": session, "stereotype": { "browserName": browser } })
        };
        let up = |slots: serde_json::Value| json!({ "availability": "UP", "slots": slots });
        let mixed = json!([
            up(json!([slot("chrome", true), slot("chrome", false)])),
            up(json!([slot("firefox", false)])),
            json!({ "availability": "DOWN", "slots": [slot("chrome", false)] }),
        ]);
        assert_eq!(status(&mixed), Offer::Slots { free: 1, all: 2 });
        assert_eq!(status(&json!([up(json!([slot("chrome", true)]))])), Offer::Slots { free: 0, all: 1 });
        let firefox = status(&json!([up(json!([slot("firefox", false)]))]));
        assert_eq!(firefox, Offer::NoChromium([("firefox".to_owned(), 1)].into()));
        assert_eq!(status(&json!([])), Offer::NoNodes);
        let driver = r#"{"value":{"build":{"version":"156"},"message":"ready","ready":true}}"#;
        assert_eq!(read(driver).unwrap(), Offer::Unknown);
        assert!(read("<h1>hello</h1>").is_err());
    }
}
