//! Page visits: begins a run in its events and its log, visits its pages in parallel, reads each until
//! it has settled, retries failures that may pass, returns the answers to its questions, and ends the
//! run. `collect` files the answers, `refresh` compares them, `survey` stores them.

mod answer;
mod load;
mod page;
mod reading;
mod report;
mod settle;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use futures::{StreamExt, TryStreamExt, stream};
use tokio::sync::Semaphore;

pub(super) use answer::{Answer, Failure};
pub(super) use load::{Loaded, load, query};
pub(super) use page::PageResult;
pub(super) use reading::{PageAnswers, read_each, read_questions};
pub use report::VisitReport;
pub(super) use report::{millis, peak_memory};

use super::job::Job;
use crate::error::Result;
use crate::event::{Event, Events};
use crate::manifest::{QuestionId, Visit};
use crate::truth::Store;
use crate::truth::run_log::RunLog;

/// The log that a run can be resumed from.
pub(super) type LogOf = fn(&Store) -> RunLog<'_>;

/// A run of page visits for a job. It begins and ends in its events and its log.
pub(super) struct VisitRun {
    pub job: Arc<Job>,
    pub events: Events,
    log: Option<LogOf>,
    started: Instant,
    /// The inputs read so far, by the question that is derived from them.
    inputs: Mutex<BTreeMap<QuestionId, BTreeMap<QuestionId, Answer>>>,
}

impl VisitRun {
    /// A run of a job. Without a log it cannot be resumed.
    pub fn of(job: &Arc<Job>, events: &Events, log: Option<LogOf>) -> Arc<Self> {
        let (job, events) = (Arc::clone(job), events.clone());
        Arc::new(Self { job, events, log, started: Instant::now(), inputs: Mutex::default() })
    }

    /// The run log, if there is one.
    pub fn log(&self) -> Option<RunLog<'_>> {
        self.log.map(|of| of(&self.job.store))
    }

    /// Begins the run in its log and its events.
    pub fn begin(&self, resumes: bool, visits: usize, questions: usize) -> Result<()> {
        self.begin_log(resumes)?;
        let site = self.job.base.to_string();
        self.events.emit(&Event::RunStarted { site, visits, questions });
        Ok(())
    }

    /// Logs the questions of the job. A run that resumes joins the earlier log; any other run discards it.
    pub fn begin_log(&self, resumes: bool) -> Result<()> {
        let Some(log) = self.log() else { return Ok(()) };
        let collected = self.job.entries.iter().filter(|entry| entry.is_collected());
        let questions = collected.map(|entry| entry.question_id.clone()).collect();
        let (manifest, now) = (self.job.options.manifest.as_deref(), self.job.clock.now());
        if resumes { log.join(questions, manifest, now) } else { log.begin(questions, manifest, now) }
    }

    /// Visits pages in parallel, one per session. `file` gets what `read` found, one page at a time
    /// and on another thread, so that browsers do not wait. After a stop no page is started, and
    /// `file` gets `None`. The results keep the order of the pages.
    ///
    /// # Errors
    /// The first error of `read` or `file`. A store that cannot be written ends the run at once.
    pub async fn visit_all<R: Send + 'static, T: Send + 'static>(
        self: &Arc<Self>,
        pages: Vec<Visit>,
        stop: &AtomicBool,
        read: impl AsyncFn(&Visit) -> Result<R>,
        file: impl Fn(&Self, &Visit, Option<R>) -> Result<T> + Send + Sync + 'static,
    ) -> Result<Vec<T>> {
        let (read, file, sessions) = (&read, &Arc::new(file), self.job.sessions);
        let (browser_permits, filing_permit) = (&Semaphore::new(sessions), &Semaphore::new(1));
        let mut done: Vec<(usize, T)> = stream::iter(pages.into_iter().enumerate())
            .map(|(at, page)| async move {
                let permit = browser_permits.acquire().await;
                let found = if stop.load(Ordering::Acquire) { None } else { Some(read(&page).await?) };
                // free the browser for the next page while this one is filed
                drop(permit);
                let _permit = filing_permit.acquire().await;
                let (run, file) = (Arc::clone(self), Arc::clone(file));
                let filing = tokio::task::spawn_blocking(move || file(&run, &page, found));
                let filed =
                    filing.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
                filed.map(|filed| (at, filed))
            })
            .buffer_unordered(sessions * 2)
            .try_collect()
            .await?;
        done.sort_by_key(|(at, _)| *at);
        Ok(done.into_iter().map(|(_, filed)| filed).collect())
    }

    /// Milliseconds since the start.
    pub fn took_ms(&self) -> u64 {
        millis(self.started.elapsed())
    }

    /// Ends the run in its log, if it is done, and in its events.
    pub fn finish(&self, took_ms: u64, requests: u64, interrupted: bool) -> Result<()> {
        self.log().map_or(Ok(()), |log| log.end_if_done(interrupted))?;
        self.events.emit(&Event::RunFinished { took_ms, requests, interrupted });
        Ok(())
    }
}
