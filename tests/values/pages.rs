//! Pages of every kind of data point, each visited once, and what is read of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::{Capture, Exchange};
use atlas_gt::extract::{Extraction, Extractor, Outcome, Parsed, Wanted};
use atlas_gt::manifest::{Entry, load};
use atlas_gt_twin::Skin;

use crate::captures;
use crate::stage::extractors;

/// A page, and what its extractors are asked for.
pub struct Page {
    pub name: String,
    pub url: AtlasUrl,
    pub capture: Capture,
    pub groups: Vec<Group>,
}

/// What one extractor is asked for, and of what.
#[derive(Clone)]
pub struct Group {
    pub extractor: Arc<Extractor>,
    pub wanted: BTreeSet<Wanted>,
    pub of: Source,
}

/// What is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The page with its responses.
    Page,
    /// The answers to queries of our own, for what no page shows.
    Own,
    /// The page's responses as answers to queries of our own: no text of the page is read.
    Answers,
}

/// A point, by its extractor, what is read and what is wanted.
pub type PointId = (String, Source, Wanted);
/// What came of a point: what its rows say, or why there are none.
pub type Read = Result<Vec<String>, String>;

impl Page {
    /// What is read of the page with these responses; only these points, where some are named.
    pub fn read(
        &self,
        parsed: &Parsed<'_>,
        (exchanges, own): (&[Exchange], &[Exchange]),
        only: Option<&BTreeSet<PointId>>,
    ) -> BTreeMap<PointId, Read> {
        let capture = Capture { exchanges: exchanges.to_vec(), own: own.to_vec(), ..self.capture.clone() };
        let mut all = BTreeMap::new();
        for Group { extractor, wanted, of } in &self.groups {
            let name = &extractor.spec().name;
            let id = |wanted: &Wanted| (name.clone(), *of, wanted.clone());
            let is_asked = |wanted: &&Wanted| only.is_none_or(|only| only.contains(&id(wanted)));
            let wanted: Vec<Wanted> = wanted.iter().filter(is_asked).cloned().collect();
            if wanted.is_empty() {
                continue;
            }
            let extraction: Extraction = match of {
                Source::Page => extractor.extract_parsed((&capture, parsed), &self.url, &wanted),
                Source::Own => extractor.answer(&[exchanges, own].concat(), &self.url, &wanted),
                Source::Answers => extractor.answer(exchanges, &self.url, &wanted),
            };
            all.extend(extraction.points.iter().map(|(wanted, outcome)| (id(wanted), said(outcome))));
        }
        all
    }
}

/// What the rows of a point say: all but how it is confirmed.
pub fn said(outcome: &Outcome) -> Read {
    match outcome {
        Ok(found) => {
            let row = |one: &atlas_gt::extract::Observation| {
                format!("{:?} {} {:?} {:?}", one.keys, one.value, one.reading, one.context)
            };
            Ok(found.iter().map(row).collect())
        }
        Err(failure) => Err(failure.to_string()),
    }
}

/// The questions of the manifest.
pub fn manifest() -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    load(&path, extractors()).unwrap().entries
}

/// The page that a reading is of.
pub fn page_of(entry: &Entry) -> String {
    entry.url.document().path()
}

/// Questions that together read every data point of the manifest, on as few pages as will do.
fn few(entries: &[Entry]) -> Vec<Entry> {
    let points = |entry: &Entry| -> Vec<(String, String)> {
        entry.data_points.iter().map(|point| (entry.extractor.clone(), point.clone())).collect()
    };
    let mut of_page: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for reading in entries.iter().flat_map(Entry::readings) {
        of_page.entry(page_of(reading)).or_default().extend(points(reading));
    }
    let mut left: BTreeSet<(String, String)> = of_page.values().flatten().cloned().collect();
    let mut chosen = BTreeSet::new();
    while !left.is_empty() {
        let count = |points: &BTreeSet<(String, String)>| points.intersection(&left).count();
        let (page, points) = of_page.iter().max_by_key(|(_, points)| count(points)).unwrap();
        left = left.difference(points).cloned().collect();
        chosen.insert(page.clone());
    }
    let is_chosen =
        |entry: &&Entry| entry.readings().iter().all(|reading| chosen.contains(&page_of(reading)));
    entries.iter().filter(is_chosen).cloned().collect()
}

/// The pages of every kind of data point, with everything that questions want of them. A data point is read of one page.
pub fn pages() -> Vec<Page> {
    let entries = few(&manifest());
    let chosen: BTreeSet<String> = entries.iter().flat_map(Entry::readings).map(page_of).collect();
    let captures = captures::of(Skin::Hashed).iter().filter(|(name, _)| chosen.contains(*name));
    let mut read = BTreeSet::new();
    let mut pages = Vec::new();
    for (name, capture) in captures {
        let (name, capture) = (name.clone(), capture.clone());
        let url = AtlasUrl::parse_settled(&capture.requested_url).unwrap().url;
        let mut groups: BTreeMap<(String, Source), Group> = BTreeMap::new();
        let mut here = BTreeSet::new();
        let of_page = entries.iter().flat_map(Entry::readings).filter(|one| page_of(one) == name);
        for reading in of_page.filter(|reading| reading.extractor != "derive") {
            let extractor = extractors().get(&reading.extractor).unwrap();
            for point in &reading.data_points {
                let sources = if extractor.is_own(point) {
                    &[Source::Own][..]
                } else {
                    &[Source::Page, Source::Answers][..]
                };
                for of in sources {
                    let id = (reading.extractor.clone(), *of, point.clone());
                    if read.contains(&id) {
                        continue;
                    }
                    here.insert(id);
                    let group = groups.entry((reading.extractor.clone(), *of)).or_insert_with(|| Group {
                        extractor: Arc::clone(extractor),
                        wanted: BTreeSet::new(),
                        of: *of,
                    });
                    group.wanted.insert(extractor.wanted(point, &reading.context));
                }
            }
        }
        let mut page = Page { name, url, capture, groups: groups.into_values().collect() };
        // what is not read here is another page's to show
        let found = page.read(&Parsed::of(&page.capture), (&page.capture.exchanges, &page.capture.own), None);
        for group in &mut page.groups {
            let name = &group.extractor.spec().name;
            group.wanted.retain(|wanted| found[&(name.clone(), group.of, wanted.clone())].is_ok());
            read.extend(group.wanted.iter().map(|one| (name.clone(), group.of, one.data_point.clone())));
        }
        page.groups.retain(|group| !group.wanted.is_empty());
        if !page.groups.is_empty() {
            pages.push(page);
        }
    }
    pages
}
