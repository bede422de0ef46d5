//! What a run is, `runs/{run}/run.json`: written before the first question is asked, and all that `resume` needs to go on.

use std::path::PathBuf;

use jiff::Timestamp;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::{Mode, UnknownAnswers};
use crate::judge::DEFAULT_TIMEOUT_SECONDS;
use crate::manifest::QuestionId;
use crate::scoring::SCORING_VERSION;
use crate::scoring::components::Component;
use crate::scoring::rubric::Rubric;
use crate::truth::files::whole_seconds;
use crate::truth::{Pipeline, Site};

/// What a run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RunSettings {
    /// Its name: the folder below `runs/`.
    pub run: String,
    /// When it began; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub started: Timestamp,
    /// Version of the program.
    pub tool_version: String,
    /// Version of the scoring.
    pub scoring_version: u32,
    /// Where its cases come from.
    #[serde(default, skip_serializing_if = "CaseSource::is_manifest")]
    pub source: CaseSource,
    /// The manifest's file; nothing for the one that is built in.
    pub manifest: Option<PathBuf>,
    /// The store of the truth.
    pub store: PathBuf,
    /// Whose truth it is.
    pub site: Site,
    /// Who is asked.
    pub agent: AgentChoice,
    /// What the agent calls itself.
    pub agent_name: String,
    /// The pipeline to ask for.
    pub mode: Mode,
    /// The agent's pipeline, for answers whose trace names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<Pipeline>,
    /// Seconds to wait for one answer.
    pub agent_timeout: u64,
    /// What an answer is assumed to cost in US dollars where it does not say.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub agent_price_usd: Option<Decimal>,
    /// Who judges, where anybody does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeChoice>,
    /// Seconds that one reply of the judge may take.
    #[serde(default = "judge_timeout")]
    pub judge_timeout: u64,
    /// Questions at a time.
    pub concurrency: usize,
    /// What the run may cost in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_usd: Option<Decimal>,
    /// The pass rate below which the run fails, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_pass_rate: Option<f64>,
    /// How the questions were chosen.
    pub selection: String,
    /// Decides a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The run whose answers are scored again; no agent is asked then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescore_of: Option<String>,
    /// The questions, in order.
    pub planned: Vec<QuestionId>,
    /// Questions whose truth cannot be read; they are not asked (decision 28).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<Unreadable>,
    /// Recorded answers that are left out.
    #[serde(default, skip_serializing_if = "UnknownAnswers::is_empty")]
    pub unknown_answers: UnknownAnswers,
    /// Questions of the manifest that are left out because nothing says what is right.
    #[serde(default)]
    pub without_truth: usize,
    /// What the manifest covers.
    pub coverage: Coverage,
}

impl RunSettings {
    /// A run that begins now, of these cases and this agent; the rest is as little as there can be.
    #[must_use]
    pub fn new(source: CaseSource, agent: AgentChoice, started: Timestamp) -> Self {
        Self {
            run: String::new(),
            started,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            scoring_version: SCORING_VERSION,
            source,
            manifest: None,
            store: PathBuf::new(),
            site: Site::Live,
            agent_name: String::new(),
            agent,
            mode: Mode::Auto,
            pipeline: None,
            agent_timeout: 180,
            agent_price_usd: None,
            judge: None,
            judge_timeout: judge_timeout(),
            concurrency: 4,
            budget_usd: None,
            min_pass_rate: None,
            selection: "all".to_owned(),
            seed: None,
            rescore_of: None,
            planned: Vec::new(),
            unreadable: Vec::new(),
            unknown_answers: UnknownAnswers::default(),
            without_truth: 0,
            coverage: Coverage::default(),
        }
    }
}

const fn judge_timeout() -> u64 {
    DEFAULT_TIMEOUT_SECONDS
}

/// Where the cases of a run come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaseSource {
    /// Questions of the manifest, with the truth of the store.
    #[default]
    Manifest,
    /// Cases of components.
    Components {
        /// Of this component alone.
        component: Option<Component>,
        /// From a folder; nothing for the cases that are built in.
        folder: Option<PathBuf>,
    },
}

impl CaseSource {
    const fn is_manifest(&self) -> bool {
        matches!(self, Self::Manifest)
    }

    /// The word in the history: runs of two sources are never in one trend.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Components { .. } => "components",
        }
    }
}

/// Who is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentChoice {
    /// Ask-Atlas at an address.
    Url(String),
    /// A program.
    Command(String),
    /// Recorded answers.
    Answers(PathBuf),
}

impl AgentChoice {
    /// Whether the answers are there already: a run spends nothing on them (decision 21).
    #[must_use]
    pub const fn is_recorded(&self) -> bool {
        matches!(self, Self::Answers(_))
    }
}

impl RunSettings {
    /// Whether all answers were there before the run, which spends nothing on them.
    #[must_use]
    pub(crate) const fn is_of_known_answers(&self) -> bool {
        self.agent.is_recorded() || self.rescore_of.is_some()
    }
}

/// Who judges, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeChoice {
    /// The model, as `--judge` names it.
    pub model: String,
    /// The folder of prompts of one's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts: Option<PathBuf>,
    /// Hash over the templates of all prompts.
    pub prompts_hash: String,
    /// The dimensions.
    pub rubric: Rubric,
    /// How often it is asked the same.
    pub repeat: u32,
}

/// A question whose truth cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unreadable {
    /// The question.
    pub question_id: String,
    /// Why.
    pub why: String,
}

/// What a manifest with its store covers (evaluation strategy, section 8, "Coverage Metrics"). Counts of the whole manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Questions.
    pub questions: u64,
    /// Those with a truth, or a behaviour that is expected.
    pub with_truth: u64,
    /// Those whose truth was read in a browser.
    pub browser_verified: u64,
    /// Categories.
    pub categories: u64,
    /// Categories with at least three questions.
    pub categories_with_three: u64,
    /// Kinds of queries that are known.
    pub query_types: u64,
    /// Kinds of queries that some question expects.
    pub query_types_covered: u64,
}
