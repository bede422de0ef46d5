//! Judges: programs and models whose scores go to the pure scorers.
//!
//! A run that judges answers creates one [`Grader`] and calls it for each answer:
//!
//! 1. [`ModelId::parse`] parses `openai:gpt-5-mini` (or a URL), [`HttpJudge::new`] creates the
//!    client;
//! 2. [`Prompts::built_in`] or [`Prompts::load`] reads the prompts;
//! 3. [`Grader::new`] takes both, with a [`JudgeCache`] and the price of the model;
//! 4. [`Grader::judge`] takes a [`JudgeRequest`] and returns a [`Judgement`]: judged, or unscored
//!    with the reason. [`Grader::judge_repeatedly`] does so n times and takes the majority;
//! 5. [`Grader::counters`] counts requests, cache hits, unscored answers and money.
//!
//! Every judged run also judges the [`AnchorSet`]; [`drift`] tells whether the judge changed
//! between two runs. [`Budget`] limits the money spent, on the agent too.
//!
//! A failure of the judge is never a score: the answer is unscored, with an [`UnscoredKind`].

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

pub use crate::token_usage::TokenUsage;
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

/// A judge model and its address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ModelId {
    /// The provider.
    pub provider: Provider,
    /// Its name.
    pub model: String,
    /// The base address, without a trailing slash.
    pub base: String,
}

/// A prompt for a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// The text.
    pub text: String,
    /// The schema of the reply.
    pub schema: Arc<ReplySchema>,
    /// The unusable reply and its problem, on a second attempt.
    pub repair: Option<Repair>,
}

/// An unusable reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The reply.
    pub reply: String,
    /// The problem.
    pub problem: String,
}

/// A JSON schema with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplySchema {
    /// The name: letters and underscores.
    pub name: &'static str,
    /// The schema: closed objects, all properties required.
    pub schema: Value,
}

/// A model's reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeReply {
    /// The text. It is JSON if the model followed the schema.
    pub text: String,
    /// The tokens counted by the provider.
    pub usage: TokenUsage,
    /// The model name reported by the provider, if any.
    pub model: Option<String>,
}

/// A judge model.
pub trait Judge: Send + Sync {
    /// The model's id.
    fn id(&self) -> &ModelId;

    /// Sends a prompt. Transient failures are retried.
    ///
    /// # Errors
    /// Any [`JudgeError`]. A reply that violates the schema is not an error.
    fn ask(&self, prompt: &Prompt) -> impl Future<Output = Result<JudgeReply, JudgeError>> + Send;
}
