//! One page: opened, looked at until what is wanted is there and two looks say the same.
//!
//! Extraction itself is the sign that a page is ready. Labels may stand before their numbers and loaders
//! may have no text, but a page on which every wanted point reads the same twice has settled.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::acquire::{Area, LookOptions, PageSource, Rate, Tooltip, Traffic, VisitError};
use crate::atlas::{AtlasUrl, Page};
use crate::capture::{Capture, Exchange};
use crate::extract::{Extraction, Extractor, FailureKind, Observation, Wanted};
use crate::truth::Agreement;

/// What is wanted of a page.
pub(super) struct Errand<'a> {
    pub address: String,
    /// The site's host, as [`Traffic`] calls it.
    pub host: String,
    pub extractor: &'a Extractor,
    pub url: &'a AtlasUrl,
    pub wanted: &'a [Wanted],
    /// How long the page may take to show it.
    pub patience: Duration,
    /// Requests that a page of its kind is expected to make, without files.
    pub estimate: u32,
    /// Files that a browser asks for at its first page, and the most that it may ask for.
    pub files: (u32, u32),
}

/// A page as it was read.
pub(super) struct Seen {
    pub capture: Capture,
    pub extraction: Extraction,
    pub looks: u32,
    /// Time spent in this program itself.
    pub own: Duration,
    pub screenshot: Option<Vec<u8>>,
    /// What a query of the page came to that was refused, cut off or failed.
    pub refusal: Option<VisitError>,
}

/// What one attempt at a page came to.
pub(super) struct Attempt {
    pub seen: Result<Seen, VisitError>,
    /// Requests that reached the site.
    pub requests: u32,
    /// Requests by host, tries to reach blocked ones included.
    pub hosts: BTreeMap<String, u32>,
}

impl Attempt {
    /// One that ended before anything was asked.
    pub const fn none(why: VisitError) -> Self {
        Self { seen: Err(why), requests: 0, hosts: BTreeMap::new() }
    }
}

impl Seen {
    /// Whether the page came whole and is the page that was asked for: every query answered, no error of its own,
    /// nothing that did not settle. Only then does it say anything about the extractor that something is not found
    /// on it.
    pub fn is_whole(&self) -> bool {
        let of_the_extractor = |kind: &FailureKind| {
            matches!(
                kind,
                FailureKind::SectionMissing
                    | FailureKind::LabelMissing
                    | FailureKind::WrongForm
                    | FailureKind::SignMissing
                    | FailureKind::Ambiguous(_)
            )
        };
        self.extraction.failures().all(|failure| of_the_extractor(&failure.kind))
            && self.capture.errors.is_empty()
            && self.capture.notes.is_empty()
            && self.capture.status == 200
            && self.capture.exchanges.iter().all(|exchange| exchange.status == 200)
            && refused(&self.capture.exchanges, None).is_none()
    }
}

/// How long a quiet page may still surprise us when something is missing on it.
const GRACE: Duration = Duration::from_millis(2500);

/// How far apart looks are while the page is quiet and something is missing: often enough for three of them.
const LATER: Duration = Duration::from_millis(840);

/// Drawings fade in for a third of a second, with nothing in the page that shows it. When a look has come over, the page
/// has stood still for half of that.
const FADE: Duration = Duration::from_millis(160);

/// How long a window is shown when the page is walked through once more, for something of it is missing: sections may
/// mount only where a reader rests.
const REST: Duration = Duration::from_millis(250);

/// How long a bar must stay the same once the response contradicted what it showed.
const SECOND_THOUGHT: Duration = Duration::from_millis(1500);

/// Whether the page's own response says something else, and nobody knows why.
fn is_contradicted(one: &Observation) -> bool {
    one.agreement == Agreement::PageDisagrees && one.known.is_none()
}

/// Opens a page and reads it. It fails where the page could not be opened or read, or its own queries were refused, so
/// that nothing can be said of it; what was asked of the site is known then too.
pub(super) async fn read<P: PageSource>(page: &mut P, rate: &Rate, errand: &Errand<'_>) -> Attempt {
    let files = if page.is_fresh() { errand.files } else { (0, 0) };
    // a page may ask again what failed, or for what it did not need the last time
    let at_most = errand.estimate + errand.estimate / 2 + files.1;
    let permit = match rate.reserve(errand.estimate + files.0, at_most).await {
        Ok(permit) => permit,
        Err(alone) => return Attempt::none(alone.into()),
    };
    let mut seen = look_until_settled(page, errand).await;
    if let Ok(seen) = &mut seen {
        keep_picture(page, errand, seen).await;
    }
    let Traffic { mut hosts, retry_after } = page.traffic();
    let site = hosts.entry(errand.host.clone()).or_default();
    if let Ok(seen) = &seen {
        *site = (*site).max(seen.capture.requests);
    }
    let requests = *site;
    match &seen {
        Ok(_) => permit.asked(requests),
        // it may not have ended yet
        Err(_) => permit.asked_at_least(requests),
    }
    let seen = seen.and_then(|seen| match refused(&seen.capture.exchanges, retry_after) {
        Some(refusal) if !seen.extraction.is_complete() => Err(refusal),
        refusal => Ok(Seen { refusal, ..seen }),
    });
    Attempt { seen, requests, hosts }
}

/// Keeps a picture of what is drawn, and of a page on which something is missing that it was not refused.
async fn keep_picture<P: PageSource>(page: &mut P, errand: &Errand<'_>, seen: &mut Seen) {
    if !seen.extraction.is_complete() {
        if refused(&seen.capture.exchanges, None).is_none() {
            seen.screenshot = page.screenshot(Area::FullPage).await.ok();
        }
    } else if is_drawn(errand) && seen.screenshot.is_none() {
        seen.screenshot = page.screenshot(Area::Viewport).await.ok();
    }
}

/// Whether a page of this kind draws on a canvas what is wanted of it.
const fn is_drawn(errand: &Errand<'_>) -> bool {
    matches!(errand.url.page, Page::Explore(_))
}

/// Whether a page of this kind has sections below each other. An Explore page is one drawing, or one table that is there
/// as a whole.
const fn is_long(errand: &Errand<'_>) -> bool {
    matches!(errand.url.page, Page::Country { .. })
}

async fn look_until_settled<P: PageSource>(page: &mut P, errand: &Errand<'_>) -> Result<Seen, VisitError> {
    let started = Instant::now();
    page.open(&errand.address).await?;
    let mut own = Duration::ZERO;
    let mut looks = 0;
    let mut quiet_since: Option<Instant> = None;
    let mut last: Option<(Capture, Extraction)> = None;
    let mut doubtful = false;
    let mut picture = None;
    loop {
        let left = errand.patience.saturating_sub(started.elapsed()).max(Duration::from_millis(500));
        let before = last.as_ref().map(|(_, extraction)| extraction);
        let mut look = options(errand, before, left);
        if looks == 1 && before.is_some_and(|extraction| !extraction.is_complete()) {
            (look.scroll, look.dwell) = (is_long(errand), REST);
        }
        if doubtful {
            look.stop_wait = SECOND_THOUGHT;
        }
        if quiet_since.is_some() && before.is_some_and(|extraction| !extraction.is_complete()) {
            look.apart = LATER;
        }
        let capture = page.look(&look).await?;
        looks += 1;
        let thinking = Instant::now();
        let extraction = match last.as_ref().filter(|(before, _)| before.shows_the_same(&capture)) {
            Some((_, extraction)) => extraction.clone(),
            None => errand.extractor.extract(&capture, errand.url, errand.wanted),
        };
        own += thinking.elapsed();
        let same = before == Some(&extraction);
        if !same {
            picture = None;
        }
        let quiet = capture.notes.is_empty();
        if !quiet || !same {
            quiet_since = None;
        } else if quiet_since.is_none() {
            quiet_since = Some(Instant::now());
        }
        // a bar may show something provisional whenever it is scrolled to, the same at every look; what the
        // page's own response contradicts is believed only after a look that gave it time
        let contradicted = extraction.observations().any(is_contradicted);
        let settled =
            same && extraction.is_complete() && !extraction.unconfirmed && (!contradicted || doubtful);
        doubtful |= contradicted;
        // a slow page gets its second look however long the first took; only what keeps changing is cut off
        let late = started.elapsed() > errand.patience;
        let given_up = (late && same)
            || (looks > 1 && started.elapsed() > errand.patience * 3)
            || quiet_since.is_some_and(|since| since.elapsed() > GRACE)
            || (!settled && same && refused(&capture.exchanges, None).is_some());
        if settled && !extraction.tooltips.is_empty() {
            let seen = Seen { capture, extraction, looks, own, screenshot: picture, refusal: None };
            return confirm(page, errand, seen).await;
        }
        if settled || given_up {
            return Ok(Seen {
                capture,
                extraction: steady(errand.extractor, extraction, before),
                looks,
                own,
                screenshot: picture,
                refusal: None,
            });
        }
        // what is drawn on a canvas is kept for a person to see: as it was between two looks that agree
        if picture.is_none() && is_drawn(errand) && extraction.is_complete() {
            tokio::time::sleep(FADE.saturating_sub(thinking.elapsed())).await;
            picture = page.screenshot(Area::Viewport).await.ok();
        }
        last = Some((capture, extraction));
    }
}

/// Opens the tooltips that confirm what was read, once it has settled. What they contradict fails; what has changed
/// meanwhile had not settled.
async fn confirm<P: PageSource>(page: &mut P, errand: &Errand<'_>, seen: Seen) -> Result<Seen, VisitError> {
    let spec = errand.extractor.spec();
    let tooltips = seen.extraction.tooltips.iter().map(|tooltip| Tooltip {
        name: tooltip.name.clone(),
        cell: tooltip.cell.clone(),
        more: spec.tooltip_more.clone(),
    });
    let look = LookOptions {
        tooltips: tooltips.collect(),
        // two looks have agreed already
        apart: Duration::ZERO,
        ..options(errand, Some(&seen.extraction), errand.patience)
    };
    let capture = page.look(&look).await?;
    let thinking = Instant::now();
    let mut extraction = errand.extractor.extract(&capture, errand.url, errand.wanted);
    let own = seen.own + thinking.elapsed();
    let said = |one: &Observation| (one.keys.clone(), one.value.clone(), one.context.clone());
    for (wanted, outcome) in &mut extraction.points {
        let before = seen.extraction.outcome(wanted).and_then(|outcome| outcome.as_ref().ok());
        if let (Ok(now), Some(before)) = (&*outcome, before)
            && !now.iter().map(said).eq(before.iter().map(said))
        {
            let shown: Vec<String> = now.iter().map(|one| one.value.clone()).collect();
            *outcome = Err(errand.extractor.unsteady(wanted, shown.join(" · ")));
        }
    }
    Ok(Seen { capture, extraction, looks: seen.looks + 1, own, ..seen })
}

/// Keeps what two looks agree on; a value that was seen once only has not settled.
fn steady(extractor: &Extractor, mut extraction: Extraction, before: Option<&Extraction>) -> Extraction {
    let before = before.cloned().unwrap_or_else(|| Extraction { points: Vec::new(), ..extraction.clone() });
    for (wanted, outcome) in &mut extraction.points {
        if let Ok(observations) = outcome
            && before.outcome(wanted).and_then(|outcome| outcome.as_ref().ok()) != Some(observations)
        {
            let seen: Vec<String> = observations.iter().map(|one| one.displayed.clone()).collect();
            *outcome = Err(extractor.unsteady(wanted, seen.join(" · ")));
        }
    }
    extraction
}

/// How to look at a page, after what the look before read.
fn options(errand: &Errand<'_>, before: Option<&Extraction>, max_wait: Duration) -> LookOptions {
    let spec = errand.extractor.spec();
    let bars = errand.extractor.bars(errand.wanted, before);
    let sections = spec.sections.iter().filter(|section| bars.contains(section.slug.as_str()));
    let stops = sections.flat_map(|section| &section.headings);
    let states: Vec<&str> =
        errand.wanted.iter().filter_map(|wanted| spec.point(&wanted.data_point)?.state.as_deref()).collect();
    LookOptions {
        scroll: before.is_none() && is_long(errand),
        stops: stops.map(|heading| wildcard(heading)).collect(),
        interactions: spec
            .interactions
            .iter()
            .filter(|interaction| states.contains(&interaction.name.as_str()))
            .map(|interaction| crate::acquire::Interaction {
                name: interaction.name.clone(),
                within: interaction.within.clone(),
                open: interaction.open.clone(),
                choose: interaction.choose.clone(),
            })
            .collect(),
        max_wait,
        ..LookOptions::default()
    }
}

/// A heading pattern with every slot as `{}`.
fn wildcard(heading: &str) -> String {
    let mut out = String::new();
    let mut rest = heading;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        out.push_str("{}");
        rest = rest[open..].find('}').map_or("", |close| &rest[open + close + 1..]);
    }
    out.push_str(rest);
    out
}

/// Whether the page's own queries were refused, cut off or failed, so that what is missing proves nothing.
fn refused(exchanges: &[Exchange], retry_after: Option<Duration>) -> Option<VisitError> {
    let is_held_back = |exchange: &&Exchange| matches!(exchange.status, 429 | 503);
    let is_bad = |exchange: &&Exchange| {
        exchange.status == 0 || exchange.status == 429 || exchange.status >= 500 || is_cut(&exchange.response)
    };
    // one that tells everybody to wait before any other
    let mut all = exchanges.iter();
    let bad = all.clone().find(is_held_back).or_else(|| all.find(is_bad))?;
    Some(match bad.status {
        0 => {
            VisitError::SiteUnreachable { url: bad.url.clone(), reason: "a query of the page failed".into() }
        }
        200 => VisitError::HttpStatus { status: 502, retry_after },
        status => VisitError::HttpStatus { status, retry_after },
    })
}

/// Half a JSON object.
fn is_cut(response: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(response).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_become_wildcards() {
        assert_eq!(wildcard("{country}'s Product Space"), "{}'s Product Space");
        assert_eq!(wildcard("Export Basket in {year}"), "Export Basket in {}");
        assert_eq!(wildcard("Summary"), "Summary");
    }

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
