//! Scores cases that name their own scorers: those of suites and components.

use serde::Deserialize;

use super::ask::CaseScorer;
use super::record::{QuestionRecord, Scored};
use crate::agent::Reply;
use crate::scoring::CaseVerdict;
use crate::scoring::suite::{AgentOutput, CaseResult, Registry, run_case};
use crate::scoring::tools::{DataTools, TrajectoryVerdict};
use crate::truth::Pipeline;
use crate::verdict::Decider;

/// Scores an answer with the scorers that its case names.
#[derive(Debug)]
pub struct NamedScorers<'a> {
    /// The scorers.
    pub registry: &'a Registry,
}

impl CaseScorer for NamedScorers<'_> {
    async fn score(&self, record: &QuestionRecord) -> Option<Scored> {
        let case = record.checks.as_deref()?;
        let output = record.answer.reply.as_ref().map(|reply| reply.output(&case.name));
        let CaseResult { verdict, score, scorers, error, .. } =
            run_case(case, output.as_ref(), self.registry);
        let decided_by = if verdict == CaseVerdict::Unscored { Decider::Nobody } else { Decider::Rules };
        let decisive = scorers.iter().find(|scorer| scorer.status == verdict).or(scorers.first());
        let reason = record.answer.error.clone().or(error);
        let reason = reason.or_else(|| decisive.map(|scorer| scorer.score.reason())).unwrap_or_default();
        let routed = scorers.iter().find(|scorer| scorer.scorer == "trajectory");
        let route = routed.and_then(|scorer| scorer.score.metadata.get("route"));
        let trajectory = route.and_then(|route| TrajectoryVerdict::deserialize(route).ok());
        Some(Scored { score, scorers, trajectory, ..Scored::new(verdict, decided_by, reason) })
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
            judge: self.judge_points.clone(),
            ..AgentOutput::default()
        }
    }
}
