//! A browser wrapper that takes a picture of every requested value, so that a person can see what
//! the page showed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::filing;
use super::job::Job;
use crate::acquire::{Browser, Navigation, PageSource, ScreenshotArea, SnapshotOptions, Traffic, VisitError};
use crate::atlas::SitePage;
use crate::capture::Capture;
use crate::extract::document::union;
use crate::extract::observation::is_in_sticky_header;
use crate::extract::{Extraction, Extractor, Page, Wanted};
use crate::manifest::{Entry, QuestionId};

/// A question whose values are photographed.
struct ScreenshotTarget<'a> {
    question_id: QuestionId,
    url: &'a crate::atlas::AtlasUrl,
    extractor: &'a Extractor,
    wanted: Vec<Wanted>,
    /// Whether the value is drawn. A drawing has no text to locate, so the picture shows the window.
    drawn: bool,
}

/// A picture of a page.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The PNG file.
    pub png: Vec<u8>,
    /// Whether it shows all values. A value in a sticky header is gone when the picture is taken.
    pub shows_value: bool,
}

impl Picture {
    /// The caption.
    #[must_use]
    pub const fn caption(&self) -> &'static str {
        match self.shows_value {
            true => "what the page showed",
            false => "the page; this part of it may not show the value",
        }
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} bytes", self.caption(), self.png.len())
    }
}

/// Pictures by question.
pub(super) type Screenshots = BTreeMap<QuestionId, Picture>;

/// Questions by page address.
type Targets<'a> = BTreeMap<String, Vec<ScreenshotTarget<'a>>>;

/// The screenshot targets of a job's questions.
fn targets(job: &Job) -> Targets<'_> {
    let mut targets = Targets::new();
    for entry in job.entries.iter().flat_map(Entry::readings) {
        let Some(extractor) = job.extractors.get(&entry.extractor) else { continue };
        // several questions can share a page
        targets.entry(job.address(&entry.url.document().path())).or_default().push(ScreenshotTarget {
            question_id: entry.question().clone(),
            url: &entry.url,
            extractor,
            wanted: filing::wanted(entry, extractor),
            drawn: matches!(entry.url.page, SitePage::Explore(_)),
        });
    }
    targets
}

/// Minimum picture size, and the margin around a value, in CSS pixels.
const MIN_SIZE: (f32, f32) = (560.0, 150.0);
const MARGIN: f32 = 40.0;

/// What a recording browser and its pages share.
struct Album<'a> {
    targets: Targets<'a>,
    pictures: Mutex<Screenshots>,
}

/// A browser that takes pictures of the pages of a job's questions.
pub(super) struct Recorder<'a, B> {
    browser: &'a B,
    album: Arc<Album<'a>>,
}

impl<'a, B: Browser> Recorder<'a, B> {
    /// Wraps a browser.
    pub(super) fn new(browser: &'a B, job: &'a Job) -> Self {
        Self { browser, album: Arc::new(Album { targets: targets(job), pictures: Mutex::default() }) }
    }

    /// Takes out the pictures made so far.
    pub(super) fn pictures(&self) -> Screenshots {
        std::mem::take(&mut *self.album.pictures.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A page of a recording browser.
pub(super) struct RecordedPage<'a, P> {
    page: P,
    album: Arc<Album<'a>>,
    address: String,
    snapshots: u32,
    /// The values shown in the last picture of each question.
    taken: BTreeMap<QuestionId, Vec<ShownText>>,
}

/// The text of a value, and its locator.
type ShownText = (String, String);

impl<'a, B: Browser + Sync> Browser for Recorder<'a, B> {
    type Page = RecordedPage<'a, B::Page>;

    async fn page(&self) -> Result<Self::Page, VisitError> {
        let page = self.browser.page().await?;
        Ok(RecordedPage {
            page,
            album: Arc::clone(&self.album),
            address: String::new(),
            snapshots: 0,
            taken: BTreeMap::new(),
        })
    }
}

impl<P: PageSource> PageSource for RecordedPage<'_, P> {
    async fn open(&mut self, url: &str) -> Result<Navigation, VisitError> {
        url.clone_into(&mut self.address);
        self.snapshots = 0;
        self.taken.clear();
        self.page.open(url).await
    }

    async fn snapshot(&mut self, options: &SnapshotOptions) -> Result<Capture, VisitError> {
        let capture = self.page.snapshot(options).await?;
        self.snapshots += 1;
        // the first pass scrolls and waits; later ones usually find everything rendered
        if self.snapshots > 1 {
            self.record(&capture).await;
        }
        Ok(capture)
    }

    async fn screenshot(&mut self, area: ScreenshotArea) -> Result<Vec<u8>, VisitError> {
        self.page.screenshot(area).await
    }

    fn is_fresh(&self) -> bool {
        self.page.is_fresh()
    }

    fn traffic(&mut self) -> Traffic {
        self.page.traffic()
    }
}

impl<P: PageSource> RecordedPage<'_, P> {
    /// Takes a picture of every question whose shown values changed since the last one. A failed
    /// picture does not fail the snapshot.
    async fn record(&mut self, capture: &Capture) {
        let album = Arc::clone(&self.album);
        let Some(targets) = album.targets.get(&self.address) else { return };
        let shown: Vec<(&ScreenshotTarget<'_>, Vec<ShownText>)> = shown(targets, capture)
            .into_iter()
            .filter(|(target, texts)| self.taken.get(&target.question_id) != Some(texts))
            .collect();
        if shown.is_empty() {
            return;
        }
        let areas: Vec<Option<ScreenshotArea>> = {
            let page = Page::parse(&capture.html);
            let of = |(target, texts): &(&ScreenshotTarget<'_>, Vec<ShownText>)| match target.drawn {
                true => Some(ScreenshotArea::Viewport),
                false => area(texts, &page),
            };
            shown.iter().map(of).collect()
        };
        for ((target, texts), area) in shown.into_iter().zip(areas) {
            if let Ok(png) = self.page.screenshot(area.unwrap_or(ScreenshotArea::Viewport)).await {
                let id = target.question_id.clone();
                let in_bar = texts.iter().any(|(_, locator)| is_in_sticky_header(locator));
                let picture = Picture { png, shows_value: area.is_some() && !in_bar };
                self.taken.insert(id.clone(), texts);
                album.pictures.lock().unwrap_or_else(PoisonError::into_inner).insert(id, picture);
            }
        }
    }
}

/// The values that the page shows for each question's points.
fn shown<'a, 'b>(
    targets: &'b [ScreenshotTarget<'a>],
    capture: &Capture,
) -> Vec<(&'b ScreenshotTarget<'a>, Vec<ShownText>)> {
    let mut readers: BTreeMap<String, (&ScreenshotTarget<'_>, BTreeSet<Wanted>)> = BTreeMap::new();
    for target in targets {
        let (_, wanted) =
            readers.entry(target.extractor.label()).or_insert_with(|| (target, BTreeSet::new()));
        wanted.extend(target.wanted.iter().cloned());
    }
    let read = |(label, (target, wanted)): (String, (&ScreenshotTarget<'_>, BTreeSet<Wanted>))| {
        let wanted: Vec<Wanted> = wanted.into_iter().collect();
        (label, target.extractor.extract(capture, target.url, &wanted))
    };
    let extractions: BTreeMap<String, Extraction> = readers.into_iter().map(read).collect();
    let texts = |target: &ScreenshotTarget<'_>| -> Vec<ShownText> {
        let extraction = extractions.get(&target.extractor.label());
        let found = target.wanted.iter().filter_map(|wanted| extraction?.outcome(wanted)?.as_ref().ok());
        let found = found.flatten().filter(|one| !one.displayed.is_empty());
        found.map(|one| (one.displayed.clone(), one.locator.clone())).collect()
    };
    targets.iter().map(|target| (target, texts(target))).collect()
}

/// The bounding box of a question's values. A text in a sticky header has none, because the same text elsewhere is
/// another value.
fn area(shown: &[ShownText], page: &Page) -> Option<ScreenshotArea> {
    let whole = 0..page.lines.len();
    let mut found: Option<[f32; 4]> = None;
    let in_page = |(_, locator): &&ShownText| !is_in_sticky_header(locator);
    for (displayed, locator) in shown.iter().filter(in_page).take(8) {
        if let Some(place) = page.box_of(&whole, displayed, locator) {
            let together = found.map_or(place, |found| union(found, place));
            // values far apart do not fit one picture: show the first
            if found.is_none() || together[3] <= 900.0 {
                found = Some(together);
            }
        }
    }
    let [left, top, width, height] = found?;
    let (centre, middle) = (left + width / 2.0, top + height / 2.0);
    let (width, height) = ((width + 2.0 * MARGIN).max(MIN_SIZE.0), (height + 2.0 * MARGIN).max(MIN_SIZE.1));
    Some(ScreenshotArea::Box {
        x: (centre - width / 2.0).max(0.0).into(),
        y: (middle - height / 2.0).max(0.0).into(),
        width: width.min(1400.0).into(),
        height: height.min(1000.0).into(),
    })
}
