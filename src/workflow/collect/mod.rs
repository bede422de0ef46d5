//! Collect: fold the questions into visits, read each page once, file every question's record.

mod report;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::filing::{self, QuestionOutcome, QuestionReport};
use super::job::Job;
use super::visit::{
    Answer, Failure, Loaded, PageResult, VisitReport, VisitRun, load, millis, read_questions,
};
use super::{SchemaCheck, derive};
use crate::acquire::Browser;
use crate::acquire::graphql::Api;
use crate::error::Result;
use crate::event::{Event, Events};
use crate::manifest::{Entry, Visit};
use crate::truth::run_log::RunLog;
use crate::truth::{is_kept, review};

pub use report::{CollectReport, SlowPage, Totals, Waits};

/// The result of one visit.
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
/// The store cannot be written. An unreadable page is reported, not an error.
pub async fn collect<B: Browser>(
    browser: &B,
    job: &Arc<Job>,
    events: &Events,
    stop: &AtomicBool,
) -> Result<CollectReport> {
    let run = VisitRun::of(job, events, Some(RunLog::of_collect));
    let (pages, quarantined) = run.pages();
    let questions = job.entries.iter().filter(|entry| entry.is_collected()).count();
    run.begin(job.options.goes_on, pages.len(), questions)?;
    let quarantined = file_answers(&run, quarantined)?;
    let (schemas, planned_requests) = check_schemas(job, &pages, events).await;

    let read = async |page: &Visit| Ok(load(browser, job, page, events, stop).await);
    let done = run.visit_all(pages, stop, read, file).await?;

    let mut report = CollectReport {
        planned_requests,
        schemas,
        took_ms: run.took_ms(),
        interrupted: stop.load(Ordering::Acquire),
        restarts: browser.restarts(),
        ..CollectReport::of(job)
    };
    for visited in done {
        report.site_failed |= visited.site_failed;
        report.requests += u64::from(visited.report.requests);
        report.visits.push(visited.report);
        report.questions.extend(visited.questions);
    }
    report.questions.extend(quarantined);
    let order: BTreeMap<String, usize> =
        job.entries.iter().enumerate().map(|(at, entry)| (entry.question_id.to_string(), at)).collect();
    report.questions.sort_by_key(|question| order.get(&question.question_id).copied());
    report.sum();
    report.exit_code = report.exit() as u8;
    run.finish(report.took_ms, report.requests, report.interrupted)?;
    Ok(report)
}

/// Compares the live schemas with those that our queries were written for. Also returns the requests that
/// the run is expected to make, including those for the schemas.
async fn check_schemas(job: &Job, pages: &[Visit], events: &Events) -> (Vec<SchemaCheck>, u32) {
    let planned =
        job.estimates.of_pages(pages, &job.extractors, job.sessions).0 + job.options.robots.requests().min(1);
    let Some(api) = job.api.as_ref().filter(|_| !pages.is_empty()) else { return (Vec::new(), planned) };
    let now = job.clock.now();
    let unknown = Api::ALL.iter().filter(|one| !api.schemas.has(&job.base, **one, now)).count();
    let planned = planned + u32::try_from(unknown).unwrap_or(0);
    (api.check_schemas(&job.extractors, now, events).await, planned)
}

/// Files the questions of a page.
fn file(run: &VisitRun, page: &Visit, loaded: Option<Loaded>) -> Result<Visited> {
    let started = Instant::now();
    let (mut report, read) = match loaded {
        Some(Loaded { report, page }) => (report, Some(page)),
        None => (VisitReport::of(page), None),
    };
    let answers = match &read {
        Some(Ok(read)) => answers(run, page, read)?,
        Some(Err(failure)) => {
            page.entries.iter().map(|entry| (entry, Answer::Failed(failure.clone()))).collect()
        }
        None => page.entries.iter().map(|entry| (entry, Answer::Skipped)).collect(),
    };
    let questions = file_answers(run, answers)?;
    if let Some(Ok(read)) = &read {
        if questions.iter().any(|question| question.outcome == QuestionOutcome::Failed) {
            report.bundle = super::bundle::keep(&run.job.store, &report.page, read, &questions)?;
        }
        report.filing_ms = millis(started.elapsed());
    }
    let site_failed = matches!(read, Some(Err(failure)) if failure.of_the_site);
    Ok(Visited { report, questions, site_failed })
}

/// The answers of a page. Evidence is stored first, so that no reference points to a missing file.
fn answers<'a>(run: &VisitRun, page: &'a Visit, read: &'a PageResult) -> Result<Vec<(&'a Entry, Answer)>> {
    let job = &run.job;
    let mut answers = read_questions(job, page, read, job.clock.now())?;
    let ids: Vec<_> = page.entries.iter().map(Entry::question).collect();
    run.log().map_or(Ok(()), |log| log.filing(&ids, answers.hashes()))?;
    let mut is_new = false;
    let mut readings = Vec::with_capacity(page.entries.len());
    for (entry, reading) in std::mem::take(&mut answers.questions) {
        let reading = match &reading {
            Ok((record, provenance)) if entry.input_of.is_some() => {
                let known = derive::known(&job.store, entry, &record.results.data, &provenance.points)?;
                is_new |= known.is_none();
                known.map_or(reading, Ok)
            }
            Ok((record, provenance)) => {
                is_new |= is_kept(&job.store, record, provenance)?;
                reading
            }
            Err(unread) => {
                is_new |=
                    unread.review.as_ref().is_some_and(|one| review::is_new(&job.store, one).unwrap_or(true));
                reading
            }
        };
        readings.push((entry, reading));
    }
    if is_new {
        answers.keep_evidence(&job.store)?;
    }
    let answer = |(entry, reading): (&'a Entry, filing::Reading)| {
        let contradicted = read
            .read_by(&entry.extractor)
            .map(|(extractor, extraction)| filing::disagreements(entry, extractor, extraction));
        let is_input = entry.input_of.is_some();
        let reading = if is_input { filing::judged(&job.store, reading)? } else { reading };
        Ok((entry, Answer::Read(Box::new(reading), contradicted.unwrap_or_default())))
    };
    readings.into_iter().map(answer).collect()
}

/// Files the questions that this page completes.
fn file_answers(run: &VisitRun, answers: Vec<(&Entry, Answer)>) -> Result<Vec<QuestionReport>> {
    let job = &run.job;
    let mut questions = Vec::with_capacity(answers.len());
    for (entry, answer) in answers {
        let Some((question, answer)) = run.answer(entry, answer) else { continue };
        let filed = match answer {
            Answer::Read(reading, contradicted) => {
                filing::file(&job.store, question, *reading, contradicted, job.clock.now())?
            }
            Answer::Failed(Failure { causes, .. }) => {
                QuestionReport::of(question, QuestionOutcome::Failed, causes)
            }
            Answer::Skipped => {
                let note = "the run was stopped before".to_owned();
                questions.push(QuestionReport::of(question, QuestionOutcome::Skipped, vec![note]));
                continue;
            }
        };
        run.finished(&question.question_id, filed.outcome != QuestionOutcome::Failed)?;
        announce(&filed, &run.events);
        questions.push(filed);
    }
    Ok(questions)
}

fn announce(question: &QuestionReport, events: &Events) {
    let outcome = crate::words::name(&question.outcome).to_owned();
    let notes = question.notes.iter().chain(&question.disagreements).cloned().collect();
    events.emit(&Event::QuestionFinished { question_id: question.question_id.clone(), outcome, notes });
}
