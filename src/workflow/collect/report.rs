//! The report of a collection: every page, every question, and the totals.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::acquire::host_with_port;
use crate::error::Exit;
use crate::manifest::Entry;
use crate::truth::Quarantined;
use crate::workflow::SchemaCheck;
use crate::workflow::filing::{QuestionOutcome, QuestionReport};
use crate::workflow::job::Job;
use crate::workflow::plan::QuestionReason;
use crate::workflow::visit::{VisitReport, millis, peak_memory};

/// The result of a collection.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct CollectReport {
    /// The address of the site.
    pub site: String,
    /// The folder of the records.
    pub store: PathBuf,
    /// Every page.
    pub visits: Vec<VisitReport>,
    /// Every question, in the order of the manifest.
    pub questions: Vec<QuestionReport>,
    /// Unreadable files of the store. Their questions failed without a visit.
    pub quarantined: Vec<Quarantined>,
    /// Questions that wait for a future extractor, with the reason.
    pub planned: Vec<QuestionReason>,
    /// Sums by extractor.
    pub by_extractor: BTreeMap<String, Totals>,
    /// Sums over all.
    pub totals: Totals,
    /// Requests that reached the site: those of all visits, including failed attempts, and our own.
    pub requests: u64,
    /// Our own share of these: robots.txt, schemas, and API fallback queries.
    pub own_requests: u64,
    /// Requests that the plan expected.
    pub planned_requests: u32,
    /// How the live schemas differ from those our queries were written for.
    pub schemas: Vec<SchemaCheck>,
    /// Response errors that affect no wanted value, with the number of pages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub idle_errors: BTreeMap<String, usize>,
    /// Requests charged to the budget: estimates, plus requests beyond them.
    pub charged: u64,
    /// Milliseconds spent waiting for the request budget.
    pub waited_ms: u64,
    /// Requests by host, including failed attempts, our own requests, and blocked requests.
    pub hosts: BTreeMap<String, u64>,
    /// Page visits that were retried.
    pub retries: u32,
    /// Browsers that were replaced.
    pub restarts: u32,
    /// Milliseconds spent waiting, by reason.
    pub waits: Waits,
    /// The slowest pages, slowest first.
    pub slowest: Vec<SlowPage>,
    /// Questions skipped because the resumed run had answered them.
    pub answered_before: usize,
    /// Questions skipped because they were checked recently.
    pub fresh: usize,
    /// Duration in milliseconds.
    pub took_ms: u64,
    /// Peak memory of this process without its browsers, in MB, if the system reports it.
    pub peak_memory_mb: Option<u64>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Whether the site refused or could not be reached for some page.
    pub site_failed: bool,
    /// The exit code.
    pub exit_code: u8,
    /// A sentence on the questions under review, for people.
    #[serde(skip)]
    pub review: Option<String>,
}

/// Time spent waiting, in milliseconds, summed over all waiting tasks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Waits {
    /// For the request budget, including pauses that the site asked for.
    pub budget_ms: u64,
    /// Between two attempts at a page.
    pub backoff_ms: u64,
    /// For as long as the site asked (`Retry-After`), or until the next request to a busy site.
    pub held_back_ms: u64,
}

/// A page and how long it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SlowPage {
    /// Path of the page.
    pub page: String,
    /// Milliseconds from opening to the last snapshot, including failed attempts.
    pub took_ms: u64,
    /// How often the page was loaded.
    pub loads: u32,
}

/// How many slow pages the report lists.
const SLOWEST: usize = 5;
/// Questions by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Totals {
    /// Records written.
    pub collected: usize,
    /// Records that the page confirms.
    pub agreed: usize,
    /// Collected and confirmed records whose answer is that no value exists.
    pub absent: usize,
    /// Records that the page contradicts.
    pub differing: usize,
    /// Questions that failed.
    pub failed: usize,
    /// Questions that were not reached.
    pub skipped: usize,
    /// Questions with a value that contradicts the page's own response.
    pub disagreeing: usize,
}

impl CollectReport {
    /// The report of a job, without its visits and their results.
    pub(super) fn of(job: &Job) -> Self {
        let own_requests = u64::from(job.options.robots.requests())
            + job.api.as_ref().map_or(0, |api| api.client.requests());
        let planned = |entry: &Entry| Some(QuestionReason::new(entry, entry.planned.as_deref()?));
        let hosts = (own_requests > 0).then(|| (host_with_port(&job.base), own_requests));
        Self {
            site: job.base.to_string(),
            store: job.store.dir().to_owned(),
            quarantined: job.store.quarantined(),
            planned: job.entries.iter().filter_map(planned).collect(),
            requests: own_requests,
            own_requests,
            charged: job.rate.requests(),
            waited_ms: millis(job.rate.waited()),
            hosts: hosts.into_iter().collect(),
            answered_before: job.options.answered_before,
            fresh: job.options.fresh,
            peak_memory_mb: peak_memory(),
            ..Self::default()
        }
    }

    pub(super) fn sum(&mut self) {
        self.waits.budget_ms = self.waited_ms;
        for visit in &self.visits {
            self.retries += visit.loads.saturating_sub(1);
            self.waits.backoff_ms += visit.backoff_ms;
            self.waits.held_back_ms += visit.held_back_ms;
            for error in &visit.idle_errors {
                *self.idle_errors.entry(error.clone()).or_default() += 1;
            }
            for (host, requests) in &visit.hosts {
                *self.hosts.entry(host.clone()).or_default() += u64::from(*requests);
            }
        }
        let slow = |visit: &VisitReport| SlowPage {
            page: visit.page.clone(),
            took_ms: visit.took_ms,
            loads: visit.loads,
        };
        self.slowest = self.visits.iter().filter(|visit| visit.loads > 0).map(slow).collect();
        self.slowest.sort_by(|one, other| other.took_ms.cmp(&one.took_ms).then(one.page.cmp(&other.page)));
        self.slowest.truncate(SLOWEST);
        for question in &self.questions {
            for totals in [&mut self.totals, self.by_extractor.entry(question.extractor.clone()).or_default()]
            {
                match question.outcome {
                    QuestionOutcome::Collected => totals.collected += 1,
                    QuestionOutcome::Agreed => totals.agreed += 1,
                    QuestionOutcome::Differs => totals.differing += 1,
                    QuestionOutcome::Failed => totals.failed += 1,
                    QuestionOutcome::Skipped => totals.skipped += 1,
                }
                totals.absent += usize::from(question.absent);
                totals.disagreeing += usize::from(!question.disagreements.is_empty());
            }
        }
    }

    /// The exit code (decision 22).
    #[must_use]
    pub fn exit(&self) -> Exit {
        let codes = [
            (self.interrupted, Exit::Interrupted),
            (!self.quarantined.is_empty(), Exit::Usage),
            (self.site_failed, Exit::Site),
            (self.totals.failed > 0, Exit::Extraction),
            (self.totals.differing > 0 || self.totals.disagreeing > 0, Exit::Differences),
        ];
        Exit::worst_of(codes.into_iter().filter_map(|(holds, code)| holds.then_some(code)))
    }
}
