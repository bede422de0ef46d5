//! One browser with one tab: started with fixed conditions, navigated with every failure told apart,
//! and killed when a command does not return.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine;
use fantoccini::error::{CmdError, ErrorStatus, NewSessionError};
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use url::Url;

use super::driver::DriverProcess;
use super::{BrowserOptions, process};
use crate::acquire::LookOptions;
use crate::acquire::page::{Area, Navigation, PageSource, VisitError};
use crate::capture::Capture;

/// The window, in CSS pixels; fixed so that layouts and screenshots can be compared.
const WINDOW: (u32, u32) = (1440, 1000);
/// Longest time for an orderly goodbye.
const CLOSE_TIME: Duration = Duration::from_secs(5);
/// Alerts in a row after which a page is given up.
const ALERTS: usize = 6;
/// Runs in every new document before the page's own scripts.
const RECORD: &str = include_str!("record.js");
/// Where a navigation has ended. The document of a failed one is Chromium's own error page.
const ARRIVAL: &str = r"
const entry = performance.getEntriesByType('navigation')[0];
const failed = document.documentURI.startsWith('chrome-error://');
const words = failed && document.body ? document.body.innerText : '';
return JSON.stringify({
  url: location.href, status: entry ? entry.responseStatus : 0, failed,
  reason: (words.match(/ERR_[A-Z0-9_]+/) || [''])[0], http: Number((words.match(/HTTP ERROR (\d+)/) || [0, 0])[1]),
  origin: String(performance.timeOrigin),
  requests: 1 + performance.getEntriesByType('resource').filter((one) => {
    try { return one.deliveryType !== 'cache' && new URL(one.name).host === arguments[0]; } catch { return false; }
  }).length,
});";

#[derive(Debug, Deserialize)]
struct Arrival {
    url: String,
    status: u16,
    failed: bool,
    reason: String,
    http: u16,
    origin: String,
    requests: u32,
}

/// A CDP command, sent through ChromeDriver.
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

/// A browser session. Dropping it kills its browser and removes the profile.
#[derive(Debug)]
pub struct Session {
    client: Client,
    profile: PathBuf,
    browser_pid: Option<u32>,
    site_host: String,
    agent: String,
    page_load: Duration,
    pub(super) script: Duration,
    grace: Duration,
    pub(super) page: Option<Navigation>,
    /// Start of the tab's last document; the next one must differ.
    origin: String,
    /// Set while a command runs, so that an abandoned one leaves it set.
    broken: bool,
    closed: bool,
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
        builder.capabilities(capabilities(driver, options, &profile));
        let limit = options.page_load + options.grace;
        let url = driver.url();
        let client = match tokio::time::timeout(limit, builder.connect(&url)).await {
            Ok(Ok(client)) => client,
            Ok(Err(error)) => return Err(classify_start(&error)),
            Err(_) => return Err(VisitError::Stuck(limit)),
        };
        half_started.0 = None;
        let browser_pid = client
            .capabilities()
            .and_then(|all| all.get("goog:processID"))
            .and_then(Json::as_u64)
            .and_then(|pid| u32::try_from(pid).ok());
        let mut session = Self {
            client,
            profile,
            browser_pid,
            site_host: host_with_port(&options.site),
            agent: String::new(),
            page_load: options.page_load,
            script: options.script,
            grace: options.grace,
            page: None,
            origin: String::new(),
            broken: false,
            closed: false,
        };
        session.prepare(&options.agent_suffix()).await?;
        Ok(session)
    }

    async fn prepare(&mut self, agent_suffix: &str) -> Result<(), VisitError> {
        let timeouts =
            TimeoutConfiguration::new(Some(self.script), Some(self.page_load), Some(Duration::ZERO));
        self.command(self.grace, |client| async move { client.update_timeouts(timeouts).await }).await?;
        let version = self.cdp("Browser.getVersion", json!({})).await?;
        self.agent = format!("{}{agent_suffix}", version["userAgent"].as_str().unwrap_or("Mozilla/5.0"));
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
        Ok(())
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
        if before.is_some_and(|page| differs_in_fragment_only(&page.settled_url, url)) {
            // Else the document would stay, with all that was recorded before.
            self.go("about:blank").await?;
        }
        self.go(url).await.map_err(|error| named(error, url))?;
        let host = self.site_host.clone();
        let arrival = self.script(ARRIVAL, vec![Json::String(host)], false).await?;
        let arrival: Arrival = read(&arrival)?;
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
        let mut params =
            json!({ "format": "png", "fromSurface": true, "captureBeyondViewport": area != Area::Viewport });
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
        let profile = self.profile.clone();
        // If the runtime is going down, `clear_out` runs to its end all the same or not at all;
        // the driver's own directory, which holds the profile, is cleared afterwards.
        let _ = tokio::task::spawn_blocking(move || process::clear_out(&profile)).await;
    }

    async fn go(&mut self, url: &str) -> Result<(), VisitError> {
        let limit = self.page_load + self.grace;
        let url = url.to_owned();
        self.command(limit, |client| async move { client.goto(&url).await }).await
    }

    /// Runs a script that returns something; an asynchronous one is also given a callback.
    ///
    /// An alert cuts a script short: it is dismissed and the answer is null, so the script is run again.
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
                    if asynchronous {
                        client.execute_async(&script, args).await
                    } else {
                        client.execute(&script, args).await
                    }
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
        let result = result.map_err(|error| classify(&error));
        self.broken = result.as_ref().is_err_and(VisitError::needs_new_session);
        if self.broken {
            self.page = None;
        }
        result
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
        self.capture(options).await
    }

    async fn screenshot(&mut self, area: Area) -> Result<Vec<u8>, VisitError> {
        Self::screenshot(self, area).await
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.closed {
            process::clear_out(&self.profile);
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

fn capabilities(
    driver: &DriverProcess,
    options: &BrowserOptions,
    profile: &Path,
) -> serde_json::Map<String, Json> {
    let (width, height) = WINDOW;
    let mut args: Vec<String> = [
        "--headless=new",
        "--disable-gpu",
        // The treemaps draw by WebGL; without software GL their canvas stays blank and has no labels.
        "--enable-unsafe-swiftshader",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--disable-breakpad",
        "--disable-crash-reporter",
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        "--mute-audio",
        // Numbers are formatted by the browser's language.
        "--lang=en-US",
        "--force-device-scale-factor=1",
        // Widths do not depend on whether a part can scroll.
        "--hide-scrollbars",
    ]
    .map(String::from)
    .to_vec();
    if driver.as_root() {
        args.push("--no-sandbox".into());
    }
    args.push(format!("--window-size={width},{height}"));
    args.push(format!("--user-data-dir={}", profile.display()));
    args.push(format!("--host-resolver-rules={}", options.resolver_rules()));
    let chrome = json!({ "binary": driver.chromium(), "args": args });
    let all = [
        ("browserName", json!("chrome")),
        ("unhandledPromptBehavior", json!("dismiss")),
        ("goog:chromeOptions", chrome),
    ];
    all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn host_with_port(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn differs_in_fragment_only(before: &str, after: &str) -> bool {
    let body = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    after.contains('#') && body(before) == body(after)
}

/// Reads the JSON text that a script returned.
pub(super) fn read<T: serde::de::DeserializeOwned>(answer: &Json) -> Result<T, VisitError> {
    let text = answer.as_str().unwrap_or_default();
    serde_json::from_str(text).map_err(|error| {
        let start: String = text.chars().take(200).collect();
        VisitError::Protocol(format!("a script's answer is not understood: {error}: {start:?}"))
    })
}

/// What an arrival means. `Ok` from the driver says nothing: it is the same for 404, resets and redirect loops.
fn judge(arrival: &Arrival, url: &str, origin_before: &str) -> Result<(), VisitError> {
    let status = if arrival.http > 0 { arrival.http } else { arrival.status };
    if status >= 400 {
        return Err(VisitError::HttpStatus { status, retry_after: None });
    }
    if arrival.failed {
        return Err(match arrival.reason.as_str() {
            "ERR_TOO_MANY_REDIRECTS" => VisitError::TooManyRedirects(url.to_owned()),
            reason => unreachable_site(url, if reason.is_empty() { "unknown reason" } else { reason }),
        });
    }
    if arrival.origin == origin_before {
        return Err(unreachable_site(url, "no document came, such as with HTTP status 204 or a download"));
    }
    Ok(())
}

fn unreachable_site(url: &str, reason: &str) -> VisitError {
    VisitError::SiteUnreachable { url: url.to_owned(), reason: reason.to_owned() }
}

/// Puts the URL into errors of a navigation that could not know it.
fn named(error: VisitError, url: &str) -> VisitError {
    match error {
        VisitError::Timeout(_) => VisitError::Timeout(url.to_owned()),
        VisitError::SiteUnreachable { reason, .. } => unreachable_site(url, &reason),
        VisitError::TooManyRedirects(_) => VisitError::TooManyRedirects(url.to_owned()),
        other => other,
    }
}

fn classify(error: &CmdError) -> VisitError {
    match error {
        CmdError::FailedC(_) | CmdError::Failed(_) | CmdError::Lost(_) => {
            VisitError::DriverLost(error.to_string())
        }
        CmdError::Standard(said) => classify_answer(&said.error, &said.message),
        other => classify_message(&other.to_string()),
    }
}

fn classify_answer(status: &ErrorStatus, message: &str) -> VisitError {
    match status {
        ErrorStatus::InvalidSessionId | ErrorStatus::NoSuchWindow => {
            VisitError::SessionLost(first_line(message))
        }
        ErrorStatus::Timeout => VisitError::Timeout("the page".into()),
        ErrorStatus::ScriptTimeout => VisitError::Timeout("a script in the page".into()),
        _ => classify_message(message),
    }
}

fn classify_message(message: &str) -> VisitError {
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["tab crashed"]) {
        VisitError::TabCrashed
    } else if says(&["ERR_TOO_MANY_REDIRECTS"]) {
        VisitError::TooManyRedirects(String::new())
    } else if let Some(at) = message.find("net::ERR_") {
        let name = message[at + 5..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        unreachable_site("", name.unwrap_or_default())
    } else if says(&["disconnected", "not reachable", "not connected to DevTools", "invalid session id"]) {
        VisitError::SessionLost(first_line(message))
    } else {
        VisitError::Protocol(first_line(message))
    }
}

fn classify_start(error: &NewSessionError) -> VisitError {
    let message = first_line(&error.to_string());
    match error {
        NewSessionError::Failed(_) | NewSessionError::FailedC(_) | NewSessionError::Lost(_) => {
            VisitError::DriverLost(message)
        }
        NewSessionError::UnexpectedError(inner) => classify(inner),
        _ => VisitError::SessionLost(format!("it did not start: {message}")),
    }
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().trim().chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(status: u16) -> Arrival {
        Arrival {
            url: "http://site/".into(),
            status,
            failed: false,
            reason: String::new(),
            http: 0,
            origin: "2".into(),
            requests: 1,
        }
    }

    #[test]
    fn an_arrival_is_judged_by_the_document_not_by_the_driver() {
        assert_eq!(judge(&arrival(200), "u", "1"), Ok(()));
        let status = |status| Err(VisitError::HttpStatus { status, retry_after: None });
        assert_eq!(judge(&arrival(404), "u", "1"), status(404));
        let error_page =
            |reason: &str, http| Arrival { failed: true, reason: reason.into(), http, ..arrival(0) };
        assert_eq!(judge(&error_page("", 503), "u", "1"), status(503));
        assert_eq!(
            judge(&error_page("ERR_TOO_MANY_REDIRECTS", 0), "u", "1"),
            Err(VisitError::TooManyRedirects("u".into()))
        );
        assert_eq!(
            judge(&error_page("ERR_CONNECTION_RESET", 0), "u", "1"),
            Err(unreachable_site("u", "ERR_CONNECTION_RESET"))
        );
        assert!(judge(&arrival(200), "u", "2").is_err(), "the document before is still there");
    }

    #[test]
    fn answers_of_the_driver_are_told_apart() {
        assert_eq!(classify_message("tab crashed\n  (Session info: …)"), VisitError::TabCrashed);
        assert_eq!(
            classify_message("unknown error: net::ERR_CONNECTION_REFUSED\n"),
            unreachable_site("", "ERR_CONNECTION_REFUSED")
        );
        assert!(matches!(classify_message("chrome not reachable"), VisitError::SessionLost(_)));
        assert!(matches!(classify_message("element click intercepted"), VisitError::Protocol(_)));
        assert!(matches!(classify_answer(&ErrorStatus::Timeout, "timeout"), VisitError::Timeout(_)));
    }

    #[test]
    fn an_anchor_of_the_same_document_needs_a_fresh_start() {
        assert!(differs_in_fragment_only("http://s/a", "http://s/a#b"));
        assert!(differs_in_fragment_only("http://s/a#c", "http://s/a#b"));
        assert!(!differs_in_fragment_only("http://s/a", "http://s/a"));
        assert!(!differs_in_fragment_only("http://s/a", "http://s/b#b"));
    }
}
