//! Collect: fold the questions into visits, read each page once, file every question's record.

mod load;
mod report;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use tokio::sync::Semaphore;

use super::filing::{self, QuestionOutcome, QuestionReport};
use super::job::Job;
use super::plan::page_requests;
use super::visit::Seen;
use crate::acquire::graphql::Api;
use crate::acquire::{Browser, host_with_port};
use crate::atlas::Page;
use crate::error::{Error, Result};
use crate::event::{Event, Events};
use crate::extract::Extractor;
use crate::manifest::{Entry, Visit, visits};
use crate::truth::{Hash, Store, is_kept, run_log};

pub(super) use load::{Loaded, load};
pub use report::{Report, SlowPage, Totals, VisitReport, Waits};
pub(super) use report::{millis, peak_memory};

/// What one visit came to.
struct Visited {
    report: VisitReport,
    questions: Vec<QuestionReport>,
    site_failed: bool,
}

/// Collects every question of a job.
///
/// `stop` ends the run after the pages in hand. Needs a Tokio runtime: pages are filed on another thread.
///
/// # Errors
/// The store cannot be written. A page that cannot be read is no error but a report.
pub async fn collect<B: Browser>(
    browser: &B,
    job: &Arc<Job>,
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
    let mut planned_requests =
        page_requests(&pages, &job.learned, job.sessions).0 + job.conduct.robots.asked().min(1);
    if let Some(api) = job.api.as_ref().filter(|_| !pages.is_empty()) {
        let now = job.clock.now();
        let unknown = |one: &&Api| !api.schemas.has(&job.base, **one, now);
        planned_requests += u32::try_from(Api::ALL.iter().filter(unknown).count()).unwrap_or(0);
        schemas = api.check_schemas(now, events).await;
    }

    let (turns, desk) = (&Semaphore::new(job.sessions), &Semaphore::new(1));
    let mut done: Vec<(usize, Visited)> = stream::iter(pages.iter().enumerate())
        .map(|(index, page)| async move {
            let turn = turns.acquire().await;
            if stop.load(Ordering::Acquire) {
                return Ok((index, skipped(page)));
            }
            let loaded = load(browser, job, page, events, stop).await;
            // the browser goes on to the next page while this one is filed; one at a time, for there is one store
            drop(turn);
            let _place = desk.acquire().await;
            file_aside(job, index, loaded, events).await.map(|visited| (index, visited))
        })
        .buffer_unordered(job.sessions * 2)
        // a store that cannot be written ends the run at once: nothing more could be kept
        .try_collect()
        .await?;
    done.sort_by_key(|(index, _)| *index);

    let mut report = Report {
        site: job.base.to_string(),
        store: job.store.dir().to_owned(),
        planned_requests,
        schemas,
        own_requests: u64::from(job.conduct.robots.asked())
            + job.api.as_ref().map_or(0, |api| api.client.requests()),
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
    if report.own_requests > 0 {
        report.hosts.insert(host_with_port(&job.base), report.own_requests);
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
    let (took_ms, requests, interrupted) = (report.took_ms, report.requests, report.interrupted);
    events.emit(&Event::RunFinished { took_ms, requests, interrupted });
    Ok(report)
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

/// Files a page on another thread, so that the browsers are driven meanwhile. `index` is that of its visit.
async fn file_aside(job: &Arc<Job>, index: usize, loaded: Loaded, events: &Events) -> Result<Visited> {
    let (job, events) = (Arc::clone(job), events.clone());
    let filing = tokio::task::spawn_blocking(move || {
        // folded once more, as what borrows from the job cannot go to another thread
        file(&job, &visits(&job.entries)[index], loaded, &events)
    });
    filing.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// Files the questions of a page.
fn file(job: &Job, page: &Visit<'_>, loaded: Loaded, events: &Events) -> Result<Visited> {
    let Loaded { report, page: loaded } = loaded;
    match loaded {
        Ok((extractor, seen)) => file_page(job, page, &extractor, &seen, report, events),
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
    // megabytes, and only a replayed page has no time of its own
    let mut capture = Cow::Borrowed(&seen.capture);
    if capture.taken_at.is_empty() {
        capture.to_mut().taken_at = now.to_string();
    }
    let evidence = serde_json::to_vec(capture.as_ref())
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
    let started = Instant::now();
    let now = job.clock.now();
    let read = read_questions(job, page, extractor, seen, now)?;
    let ids: Vec<_> = page.entries.iter().map(|entry| &entry.question_id).collect();
    run_log::filing(&job.store, &ids, read.hashes())?;
    // evidence first, so that nothing ever refers to what is not there
    let mut is_new = false;
    for (record, provenance) in read.questions.iter().filter_map(|(_, reading)| reading.as_ref().ok()) {
        is_new |= is_kept(&job.store, record, provenance, &filing::same)?;
    }
    if is_new {
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
    report.files = seen.capture.files;
    report.filing_ms = millis(started.elapsed());
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
        filing_ms: report.filing_ms,
        looks: seen.looks,
        requests: report.last.0,
        hosts: report.last.1.clone(),
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
