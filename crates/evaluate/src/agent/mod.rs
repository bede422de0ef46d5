//! The agent to evaluate: Ask-Atlas over HTTP, a command, or recorded answers, behind one trait.
//! Answers are data, and each comes with its trace.

mod adapter;
mod ask_atlas;
mod command;
mod known_questions;
mod recorded;
mod recorded_file;
mod recorded_suite;
mod sse;
mod trace;

use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::manifest::QuestionId;

pub use adapter::{Adapter, AdapterLimits};
pub use ask_atlas::{AskAtlas, AskOptions};
pub use atlas_gt_core::pipeline::Mode;
pub use command::CommandAgent;
pub use known_questions::{KnownQuestions, known_questions, question_of};
pub use recorded::{ANSWERS_OF, RecordedAgent, UnknownAnswer, UnknownAnswers};
pub(crate) use recorded_file::run_files as answer_files;
pub use recorded_file::{
    AnswerDocument, MAX_INVALID, NO_QUESTION, RecordedAnswer, already_answered, answer_documents,
};
pub use recorded_suite::RecordedSuite;
pub(crate) use trace::latency_by_node;
pub use trace::{ExecutionTrace, NodeTrace, TokenUsage};

/// A question for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentQuestion {
    /// Its id.
    pub question_id: QuestionId,
    /// Its text.
    pub question: String,
    /// The pipeline to use.
    pub mode: Mode,
    /// Context that the question comes with, in a case of a suite. Only programs get it.
    pub context: Map<String, Value>,
}

impl AgentQuestion {
    /// A question without context.
    #[must_use]
    pub fn new(question_id: QuestionId, question: impl Into<String>, mode: Mode) -> Self {
        Self { question_id, question: question.into(), mode, context: Map::new() }
    }
}

/// The agent's answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reply {
    /// The answer text.
    pub answer: String,
    /// Earlier texts that the agent replaced. They are not part of the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drafts: Vec<String>,
    /// Addresses of Atlas pages in the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// The execution trace; none if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<ExecutionTrace>,
    /// The request id in the agent's logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Failures beside the answer: fetching the thread's details, deleting the thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// A judge's points that came with the answer, by scorer and criterion.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub judge_points: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Reply {
    /// The answer's text.
    ///
    /// # Errors
    /// It is empty.
    fn text(&self) -> Result<&str, AgentError> {
        if self.answer.trim().is_empty() { Err(AgentError::Empty) } else { Ok(&self.answer) }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// The agent was unreachable, or the connection broke before any data arrived.
    #[error("the agent could not be reached: {0}")]
    Transport(String),
    /// The agent answered with an error status.
    #[error("the agent answered with status {status}: {body}")]
    Status {
        /// HTTP status.
        status: u16,
        /// The start of the response body.
        body: String,
    },
    /// The answer took too long.
    #[error("the agent gave no whole answer within {0:?}")]
    Timeout(Duration),
    /// The answer ended early.
    #[error("the agent's answer was cut off: {0}")]
    CutOff(String),
    /// The answer could not be parsed.
    #[error("the agent's answer is malformed: {0}")]
    Malformed(String),
    /// The answer was too long.
    #[error("the agent's answer is longer than {0} bytes")]
    TooLong(u64),
    /// The agent reported an error.
    #[error("the agent reports: {0}")]
    Reported(String),
    /// The program failed.
    #[error("the agent's program: {0}")]
    Command(String),
    /// No answer was recorded for the question.
    #[error("no answer to question {0} is recorded")]
    NotRecorded(QuestionId),
    /// The run was stopped before the question was asked.
    #[error("the run was stopped before the agent was asked")]
    Stopped,
    /// The answer has no text.
    #[error("the agent's answer is empty")]
    Empty,
}

impl AgentError {
    /// Whether a retry may help without changing the result: only if the question never arrived, or
    /// the server was not ready.
    #[must_use]
    pub(crate) const fn is_transport(&self) -> bool {
        matches!(self, Self::Transport(_) | Self::Status { status: 429 | 502 | 503, .. })
    }
}

/// An agent that answers questions.
pub trait Agent: Send + Sync {
    /// The name for reports.
    fn name(&self) -> String;

    /// Asks a question.
    ///
    /// # Errors
    /// Any [`AgentError`]. A wrong answer is not an error.
    fn ask(&self, asked: &AgentQuestion) -> impl Future<Output = Result<Reply, AgentError>> + Send;
}

/// An agent chosen at run time.
#[derive(Debug)]
pub enum AnyAgent {
    /// Ask-Atlas over HTTP.
    AskAtlas(AskAtlas),
    /// A program.
    Command(CommandAgent),
    /// Recorded answers.
    Recorded(RecordedAgent),
    /// Recorded answers to the cases of a suite.
    Suite(RecordedSuite),
}

impl Agent for AnyAgent {
    fn name(&self) -> String {
        match self {
            Self::AskAtlas(agent) => agent.name(),
            Self::Command(agent) => agent.name(),
            Self::Recorded(agent) => agent.name(),
            Self::Suite(agent) => agent.name(),
        }
    }

    async fn ask(&self, asked: &AgentQuestion) -> Result<Reply, AgentError> {
        match self {
            Self::AskAtlas(agent) => agent.ask(asked).await,
            Self::Command(agent) => agent.ask(asked).await,
            Self::Recorded(agent) => agent.ask(asked).await,
            Self::Suite(agent) => agent.ask(asked).await,
        }
    }
}

/// Checks that the answer has text, and adds the question and links that only the trace has.
fn answered(asked: &AgentQuestion, mut reply: Reply) -> Result<Reply, AgentError> {
    if let Some(trace) = &mut reply.trace {
        if trace.question_id.is_empty() {
            trace.question_id = asked.question_id.to_string();
        }
        if reply.links.is_empty() {
            reply.links = trace.addresses();
        }
    }
    reply.text()?;
    Ok(reply)
}
