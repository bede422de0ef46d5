//! Takes a snapshot of a settled page: one script call, converted to a [`Capture`].

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::session::Session;
use super::tasks::{Found, millis};
use super::transfer::Recorded;
use crate::capture::{Capture, Exchange, StickyHeader};
use crate::page::{Navigation, PageSource, ScreenshotArea, SnapshotOptions, Traffic, VisitError};
use atlas_gt_core::retry::parse_retry_after;

/// Maximum number of overlays in a row to dismiss.
const MAX_OVERLAYS: usize = 3;

/// The result of a snapshot: an overlay to dismiss first, or the page.
#[derive(Debug, Deserialize)]
struct Answer {
    /// Text of the overlay.
    overlay: Option<String>,
    version: u64,
    #[serde(default)]
    notes: Vec<String>,
    shown: Option<Shown>,
    recorded: Option<Recorded>,
}

/// An overlay that covers the page.
#[derive(Debug, Deserialize)]
struct Layer {
    /// Its text. The element that comes with it is the button that closes it.
    overlay: String,
    version: u64,
}

#[derive(Debug, Deserialize)]
struct Shown {
    name: String,
    /// `None` if it equals the last snapshot, byte for byte.
    html: Option<String>,
    url: String,
    title: String,
    sticky_headers: Vec<StickyHeader>,
    notes: Vec<String>,
    /// Milliseconds for settling, for scrolling through the page, and for serialising it.
    took: [u64; 3],
}

impl PageSource for Session {
    async fn open(&mut self, url: &str) -> Result<Navigation, VisitError> {
        self.navigate(url).await
    }

    async fn snapshot(&mut self, options: &SnapshotOptions) -> Result<Capture, VisitError> {
        let mut capture = self.capture(options).await?;
        self.count_requests(capture.requests);
        capture.requests = self.traffic().to(&self.site_host).max(capture.requests);
        Ok(capture)
    }

    async fn screenshot(&mut self, area: ScreenshotArea) -> Result<Vec<u8>, VisitError> {
        self.photograph(area).await
    }

    fn is_fresh(&self) -> bool {
        self.fresh
    }

    fn traffic(&mut self) -> Traffic {
        self.net_log.update();
        let mut traffic = self.traffic.clone();
        self.net_log.raise(&mut traffic.hosts);
        traffic
    }
}

impl Session {
    /// Waits until the open page has settled, scrolls through it, and transfers it.
    pub(super) async fn capture(&mut self, options: &SnapshotOptions) -> Result<Capture, VisitError> {
        let Some(navigation) = self.page.clone() else { return Err(VisitError::NothingOpen) };
        let max_wait = self.clamp(options.max_wait);
        let mut notes = Vec::new();
        let (shown, recorded) = self.show(options, max_wait, &mut notes).await?;
        let taken_at = jiff::Timestamp::now().to_string();
        if !options.interactions.is_empty() {
            // An overlay that appeared while scrolling would receive the clicks.
            notes.extend(self.settle(None, max_wait, false).await?.notes);
            for _ in 0..MAX_OVERLAYS {
                let Some(found) = self.find("overlay", &json!({}), None).await? else { break };
                if !self.leave(found, max_wait, &mut notes).await? {
                    break;
                }
            }
        }
        let mut states = self.interact(&options.interactions, max_wait, &mut notes).await?;
        // Before the tooltips, because a click on a drawing may leave the page.
        let recorded = match recorded {
            Some(recorded) => recorded,
            None => self.refresh().await?,
        };
        let now = jiff::Timestamp::now();
        let asked =
            self.transferred.recordings.iter().filter_map(|one| parse_retry_after(&one.retry_after, now));
        self.traffic = Traffic { hosts: recorded.hosts.clone(), retry_after: asked.max() };
        states.extend(self.open_tooltips(&options.tooltips, &shown.url, max_wait, &mut notes).await?);
        let mut exchanges = Vec::with_capacity(self.transferred.recordings.len());
        for one in self.transferred.recordings.clone() {
            if !one.complete {
                notes.push(format!("no complete response came from {}", one.url));
            } else if !one.error.is_empty() {
                notes.push(format!("a request to {} failed: {}", one.url, one.error));
            } else if one.status >= 400 {
                notes.push(format!("a request to {} was answered with HTTP status {}", one.url, one.status));
            }
            exchanges.push(Exchange {
                url: one.url,
                request: one.request,
                status: if one.complete { one.status } else { 0 },
                response: one.response,
            });
        }
        notes.dedup();
        Ok(Capture {
            requested_url: navigation.requested_url,
            settled_url: shown.url,
            status: navigation.status,
            title: shown.title,
            html: self.transferred.html.clone(),
            sticky_headers: shown.sticky_headers,
            states,
            exchanges,
            errors: recorded.errors,
            notes,
            requests: recorded.requests,
            files: recorded.files,
            own: Vec::new(),
            taken_at,
        })
    }

    /// Dismisses overlays, and transfers the page. The recorded requests come along, unless interactions follow.
    async fn show(
        &mut self,
        options: &SnapshotOptions,
        max_wait: Duration,
        notes: &mut Vec<String>,
    ) -> Result<(Shown, Option<Recorded>), VisitError> {
        let mut overlays = MAX_OVERLAYS;
        loop {
            let given = json!({
                "scroll": options.scroll,
                "stops": options.stops,
                "expect": options.expect,
                "max_wait": millis(max_wait),
                "dwell": millis(options.dwell),
                "stop_wait": millis(options.stop_wait),
                "apart": millis(options.apart),
                "overlays": overlays,
                "recorded": options.interactions.is_empty(),
                "held": self.transferred.held(),
                "host": self.site_host,
            });
            let Some(found) = self.find::<Answer>("snapshot", &given, None).await? else {
                return Err(VisitError::Protocol("the page script returned nothing for a snapshot".into()));
            };
            let Answer { overlay, version, notes: settling, shown, mut recorded } = found.value;
            if let Some(overlay) = overlay {
                notes.extend(settling);
                let left =
                    Found { value: Layer { overlay, version }, element: found.element, previous: None };
                let is_left = self.leave(left, max_wait, notes).await?;
                overlays = if is_left { overlays.saturating_sub(1) } else { 0 };
                continue;
            }
            let Some(mut shown) = shown else {
                return Err(VisitError::Protocol("the page script returned no page".into()));
            };
            if let Some(recorded) = &mut recorded {
                self.transferred.add(recorded)?;
            }
            tracing::debug!(
                url = shown.url,
                bytes = shown.html.as_ref().map(String::len),
                took = ?shown.took,
                "page transferred"
            );
            notes.append(&mut shown.notes);
            self.transferred.snapshot.clone_from(&shown.name);
            if let Some(html) = shown.html.take() {
                self.transferred.html = html;
            }
            return Ok((shown, recorded));
        }
    }

    /// Transfers what the page has sent and received since the last transfer.
    async fn refresh(&mut self) -> Result<Recorded, VisitError> {
        let given = json!({ "host": self.site_host, "held": self.transferred.held() });
        let mut recorded: Recorded = self.task("refresh", &given).await?;
        self.transferred.add(&mut recorded)?;
        Ok(recorded)
    }

    /// Dismisses an overlay by the least consenting button, and notes it. Returns whether the click succeeded.
    async fn leave(
        &mut self,
        found: Found<Layer>,
        max_wait: Duration,
        notes: &mut Vec<String>,
    ) -> Result<bool, VisitError> {
        let Found { value: Layer { overlay, version }, element, .. } = found;
        let Some(element) = element else {
            notes.push(format!("an overlay covers the page and has no button to close it: {overlay}"));
            return Ok(false);
        };
        notes.push(format!("dismissed an overlay: {overlay}"));
        if let Err(reason) = self.click(element).await? {
            notes.push(format!("its button could not be clicked: {reason}"));
            return Ok(false);
        }
        self.settle(Some(version), max_wait, false).await?;
        Ok(true)
    }
}
