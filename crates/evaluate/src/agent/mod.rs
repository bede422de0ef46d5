//! The edge towards the agent that is scored: Ask-Atlas over HTTP, a command, or recorded answers, behind one trait.
//! What the agent answers is data; how it came to its answer is kept as a trace.

mod adapter;
mod ask_atlas;
mod command;
mod recorded;
mod sse;
mod trace;

use std::future::Future;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::manifest::QuestionId;

pub use adapter::{Adapter, AdapterLimits};
pub use ask_atlas::{AskAtlas, AskOptions};
pub use command::CommandAgent;
pub use recorded::{RecordedAgent, RecordedAnswer, UnknownAnswer, UnknownAnswers};
pub(crate) use trace::latency_by_node;
pub use trace::{ExecutionTrace, NodeTrace, TokenUsage};

/// Which pipeline the agent is asked to use.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// GraphQL alone.
    GraphqlOnly,
    /// SQL alone.
    SqlOnly,
    /// GraphQL and SQL, as newer servers call it.
    GraphqlSql,
    /// The agent decides.
    #[default]
    Auto,
}

atlas_gt_core::words!(Mode);

/// A question for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentQuestion {
    /// Its id.
    pub question_id: QuestionId,
    /// Its text.
    pub question: String,
    /// The pipeline to use.
    pub mode: Mode,
}

/// What an agent answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer in prose.
    pub answer: String,
    /// What it said before, and took back by going on: no part of the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drafts: Vec<String>,
    /// Addresses of Atlas pages that it gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// How it came to the answer; none when nothing says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<ExecutionTrace>,
    /// The id that was sent with the request, for the agent's own logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What could not be done besides: the thread's details, its deletion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// It could not be reached, or the connection broke before anything came.
    #[error("the agent could not be reached: {0}")]
    Transport(String),
    /// It answered with an error status.
    #[error("the agent answered with status {status}: {body}")]
    Status {
        /// HTTP status.
        status: u16,
        /// The beginning of what it said.
        body: String,
    },
    /// It took too long.
    #[error("the agent gave no whole answer within {0:?}")]
    Timeout(Duration),
    /// It ended before it was done.
    #[error("the agent's answer was cut off: {0}")]
    CutOff(String),
    /// It said something that is not understood.
    #[error("the agent's answer is malformed: {0}")]
    Malformed(String),
    /// It said too much.
    #[error("the agent's answer is longer than {0} bytes")]
    TooLong(u64),
    /// It reported a failure of its own.
    #[error("the agent reports: {0}")]
    Reported(String),
    /// The program failed.
    #[error("the agent's program: {0}")]
    Command(String),
    /// No answer was recorded for the question.
    #[error("no answer to question {0} is recorded")]
    NotRecorded(QuestionId),
    /// The run was stopped before it was asked.
    #[error("the run was stopped before the agent was asked")]
    Stopped,
    /// It gave an answer without a word in it.
    #[error("the agent's answer is empty")]
    Empty,
}

impl AgentError {
    /// Whether asking again may help and cannot change what is measured: only where the question never arrived, or the
    /// server said that it was not ready.
    #[must_use]
    pub(crate) const fn is_transport(&self) -> bool {
        matches!(self, Self::Transport(_) | Self::Status { status: 429 | 502 | 503, .. })
    }
}

/// Something that answers questions.
pub trait Agent: Send + Sync {
    /// What it is, for reports.
    fn name(&self) -> String;

    /// Asks it.
    ///
    /// # Errors
    /// Any [`AgentError`]; a wrong answer is none.
    fn ask(&self, asked: &AgentQuestion) -> impl Future<Output = Result<Reply, AgentError>> + Send;
}

/// One of the agents, chosen at run time.
#[derive(Debug)]
pub enum AnyAgent {
    /// Over HTTP.
    AskAtlas(AskAtlas),
    /// A program.
    Command(CommandAgent),
    /// Answers from a file.
    Recorded(RecordedAgent),
}

impl Agent for AnyAgent {
    fn name(&self) -> String {
        match self {
            Self::AskAtlas(agent) => agent.name(),
            Self::Command(agent) => agent.name(),
            Self::Recorded(agent) => agent.name(),
        }
    }

    async fn ask(&self, asked: &AgentQuestion) -> Result<Reply, AgentError> {
        match self {
            Self::AskAtlas(agent) => agent.ask(asked).await,
            Self::Command(agent) => agent.ask(asked).await,
            Self::Recorded(agent) => agent.ask(asked).await,
        }
    }
}

/// An answer to a question that has words in it. Question and links that only the trace has are added.
fn answered(asked: &AgentQuestion, mut reply: Reply) -> Result<Reply, AgentError> {
    if let Some(trace) = &mut reply.trace {
        if trace.question_id.is_empty() {
            trace.question_id = asked.question_id.to_string();
        }
        if reply.links.is_empty() {
            reply.links = trace.addresses();
        }
    }
    if reply.answer.trim().is_empty() { Err(AgentError::Empty) } else { Ok(reply) }
}
