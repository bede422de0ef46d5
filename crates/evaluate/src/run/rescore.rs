//! Scores a run's answers again, with current rules or another judge, against the same truth. The
//! result is a new run, so nothing is overwritten.

use std::path::Path;

use jiff::Timestamp;

use super::question::Case;
use super::run_folder::RunFolder;
use super::settings::{JudgeChoice, RunSettings};
use crate::agent::{Agent, AgentError, AgentQuestion, Reply};
use crate::error::Result;
use crate::scoring::SCORING_VERSION;
use crate::selection::at_least_one;

/// The agent of a run that asks nothing.
#[derive(Debug, Clone, Copy)]
pub struct NoAgent;

impl Agent for NoAgent {
    fn name(&self) -> String {
        "nobody".to_owned()
    }

    async fn ask(&self, _: &AgentQuestion) -> std::result::Result<Reply, AgentError> {
        Err(AgentError::Stopped)
    }
}

/// Creates a run from the answers of another, unscored.
///
/// # Errors
/// The other run has no answers, or a folder cannot be read or written.
pub fn rescored(
    runs: &Path,
    of: &RunFolder,
    (judge, judge_timeout): (Option<JudgeChoice>, u64),
    started: Timestamp,
) -> Result<(RunFolder, RunSettings, Vec<Case>)> {
    let before = of.settings()?;
    let answered = at_least_one(of.questions(&before.planned)?, || {
        format!("run {} has no answers to score", of.name())
    })?;
    let mut settings = RunSettings {
        run: String::new(),
        started,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        scoring_version: SCORING_VERSION,
        source: before.source.without_pages(),
        judge: judge.filter(|_| before.source.kind().is_judged()),
        judge_timeout,
        agent_price_usd: None,
        rescore_of: Some(of.name().to_owned()),
        unasked: before.unasked + before.planned.len().saturating_sub(answered.len()),
        planned: answered.iter().map(|one| one.question.question_id.clone()).collect(),
        ..before
    };
    let folder = RunFolder::create(runs, &mut settings)?;
    let mut asked = Vec::new();
    for mut record in answered {
        record.scored = None;
        folder.save(&record)?;
        asked.push(record.case());
    }
    Ok((folder, settings, asked))
}
