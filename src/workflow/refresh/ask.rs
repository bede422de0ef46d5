//! Refresh through the APIs alone: our own typed queries replace page visits. A response that
//! differs from a record, at its displayed precision, waits for a decision. For records read from a
//! page, it waits for a page visit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use super::confirm::PageAnswers;
use super::file::of_release;
use crate::acquire::graphql::{ApiError, Client};
use crate::acquire::host_with_port;
use crate::atlas::SitePage;
use crate::capture::Capture;
use crate::error::{Error, Result};
use crate::event::{Event, Events};
use crate::evidence::Hash;
use crate::extract::{Extractor, Wanted, idle_errors};
use crate::manifest::{Entry, Visit, visits};
use crate::selection::at_least_one;
use crate::truth::{
    PointProvenance, Provenance, Record, Results, Row, SourceMethod, Stored, changes, is_kept,
};
use crate::workflow::api_fallback::answers;
use crate::workflow::derive;
use crate::workflow::filing::{self, Kept};
use crate::workflow::job::Job;
use crate::workflow::visit::{Answer, Failure, VisitReport, millis};

/// Checks that the APIs can answer some question of a job. An empty job passes.
///
/// # Errors
/// The APIs hold no value of the chosen questions.
pub(super) fn at_least_one_answerable(job: &Job) -> Result<()> {
    let pages = visits(&job.entries);
    let answerable = pages.iter().filter(|page| !answerable(page, job).is_empty()).count();
    at_least_one(job.options.fresh + answerable, || {
        format!(
            "--api-only: the APIs hold no value of the chosen questions ({}); omit it to read the pages in a browser",
            job.entries.iter().map(|entry| entry.question_id.as_str()).collect::<Vec<_>>().join(", ")
        )
    })?;
    Ok(())
}

/// Queries the values of a page. A value that differs from its record is queried twice.
pub(super) async fn ask_confirmed(
    job: &Job,
    client: &Client,
    page: &Visit,
    vintage: Option<&str>,
    events: &Events,
) -> Result<PageAnswers> {
    let entries = answerable(page, job);
    let mut report = VisitReport::of(page);
    report.questions = entries.len();
    if entries.is_empty() {
        return Ok(PageAnswers { answers: Vec::new(), visits: Vec::new(), broken: None });
    }
    let (path, questions) = (report.page.clone(), report.questions);
    events.emit(&Event::VisitStarted { page: path.clone(), questions, attempt: 1 });
    let (started, before) = (Instant::now(), client.requests());
    let read = ask_until_confirmed(job, client, page, &entries).await;
    report.took_ms = millis(started.elapsed());
    // the client counts these requests
    let requests = u32::try_from(client.requests() - before).unwrap_or(u32::MAX);
    let took_ms = report.took_ms;
    let hosts = BTreeMap::from([(host_with_port(&job.base), requests)]);
    let answers = match read {
        Ok((answers, idle)) => {
            report.idle_errors = idle;
            events.emit(&Event::VisitFinished { page: path, took_ms, own_ms: 0, looks: 0, requests, hosts });
            let keep = |(answer, confirmed): (Answered, bool)| {
                let entry = answer.entry.clone();
                answer.keep(job, confirmed, vintage).map(|answer| (entry, answer))
            };
            answers.into_iter().map(keep).collect::<Result<_>>()?
        }
        Err(Unanswered::Api(error)) => {
            let failure = Failure::of(&error, error.is_of_the_site());
            let cause = failure.to_string();
            report.failure = Some(cause.clone());
            events.emit(&Event::VisitFailed { page: path, cause, requests, hosts });
            let failed = |entry: &&Entry| ((*entry).clone(), Answer::Failed(failure.clone()));
            entries.iter().map(failed).collect()
        }
        Err(Unanswered::Other(error)) => return Err(error),
    };
    Ok(PageAnswers { answers, visits: vec![report], broken: None })
}

/// The answers of the APIs, each with whether it is confirmed: it equals the record, or a second
/// query says the same. Also returns response errors that affect no answer.
async fn ask_until_confirmed(
    job: &Job,
    client: &Client,
    page: &Visit,
    entries: &[&Entry],
) -> std::result::Result<(Vec<(Answered, bool)>, BTreeSet<String>), Unanswered> {
    let (answers, mut idle) = read(job, client, page, entries).await?;
    let again = if answers.iter().any(Answered::differs) {
        // a client sends each query once, so the second attempt needs a new one
        let (again, more) = read(job, &client.anew(), page, entries).await?;
        idle.extend(more);
        again
    } else {
        Vec::new()
    };
    let confirmed = |answer: Answered| {
        let is_confirmed = !answer.differs() || again.iter().any(|other| answer.says_the_same(other));
        (answer, is_confirmed)
    };
    Ok((answers.into_iter().map(confirmed).collect(), idle))
}

/// The questions of a page that the APIs can answer at least in part.
fn answerable<'a>(page: &'a Visit, job: &Job) -> Vec<&'a Entry> {
    let of = |entry: &&Entry| {
        let Some(extractor) = job.extractors.get(&entry.extractor) else { return false };
        let any = entry.data_points.iter().any(|point| extractor.is_in_responses(point));
        let explore = matches!(&page.url.page, SitePage::Explore(_));
        any && !(explore && job.extractors.is_browser_only(entry))
    };
    page.entries.iter().filter(|entry| of(entry)).collect()
}

/// The API's answer to one question, in the form of its record.
struct Answered {
    entry: Entry,
    stored: Stored,
    record: Record,
    provenance: Provenance,
    evidence: Arc<Vec<u8>>,
    failure: Option<String>,
}

impl Answered {
    fn differs(&self) -> bool {
        let (stored, now) = (&self.stored.record.results.data, &self.record.results.data);
        self.failure.is_none() && !changes(stored, now).is_empty()
    }

    fn says_the_same(&self, other: &Self) -> bool {
        other.entry.question_id == self.entry.question_id
            && changes(&self.record.results.data, &other.record.results.data).is_empty()
    }

    /// Stores the evidence and returns the answer.
    fn keep(self, job: &Job, is_confirmed: bool, vintage: Option<&str>) -> Result<Answer> {
        if let Some(cause) = self.failure {
            return Ok(Answer::Failed(Failure::of(cause, false)));
        }
        if !is_confirmed {
            return Ok(Answer::Failed(Failure::of("the API gives a different answer every time", false)));
        }
        let is_input = self.entry.input_of.is_some();
        let reading = (self.record, self.provenance);
        if is_input
            && let Some(known) =
                derive::known(&job.store, &self.entry, &reading.0.results.data, &reading.1.points)?
        {
            return Ok(Answer::of(Ok(known)));
        }
        if is_input
            || is_kept(&job.store, &reading.0, &of_release(reading.1.clone(), vintage)).unwrap_or(true)
        {
            job.store.put_evidence(&self.evidence)?;
        }
        Ok(Answer::of(Ok(reading)))
    }
}

/// The record of a question. For an input, the part of its question's record.
fn stored_of(job: &Job, entry: &Entry) -> Result<Option<Stored>> {
    let Some(stored) = job.store.load(entry.question())? else { return Ok(None) };
    if entry.input_of.is_none() {
        return Ok(Some(stored));
    }
    let derivation = stored.provenance.as_ref().and_then(|provenance| provenance.derivation.as_ref());
    let input = derivation.and_then(|all| all.inputs.iter().find(|one| one.name == entry.question_id));
    let Some(input) = input.cloned() else { return Ok(None) };
    let results = Results { data: vec![input.row] };
    let record = Record { question_id: entry.question_id.clone(), results, ..stored.record };
    let question = stored.provenance.and_then(|known| known.question);
    let provenance = Provenance { question, ..Provenance::of_points(&record, vec![input.point]) };
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

/// Sends the queries that a page's questions need and reads the answers. Also returns response
/// errors that affect no answer.
async fn read(
    job: &Job,
    client: &Client,
    page: &Visit,
    entries: &[&Entry],
) -> std::result::Result<(Vec<Answered>, BTreeSet<String>), Unanswered> {
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
    let evidence = Arc::new(evidence);
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
                None => failures.push(format!("{}: was not queried", wanted.data_point)),
            }
        }
        copy(&stored, &cannot, &mut rows, &mut points);
        let record = Record {
            execution_timestamp: now,
            source_method: SourceMethod::GraphqlApi,
            results: Results { data: rows },
            ..stored.record.clone()
        };
        let question = entry.info.question_text.clone();
        let provenance = Provenance { question, ..Provenance::of_points(&record, points) };
        let failure = (!failures.is_empty()).then(|| failures.join("; "));
        answers.push(Answered {
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

/// Copies the stored rows that no response holds.
fn copy(stored: &Stored, points: &[Wanted], rows: &mut Vec<Row>, how: &mut Vec<PointProvenance>) {
    for row in &stored.record.results.data {
        if points.iter().any(|wanted| wanted.data_point == row.data_point) {
            how.extend(stored.provenance.as_ref().and_then(|provenance| provenance.of(row)).cloned());
            rows.push(row.clone());
        }
    }
}
