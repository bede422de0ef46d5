//! A browser that keeps a picture of every value that it is asked for, so that a person can see what the page showed.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use scraper::{Html, Selector};

use crate::acquire::{Area, Browser, LookOptions, Navigation, PageSource, Traffic, VisitError};
use crate::capture::Capture;
use crate::extract::{Extractor, Wanted};
use crate::manifest::QuestionId;

/// What is photographed on a page.
pub(super) struct Sitter<'a> {
    pub question_id: QuestionId,
    pub url: &'a crate::atlas::AtlasUrl,
    pub extractor: &'a Extractor,
    pub wanted: Vec<Wanted>,
    /// A drawing has no text to point at: the window is kept as it is.
    pub drawn: bool,
}

/// PNG pictures by question.
pub(super) type Album = BTreeMap<QuestionId, Vec<u8>>;

/// Smallest picture, and the margin around a value, in CSS pixels.
const LEAST: (f64, f64) = (560.0, 150.0);
const MARGIN: f64 = 40.0;

/// A browser with a camera.
pub(super) struct Camera<'a, B> {
    browser: &'a B,
    sitters: &'a BTreeMap<String, Vec<Sitter<'a>>>,
    album: &'a Mutex<Album>,
}

impl<'a, B: Browser> Camera<'a, B> {
    /// Pictures of the sitters, which are listed by the address of their page, go to the album.
    pub(super) const fn new(
        browser: &'a B,
        sitters: &'a BTreeMap<String, Vec<Sitter<'a>>>,
        album: &'a Mutex<Album>,
    ) -> Self {
        Self { browser, sitters, album }
    }
}

/// A page of such a browser.
pub(super) struct Photographed<'a, P> {
    page: P,
    sitters: &'a BTreeMap<String, Vec<Sitter<'a>>>,
    album: &'a Mutex<Album>,
    address: String,
    looks: u32,
    /// What was shown when the last picture of a question was taken.
    taken: BTreeMap<QuestionId, Vec<String>>,
}

impl<'a, B: Browser + Sync> Browser for Camera<'a, B> {
    type Page = Photographed<'a, B::Page>;

    async fn page(&self) -> Result<Self::Page, VisitError> {
        let page = self.browser.page().await?;
        Ok(Photographed {
            page,
            sitters: self.sitters,
            album: self.album,
            address: String::new(),
            looks: 0,
            taken: BTreeMap::new(),
        })
    }
}

impl<P: PageSource> PageSource for Photographed<'_, P> {
    async fn open(&mut self, url: &str) -> Result<Navigation, VisitError> {
        url.clone_into(&mut self.address);
        self.looks = 0;
        self.taken.clear();
        self.page.open(url).await
    }

    async fn look(&mut self, options: &LookOptions) -> Result<Capture, VisitError> {
        let capture = self.page.look(options).await?;
        self.looks += 1;
        // the first look scrolls and waits; from the second on what is wanted usually stands
        if self.looks > 1 {
            self.photograph(&capture).await;
        }
        Ok(capture)
    }

    async fn screenshot(&mut self, area: Area) -> Result<Vec<u8>, VisitError> {
        self.page.screenshot(area).await
    }

    fn is_fresh(&self) -> bool {
        self.page.is_fresh()
    }

    fn traffic(&mut self) -> Traffic {
        self.page.traffic()
    }
}

impl<P: PageSource> Photographed<'_, P> {
    /// Takes a picture of every question that shows something else than at the last one. A picture that fails is no
    /// failure of the look.
    async fn photograph(&mut self, capture: &Capture) {
        let sitters = self.sitters;
        let Some(sitters) = sitters.get(&self.address) else { return };
        let shown: Vec<(&Sitter<'_>, Vec<String>)> = shown(sitters, capture)
            .into_iter()
            .filter(|(sitter, texts)| self.taken.get(&sitter.question_id) != Some(texts))
            .collect();
        if shown.is_empty() {
            return;
        }
        let areas: Vec<Area> = {
            let html = Html::parse_document(&capture.html);
            let boxes = boxes(&html);
            let of = |(sitter, texts): &(&Sitter<'_>, Vec<String>)| {
                if sitter.drawn { None } else { area(texts, &boxes) }.unwrap_or(Area::Viewport)
            };
            shown.iter().map(of).collect()
        };
        for ((sitter, texts), area) in shown.into_iter().zip(areas) {
            if let Ok(png) = self.page.screenshot(area).await {
                let id = sitter.question_id.clone();
                self.taken.insert(id.clone(), texts);
                self.album.lock().unwrap_or_else(PoisonError::into_inner).insert(id, png);
            }
        }
    }
}

/// What the page shows of each question's points.
fn shown<'a, 'b>(sitters: &'b [Sitter<'a>], capture: &Capture) -> Vec<(&'b Sitter<'a>, Vec<String>)> {
    let Some(first) = sitters.first() else { return Vec::new() };
    let mut wanted: Vec<Wanted> = sitters.iter().flat_map(|sitter| sitter.wanted.iter().cloned()).collect();
    wanted.sort();
    wanted.dedup();
    let extraction = first.extractor.extract(capture, first.url, &wanted);
    let texts = |sitter: &Sitter<'_>| -> Vec<String> {
        let found = sitter.wanted.iter().filter_map(|wanted| extraction.outcome(wanted)?.as_ref().ok());
        found.flatten().map(|one| squeeze(&one.displayed)).filter(|text| !text.is_empty()).collect()
    };
    sitters.iter().map(|sitter| (sitter, texts(sitter))).collect()
}

/// Every block with text: what it says, and where it stands.
fn boxes(html: &Html) -> Vec<(String, [f64; 4])> {
    let Ok(selector) = Selector::parse("[data-agt-box]") else { return Vec::new() };
    html.select(&selector)
        .filter_map(|element| {
            let place = element.value().attr("data-agt-box").and_then(place)?;
            Some((squeeze(&element.text().collect::<String>()), place))
        })
        .collect()
}

/// The box around the values of a question.
fn area(shown: &[String], boxes: &[(String, [f64; 4])]) -> Option<Area> {
    let mut found: Option<[f64; 4]> = None;
    for text in shown.iter().take(8) {
        let holding = boxes.iter().filter(|(own, _)| own.contains(text.as_str()));
        if let Some((_, place)) = holding.min_by_key(|(own, _)| own.len()) {
            let together = found.map_or(*place, |found| union(found, *place));
            // values that stand far apart do not fit one picture: the first is shown
            if found.is_none() || together[3] - together[1] <= 900.0 {
                found = Some(together);
            }
        }
    }
    let [left, top, right, bottom] = found?;
    let (width, height) =
        ((right - left + 2.0 * MARGIN).max(LEAST.0), (bottom - top + 2.0 * MARGIN).max(LEAST.1));
    let (x, y) = ((left + right - width) / 2.0, (top + bottom - height) / 2.0);
    Some(Area::Box { x: x.max(0.0), y: y.max(0.0), width: width.min(1400.0), height: height.min(1000.0) })
}

/// `x,y,width,height` as left, top, right, bottom.
fn place(text: &str) -> Option<[f64; 4]> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match numbers.as_slice() {
        [x, y, width, height] if *width > 0.0 && *height > 0.0 => Some([*x, *y, x + width, y + height]),
        _ => None,
    }
}

fn union(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
