//! The report of a refresh.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::judge::Change;
use super::pictures::PicturesByPoint;
use crate::error::Exit;
use crate::manifest::Entry;
use crate::truth::{ChangeKind, Quarantined};
use crate::workflow::job::Job;
use crate::workflow::visit::{VisitReport, peak_memory};

/// The result of a refresh.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct Refreshed {
    /// The address of the site.
    pub site: String,
    /// The folder of the records.
    pub store: PathBuf,
    /// The run's id.
    pub run: String,
    /// Whether the refresh used only the APIs.
    pub api_only: bool,
    /// The release of the site's data, if the site names it.
    pub site_vintage: Option<String>,
    /// The change of release, if the site published one during the run and everything was checked
    /// again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_on: Option<ReleaseChange>,
    /// The number of questions checked.
    pub questions: usize,
    /// Records that their page confirms.
    pub unchanged: usize,
    /// The differences, each confirmed by a second reading.
    pub changes: Vec<Change>,
    /// The number of changes of each kind.
    pub by_kind: BTreeMap<ChangeKind, usize>,
    /// Questions whose value is no longer found on a fully loaded page, confirmed by a second
    /// reading.
    pub broken: Vec<Broken>,
    /// What `mend` could propose for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mendable: Option<super::Mendable>,
    /// Questions that failed. A failure is never a change.
    pub failed: Vec<UnreadQuestion>,
    /// Response errors that affect no wanted value, with the number of pages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub idle_errors: BTreeMap<String, usize>,
    /// Questions that were not reached.
    pub skipped: usize,
    /// Pending readings of earlier runs that were dropped.
    pub expired: Vec<Expiry>,
    /// Questions with a value that no response holds. Only a browser can refresh them.
    pub browser_only: Vec<String>,
    /// Unchecked records whose question is not in the manifest.
    pub without_entry: Vec<String>,
    /// Unchecked records whose question no page answers.
    pub without_page: Vec<String>,
    /// Chosen records that are not stale, and were not checked.
    pub fresh: usize,
    /// Questions of the manifest without a record. `collect` creates it.
    pub without_record: usize,
    /// Unreadable files of the store. Their questions were not checked.
    pub quarantined: Vec<Quarantined>,
    /// Every visit.
    pub visits: Vec<VisitReport>,
    /// Requests that reached the site: those of all visits, including failed attempts, and our own.
    pub requests: u64,
    /// Requests charged to the budget.
    pub charged: u64,
    /// Milliseconds spent waiting for the request budget.
    pub waited_ms: u64,
    /// Duration in milliseconds.
    pub took_ms: u64,
    /// Peak memory of this process without its browsers, in MB, if the system reports it.
    pub peak_memory_mb: Option<u64>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// The exit code.
    pub exit_code: u8,
    /// Pictures of what changed, if requested.
    #[serde(skip)]
    pub pictures: PicturesByPoint,
    /// A sentence on the questions under review, for people.
    #[serde(skip)]
    pub review: Option<String>,
    /// The command that continues the run if it was interrupted: `refresh --resume`.
    #[serde(skip)]
    pub resume: String,
}

/// A change of the site's data release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ReleaseChange {
    /// The release before.
    pub before: String,
    /// The release after.
    pub after: String,
}

/// A value that is no longer found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Broken {
    /// The question.
    pub question_id: String,
    /// The page.
    pub page: String,
    /// What was searched for, and the nearest text found.
    pub notes: Vec<String>,
}

/// A question that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct UnreadQuestion {
    /// The question.
    pub question_id: String,
    /// The page.
    pub page: String,
    /// The cause.
    pub cause: String,
    /// Whether the site itself refused or could not be reached.
    pub of_the_site: bool,
}

/// A pending reading that was dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Expiry {
    /// The question.
    pub question_id: String,
    /// Why it no longer counts.
    pub why: String,
}

impl Refreshed {
    pub(super) fn new(job: &Job, run: &str) -> Self {
        Self {
            site: job.base.to_string(),
            store: job.store.dir().to_owned(),
            run: run.to_owned(),
            questions: job.entries.len(),
            fresh: job.options.fresh,
            ..Self::default()
        }
    }

    pub(super) fn count(&mut self, visits: &[VisitReport]) {
        for error in visits.iter().flat_map(|visit| &visit.idle_errors) {
            *self.idle_errors.entry(error.clone()).or_default() += 1;
        }
        self.requests += visits.iter().map(|visit| u64::from(visit.requests)).sum::<u64>();
        self.visits.extend_from_slice(visits);
    }

    /// Adds the result of a page, except its visits.
    pub(super) fn add(&mut self, page: Self) {
        self.unchanged += page.unchanged;
        self.skipped += page.skipped;
        self.changes.extend(page.changes);
        self.broken.extend(page.broken);
        self.failed.extend(page.failed);
        self.expired.extend(page.expired);
    }

    /// Discards the whole run: the site published new data twice during it.
    pub(super) fn give_up(&mut self, entries: &[Entry]) {
        let cause = "the site published new data during the run; run refresh again";
        let failed = |entry: &Entry| UnreadQuestion {
            question_id: entry.question_id.to_string(),
            page: entry.url.path(),
            cause: cause.to_owned(),
            of_the_site: true,
        };
        (self.unchanged, self.skipped) = (0, 0);
        self.changes.clear();
        self.broken.clear();
        self.failed = entries.iter().map(failed).collect();
    }

    pub(super) fn finish(&mut self, took_ms: u64) {
        self.changes.sort_by_key(|change| change.kind);
        for change in &self.changes {
            *self.by_kind.entry(change.kind).or_default() += 1;
        }
        if !self.broken.is_empty() {
            self.by_kind.insert(ChangeKind::ExtractorBroken, self.broken.len());
        }
        self.took_ms = took_ms;
        self.peak_memory_mb = peak_memory();
        self.exit_code = self.exit() as u8;
    }

    /// Whether the site refused or could not be reached for some question.
    #[must_use]
    pub fn site_failed(&self) -> bool {
        self.failed.iter().any(|failed| failed.of_the_site)
    }

    /// The exit code (decision 22).
    #[must_use]
    pub fn exit(&self) -> Exit {
        let codes = [
            (self.interrupted, Exit::Interrupted),
            (!self.quarantined.is_empty(), Exit::Usage),
            (self.site_failed(), Exit::Site),
            (!self.failed.is_empty() || !self.broken.is_empty(), Exit::Extraction),
            (!self.changes.is_empty(), Exit::Differences),
        ];
        Exit::worst_of(codes.into_iter().filter_map(|(holds, code)| holds.then_some(code)))
    }
}
