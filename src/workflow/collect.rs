//! Collect: fold the questions into visits, read each page once, file every question's record.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use backon::BackoffBuilder;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use serde::Serialize;

use super::filing::{self, QuestionOutcome, QuestionReport};
use super::job::Job;
use super::learned::Needed;
use super::own::SchemaCheck;
use super::plan::page_requests;
use super::visit::{self, Errand, Seen};
use crate::acquire::graphql::Api;
use crate::acquire::{Browser, VisitError};
use crate::atlas::Page;
use crate::error::{Error, Exit, Result};
use crate::event::{Event, Events};
use crate::extract::{Extractor, Wanted};
use crate::manifest::{Entry, Method, Visit, visits};
use crate::truth::{Hash, Store, run_log};

/// What a collection came to.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// The address that was read.
    pub site: String,
    /// Where the records are.
    pub store: PathBuf,
    /// Every page.
    pub visits: Vec<VisitReport>,
    /// Every question, in the order of the manifest.
    pub questions: Vec<QuestionReport>,
    /// Questions that later extractors will answer, with the reason.
    pub planned: Vec<(String, String)>,
    /// Sums by extractor.
    pub by_extractor: BTreeMap<String, Totals>,
    /// Sums over all.
    pub totals: Totals,
    /// Requests that reached the site: as the pages that were read counted them, and our own.
    pub requests: u64,
    /// Of those, our own: schemas, and what pages drew without having sent it.
    pub own_requests: u64,
    /// Requests that the plan expected.
    pub planned_requests: u32,
    /// How the live schemas compare with those that our queries were written for.
    pub schemas: Vec<SchemaCheck>,
    /// Requests charged against the budget: estimates, and what pages made beyond them.
    pub charged: u64,
    /// Milliseconds that the budget of requests made us wait.
    pub waited_ms: u64,
    /// Requests by host, as the pages that were read counted them, and our own; tries to reach blocked hosts included.
    pub hosts: BTreeMap<String, u64>,
    /// Visits that were tried again.
    pub retries: u32,
    /// Browsers that had to be replaced.
    pub restarts: u32,
    /// Milliseconds spent waiting, by reason.
    pub waits: Waits,
    /// The pages that took longest, the longest first.
    pub slowest: Vec<SlowPage>,
    /// Questions that were left out because the run that was gone on with had answered them.
    pub answered_before: usize,
    /// Questions that were left out because they were looked at recently.
    pub fresh: usize,
    /// Milliseconds from start to end.
    pub took_ms: u64,
    /// Largest memory of this process without its browsers, in MB, where the system tells.
    pub peak_memory_mb: Option<u64>,
    /// Whether the run was stopped from outside.
    pub interrupted: bool,
    /// Whether the site itself refused or could not be reached for some page.
    pub site_failed: bool,
    /// The exit code that this report leads to.
    pub exit_code: u8,
}

/// Time spent waiting, in milliseconds, summed over all who waited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Waits {
    /// For the budget of requests, pauses that the site asked for included.
    pub budget_ms: u64,
    /// Between two attempts at a page.
    pub backoff_ms: u64,
    /// For as long as the site asked (`Retry-After`), or until a busy site was asked again.
    pub held_back_ms: u64,
}

/// A page and how long it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SlowPage {
    /// Path of the page.
    pub page: String,
    /// Milliseconds from opening to the last look, attempts that failed included.
    pub took_ms: u64,
    /// Times that it was loaded.
    pub loads: u32,
}

/// How many pages are told to be the slowest.
const SLOWEST: usize = 5;
/// The longest that a site's `Retry-After` is sat out.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// Questions by what came of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Records written.
    pub collected: usize,
    /// Records that the page still agrees with.
    pub agreed: usize,
    /// Of those two, the ones whose answer is that there is no value.
    pub absent: usize,
    /// Records that the page differs from.
    pub differing: usize,
    /// Questions that could not be answered.
    pub failed: usize,
    /// Questions that were not got to.
    pub skipped: usize,
    /// Questions with a value that the page's own response contradicts.
    pub disagreeing: usize,
}

/// One page of a collection.
#[derive(Debug, Clone, Serialize)]
pub struct VisitReport {
    /// Path of the page.
    pub page: String,
    /// Questions that it answers.
    pub questions: usize,
    /// Times that it was loaded.
    pub loads: u32,
    /// Looks of the last load.
    pub looks: u32,
    /// Requests that reached the site.
    pub requests: u32,
    /// Of those, files and not queries.
    pub files: u32,
    /// Milliseconds from opening to the last look.
    pub took_ms: u64,
    /// Milliseconds of that spent in this program itself.
    pub own_ms: u64,
    /// Milliseconds between two attempts.
    pub backoff_ms: u64,
    /// Milliseconds for which nothing was asked of the site because of this page.
    pub held_back_ms: u64,
    /// Requests by host.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hosts: BTreeMap<String, u32>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Folder with page, picture and responses, when something was missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<PathBuf>,
}

/// What one visit came to.
struct Visited {
    report: VisitReport,
    questions: Vec<QuestionReport>,
    site_failed: bool,
}

/// Collects every question of a job.
///
/// `stop` ends the run after the pages in hand.
///
/// # Errors
/// The store cannot be written. A page that cannot be read is no error but a report.
pub async fn collect<B: Browser>(
    browser: &B,
    job: &Job,
    events: &Events,
    stop: &AtomicBool,
) -> Result<Report> {
    let started = Instant::now();
    let pages = visits(&job.entries);
    let questions = pages.iter().map(|visit| visit.entries.len()).sum();
    events.emit(&Event::RunStarted { site: job.base.to_string(), visits: pages.len(), questions });
    if !job.conduct.goes_on {
        let asked =
            pages.iter().flat_map(|page| &page.entries).map(|entry| entry.question_id.clone()).collect();
        run_log::begin(&job.store, asked, job.clock.now())?;
    }
    let mut schemas = Vec::new();
    let mut planned_requests = page_requests(&pages, &job.learned, job.sessions).0;
    if let Some(api) = job.api.as_ref().filter(|_| !pages.is_empty()) {
        let now = job.clock.now();
        let unknown = |one: &&Api| !api.schemas.has(&job.base, **one, now);
        planned_requests += u32::try_from(Api::ALL.iter().filter(unknown).count()).unwrap_or(0);
        schemas = api.check_schemas(now, events).await;
    }

    let mut done: Vec<(usize, Visited)> = stream::iter(pages.iter().enumerate())
        .map(|(index, page)| async move {
            let visited = if stop.load(Ordering::Acquire) {
                Ok(skipped(page))
            } else {
                visit_page(browser, job, page, events, stop).await
            };
            visited.map(|visited| (index, visited))
        })
        .buffer_unordered(job.sessions)
        // a store that cannot be written ends the run at once: nothing more could be kept
        .try_collect()
        .await?;
    done.sort_by_key(|(index, _)| *index);

    let mut report = Report {
        site: job.base.to_string(),
        store: job.store.dir().to_owned(),
        planned_requests,
        schemas,
        own_requests: job.api.as_ref().map_or(0, |api| api.client.requests()),
        planned: job
            .entries
            .iter()
            .filter_map(|entry| Some((entry.question_id.to_string(), entry.planned.clone()?)))
            .collect(),
        charged: job.rate.requests(),
        waited_ms: millis(job.rate.waited()),
        took_ms: millis(started.elapsed()),
        peak_memory_mb: peak_memory(),
        interrupted: stop.load(Ordering::Acquire),
        restarts: browser.restarts(),
        answered_before: job.conduct.answered_before,
        fresh: job.conduct.fresh,
        ..Report::default()
    };
    report.requests = report.own_requests;
    if let Some(name) = job.base.host_str().filter(|_| report.own_requests > 0) {
        let host = job.base.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"));
        report.hosts.insert(host, report.own_requests);
    }
    for (_, visited) in done {
        report.site_failed |= visited.site_failed;
        report.requests += u64::from(visited.report.requests);
        report.visits.push(visited.report);
        report.questions.extend(visited.questions);
    }
    let order: BTreeMap<String, usize> =
        job.entries.iter().enumerate().map(|(at, entry)| (entry.question_id.to_string(), at)).collect();
    report.questions.sort_by_key(|question| order.get(&question.question_id).copied());
    report.sum();
    if run_log::unfinished(&job.store)?.is_some_and(|run| run.is_complete()) {
        run_log::end(&job.store)?;
    }
    report.exit_code = report.exit() as u8;
    events.emit(&Event::RunFinished { took_ms: report.took_ms, interrupted: report.interrupted });
    Ok(report)
}

impl Report {
    fn sum(&mut self) {
        self.waits.budget_ms = self.waited_ms;
        for visit in &self.visits {
            self.retries += visit.loads.saturating_sub(1);
            self.waits.backoff_ms += visit.backoff_ms;
            self.waits.held_back_ms += visit.held_back_ms;
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

    /// The exit code that this report leads to (decision 22).
    #[must_use]
    pub fn exit(&self) -> Exit {
        let codes = [
            (self.interrupted, Exit::Interrupted),
            (self.site_failed, Exit::Site),
            (self.totals.failed > 0, Exit::Extraction),
            (self.totals.differing > 0 || self.totals.disagreeing > 0, Exit::Differences),
        ];
        codes.into_iter().filter(|(holds, _)| *holds).fold(Exit::Ok, |worst, (_, code)| worst.worst(code))
    }
}

fn skipped(page: &Visit<'_>) -> Visited {
    Visited {
        report: VisitReport::of(page),
        questions: failed(page, QuestionOutcome::Skipped, "the run was stopped before"),
        site_failed: false,
    }
}

fn failed(page: &Visit<'_>, outcome: QuestionOutcome, cause: &str) -> Vec<QuestionReport> {
    page.entries
        .iter()
        .map(|entry| QuestionReport {
            question_id: entry.question_id.to_string(),
            extractor: entry.extractor.clone(),
            page: entry.url.path(),
            outcome,
            absent: false,
            disagreements: Vec::new(),
            notes: vec![cause.to_owned()],
        })
        .collect()
}

impl VisitReport {
    /// What the visit asked of the site, for the plan of the next run.
    #[must_use]
    pub fn needed(&self) -> Needed {
        Needed { page: self.page.clone(), requests: self.requests, files: self.files }
    }

    pub(super) fn of(page: &Visit<'_>) -> Self {
        Self {
            page: page.url.path(),
            questions: page.entries.len(),
            loads: 0,
            looks: 0,
            requests: 0,
            files: 0,
            took_ms: 0,
            own_ms: 0,
            backoff_ms: 0,
            held_back_ms: 0,
            hosts: BTreeMap::new(),
            failure: None,
            bundle: None,
        }
    }
}

/// One page as it was read, or why it was not.
pub(super) struct Loaded<'a> {
    pub report: VisitReport,
    pub page: std::result::Result<(&'a Extractor, Seen), Unread>,
}

/// Why a page could not be read.
pub(super) struct Unread {
    pub cause: String,
    /// Whether the site itself refused or could not be reached.
    pub of_the_site: bool,
}

/// Reads one page, trying again what may pass.
pub(super) async fn load<'a, B: Browser>(
    browser: &B,
    job: &'a Job,
    page: &Visit<'_>,
    events: &Events,
    stop: &AtomicBool,
) -> Loaded<'a> {
    let path = page.url.path();
    let mut report = VisitReport::of(page);
    let Some(extractor) = page.entries.first().and_then(|entry| job.extractors.get(&entry.extractor)) else {
        let cause = "no extractor reads this page".to_owned();
        return Loaded { report, page: Err(Unread { cause, of_the_site: false }) };
    };
    if let Some(cause) = job.conduct.robots.forbids(&path) {
        events.emit(&Event::VisitFailed { page: path, cause: cause.clone() });
        report.failure = Some(cause.clone());
        return Loaded { report, page: Err(Unread { cause, of_the_site: true }) };
    }
    let wanted: BTreeSet<Wanted> =
        page.entries.iter().flat_map(|entry| filing::wanted(entry, extractor)).collect();
    let wanted: Vec<Wanted> = wanted.into_iter().collect();
    let errand = Errand {
        address: job.address(&path),
        extractor,
        url: &page.url,
        wanted: &wanted,
        patience: job.page_timeout,
        estimate: job.learned.requests(&page.url).0,
    };
    let started = Instant::now();
    let mut waits = backon::ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(500))
        .with_max_delay(Duration::from_secs(30))
        .with_max_times(job.attempts.saturating_sub(1) as usize)
        .with_jitter()
        .build();
    let seen = loop {
        report.loads += 1;
        let questions = page.entries.len();
        events.emit(&Event::VisitStarted { page: path.clone(), questions, attempt: report.loads });
        let result = match browser.page().await {
            Ok(mut page) => visit::read(&mut page, &job.rate, &errand).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(seen) => break Ok(seen),
            Err(error) if error.is_transient() && !stop.load(Ordering::Acquire) => {
                let Some(wait) = waits.next() else { break Err(error) };
                let asked = error.retry_after();
                // a little more than was asked, so that not everybody comes back at the same moment
                let wait = asked.map_or(wait, |asked| asked.saturating_add(wait / 8));
                if wait > LONGEST_WAIT {
                    break Err(error);
                }
                let cause = error.to_string();
                events.emit(&Event::VisitRetried { page: path.clone(), cause, wait_ms: millis(wait) });
                if error.asks_to_hold_back() {
                    job.rate.pause(wait);
                    report.held_back_ms += millis(wait);
                    let asked = asked.is_some();
                    events.emit(&Event::HeldBack { page: path.clone(), wait_ms: millis(wait), asked });
                }
                report.backoff_ms += millis(wait);
                sleep_unless(stop, wait).await;
            }
            Err(error) => break Err(error),
        }
    };
    report.took_ms = millis(started.elapsed());
    match seen {
        Ok(mut seen) => {
            if let Some(api) = &job.api {
                let drawn = page.entries.iter().filter(|entry| entry.method == Method::ApiPreferred);
                let drawn = drawn.flat_map(|entry| filing::wanted(entry, extractor)).collect();
                api.complete(extractor, &page.url, &drawn, &mut seen).await;
            }
            Loaded { report, page: Ok((extractor, seen)) }
        }
        Err(error) => {
            let cause = error.to_string();
            events.emit(&Event::VisitFailed { page: path, cause: cause.clone() });
            report.failure = Some(cause.clone());
            Loaded { report, page: Err(Unread { cause, of_the_site: is_of_the_site(&error) }) }
        }
    }
}

/// Sleeps until the time is over or the run is to stop.
async fn sleep_unless(stop: &AtomicBool, time: Duration) {
    const NAP: Duration = Duration::from_millis(100);
    let until = Instant::now() + time;
    while !stop.load(Ordering::Acquire) {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(NAP)).await;
    }
}

/// Reads one page and files its questions.
async fn visit_page<B: Browser>(
    browser: &B,
    job: &Job,
    page: &Visit<'_>,
    events: &Events,
    stop: &AtomicBool,
) -> Result<Visited> {
    let Loaded { report, page: loaded } = load(browser, job, page, events, stop).await;
    match loaded {
        Ok((extractor, seen)) => file_page(job, page, extractor, &seen, report, events),
        Err(unread) => {
            let questions = failed(page, QuestionOutcome::Failed, &unread.cause);
            for entry in &page.entries {
                run_log::finished(&job.store, &entry.question_id, false)?;
            }
            announce(&questions, events);
            Ok(Visited { report, questions, site_failed: unread.of_the_site })
        }
    }
}

fn is_of_the_site(error: &VisitError) -> bool {
    matches!(Error::from(error.clone()), Error::Site(_))
}

/// What a page says to its questions, and what proves it.
pub(super) struct Read<'a, 's> {
    evidence: Vec<u8>,
    picture: Option<&'s [u8]>,
    pub questions: Vec<(&'a Entry, filing::Reading)>,
}

impl Read<'_, '_> {
    /// Hashes of what proves it.
    fn hashes(&self) -> Vec<Hash> {
        std::iter::once(self.evidence.as_slice()).chain(self.picture).map(Hash::of).collect()
    }

    /// Keeps what proves it.
    pub fn keep_evidence(&self, store: &Store) -> Result<()> {
        store.put_evidence(&self.evidence)?;
        if let Some(png) = self.picture {
            store.put_picture(png)?;
        }
        Ok(())
    }
}

/// Reads the answers to the questions of a page from what was seen of it.
pub(super) fn read_questions<'a, 's>(
    job: &Job,
    page: &Visit<'a>,
    extractor: &Extractor,
    seen: &'s Seen,
    now: Timestamp,
) -> Result<Read<'a, 's>> {
    let mut capture = seen.capture.clone();
    if capture.taken_at.is_empty() {
        capture.taken_at = now.to_string();
    }
    let evidence = serde_json::to_vec(&capture)
        .map_err(|error| Error::Store { path: job.store.dir().to_owned(), message: error.to_string() })?;
    let hash = Hash::of(&evidence);
    let picture = seen.screenshot.as_deref().filter(|_| matches!(page.url.page, Page::Explore(_)));
    let kept = filing::Kept { capture: hash, picture: picture.map(Hash::of) };
    let reading = |entry: &'a Entry| {
        let site = job.store.site();
        (entry, filing::reading(entry, extractor, &seen.extraction, &capture, &kept, site, now))
    };
    let questions = page.entries.iter().map(|entry| reading(entry)).collect();
    Ok(Read { evidence, picture, questions })
}

fn file_page(
    job: &Job,
    page: &Visit<'_>,
    extractor: &Extractor,
    seen: &Seen,
    mut report: VisitReport,
    events: &Events,
) -> Result<Visited> {
    let thinking = Instant::now();
    let now = job.clock.now();
    let read = read_questions(job, page, extractor, seen, now)?;
    let ids: Vec<_> = page.entries.iter().map(|entry| &entry.question_id).collect();
    run_log::filing(&job.store, &ids, read.hashes())?;
    // evidence first, so that no record ever refers to what is not there; none for what is known already
    if read.questions.iter().any(|(entry, reading)| {
        reading.as_ref().is_ok_and(|(record, _)| !filing::is_known(&job.store, entry, record))
    }) {
        read.keep_evidence(&job.store)?;
    }
    let mut questions = Vec::with_capacity(read.questions.len());
    for (entry, reading) in read.questions {
        let disagreements = filing::disagreements(entry, extractor, &seen.extraction);
        let filed = filing::file(&job.store, entry, reading, disagreements, now)?;
        run_log::finished(&job.store, &entry.question_id, filed.outcome != QuestionOutcome::Failed)?;
        questions.push(filed);
    }
    if questions.iter().any(|question| question.outcome == QuestionOutcome::Failed) {
        report.bundle = super::bundle::keep(&job.store, &page.url.path(), seen, &questions)?;
    }
    report.looks = seen.looks;
    report.requests = seen.capture.requests;
    report.files = seen.capture.files;
    report.own_ms = millis(seen.own + thinking.elapsed());
    report.hosts.clone_from(&seen.hosts);
    finished(&report, seen, events);
    announce(&questions, events);
    Ok(Visited { report, questions, site_failed: false })
}

/// Tells that a page has been read.
pub(super) fn finished(report: &VisitReport, seen: &Seen, events: &Events) {
    events.emit(&Event::VisitFinished {
        page: report.page.clone(),
        took_ms: report.took_ms,
        own_ms: report.own_ms,
        looks: seen.looks,
        requests: seen.capture.requests,
        hosts: seen.hosts.clone(),
    });
}

fn announce(questions: &[QuestionReport], events: &Events) {
    for question in questions {
        let outcome = serde_json::to_value(question.outcome).ok();
        let outcome = outcome.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        let notes = question.notes.iter().chain(&question.disagreements).cloned().collect();
        events.emit(&Event::QuestionFinished { question_id: question.question_id.clone(), outcome, notes });
    }
}

/// The high-water mark of this process's resident memory, in MB.
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
