//! Refresh: look at the pages behind the records again, report what changed, keep it waiting, and take of it what
//! somebody accepts.

mod ask;
mod broken;
mod choose;
mod commit;
mod file;
mod judge;
mod look;
mod report;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use futures::{StreamExt, TryStreamExt, stream};

use self::broken::BrokenPages;
use self::file::{file_one, of_release, site_vintage};
use self::look::{Answer, Failure, PageResult};
use super::collect;
use super::derive::{self, Inputs};
use super::filing::{self, Unread};
use super::job::Job;
use super::recorder::{Recorder, Screenshots, targets};
use crate::acquire::Browser;
use crate::acquire::graphql::Client;
use crate::error::{Error, Result};
use crate::event::{Event, Events};
use crate::manifest::{Entry, QuestionId, Visit, visits};
use crate::truth::checks;
use crate::truth::review::Review;
use crate::truth::run_log::RunLog;

pub use ask::ask;
pub use broken::Mendable;
pub use choose::{Chosen, Selection, choose};
pub use commit::{Accepted, Commit, Committed, Picked, commit, discard, waiting};
pub use judge::{Change, Shown, judged};
pub use report::{Broken, Expiry, Failed, Pictures, Refreshed};

/// Looks at all pages of a job again and reports what differs from the records. What differs is kept waiting with its
/// evidence as soon as its page is settled; no record is touched. A run that is ended in between is gone on with where
/// the job says so.
///
/// With a `client` the release of the site's data is asked for before and after: when another comes out in
/// mid-run, everything is looked at again, so that no report mixes two.
///
/// # Errors
/// The store cannot be written. A page that cannot be read is no error but a report.
pub async fn refresh<B: Browser>(
    browser: &B,
    job: &Job,
    client: Option<&Client>,
    run: &str,
    events: &Events,
    stop: &AtomicBool,
) -> Result<Refreshed> {
    // a run with nothing to do leaves one that can be gone on with alone
    let log = (!job.entries.is_empty()).then(|| RunLog::of_refresh(&job.store));
    look_again(browser, job, client, run, events, stop, log).await
}

/// As [`refresh`], and keeps for every change a picture of what the page shows and, where the record has one, of what it
/// showed.
///
/// # Errors
/// As [`refresh`].
pub async fn refresh_with_pictures<B: Browser + Sync>(
    browser: &B,
    job: &Job,
    client: Option<&Client>,
    run: &str,
    events: &Events,
    stop: &AtomicBool,
) -> Result<Refreshed> {
    let targets = targets(job);
    let screenshots = Mutex::new(Screenshots::new());
    let recorder = Recorder::new(browser, &targets, &screenshots);
    let mut report = refresh(&recorder, job, client, run, events, stop).await?;
    let mut now = screenshots.into_inner().unwrap_or_else(PoisonError::into_inner);
    for change in &report.changes {
        if report.pictures.contains_key(&change.question_id) {
            continue;
        }
        let before = change.old.as_ref().and_then(|old| old.screenshot.as_ref());
        let before = before.map(|hash| job.store.picture(hash)).transpose()?;
        let now = change.question_id.parse().ok().and_then(|id| now.remove(&id));
        if before.is_some() || now.is_some() {
            report.pictures.insert(change.question_id.clone(), Pictures { before, now });
        }
    }
    Ok(report)
}

/// As [`refresh`]; without a log the run cannot be gone on with.
pub(super) async fn look_again<B: Browser>(
    browser: &B,
    job: &Job,
    client: Option<&Client>,
    run: &str,
    events: &Events,
    stop: &AtomicBool,
    log: Option<RunLog<'_>>,
) -> Result<Refreshed> {
    let started = Instant::now();
    let mut report = Refreshed::new(job, run);
    let vintage = site_vintage(client).await;
    let answered = answered_before(job, log, vintage.as_deref())?;
    let left: Vec<Entry> =
        job.entries.iter().filter(|entry| !answered.contains(&entry.question_id)).cloned().collect();
    let pages = visits(&left);
    events.emit(&Event::RunStarted {
        site: job.base.to_string(),
        visits: pages.len(),
        questions: left.len(),
    });
    let broken = BrokenPages::default();
    let inputs = Inputs::default();
    let round = Round { browser, job, pages: &pages, events, stop, log, inputs: &inputs, broken: &broken };
    let mut results = round.run(vintage.as_deref()).await?;
    let mut after = site_vintage(client).await;
    let mut unsettled = false;
    if let (Some(before), Some(now)) = (&vintage, &after)
        && before != now
    {
        report.moved_on = Some((before.clone(), now.clone()));
        results.iter().for_each(|page| report.count(&page.visits));
        // what was read of the release before counts no more
        report.expired = commit::expire(&job.store, Some(now))?;
        begin(job, log)?;
        results = round.run(after.as_deref()).await?;
        let at_last = site_vintage(client).await;
        unsettled = at_last != after;
        after = at_last.or(after);
    }
    report.requests += u64::from(job.options.robots.asked()) + client.map_or(0, Client::requests);
    report.site_vintage = after.or(vintage);
    for page in results {
        report.count(&page.visits);
        report.add(page);
    }
    if unsettled {
        report.give_up(&left);
        report.expired.extend(commit::expire(&job.store, report.site_vintage.as_deref())?);
    } else if !report.site_failed() {
        report.expired.extend(commit::expire(&job.store, report.site_vintage.as_deref())?);
    }
    if !answered.is_empty() {
        let ids = answered.iter().map(ToString::to_string).collect();
        let waits = waiting(&job.store, &Picked { questions: Some(ids), ..Picked::default() })?;
        report.unchanged += answered.len() - waits.len();
        report.changes.extend(waits.into_values().flatten());
    }
    if !report.broken.is_empty() {
        report.mendable = broken.mendable(job)?;
    }
    report.quarantined = job.store.quarantined();
    report.charged = job.rate.requests();
    report.waited_ms = collect::millis(job.rate.waited());
    report.interrupted = stop.load(Ordering::Acquire);
    if let Some(log) = log.filter(|_| !report.interrupted) {
        log.end()?;
    }
    report.finish(started.elapsed());
    let (took_ms, requests, interrupted) = (report.took_ms, report.requests, report.interrupted);
    events.emit(&Event::RunFinished { took_ms, requests, interrupted });
    Ok(report)
}

/// The questions of the job that a run which is gone on with has answered; a run that is not gone on with begins. What
/// was read of an earlier release is read again.
fn answered_before(
    job: &Job,
    log: Option<RunLog<'_>>,
    site_vintage: Option<&str>,
) -> Result<BTreeSet<QuestionId>> {
    let Some(earlier) = log.filter(|_| job.options.goes_on).map(RunLog::unfinished).transpose()?.flatten()
    else {
        begin(job, log)?;
        return Ok(BTreeSet::new());
    };
    let read = checks::read(&job.store)?;
    if matches!((read.site_vintage(), site_vintage), (Some(read), Some(now)) if read != now) {
        begin(job, log)?;
        return Ok(BTreeSet::new());
    }
    let mine = job.entries.iter().map(|entry| &entry.question_id);
    Ok(mine.filter(|id| earlier.answered.contains(id)).cloned().collect())
}

fn begin(job: &Job, log: Option<RunLog<'_>>) -> Result<()> {
    let questions = job.entries.iter().map(|entry| entry.question_id.clone()).collect();
    log.map_or(Ok(()), |log| log.begin(questions, job.clock.now()))
}

/// What looking at the pages of all inputs of a question came to.
fn joined(question: &Entry, inputs: Vec<Answer>, job: &Job) -> Answer {
    let mut readings = Vec::new();
    for answer in inputs {
        match answer {
            Answer::Read(reading) => readings.push(Ok(*reading)),
            Answer::Broken(unread) => readings.push(Err(unread)),
            other => return other,
        }
    }
    match derive::reading(question, readings, job.store.site(), job.clock.now()) {
        Ok(reading) => Answer::Read(Box::new(reading)),
        Err(unread) => Answer::Broken(unread),
    }
}

/// All pages once.
struct Round<'a, B> {
    browser: &'a B,
    job: &'a Job,
    pages: &'a [Visit],
    events: &'a Events,
    stop: &'a AtomicBool,
    log: Option<RunLog<'a>>,
    inputs: &'a Inputs<Answer>,
    broken: &'a BrokenPages,
}

impl<B: Browser> Round<'_, B> {
    /// Reads every page and files what it says as soon as it is settled. In the order of the pages.
    async fn run(&self, vintage: Option<&str>) -> Result<Vec<Refreshed>> {
        let (browser, job, events, stop) = (self.browser, self.job, self.events, self.stop);
        let mut done: Vec<(usize, Refreshed)> = stream::iter(self.pages.iter().enumerate())
            .map(|(index, page)| async move {
                let mut result = look::look(browser, job, page, vintage, events, stop).await?;
                self.broken.keep(result.broken.take());
                Ok::<_, Error>((index, self.file(result, vintage)?))
            })
            .buffer_unordered(job.sessions)
            .try_collect()
            .await?;
        done.sort_by_key(|(index, _)| *index);
        Ok(done.into_iter().map(|(_, page)| page).collect())
    }

    /// What cannot be found any more, once what a person has to judge of it is kept.
    fn judged(&self, unread: Unread, vintage: Option<&str>) -> Result<Answer> {
        let of_release = |held: Box<Review>| {
            Box::new(Review { provenance: of_release(held.provenance.clone(), vintage), ..*held })
        };
        let unread = Unread { review: unread.review.map(of_release), ..unread };
        Ok(match filing::judged(&self.job.store, Err(unread))? {
            Ok(reading) => Answer::Read(Box::new(reading)),
            Err(unread) => Answer::Broken(unread),
        })
    }

    /// Files what the readings of a page agree on.
    fn file(&self, result: PageResult, vintage: Option<&str>) -> Result<Refreshed> {
        let mut report = Refreshed { visits: result.visits, ..Refreshed::default() };
        for (entry, answer) in result.answers {
            let answer = match answer {
                Answer::Broken(unread) => self.judged(unread, vintage)?,
                other => other,
            };
            let (entry, answer) = if entry.input_of.is_some() {
                let added = self.inputs.add(&self.job.entries, &entry, answer);
                let Some((question, all)) = added else { continue };
                (question.clone(), joined(question, all, self.job))
            } else {
                (entry, answer)
            };
            let (id, page) = (entry.question_id.clone(), entry.url.document().path());
            let question_id = id.to_string();
            let mut is_read = false;
            match answer {
                Answer::Read(reading) => {
                    let (record, provenance) = *reading;
                    file_one(self.job, &page, record, of_release(provenance, vintage), &mut report)?;
                    is_read = true;
                }
                Answer::Broken(Unread { notes, .. }) => {
                    report.broken.push(Broken { question_id, page, notes });
                }
                Answer::Failed(Failure { cause, of_the_site }) => {
                    report.failed.push(Failed { question_id, page, cause, of_the_site });
                }
                Answer::Skipped => {
                    report.skipped += 1;
                    continue;
                }
            }
            if let Some(log) = self.log {
                log.finished(&id, is_read)?;
            }
        }
        Ok(report)
    }
}
