//! Scores cases that name their own scorers: those of suites and components.

use std::collections::BTreeMap;

use super::ask::CaseScorer;
use super::record::{QuestionRecord, Scored};
use crate::agent::Reply;
use crate::scoring::CaseVerdict;
use crate::scoring::suite::{AgentOutput, CaseResult, Registry, run_case};
use crate::scoring::tools::DataTools;
use crate::truth::Pipeline;
use crate::verdict::Decider;

/// Scores an answer with the scorers that its case names.
#[derive(Debug)]
pub struct NamedScorers<'a> {
    /// The scorers.
    pub registry: &'a Registry,
    /// Recorded answers by case, with data that an agent does not state: a judge's points, a price.
    pub recorded: BTreeMap<&'a str, &'a AgentOutput>,
}

impl CaseScorer for NamedScorers<'_> {
    async fn score(&self, record: &QuestionRecord) -> Option<Scored> {
        let case = record.checks.as_deref()?;
        let reply = record.answer.reply.as_ref().map(|reply| reply.output(&case.name));
        let output = self.recorded.get(case.name.as_str()).copied().or(reply.as_ref());
        let CaseResult { verdict, score, scorers, error, .. } = run_case(case, output, self.registry);
        let decided_by = if verdict == CaseVerdict::Unscored { Decider::Nobody } else { Decider::Rules };
        let decisive = scorers.iter().find(|scorer| scorer.status == verdict).or(scorers.first());
        let reason = record.answer.error.clone().or(error);
        let reason = reason.or_else(|| decisive.map(|scorer| scorer.score.reason())).unwrap_or_default();
        Some(Scored { score, scorers, ..Scored::new(verdict, decided_by, reason) })
    }
}

impl Reply {
    /// The pipeline of the answer, from its trace, or else the requested one.
    #[must_use]
    pub fn pipeline(&self, asked: Option<Pipeline>) -> Pipeline {
        let traced = self.trace.as_ref().map(|trace| trace.pipeline(&DataTools::default()));
        traced.filter(|known| *known != Pipeline::Unknown).or(asked).unwrap_or(Pipeline::Unknown)
    }

    /// The answer in the form that scorers take.
    #[must_use]
    pub(crate) fn output(&self, case: &str) -> AgentOutput {
        let mut links = self.links.clone();
        links.extend(self.trace.iter().flat_map(|trace| trace.addresses()));
        AgentOutput {
            case: case.to_owned(),
            object: serde_json::from_str(&self.answer).ok(),
            text: self.answer.clone(),
            trajectory: self.trace.as_ref().and_then(|trace| trace.trajectory()),
            links,
            ..AgentOutput::default()
        }
    }
}
