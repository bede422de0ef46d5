//! Spot check: asks the agent, reads the page, compares both with the record, and reports which of
//! them is wrong and why.

mod order;
mod report;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::job::{Job, is_readable};
use super::recorder::{Recorder, Screenshots, targets};
use super::refresh::{self, Refreshed};
use atlas_gt_evaluate::StoredQuestions;

use crate::acquire::Browser;
use crate::agent::Agent;
use crate::atlas::SitePage;
use crate::error::Result;
use crate::evaluate::checked::{AskedQuestion, PageSide, judge};
use crate::evaluate::run::{Answer, Case, PinnedTruth, Question, Run, RunLimits, ScoredLater};
use crate::event::Events;
use crate::manifest::{Entry, QuestionId};
use crate::sample::SampleCandidate;
use crate::truth::{Store, Stored, changelog, checks, pending};

pub use order::Order;
pub use report::{CheckedQuestion, Picture, SampleNote, SpotReport};

/// Checks the questions of a job. A page that differs from the record leaves a pending change; no
/// record is modified.
///
/// # Errors
/// The store cannot be read or written. A failing agent or an unreadable page is reported, not an
/// error.
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
    let mut cases = Vec::new();
    let stored = StoredQuestions::new(&job.store);
    for entry in &job.entries {
        let Some(question) = Question::of(&entry.into()) else { continue };
        if let Some(record) = stored.record_of(&entry.into())? {
            let truth = PinnedTruth::of(&job.store, record)?;
            cases.push(Case::of_question(question, Some(truth)));
        }
    }
    let targets = targets(job);
    let screenshots = Mutex::new(Screenshots::new());
    let recorder = Recorder::new(browser, &targets, &screenshots);
    let client = job.api.as_ref().map(|api| &api.client);
    let (mode, concurrency) = (order.mode, order.concurrency);
    let limits = RunLimits { mode, concurrency, is_recorded: false, ..RunLimits::recorded() };
    // answers are scored later, once the pages are read
    let asking = Run { folder: None, agent, scorer: &ScoredLater, limits, clock: job.clock, events, stop };
    let (asked, looked) = futures::join!(
        asking.ask(cases.clone(), Vec::new()),
        refresh::visit_again(&recorder, job, client, &order.run, events, stop, None)
    );
    let ((asked, ending), looked) = (asked?, looked?);
    let unasked = if ending.agent_away { UNREACHABLE } else { STOPPED };
    let mut answers: BTreeMap<QuestionId, Answer> =
        asked.into_iter().map(|one| (one.question.question_id, one.answer)).collect();
    let screenshots = screenshots.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut report = SpotReport::new(job, order, agent.name(), now);
    let entries = job.entries.iter().map(|entry| (&entry.question_id, entry)).collect::<BTreeMap<_, _>>();
    for Case { question, truth, .. } in cases {
        let id = &question.question_id;
        let (Some(truth), Some(entry)) = (truth, entries.get(id)) else { continue };
        let stored = truth.stored();
        let page = page_side(job, entry, &stored, &looked, stop)?;
        let answer = answers.remove(id);
        let (reply, error) = answer.map_or((None, None), |answer| (answer.reply, answer.error));
        let mut verdict = judge(&AskedQuestion {
            text: &question.text,
            context: &question.context,
            pipeline: order.pipeline,
            stored: &stored,
            older: &truth.earlier,
            page: &page,
            reply: reply.as_ref().ok_or_else(|| error.as_deref().unwrap_or(unasked)),
        });
        if order.agent_site != stored.record.site {
            verdict.refuse_site(stored.record.site, order.agent_site);
        }
        let pending = looked.changes.iter().any(|change| change.question_id == id.as_str());
        let picture = screenshots.get(id).cloned();
        report.push(CheckedQuestion::new(entry, order, verdict, reply.as_ref(), pending, picture));
    }
    report.pages_failed_of_site = looked.site_failed();
    report.interrupted = stop.load(Ordering::Acquire);
    report.pages = looked.visits.len();
    report.quarantined = job.store.quarantined();
    report.expired = looked.expired;
    report.requests = looked.requests;
    report.finish(started.elapsed());
    Ok(report)
}

/// Why a question was not asked.
const STOPPED: &str = "the run was stopped before the agent was asked";
const UNREACHABLE: &str = "the agent was unreachable several times in a row and was not asked again";

/// The page's value: a new pending change, the record if the page confirms it, or why the page is
/// unknown.
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
            None => PageSide::Unreadable("the page's reading was not kept".to_owned()),
        });
    }
    if looked.skipped > 0 || stop.load(Ordering::Acquire) {
        return Ok(PageSide::Unreadable("the run was stopped before".to_owned()));
    }
    // the page confirmed the record, so the record is the page's value
    let provenance = stored.provenance.clone();
    Ok(PageSide::Read(Box::new(stored.record.clone()), provenance.map(Box::new)))
}

/// The questions that can be drawn: those with a readable record, a page and a text.
///
/// # Errors
/// The store cannot be read.
pub fn candidates(store: &Store, entries: &[Entry]) -> Result<Vec<SampleCandidate>> {
    let looks = checks::read(store)?;
    let mut changed: BTreeMap<QuestionId, jiff::Timestamp> = BTreeMap::new();
    for line in changelog::lines(store, None)? {
        let at = changed.entry(line.question_id).or_insert(line.timestamp);
        *at = (*at).max(line.timestamp);
    }
    let ids = store.question_ids()?;
    let mut out = Vec::new();
    for entry in entries.iter().filter(|entry| entry.is_collected() && ids.contains(&entry.question_id)) {
        if !is_readable(store, entry) {
            continue;
        }
        let Some(stored) = store.load(&entry.question_id)? else { continue };
        let seen = stored.record.execution_timestamp;
        out.push(SampleCandidate {
            question_id: entry.question_id.clone(),
            page_kind: match &entry.url.page {
                SitePage::Country { .. } => "countries".to_owned(),
                SitePage::Explore(explore) => format!("explore/{}", explore.viz.path()),
            },
            country: entry.context.country.clone().unwrap_or_default(),
            last_looked: looks.last_good(&entry.question_id).map_or(seen, |look| look.max(seen)),
            changed: changed.get(&entry.question_id).copied(),
        });
    }
    Ok(out)
}
