//! What a workflow may ask of a page: open it, take a snapshot or a picture; and the ways in which that fails. The real browser
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
    /// The URL asked for.
    pub requested_url: String,
    /// The URL the document has now.
    pub settled_url: String,
    /// HTTP status of the document.
    pub status: u16,
    /// Requests that reached the site's host so far, the document's own included.
    pub requests: u32,
}

/// How to take a snapshot of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotOptions {
    /// Scroll through the page first, so that sections which mount when seen do mount.
    pub scroll: bool,
    /// Heading texts to stop at. `{}` stands for any text; a heading matches when it starts so.
    pub stops: Vec<String>,
    /// Texts that the page must show before it counts as settled (`{}` stands for any text).
    /// When one does not appear within `max_wait` the snapshot goes on and says so in its notes.
    pub expect: Vec<String>,
    /// Controls to operate, one after the other, each recorded and undone again.
    pub interactions: Vec<PageInteraction>,
    /// What to open over a drawing, one after the other, each recorded.
    pub tooltips: Vec<PageTooltip>,
    /// How long the page may take to settle; scrolling and stops together may take as long again, and so may lists
    /// that show only a part of themselves at a time.
    pub max_wait: Duration,
    /// How long a window is shown on the way through the page, and must have stood still, before the next one.
    pub dwell: Duration,
    /// How long a bar must stay the same after scrolling to a stop before it is believed.
    pub stop_wait: Duration,
    /// How long after the snapshot before, of the same page, this one begins to be written down at the soonest.
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
    /// Heading of the section that the control is in (`{}` stands for any text); the first control after it
    /// is meant. Without one the whole page is searched.
    pub within: Option<String>,
    /// Visible text of the control to open, or the label in front of it.
    pub open: String,
    /// Visible text of the choice.
    pub choose: String,
}

/// What opens over a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTooltip {
    /// Name under which it is recorded.
    pub name: String,
    /// What the pointer is moved to.
    pub over: PointerTarget,
    /// Visible texts of the control that shows the rest of it.
    pub more: Vec<String>,
}

/// What a screenshot shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScreenshotArea {
    /// What the window shows.
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

/// What was asked of whom for a page since it was opened, also where it failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests by host, those to blocked hosts included: all that left a browser of our own, of workers and of frames
    /// of other origins, hops of redirects and preflights included. Of a browser of a Grid those only that its page
    /// knew of at the last snapshot.
    pub hosts: BTreeMap<String, u32>,
    /// The longest that an answer to the page's queries asked to wait (`Retry-After`).
    pub retry_after: Option<Duration>,
}

impl Traffic {
    /// Requests to a host, called as in `hosts`.
    #[must_use]
    pub fn to(&self, host: &str) -> u32 {
        self.hosts.get(host).copied().unwrap_or_default()
    }
}

/// A host as pages and requests call it: with its port, unless that is the scheme's own.
#[must_use]
pub fn host_with_port(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Why a page could not be read. None of these says anything about the site's values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VisitError {
    /// No connection, no name, a reset or a TLS failure.
    #[error("{url} could not be reached ({reason}); check the network and the site's address")]
    SiteUnreachable {
        /// The URL asked for.
        url: String,
        /// The browser's name for it, such as `ERR_CONNECTION_REFUSED`.
        reason: String,
    },
    /// The document came with an HTTP error.
    #[error("the site answered with HTTP status {status}")]
    HttpStatus {
        /// The status.
        status: u16,
        /// How long the site asks to wait, where that is known. A browser does not say.
        retry_after: Option<Duration>,
    },
    /// The site redirects in a circle.
    #[error("{0} redirects in a circle; check the address")]
    TooManyRedirects(String),
    /// The page did not load, or a script did not end, in time.
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
    /// The given browser cannot read pages.
    #[error("{0}")]
    Unfit(String),
    /// Nothing is requested, because the site asked for that.
    #[error(transparent)]
    LeftAlone(#[from] LeftAlone),
    /// A command did not return, and the browser was killed.
    #[error("the browser did not answer within {0:?} and was killed; the next visit uses a new one")]
    Stuck(Duration),
    /// A page should be read although none is open.
    #[error("no page is open; a failed visit leaves nothing to read, visit again first")]
    NothingOpen,
    /// The browser's answer is not understood.
    #[error("unexpected answer of the browser: {0}")]
    Protocol(String),
    /// Browsers were replaced too often without one successful visit between.
    #[error("gave up after {restarts} new browsers without one good visit; the last failure was: {last}")]
    GaveUp {
        /// New browsers since the last good visit.
        restarts: u32,
        /// What went wrong last.
        last: String,
    },
}

impl VisitError {
    /// Whether trying the same page again may help.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::HttpStatus { status, .. } => matches!(*status, 408 | 425 | 429 | 500..=599),
            Self::SiteUnreachable { .. }
            | Self::Timeout(_)
            | Self::TabCrashed
            | Self::SessionLost(_)
            | Self::DriverLost(_)
            | Self::Stuck(_) => true,
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

    /// Whether the site says that it is overloaded, so that everybody has to slow down.
    #[must_use]
    pub const fn asks_to_hold_back(&self) -> bool {
        matches!(self, Self::HttpStatus { status: 429 | 503, .. })
            || matches!(self, Self::HttpStatus { retry_after: Some(_), .. })
    }

    /// Whether the browser session must not be used again.
    #[must_use]
    pub const fn needs_new_session(&self) -> bool {
        matches!(
            self,
            Self::TabCrashed
                | Self::SessionLost(_)
                | Self::DriverLost(_)
                | Self::Stuck(_)
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

/// One page at a time: opened, brought over, photographed.
pub trait PageSource: Send {
    /// Goes to `url` and waits until it has loaded.
    ///
    /// # Errors
    /// Any [`VisitError`]; after one nothing can be read until another `open` succeeds.
    fn open(&mut self, url: &str) -> impl Future<Output = Result<Navigation, VisitError>> + Send;

    /// Waits until the open page has settled and brings it over.
    ///
    /// # Errors
    /// Any [`VisitError`]. A page that does not settle is no error; the capture's notes say so.
    fn snapshot(
        &mut self,
        options: &SnapshotOptions,
    ) -> impl Future<Output = Result<Capture, VisitError>> + Send;

    /// A PNG of the open page.
    ///
    /// # Errors
    /// Any [`VisitError`].
    fn screenshot(
        &mut self,
        area: ScreenshotArea,
    ) -> impl Future<Output = Result<Vec<u8>, VisitError>> + Send;

    /// Whether it has opened no page yet, so that all files of the site are asked for.
    fn is_fresh(&self) -> bool {
        false
    }

    /// What was asked of whom since the last page was opened, or since that was tried.
    fn traffic(&mut self) -> Traffic {
        Traffic::default()
    }
}

/// Hands out pages; the pool of real browsers or a fake.
pub trait Browser: Send + Sync {
    /// What is handed out.
    type Page: PageSource;

    /// A page to work with, as soon as one is free.
    ///
    /// # Errors
    /// When no browser can be started any more.
    fn page(&self) -> impl Future<Output = Result<Self::Page, VisitError>> + Send;

    /// Browsers that had to be replaced so far.
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
        assert!(VisitError::Stuck(Duration::from_secs(1)).is_transient());
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
