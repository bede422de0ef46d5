//! How many requests pages make: learned from earlier visits, and until then what is known of their kind. Kept in
//! the user's cache folder: it is no truth, and a store must not change when it is looked at again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::atlas::{AtlasUrl, Explore, Page, PageKnown, PlaceId, Viz, by_id};
use crate::atomic_file::write_atomic;

/// The document itself, which is asked for at every visit.
const DOCUMENT: u32 = 1;
/// Queries of a country page. 15 to 20 were counted on the live site; 19 are those whose answers the known figures of
/// the twelve sections need.
const COUNTRY: u32 = 19;
/// Queries of the page of a country that has none: it asks for the country and is told that there is none.
const NOT_FOUND: u32 = 2;
/// Catalogues that every Explore page asks for: countries, groups, products, deflators, coverage, vintage, banner.
/// With the three queries of a treemap's rows they make the ten that were counted on the live site.
const CATALOGUES: u32 = 7;
/// Script and style sheet, which a browser keeps from its first page on. How many files the live site has was not
/// recorded; after the first run it is known.
const FILES: u32 = 2;
/// Files that there is room for as long as nobody knows how many there are.
const FILES_AT_MOST: u32 = 40;

/// Requests by page, of one site.
#[derive(Debug, Clone, Default)]
pub struct RequestEstimates {
    site: String,
    path: Option<PathBuf>,
    all: BTreeMap<String, Requests>,
}

/// What visits of a site needed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Requests {
    /// Files that a browser asks for at its first page only.
    files: Option<u32>,
    /// By page, without such files.
    pages: BTreeMap<String, u32>,
}

/// What a visit needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed {
    /// Path of the page.
    pub page: String,
    /// All requests that reached the site.
    pub requests: u32,
    /// Of those, files and not queries.
    pub files: u32,
}

impl RequestEstimates {
    /// What was learned of a site; nothing where the cache cannot be read, for it is only a help.
    #[must_use]
    pub fn of(site: &str) -> Self {
        let path = crate::machine::cache_folder().map(|folder| folder.join("requests.json"));
        let all = path.as_deref().map(read).unwrap_or_default();
        Self { site: site.to_owned(), path, all }
    }

    /// Nothing, and nothing is kept.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The requests that a visit is expected to make beside [`RequestEstimates::files`], and whether that was seen before: of
    /// the page itself, else the usual number of its kind, else what is known of the kind.
    #[must_use]
    pub fn requests(&self, url: &AtlasUrl) -> (u32, bool) {
        let path = url.document().path();
        let pages = self.all.get(&self.site).map(|site| &site.pages);
        let of_kind = || {
            let parsed = |page: &String| AtlasUrl::parse_settled(page).ok().map(|parsed| parsed.url);
            let like = |page: &String| parsed(page).is_some_and(|other| kind(&other) == kind(url));
            let mut seen: Vec<u32> =
                pages.into_iter().flatten().filter(|(page, _)| like(page)).map(|(_, n)| *n).collect();
            seen.sort_unstable();
            seen.get(seen.len() / 2).copied()
        };
        match pages.and_then(|pages| pages.get(&path).copied()).or_else(of_kind) {
            Some(requests) => (requests, true),
            None => (DOCUMENT + kind(url), false),
        }
    }

    /// The files that each browser asks for once, at its first page.
    #[must_use]
    pub fn files(&self) -> u32 {
        self.all.get(&self.site).and_then(|site| site.files).unwrap_or(FILES)
    }

    /// The most files that a browser may ask for at its first page.
    #[must_use]
    pub fn files_at_most(&self) -> u32 {
        self.all.get(&self.site).and_then(|site| site.files).unwrap_or(FILES_AT_MOST)
    }

    /// Keeps what the visits of a run with so many browsers needed.
    pub fn keep(mut self, seen: impl IntoIterator<Item = Needed>, sessions: usize) {
        // another run may have learned something since this one began
        if let Some(path) = &self.path {
            self.all = read(path);
        }
        let site = self.all.entry(self.site).or_default();
        let seen: Vec<Needed> = seen.into_iter().collect();
        // what even the later visits of a browser ask for is not kept by it
        let always =
            seen.iter().map(|visit| visit.files).min().filter(|_| seen.len() > sessions).unwrap_or(0);
        for visit in seen {
            let files = visit.files.saturating_sub(always);
            site.pages.insert(visit.page, visit.requests.saturating_sub(files));
            if files > 0 {
                site.files = Some(site.files.map_or(files, |known| known.max(files)));
            }
        }
        let Some(path) = self.path else { return };
        // what is half written teaches nothing, and would be lost for all sites
        let Ok(text) = serde_json::to_vec_pretty(&self.all) else { return };
        if let Err(error) = write_atomic(&path, &text) {
            tracing::debug!("{error}");
        }
    }
}

fn read(path: &Path) -> BTreeMap<String, Requests> {
    let text = std::fs::read_to_string(path).ok();
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// What is known of a kind of page: its queries. Pages with as many are of one kind.
fn kind(url: &AtlasUrl) -> u32 {
    match &url.page {
        Page::Country { country, .. } => match by_id(*country).map(|entity| entity.page) {
            Some(PageKnown::No) => NOT_FOUND,
            _ => COUNTRY,
        },
        Page::Explore(explore) => CATALOGUES + rows(explore),
    }
}

/// The queries that feed a view, beside the catalogues.
fn rows(explore: &Explore) -> u32 {
    // the figure in the corner is a query of its own, of countries only
    let of_country = matches!(explore.sides().0, Some(PlaceId::Country(_)) | None);
    match explore.viz {
        Viz::Treemap if explore.markets => 1,
        // the rows, and the products in the world for their complexity
        Viz::Treemap => 2 + u32::from(of_country),
        Viz::Geomap => 1,
        Viz::Overtime => 1 + u32::from(of_country),
        Viz::Marketshare | Viz::Productspace => 2,
        // rows, products in the world, the country, bounds of the deciles
        Viz::Feasibility | Viz::FeasibilityTable => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> AtlasUrl {
        AtlasUrl::parse(path).unwrap().url
    }

    #[test]
    fn a_page_is_expected_to_do_what_it_did_or_what_its_kind_did() {
        let mut learned = RequestEstimates { site: "live".into(), ..RequestEstimates::default() };
        assert_eq!(learned.requests(&url("/countries/404")), (20, false));
        assert_eq!(learned.files(), FILES);
        let pages = [("/countries/404", 21), ("/countries/76", 19), ("/countries/840", 23)];
        let pages = pages.map(|(page, requests)| (page.to_owned(), requests)).into();
        learned.all.insert("live".into(), Requests { files: Some(40), pages });
        assert_eq!(learned.requests(&url("/countries/76/export-basket")), (19, true));
        assert_eq!(learned.requests(&url("/countries/724")), (21, true), "the usual number, not the largest");
        assert_eq!(learned.files(), 40);
        assert_eq!(learned.requests(&url("/explore/treemap?year=2024&exporter=country-404")), (11, false));
    }

    #[test]
    fn what_is_not_known_yet_depends_on_what_the_view_asks() {
        let learned = RequestEstimates::none();
        for (path, requests) in [
            ("/explore/treemap?year=2024&exporter=country-404", 11),
            ("/explore/treemap?year=2024&exporter=country-404&importer=country-840", 11),
            ("/explore/treemap?year=2024&exporter=group-1", 10),
            ("/explore/treemap?year=2024&exporter=country-404&view=markets", 9),
            ("/explore/treemap?year=2024&view=markets&product=product-HS92-726", 9),
            ("/explore/feasibility/table?year=2024&exporter=country-404", 12),
            ("/countries/438", 3),
        ] {
            assert_eq!(learned.requests(&url(path)), (requests, false), "{path}");
        }
    }

    #[test]
    fn files_are_learned_apart_from_pages() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("requests.json");
        let learned =
            RequestEstimates { site: "live".into(), path: Some(path.clone()), ..RequestEstimates::default() };
        let needed = |page: &str, requests, files| Needed { page: page.into(), requests, files };
        learned.keep([needed("/countries/404", 61, 41), needed("/countries/76", 22, 1)], 1);
        let all = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let learned = RequestEstimates { site: "live".into(), path: None, all };
        assert_eq!(learned.requests(&url("/countries/404")), (21, true), "one file is asked for every time");
        assert_eq!(learned.requests(&url("/countries/76")), (22, true));
        assert_eq!(learned.files(), 40);
    }

    #[test]
    fn what_is_learned_is_put_in_place_whole_beside_what_others_learned_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("atlas-gt").join("requests.json");
        let of = |site: &str| RequestEstimates {
            site: site.into(),
            path: Some(path.clone()),
            ..RequestEstimates::default()
        };
        let needed = |page: &str| Needed { page: page.into(), requests: 21, files: 0 };
        let (first, second) = (of("live"), of("https://mirror.example.org"));
        first.keep([needed("/countries/404")], 1);
        // somebody who is still reading the file of before goes on reading all of it
        let mut reader = std::fs::File::open(&path).unwrap();
        second.keep([needed("/countries/76")], 1);
        let before: BTreeMap<String, Requests> = serde_json::from_reader(&mut reader).unwrap();
        assert_eq!(before.into_keys().collect::<Vec<_>>(), ["live"]);
        assert_eq!(read(&path).into_keys().collect::<Vec<_>>(), ["https://mirror.example.org", "live"]);
        let left = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "nothing temporary stays");
    }
}
