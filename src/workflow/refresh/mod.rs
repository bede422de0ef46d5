//! Refresh: look at the pages behind the records again, tell what changed, keep it waiting, and take of it what
//! somebody accepts.

mod ask;
mod choose;
mod commit;
mod judge;
mod look;
mod report;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures::{StreamExt, stream};

use self::look::{Answer, Looked};
use super::collect;
use super::filing::same;
use super::job::Job;
use crate::acquire::Browser;
use crate::acquire::graphql::{Client, explore};
use crate::error::Result;
use crate::event::{Event, Events};
use crate::manifest::visits;
use crate::truth::{Outcome, Provenance, Record, file_reading};

pub use ask::ask;
pub use choose::{Chosen, Selection, choose};
pub use commit::{Accepted, Commit, Committed, Picked, commit, discard, waiting};
pub use judge::{Change, Shown, judged, kinds};
pub use report::{Broken, Expiry, Failed, Refreshed};

/// Looks at all pages of a job again and tells what differs from the records. What differs is kept waiting with its
/// evidence; no record is touched.
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
    let started = Instant::now();
    let pages = visits(&job.entries);
    let questions = pages.iter().map(|visit| visit.entries.len()).sum();
    events.emit(&Event::RunStarted { site: job.base.to_string(), visits: pages.len(), questions });
    let mut report = Refreshed::new(job, run);
    let mut vintage = site_vintage(client).await;
    let mut looked = look_at_all(browser, job, &pages, vintage.as_deref(), events, stop).await?;
    let after = site_vintage(client).await;
    if let (Some(before), Some(now)) = (&vintage, &after)
        && before != now
    {
        report.moved_on = Some((before.clone(), now.clone()));
        report.count(&looked);
        looked = look_at_all(browser, job, &pages, after.as_deref(), events, stop).await?;
        let at_last = site_vintage(client).await;
        if at_last != after {
            report.unsettled = true;
        }
    }
    vintage = after.or(vintage);
    report.count(&looked);
    report.requests += u64::from(job.conduct.robots.asked()) + client.map_or(0, Client::requests);
    report.site_vintage.clone_from(&vintage);
    for page in looked {
        for (id, answer) in page.answers {
            file(job, &page.page, id.as_str(), answer, vintage.as_deref(), &mut report)?;
        }
    }
    if !report.unsettled && !report.site_failed() {
        report.expired = commit::expire(&job.store, vintage.as_deref())?;
    }
    report.charged = job.rate.requests();
    report.waited_ms = collect::millis(job.rate.waited());
    report.interrupted = stop.load(Ordering::Acquire);
    report.finish(started.elapsed());
    let (took_ms, requests, interrupted) = (report.took_ms, report.requests, report.interrupted);
    events.emit(&Event::RunFinished { took_ms, requests, interrupted });
    Ok(report)
}

async fn look_at_all<B: Browser>(
    browser: &B,
    job: &Job,
    pages: &[crate::manifest::Visit<'_>],
    vintage: Option<&str>,
    events: &Events,
    stop: &AtomicBool,
) -> Result<Vec<Looked>> {
    let mut looked: Vec<(usize, Looked)> = stream::iter(pages.iter().enumerate())
        .map(|(index, page)| async move {
            look::look(browser, job, page, vintage, events, stop).await.map(|looked| (index, looked))
        })
        .buffer_unordered(job.sessions)
        .collect::<Vec<Result<_>>>()
        .await
        .into_iter()
        .collect::<Result<_>>()?;
    looked.sort_by_key(|(index, _)| *index);
    Ok(looked.into_iter().map(|(_, looked)| looked).collect())
}

/// The release of the site's data, as its API names it; none where it does not.
async fn site_vintage(client: Option<&Client>) -> Option<String> {
    // a client sends the same query once a run
    let answer = client?.anew().ask(&explore::Metadata {}).await;
    match answer {
        Ok(answer) => answer.value?.ingestion_date,
        Err(error) => {
            tracing::info!("the release of the site's data is not known: {error}");
            None
        }
    }
}

/// Files what two looks agree on, and reports it.
fn file(
    job: &Job,
    page: &str,
    id: &str,
    answer: Answer,
    vintage: Option<&str>,
    report: &mut Refreshed,
) -> Result<()> {
    let (record, provenance) = match answer {
        Answer::Read(reading) => *reading,
        Answer::Broken(notes) => {
            let page = page.to_owned();
            report.broken.push(Broken { question_id: id.to_owned(), page, notes });
            return Ok(());
        }
        Answer::Failed(failure) => {
            report.failed.push(Failed {
                question_id: id.to_owned(),
                page: page.to_owned(),
                cause: failure.cause,
                of_the_site: failure.of_the_site,
            });
            return Ok(());
        }
        Answer::Skipped => {
            report.skipped += 1;
            return Ok(());
        }
    };
    if report.unsettled {
        let cause = "the site brought out other data while it was being read; run refresh again".to_owned();
        let page = page.to_owned();
        report.failed.push(Failed { question_id: id.to_owned(), page, cause, of_the_site: true });
        return Ok(());
    }
    file_one(job, page, record, of_release(provenance, vintage), report)
}

/// Files a reading and tells its changes.
pub(super) fn file_one(
    job: &Job,
    page: &str,
    record: Record,
    provenance: Provenance,
    report: &mut Refreshed,
) -> Result<()> {
    let id = record.question_id.clone();
    let stored = job.store.load(&id)?;
    let outcome = file_reading(&job.store, &record, &provenance, &same, None, job.clock.now())?;
    match outcome {
        Outcome::Pending { changes, suspect } => {
            let old = stored.as_ref().and_then(|stored| stored.provenance.as_ref());
            report.changes.extend(judged(id.as_str(), page, &changes, old, Some(&provenance), suspect));
        }
        Outcome::Unchanged | Outcome::Strengthened => report.unchanged += 1,
        Outcome::Refused(cause) => report.failed.push(Failed {
            question_id: id.to_string(),
            page: page.to_owned(),
            cause,
            of_the_site: false,
        }),
        // a record that went while we looked, or a forced one: neither happens in a refresh
        Outcome::Written | Outcome::Forced(_) => {}
    }
    Ok(())
}

/// The same with the release that was read.
fn of_release(mut provenance: Provenance, vintage: Option<&str>) -> Provenance {
    for point in &mut provenance.points {
        point.site_vintage = vintage.map(str::to_owned);
    }
    provenance
}
