//! The position of a value on its page: on the stored screenshot, or on a sketch of the captured texts.

use std::collections::HashMap;

use atlas_gt_core::capture::{CapturedState, StickyHeader};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::picture::size;
use atlas_gt_extract::Page;
use atlas_gt_extract::observation::is_in_sticky_header;
use atlas_gt_truth::{PointProvenance, Store};
use serde::{Deserialize, Serialize};

/// Margin of a sketch around the value, in CSS pixels.
const MARGIN: (f32, f32) = (320.0, 140.0);

/// Default font size.
const FONT: f32 = 14.0;

/// Left, top, width and height in CSS pixels of the page.
type Area = [f32; 4];

/// The parts of a capture that matter here: its markup, and that of its states and sticky headers.
#[derive(Deserialize)]
struct Captured {
    html: String,
    #[serde(default)]
    states: Vec<CapturedState>,
    #[serde(default, rename = "pinned")]
    sticky_headers: Vec<StickyHeader>,
}

/// A text of the page.
#[derive(Debug, Serialize)]
struct PlacedText {
    area: Area,
    font: f32,
    text: String,
}

/// An area of a page with the boxes of values.
#[derive(Debug, Serialize)]
pub(crate) struct Place {
    /// The area to show.
    view: Area,
    /// The boxes of values; empty if the page draws one without text.
    boxes: Vec<Area>,
    picture: Option<Hash>,
    /// The texts of the area, if there is no screenshot.
    texts: Vec<PlacedText>,
}

impl Place {
    /// Boxes on a stored screenshot; `None` if it is missing.
    pub fn on_picture(store: &Store, hash: &Hash, boxes: impl IntoIterator<Item = Area>) -> Option<Self> {
        let (width, height) = size(&store.picture(hash).ok()?)?;
        let (width, height) = (width as f32, height as f32);
        let within = |[x, y, w, h]: Area| [x, y, w.min(width - x), h.min(height - y)];
        let boxes = boxes.into_iter().map(within).filter(|[.., w, h]| *w > 0.0 && *h > 0.0).collect();
        Some(Self { view: [0.0, 0.0, width, height], boxes, picture: Some(hash.clone()), texts: Vec::new() })
    }
}

/// The pages of a store, each parsed once.
pub(crate) struct Places<'a> {
    store: &'a Store,
    pages: HashMap<Hash, Vec<Page>>,
}

impl<'a> Places<'a> {
    pub fn of(store: &'a Store) -> Self {
        Self { store, pages: HashMap::new() }
    }

    /// The position of a value; `None` if neither a screenshot nor the text's position is stored.
    pub fn find(&mut self, point: &PointProvenance) -> Option<Place> {
        let displayed = point.displayed.as_deref().filter(|text| !text.is_empty());
        let locator = point.locator.as_deref().unwrap_or_default();
        let store = self.store;
        let pages = self.pages(point.evidence.as_ref());
        let found = displayed.and_then(|shown| placed(pages, shown, locator));
        if let Some(hash) = &point.screenshot {
            // The content of other states and of sticky headers is not on the page's screenshot.
            let first = pages.first().map(std::ptr::from_ref);
            let boxes = found.filter(|(page, _)| first == Some(std::ptr::from_ref(*page)));
            if let Some(place) = Place::on_picture(store, hash, boxes.map(|(_, area)| area)) {
                return Some(place);
            }
        }
        let (page, area) = found?;
        let view = around(area);
        Some(Place { view, boxes: vec![area], picture: None, texts: texts(page, view) })
    }

    fn pages(&mut self, evidence: Option<&Hash>) -> &[Page] {
        let Some(hash) = evidence else { return &[] };
        self.pages.entry(hash.clone()).or_insert_with(|| {
            let bytes = self.store.evidence(hash).ok();
            // `verify` reports unreadable evidence.
            let captured = bytes.and_then(|bytes| serde_json::from_slice::<Captured>(&bytes).ok());
            let markup = |captured: Captured| {
                let states = captured.states.into_iter().map(|state| state.html);
                let bars = captured.sticky_headers.into_iter().map(|bar| bar.html);
                let parts = std::iter::once(captured.html).chain(states).chain(bars);
                parts.map(|html| Page::parse(&html)).collect()
            };
            captured.map_or_else(Vec::new, markup)
        })
    }
}

/// A displayed value among the parts of a capture: the page, its states and its sticky headers.
fn placed<'a>(parts: &'a [Page], displayed: &str, locator: &str) -> Option<(&'a Page, Area)> {
    let on = |page: &'a Page| Some((page, page.box_of(&(0..page.lines.len()), displayed, locator)?));
    // what a bar shows may be elsewhere on the page too, about something else
    if is_in_sticky_header(locator) { parts.iter().rev().find_map(on) } else { parts.iter().find_map(on) }
}

fn around([left, top, width, height]: Area) -> Area {
    let (x, y) = ((left - MARGIN.0).max(0.0), (top - MARGIN.1).max(0.0));
    [x, y, left + width + MARGIN.0 - x, top + height + MARGIN.1 - y]
}

/// The texts in an area of a page. Lines with the same box are one text.
fn texts(page: &Page, view: Area) -> Vec<PlacedText> {
    let is_in = |[left, top, width, height]: Area| {
        left < view[0] + view[2]
            && left + width > view[0]
            && top < view[1] + view[3]
            && top + height > view[1]
    };
    let mut found: Vec<PlacedText> = Vec::new();
    for line in &page.lines {
        let Some(area) = line.area.filter(|area| is_in(*area)) else { continue };
        match found.last_mut().filter(|last| last.area == area) {
            Some(last) => last.text = format!("{}\n{}", last.text, line.text),
            None => {
                let font = if line.font > 0.0 { line.font } else { FONT };
                found.push(PlacedText { area, font, text: line.text.clone() });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_a_bar_is_shown_there_with_the_texts_around_it() {
        let parts = [
            Page::parse("<p data-agt-box=\"0,20,90,20\">57</p>"),
            Page::parse(
                "<p data-agt-box=\"0,900,90,20\">Rank of exports</p><p data-agt-box=\"0,920,90,20\">57</p>",
            ),
        ];
        let top = |locator: &str| placed(&parts, "57", locator).map(|(_, area)| area[1]);
        assert_eq!(top("section `x`, label \"Rank of exports\" in the bar"), Some(920.0));
        assert_eq!(top("section `x`, label \"Rank of exports\""), Some(20.0));
        let shown = texts(&parts[1], around([0.0, 920.0, 90.0, 20.0]));
        assert_eq!(shown.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["Rank of exports", "57"]);
    }
}
