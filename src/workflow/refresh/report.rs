//! What a refresh came to.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::judge::Change;
use crate::error::Exit;
use crate::manifest::Entry;
use crate::truth::{ChangeKind, Quarantined};
use crate::workflow::job::Job;
use crate::workflow::visit::{VisitReport, millis, peak_memory};

/// What a refresh came to.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct Refreshed {
    /// The address that was read.
    pub site: String,
    /// Where the records are.
    pub store: PathBuf,
    /// Name of the run.
    pub run: String,
    /// Whether only the APIs were asked.
    pub api_only: bool,
    /// The release of the site's data that was read, where the site names it.
    pub site_vintage: Option<String>,
    /// The releases before and after, when the site brought out another in mid-run and all was looked at again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_on: Option<(String, String)>,
    /// Questions that were looked at.
    pub questions: usize,
    /// Records that their page still agrees with.
    pub unchanged: usize,
    /// What differs, each confirmed by a second look.
    pub changes: Vec<Change>,
    /// How many of each kind.
    pub by_kind: BTreeMap<ChangeKind, usize>,
    /// Questions whose value can no longer be found on a page that is otherwise whole, confirmed by a second look.
    pub broken: Vec<Broken>,
    /// What `mend` could propose for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mendable: Option<super::Mendable>,
    /// Questions that could not be read. Never a change.
    pub failed: Vec<UnreadQuestion>,
    /// Errors of responses that nothing wanted rests on, and on how many pages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub idle_errors: BTreeMap<String, usize>,
    /// Questions that were not got to.
    pub skipped: usize,
    /// Readings of earlier runs that no longer count and were dropped.
    pub expired: Vec<Expiry>,
    /// Questions with a value that no response holds: only a browser can refresh them.
    pub browser_only: Vec<String>,
    /// Records of questions that the manifest does not have; they were not looked at.
    pub without_entry: Vec<String>,
    /// Records of questions that no page answers; they were not looked at.
    pub without_page: Vec<String>,
    /// Records that were chosen and are not stale; they were not looked at.
    pub fresh: usize,
    /// Questions of the manifest without a record; `collect` makes one.
    pub without_record: usize,
    /// What of the store cannot be read; these questions were not looked at.
    pub quarantined: Vec<Quarantined>,
    /// Every visit.
    pub visits: Vec<VisitReport>,
    /// Requests that reached the site: those of all visits, attempts that failed included, and our own.
    pub requests: u64,
    /// Requests charged against the budget.
    pub charged: u64,
    /// Milliseconds that the budget of requests made us wait.
    pub waited_ms: u64,
    /// Milliseconds from start to end.
    pub took_ms: u64,
    /// Largest memory of this process without its browsers, in MB, where the system says.
    pub peak_memory_mb: Option<u64>,
    /// Whether the run was stopped from outside.
    pub interrupted: bool,
    /// The exit code that this report leads to.
    pub exit_code: u8,
    /// Pictures of the questions that changed, where they were asked for.
    #[serde(skip)]
    pub pictures: BTreeMap<String, ChangePictures>,
}

/// What the page of a question showed, as PNG.
#[derive(Clone, Default)]
pub struct ChangePictures {
    /// When the record was read.
    pub before: Option<Vec<u8>>,
    /// Now.
    pub now: Option<Vec<u8>>,
}

impl std::fmt::Debug for ChangePictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = |png: &Option<Vec<u8>>| png.as_ref().map_or(0, Vec::len);
        write!(f, "Pictures of {} and {} bytes", size(&self.before), size(&self.now))
    }
}

/// A value that can no longer be found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Broken {
    /// The question.
    pub question_id: String,
    /// The page.
    pub page: String,
    /// What was looked for, and the nearest thing found.
    pub notes: Vec<String>,
}

/// A question that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct UnreadQuestion {
    /// The question.
    pub question_id: String,
    /// The page.
    pub page: String,
    /// Why.
    pub cause: String,
    /// Whether the site itself refused or could not be reached.
    pub of_the_site: bool,
}

/// A reading that no longer counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Expiry {
    /// The question.
    pub question_id: String,
    /// Why.
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

    /// Adds what a page came to, but for its visits.
    pub(super) fn add(&mut self, page: Self) {
        self.unchanged += page.unchanged;
        self.skipped += page.skipped;
        self.changes.extend(page.changes);
        self.broken.extend(page.broken);
        self.failed.extend(page.failed);
    }

    /// The site brought out other data twice in one run: nothing of it counts.
    pub(super) fn give_up(&mut self, entries: &[Entry]) {
        let cause = "the site brought out other data while it was being read; run refresh again";
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

    pub(super) fn finish(&mut self, took: Duration) {
        self.changes.sort_by_key(|change| change.kind);
        for change in &self.changes {
            *self.by_kind.entry(change.kind).or_default() += 1;
        }
        if !self.broken.is_empty() {
            self.by_kind.insert(ChangeKind::ExtractorBroken, self.broken.len());
        }
        self.took_ms = millis(took);
        self.peak_memory_mb = peak_memory();
        self.exit_code = self.exit() as u8;
    }

    /// Whether the site itself refused or could not be reached for something.
    #[must_use]
    pub fn site_failed(&self) -> bool {
        self.failed.iter().any(|failed| failed.of_the_site)
    }

    /// The exit code that this report leads to (decision 22).
    #[must_use]
    pub fn exit(&self) -> Exit {
        let codes = [
            (self.interrupted, Exit::Interrupted),
            (!self.quarantined.is_empty(), Exit::Usage),
            (self.site_failed(), Exit::Site),
            (!self.failed.is_empty() || !self.broken.is_empty(), Exit::Extraction),
            (!self.changes.is_empty(), Exit::Differences),
        ];
        codes.into_iter().filter(|(holds, _)| *holds).fold(Exit::Ok, |worst, (_, code)| worst.worst(code))
    }
}
