//! The pictures of what changed: of each data point the one stored with the record, and the one of this run.

use std::collections::BTreeMap;

use super::judge::{Change, ChangeSide};
use crate::capture::Capture;
use crate::error::Result;
use crate::evidence::Hash;
use crate::extract::Page;
use crate::extract::observation::is_in_sticky_header;
use crate::manifest::QuestionId;
use crate::picture::size;
use crate::truth::Store;
use crate::workflow::recorder::{Picture, Screenshots};

/// The page of a data point.
#[derive(Debug, Clone, Default)]
pub struct ChangePictures {
    /// At the time of the record.
    pub before: Option<Picture>,
    /// At the time of this run.
    pub now: Option<Picture>,
}

/// Pictures by question and data point.
pub type PicturesByPoint = BTreeMap<(String, String), ChangePictures>;

/// The pictures of all changes. `now` are those of this run.
///
/// # Errors
/// A stored picture cannot be read.
pub(super) fn pictures(store: &Store, changes: &[Change], now: &Screenshots) -> Result<PicturesByPoint> {
    let mut sides: BTreeMap<(String, String), Vec<&ChangeSide>> = BTreeMap::new();
    for change in changes {
        sides.entry(change.point()).or_default().extend(change.old.as_ref());
    }
    let mut kept = KeptPages { store, pages: BTreeMap::new() };
    let mut found = PicturesByPoint::new();
    for (point, sides) in sides {
        let before = kept.picture(&sides)?;
        let now = point.0.parse::<QuestionId>().ok().and_then(|id| now.get(&id)).cloned();
        if before.is_some() || now.is_some() {
            found.insert(point, ChangePictures { before, now });
        }
    }
    Ok(found)
}

/// The captured pages of a store, each parsed once.
struct KeptPages<'a> {
    store: &'a Store,
    pages: BTreeMap<Hash, Option<Page>>,
}

impl KeptPages<'_> {
    /// The picture stored with the values of a data point, and whether it shows all of them.
    fn picture(&mut self, sides: &[&ChangeSide]) -> Result<Option<Picture>> {
        let Some(hash) = sides.iter().find_map(|side| side.screenshot.as_ref()) else { return Ok(None) };
        let png = self.store.picture(hash)?;
        let mut shows = |side: &ChangeSide| {
            side.screenshot.as_ref() == Some(hash) && (side.read_by_person || self.shows(&png, side))
        };
        let shows_value = sides.iter().all(|side| shows(side));
        Ok(Some(Picture { png, shows_value }))
    }

    /// Whether the captured page has the text of the value within the picture, which begins at its top left corner.
    fn shows(&mut self, png: &[u8], side: &ChangeSide) -> bool {
        let text = side.displayed.as_deref().unwrap_or_default();
        let locator = side.locator.as_deref().unwrap_or_default();
        let (Some(hash), Some((width, height))) = (&side.evidence, size(png)) else { return false };
        if is_in_sticky_header(locator) {
            return false;
        }
        let Some(page) = self.page(hash) else { return false };
        let place = page.box_of(&(0..page.lines.len()), text, locator);
        place.is_some_and(|[left, top, across, down]| {
            f64::from(left + across) <= f64::from(width) && f64::from(top + down) <= f64::from(height)
        })
    }

    /// A captured page; none if its evidence cannot be read, which `verify` reports.
    fn page(&mut self, hash: &Hash) -> Option<&Page> {
        let store = self.store;
        let read = || {
            let capture: Capture = serde_json::from_slice(&store.evidence(hash).ok()?).ok()?;
            Some(Page::parse(&capture.html))
        };
        self.pages.entry(hash.clone()).or_insert_with(read).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::Site;

    /// A PNG as far as its size is read.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes
    }

    #[test]
    fn a_stored_picture_shows_what_the_evidence_places_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Site::Twin).unwrap();
        let html = "<p data-agt-box=\"0,20,90,20\">16.2%</p><p data-agt-box=\"0,900,90,20\">3.1%</p>";
        let capture =
            Capture { html: html.to_owned(), ..Capture::of_address("/x".to_owned(), String::new()) };
        let evidence = store.put_evidence(&serde_json::to_vec(&capture).unwrap()).unwrap();
        let screenshot = store.put_picture(&png(400, 300)).unwrap();
        let side = |displayed: Option<&str>| ChangeSide {
            displayed: displayed.map(str::to_owned),
            evidence: Some(evidence.clone()),
            screenshot: Some(screenshot.clone()),
            ..ChangeSide::default()
        };
        let shows = |sides: &[ChangeSide]| {
            let mut kept = KeptPages { store: &store, pages: BTreeMap::new() };
            let sides: Vec<&ChangeSide> = sides.iter().collect();
            kept.picture(&sides).unwrap().map(|picture| picture.shows_value)
        };
        assert_eq!(shows(&[side(Some("16.2%"))]), Some(true));
        // below the picture, not displayed, and without evidence
        assert_eq!(shows(&[side(Some("16.2%")), side(Some("3.1%"))]), Some(false));
        assert_eq!(shows(&[side(None)]), Some(false));
        assert_eq!(shows(&[ChangeSide { evidence: None, ..side(Some("16.2%")) }]), Some(false));
        assert_eq!(shows(&[ChangeSide { read_by_person: true, ..side(None) }]), Some(true));
        assert_eq!(shows(&[ChangeSide::default()]), None);
    }
}
