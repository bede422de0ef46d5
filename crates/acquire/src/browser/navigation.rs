//! Opens a page, classifies every failure, and takes screenshots.

use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::failure::unreachable_site;
use super::session::{MAX_ALERTS, Session, alert_was_open, read};
use super::transfer::TransferState;
use crate::page::{Navigation, ScreenshotArea, Traffic, VisitError};

/// Script that reports where a navigation ended. After a failure, the document is Chromium's own error page.
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

impl Session {
    /// Opens `url` and waits until it has loaded. After a failure the tab may still show the previous page, so nothing
    /// may be read from it.
    pub(super) async fn navigate(&mut self, url: &str) -> Result<Navigation, VisitError> {
        let before = self.page.take();
        self.traffic = Traffic::default();
        self.transferred = TransferState::default();
        self.net_log.begin();
        if before.is_some_and(|page| differs_in_fragment_only(&page.settled_url, url)) {
            // Otherwise the document stays, with everything recorded before.
            self.go("about:blank").await?;
        }
        self.fresh = false;
        self.count_requests(1);
        let asked = Instant::now();
        self.go(url).await.map_err(|error| named(error, url))?;
        let loaded = asked.elapsed();
        let host = self.site_host.clone();
        let arrival: Arrival = read(&self.script(ARRIVAL, vec![Json::String(host)], false).await?)?;
        let took = [loaded, asked.elapsed() - loaded].map(|time| time.as_millis());
        tracing::debug!(url, ?took, "page opened");
        self.count_requests(arrival.requests);
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

    async fn go(&mut self, url: &str) -> Result<(), VisitError> {
        let limit = self.page_load + self.grace;
        for _ in 0..MAX_ALERTS {
            let url = url.to_owned();
            let arrived = self
                .command("open a page", limit, |client| async move {
                    let arrived = client.goto(&url).await;
                    if alert_was_open(&arrived) { Ok(false) } else { arrived.map(|()| true) }
                })
                .await?;
            if arrived {
                return Ok(());
            }
        }
        Err(VisitError::Protocol(format!("alerts stopped the navigation {MAX_ALERTS} times")))
    }

    /// A PNG of the open page.
    pub(super) async fn photograph(&mut self, area: ScreenshotArea) -> Result<Vec<u8>, VisitError> {
        if self.page.is_none() {
            return Err(VisitError::NothingOpen);
        }
        let clip =
            |x, y, width, height| json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
        let mut params = json!({
            "format": "png",
            "fromSurface": true,
            "captureBeyondViewport": area != ScreenshotArea::Viewport,
            // Encodes in two thirds of the time, at 17 % more size.
            "optimizeForSpeed": true,
        });
        match area {
            ScreenshotArea::Viewport => {}
            ScreenshotArea::FullPage => {
                let metrics = self.cdp("Page.getLayoutMetrics", json!({})).await?;
                let size = &metrics["cssContentSize"];
                params["clip"] = clip(json!(0), json!(0), size["width"].clone(), size["height"].clone());
            }
            ScreenshotArea::Box { x, y, width, height } => {
                params["clip"] = clip(json!(x), json!(y), json!(width), json!(height));
            }
        }
        let shot = self.cdp("Page.captureScreenshot", params).await?;
        let png = BASE64.decode(shot["data"].as_str().unwrap_or_default()).ok();
        png.filter(|png| !png.is_empty())
            .ok_or_else(|| VisitError::Protocol("the screenshot is no PNG".into()))
    }
}

/// Classifies an arrival. The driver's `Ok` says nothing: it is the same for 404, resets and redirect loops.
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
        return Err(unreachable_site(url, "no document arrived, as with HTTP status 204 or a download"));
    }
    Ok(())
}

/// Adds the URL to navigation errors that lack it.
fn named(error: VisitError, url: &str) -> VisitError {
    match error {
        VisitError::Timeout(_) => VisitError::Timeout(url.to_owned()),
        VisitError::SiteUnreachable { reason, .. } => unreachable_site(url, &reason),
        VisitError::TooManyRedirects(_) => VisitError::TooManyRedirects(url.to_owned()),
        other => other,
    }
}

fn differs_in_fragment_only(before: &str, after: &str) -> bool {
    let body = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    after.contains('#') && body(before) == body(after)
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
    fn an_anchor_of_the_same_document_needs_a_fresh_start() {
        assert!(differs_in_fragment_only("http://s/a", "http://s/a#b"));
        assert!(differs_in_fragment_only("http://s/a#c", "http://s/a#b"));
        assert!(!differs_in_fragment_only("http://s/a", "http://s/a"));
        assert!(!differs_in_fragment_only("http://s/a", "http://s/b#b"));
    }
}
