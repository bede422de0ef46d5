//! What `mend` could make of the pages on which a refresh found something no more.

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

/// Pages of a kind that are kept: what is called otherwise is so on all of them.
const OF_A_KIND: usize = 3;

/// Pages on which something is not found any more.
#[derive(Default)]
pub(super) struct BrokenPages(Mutex<Vec<(Visit, PageResult)>>);

/// What `mend` could propose for what is not found any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Mendable {
    /// Points for which it would propose a change.
    pub points: usize,
    /// Points that are not found on the pages that were kept.
    pub of: usize,
    /// The folder that it reads.
    pub bundle: PathBuf,
}

impl BrokenPages {
    /// Keeps a page, unless there are some of its kind.
    pub(super) fn keep(&self, page: Option<Box<(Visit, PageResult)>>) {
        let Some(page) = page else { return };
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = pages.iter().filter(|(visit, _)| visit.url.kind() == page.0.url.kind()).count();
        if alike < OF_A_KIND {
            pages.push(*page);
        }
    }

    /// Writes them as a survey does, and asks what `mend` would propose.
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
