//! Refresh by the APIs alone: typed queries of our own in place of page visits. What they say otherwise than the
//! records, at the precision that the records were displayed in, waits; for records that a page proves it waits
//! for a look at that page.

use std::time::Instant;

use super::file::{file_one, of_release, site_vintage};
use super::report::{Failed, Refreshed};
use crate::acquire::graphql::{ApiError, Client};
use crate::atlas::{AtlasUrl, Page};
use crate::capture::{Capture, Exchange};
use crate::error::{Error, Result};
use crate::evidence::Hash;
use crate::extract::{Extractor, Wanted};
use crate::manifest::{Entry, Visit, visits};
use crate::truth::{
    PointProvenance, Provenance, Record, Results, Row, SourceMethod, Store, Stored, changes, is_kept,
};
use crate::workflow::api_fallback::answers;
use crate::workflow::collect;
use crate::workflow::filing::{self, Kept};
use crate::workflow::job::Job;

/// Asks the APIs about all records of a job. The second client confirms what the first one found otherwise: a client
/// sends the same query once.
///
/// # Errors
/// The store cannot be written. An API that does not answer is no error but a report.
pub async fn ask(job: &Job, clients: [&Client; 2], run: &str) -> Result<Refreshed> {
    let started = Instant::now();
    let mut report = Refreshed::new(job, run);
    report.api_only = true;
    let [first, second] = clients;
    let vintage = site_vintage(Some(first)).await;
    let mut readings = Vec::new();
    for page in visits(&job.entries) {
        let answerable = answerable(&page, job);
        if answerable.is_empty() {
            continue;
        }
        let looked = match read(job, first, &page, &answerable).await {
            Ok(answers) if answers.iter().any(|answer| answer.differs(&job.store)) => {
                read(job, second, &page, &answerable).await.map(|again| (answers, Some(again)))
            }
            other => other.map(|answers| (answers, None)),
        };
        readings.push((
            page.url.path(),
            answerable.iter().map(|entry| entry.question_id.to_string()).collect::<Vec<_>>(),
            looked,
        ));
    }
    let after = site_vintage(Some(second)).await;
    let moved_on = vintage.is_some() && after.is_some() && vintage != after;
    report.moved_on = vintage.clone().zip(after.clone()).filter(|_| moved_on);
    report.site_vintage = after.or(vintage);
    for (page, ids, looked) in readings {
        let failed = |id: &str, cause: &str, of_the_site: bool| Failed {
            question_id: id.to_owned(),
            page: page.clone(),
            cause: cause.to_owned(),
            of_the_site,
        };
        let (answers, again) = match looked {
            Ok(looked) if !moved_on => looked,
            Ok(_) => {
                let cause = "the site brought out other data while it was asked; run refresh again";
                report.failed.extend(ids.iter().map(|id| failed(id, cause, true)));
                continue;
            }
            Err(Unanswered::Api(error)) => {
                report
                    .failed
                    .extend(ids.iter().map(|id| failed(id, &error.to_string(), error.is_of_the_site())));
                continue;
            }
            Err(Unanswered::Other(error)) => return Err(error),
        };
        for answer in answers {
            let id = answer.stored.record.question_id.to_string();
            let confirmed = again.as_ref().is_none_or(|again| {
                let other = again.iter().find(|other| other.stored.record.question_id.as_str() == id);
                !answer.differs(&job.store)
                    || other.is_some_and(|other| {
                        changes(&answer.record.results.data, &other.record.results.data).is_empty()
                    })
            });
            if let Some(cause) = &answer.failure {
                report.failed.push(failed(&id, cause, false));
            } else if confirmed {
                let provenance = of_release(answer.provenance, report.site_vintage.as_deref());
                if is_kept(&job.store, &answer.record, &provenance)? {
                    job.store.put_evidence(&answer.evidence)?;
                }
                file_one(job, &page, answer.record, provenance, &mut report)?;
            } else {
                report.failed.push(failed(&id, "the API says something else at every asking", false));
            }
        }
    }
    report.charged = job.rate.requests();
    report.requests = report.charged;
    report.waited_ms = collect::millis(job.rate.waited());
    report.finish(started.elapsed());
    Ok(report)
}

/// The questions of a page of which the APIs can answer something.
fn answerable<'a>(page: &'a Visit, job: &Job) -> Vec<&'a Entry> {
    let of = |entry: &&Entry| {
        let Some(extractor) = job.extractors.get(&entry.extractor) else { return false };
        let any = entry.data_points.iter().any(|point| extractor.is_in_responses(point));
        let explore = matches!(&page.url.page, Page::Explore(_));
        any && !(explore && job.extractors.is_browser_only(entry))
    };
    page.entries.iter().filter(|entry| of(entry)).collect()
}

/// What the APIs say to one question, in the form of its record.
struct Answer {
    stored: Stored,
    record: Record,
    provenance: Provenance,
    evidence: std::sync::Arc<Vec<u8>>,
    failure: Option<String>,
}

impl Answer {
    fn differs(&self, store: &Store) -> bool {
        self.failure.is_none()
            && store.load(&self.record.question_id).ok().flatten().is_some_and(|stored| {
                !changes(&stored.record.results.data, &self.record.results.data).is_empty()
            })
    }
}

enum Unanswered {
    Api(ApiError),
    Other(Error),
}

impl From<ApiError> for Unanswered {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<Error> for Unanswered {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// Asks what the questions of a page need, and reads the answers.
async fn read(
    job: &Job,
    client: &Client,
    page: &Visit,
    entries: &[&Entry],
) -> std::result::Result<Vec<Answer>, Unanswered> {
    let mut wanted: Vec<(&Extractor, Vec<Wanted>)> = Vec::new();
    for entry in entries {
        let Some(extractor) = job.extractors.get(&entry.extractor) else { continue };
        wanted.push((extractor, filing::wanted(entry, extractor)));
    }
    let exchanges = answers(client, &page.url, &wanted).await?;
    let now = job.clock.now();
    let capture = capture(job, &page.url, exchanges, now.to_string());
    let evidence = serde_json::to_vec(&capture)
        .map_err(|error| Error::Store { path: job.store.dir().to_owned(), message: error.to_string() })?;
    let evidence = std::sync::Arc::new(evidence);
    let kept = Kept { capture: Hash::of(&evidence), picture: None };
    let mut answers = Vec::new();
    for entry in entries {
        let Some(extractor) = job.extractors.get(&entry.extractor) else { continue };
        let Some(stored) = job.store.load(&entry.question_id)? else { continue };
        let wanted = filing::wanted(entry, extractor);
        let (can, cannot): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|wanted| extractor.is_in_responses(&wanted.data_point));
        let extraction = extractor.answer(&capture.exchanges, &page.url, &can);
        let mut rows = Vec::new();
        let mut points = Vec::new();
        let mut failures = Vec::new();
        for wanted in &can {
            match extraction.outcome(wanted) {
                Some(Ok(observations)) => {
                    for observation in observations {
                        let row = filing::as_displayed(Some(&stored), observation);
                        points.push(filing::provenance(observation, &row, extractor, &capture, &kept, now));
                        rows.push(row);
                    }
                }
                Some(Err(failure)) => failures.push(failure.to_string()),
                None => failures.push(format!("{}: was not asked for", wanted.data_point)),
            }
        }
        copy(&stored, &cannot, &mut rows, &mut points);
        let record = Record {
            execution_timestamp: now,
            source_method: SourceMethod::GraphqlApi,
            results: Results { data: rows },
            ..stored.record.clone()
        };
        let provenance = Provenance {
            question_id: entry.question_id.clone(),
            site: job.store.site(),
            record: None,
            points,
        };
        let failure = (!failures.is_empty()).then(|| failures.join("; "));
        answers.push(Answer { stored, record, provenance, evidence: evidence.clone(), failure });
    }
    Ok(answers)
}

/// Rows that no response holds stay as they are stored.
fn copy(stored: &Stored, points: &[Wanted], rows: &mut Vec<Row>, how: &mut Vec<PointProvenance>) {
    for row in &stored.record.results.data {
        if points.iter().any(|wanted| wanted.data_point == row.data_point) {
            how.extend(stored.provenance.as_ref().and_then(|provenance| provenance.of(row)).cloned());
            rows.push(row.clone());
        }
    }
}

fn capture(job: &Job, url: &AtlasUrl, exchanges: Vec<Exchange>, taken_at: String) -> Capture {
    let address = job.address(&url.path());
    Capture {
        requested_url: address.clone(),
        settled_url: address,
        status: 200,
        title: String::new(),
        html: String::new(),
        sticky_headers: Vec::new(),
        states: Vec::new(),
        requests: u32::try_from(exchanges.len()).unwrap_or(u32::MAX),
        files: 0,
        exchanges,
        own: Vec::new(),
        errors: Vec::new(),
        notes: Vec::new(),
        taken_at,
    }
}
