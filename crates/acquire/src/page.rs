//! The interface to a page: open it, take a snapshot or a screenshot, and the errors of each. The real browser
//! implements it, and so can a fake that replays captures.

use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

use url::Url;

use super::politeness::LeftAlone;
use crate::capture::{Capture, PointerTarget};
use crate::error::Error;

/// Where a navigation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Navigation {
    /// The requested URL.
    pub requested_url: String,
    /// The document's current URL.
    pub settled_url: String,
    /// HTTP status of the document.
    pub status: u16,
    /// Requests to the site's host so far, including the document's own.
    pub requests: u32,
}

/// How to take a snapshot of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotOptions {
    /// Scroll through the page first, so that sections which mount when visible do mount.
    pub scroll: bool,
    /// Headings to stop at. `{}` stands for any text; a heading matches if it starts with the pattern.
    pub stops: Vec<String>,
    /// Texts the page must show before it counts as settled (`{}` stands for any text). If one does not appear within
    /// `max_wait`, the snapshot continues and notes it.
    pub expect: Vec<String>,
    /// Controls to operate in turn. Each result is recorded and then undone.
    pub interactions: Vec<PageInteraction>,
    /// Tooltips to open in turn. Each is recorded.
    pub tooltips: Vec<PageTooltip>,
    /// Timeout for settling. Scrolling with its stops has the same timeout again, and so do virtualised lists.
    pub max_wait: Duration,
    /// How long each window position is shown, without changes, while scrolling through the page.
    pub dwell: Duration,
    /// How long a sticky bar must stay the same after scrolling to a stop.
    pub stop_wait: Duration,
    /// Minimum interval between two snapshots of the same page.
    pub apart: Duration,
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        Self {
            scroll: true,
            stops: Vec::new(),
            expect: Vec::new(),
            interactions: Vec::new(),
            tooltips: Vec::new(),
            max_wait: Duration::from_secs(12),
            dwell: Duration::from_millis(60),
            stop_wait: Duration::from_millis(160),
            apart: Duration::from_millis(300),
        }
    }
}

/// A control to operate: a toggle, a dropdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageInteraction {
    /// Name under which the resulting state is recorded.
    pub name: String,
    /// Heading of the control's section (`{}` stands for any text); the first control after it matches. Without one,
    /// the whole page is searched.
    pub within: Option<String>,
    /// Visible text of the control to open, or the label in front of it.
    pub open: String,
    /// Visible text of the choice.
    pub choose: String,
}

/// A tooltip to open on a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTooltip {
    /// Name under which the tooltip is recorded.
    pub name: String,
    /// Where to move the pointer.
    pub over: PointerTarget,
    /// Visible texts of the control that expands the tooltip.
    pub more: Vec<String>,
}

/// What a screenshot shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScreenshotArea {
    /// The visible window.
    Viewport,
    /// The whole document.
    FullPage,
    /// A box of the document in CSS pixels, as in `data-agt-box`.
    Box {
        /// Left edge.
        x: f64,
        /// Top edge.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
    },
}

/// The requests of a page since it was opened, even if opening failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests by host, including blocked hosts. A local browser counts everything it sent: workers, frames of other
    /// origins, redirect hops and preflights too. For a browser on a Grid, only the requests that its page knew of at
    /// the last snapshot.
    pub hosts: BTreeMap<String, u32>,
    /// The longest `Retry-After` among the responses to the page's queries.
    pub retry_after: Option<Duration>,
}

impl Traffic {
    /// Requests to a host, named as in `hosts`.
    #[must_use]
    pub fn to(&self, host: &str) -> u32 {
        self.hosts.get(host).copied().unwrap_or_default()
    }
}

/// A URL's host, with the port unless it is the scheme's default.
#[must_use]
pub fn host_with_port(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Why a page could not be read. No variant says anything about the site's values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VisitError {
    /// The connection, name lookup or TLS handshake failed.
    #[error("{url} could not be reached ({reason}); check the network and the site's address")]
    SiteUnreachable {
        /// The requested URL.
        url: String,
        /// The browser's error name, such as `ERR_CONNECTION_REFUSED`.
        reason: String,
    },
    /// The document has an HTTP error status.
    #[error("the site answered with HTTP status {status}")]
    HttpStatus {
        /// The status.
        status: u16,
        /// The wait the site requests, if known. A browser does not report it.
        retry_after: Option<Duration>,
    },
    /// A redirect loop.
    #[error("{0} redirects in a loop; check the address")]
    TooManyRedirects(String),
    /// The page did not load, or a script did not finish, in time.
    #[error("{0} took too long; raise the page timeout if the site is merely slow")]
    Timeout(String),
    /// The page's process crashed.
    #[error("the browser tab crashed; the next visit uses a new browser")]
    TabCrashed,
    /// The browser is gone.
    #[error("the browser is gone ({0}); the next visit uses a new one")]
    SessionLost(String),
    /// ChromeDriver is gone.
    #[error("chromedriver is gone ({0}); the next visit starts a new one")]
    DriverLost(String),
    /// The given browser is not a Chromium.
    #[error("{0}")]
    Unfit(String),
    /// The site asked not to be visited, so nothing was requested.
    #[error(transparent)]
    LeftAlone(#[from] LeftAlone),
    /// A command did not return, and the browser was killed.
    #[error(
        "the browser did not answer within {limit:?} ({command}) and was killed; the next visit uses a new one"
    )]
    Stuck {
        /// What was asked of the browser.
        command: &'static str,
        /// How long it may take.
        limit: Duration,
    },
    /// Something was to be read although no page is open.
    #[error("no page is open; a failed visit leaves nothing to read, so open a page first")]
    NothingOpen,
    /// The browser's answer could not be read.
    #[error("unexpected answer from the browser: {0}")]
    Protocol(String),
    /// Too many replacement browsers without a successful visit.
    #[error("gave up after {restarts} new browsers without a successful visit; the last failure was: {last}")]
    GaveUp {
        /// New browsers since the last successful visit.
        restarts: u32,
        /// Message of the last failure.
        last: String,
    },
}

impl VisitError {
    /// Whether a retry of the same page may succeed.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::HttpStatus { status, .. } => matches!(*status, 408 | 425 | 429 | 500..=599),
            Self::SiteUnreachable { .. }
            | Self::Timeout(_)
            | Self::TabCrashed
            | Self::SessionLost(_)
            | Self::DriverLost(_)
            | Self::Stuck { .. } => true,
            Self::TooManyRedirects(_)
            | Self::NothingOpen
            | Self::Protocol(_)
            | Self::Unfit(_)
            | Self::LeftAlone(_)
            | Self::GaveUp { .. } => false,
        }
    }

    /// How long the site asks to wait before the next attempt.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::HttpStatus { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether the site reports overload, so that all requests must slow down.
    #[must_use]
    pub const fn asks_to_hold_back(&self) -> bool {
        matches!(self, Self::HttpStatus { status: 429 | 503, .. })
            || matches!(self, Self::HttpStatus { retry_after: Some(_), .. })
    }

    /// Whether the browser session must be replaced.
    #[must_use]
    pub const fn needs_new_session(&self) -> bool {
        matches!(
            self,
            Self::TabCrashed
                | Self::SessionLost(_)
                | Self::DriverLost(_)
                | Self::Stuck { .. }
                | Self::Protocol(_)
                | Self::Unfit(_)
        )
    }
}

impl From<VisitError> for Error {
    fn from(error: VisitError) -> Self {
        match error {
            VisitError::SiteUnreachable { .. }
            | VisitError::HttpStatus { .. }
            | VisitError::TooManyRedirects(_)
            | VisitError::LeftAlone(_)
            | VisitError::Timeout(_) => Self::Site(error.to_string()),
            _ => Self::Browser(error.to_string()),
        }
    }
}

/// A browser tab: opens one page at a time, transfers it and takes screenshots.
pub trait PageSource: Send {
    /// Opens `url` and waits until it has loaded.
    ///
    /// # Errors
    /// Any [`VisitError`]. Nothing can be read after one until another `open` succeeds.
    fn open(&mut self, url: &str) -> impl Future<Output = Result<Navigation, VisitError>> + Send;

    /// Waits until the open page has settled and transfers it.
    ///
    /// # Errors
    /// Any [`VisitError`]. A page that does not settle is no error; the capture's notes report it.
    fn snapshot(
        &mut self,
        options: &SnapshotOptions,
    ) -> impl Future<Output = Result<Capture, VisitError>> + Send;

    /// Takes a PNG screenshot of the open page.
    ///
    /// # Errors
    /// Any [`VisitError`].
    fn screenshot(
        &mut self,
        area: ScreenshotArea,
    ) -> impl Future<Output = Result<Vec<u8>, VisitError>> + Send;

    /// Whether no page has been opened yet, so that nothing of the site is cached.
    fn is_fresh(&self) -> bool {
        false
    }

    /// The traffic since the last page was opened, or since the attempt.
    fn traffic(&mut self) -> Traffic {
        Traffic::default()
    }
}

/// Hands out pages. Implemented by the pool of real browsers, and by fakes.
pub trait Browser: Send + Sync {
    /// What is handed out.
    type Page: PageSource;

    /// A page, as soon as one is free.
    ///
    /// # Errors
    /// No browser can be started any more.
    fn page(&self) -> impl Future<Output = Result<Self::Page, VisitError>> + Send;

    /// Browsers replaced so far.
    fn restarts(&self) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failures_that_may_pass_are_tried_again() {
        let http = |status| VisitError::HttpStatus { status, retry_after: None };
        assert!(http(429).is_transient() && http(503).is_transient());
        assert!(!http(404).is_transient() && !http(403).is_transient());
        assert!(VisitError::Stuck { command: "start", limit: Duration::from_secs(1) }.is_transient());
        assert!(!VisitError::TooManyRedirects(String::new()).is_transient());
    }

    #[test]
    fn a_lost_driver_takes_its_session_along() {
        assert!(VisitError::DriverLost(String::new()).needs_new_session());
        assert!(!VisitError::Timeout(String::new()).needs_new_session());
    }

    #[test]
    fn the_site_and_the_browser_have_different_exit_codes() {
        use crate::error::Exit;
        let site: Error = VisitError::HttpStatus { status: 500, retry_after: None }.into();
        let browser: Error = VisitError::TabCrashed.into();
        assert_eq!(site.exit(), Exit::Site);
        assert_eq!(browser.exit(), Exit::Unexpected);
    }
}
