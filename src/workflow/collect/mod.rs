//! Collect: fold the questions into visits, read each page once, file every question's record.

mod load;
mod report;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use tokio::sync::Semaphore;

use super::derive::{self, Inputs};
use super::filing::{self, QuestionOutcome, QuestionReport};
use super::job::{Job, is_readable};
use super::visit::PageResult;
use crate::acquire::graphql::Api;
use crate::acquire::{Browser, host_with_port};
use crate::atlas::Page;
use crate::error::{Error, Result};
use crate::event::{Event, Events};
use crate::evidence::Hash;
use crate::manifest::{Entry, Visit, visits};
use crate::truth::run_log::RunLog;
use crate::truth::{Quarantined, Store, is_kept, review};

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
    let is_bad = |entry: &Entry| entry.is_collected() && !is_readable(&job.store, entry);
    let (bad, good): (Vec<Entry>, Vec<Entry>) = job.entries.iter().cloned().partition(is_bad);
    let pages = visits(&good);
    let visited = pages.iter().flat_map(|page| &page.entries).map(|entry| entry.question().clone());
    let asked: BTreeSet<_> = visited.chain(bad.iter().map(|entry| entry.question_id.clone())).collect();
    let questions = asked.len();
    events.emit(&Event::RunStarted { site: job.base.to_string(), visits: pages.len(), questions });
    if !job.options.goes_on {
        let in_order = job.entries.iter().map(|entry| entry.question_id.clone());
        let asked = in_order.filter(|id| asked.contains(id)).collect();
        RunLog::of_collect(&job.store).begin(asked, job.clock.now())?;
    }
    let quarantined = quarantined(job, &bad);
    for question in &bad {
        RunLog::of_collect(&job.store).finished(&question.question_id, false)?;
    }
    announce(&quarantined, events);
    let mut schemas = Vec::new();
    let mut planned_requests =
        job.estimates.of_pages(&pages, &job.extractors, job.sessions).0 + job.options.robots.asked().min(1);
    if let Some(api) = job.api.as_ref().filter(|_| !pages.is_empty()) {
        let now = job.clock.now();
        let unknown = |one: &&Api| !api.schemas.has(&job.base, **one, now);
        planned_requests += u32::try_from(Api::ALL.iter().filter(unknown).count()).unwrap_or(0);
        schemas = api.check_schemas(&job.extractors, now, events).await;
    }

    let inputs = Arc::new(Inputs::default());
    let (browser_permits, filing_permit) = (&Semaphore::new(job.sessions), &Semaphore::new(1));
    let mut done: Vec<(usize, Visited)> = stream::iter(pages.into_iter().enumerate())
        .map(|(index, page)| (index, page, Arc::clone(&inputs)))
        .map(|(index, page, inputs)| async move {
            let permit = browser_permits.acquire().await;
            if stop.load(Ordering::Acquire) {
                return Ok((index, skipped(job, &page, &inputs)));
            }
            let loaded = load(browser, job, &page, events, stop).await;
            // the browser goes on to the next page while this one is filed; one at a time, for there is one store
            drop(permit);
            let _permit = filing_permit.acquire().await;
            // on another thread, so that the browsers are driven meanwhile
            let (job, events) = (Arc::clone(job), events.clone());
            let filing = tokio::task::spawn_blocking(move || file(&job, &page, loaded, &inputs, &events));
            let filed = filing.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            filed.map(|visited| (index, visited))
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
        own_requests: u64::from(job.options.robots.asked())
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
        answered_before: job.options.answered_before,
        fresh: job.options.fresh,
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
    report.questions.extend(quarantined);
    report.quarantined = job.store.quarantined();
    let order: BTreeMap<String, usize> =
        job.entries.iter().enumerate().map(|(at, entry)| (entry.question_id.to_string(), at)).collect();
    report.questions.sort_by_key(|question| order.get(&question.question_id).copied());
    report.sum();
    if RunLog::of_collect(&job.store).unfinished()?.is_some_and(|run| run.is_complete()) {
        RunLog::of_collect(&job.store).end()?;
    }
    report.exit_code = report.exit() as u8;
    let (took_ms, requests, interrupted) = (report.took_ms, report.requests, report.interrupted);
    events.emit(&Event::RunFinished { took_ms, requests, interrupted });
    Ok(report)
}

/// The questions whose truth cannot be read: they fail, and nothing of theirs is touched.
fn quarantined(job: &Job, entries: &[Entry]) -> Vec<QuestionReport> {
    let all = job.store.quarantined();
    let question = |entry: &Entry| {
        let inputs = entry.readings().iter().map(|input| &input.question_id);
        let ids: Vec<_> = inputs.chain([&entry.question_id]).collect();
        let is_own = |one: &&Quarantined| one.question_id.as_ref().is_some_and(|id| ids.contains(&id));
        let notes = all.iter().filter(is_own).map(ToString::to_string).collect();
        QuestionReport::of(entry, QuestionOutcome::Failed, notes)
    };
    entries.iter().map(question).collect()
}

/// What came of one input of a question: its reading with what its page's responses contradict, or why it was not read.
enum InputCame {
    Read(Box<filing::Reading>, Vec<String>),
    Unread(QuestionOutcome, String),
}

/// The readings of all inputs of a question with what is contradicted, or what came of one that was not read, and why.
type Joined = std::result::Result<(Vec<filing::Reading>, Vec<String>), (QuestionOutcome, Vec<String>)>;

fn skipped(job: &Job, page: &Visit, inputs: &Inputs<InputCame>) -> Visited {
    let (outcome, cause) = (QuestionOutcome::Skipped, "the run was stopped before");
    Visited {
        report: VisitReport::of(page),
        questions: unread(job, page, inputs, outcome, cause),
        site_failed: false,
    }
}

/// The questions of a page that was not read, those among them whose inputs are all done with included.
fn unread(
    job: &Job,
    page: &Visit,
    inputs: &Inputs<InputCame>,
    outcome: QuestionOutcome,
    cause: &str,
) -> Vec<QuestionReport> {
    let question = |entry: &Entry| {
        if entry.input_of.is_none() {
            return Some(QuestionReport::of(entry, outcome, vec![cause.to_owned()]));
        }
        let came = InputCame::Unread(outcome, cause.to_owned());
        let (question, all) = inputs.add(&job.entries, entry, came)?;
        let (outcome, causes) = joined(all).err()?;
        Some(QuestionReport::of(question, outcome, causes))
    };
    page.entries.iter().filter_map(question).collect()
}

/// Puts the inputs of a question together.
fn joined(came: Vec<InputCame>) -> Joined {
    let (mut readings, mut disagreements) = (Vec::new(), Vec::new());
    let mut unread: Option<(QuestionOutcome, Vec<String>)> = None;
    for one in came {
        match one {
            InputCame::Read(reading, contradicted) => {
                readings.push(*reading);
                disagreements.extend(contradicted);
            }
            InputCame::Unread(outcome, cause) => {
                let known = unread.get_or_insert((outcome, Vec::new()));
                known.0 = known.0.min(outcome);
                if !known.1.contains(&cause) {
                    known.1.push(cause);
                }
            }
        }
    }
    match unread {
        Some(unread) => Err(unread),
        None => Ok((readings, disagreements)),
    }
}

/// Files the questions of a page.
fn file(
    job: &Job,
    page: &Visit,
    loaded: Loaded,
    inputs: &Inputs<InputCame>,
    events: &Events,
) -> Result<Visited> {
    let Loaded { report, page: read } = loaded;
    let visited = match read {
        Ok(read) => file_page(job, page, &read, report, inputs, events)?,
        Err(failed) => {
            let questions = unread(job, page, inputs, QuestionOutcome::Failed, &failed.cause);
            for question in &questions {
                if let Ok(id) = question.question_id.parse() {
                    RunLog::of_collect(&job.store).finished(&id, false)?;
                }
            }
            Visited { report, questions, site_failed: failed.of_the_site }
        }
    };
    announce(&visited.questions, events);
    Ok(visited)
}

/// What a page says to its questions, and what proves it.
pub(super) struct Answers<'a> {
    evidence: Vec<u8>,
    picture: Option<&'a [u8]>,
    pub questions: Vec<(&'a Entry, filing::Reading)>,
}

impl Answers<'_> {
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

/// Reads the answers to the questions of a page, each from what its own extractor read.
pub(super) fn read_questions<'a>(
    job: &Job,
    page: &'a Visit,
    read: &'a PageResult,
    now: Timestamp,
) -> Result<Answers<'a>> {
    // megabytes, and only a replayed page has no time of its own
    let mut capture = Cow::Borrowed(&read.capture);
    if capture.taken_at.is_empty() {
        capture.to_mut().taken_at = now.to_string();
    }
    let evidence = serde_json::to_vec(capture.as_ref())
        .map_err(|error| Error::Store { path: job.store.dir().to_owned(), message: error.to_string() })?;
    let drawn = matches!(page.url.page, Page::Explore(_));
    let shown = read.screenshot.as_deref();
    let kept = filing::Kept { capture: Hash::of(&evidence), picture: shown.filter(|_| drawn).map(Hash::of) };
    let (site, whole) = (job.store.site(), read.is_whole());
    let mut questions = Vec::with_capacity(page.entries.len());
    let mut is_reviewed = false;
    for entry in &page.entries {
        let reading = match read.read_by(&entry.extractor) {
            Some((extractor, extraction)) => {
                let capture = capture.as_ref();
                let own = filing::PageReading { extractor, extraction, capture, kept: &kept, site, now };
                match own.of(entry) {
                    Ok(reading) => Ok(reading),
                    Err(notes) => {
                        let stored = job.store.load(&entry.question_id)?;
                        let review = own.review(entry, stored.as_ref(), shown.map(Hash::of));
                        let review = review.filter(|_| whole);
                        is_reviewed |= review.is_some();
                        Err(filing::Unread { notes, review })
                    }
                }
            }
            None => {
                let notes = vec![format!("there is no extractor `{}`", entry.extractor)];
                Err(filing::Unread { notes, review: None })
            }
        };
        questions.push((entry, reading));
    }
    Ok(Answers { evidence, picture: shown.filter(|_| drawn || is_reviewed), questions })
}

fn file_page(
    job: &Job,
    page: &Visit,
    read: &PageResult,
    mut report: VisitReport,
    inputs: &Inputs<InputCame>,
    events: &Events,
) -> Result<Visited> {
    let started = Instant::now();
    let now = job.clock.now();
    let answers = read_questions(job, page, read, now)?;
    let ids: Vec<_> = page.entries.iter().map(Entry::question).collect();
    RunLog::of_collect(&job.store).filing(&ids, answers.hashes())?;
    // evidence first, so that nothing ever refers to what is not there
    let mut is_new = false;
    for (entry, reading) in &answers.questions {
        is_new |= is_to_keep(job, entry, reading)?;
    }
    if is_new {
        answers.keep_evidence(&job.store)?;
    }
    let mut questions = Vec::with_capacity(answers.questions.len());
    for (entry, reading) in answers.questions {
        let disagreements = read
            .read_by(&entry.extractor)
            .map(|(extractor, extraction)| filing::disagreements(entry, extractor, extraction));
        let disagreements = disagreements.unwrap_or_default();
        let (entry, reading, disagreements) = if entry.input_of.is_some() {
            let reading = filing::judged(&job.store, as_known(job, entry, reading)?)?;
            let came = InputCame::Read(Box::new(reading), disagreements);
            let Some((question, all)) = inputs.add(&job.entries, entry, came) else { continue };
            match joined(all) {
                Ok((all, disagreements)) => {
                    (question, derive::reading(question, all, job.store.site(), now), disagreements)
                }
                Err((outcome, causes)) => {
                    RunLog::of_collect(&job.store).finished(&question.question_id, false)?;
                    questions.push(QuestionReport::of(question, outcome, causes));
                    continue;
                }
            }
        } else {
            (entry, reading, disagreements)
        };
        let filed = filing::file(&job.store, entry, reading, disagreements, now)?;
        RunLog::of_collect(&job.store)
            .finished(&entry.question_id, filed.outcome != QuestionOutcome::Failed)?;
        questions.push(filed);
    }
    if questions.iter().any(|question| question.outcome == QuestionOutcome::Failed) {
        report.bundle = super::bundle::keep(&job.store, &page.url.path(), read, &questions)?;
    }
    report.looks = read.looks;
    report.files = read.capture.files;
    report.filing_ms = millis(started.elapsed());
    finished(&report, read, events);
    Ok(Visited { report, questions, site_failed: false })
}

/// Whether a reading will be kept, or waits for review, so that its evidence has to be there first.
fn is_to_keep(job: &Job, entry: &Entry, reading: &filing::Reading) -> Result<bool> {
    Ok(match reading {
        Ok((record, provenance)) if entry.input_of.is_some() => {
            derive::known(&job.store, entry, &record.results.data, &provenance.points)?.is_none()
        }
        Ok((record, provenance)) => is_kept(&job.store, record, provenance)?,
        Err(unread) => {
            unread.review.as_ref().is_some_and(|one| review::is_new(&job.store, one).unwrap_or(true))
        }
    })
}

/// An input as it is known already, where it says the same: then its evidence is there.
pub(super) fn as_known(job: &Job, entry: &Entry, reading: filing::Reading) -> Result<filing::Reading> {
    let Ok((record, provenance)) = &reading else { return Ok(reading) };
    let known = derive::known(&job.store, entry, &record.results.data, &provenance.points)?;
    Ok(known.map_or(reading, Ok))
}

/// Tells that a page has been read.
pub(super) fn finished(report: &VisitReport, read: &PageResult, events: &Events) {
    events.emit(&Event::VisitFinished {
        page: report.page.clone(),
        took_ms: report.took_ms,
        own_ms: report.own_ms,
        filing_ms: report.filing_ms,
        looks: read.looks,
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
