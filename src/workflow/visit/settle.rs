//! Reads a page within the request budget: opens it, and takes snapshots until every wanted point is there and two
//! snapshots agree.
//!
//! Extraction itself signals that a page is ready. Labels may appear before their numbers, and
//! loaders may have no text. A page on which every wanted point reads the same twice has settled.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::page::{Attempt, Group, PageResult, PageTask, refused};
use crate::acquire::{
    PageInteraction, PageSource, PageTooltip, Rate, ScreenshotArea, SnapshotOptions, Traffic, VisitError,
};
use crate::atlas::SitePage;
use crate::capture::Capture;
use crate::evidence::Agreement;
use crate::extract::{self, Extraction, FailureKind, Observation, Page};

/// How long to keep watching a settled page with missing points, because content may still load.
const GRACE: Duration = Duration::from_millis(2500);

/// The interval between snapshots of a settled page with missing points. Three of them fit into
/// [`GRACE`].
const LATER: Duration = Duration::from_millis(840);

/// Drawings fade in for a third of a second, and nothing in the page shows it. A snapshot itself
/// takes about half of that.
const FADE: Duration = Duration::from_millis(160);

/// How long each scroll position is shown on a second pass over an incomplete page. Some sections
/// mount only where a reader rests.
const REST: Duration = Duration::from_millis(250);

/// The minimum number of snapshots before a page counts as one that keeps changing. On a busy machine a
/// snapshot takes so long that only the last one in time is complete, and none has confirmed it yet.
const LOOKS: u32 = 4;

/// How long a sticky header must stay the same after the response contradicted it.
const SECOND_THOUGHT: Duration = Duration::from_millis(1500);

/// Opens a page and reads it. Fails if the page cannot be opened or read, or if its queries were
/// refused. The requests of the attempt are counted either way.
pub(super) async fn read_page<P: PageSource>(page: &mut P, rate: &Rate, task: &PageTask<'_>) -> Attempt {
    let files = if page.is_fresh() { task.files } else { (0, 0) };
    // a page may repeat failed requests, or request more than the last time
    let at_most = task.estimate + task.estimate / 2 + files.1;
    let permit = match rate.reserve(task.estimate + files.0, at_most).await {
        Ok(permit) => permit,
        Err(alone) => return Attempt::none(alone.into()),
    };
    let mut read = read_until_settled(page, task).await;
    if let Ok(read) = &mut read {
        keep_picture(page, task, read).await;
    }
    let Traffic { mut hosts, retry_after } = page.traffic();
    let site = hosts.entry(task.host.clone()).or_default();
    if let Ok(read) = &read {
        *site = (*site).max(read.capture.requests);
    }
    let requests = *site;
    match &read {
        Ok(_) => permit.asked(requests),
        // the page may still be sending requests
        Err(_) => permit.asked_at_least(requests),
    }
    let page = read.and_then(|read| match refused(&read.capture.exchanges, retry_after) {
        Some(refusal) if !read.is_complete() => Err(refusal),
        refusal => Ok(PageResult { refusal, ..read }),
    });
    Attempt { page, requests, hosts }
}

/// Takes a picture of drawn values, and of an incomplete page that was not refused.
async fn keep_picture<P: PageSource>(page: &mut P, task: &PageTask<'_>, read: &mut PageResult) {
    if !read.is_complete() {
        // for values that only a person can read, the picture was taken between two agreeing
        // snapshots
        let is_taken = read.screenshot.is_some() && read.is_settled();
        if !is_taken && refused(&read.capture.exchanges, None).is_none() {
            read.screenshot = page.screenshot(ScreenshotArea::FullPage).await.ok();
        }
    } else if is_drawn(task) && read.screenshot.is_none() {
        read.screenshot = page.screenshot(ScreenshotArea::Viewport).await.ok();
    }
}

/// Whether the task needs a picture, because a wanted value is drawn.
fn is_drawn(task: &PageTask<'_>) -> bool {
    task.groups.iter().any(|group| group.extractor.needs_picture(&group.wanted))
}

/// Whether such a page has sections below each other. An Explore page is a single drawing or a
/// single table.
const fn is_long(task: &PageTask<'_>) -> bool {
    matches!(task.url.page, SitePage::Country { .. })
}

/// The extractions of one snapshot.
#[derive(Clone, PartialEq)]
struct Extractions(Vec<Extraction>);

impl Extractions {
    fn of(task: &PageTask<'_>, capture: &Capture) -> Self {
        let read = |group: &Group| group.extractor.extract(capture, task.url, &group.wanted);
        Self(task.groups.iter().map(read).collect())
    }

    /// Whether another snapshot would find nothing more.
    fn are_settled(&self) -> bool {
        self.0.iter().all(Extraction::is_settled)
    }

    fn are_complete(&self) -> bool {
        self.0.iter().all(Extraction::is_complete)
    }

    fn has_tooltips(&self) -> bool {
        self.0.iter().any(|extraction| !extraction.tooltips.is_empty())
    }

    /// Whether a section was found under no known heading. The snapshot then checks the sticky
    /// header at every heading of the page.
    fn lack_a_section(&self) -> bool {
        let of_section =
            |kind: &FailureKind| matches!(kind, FailureKind::SectionMissing | FailureKind::Unrecognised(_));
        self.0.iter().flat_map(Extraction::failures).any(|failure| of_section(&failure.kind))
    }

    /// Whether a response of the page contradicts a value for no known reason.
    fn are_contradicted(&self) -> bool {
        let odd = |one: &Observation| one.agreement == Agreement::PageDisagrees && one.known.is_none();
        self.0.iter().flat_map(Extraction::observations).any(odd)
    }

    /// Keeps only observations that the other snapshot confirms. The others have not settled.
    fn keep_agreeing(
        &mut self,
        task: &PageTask<'_>,
        other: Option<&Self>,
        is_same: impl Fn(&Observation, &Observation) -> bool,
    ) {
        for (index, (group, extraction)) in task.groups.iter().zip(&mut self.0).enumerate() {
            let other = other.and_then(|other| other.0.get(index));
            for (wanted, outcome) in &mut extraction.points {
                let Ok(found) = &*outcome else { continue };
                let before = other.and_then(|other| other.outcome(wanted)?.as_ref().ok());
                let agrees = |before: &Vec<Observation>| {
                    before.len() == found.len() && before.iter().zip(found).all(|(a, b)| is_same(a, b))
                };
                if !before.is_some_and(agrees) {
                    let seen: Vec<&str> = found.iter().map(|one| one.value.as_str()).collect();
                    *outcome = Err(group.extractor.unsteady(wanted, seen.join(" · ")));
                }
            }
        }
    }
}

/// Builds the result of a page, without its picture and traffic.
fn result(
    task: &PageTask<'_>,
    capture: Capture,
    extractions: Extractions,
    (looks, own, screenshot): (u32, Duration, Option<Vec<u8>>),
) -> PageResult {
    let extractors = task.groups.iter().map(|group| Arc::clone(&group.extractor));
    let readings = extractors.zip(extractions.0).collect();
    PageResult { capture, readings, looks, own, screenshot, refusal: None }
}

async fn read_until_settled<P: PageSource>(
    page: &mut P,
    task: &PageTask<'_>,
) -> Result<PageResult, VisitError> {
    let mut reading = Settling::begin(task);
    page.open(&task.address).await?;
    loop {
        let capture = page.snapshot(&reading.options()).await?;
        let taken = Instant::now();
        let now = reading.extract(&capture);
        let same = reading.is_same(&now);
        reading.note(&capture, same);
        if reading.has_settled(&now, same) {
            return match now.has_tooltips() {
                true => confirm(page, task, now, reading.with_tooltips()).await,
                false => Ok(reading.result(capture, now)),
            };
        }
        if reading.gives_up(&capture, same) {
            return reading.unsettled(page, capture, now, same).await;
        }
        // for review, keep a picture of a drawn value, taken between two agreeing snapshots
        if reading.picture.is_none() && is_drawn(task) && now.are_settled() {
            tokio::time::sleep(FADE.saturating_sub(taken.elapsed())).await;
            // of an incomplete page, a person needs all of it to find the value
            let area = if now.are_complete() { ScreenshotArea::Viewport } else { ScreenshotArea::FullPage };
            reading.picture = page.screenshot(area).await.ok();
        }
        reading.last = Some((capture, now));
    }
}

/// The state of a page between two snapshots.
struct Settling<'a> {
    task: &'a PageTask<'a>,
    started: Instant,
    looks: u32,
    /// Time spent in this program itself.
    own: Duration,
    /// When the page last became quiet.
    quiet_since: Option<Instant>,
    /// The last snapshot and its extractions.
    last: Option<(Capture, Extractions)>,
    /// Whether the page's own response contradicted what it showed.
    doubtful: bool,
    picture: Option<Vec<u8>>,
}

impl<'a> Settling<'a> {
    fn begin(task: &'a PageTask<'a>) -> Self {
        let (started, own) = (Instant::now(), Duration::ZERO);
        Self { task, started, looks: 0, own, quiet_since: None, last: None, doubtful: false, picture: None }
    }

    fn before(&self) -> Option<&Extractions> {
        self.last.as_ref().map(|(_, extractions)| extractions)
    }

    /// How the next snapshot is taken.
    fn options(&self) -> SnapshotOptions {
        let left = self.task.patience.saturating_sub(self.started.elapsed()).max(Duration::from_millis(500));
        let is_missing = self.before().is_some_and(|before| !before.are_settled());
        let mut next = options(self.task, self.before(), left);
        if let Some((capture, _)) = self.last.as_ref().filter(|(_, read)| read.lack_a_section()) {
            next.stops = extract::headings(&Page::parse(&capture.html));
        }
        if self.looks == 1 && is_missing {
            (next.scroll, next.dwell) = (is_long(self.task), REST);
        }
        if self.doubtful {
            next.stop_wait = SECOND_THOUGHT;
        }
        if self.quiet_since.is_some() && is_missing {
            next.apart = LATER;
        }
        next
    }

    /// Extracts a snapshot. One that shows the same as the last is not extracted again.
    fn extract(&mut self, capture: &Capture) -> Extractions {
        self.looks += 1;
        let started = Instant::now();
        let read = match self.last.as_ref().filter(|(before, _)| before.shows_the_same(capture)) {
            Some((_, extractions)) => extractions.clone(),
            None => Extractions::of(self.task, capture),
        };
        self.own += started.elapsed();
        read
    }

    fn is_same(&self, now: &Extractions) -> bool {
        self.before() == Some(now)
    }

    /// Notes whether the page is quiet. Drops the picture if the page has changed since.
    fn note(&mut self, capture: &Capture, same: bool) {
        if !same {
            self.picture = None;
        }
        if same && capture.notes.is_empty() {
            self.quiet_since.get_or_insert_with(Instant::now);
        } else {
            self.quiet_since = None;
        }
    }

    /// Whether the extractions can be trusted.
    fn has_settled(&mut self, now: &Extractions, same: bool) -> bool {
        // a sticky header may show the same provisional value whenever it is scrolled to; a value that the page's
        // own response contradicts counts only after a snapshot that waited longer
        let contradicted = now.are_contradicted();
        let unconfirmed = now.0.iter().any(|extraction| extraction.unconfirmed);
        let settled = same && now.are_settled() && !unconfirmed && (!contradicted || self.doubtful);
        self.doubtful |= contradicted;
        settled
    }

    /// Whether another snapshot would find nothing more. A page that keeps changing is given up only after several
    /// snapshots, however long they take.
    fn gives_up(&self, capture: &Capture, same: bool) -> bool {
        let (elapsed, patience) = (self.started.elapsed(), self.task.patience);
        (elapsed > patience && same)
            || (self.looks >= LOOKS && elapsed > patience * 3)
            || self.quiet_since.is_some_and(|since| since.elapsed() > GRACE)
            || (same && refused(&capture.exchanges, None).is_some())
    }

    /// The result of a page that did not settle.
    async fn unsettled<P: PageSource>(
        self,
        page: &mut P,
        capture: Capture,
        mut now: Extractions,
        same: bool,
    ) -> Result<PageResult, VisitError> {
        // a missing value may be in a tooltip
        if same && now.has_tooltips() && capture.notes.is_empty() {
            let with_tooltips = (self.looks + 1, self.own, self.picture.clone());
            let confirmed = confirm(page, self.task, now.clone(), with_tooltips).await?;
            if confirmed.capture.notes.is_empty() {
                return Ok(confirmed);
            }
        }
        now.keep_agreeing(self.task, self.before(), |one, other| one == other);
        Ok(self.result(capture, now))
    }

    /// The number of snapshots, including the one that opens tooltips; the time spent; and the picture.
    fn with_tooltips(self) -> (u32, Duration, Option<Vec<u8>>) {
        (self.looks + 1, self.own, self.picture)
    }

    fn result(self, capture: Capture, extractions: Extractions) -> PageResult {
        result(self.task, capture, extractions, (self.looks, self.own, self.picture))
    }
}

/// Opens the tooltips that confirm the extracted values, once they have settled. A contradicted
/// value fails. A value that changed meanwhile had not settled.
async fn confirm<P: PageSource>(
    page: &mut P,
    task: &PageTask<'_>,
    settled: Extractions,
    (looks, own, picture): (u32, Duration, Option<Vec<u8>>),
) -> Result<PageResult, VisitError> {
    let mut tooltips: Vec<PageTooltip> = Vec::new();
    for (group, extraction) in task.groups.iter().zip(&settled.0) {
        let more = &group.extractor.spec().tooltip_more;
        let named = |name: &str, tooltips: &[PageTooltip]| tooltips.iter().any(|one| one.name == name);
        for tooltip in &extraction.tooltips {
            if !named(&tooltip.name, &tooltips) {
                let (name, over) = (tooltip.name.clone(), tooltip.over.clone());
                tooltips.push(PageTooltip { name, over, more: more.clone() });
            }
        }
    }
    // two snapshots have agreed already
    let look =
        SnapshotOptions { tooltips, apart: Duration::ZERO, ..options(task, Some(&settled), task.patience) };
    let capture = page.snapshot(&look).await?;
    let thinking = Instant::now();
    let mut now = Extractions::of(task, &capture);
    now.keep_agreeing(task, Some(&settled), |one, other| {
        (&one.keys, &one.value, &one.context) == (&other.keys, &other.value, &other.context)
    });
    Ok(result(task, capture, now, (looks, own + thinking.elapsed(), picture)))
}

/// The options of the next snapshot, given the last extraction.
fn options(task: &PageTask<'_>, before: Option<&Extractions>, max_wait: Duration) -> SnapshotOptions {
    let mut stops: Vec<String> = Vec::new();
    let mut interactions: Vec<PageInteraction> = Vec::new();
    for (index, Group { extractor, wanted }) in task.groups.iter().enumerate() {
        let spec = extractor.spec();
        let bars = extractor.sticky_headers(wanted, before.and_then(|before| before.0.get(index)));
        let sections = spec.sections.iter().filter(|section| bars.contains(section.slug.as_str()));
        for stop in sections.flat_map(|section| &section.headings).map(|heading| wildcard(heading)) {
            if !stops.contains(&stop) {
                stops.push(stop);
            }
        }
        let states: Vec<&str> =
            wanted.iter().filter_map(|wanted| spec.point(&wanted.data_point)?.state.as_deref()).collect();
        for one in spec.interactions.iter().filter(|one| states.contains(&one.name.as_str())) {
            if !interactions.iter().any(|other| other.name == one.name) {
                interactions.push(PageInteraction {
                    name: one.name.clone(),
                    within: one.within.clone(),
                    open: one.open.clone(),
                    choose: one.choose.clone(),
                });
            }
        }
    }
    let scroll = before.is_none() && is_long(task);
    SnapshotOptions { scroll, stops, interactions, max_wait, ..SnapshotOptions::default() }
}

/// A heading pattern with `{}` in place of every slot.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_become_wildcards() {
        assert_eq!(wildcard("{country}'s Product Space"), "{}'s Product Space");
        assert_eq!(wildcard("Export Basket in {year}"), "Export Basket in {}");
        assert_eq!(wildcard("Summary"), "Summary");
    }
}
