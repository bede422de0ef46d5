//! Judges at the edge: what runs a program or a model and hands its scores to the pure scorers.
//!
//! A run that judges answers constructs one [`Grader`] and calls it for each answer:
//!
//! 1. [`ModelId::parse`] reads `openai:gpt-5-mini` (or a URL), [`HttpJudge::new`] makes the client;
//! 2. [`Prompts::built_in`] or [`Prompts::load`] reads the prompts;
//! 3. [`Grader::new`] takes both, with a [`JudgeCache`] and the price of the model;
//! 4. [`Grader::judge`] takes a [`JudgeRequest`] (mode and texts) and gives a [`Judgement`]: judged, or unscored with the reason;
//!    [`Grader::judge_repeatedly`] does so n times and gives the majority;
//! 5. [`Grader::counters`] says what was asked, taken from the cache, unscored and spent.
//!
//! Every judged run also judges the [`AnchorSet`]; [`drift`] says between two runs whether the judge moved. [`Budget`] holds what a run
//! may spend, on the agent too.
//!
//! A failure of the judge is never a score: it is unscored, with its [`UnscoredKind`].

mod addressed;
mod anchor;
mod budget;
mod cache;
mod check;
mod client;
mod command;
mod error;
#[cfg(any(test, feature = "samples"))]
mod fake;
mod form;
mod grader;
mod label;
mod model;
mod modes;
mod prompts;
mod reasons;
mod repeat;
mod reply;
mod request;
mod wire;

use std::future::Future;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scoring::scorers::Provider;

pub use anchor::{AnchorResult, AnchorRun, AnchorSet, ChangeCause, Drift, drift};
pub use budget::{Budget, SetAside};
pub use cache::JudgeCache;
pub use client::{ClientOptions, DEFAULT_TIMEOUT_SECONDS, HttpJudge};
pub use command::CommandScorer;
pub use error::JudgeError;
#[cfg(any(test, feature = "samples"))]
pub use fake::FakeJudge;
pub use grader::{Grader, JudgeCounters};
pub use label::HumanLabel;
pub use model::{ApiKey, Variables};
pub use prompts::Prompts;
pub use repeat::{Repeated, reduce};
pub use request::{JudgeMode, JudgeRequest, Judgement, UnscoredKind};

/// Which model judges, and where it is asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelId {
    /// Who runs it.
    pub provider: Provider,
    /// Its name.
    pub model: String,
    /// The address that its requests begin with, without a slash at the end.
    pub base: String,
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// The text.
    pub text: String,
    /// The shape of the reply.
    pub schema: Arc<ReplySchema>,
    /// What it replied before and what was wrong with that, when it is asked a second time.
    pub repair: Option<Repair>,
}

/// A reply that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The reply.
    pub reply: String,
    /// What is wrong with it.
    pub problem: String,
}

/// A JSON schema with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplySchema {
    /// Letters and underscores.
    pub name: &'static str,
    /// The schema: objects without further properties, all properties required.
    pub schema: Value,
}

/// What a model replied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeReply {
    /// The text, JSON by the schema if the model kept to it.
    pub text: String,
    /// Tokens that the provider counts.
    pub usage: Usage,
    /// The model's name in the provider's words, when it says so.
    pub model: Option<String>,
}

/// Tokens of one or more requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Sent, cached ones included.
    pub input_tokens: u64,
    /// Received, those of its reasoning included.
    pub output_tokens: u64,
}

impl Usage {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }
}

/// A model that replies to a prompt.
pub trait Judge: Send + Sync {
    /// Which model it is.
    fn id(&self) -> &ModelId;

    /// Asks it; requests that fail in passing are sent again.
    ///
    /// # Errors
    /// Any [`JudgeError`]; a reply that does not keep to the schema is none.
    fn ask(&self, prompt: &Prompt) -> impl Future<Output = Result<JudgeReply, JudgeError>> + Send;
}
