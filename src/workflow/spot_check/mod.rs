//! Spot check: ask the agent, look at the page, compare both with the stored truth, say who is wrong and why.

mod report;
mod verdict;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures::{StreamExt, stream};

use super::job::{Job, is_readable};
use super::recorder::{Recorder, Screenshots, targets};
use super::refresh::{self, Refreshed};
use crate::acquire::Browser;
use crate::agent::{Agent, AgentError, Asked, Mode, Reply};
use crate::atlas::Page;
use crate::error::Result;
use crate::event::{Event, Events};
use crate::manifest::{Entry, QuestionId};
use crate::sample::{Candidate, Drawn};
use crate::truth::{Pipeline, Row, Site, Store, Stored, changelog, checks, pending};

use crate::evaluate::earlier::older;
pub use crate::evaluate::expected::{expected, of_row};
pub use crate::evaluate::{AnswerDetails, score_answer};
pub use report::{CheckedQuestion, Picture, SampleNote, SpotReport};
pub use verdict::{Entities, PageSide, PointVerdict, Question, QuestionVerdict, judge};

/// What is checked, and how.
#[derive(Debug)]
pub struct Order {
    /// Every chosen question with the reason, in the order of the manifest.
    pub drawn: BTreeMap<QuestionId, Drawn>,
    /// Questions that the sample was drawn from.
    pub candidates: usize,
    /// The seed of the draw; none where the questions were named.
    pub seed: Option<u64>,
    /// The pipeline to ask for.
    pub mode: Mode,
    /// The pipeline that was asked for, where no trace will say.
    pub pipeline: Option<Pipeline>,
    /// The site that the agent answers about (decision 18).
    pub agent_site: Site,
    /// Questions that the agent answers at a time.
    pub concurrency: usize,
    /// Name of the run.
    pub run: String,
}

/// What is known of a question before it is checked.
struct Known {
    stored: Stored,
    older: Vec<Row>,
}

/// Checks the questions of a job. Pages that say something else than the stored truth leave a pending change each; no
/// record is touched.
///
/// # Errors
/// The store cannot be read or written. An agent that fails and a page that cannot be read are no errors but reports.
pub async fn spot_check<B: Browser + Sync, A: Agent>(
    browser: &B,
    agent: &A,
    job: &Arc<Job>,
    order: &Order,
    events: &Events,
    stop: &AtomicBool,
) -> Result<SpotReport> {
    let started = Instant::now();
    let now = job.clock.now();
    let mut known = BTreeMap::new();
    for entry in &job.entries {
        if let Some(stored) = job.store.load(&entry.question_id)? {
            let older = older(&job.store, &entry.question_id, &stored)?;
            known.insert(entry.question_id.clone(), Known { stored, older });
        }
    }
    let targets = targets(job);
    let screenshots = Mutex::new(Screenshots::new());
    let recorder = Recorder::new(browser, &targets, &screenshots);
    let client = job.api.as_ref().map(|api| &api.client);
    let (replies, looked) = futures::join!(
        ask_all(agent, &job.entries, order, events, stop),
        refresh::look_again(&recorder, job, client, &order.run, events, stop, None)
    );
    let looked = looked?;
    let screenshots = screenshots.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut report = SpotReport::new(job, order, agent.name(), now);
    for entry in &job.entries {
        let Some(known) = known.get(&entry.question_id) else { continue };
        let page = page_side(job, entry, &known.stored, &looked, stop)?;
        let reply = match replies.get(&entry.question_id) {
            Some(reply) => reply.as_ref(),
            None => Err(&STOPPED),
        };
        let mut verdict = judge(&Question {
            text: entry.question_text.as_deref().unwrap_or_default(),
            context: &entry.context,
            mode: order.mode,
            pipeline: order.pipeline,
            stored: &known.stored,
            older: &known.older,
            page: &page,
            reply,
        });
        if order.agent_site != known.stored.record.site {
            verdict.refuse_site(known.stored.record.site, order.agent_site);
        }
        let pending = looked.changes.iter().any(|change| change.question_id == entry.question_id.as_str());
        let picture = screenshots.get(&entry.question_id).cloned();
        report.push(CheckedQuestion::new(entry, order, verdict, reply, pending, picture));
    }
    report.pages_failed_of_site = looked.site_failed();
    report.interrupted = stop.load(Ordering::Acquire);
    report.pages = looked.visits.len();
    report.quarantined = job.store.quarantined();
    report.requests = looked.requests;
    report.finish(started.elapsed());
    Ok(report)
}

/// Why a question has no answer when the run was stopped.
const STOPPED: AgentError = AgentError::Stopped;

async fn ask_all<A: Agent>(
    agent: &A,
    entries: &[Entry],
    order: &Order,
    events: &Events,
    stop: &AtomicBool,
) -> BTreeMap<QuestionId, std::result::Result<Reply, AgentError>> {
    stream::iter(entries)
        .map(|entry| async move {
            let asked = Asked {
                question_id: entry.question_id.clone(),
                question: entry.question_text.clone().unwrap_or_default(),
                mode: order.mode,
            };
            let reply = if stop.load(Ordering::Acquire) { Err(STOPPED) } else { agent.ask(&asked).await };
            let (outcome, notes) = match &reply {
                Ok(reply) => ("answered", reply.notes.clone()),
                Err(error) => ("agent_failed", vec![error.to_string()]),
            };
            let question_id = asked.question_id.to_string();
            events.emit(&Event::QuestionFinished { question_id, outcome: outcome.to_owned(), notes });
            (entry.question_id.clone(), reply)
        })
        .buffer_unordered(order.concurrency.max(1))
        .collect()
        .await
}

/// What the page says: what waits since this look, the stored truth where the look confirmed it, or why nothing is known.
fn page_side(
    job: &Job,
    entry: &Entry,
    stored: &Stored,
    looked: &Refreshed,
    stop: &AtomicBool,
) -> Result<PageSide> {
    let id = entry.question_id.as_str();
    if let Some(broken) = looked.broken.iter().find(|broken| broken.question_id == id) {
        return Ok(PageSide::Unreadable(broken.notes.join("; ")));
    }
    if let Some(failed) = looked.failed.iter().find(|failed| failed.question_id == id) {
        return Ok(PageSide::Unreadable(failed.cause.clone()));
    }
    if looked.changes.iter().any(|change| change.question_id == id) {
        return Ok(match pending::load(&job.store, &entry.question_id)? {
            Some(waiting) => PageSide::Read(Box::new(waiting.record), Some(Box::new(waiting.provenance))),
            None => PageSide::Unreadable("what was read on the page was not kept".to_owned()),
        });
    }
    if looked.skipped > 0 || stop.load(Ordering::Acquire) {
        return Ok(PageSide::Unreadable("the run was stopped before".to_owned()));
    }
    // the look confirmed the record: page and truth say the same, each read its own way
    let provenance = stored.provenance.clone();
    Ok(PageSide::Read(Box::new(stored.record.clone()), provenance.map(Box::new)))
}

/// The questions that can be drawn: those with a record that can be read, a page and a text.
///
/// # Errors
/// The store cannot be read.
pub fn candidates(store: &Store, entries: &[Entry]) -> Result<Vec<Candidate>> {
    let looks = checks::read(store)?;
    let mut changed: BTreeMap<QuestionId, jiff::Timestamp> = BTreeMap::new();
    for entry in changelog::read(store)? {
        let at = changed.entry(entry.question_id).or_insert(entry.timestamp);
        *at = (*at).max(entry.timestamp);
    }
    let ids = store.question_ids()?;
    let mut out = Vec::new();
    for entry in entries.iter().filter(|entry| entry.is_collected() && ids.contains(&entry.question_id)) {
        if !is_readable(store, entry) {
            continue;
        }
        let Some(stored) = store.load(&entry.question_id)? else { continue };
        let seen = stored.record.execution_timestamp;
        out.push(Candidate {
            question_id: entry.question_id.clone(),
            page_kind: match &entry.url.page {
                Page::Country { .. } => "countries".to_owned(),
                Page::Explore(explore) => format!("explore/{}", explore.viz.path()),
            },
            country: entry.context.country.clone().unwrap_or_default(),
            last_looked: looks.last_good(&entry.question_id).map_or(seen, |look| look.max(seen)),
            changed: changed.get(&entry.question_id).copied(),
        });
    }
    Ok(out)
}
