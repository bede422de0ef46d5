//! A browser session with one tab. It starts under fixed conditions and runs one command at a time. Each command has a
//! deadline, after which the browser is killed.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value as Json, json};
use url::Url;

use super::BrowserOptions;
use super::capabilities::{WINDOW, capabilities};
use super::driver::DriverProcess;
use super::failure::{classify, classify_start};
use super::grid::{BROWSER_NAME, Grid, GridSession, Offer, WHY_CHROMIUM};
use super::net_log::NetLog;
use super::programs::Programs;
use super::transfer::TransferState;
use crate::page::{Navigation, Traffic, VisitError, host_with_port};

/// Maximum number of alerts in a row on a page.
pub(super) const MAX_ALERTS: usize = 6;
/// Script that runs in every new document before the page's own scripts.
const RECORD: &str = include_str!("record.js");

/// Where a browser runs. Dropping it shuts the browser down.
#[derive(Debug)]
enum Host {
    /// On this machine, with its own driver.
    Own(Arc<DriverProcess>),
    /// On a node of a Grid.
    Grid(GridSession),
}

/// A browser session. Dropping it shuts the browser down.
#[derive(Debug)]
pub struct Session {
    client: Client,
    host: Host,
    browser_pid: Option<u32>,
    pub(super) site_host: String,
    agent: String,
    pub(super) page_load: Duration,
    pub(super) script: Duration,
    pub(super) grace: Duration,
    pub(super) page: Option<Navigation>,
    /// The open page's traffic at the last snapshot, as its scripts report it.
    pub(super) traffic: Traffic,
    /// The open page's traffic, from the browser's own log.
    pub(super) net_log: NetLog,
    /// What has been transferred of the open page so far.
    pub(super) transferred: TransferState,
    /// Time origin of the tab's last document. A new document has another.
    pub(super) origin: String,
    /// Set while a command runs, so that an abandoned command leaves it set.
    broken: bool,
    /// Whether the session has not opened a page of the site yet.
    pub(super) fresh: bool,
}

impl Session {
    /// Starts a driver and its browser, and prepares the tab.
    ///
    /// # Errors
    /// Programs are missing or do not match, or the browser does not start.
    pub async fn start(options: &BrowserOptions) -> Result<Self, crate::error::Error> {
        let driver = Arc::new(DriverProcess::start(options).await?);
        Ok(Self::of_driver(driver, options).await?)
    }

    /// Starts the browser of `driver` and prepares its tab.
    ///
    /// # Errors
    /// [`VisitError::DriverLost`] if the driver does not answer, otherwise a browser failure.
    pub(super) async fn of_driver(
        driver: Arc<DriverProcess>,
        options: &BrowserOptions,
    ) -> Result<Self, VisitError> {
        let lost = |error: crate::error::Error| VisitError::DriverLost(error.to_string());
        let chromium = Programs::find(options).await.map_err(lost)?.chromium.path;
        let profile = driver.profile();
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(options, Some((&chromium, &profile)), driver.as_root()));
        let limit = options.start;
        let url = driver.url();
        let client = match tokio::time::timeout(limit, builder.connect(&url)).await {
            Ok(Ok(client)) => client,
            Ok(Err(error)) => return Err(classify_start(&error)),
            Err(_) => return Err(VisitError::Stuck { command: "start", limit }),
        };
        Self::prepared(client, Host::Own(driver), Some(&profile), options).await
    }

    /// Requests a browser from a Grid, which may stay busy for up to `patience`, and prepares its tab.
    ///
    /// # Errors
    /// [`VisitError::Unfit`] if the Grid has no Chromium, [`VisitError::SessionLost`] if it is busy or lost the node,
    /// otherwise a browser failure.
    pub(super) async fn of_grid(
        grid: &Grid,
        options: &BrowserOptions,
        patience: Duration,
    ) -> Result<Self, VisitError> {
        let lost = |why: String| VisitError::SessionLost(why);
        grid.free(1, patience).await.map_err(|error| lost(error.to_string()))?;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(options, None, false));
        // Allows for the Grid's own timeout on a node that does not answer.
        let limit = options.start * 2;
        let client = match grid.connect(builder, limit).await {
            Some(Ok(client)) => client,
            Some(Err(error)) => {
                let said = classify_start(&error);
                return Err(match grid.offer().await {
                    Ok(Offer::Slots { free: 0, .. }) => lost(format!("the Grid at {} is busy", grid.url())),
                    Ok(Offer::Slots { .. } | Offer::NoNodes) => lost(said.to_string()),
                    Err(_) => lost(format!("the Grid at {} is gone", grid.url())),
                    Ok(Offer::Unknown | Offer::NoChromium(_)) => VisitError::Unfit(format!(
                        "{} provides no Chromium ({said}): {WHY_CHROMIUM}",
                        grid.url()
                    )),
                });
            }
            None => return Err(lost(format!("the Grid provided no browser within {limit:?}"))),
        };
        let host = Host::Grid(grid.hold(&client).await);
        let name = capability(&client, "browserName").and_then(Json::as_str).unwrap_or_default().to_owned();
        if !name.starts_with(BROWSER_NAME) && name != "chromium" {
            return Err(VisitError::Unfit(format!("{} provided {name}: {WHY_CHROMIUM}", grid.url())));
        }
        Self::prepared(client, host, None, options).await
    }

    async fn prepared(
        client: Client,
        host: Host,
        profile: Option<&Path>,
        options: &BrowserOptions,
    ) -> Result<Self, VisitError> {
        let pid = capability(&client, "goog:processID").and_then(Json::as_u64);
        let mut session = Self {
            browser_pid: pid.and_then(|pid| u32::try_from(pid).ok()),
            client,
            host,
            net_log: NetLog::of(profile),
            site_host: host_with_port(&options.site),
            agent: String::new(),
            page_load: options.page_load,
            script: options.script,
            grace: options.grace,
            page: None,
            traffic: Traffic::default(),
            transferred: TransferState::default(),
            origin: String::new(),
            broken: false,
            fresh: true,
        };
        session.prepare(options).await?;
        Ok(session)
    }

    async fn prepare(&mut self, options: &BrowserOptions) -> Result<(), VisitError> {
        // A newly started browser answers slowly on a busy machine, so every command before the tab is ready gets the
        // start timeout. ChromeDriver's own page-load limit of five minutes also applies to these commands, so the
        // short timeouts are set last.
        self.script = options.script.max(options.start);
        self.set_timeouts(options.start, options.start).await?;
        let version = self.cdp("Browser.getVersion", json!({})).await?;
        let own = version["userAgent"].as_str().unwrap_or("Mozilla/5.0");
        self.agent = format!("{own}{}", options.agent_suffix());
        let agent = json!({ "userAgent": self.agent, "acceptLanguage": "en-US,en" });
        self.cdp("Emulation.setUserAgentOverride", agent).await?;
        let (width, height) = WINDOW;
        let window = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.cdp("Emulation.setDeviceMetricsOverride", window).await?;
        self.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": RECORD })).await?;
        self.script = options.script;
        self.set_timeouts(self.page_load, options.start).await
    }

    /// Sets the script and page-load timeouts. ChromeDriver must answer within `within`.
    async fn set_timeouts(&mut self, page_load: Duration, within: Duration) -> Result<(), VisitError> {
        let timeouts = TimeoutConfiguration::new(Some(self.script), Some(page_load), Some(Duration::ZERO));
        self.command("set timeouts", within, |client| async move { client.update_timeouts(timeouts).await })
            .await
    }

    /// The browser's process id.
    #[must_use]
    pub const fn browser_pid(&self) -> Option<u32> {
        self.browser_pid
    }

    /// The driver's process id, for a local browser.
    #[must_use]
    pub fn driver_pid(&self) -> Option<u32> {
        self.driver().map(DriverProcess::pid)
    }

    /// The working directory of the driver and the browser, for a local browser. It is removed with them.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.driver().map(DriverProcess::home)
    }

    fn driver(&self) -> Option<&DriverProcess> {
        match &self.host {
            Host::Own(driver) => Some(driver),
            Host::Grid(_) => None,
        }
    }

    /// The user agent that the site sees.
    #[must_use]
    pub fn user_agent(&self) -> &str {
        &self.agent
    }

    /// Whether the session can still be used.
    #[must_use]
    pub const fn is_usable(&self) -> bool {
        !self.broken
    }

    /// Shuts the browser down and removes its profile, or returns the session to the Grid.
    pub async fn close(mut self) {
        self.end().await;
    }

    pub(super) async fn end(&mut self) {
        self.broken = true;
        // The log is removed with the profile, so read it first.
        self.net_log.update();
        match &self.host {
            Host::Own(driver) => {
                let driver = Arc::clone(driver);
                let _ = tokio::task::spawn_blocking(move || driver.kill()).await;
            }
            Host::Grid(session) => session.release().await,
        }
    }

    /// Raises the site's request count to at least `requests`. A local browser has a more exact count in its log.
    pub(super) fn count_requests(&mut self, requests: u32) {
        if matches!(self.host, Host::Grid(_)) {
            let count = self.traffic.hosts.entry(self.site_host.clone()).or_default();
            *count = (*count).max(requests);
        }
    }

    /// Runs a script that returns a value. An asynchronous script also receives a callback.
    ///
    /// An alert interrupts the script: it is dismissed, and the answer is null or an error that names it. The script
    /// then runs again.
    pub(super) async fn script(
        &mut self,
        script: &str,
        args: Vec<Json>,
        asynchronous: bool,
    ) -> Result<Json, VisitError> {
        let limit = self.script + self.grace;
        for _ in 0..MAX_ALERTS {
            let (script, args) = (script.to_owned(), args.clone());
            let answer = self
                .command("run a script", limit, |client| async move {
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
        Err(VisitError::Protocol(format!(
            "the page interrupted a script {MAX_ALERTS} times, probably with alerts"
        )))
    }

    /// Sends a Chrome DevTools Protocol (CDP) command through ChromeDriver.
    pub(super) async fn cdp(&mut self, method: &'static str, params: Json) -> Result<Json, VisitError> {
        let limit = self.script + self.grace;
        self.command(method, limit, |client| async move { client.issue_cmd(Cdp { method, params }).await })
            .await
    }

    /// Runs one command with a deadline. The WebDriver client has none, and an abandoned command stays in its queue, so
    /// the browser is killed when the deadline passes.
    pub(super) async fn command<T, F, R>(
        &mut self,
        name: &'static str,
        limit: Duration,
        run: F,
    ) -> Result<T, VisitError>
    where
        F: FnOnce(Client) -> R,
        R: Future<Output = Result<T, CmdError>>,
    {
        if self.broken {
            return Err(VisitError::SessionLost("it was shut down".into()));
        }
        self.broken = true;
        let Ok(result) = tokio::time::timeout(limit, run(self.client.clone())).await else {
            self.end().await;
            return Err(VisitError::Stuck { command: name, limit });
        };
        let result = result.map_err(|error| match (classify(&error), &self.host) {
            (VisitError::DriverLost(why), Host::Grid(_)) => {
                VisitError::SessionLost(format!("the Grid does not answer: {why}"))
            }
            (other, _) => other,
        });
        self.broken = result.as_ref().is_err_and(VisitError::needs_new_session);
        if self.broken {
            self.page = None;
        }
        result
    }
}

fn capability<'a>(client: &'a Client, name: &str) -> Option<&'a Json> {
    client.capabilities().and_then(|all| all.get(name))
}

/// A CDP command.
#[derive(Debug)]
struct Cdp {
    method: &'static str,
    params: Json,
}

impl WebDriverCompatibleCommand for Cdp {
    fn endpoint(&self, base_url: &Url, session_id: Option<&str>) -> Result<Url, url::ParseError> {
        base_url.join(&format!("session/{}/goog/cdp/execute", session_id.unwrap_or_default()))
    }

    fn method_and_body(&self, _request_url: &Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.method, "params": self.params });
        (http::Method::POST, Some(body.to_string()))
    }
}

/// Whether a command failed only because of an alert, which has been dismissed since.
pub(super) fn alert_was_open<T>(result: &Result<T, CmdError>) -> bool {
    matches!(result, Err(CmdError::Standard(said)) if said.error == ErrorStatus::UnexpectedAlertOpen)
}

/// Parses the JSON text that a script returned.
pub(super) fn read<T: serde::de::DeserializeOwned>(answer: &Json) -> Result<T, VisitError> {
    let text = answer.as_str().unwrap_or_default();
    serde_json::from_str(text).map_err(|error| {
        let start: String = text.chars().take(200).collect();
        VisitError::Protocol(format!("a script's answer cannot be read: {error}: {start:?}"))
    })
}
