//! All compiled extractors of a run, for manifests and for reading points.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::extractor::Extractor;
use crate::atlas::{Api, AtlasUrl, PageKind, SitePage};
use crate::error::{Result, all_valid};
use crate::manifest::spec::{Point, Renamed, Spec, Specs};
use crate::manifest::{Entry, Method, PointCatalog};

/// Extractors by name.
#[derive(Debug, Clone, Default)]
pub struct Extractors(BTreeMap<String, Arc<Extractor>>);

impl Extractors {
    /// Compiles specs.
    ///
    /// # Errors
    /// Patterns or points are invalid. The error holds every problem of all files.
    pub fn new(specs: &Specs) -> Result<Self> {
        let compiled = |spec: &Spec| Ok((spec.name.clone(), Arc::new(Extractor::new(spec.clone())?)));
        Ok(Self(all_valid(specs.iter().map(compiled))?.into_iter().collect()))
    }

    /// The built-in extractors.
    ///
    /// # Errors
    /// Same as [`Extractors::new`]. A test prevents this.
    pub fn built_in() -> Result<Self> {
        Self::new(&Specs::built_in()?)
    }

    /// The expected number of queries of a page for its points, without the catalogues that every
    /// page queries. 0 if no extractor reads such pages.
    #[must_use]
    pub fn queries(&self, url: &AtlasUrl) -> usize {
        let of_page = self.iter().filter(|extractor| extractor.spec().page == url.kind());
        of_page.map(|extractor| extractor.queries(url)).max().unwrap_or(0)
    }

    /// Whether some value of a question is in no response, so that only a browser can read it.
    #[must_use]
    pub fn is_browser_only(&self, entry: &Entry) -> bool {
        if let Some(derive) = &entry.derive {
            return derive.inputs.iter().any(|input| self.is_browser_only(input));
        }
        let Some(extractor) = self.get(&entry.extractor) else { return true };
        if entry.data_points.iter().all(|point| extractor.is_own(point)) {
            return false;
        }
        // a page without a country tells whose trade it shows only by its labels
        let of_nobody = matches!(&entry.url.page, SitePage::Explore(explore) if explore.sides().0.is_none());
        of_nobody || entry.data_points.iter().any(|point| !extractor.is_in_responses(point))
    }

    /// Whether a question has a value that no page shows.
    #[must_use]
    pub fn is_own(&self, entry: &Entry) -> bool {
        entry.readings().iter().any(|read| {
            let extractor = self.get(&read.extractor);
            extractor.is_some_and(|extractor| read.data_points.iter().any(|point| extractor.is_own(point)))
        })
    }

    /// The extractor with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Extractor>> {
        self.0.get(name)
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The current names of renamed API fields, by known name. A field has one new name in the
    /// whole API.
    #[must_use]
    pub fn new_names(&self, api: Api) -> BTreeMap<String, String> {
        let specs = self.iter().map(|extractor| extractor.spec()).filter(|spec| Api::of(spec.page) == api);
        let name = |renamed: &Renamed| {
            let old = renamed.path.rsplit('.').next().unwrap_or(&renamed.path);
            (old.to_owned(), renamed.now.clone())
        };
        specs.flat_map(|spec| spec.renamed.iter().map(name)).collect()
    }

    /// All extractors, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Extractor>> {
        self.0.values()
    }
}

impl PointCatalog for Extractors {
    fn page(&self, extractor: &str) -> Option<PageKind> {
        self.get(extractor).map(|extractor| extractor.spec().page)
    }

    fn extractors(&self) -> Vec<&str> {
        self.names().collect()
    }

    fn points(&self, extractor: &str) -> Vec<&str> {
        let points = self.get(extractor).map(|extractor| extractor.spec().points.iter());
        points.into_iter().flatten().map(|point| point.id.as_str()).collect()
    }

    fn method(&self, extractor: &str, point: &str) -> Option<Method> {
        self.get(extractor)?.kind(point).map(super::Kind::method)
    }

    fn point(&self, extractor: &str, point: &str) -> Option<&Point> {
        self.get(extractor)?.spec().point(point)
    }

    fn is_yearly(&self, extractor: &str, point: &str) -> bool {
        let needs = self.get(extractor).and_then(|extractor| extractor.kind(point)).map(super::Kind::needs);
        needs.is_some_and(|needs| needs.year && !needs.own)
    }
}
