//! The task of a page visit, and its result.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use crate::acquire::VisitError;
use crate::atlas::AtlasUrl;
use crate::capture::{Capture, Exchange};
use crate::extract::{self, Extraction, Extractor, FailureKind, Wanted};

/// The points that one extractor reads from a page.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub extractor: Arc<Extractor>,
    pub wanted: Vec<Wanted>,
}

/// A page to read, with its wanted points.
pub(super) struct PageTask<'a> {
    pub address: String,
    /// The site's host, in the notation of [`Traffic`](crate::acquire::Traffic).
    pub host: String,
    pub url: &'a AtlasUrl,
    /// The extractors of the page. One load serves them all.
    pub groups: Vec<Group>,
    /// How long the page may take to show the wanted points.
    pub patience: Duration,
    /// Expected requests of such a page, without files.
    pub estimate: u32,
    /// Files that a browser requests on its first page: expected and at most.
    pub files: (u32, u32),
}

/// The result of a page visit.
pub(in crate::workflow) struct PageResult {
    pub capture: Capture,
    /// What each extractor read.
    pub readings: Vec<(Arc<Extractor>, Extraction)>,
    pub looks: u32,
    /// Time spent in this program.
    pub own: Duration,
    pub screenshot: Option<Vec<u8>>,
    /// The error of a page query that was refused, cut off or failed.
    pub refusal: Option<VisitError>,
}

/// The result of one attempt at a page.
pub(super) struct Attempt {
    pub page: Result<PageResult, VisitError>,
    /// Requests that reached the site.
    pub requests: u32,
    /// Requests by host, including blocked ones.
    pub hosts: BTreeMap<String, u32>,
}

impl Attempt {
    /// An attempt that failed before any request was sent.
    pub const fn none(why: VisitError) -> Self {
        Self { page: Err(why), requests: 0, hosts: BTreeMap::new() }
    }
}

impl PageResult {
    /// The results of our own queries, without a page.
    pub const fn of_answers(capture: Capture, readings: Vec<(Arc<Extractor>, Extraction)>) -> Self {
        Self { capture, readings, looks: 0, own: Duration::ZERO, screenshot: None, refusal: None }
    }

    /// The extraction of the named extractor.
    pub fn read_by(&self, extractor: &str) -> Option<(&Extractor, &Extraction)> {
        let own = self.readings.iter().find(|(own, _)| own.spec().name == extractor);
        own.map(|(extractor, extraction)| (extractor.as_ref(), extraction))
    }

    /// How the page settled, as text.
    pub fn settled(&self) -> &'static str {
        if self.is_complete() {
            "two snapshots read the same for every point"
        } else if self.capture.notes.is_empty() {
            "the page was quiet while points were missing"
        } else {
            "something did not settle in time"
        }
    }

    pub(super) fn is_settled(&self) -> bool {
        self.readings.iter().all(|(_, extraction)| extraction.is_settled())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.readings.iter().all(|(_, extraction)| extraction.is_complete())
    }

    /// Response errors that made no extracted point fail.
    pub fn idle_errors(&self) -> BTreeSet<String> {
        extract::idle_errors(self.readings.iter().map(|(_, extraction)| extraction))
    }

    /// Whether the page is the requested one and fully loaded: every query answered, no page error,
    /// and everything settled. Only then does a missing point say anything about the extractor.
    pub fn is_whole(&self) -> bool {
        let of_the_extractor = |kind: &FailureKind| {
            matches!(
                kind,
                FailureKind::SectionMissing
                    | FailureKind::LabelMissing
                    | FailureKind::WrongForm
                    | FailureKind::SignMissing
                    | FailureKind::Ambiguous(_)
                    | FailureKind::ForAPerson
                    | FailureKind::ResponseMissing
                    | FailureKind::NotAnswered(_)
            )
        };
        let mut failures = self.readings.iter().flat_map(|(_, extraction)| extraction.failures());
        failures.all(|failure| of_the_extractor(&failure.kind))
            && self.capture.errors.is_empty()
            && self.capture.notes.is_empty()
            && self.capture.status == 200
            && self.capture.exchanges.iter().all(|exchange| exchange.status == 200)
            && refused(&self.capture.exchanges, None).is_none()
    }
}

/// The error if the page's own queries were refused, cut off or failed. A missing value then proves
/// nothing.
pub(super) fn refused(exchanges: &[Exchange], retry_after: Option<Duration>) -> Option<VisitError> {
    let is_busy = |one: &&Exchange| matches!(one.status, 429 | 503);
    let is_bad = |one: &&Exchange| one.status == 0 || one.status >= 500 || is_cut(&one.response);
    // an error that asks every client to wait comes first
    let bad = exchanges.iter().find(is_busy).or_else(|| exchanges.iter().find(is_bad))?;
    Some(match bad.status {
        0 => {
            VisitError::SiteUnreachable { url: bad.url.clone(), reason: "a query of the page failed".into() }
        }
        200 => VisitError::HttpStatus { status: 502, retry_after },
        status => VisitError::HttpStatus { status, retry_after },
    })
}

/// Whether a JSON object is truncated.
fn is_cut(response: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(response).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_13_half_an_answer_is_a_refusal() {
        assert!(is_cut("{\"data\": {\"countryProfile\": {\"exp"));
        assert!(!is_cut("{\"data\": null, \"errors\": []}"));
    }

    #[test]
    fn a_query_that_tells_everybody_to_wait_counts_before_one_that_failed() {
        let exchange = |status: u16, response: &str| Exchange {
            url: "http://site/graphql".into(),
            request: String::new(),
            status,
            response: response.into(),
        };
        let asked = Some(Duration::from_secs(40));
        let all = [exchange(200, "{}"), exchange(0, ""), exchange(429, "slow down")];
        assert_eq!(refused(&all, asked), Some(VisitError::HttpStatus { status: 429, retry_after: asked }));
        assert!(matches!(refused(&all[..2], None), Some(VisitError::SiteUnreachable { .. })));
    }
}
