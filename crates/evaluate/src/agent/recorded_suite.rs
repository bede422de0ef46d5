//! Recorded answers to the cases of a suite.

use std::collections::BTreeMap;

use super::{Agent, AgentError, AgentQuestion, ExecutionTrace, Reply};
use crate::manifest::QuestionId;
use crate::scoring::suite::AgentOutput;

/// Recorded answers to the cases of a suite.
#[derive(Debug)]
pub struct RecordedSuite {
    name: String,
    answers: BTreeMap<QuestionId, AgentOutput>,
}

impl RecordedSuite {
    /// Answers by case id, with a name for reports.
    #[must_use]
    pub const fn new(name: String, answers: BTreeMap<QuestionId, AgentOutput>) -> Self {
        Self { name, answers }
    }
}

impl Agent for RecordedSuite {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn ask(&self, asked: &AgentQuestion) -> Result<Reply, AgentError> {
        let id = &asked.question_id;
        let recorded = self.answers.get(id).ok_or_else(|| AgentError::NotRecorded(id.clone()))?;
        if let Some(error) = &recorded.error {
            return Err(AgentError::Reported(error.clone()));
        }
        let cost_usd = recorded.cost.dollars();
        let made = recorded.trajectory.as_ref();
        let trace = (made.is_some() || cost_usd.is_some()).then(|| ExecutionTrace {
            tool_calls: made.iter().flat_map(|made| made.names()).map(str::to_owned).collect(),
            calls: made.map(|made| made.calls.clone()),
            unknown_keys: made.map(|made| made.unknown_keys.clone()).unwrap_or_default(),
            cost_usd,
            ..ExecutionTrace::default()
        });
        Ok(Reply {
            answer: recorded.text.clone(),
            links: recorded.links.clone(),
            trace,
            judge_points: recorded.judge.clone(),
            ..Reply::default()
        })
    }
}
