//! Visits one page of a run, and retries failures that may pass.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use backon::BackoffBuilder;

use super::answer::Failure;
use super::page::{Attempt, Group, PageResult, PageTask};
use super::report::{VisitReport, millis};
use super::settle::read_page;
use crate::acquire::graphql::Client;
use crate::acquire::{Browser, MAX_PAUSE, VisitError, host_with_port};
use crate::capture::{Capture, Exchange};
use crate::error::Error;
use crate::event::{Event, Events};
use crate::extract::{Extraction, Extractor, Wanted};
use crate::manifest::{Entry, Method, Visit};
use crate::workflow::api_fallback::answers;
use crate::workflow::filing;
use crate::workflow::job::Job;
use atlas_gt_core::retry::backoff;

/// The maximum wait of our own choice.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// The result of a page, and a report of its visits.
pub(in crate::workflow) struct Loaded {
    pub report: VisitReport,
    pub page: std::result::Result<PageResult, Failure>,
}

/// Requests of an attempt, in all and by host.
type RequestCounts = (u32, BTreeMap<String, u32>);

/// Visits a page with retries. Emits an event at the start and the end.
pub(in crate::workflow) async fn load<B: Browser>(
    browser: &B,
    job: &Job,
    page: &Visit,
    events: &Events,
    stop: &AtomicBool,
) -> Loaded {
    let mut report = VisitReport::of(page);
    let (groups, own) = groups(job, page, Extractor::is_own);
    let loaded = if !groups.is_empty() {
        let (result, asked) = open_page(browser, job, page, groups, (&mut report, events), stop).await;
        (complete(job, page, own, result).await, asked)
    } else if own.is_empty() {
        (Err(Failure::of("no extractor reads this page", false)), RequestCounts::default())
    } else {
        let client = job.api.as_ref().map(|api| &api.client);
        answer_by_own_queries(client, job, page, &own, (&mut report, events)).await
    };
    finish(report, loaded, events)
}

/// Queries the values of a page that responses can hold, without opening it. Emits an event at the
/// start and the end.
pub(in crate::workflow) async fn query(client: &Client, job: &Job, page: &Visit, events: &Events) -> Loaded {
    let mut report = VisitReport::of(page);
    let (_, own) = groups(job, page, Extractor::is_in_responses);
    let loaded = answer_by_own_queries(Some(client), job, page, &own, (&mut report, events)).await;
    finish(report, loaded, events)
}

/// Completes the report of a page, and emits its last event.
fn finish(
    mut report: VisitReport,
    (result, (requests, hosts)): (std::result::Result<PageResult, Failure>, RequestCounts),
    events: &Events,
) -> Loaded {
    let path = report.page.clone();
    match &result {
        Ok(read) => {
            (report.looks, report.files, report.own_ms) = (read.looks, read.capture.files, millis(read.own));
            report.idle_errors = read.idle_errors();
            report.last = requests;
            let (took_ms, own_ms, looks) = (report.took_ms, report.own_ms, report.looks);
            events.emit(&Event::VisitFinished { page: path, took_ms, own_ms, looks, requests, hosts });
        }
        Err(failure) => {
            let cause = failure.to_string();
            report.failure = Some(cause.clone());
            events.emit(&Event::VisitFailed { page: path, cause, requests, hosts });
        }
    }
    Loaded { report, page: result }
}

/// Opens a page until it is read or fails for good.
async fn open_page<B: Browser>(
    browser: &B,
    job: &Job,
    page: &Visit,
    groups: Vec<Group>,
    (report, events): (&mut VisitReport, &Events),
    stop: &AtomicBool,
) -> (std::result::Result<PageResult, Failure>, RequestCounts) {
    let path = page.url.path();
    if let Some(cause) = job.options.robots.forbids(&path) {
        return (Err(Failure::of(cause, true)), RequestCounts::default());
    }
    let task = PageTask {
        address: job.address(&path),
        host: host_with_port(&job.base),
        url: &page.url,
        groups,
        patience: job.page_timeout,
        estimate: job.estimates.requests(&page.url, &job.extractors).0,
        files: (job.estimates.files(), job.estimates.files_at_most()),
    };
    let started = Instant::now();
    let mut waits = backoff(Duration::from_millis(500), MAX_WAIT, job.attempts as usize).build();
    loop {
        report.loads += 1;
        let questions = page.entries.len();
        events.emit(&Event::VisitStarted { page: path.clone(), questions, attempt: report.loads });
        let Attempt { page: result, requests, hosts } = match browser.page().await {
            Ok(mut page) => read_page(&mut page, &job.rate, &task).await,
            Err(error) => Attempt::none(error),
        };
        report.count(requests, &hosts);
        let next = waits.next();
        let refusal = result.as_ref().map_or_else(Some, |read| read.refusal.as_ref());
        let wait = refusal.map_or(Duration::ZERO, |refusal| wait_after(refusal, next));
        // also after a fully loaded page or a final failure: the next page is on the same site
        if let Some(refusal) = refusal.filter(|refusal| refusal.asks_to_hold_back()) {
            job.rate.pause(wait);
            report.held_back_ms += millis(wait);
            let asked = refusal.retry_after().is_some();
            events.emit(&Event::HeldBack { page: path.clone(), wait_ms: millis(wait), asked });
        }
        let again = |error: &VisitError| {
            let may_pass = error.is_transient() && next.is_some() && wait <= MAX_PAUSE;
            may_pass && !stop.load(Ordering::Acquire)
        };
        match result {
            Err(error) if again(&error) => {
                let cause = error.to_string();
                let (page, wait_ms) = (path.clone(), millis(wait));
                events.emit(&Event::VisitRetried { page, cause, wait_ms, requests, hosts });
                report.backoff_ms += millis(wait);
                sleep_unless(stop, wait).await;
            }
            result => {
                report.took_ms = millis(started.elapsed());
                let failed = |error| Failure::of(&error, is_of_the_site(&error));
                return (result.map_err(failed), (requests, hosts));
            }
        }
    }
}

/// Adds the results of our own queries to a page: drawn values that it did not request, and values
/// that no page shows.
async fn complete(
    job: &Job,
    page: &Visit,
    own: OwnQueries,
    read: std::result::Result<PageResult, Failure>,
) -> std::result::Result<PageResult, Failure> {
    let mut read = read?;
    if let Some(api) = &job.api {
        let drawn = |entry: &&Entry| entry.method == Method::ApiPreferred;
        for (extractor, extraction) in &mut read.readings {
            let name = &extractor.spec().name;
            let entries = page.entries.iter().filter(|entry| entry.extractor == *name).filter(drawn);
            let wanted = entries.flat_map(|entry| filing::wanted(entry, extractor)).collect();
            api.complete(extractor, &page.url, &wanted, &mut read.capture, extraction).await;
        }
    }
    if own.is_empty() {
        return Ok(read);
    }
    let client = job.api.as_ref().map(|api| &api.client);
    let (exchanges, readings) = match query_own(client, page, &own).await {
        Ok(answered) => answered,
        Err(failure) => (Vec::new(), unanswered(own, &failure.to_string())),
    };
    read.capture.own.extend(exchanges);
    for (extractor, extraction) in readings {
        let same = |(one, _): &&mut (Arc<Extractor>, Extraction)| one.spec().name == extractor.spec().name;
        match read.readings.iter_mut().find(same) {
            Some((_, known)) => {
                known.points.extend(extraction.points);
                known.idle_errors.extend(extraction.idle_errors);
            }
            None => read.readings.push((extractor, extraction)),
        }
    }
    Ok(read)
}

/// Points to query ourselves, by extractor.
type OwnQueries = Vec<(Arc<Extractor>, Vec<Wanted>)>;

/// Splits a page's points into those to extract and those to query ourselves, by extractor. Skips
/// entries whose extractor does not exist.
fn groups(job: &Job, page: &Visit, is_own: fn(&Extractor, &str) -> bool) -> (Vec<Group>, OwnQueries) {
    let (mut shown, mut own) = (Vec::new(), OwnQueries::new());
    for (name, entries) in page.by_extractor() {
        let Some(extractor) = job.extractors.get(name) else { continue };
        let wanted: BTreeSet<Wanted> =
            entries.into_iter().flat_map(|entry| filing::wanted(entry, extractor)).collect();
        let (asked, read): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|wanted| is_own(extractor, &wanted.data_point));
        if !asked.is_empty() {
            own.push((Arc::clone(extractor), asked));
        }
        if !read.is_empty() {
            shown.push(Group { extractor: Arc::clone(extractor), wanted: read });
        }
    }
    (shown, own)
}

/// Sends our own queries for a page, and reads the responses.
async fn query_own(
    client: Option<&Client>,
    page: &Visit,
    own: &OwnQueries,
) -> std::result::Result<(Vec<Exchange>, Vec<(Arc<Extractor>, Extraction)>), Failure> {
    let Some(client) = client else {
        return Err(Failure::of("no page shows it, and our own API queries are switched off", false));
    };
    let wanted: Vec<(&Extractor, Vec<Wanted>)> =
        own.iter().map(|(extractor, wanted)| (extractor.as_ref(), wanted.clone())).collect();
    let exchanges = answers(client, &page.url, &wanted)
        .await
        .map_err(|error| Failure::of(&error, error.is_of_the_site()))?;
    let read = |(extractor, wanted): &(Arc<Extractor>, Vec<Wanted>)| {
        (Arc::clone(extractor), extractor.answer(&exchanges, &page.url, wanted))
    };
    let readings = own.iter().map(read).collect();
    Ok((exchanges, readings))
}

/// Extractions in which every point failed because our own query was not answered.
fn unanswered(own: OwnQueries, why: &str) -> Vec<(Arc<Extractor>, Extraction)> {
    let failed = |(extractor, wanted): (Arc<Extractor>, Vec<Wanted>)| {
        let failure = |wanted: Wanted| (wanted.clone(), Err(extractor.unanswered(&wanted, why)));
        let points = wanted.into_iter().map(failure).collect();
        (Arc::clone(&extractor), Extraction::of(points))
    };
    own.into_iter().map(failed).collect()
}

/// Answers a page by our own queries, without opening it.
async fn answer_by_own_queries(
    client: Option<&Client>,
    job: &Job,
    page: &Visit,
    own: &OwnQueries,
    (report, events): (&mut VisitReport, &Events),
) -> (std::result::Result<PageResult, Failure>, RequestCounts) {
    let path = page.url.path();
    events.emit(&Event::VisitStarted { page: path.clone(), questions: page.entries.len(), attempt: 1 });
    let started = Instant::now();
    let sent = || client.map_or(0, Client::requests);
    let before = sent();
    let result = query_own(client, page, own).await;
    report.took_ms = millis(started.elapsed());
    let requests = u32::try_from(sent().saturating_sub(before)).unwrap_or(u32::MAX);
    let page = result.map(|(exchanges, readings)| {
        let taken_at = job.clock.now().to_string();
        let capture = Capture { own: exchanges, ..Capture::of_address(job.address(&path), taken_at) };
        PageResult::of_answers(capture, readings)
    });
    (page, (requests, BTreeMap::from([(host_with_port(&job.base), requests)])))
}

/// How long to wait after a failure: the time the site asked for, plus some jitter so that clients
/// do not return all at once. Otherwise our own next backoff, or the longest one if there is no
/// next attempt.
fn wait_after(failure: &VisitError, next: Option<Duration>) -> Duration {
    let own = next.unwrap_or(MAX_WAIT);
    failure.retry_after().map_or(own, |asked| asked.saturating_add(own.min(asked) / 8))
}

/// Sleeps until the time is over or the run is stopped.
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

fn is_of_the_site(error: &VisitError) -> bool {
    matches!(Error::from(error.clone()), Error::Site(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_is_waited_for_and_little_more() {
        let refused = |seconds: Option<u64>| VisitError::HttpStatus {
            status: 429,
            retry_after: seconds.map(Duration::from_secs),
        };
        let turn = Some(Duration::from_secs(4));
        assert_eq!(wait_after(&refused(Some(40)), turn), Duration::from_millis(40_500));
        assert_eq!(wait_after(&refused(None), turn), Duration::from_secs(4));
        assert_eq!(wait_after(&refused(None), None), MAX_WAIT, "the last attempt");
        assert!(wait_after(&refused(Some(900)), turn) > MAX_PAUSE);
    }
}
