//! Refresh: visits the pages behind the records again, reports what changed, and keeps the changes pending until
//! somebody accepts or discards them.

mod ask;
mod broken;
mod choose;
mod commit;
mod confirm;
mod file;
mod judge;
mod pictures;
mod report;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use self::broken::BrokenPages;
use self::confirm::PageAnswers;
use self::file::{file_one, of_release, site_vintage};
use super::filing::{self, Reading, Unread};
use super::job::Job;
use super::recorder::Recorder;
use super::visit::{self, Answer, LogOf, VisitRun, millis, read_questions};
use crate::acquire::Browser;
use crate::acquire::graphql::Client;
use crate::error::Result;
use crate::event::Events;
use crate::manifest::{Entry, QuestionId, Visit, visits};
use crate::truth::checks;
use crate::truth::review::Review;
use crate::truth::run_log::RunLog;

pub use broken::Mendable;
pub use choose::{ChangeSelection, Chosen, choose};
pub use commit::{
    AcceptedChanges, Commit, Committed, Discarded, Picked, Undone, UndoneQuestion, commit, discard,
    field_list, undo, waiting,
};
pub use judge::{Change, ChangeSide, judged};
pub use pictures::{ChangePictures, PicturesByPoint};
pub use report::{Broken, Expiry, Refreshed, ReleaseChange, UnreadQuestion};

/// How the records of a job are checked.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The job.
    pub job: &'a Arc<Job>,
    /// Requests the release of the site's data before and after the run. If the site publishes a new release in
    /// between, every page is visited again, so that no report mixes two releases.
    pub client: Option<&'a Client>,
    /// The id of the run.
    pub run: &'a str,
    /// The event sink.
    pub events: &'a Events,
    /// Set when the run is interrupted.
    pub stop: &'a AtomicBool,
}

impl Look<'_> {
    /// Visits all pages of the job again and reports what differs from the records. As soon as a page is settled, its
    /// differences are stored as pending, with their evidence; records stay unchanged. An interrupted run is resumed if
    /// the job says so.
    ///
    /// # Errors
    /// The store cannot be written. An unreadable page is reported, not an error.
    pub async fn refresh<B: Browser>(&self, browser: &B) -> Result<Refreshed> {
        // a run with nothing to do leaves an unfinished run alone
        let log: Option<LogOf> = if self.job.entries.is_empty() { None } else { Some(RunLog::of_refresh) };
        self.visit_again(browser, log).await
    }

    /// Like [`Look::refresh`], and keeps pictures for every change: of the page now and, if the record has one, of the
    /// page then.
    ///
    /// # Errors
    /// As [`Look::refresh`].
    pub async fn refresh_with_pictures<B: Browser + Sync>(&self, browser: &B) -> Result<Refreshed> {
        let recorder = Recorder::new(browser, self.job);
        let mut report = self.refresh(&recorder).await?;
        report.pictures = pictures::pictures(&self.job.store, &report.changes, &recorder.pictures())?;
        Ok(report)
    }

    /// Like [`Look::refresh`]. Without a log the run cannot be resumed.
    pub(super) async fn visit_again<B: Browser>(&self, browser: &B, log: Option<LogOf>) -> Result<Refreshed> {
        let Self { job, events, stop, .. } = *self;
        let read = async |page: &Visit, vintage: Option<&str>| {
            let load = async |page: &Visit, _| visit::load(browser, job, page, events, stop).await;
            confirm::read_confirmed(job, page, vintage, stop, load, read_questions).await
        };
        self.read_all(&read, log).await
    }

    /// Queries the APIs for all records of the job instead of visiting pages. A second query confirms every difference.
    ///
    /// # Errors
    /// The store cannot be written, or the APIs hold no value of the chosen questions. An API that does not answer is
    /// reported, not an error.
    pub async fn ask(&self, client: &Client) -> Result<Refreshed> {
        let Self { job, events, stop, .. } = *self;
        ask::at_least_one_answerable(job)?;
        let read = async |page: &Visit, vintage: Option<&str>| {
            let page = ask::answerable(job, page);
            let load = async |page: &Visit, before: usize| {
                // a client sends each query once, so a second reading needs a new client
                let client = if before == 0 { client.clone() } else { client.anew() };
                visit::query(&client, job, page, events).await
            };
            confirm::read_confirmed(job, &page, vintage, stop, load, ask::read_responses).await
        };
        let report = Look { client: Some(client), ..*self }.read_all(&read, None).await?;
        Ok(Refreshed { api_only: true, ..report })
    }

    /// Reads all pages of the job, by visits or by queries, and reports the differences.
    async fn read_all(
        &self,
        read: &impl AsyncFn(&Visit, Option<&str>) -> Result<PageAnswers>,
        log: Option<LogOf>,
    ) -> Result<Refreshed> {
        let Self { job, client, run: id, events, stop } = *self;
        let run = VisitRun::of(job, events, log);
        let mut report = Refreshed::new(job, id);
        let vintage = site_vintage(client).await;
        let resumed = answered_before(&run, vintage.as_deref())?;
        let (resumes, answered) = (resumed.is_some(), resumed.unwrap_or_default());
        let left: Vec<Entry> =
            job.entries.iter().filter(|entry| !answered.contains(&entry.question_id)).cloned().collect();
        let pages = visits(&left);
        run.begin(resumes, pages.len(), left.len())?;
        let broken = Arc::new(BrokenPages::default());
        let round = Round { run: &run, pages: &pages, stop, broken: &broken };
        let is_settled = round.of_one_release(vintage, read, client, &mut report).await?;
        if !is_settled {
            report.give_up(&left);
        }
        if !is_settled || !report.site_failed() {
            report.expired.extend(commit::expire(&job.store, report.site_vintage.as_deref())?);
        }
        add_answered(job, &answered, &mut report)?;
        if !report.broken.is_empty() {
            report.mendable = broken.mendable(job)?;
        }
        report.requests += u64::from(job.options.robots.requests()) + client.map_or(0, Client::requests);
        report.quarantined = job.store.quarantined();
        report.charged = job.rate.requests();
        report.waited_ms = millis(job.rate.waited());
        report.interrupted = stop.load(Ordering::Acquire);
        report.finish(run.took_ms());
        run.finish(report.took_ms, report.requests, report.interrupted)?;
        Ok(report)
    }
}

/// Adds the pending changes of the questions that the resumed run has answered.
fn add_answered(job: &Job, answered: &BTreeSet<QuestionId>, report: &mut Refreshed) -> Result<()> {
    if answered.is_empty() {
        return Ok(());
    }
    let ids = answered.iter().map(ToString::to_string).collect();
    let waits = waiting(&job.store, &Picked { questions: Some(ids), ..Picked::default() })?;
    report.unchanged += answered.len() - waits.len();
    report.changes.extend(waits.into_values().flatten());
    Ok(())
}

/// The questions of the job that the resumed run has answered. None if the run starts over, also because the resumed
/// one read an earlier release.
fn answered_before(run: &VisitRun, site_vintage: Option<&str>) -> Result<Option<BTreeSet<QuestionId>>> {
    let job = &run.job;
    let Some(log) = run.log().filter(|_| job.options.goes_on) else { return Ok(None) };
    let Some(earlier) = log.unfinished()? else { return Ok(None) };
    let read = checks::read(&job.store)?;
    if matches!((read.site_vintage(), site_vintage), (Some(read), Some(now)) if read != now) {
        return Ok(None);
    }
    let ids = job.entries.iter().map(|entry| &entry.question_id);
    Ok(Some(ids.filter(|id| earlier.answered.contains(id)).cloned().collect()))
}

/// One pass over all pages.
struct Round<'a> {
    run: &'a Arc<VisitRun>,
    pages: &'a [Visit],
    stop: &'a AtomicBool,
    broken: &'a Arc<BrokenPages>,
}

impl Round<'_> {
    /// Reads every page. If the site publishes a new release meanwhile, reads all again, so that no report mixes two
    /// releases. Returns whether the release was the same at the end.
    async fn of_one_release(
        &self,
        before: Option<String>,
        read: &impl AsyncFn(&Visit, Option<&str>) -> Result<PageAnswers>,
        client: Option<&Client>,
        report: &mut Refreshed,
    ) -> Result<bool> {
        let mut results = self.read_pages(before.as_deref(), read).await?;
        let mut after = site_vintage(client).await;
        let mut is_settled = true;
        if let (Some(before), Some(now)) = (&before, &after)
            && before != now
        {
            report.moved_on = Some(ReleaseChange { before: before.clone(), after: now.clone() });
            results.iter().for_each(|page| report.count(&page.visits));
            report.expired.extend(results.iter_mut().flat_map(|page| page.expired.drain(..)));
            // readings of the previous release no longer count
            report.expired.extend(commit::expire(&self.run.job.store, Some(now))?);
            self.run.begin_log(false)?;
            if let Some(client) = client {
                client.forget();
            }
            results = self.read_pages(after.as_deref(), read).await?;
            let at_last = site_vintage(client).await;
            is_settled = at_last == after;
            after = at_last.or(after);
        }
        report.site_vintage = after.or(before);
        for page in results {
            report.count(&page.visits);
            report.add(page);
        }
        Ok(is_settled)
    }

    /// Reads every page and files its readings as soon as it is settled. The results keep the order of the pages.
    async fn read_pages(
        &self,
        vintage: Option<&str>,
        read: &impl AsyncFn(&Visit, Option<&str>) -> Result<PageAnswers>,
    ) -> Result<Vec<Refreshed>> {
        let filing = {
            let (broken, vintage) = (Arc::clone(self.broken), vintage.map(str::to_owned));
            move |run: &VisitRun, page: &Visit, answers: Option<PageAnswers>| {
                let mut answers = answers.unwrap_or_else(|| PageAnswers::skipped(page));
                broken.keep(answers.broken.take());
                file(run, answers, vintage.as_deref())
            }
        };
        let read_now = async |page: &Visit| read(page, vintage).await;
        self.run.visit_all(self.pages.to_vec(), self.stop, read_now, filing).await
    }
}

/// Queues for review what a person must judge of a value that is no longer found, and applies their decisions.
fn judged_reading(job: &Job, unread: Unread, vintage: Option<&str>) -> Result<Reading> {
    let of_release = |held: Box<Review>| {
        Box::new(Review { provenance: of_release(held.provenance.clone(), vintage), ..*held })
    };
    filing::judged(&job.store, Err(Unread { review: unread.review.map(of_release), ..unread }))
}

/// Files the confirmed readings of a page.
fn file(run: &VisitRun, page: PageAnswers, vintage: Option<&str>) -> Result<Refreshed> {
    let job = &run.job;
    let mut report = Refreshed { visits: page.visits, ..Refreshed::default() };
    for (entry, answer) in page.answers {
        let answer = match answer {
            Answer::Read(reading, _) => Answer::of(match *reading {
                Ok(reading) => Ok(reading),
                Err(unread) => judged_reading(job, unread, vintage)?,
            }),
            other => other,
        };
        let Some((question, answer)) = run.answer(&entry, answer) else { continue };
        let (id, page) = (&question.question_id, question.url.document().path());
        let question_id = id.to_string();
        let mut is_read = false;
        match answer {
            Answer::Read(reading, _) => match *reading {
                Ok((record, provenance)) => {
                    file_one(job, &page, record, of_release(provenance, vintage), &mut report)?;
                    is_read = true;
                }
                Err(Unread { notes, .. }) => report.broken.push(Broken { question_id, page, notes }),
            },
            Answer::Failed(failure) => {
                let (cause, of_the_site) = (failure.to_string(), failure.of_the_site);
                report.failed.push(UnreadQuestion { question_id, page, cause, of_the_site });
            }
            Answer::Skipped => {
                report.skipped += 1;
                continue;
            }
        }
        run.finished(id, is_read)?;
    }
    Ok(report)
}
