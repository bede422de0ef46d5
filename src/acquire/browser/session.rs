//! One browser with one tab: started with fixed conditions, navigated with every failure told apart,
//! and killed when a command does not return.

use std::future::Future;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use base64::Engine;
use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::wd::TimeoutConfiguration;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value as Json, json};

use super::capabilities::{WINDOW, capabilities};
use super::cdp::Cdp;
use super::driver::DriverProcess;
use super::failure::{ARRIVAL, Arrival, classify, classify_start, judge, named};
use super::grid::{BROWSER_NAME, Grid, Offer, WHY_CHROMIUM};
use super::sent::Sent;
use super::snapshot::Held;
use super::{BrowserOptions, process};
use crate::acquire::LookOptions;
use crate::acquire::page::{Area, Navigation, PageSource, Traffic, VisitError, host_with_port};
use crate::capture::Capture;

/// Longest time for an orderly goodbye.
const CLOSE_TIME: Duration = Duration::from_secs(5);
/// Alerts in a row after which a page is given up.
const ALERTS: usize = 6;
/// Runs in every new document before the page's own scripts.
const RECORD: &str = include_str!("record.js");

/// A browser session. Dropping it kills its browser and removes the profile.
#[derive(Debug)]
pub struct Session {
    client: Client,
    /// Of a browser of our own.
    profile: Option<PathBuf>,
    /// Of a browser that a Grid gave: the Grid and the session's id there.
    given: Option<(Grid, String)>,
    browser_pid: Option<u32>,
    site_host: String,
    agent: String,
    page_load: Duration,
    pub(super) script: Duration,
    grace: Duration,
    pub(super) page: Option<Navigation>,
    /// Of the open page at the last look, as it tells.
    pub(super) traffic: Traffic,
    /// For the open page, as the browser's own log tells.
    sent: Sent,
    /// Of the open page up to the last look.
    pub(super) held: Held,
    /// Start of the tab's last document; the next one must differ.
    origin: String,
    /// Set while a command runs, so that an abandoned one leaves it set.
    broken: bool,
    closed: bool,
    /// Whether it has opened no page of the site yet.
    fresh: bool,
}

impl Session {
    /// Starts a browser under `driver` and prepares its tab.
    ///
    /// # Errors
    /// [`VisitError::DriverLost`] when the driver does not answer, else a failure of the browser.
    pub async fn start(driver: &DriverProcess, options: &BrowserOptions) -> Result<Self, VisitError> {
        let profile = driver.new_profile().map_err(|error| VisitError::DriverLost(error.to_string()))?;
        // Until the session exists, a failure or an abandoned start must not leave its browser behind.
        let mut half_started = Abandoned(Some(profile.clone()));
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let binary = Some((driver.chromium(), profile.as_path()));
        builder.capabilities(capabilities(options, binary, driver.as_root()));
        let limit = options.start;
        let url = driver.url();
        let client = match tokio::time::timeout(limit, builder.connect(&url)).await {
            Ok(Ok(client)) => client,
            Ok(Err(error)) => return Err(classify_start(&error)),
            Err(_) => return Err(VisitError::Stuck(limit)),
        };
        half_started.0 = None;
        Self::prepared(client, Some(profile), None, options).await
    }

    /// Asks a Grid for a browser, which may be busy for as long as `patience`, and prepares its tab.
    ///
    /// # Errors
    /// [`VisitError::Unfit`] when the Grid has no Chromium, [`VisitError::SessionLost`] when it is busy or lost
    /// the node, else a failure of the browser.
    pub(super) async fn given(
        grid: &Grid,
        options: &BrowserOptions,
        patience: Duration,
    ) -> Result<Self, VisitError> {
        let busy = |error: crate::error::Error| VisitError::SessionLost(error.to_string());
        grid.free(1, patience).await.map_err(busy)?;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(options, None, false));
        // the Grid's own patience with a node that does not answer comes on top
        let limit = options.start * 2;
        let client = match grid.connect(builder, limit).await {
            Some(Ok(client)) => client,
            Some(Err(error)) => {
                let said = classify_start(&error);
                return Err(match grid.offer().await {
                    Ok(Offer::Slots { free: 0, .. }) => {
                        VisitError::SessionLost(format!("the Grid at {} is busy", grid.url()))
                    }
                    Ok(Offer::Slots { .. } | Offer::NoNodes) => VisitError::SessionLost(said.to_string()),
                    Err(_) => VisitError::SessionLost(format!("the Grid at {} is gone", grid.url())),
                    Ok(Offer::Unknown | Offer::NoChromium(_)) => VisitError::Unfit(format!(
                        "{} gives no Chromium ({said}): {WHY_CHROMIUM}",
                        grid.url()
                    )),
                });
            }
            None => {
                return Err(VisitError::SessionLost(format!("no browser of the Grid within {limit:?}")));
            }
        };
        let id = client.session_id().await.ok().flatten().unwrap_or_default();
        grid.hold(&id);
        let name = client.capabilities().and_then(|all| all.get("browserName"));
        let name = name.and_then(Json::as_str).unwrap_or_default().to_owned();
        if !name.starts_with(BROWSER_NAME) && name != "chromium" {
            grid.release(&id).await;
            return Err(VisitError::Unfit(format!("{} gave {name}: {WHY_CHROMIUM}", grid.url())));
        }
        Self::prepared(client, None, Some((grid.clone(), id)), options).await
    }

    async fn prepared(
        client: Client,
        profile: Option<PathBuf>,
        given: Option<(Grid, String)>,
        options: &BrowserOptions,
    ) -> Result<Self, VisitError> {
        let browser_pid = client
            .capabilities()
            .and_then(|all| all.get("goog:processID"))
            .and_then(Json::as_u64)
            .and_then(|pid| u32::try_from(pid).ok());
        let mut session = Self {
            client,
            sent: Sent::of(profile.as_deref()),
            profile,
            given,
            browser_pid,
            site_host: host_with_port(&options.site),
            agent: String::new(),
            page_load: options.page_load,
            script: options.script,
            grace: options.grace,
            page: None,
            traffic: Traffic::default(),
            held: Held::default(),
            origin: String::new(),
            broken: false,
            closed: false,
            fresh: true,
        };
        session.prepare(options).await?;
        Ok(session)
    }

    async fn prepare(&mut self, options: &BrowserOptions) -> Result<(), VisitError> {
        // A browser that has just started answers late on a busy machine: what is asked of it until the tab is ready
        // has as long as the start, whatever is allowed to a script or a page. ChromeDriver's own limit for loading is
        // five minutes, and counts for commands too until the tab is ready, so a short one comes last.
        self.script = options.script.max(options.start);
        self.limit(options.start, options.start).await?;
        let version = self.cdp("Browser.getVersion", json!({})).await?;
        let own = version["userAgent"].as_str().unwrap_or("Mozilla/5.0");
        self.agent = format!("{own}{}", options.agent_suffix());
        let (width, height) = WINDOW;
        let setup = [
            (
                "Emulation.setUserAgentOverride",
                json!({ "userAgent": self.agent, "acceptLanguage": "en-US,en" }),
            ),
            (
                "Emulation.setDeviceMetricsOverride",
                json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
            ),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": RECORD })),
        ];
        for (method, params) in setup {
            self.cdp(method, params).await?;
        }
        self.script = options.script;
        self.limit(self.page_load, options.start).await
    }

    /// Tells ChromeDriver how long a script and a page may take; it has `within` to take note of it.
    async fn limit(&mut self, page_load: Duration, within: Duration) -> Result<(), VisitError> {
        let timeouts = TimeoutConfiguration::new(Some(self.script), Some(page_load), Some(Duration::ZERO));
        self.command(within, |client| async move { client.update_timeouts(timeouts).await }).await
    }

    /// The browser's process id.
    #[must_use]
    pub const fn browser_pid(&self) -> Option<u32> {
        self.browser_pid
    }

    /// The user agent that the site sees.
    #[must_use]
    pub fn user_agent(&self) -> &str {
        &self.agent
    }

    /// Whether it can be used further.
    #[must_use]
    pub const fn is_usable(&self) -> bool {
        !self.broken && !self.closed
    }

    /// Goes to `url` and waits until it has loaded.
    ///
    /// # Errors
    /// Any [`VisitError`]. After one the tab may still show the page before, so nothing is read from it.
    pub async fn visit(&mut self, url: &str) -> Result<Navigation, VisitError> {
        let before = self.page.take();
        self.traffic = Traffic::default();
        self.held = Held::default();
        self.sent.begin();
        if before.is_some_and(|page| differs_in_fragment_only(&page.settled_url, url)) {
            // Else the document would stay, with all that was recorded before.
            self.go("about:blank").await?;
        }
        self.fresh = false;
        self.tell(1);
        let asked = Instant::now();
        self.go(url).await.map_err(|error| named(error, url))?;
        let loaded = asked.elapsed();
        let host = self.site_host.clone();
        let arrival = self.script(ARRIVAL, vec![Json::String(host)], false).await?;
        let arrival: Arrival = read(&arrival)?;
        let took = [loaded, asked.elapsed() - loaded].map(|time| time.as_millis());
        tracing::debug!(url, ?took, "page opened");
        self.tell(arrival.requests);
        judge(&arrival, url, &self.origin)?;
        self.origin = arrival.origin;
        let navigation = Navigation {
            requested_url: url.to_owned(),
            settled_url: arrival.url,
            status: arrival.status,
            requests: arrival.requests,
        };
        self.page = Some(navigation.clone());
        Ok(navigation)
    }

    /// A PNG of the open page.
    ///
    /// # Errors
    /// [`VisitError::NothingOpen`] after a failed visit; else a failure of the browser.
    pub async fn screenshot(&mut self, area: Area) -> Result<Vec<u8>, VisitError> {
        if self.page.is_none() {
            return Err(VisitError::NothingOpen);
        }
        let mut params = json!({
            "format": "png",
            "fromSurface": true,
            "captureBeyondViewport": area != Area::Viewport,
            // a third less of the time for a sixth more of size
            "optimizeForSpeed": true,
        });
        match area {
            Area::Viewport => {}
            Area::FullPage => {
                let metrics = self.cdp("Page.getLayoutMetrics", json!({})).await?;
                let size = &metrics["cssContentSize"];
                params["clip"] =
                    json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
            }
            Area::Box { x, y, width, height } => {
                params["clip"] = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
            }
        }
        let shot = self.cdp("Page.captureScreenshot", params).await?;
        let data = shot["data"].as_str().unwrap_or_default();
        base64::engine::general_purpose::STANDARD
            .decode(data)
            .ok()
            .filter(|png| !png.is_empty())
            .ok_or_else(|| VisitError::Protocol("the screenshot is no PNG".into()))
    }

    /// Says goodbye to the browser, makes sure that it has ended, and removes its profile.
    pub async fn close(mut self) {
        if self.is_usable() {
            let goodbye = self.client.clone().close();
            // `close` says Ok whatever happened; what is left is killed below.
            let _ = tokio::time::timeout(CLOSE_TIME, goodbye).await;
        }
        self.end().await;
    }

    /// Kills the browser with all its processes and removes the profile.
    async fn end(&mut self) {
        self.broken = true;
        if std::mem::replace(&mut self.closed, true) {
            return;
        }
        if let Some((grid, id)) = &self.given {
            grid.release(id).await;
        }
        // before the log goes with the profile
        self.sent.note();
        let Some(profile) = self.profile.clone() else { return };
        // If the runtime is going down, `clear_out` runs to its end all the same or not at all;
        // the driver's own directory, which holds the profile, is cleared afterwards.
        let _ = tokio::task::spawn_blocking(move || process::clear_out(&profile)).await;
    }

    async fn go(&mut self, url: &str) -> Result<(), VisitError> {
        let limit = self.page_load + self.grace;
        for _ in 0..ALERTS {
            let url = url.to_owned();
            let arrived = self
                .command(limit, |client| async move {
                    let arrived = client.goto(&url).await;
                    if alert_was_open(&arrived) { Ok(false) } else { arrived.map(|()| true) }
                })
                .await?;
            if arrived {
                return Ok(());
            }
        }
        Err(VisitError::Protocol(format!("alerts stopped the navigation {ALERTS} times")))
    }

    /// Runs a script that returns something; an asynchronous one is also given a callback.
    ///
    /// An alert cuts a script short: it is dismissed, and the answer is null or an error that names it. The
    /// script is then run again.
    pub(super) async fn script(
        &mut self,
        script: &str,
        args: Vec<Json>,
        asynchronous: bool,
    ) -> Result<Json, VisitError> {
        let limit = self.script + self.grace;
        for _ in 0..ALERTS {
            let (script, args) = (script.to_owned(), args.clone());
            let answer = self
                .command(limit, |client| async move {
                    let answer = if asynchronous {
                        client.execute_async(&script, args).await
                    } else {
                        client.execute(&script, args).await
                    };
                    if alert_was_open(&answer) { Ok(Json::Null) } else { answer }
                })
                .await?;
            if !answer.is_null() {
                return Ok(answer);
            }
        }
        Err(VisitError::Protocol(format!("the page cut a script short {ALERTS} times, by alerts it seems")))
    }

    async fn cdp(&mut self, method: &'static str, params: Json) -> Result<Json, VisitError> {
        let limit = self.script + self.grace;
        self.command(limit, |client| async move { client.issue_cmd(Cdp { method, params }).await }).await
    }

    /// Runs one command under a deadline of our own. The WebDriver client has none, and a command that is
    /// given up goes on in its queue: when the deadline passes the browser is killed.
    pub(super) async fn command<T, F, R>(&mut self, limit: Duration, run: F) -> Result<T, VisitError>
    where
        F: FnOnce(Client) -> R,
        R: Future<Output = Result<T, CmdError>>,
    {
        if !self.is_usable() {
            return Err(VisitError::SessionLost("it was ended before".into()));
        }
        self.broken = true;
        let Ok(result) = tokio::time::timeout(limit, run(self.client.clone())).await else {
            self.end().await;
            return Err(VisitError::Stuck(limit));
        };
        let result = result.map_err(|error| match classify(&error) {
            VisitError::DriverLost(why) if self.given.is_some() => {
                VisitError::SessionLost(format!("the Grid does not answer: {why}"))
            }
            other => other,
        });
        self.broken = result.as_ref().is_err_and(VisitError::needs_new_session);
        if self.broken {
            self.page = None;
        }
        result
    }

    /// The site was asked for so much at least; a browser of our own has a log that knows better.
    fn tell(&mut self, requests: u32) {
        if self.profile.is_some() {
            return;
        }
        let told = self.traffic.hosts.entry(self.site_host.clone()).or_default();
        *told = (*told).max(requests);
    }

    pub(super) fn site_host(&self) -> &str {
        &self.site_host
    }
}

impl PageSource for Session {
    async fn open(&mut self, url: &str) -> Result<Navigation, VisitError> {
        self.visit(url).await
    }

    async fn look(&mut self, options: &LookOptions) -> Result<Capture, VisitError> {
        let mut capture = self.capture(options).await?;
        self.tell(capture.requests);
        capture.requests = PageSource::traffic(self).to(&self.site_host).max(capture.requests);
        Ok(capture)
    }

    async fn screenshot(&mut self, area: Area) -> Result<Vec<u8>, VisitError> {
        Self::screenshot(self, area).await
    }

    fn is_fresh(&self) -> bool {
        self.fresh
    }

    fn traffic(&mut self) -> Traffic {
        self.sent.note();
        let mut traffic = self.traffic.clone();
        self.sent.raise(&mut traffic.hosts);
        traffic
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.closed {
            return;
        }
        if let Some(profile) = &self.profile {
            process::clear_out(profile);
        }
        // without a runtime the program is at its end, and the pool has given everything back
        if let Some((grid, id)) = self.given.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move { grid.release(&id).await });
        }
    }
}

/// A profile whose session has not come about.
struct Abandoned(Option<PathBuf>);

impl Drop for Abandoned {
    fn drop(&mut self) {
        if let Some(profile) = &self.0 {
            process::clear_out(profile);
        }
    }
}

fn differs_in_fragment_only(before: &str, after: &str) -> bool {
    let body = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    after.contains('#') && body(before) == body(after)
}

/// Whether a command failed only because an alert was in its way, which is dismissed by now.
pub(super) fn alert_was_open<T>(result: &Result<T, CmdError>) -> bool {
    matches!(result, Err(CmdError::Standard(said)) if said.error == ErrorStatus::UnexpectedAlertOpen)
}

/// Reads the JSON text that a script returned.
pub(super) fn read<T: serde::de::DeserializeOwned>(answer: &Json) -> Result<T, VisitError> {
    let text = answer.as_str().unwrap_or_default();
    serde_json::from_str(text).map_err(|error| {
        let start: String = text.chars().take(200).collect();
        VisitError::Protocol(format!("a script's answer is not understood: {error}: {start:?}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_of_the_same_document_needs_a_fresh_start() {
        assert!(differs_in_fragment_only("http://s/a", "http://s/a#b"));
        assert!(differs_in_fragment_only("http://s/a#c", "http://s/a#b"));
        assert!(!differs_in_fragment_only("http://s/a", "http://s/a"));
        assert!(!differs_in_fragment_only("http://s/a", "http://s/b#b"));
    }
}
