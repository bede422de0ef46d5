//! Evaluation runs: the agent is asked, its answers are scored by rules against the truth as it is now, a judge decides what only
//! prose can, and everything is kept as it ends, so that a run can be stopped and gone on with at any moment.

mod anchors;
pub mod calibrate;
pub mod compare;
pub mod cost;
pub mod history;
mod judge;
mod question;
mod record;
pub mod rescore;
mod run_folder;
#[cfg(any(test, feature = "samples"))]
pub mod samples;
mod score;
mod selection;
mod settings;
mod store_now;
mod summarize;
mod summary;
mod targets;
pub mod trend;
mod verdict;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures::{StreamExt, stream};
use rust_decimal::Decimal;

use crate::agent::{Agent, Asked};
use crate::breaker::Breaker;
use crate::error::Result;
use crate::event::{Event, Events};
use crate::judge::{AnchorSet, Budget, Judge};
use crate::manifest::QuestionId;
use crate::scoring::cost::Cost;
use atlas_gt_core::clock::Clock;
use score::AskedFor;

pub use judge::Judging;
pub use question::{PinnedTruth, Question};
pub use record::{Answer, Finding, JudgeNote, QuestionRecord, Scored};
pub use run_folder::{KeptAnchors, RunFolder, list};
pub use selection::{Asking, Choice, Selection, failed_in, select};
pub use settings::{AgentChoice, Coverage, JudgeChoice, RunSettings, Unreadable};
pub use store_now::{StoreNow, store_now};
pub use summarize::summarize;
pub use summary::{
    AnchorReport, BASELINE, Baseline, Ending, Gate, Group, RunContext, RunCost, RunSummary, Score5, Target,
    Unit,
};
pub use verdict::{Decider, QuestionVerdict};

/// What a run works with.
#[derive(Debug)]
pub struct Run<'a, A, J> {
    /// Where it is kept.
    pub folder: &'a RunFolder,
    /// What it is.
    pub settings: &'a RunSettings,
    /// Who is asked.
    pub agent: &'a A,
    /// Who judges.
    pub judging: Option<Judging<'a, J>>,
    /// What judging an answer costs about, where it is not counted yet.
    pub judge_price_usd: Decimal,
    /// What time it is.
    pub clock: Clock,
}

/// Asks, judges and keeps what is missing of a run, and summarises it. A run that is stopped, or whose budget has no room for another
/// question, ends with what it has.
///
/// # Errors
/// The run's folder cannot be read or written. An agent or judge that fails is no error but a result.
pub async fn run<A: Agent, J: Judge>(
    run: Run<'_, A, J>,
    questions: Vec<Asking>,
    events: &Events,
    stop: &AtomicBool,
) -> Result<RunSummary> {
    let Run { folder, settings, judging, .. } = &run;
    let kept = folder.questions(&settings.planned)?;
    let started = Instant::now();
    events.emit(&Event::RunStarted {
        site: settings.site.to_string(),
        visits: 0,
        questions: settings.planned.len() - kept.iter().filter(|one| one.is_ended()).count(),
    });
    let budget = Budget::new(settings.budget_usd)?;
    let breaker = Breaker::default();
    budget.spent_before(spent(folder, &kept)?);
    if let Some(judging) = judging
        && !stop.load(Ordering::Acquire)
        && let Some(room) =
            budget.set_aside(run.judge_price_usd * Decimal::from(AnchorSet::built_in()?.cases.len()))
    {
        let kept = anchors::judge(folder, judging.grader, settings.concurrency).await?;
        room.settle(kept.cost_usd.map_or(Cost::Unknown, Cost::Dollars));
    }
    let mut kept: BTreeMap<QuestionId, QuestionRecord> =
        kept.into_iter().map(|one| (one.question.question_id.clone(), one)).collect();
    let work: Vec<(Asking, Option<QuestionRecord>)> = questions
        .into_iter()
        .map(|asking| {
            let known = kept.remove(&asking.0.question_id);
            (asking, known)
        })
        .filter(|(_, known)| known.as_ref().is_none_or(|known| !known.is_ended()))
        .collect();
    let results: Vec<Result<()>> = stream::iter(work)
        .map(|(asking, known)| one(&run, asking, known, &budget, &breaker, events, stop))
        .buffer_unordered(settings.concurrency.max(1))
        .collect()
        .await;
    results.into_iter().collect::<Result<()>>()?;
    let interrupted = stop.load(Ordering::Acquire);
    events.emit(&Event::RunFinished {
        took_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        requests: 0,
        interrupted,
    });
    let ending = Ending {
        ended: run.clock.now(),
        interrupted,
        out_of_budget: budget.stopped().is_some(),
        agent_away: breaker.refusal().is_some(),
    };
    finish(&run, ending)
}

/// One question: asked unless its answer is there, judged, kept.
async fn one<A: Agent, J: Judge>(
    run: &Run<'_, A, J>,
    (question, truth): Asking,
    known: Option<QuestionRecord>,
    budget: &Budget,
    breaker: &Breaker,
    events: &Events,
    stop: &AtomicBool,
) -> Result<()> {
    let settings = run.settings;
    let asks = known.is_none();
    // an agent that is away answers nothing: what is left is for `eval resume`
    if stop.load(Ordering::Acquire) || (asks && breaker.refusal().is_some()) {
        return Ok(());
    }
    let agent_price =
        if asks && !settings.agent.is_recorded() { settings.agent_price_usd } else { Decimal::ZERO };
    let judge_price = match &run.judging {
        Some(judging) => run.judge_price_usd * Decimal::from(judging.repeat.get()),
        None => Decimal::ZERO,
    };
    let Some(room) = budget.set_aside(agent_price + judge_price) else { return Ok(()) };
    let mut record = match known {
        Some(known) => known,
        None => {
            let answer = ask(run, &question, breaker).await;
            let record = QuestionRecord { question, truth, answer, scored: None };
            // an answer is paid for: it is kept before anybody judges it
            if run.judging.is_some() {
                run.folder.save(&record)?;
            }
            record
        }
    };
    let asked = AskedFor { mode: settings.mode, pipeline: settings.pipeline };
    let scored = judge::score(&record, run.judging.as_ref(), asked).await;
    let outcome = scored.verdict.name().to_owned();
    let notes = match scored.verdict {
        QuestionVerdict::Pass => Vec::new(),
        _ => vec![scored.reason.clone()],
    };
    record.scored = Some(scored);
    run.folder.save(&record)?;
    let paid = record.answer.cost_usd.filter(|_| asks).or((!asks).then_some(Decimal::ZERO));
    room.settle(paid.zip(record.judge_cost()).map_or(Cost::Unknown, |(a, b)| Cost::Dollars(a + b)));
    let question_id = record.question.question_id.to_string();
    events.emit(&Event::QuestionFinished { question_id, outcome, notes });
    Ok(())
}

/// Asks the agent. What fails in passing is asked again by the agent's own client; a wrong answer never is.
async fn ask<A: Agent, J>(run: &Run<'_, A, J>, question: &Question, breaker: &Breaker) -> Answer {
    let asked = Asked {
        question_id: question.question_id.clone(),
        question: question.text.clone(),
        mode: run.settings.mode,
    };
    let asked_at = run.clock.now();
    let started = Instant::now();
    let reply = run.agent.ask(&asked).await;
    let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    // an answer that fails is a result (decision 17), an agent that cannot be reached gives none
    match &reply {
        Err(error) if error.is_transport() => breaker.failed(&error.to_string()),
        _ => breaker.succeeded(),
    }
    let is_recorded = run.settings.agent.is_recorded();
    let of_agent = reply.as_ref().ok().and_then(|reply| reply.trace.as_ref()?.cost_usd);
    let stated = reply.as_ref().ok().and_then(|reply| Some(reply.trace.as_ref()?.total_duration_ms));
    let (reply, error) = match reply {
        Ok(reply) => (Some(reply), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Answer {
        asked_at,
        latency_ms: if is_recorded { stated.filter(|stated| *stated > 0) } else { Some(took) },
        cost_usd: Some(match of_agent {
            _ if is_recorded => Decimal::ZERO,
            // what the agent says itself comes before any price list (decision 36)
            Some(own) => own,
            None => run.settings.agent_price_usd,
        }),
        reply,
        error,
    }
}

/// What a run has spent before it is gone on with.
fn spent(folder: &RunFolder, kept: &[QuestionRecord]) -> Result<Decimal> {
    let of =
        |one: &QuestionRecord| one.answer.cost_usd.unwrap_or_default() + one.judge_cost().unwrap_or_default();
    let anchors = folder.anchors()?.and_then(|kept| kept.cost_usd).unwrap_or_default();
    Ok(kept.iter().map(of).sum::<Decimal>() + anchors)
}

fn finish<A, J>(run: &Run<'_, A, J>, ending: Ending) -> Result<RunSummary> {
    let (summary, questions) = summary_of(run.folder, run.settings, Some(ending))?;
    run.folder.save_summary(&summary)?;
    history::append(&run.folder.history(), &summary.history_line(&questions, run.settings))?;
    Ok(summary)
}

/// The summary of a run as it is kept, with its questions in the order of the plan. Without an ending that of its last summary
/// counts; a run that was killed ended with its last answer.
///
/// # Errors
/// The run cannot be read.
pub fn summary_of(
    folder: &RunFolder,
    settings: &RunSettings,
    ending: Option<Ending>,
) -> Result<(RunSummary, Vec<QuestionRecord>)> {
    let questions = folder.questions(&settings.planned)?;
    let (history, bad) = history::read(&folder.history())?;
    for line in bad {
        tracing::warn!("{}:{}: {}", folder.history().display(), line.line, line.message);
    }
    let calibration =
        settings.judge.as_ref().map(|judge| calibrate::known(folder.runs(), judge)).transpose()?;
    let kept = folder.anchors()?;
    let killed = || Ending {
        ended: questions.iter().map(|one| one.answer.asked_at).max().unwrap_or(settings.started),
        interrupted: false,
        out_of_budget: false,
        agent_away: false,
    };
    let ending = match ending {
        Some(ending) => ending,
        None => folder.ending()?.unwrap_or_else(killed),
    };
    let mut context = RunContext { settings, ending, anchors: None, calibration, history: &history };
    if let Some(kept) = kept {
        let scores = questions.iter().filter_map(|one| one.scored.as_ref()?.weighted_score);
        let score = Score5::of(scores).map(|score| score.mean);
        context.anchors = Some(anchors::report(&kept, folder, &history, score));
    }
    Ok((summarize(&questions, context), questions))
}
