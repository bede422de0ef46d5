//! Suites as cases of a run, with recorded answers as their agent.

use std::collections::BTreeMap;

use super::checks::NamedScorers;
use super::question::Case;
use super::record::QuestionRecord;
use crate::agent::{Agent, AgentError, AgentQuestion, ExecutionTrace, Reply};
use crate::manifest::QuestionId;
use crate::scoring::suite::{AgentOutput, CaseResult, Registry, ScoreBand, Suite};

/// The cases of a suite, in the form of a run. The id is the case's name, or its index if the name
/// is not a valid id.
#[must_use]
pub fn suite_cases(suite: &Suite) -> Vec<Case> {
    let named: Result<Vec<QuestionId>, _> = suite.cases.iter().map(|case| case.name.parse()).collect();
    let places = || (1..=suite.cases.len()).filter_map(|place| place.to_string().parse().ok()).collect();
    let ids = named.unwrap_or_else(|_| places());
    ids.into_iter().zip(&suite.cases).map(|(id, case)| Case::of_checks(id, None, case.clone())).collect()
}

/// The recorded answers to the cases of a suite.
#[derive(Debug)]
pub struct RecordedSuite<'a> {
    answers: BTreeMap<QuestionId, &'a AgentOutput>,
}

impl<'a> RecordedSuite<'a> {
    /// The recorded answers for these cases.
    #[must_use]
    pub fn new(cases: &[Case], answers: &'a [AgentOutput]) -> Self {
        let by_case: BTreeMap<&str, &AgentOutput> =
            answers.iter().map(|answer| (answer.case.as_str(), answer)).collect();
        let answer = |case: &Case| {
            let name = &case.checks.as_ref()?.name;
            Some((case.question.question_id.clone(), *by_case.get(name.as_str())?))
        };
        Self { answers: cases.iter().filter_map(answer).collect() }
    }

    /// The scorers of the suite.
    #[must_use]
    pub fn scorers(&self, registry: &'a Registry) -> NamedScorers<'a> {
        let recorded = self.answers.values().map(|answer| (answer.case.as_str(), *answer));
        NamedScorers { registry, recorded: recorded.collect() }
    }
}

impl Agent for RecordedSuite<'_> {
    fn name(&self) -> String {
        "recorded answers".to_owned()
    }

    async fn ask(&self, asked: &AgentQuestion) -> Result<Reply, AgentError> {
        let id = &asked.question_id;
        let recorded = self.answers.get(id).ok_or_else(|| AgentError::NotRecorded(id.clone()))?;
        if let Some(error) = &recorded.error {
            return Err(AgentError::Reported(error.clone()));
        }
        let trace = recorded.trajectory.as_ref().map(|made| ExecutionTrace {
            tool_calls: made.names().map(str::to_owned).collect(),
            calls: Some(made.calls.clone()),
            unknown_keys: made.unknown_keys.clone(),
            ..ExecutionTrace::default()
        });
        Ok(Reply { answer: recorded.text.clone(), links: recorded.links.clone(), trace, ..Reply::default() })
    }
}

impl QuestionRecord {
    /// The result of a suite case; none if it names no scorers or is unscored.
    #[must_use]
    pub fn case_result(&self) -> Option<CaseResult> {
        let (case, scored) = (self.checks.as_deref()?, self.scored.as_ref()?);
        Some(CaseResult {
            scoring_version: scored.scoring_version,
            case: case.name.clone(),
            verdict: scored.verdict,
            score: scored.score,
            band: scored.score.map(ScoreBand::of),
            min_score: case.min_score,
            scorers: scored.scorers.clone(),
            error: self.answer.error.clone(),
        })
    }
}
