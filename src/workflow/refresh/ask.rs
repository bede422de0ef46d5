//! Refresh by the APIs alone: typed queries of our own in place of page visits. What they say otherwise than the
//! records, at the precision that the records were displayed in, waits; for records that a page proves it waits
//! for a look at that page.

use std::collections::BTreeSet;
use std::time::Instant;

use super::file::{file_one, of_release, site_vintage};
use super::report::{Failed, Refreshed};
use crate::acquire::graphql::{ApiError, Client};
use crate::atlas::Page;
use crate::capture::Capture;
use crate::error::{Error, Result};
use crate::evidence::Hash;
use crate::extract::{Extractor, Wanted, idle_errors};
use crate::manifest::{Entry, Visit, visits};
use crate::selection::at_least_one;
use crate::truth::{
    PointProvenance, Provenance, Record, Results, Row, SourceMethod, Stored, changes, is_kept,
};
use crate::workflow::api_fallback::answers;
use crate::workflow::collect;
use crate::workflow::derive::{self, Inputs};
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
    let pages = visits(&job.entries);
    // where nothing is due nothing is asked
    at_least_one(
        job.options.fresh + pages.iter().filter(|page| !answerable(page, job).is_empty()).count(),
        || {
            format!(
                "--api-only: the APIs hold no value of what was chosen ({}); without it a browser looks at the pages",
                job.entries.iter().map(|entry| entry.question_id.as_str()).collect::<Vec<_>>().join(", ")
            )
        },
    )?;
    let vintage = site_vintage(Some(first)).await;
    let mut readings = Vec::new();
    let mut idle_errors = BTreeSet::new();
    for (page, answerable) in pages.iter().map(|page| (page, answerable(page, job))) {
        if answerable.is_empty() {
            continue;
        }
        let mut ask = async |client| {
            let (answers, idle) = read(job, client, page, &answerable).await?;
            idle.into_iter().for_each(|error| _ = idle_errors.insert((page.url.path(), error)));
            Ok(answers)
        };
        let looked = match ask(first).await {
            Ok(answers) if answers.iter().any(Answer::differs) => {
                ask(second).await.map(|again| (answers, Some(again)))
            }
            other => other.map(|answers| (answers, None)),
        };
        readings.push((
            page.url.path(),
            answerable.iter().map(|entry| (*entry).clone()).collect::<Vec<_>>(),
            looked,
        ));
    }
    for (_, error) in idle_errors {
        *report.idle_errors.entry(error).or_default() += 1;
    }
    let after = site_vintage(Some(second)).await;
    let moved_on = vintage.is_some() && after.is_some() && vintage != after;
    report.moved_on = vintage.clone().zip(after.clone()).filter(|_| moved_on);
    report.site_vintage = after.or(vintage);
    let inputs = Inputs::default();
    for (page, entries, looked) in readings {
        let outcomes = match looked {
            Ok((answers, again)) if !moved_on => {
                let told = |answer: Answer| (answer.entry.clone(), answer.told(again.as_deref()));
                answers.into_iter().map(told).collect::<Vec<_>>()
            }
            Ok(_) => {
                let cause = "the site brought out other data while it was asked; run refresh again";
                all_failed(&entries, cause, true)
            }
            Err(Unanswered::Api(error)) => all_failed(&entries, &error.to_string(), error.is_of_the_site()),
            Err(Unanswered::Other(error)) => return Err(error),
        };
        for (entry, told) in outcomes {
            let (question, told) = if entry.input_of.is_some() {
                let told = told.and_then(|told| told.of_input(job, &entry));
                let Some((question, all)) = inputs.add(&job.entries, &entry, told) else { continue };
                (question.clone(), joined(question, all, job))
            } else {
                (entry, told)
            };
            match told {
                Ok(Told { record, provenance, evidence }) => {
                    let provenance = of_release(provenance, report.site_vintage.as_deref());
                    if let Some(evidence) =
                        evidence.filter(|_| is_kept(&job.store, &record, &provenance).unwrap_or(true))
                    {
                        job.store.put_evidence(&evidence)?;
                    }
                    file_one(job, &page, record, provenance, &mut report)?;
                }
                Err((cause, of_the_site)) => {
                    let question_id = question.question_id.to_string();
                    report.failed.push(Failed { question_id, page: page.clone(), cause, of_the_site });
                }
            }
        }
    }
    report.quarantined = job.store.quarantined();
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

/// What the APIs say, confirmed: a reading with its evidence, which an answer that follows from others has none of.
struct Told {
    record: Record,
    provenance: Provenance,
    evidence: Option<std::sync::Arc<Vec<u8>>>,
}

/// Why there is no answer, and whether the site itself refused or could not be reached.
type Untold = (String, bool);

impl Told {
    /// As it is known already where it says the same; else with its evidence in the store.
    fn of_input(self, job: &Job, entry: &Entry) -> std::result::Result<Self, Untold> {
        let failed = |error: Error| (error.to_string(), false);
        let (rows, points) = (&self.record.results.data, &self.provenance.points);
        let known = derive::known(&job.store, entry, rows, points).map_err(failed)?;
        if let Some((record, provenance)) = known {
            return Ok(Self { record, provenance, evidence: None });
        }
        if let Some(evidence) = &self.evidence {
            job.store.put_evidence(evidence).map_err(failed)?;
        }
        Ok(self)
    }
}

fn all_failed(
    entries: &[Entry],
    cause: &str,
    of_the_site: bool,
) -> Vec<(Entry, std::result::Result<Told, Untold>)> {
    entries.iter().map(|entry| (entry.clone(), Err((cause.to_owned(), of_the_site)))).collect()
}

/// The answer to a question by those to its inputs.
fn joined(
    question: &Entry,
    inputs: Vec<std::result::Result<Told, Untold>>,
    job: &Job,
) -> std::result::Result<Told, Untold> {
    let told: std::result::Result<Vec<Told>, Untold> = inputs.into_iter().collect();
    let readings = told?.into_iter().map(|told| Ok((told.record, told.provenance))).collect();
    let made = derive::reading(question, readings, job.store.site(), job.clock.now());
    made.map(|(record, provenance)| Told { record, provenance, evidence: None })
        .map_err(|unread| (unread.notes.join("; "), false))
}

/// What the APIs say to one question, in the form of its record.
struct Answer {
    entry: Entry,
    stored: Stored,
    record: Record,
    provenance: Provenance,
    evidence: std::sync::Arc<Vec<u8>>,
    failure: Option<String>,
}

impl Answer {
    fn differs(&self) -> bool {
        let (stored, now) = (&self.stored.record.results.data, &self.record.results.data);
        self.failure.is_none() && !changes(stored, now).is_empty()
    }

    /// The answer, where a second asking said the same.
    fn told(self, again: Option<&[Self]>) -> std::result::Result<Told, Untold> {
        if let Some(cause) = self.failure {
            return Err((cause, false));
        }
        let rows = &self.record.results.data;
        let is_same = |other: &Self| {
            other.entry.question_id == self.entry.question_id
                && changes(rows, &other.record.results.data).is_empty()
        };
        if self.differs() && again.is_some_and(|again| !again.iter().any(is_same)) {
            return Err(("the API says something else at every asking".to_owned(), false));
        }
        Ok(Told { record: self.record, provenance: self.provenance, evidence: Some(self.evidence) })
    }
}

/// The record of a question, or what its record says of an input.
fn stored_of(job: &Job, entry: &Entry) -> Result<Option<Stored>> {
    let Some(stored) = job.store.load(entry.question())? else { return Ok(None) };
    if entry.input_of.is_none() {
        return Ok(Some(stored));
    }
    let derivation = stored.provenance.as_ref().and_then(|provenance| provenance.derivation.as_ref());
    let input = derivation.and_then(|all| all.inputs.iter().find(|one| one.name == entry.question_id));
    let Some(input) = input.cloned() else { return Ok(None) };
    let question_id = entry.question_id.clone();
    let results = Results { data: vec![input.row] };
    let record = Record { question_id: question_id.clone(), results, ..stored.record };
    let points = vec![input.point];
    let question = stored.provenance.and_then(|known| known.question);
    let provenance =
        Provenance { question_id, question, site: record.site, record: None, points, derivation: None };
    Ok(Some(Stored { record, provenance: Some(provenance), hash: stored.hash }))
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

/// Asks what the questions of a page need, and reads the answers; with the errors of responses that none of them rests on.
async fn read(
    job: &Job,
    client: &Client,
    page: &Visit,
    entries: &[&Entry],
) -> std::result::Result<(Vec<Answer>, BTreeSet<String>), Unanswered> {
    let mut wanted: Vec<(&Extractor, Vec<Wanted>)> = Vec::new();
    for entry in entries {
        let Some(extractor) = job.extractors.get(&entry.extractor) else { continue };
        wanted.push((extractor, filing::wanted(entry, extractor)));
    }
    let exchanges = answers(client, &page.url, &wanted).await?;
    let now = job.clock.now();
    let requests = u32::try_from(exchanges.len()).unwrap_or(u32::MAX);
    let address = job.address(&page.url.path());
    let capture = Capture { exchanges, requests, ..Capture::of_address(address, now.to_string()) };
    let evidence = serde_json::to_vec(&capture)
        .map_err(|error| Error::Store { path: job.store.dir().to_owned(), message: error.to_string() })?;
    let evidence = std::sync::Arc::new(evidence);
    let kept = Kept { capture: Hash::of(&evidence), picture: None };
    let mut answers = Vec::new();
    let mut extractions = Vec::new();
    for entry in entries {
        let Some(extractor) = job.extractors.get(&entry.extractor) else { continue };
        let Some(stored) = stored_of(job, entry)? else { continue };
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
            question: entry.question_text.clone(),
            site: job.store.site(),
            record: None,
            points,
            derivation: None,
        };
        let failure = (!failures.is_empty()).then(|| failures.join("; "));
        answers.push(Answer {
            entry: (*entry).clone(),
            stored,
            record,
            provenance,
            evidence: evidence.clone(),
            failure,
        });
        extractions.push(extraction);
    }
    Ok((answers, idle_errors(extractions.iter())))
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
