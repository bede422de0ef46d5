//! Keeps the pages on which a refresh no longer finds a value, and counts what `mend` could propose
//! for them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::error::Result;
use crate::manifest::Visit;
use crate::manifest::spec::Specs;
use crate::workflow::job::Job;
use crate::workflow::mend::mend;
use crate::workflow::survey::{self, SurveyedPoint};
use crate::workflow::visit::PageResult;

/// How many pages of a kind are kept. A renamed label is the same on all of them.
const MAX_PER_KIND: usize = 3;

/// Pages on which a value is no longer found.
#[derive(Default)]
pub(super) struct BrokenPages(Mutex<Vec<(Visit, PageResult)>>);

/// What `mend` could propose for values that are no longer found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Mendable {
    /// Points for which it would propose a change.
    pub points: usize,
    /// Missing points on the kept pages.
    pub of: usize,
    /// The folder that it reads.
    pub bundle: PathBuf,
}

impl BrokenPages {
    /// Keeps a page, unless enough of its kind are kept.
    pub(super) fn keep(&self, page: Option<Box<(Visit, PageResult)>>) {
        let Some(page) = page else { return };
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = pages.iter().filter(|(visit, _)| visit.url.kind() == page.0.url.kind()).count();
        if alike < MAX_PER_KIND {
            pages.push(*page);
        }
    }

    /// Writes the pages like a survey does, and counts what `mend` would propose.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(super) fn mendable(&self, job: &Job) -> Result<Option<Mendable>> {
        let mut pages = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if pages.is_empty() {
            return Ok(None);
        }
        pages.sort_by_key(|(visit, _)| visit.url.path());
        let dir = job.store.dir().join("failures").join("refresh");
        let bundle = survey::of_broken(job, &dir, &pages)?;
        let lost = |point: &&SurveyedPoint| !point.status.is_collected();
        let points = bundle.pages.iter().flat_map(|page| &page.page.points).filter(lost);
        let points: BTreeSet<(&str, &str)> =
            points.map(|point| (point.extractor.as_str(), point.point.as_str())).collect();
        let specs = Specs::of(job.extractors.iter().map(|extractor| extractor.spec().clone()));
        let proposed = mend(&bundle, &specs, None)?.unique;
        let given: BTreeSet<(&str, &str)> = proposed
            .iter()
            .flat_map(|one| one.points.iter().map(|point| (one.extractor.as_str(), point.as_str())))
            .collect();
        let found = points.intersection(&given).count();
        Ok(Some(Mendable { points: found, of: points.len(), bundle: dir }))
    }
}
