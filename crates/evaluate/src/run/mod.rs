//! Runs: ask cases, score answers by rules, and let a judge decide what only prose can. Everything
//! is stored at once, so that a run can stop and resume at any time. Manifest questions,
//! components, suites and spot checks provide cases and scorers; [`Run::ask`] is the one loop that
//! asks them.

mod anchors;
mod ask;
pub mod calibrate;
mod checks;
pub mod compare;
mod components;
pub mod cost;
pub mod history;
mod inputs;
mod judge;
pub mod labels;
mod question;
mod record;
pub mod rescore;
mod run_folder;
#[cfg(any(test, feature = "samples"))]
pub mod samples;
mod score;
mod selection;
mod settings;
mod spans;
mod store_now;
mod suite;
mod summarize;
mod summary;
mod targets;
pub mod trend;
mod truth_change;

use std::collections::BTreeSet;
use std::time::Instant;

use crate::agent::Agent;
use crate::error::Result;
use crate::event::Event;
use crate::manifest::QuestionId;

pub use crate::scoring::CaseVerdict;
pub use crate::verdict::Decider;
pub use ask::{CaseScorer, Run, RunLimits, ScoredLater};
pub use checks::NamedScorers;
pub use components::{ComponentAgent, component_case_list, component_cases};
pub use judge::{Judging, TruthScorer};
pub use question::{Case, PinnedTruth, Question};
pub use record::{Answer, AnswerFinding, JudgeNote, QuestionRecord, Scored};
pub use run_folder::{KeptAnchors, RunFolder, list, list_some};
pub use score::AskedFor;
pub use selection::{Choice, RunSelection, failed_in, select};
pub use settings::{
    AgentChoice, CaseKind, CaseSource, Coverage, JudgeChoice, RunInput, RunInputKind, RunSettings, Unreadable,
};
pub use spans::{spans, trace_id};
pub use store_now::{StoreNow, store_now};
pub use suite::{recorded_suite, suite_cases};
pub use summarize::summarize;
pub use summary::{
    AnchorReport, Ending, Gate, QuestionGroup, RunContext, RunCost, RunSummary, RunTarget, Score5, TargetUnit,
};

/// Asks, scores and stores the remaining cases of a run, and summarizes it.
///
/// # Errors
/// The run's folder cannot be read or written. A failing agent or judge is a result, not an error.
pub async fn run<A: Agent, S: CaseScorer>(
    folder: &RunFolder,
    settings: &RunSettings,
    run: &Run<'_, A, S>,
    mut cases: Vec<Case>,
) -> Result<RunSummary> {
    // a resumed run asks what it planned, even if its file has other cases now
    let planned: BTreeSet<&QuestionId> = settings.planned.iter().collect();
    cases.retain(|case| planned.contains(&case.question.question_id));
    let (kept, ending) = kept(folder, settings)?;
    if ending.is_some() {
        // nothing was left to do: the stored ending holds
        return Ok(summary_of(folder, settings, ending)?.0);
    }
    let started = Instant::now();
    run.events.emit(&Event::RunStarted {
        site: settings.site.to_string(),
        visits: 0,
        questions: settings.planned.len() - kept.iter().filter(|one| one.is_ended()).count(),
    });
    let (_, ending) = run.ask(cases, kept).await?;
    run.events.emit(&Event::RunFinished {
        took_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        requests: 0,
        interrupted: ending.interrupted,
    });
    finish(folder, settings, ending)
}

/// The questions that a run does not ask again, and its ending if nothing is left to do.
///
/// # Errors
/// The run's folder cannot be read.
pub fn kept(folder: &RunFolder, settings: &RunSettings) -> Result<(Vec<QuestionRecord>, Option<Ending>)> {
    let mut kept = folder.questions(&settings.planned)?;
    // an unreachable agent may be back; a rescore asks none
    kept.retain(|one| settings.rescore_of.is_some() || !one.answer.unreachable);
    let is_complete = kept.iter().filter(|one| one.is_ended()).count() == settings.planned.len();
    // the ending of a run that stopped early, or from before its last answer, no longer holds
    let is_final = |ending: &Ending| {
        !(ending.interrupted || ending.out_of_budget || ending.agent_away)
            && kept.iter().all(|one| one.answer.asked_at <= ending.ended)
    };
    let ending = if is_complete { folder.ending()?.filter(is_final) } else { None };
    Ok((kept, ending))
}

/// Summarizes a run that ended, and adds it to the history.
///
/// # Errors
/// The run's folder cannot be read or written.
pub fn finish(folder: &RunFolder, settings: &RunSettings, ending: Ending) -> Result<RunSummary> {
    let (summary, questions) = summary_of(folder, settings, Some(ending))?;
    folder.save_summary(&summary)?;
    history::append(&folder.history(), &summary.history_line(&questions, settings))?;
    Ok(summary)
}

/// The summary of a stored run, with its questions in the planned order. Without `ending`, that of
/// its last summary counts. A killed run ended with its last answer.
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
    let last = questions.iter().map(|one| one.answer.asked_at).max();
    let killed = || Ending::at(last.unwrap_or(settings.started));
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
