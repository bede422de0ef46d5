//! Spot check: asks the agent, reads the page, compares both with the record, and reports which of
//! them is wrong and why.

mod report;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::job::{Job, is_readable};
use super::recorder::Recorder;
use super::refresh::{Look, Refreshed};
use atlas_gt_evaluate::StoredQuestions;

use crate::acquire::Browser;
use crate::agent::Agent;
use crate::atlas::SitePage;
use crate::error::Result;
use crate::evaluate;
use crate::evaluate::checked::{AskedQuestion, PageSide, judge};
use crate::evaluate::run::{
    Case, Ending, PinnedTruth, Question, QuestionRecord, Run, RunFolder, RunLimits, RunSettings, Scored,
    ScoredLater, finish, summary_of,
};
use crate::event::Events;
use crate::manifest::{Entry, QuestionId, same_question};
use crate::sample::SampleCandidate;
use crate::truth::{Store, Stored, changelog, checks, pending};

pub use report::{CheckedQuestion, RefusedQuestion, SampleNote, SpotReport};

/// Checks the questions of a job, and keeps answers and verdicts in the folder of a run. A page that
/// differs from the record leaves a pending change; no record is modified.
///
/// # Errors
/// The store or the run's folder cannot be read or written. A failing agent or an unreadable page is
/// reported, not an error.
pub async fn spot_check<B: Browser + Sync, A: Agent>(
    browser: &B,
    agent: &A,
    job: &Arc<Job>,
    (folder, settings): (&RunFolder, &RunSettings),
    events: &Events,
    stop: &AtomicBool,
) -> Result<SpotReport> {
    let started = Instant::now();
    let mut cases = Vec::new();
    let stored = StoredQuestions::new(&job.store);
    for entry in &job.entries {
        let Some(question) = Question::of(&entry.into()) else { continue };
        if let Some(record) = stored.record_of(&entry.into())? {
            let truth = PinnedTruth::of(&job.store, record)?;
            cases.push(Case::of_question(question, Some(truth)));
        }
    }
    let recorder = Recorder::new(browser, job);
    let client = job.api.as_ref().map(|api| &api.client);
    let id = format!("spot-check-{}", folder.name());
    let look = Look { job, client, run: &id, events, stop };
    let limits = RunLimits::of(settings);
    // answers are scored once the pages are read
    let asking = Run { folder, agent, scorer: &ScoredLater, limits, clock: job.clock, events, stop };
    let (asked, looked) = futures::join!(
        asking.ask(cases.clone(), answered(folder, settings, &cases)?),
        look.visit_again(&recorder, None)
    );
    let ((asked, ending), looked) = (asked?, looked?);
    let mut asked: BTreeMap<QuestionId, QuestionRecord> =
        asked.into_iter().map(|one| (one.question.question_id.clone(), one)).collect();
    let screenshots = recorder.pictures();
    let mut report = SpotReport::new(folder, settings, job.base.as_str());
    let entries = job.entries.iter().map(|entry| (&entry.question_id, entry)).collect::<BTreeMap<_, _>>();
    for Case { question, truth, .. } in cases {
        let id = &question.question_id;
        let (Some(truth), Some(entry)) = (truth, entries.get(id)) else { continue };
        let stored = truth.stored();
        let record = asked.remove(id);
        // the rest is left for `--resume`
        let Some(page) = page_side(job, entry, &stored, &looked, stop)? else { continue };
        if record.is_none() && !ending.agent_away {
            continue;
        }
        let answer = record.as_ref().map(|record| &record.answer);
        let reply = answer.and_then(|answer| answer.reply.as_ref());
        let error = answer.and_then(|answer| answer.error.as_deref());
        let mut checked = judge(&AskedQuestion {
            text: &question.text,
            context: &question.context,
            pipeline: settings.pipeline,
            stored: &stored,
            older: &truth.earlier,
            page: &page,
            reply: reply.ok_or_else(|| error.unwrap_or(UNREACHABLE)),
        });
        if settings.site != stored.record.site {
            checked.refuse_site(stored.record.site, settings.site);
        }
        let pending = looked.changes.iter().any(|change| change.question_id == id.as_str());
        let picture = screenshots.get(id).cloned();
        let scored = Scored::of_check(&checked);
        report.push(CheckedQuestion::new(entry, settings, checked, reply, pending, picture));
        if let Some(record) = record {
            folder.save(&QuestionRecord { truth: Some(truth), scored: Some(scored), ..record })?;
        }
    }
    report.pages_failed_of_site = looked.site_failed();
    report.interrupted = stop.load(Ordering::Acquire);
    report.quarantined = job.store.quarantined();
    // the check ends with its last page, which may be later than the last answer
    let ending = Ending { ended: job.clock.now(), interrupted: report.interrupted, ..ending };
    report.partial = summary_of(folder, settings, Some(ending))?.0.partial;
    finish(folder, settings, Ending { check_exit: Some(report.exit() as u8), ..ending })?;
    report.pages = looked.visits.len();
    report.expired = looked.expired;
    report.requests = looked.requests;
    report.finish(started.elapsed());
    Ok(report)
}

/// The answers of an earlier start of the same run, unscored, because their pages are visited again.
/// An answer to another text is not one to the question.
fn answered(folder: &RunFolder, settings: &RunSettings, cases: &[Case]) -> Result<Vec<QuestionRecord>> {
    let (mut kept, _) = evaluate::run::kept(folder, settings)?;
    let is_asked = |one: &QuestionRecord| {
        let id = &one.question.question_id;
        let case = cases.iter().find(|case| case.question.question_id == *id);
        case.is_some_and(|case| same_question(&case.question.text, &one.question.text))
    };
    kept.retain(is_asked);
    for one in &mut kept {
        one.scored = None;
        folder.save(one)?;
    }
    Ok(kept)
}

/// Why a question was not asked.
const UNREACHABLE: &str = "the agent was unreachable several times in a row and was not asked again";

/// The page's value: a new pending change, the record if the page confirms it, or why the page is
/// unknown; none if the run was stopped before the visit.
fn page_side(
    job: &Job,
    entry: &Entry,
    stored: &Stored,
    looked: &Refreshed,
    stop: &AtomicBool,
) -> Result<Option<PageSide>> {
    let id = entry.question_id.as_str();
    if let Some(broken) = looked.broken.iter().find(|broken| broken.question_id == id) {
        return Ok(Some(PageSide::Unreadable(broken.notes.join("; "))));
    }
    if let Some(failed) = looked.failed.iter().find(|failed| failed.question_id == id) {
        return Ok(Some(PageSide::Unreadable(failed.cause.clone())));
    }
    if looked.changes.iter().any(|change| change.question_id == id) {
        return Ok(Some(match pending::load(&job.store, &entry.question_id)? {
            Some(waiting) => PageSide::Read(Box::new(waiting.record), Some(Box::new(waiting.provenance))),
            None => PageSide::Unreadable("the page's reading was not kept".to_owned()),
        }));
    }
    if looked.skipped > 0 || stop.load(Ordering::Acquire) {
        return Ok(None);
    }
    // the page confirmed the record, so the record is the page's value
    let provenance = stored.provenance.clone();
    Ok(Some(PageSide::Read(Box::new(stored.record.clone()), provenance.map(Box::new))))
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
