//! How many requests pages make: counted on earlier visits, or estimated from the data points of
//! their kind. The counts live in the user's cache folder, because a refresh must not change a
//! store.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::atlas::{AtlasUrl, PageKnown, SitePage, Viz, by_id};
use crate::atomic_file::write_atomic;
use crate::extract::Extractors;
use crate::manifest::Visit;

/// The document itself, requested on every visit.
const DOCUMENT_REQUESTS: u32 = 1;
/// Queries of a country page beyond those that our points need. The live site sends 15 to 20 in
/// all.
const COUNTRY_QUERIES: u32 = 7;
/// Queries of a country page that does not exist: the page queries the country and finds none.
const NOT_FOUND_QUERIES: u32 = 2;
/// Catalogues that every Explore page queries: countries, groups, products, deflators, coverage,
/// vintage, banner. Together with the three queries of a treemap's points, this gives the ten
/// counted on the live site.
const CATALOGUE_QUERIES: u32 = 7;
/// Decile bounds, from which the opportunity table fills its diamonds.
const DECILE_QUERIES: u32 = 1;
/// Script and style sheet, which a browser caches on its first page. The real number of files is
/// known after the first run.
const DEFAULT_FILES: u32 = 2;
/// Files to reserve while their number is unknown.
const DEFAULT_MAX_FILES: u32 = 40;

/// Counted requests of a site, by page.
#[derive(Debug, Clone, Default)]
pub struct RequestEstimates {
    site: String,
    path: Option<PathBuf>,
    all: BTreeMap<String, Requests>,
}

/// Requests counted on the visits of a site.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Requests {
    /// Files that a browser requests on its first page only.
    files: Option<u32>,
    /// Requests by page, without these files.
    pages: BTreeMap<String, u32>,
}

/// Requests counted on one visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed {
    /// Path of the page.
    pub page: String,
    /// All requests that reached the site.
    pub requests: u32,
    /// The files among them.
    pub files: u32,
}

impl RequestEstimates {
    /// The counts for a site. Best effort: an unreadable cache counts as empty.
    #[must_use]
    pub fn of(site: &str) -> Self {
        let path = crate::machine::cache_folder().map(|folder| folder.join("requests.json"));
        let all = path.as_deref().map(read).unwrap_or_default();
        Self { site: site.to_owned(), path, all }
    }

    /// The expected requests of a visit without [`RequestEstimates::files`], and whether the page
    /// was counted before. A page never visited gets the usual number of pages with as many
    /// queries, or else a built-in estimate: the queries of its points plus those that every such
    /// page sends.
    #[must_use]
    pub fn requests(&self, url: &AtlasUrl, extractors: &Extractors) -> (u32, bool) {
        let path = url.document().path();
        let pages = self.all.get(&self.site).map(|site| &site.pages);
        let of_kind = || {
            let parsed = |page: &String| AtlasUrl::parse_settled(page).ok().map(|parsed| parsed.url);
            let like = |page: &String| {
                parsed(page).is_some_and(|other| queries(&other, extractors) == queries(url, extractors))
            };
            let mut seen: Vec<u32> =
                pages.into_iter().flatten().filter(|(page, _)| like(page)).map(|(_, n)| *n).collect();
            seen.sort_unstable();
            seen.get(seen.len() / 2).copied()
        };
        match pages.and_then(|pages| pages.get(&path).copied()).or_else(of_kind) {
            Some(requests) => (requests, true),
            None => (DOCUMENT_REQUESTS + queries(url, extractors), false),
        }
    }

    /// Like [`RequestEstimates::requests`], plus our own queries for values that no page shows. If
    /// nothing else is wanted, only these.
    #[must_use]
    pub fn of_visit(&self, page: &Visit, extractors: &Extractors) -> (u32, bool) {
        let mut is_shown = false;
        let mut own = std::collections::BTreeSet::new();
        for entry in &page.entries {
            let Some(extractor) = extractors.get(&entry.extractor) else { continue };
            for point in &entry.data_points {
                if extractor.is_own(point) {
                    let wanted = extractor.wanted(point, &entry.context);
                    own.extend(extractor.fallback(&page.url, None, &[wanted]));
                } else {
                    is_shown = true;
                }
            }
        }
        let own = u32::try_from(own.len()).unwrap_or(u32::MAX);
        if !is_shown && own > 0 {
            return (own, true);
        }
        let (requests, counted) = self.requests(&page.url, extractors);
        (requests.saturating_add(own), counted)
    }

    /// The expected requests of all pages together, and the cached files among them.
    pub(super) fn of_pages(&self, pages: &[Visit], extractors: &Extractors, sessions: usize) -> (u32, u32) {
        let browsers = u32::try_from(sessions.min(pages.len())).unwrap_or(u32::MAX);
        let files = self.files().saturating_mul(browsers);
        (pages.iter().map(|page| self.of_visit(page, extractors).0).sum::<u32>() + files, files)
    }

    /// Files that each browser requests once, on its first page.
    #[must_use]
    pub fn files(&self) -> u32 {
        self.all.get(&self.site).and_then(|site| site.files).unwrap_or(DEFAULT_FILES)
    }

    /// The maximum number of files that a browser may request on its first page.
    #[must_use]
    pub fn files_at_most(&self) -> u32 {
        self.all.get(&self.site).and_then(|site| site.files).unwrap_or(DEFAULT_MAX_FILES)
    }

    /// Stores the counts of a run with this many browsers.
    pub fn keep(mut self, seen: impl IntoIterator<Item = Needed>, sessions: usize) {
        // another run may have counted pages since this one started
        if let Some(path) = &self.path {
            self.all = read(path);
        }
        let site = self.all.entry(self.site).or_default();
        let seen: Vec<Needed> = seen.into_iter().collect();
        // files requested even on later visits are not cached by the browser
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
        // write atomically: a truncated file would lose the counts of all sites
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

/// The estimated queries of a page without a count.
fn queries(url: &AtlasUrl, extractors: &Extractors) -> u32 {
    let beside = match &url.page {
        SitePage::Country { country, .. } => match by_id(*country).map(|entity| entity.page) {
            Some(PageKnown::No) => return NOT_FOUND_QUERIES,
            _ => COUNTRY_QUERIES,
        },
        SitePage::Explore(explore) => {
            CATALOGUE_QUERIES + DECILE_QUERIES * u32::from(explore.viz == Viz::FeasibilityTable)
        }
    };
    beside + u32::try_from(extractors.queries(url)).unwrap_or(u32::MAX - beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> AtlasUrl {
        AtlasUrl::parse(path).unwrap().url
    }

    #[test]
    fn a_page_is_expected_to_do_what_it_did_or_what_its_kind_did() {
        let extractors = Extractors::built_in().unwrap();
        let mut counted = RequestEstimates { site: "live".into(), ..RequestEstimates::default() };
        assert_eq!(counted.requests(&url("/countries/404"), &extractors), (20, false));
        assert_eq!(counted.files(), DEFAULT_FILES);
        let pages = [("/countries/404", 21), ("/countries/76", 19), ("/countries/840", 23)];
        let pages = pages.map(|(page, requests)| (page.to_owned(), requests)).into();
        counted.all.insert("live".into(), Requests { files: Some(40), pages });
        assert_eq!(counted.requests(&url("/countries/76/export-basket"), &extractors), (19, true));
        assert_eq!(
            counted.requests(&url("/countries/724"), &extractors),
            (21, true),
            "the usual number, not the largest"
        );
        assert_eq!(counted.files(), 40);
        assert_eq!(
            counted.requests(&url("/explore/treemap?year=2024&exporter=country-404"), &extractors),
            (11, false)
        );
    }

    #[test]
    fn what_is_not_known_yet_depends_on_what_the_points_of_the_page_need() {
        let (counted, extractors) = (RequestEstimates::default(), Extractors::built_in().unwrap());
        for (path, requests) in [
            ("/explore/treemap?year=2024&exporter=country-404", 11),
            ("/explore/treemap?year=2024&exporter=country-404&importer=country-840", 11),
            ("/explore/treemap?year=2024&exporter=group-1", 9),
            ("/explore/treemap?year=2024&exporter=country-404&view=markets", 9),
            ("/explore/treemap?year=2024&view=markets&product=product-HS92-726", 9),
            ("/explore/feasibility/table?year=2024&exporter=country-404", 12),
            ("/countries/438", 3),
        ] {
            assert_eq!(counted.requests(&url(path), &extractors), (requests, false), "{path}");
        }
        // without an extractor, only the queries of every such page are known
        let treemap = url("/explore/treemap?year=2024&exporter=country-404");
        assert_eq!(counted.requests(&treemap, &Extractors::default()), (8, false));
    }

    #[test]
    fn files_are_counted_apart_from_pages() {
        let extractors = Extractors::built_in().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("requests.json");
        let counted =
            RequestEstimates { site: "live".into(), path: Some(path.clone()), ..RequestEstimates::default() };
        let needed = |page: &str, requests, files| Needed { page: page.into(), requests, files };
        counted.keep([needed("/countries/404", 61, 41), needed("/countries/76", 22, 1)], 1);
        let all = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let counted = RequestEstimates { site: "live".into(), path: None, all };
        assert_eq!(
            counted.requests(&url("/countries/404"), &extractors),
            (21, true),
            "one file is asked for every time"
        );
        assert_eq!(counted.requests(&url("/countries/76"), &extractors), (22, true));
        assert_eq!(counted.files(), 40);
    }

    #[test]
    fn what_is_counted_is_put_in_place_whole_beside_what_others_counted_meanwhile() {
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
        // a reader of the old file can still finish it
        let mut reader = std::fs::File::open(&path).unwrap();
        second.keep([needed("/countries/76")], 1);
        let before: BTreeMap<String, Requests> = serde_json::from_reader(&mut reader).unwrap();
        assert_eq!(before.into_keys().collect::<Vec<_>>(), ["live"]);
        assert_eq!(read(&path).into_keys().collect::<Vec<_>>(), ["https://mirror.example.org", "live"]);
        let left = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "nothing temporary stays");
    }
}
