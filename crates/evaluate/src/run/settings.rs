//! The settings of a run, `runs/{run}/run.json`. They are written before the first question, and
//! contain everything that `resume` needs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::agent::{Mode, UnknownAnswers};
use crate::evidence::Hash;
use crate::judge::DEFAULT_TIMEOUT_SECONDS;
use crate::manifest::QuestionId;
use crate::scoring::SCORING_VERSION;
use crate::scoring::components::Component;
use crate::scoring::rubric::Rubric;
use crate::truth::files::whole_seconds;
use crate::truth::{Pipeline, Site};
use atlas_gt_core::sample::Drawn;

/// The settings of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSettings {
    /// Its name, which is the folder below `runs/`.
    pub run: String,
    /// The start time, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub started: Timestamp,
    /// Version of the program.
    pub tool_version: String,
    /// Version of the scoring.
    pub scoring_version: u32,
    /// The source of its cases.
    #[serde(default, skip_serializing_if = "CaseSource::is_manifest")]
    pub source: CaseSource,
    /// The files of its cases and recorded answers, as they were at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<RunInput>,
    /// The manifest file; none for the built-in one.
    pub manifest: Option<PathBuf>,
    /// The store of the truth.
    pub store: PathBuf,
    /// The site of the truth.
    pub site: Site,
    /// The agent.
    pub agent: AgentChoice,
    /// The agent's name.
    pub agent_name: String,
    /// The pipeline that the agent should use.
    pub mode: Mode,
    /// The agent's pipeline, for answers whose trace names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<Pipeline>,
    /// The time limit per answer, in seconds.
    pub agent_timeout: u64,
    /// The assumed cost of an answer in US dollars, if it states none.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub agent_price_usd: Option<Decimal>,
    /// The judge, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeChoice>,
    /// The time limit per judge reply, in seconds.
    #[serde(default = "judge_timeout")]
    pub judge_timeout: u64,
    /// The number of questions asked in parallel.
    pub concurrency: usize,
    /// The budget of the run in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_usd: Option<Decimal>,
    /// The minimum pass rate, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_pass_rate: Option<f64>,
    /// The minimum mean score of a suite, 0 to 1. Without it, every case must pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_score: Option<f64>,
    /// How the questions were chosen.
    pub selection: String,
    /// The seed of the draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The run whose answers are scored again. No agent is asked then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescore_of: Option<String>,
    /// The questions, in order.
    pub planned: Vec<QuestionId>,
    /// The number of cases that the rescored run had not asked.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unasked: usize,
    /// Questions whose record cannot be read. They are not asked (decision 28).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<Unreadable>,
    /// Skipped recorded answers.
    #[serde(default, skip_serializing_if = "UnknownAnswers::is_empty")]
    pub unknown_answers: UnknownAnswers,
    /// The number of manifest questions skipped for lack of a reference.
    #[serde(default)]
    pub without_truth: usize,
    /// Questions with a recorded answer that are skipped for lack of a reference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered_without_truth: Vec<QuestionId>,
    /// Questions with a recorded answer that are skipped because only the store has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered_not_in_manifest: Vec<QuestionId>,
    /// The coverage of the manifest.
    pub coverage: Coverage,
}

impl RunSettings {
    /// Settings for a run that starts now with these cases and this agent. The rest has minimal
    /// values.
    #[must_use]
    pub fn new(source: CaseSource, agent: AgentChoice, started: Timestamp) -> Self {
        Self {
            started,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            scoring_version: SCORING_VERSION,
            source,
            agent,
            agent_timeout: 180,
            judge_timeout: judge_timeout(),
            concurrency: 4,
            selection: "all".to_owned(),
            ..Self::default()
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
pub(super) const fn is_none(count: &usize) -> bool {
    *count == 0
}

const fn judge_timeout() -> u64 {
    DEFAULT_TIMEOUT_SECONDS
}

/// A file or folder with cases or answers of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunInput {
    /// Its absolute path; `-` for standard input.
    pub path: PathBuf,
    /// Its content.
    pub kind: RunInputKind,
    /// The hash of its content when the run started.
    pub hash: Hash,
}

impl RunInput {
    /// Recorded answers from standard input, which cannot be read again.
    #[must_use]
    pub fn standard_input(content: &[u8]) -> Self {
        Self { path: "-".into(), kind: RunInputKind::Answers, hash: Hash::of(content) }
    }

    pub(super) fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// The content of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunInputKind {
    /// Cases of components or a suite.
    Cases,
    /// Recorded answers.
    Answers,
}

/// The source of a run's cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaseSource {
    /// Questions of the manifest, with truth from the store.
    #[default]
    Manifest,
    /// Cases of components.
    Components {
        /// Only this component.
        component: Option<Component>,
        /// The folder of cases; none for the built-in ones.
        folder: Option<PathBuf>,
    },
    /// Cases of a suite.
    Suite {
        /// The suite's name.
        name: String,
        /// Its file.
        file: PathBuf,
    },
    /// Questions of a spot check, scored against their pages.
    SpotCheck {
        /// Why each question was drawn.
        drawn: BTreeMap<QuestionId, Drawn>,
        /// The number of questions that they were drawn from.
        candidates: usize,
    },
}

/// The kind of a run's cases. A trend and a comparison never mix kinds.
#[derive(Serialize, Deserialize, JsonSchema, VariantArray)]
#[serde(rename_all = "snake_case")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CaseKind {
    /// Questions of the manifest.
    #[default]
    Manifest,
    /// Cases of components.
    Components,
    /// Cases of suites.
    Suite,
    /// Questions of spot checks.
    SpotCheck,
}

atlas_gt_core::words!(CaseKind);

impl CaseKind {
    /// The words of the command that starts such a run.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            Self::Manifest => "eval run",
            Self::Components => "component run",
            Self::Suite => "suite run",
            Self::SpotCheck => "spot-check",
        }
    }

    /// Whether a judge may decide such cases.
    #[must_use]
    pub const fn is_judged(self) -> bool {
        matches!(self, Self::Manifest | Self::SpotCheck)
    }

    /// The words of the command that continues such a run.
    #[must_use]
    pub const fn resume(self) -> &'static str {
        match self {
            Self::SpotCheck => "spot-check --resume",
            _ => "eval resume",
        }
    }
}

impl CaseSource {
    const fn is_manifest(&self) -> bool {
        matches!(self, Self::Manifest)
    }

    /// The kind of the cases.
    #[must_use]
    pub const fn kind(&self) -> CaseKind {
        match self {
            Self::Manifest => CaseKind::Manifest,
            Self::Components { .. } => CaseKind::Components,
            Self::Suite { .. } => CaseKind::Suite,
            Self::SpotCheck { .. } => CaseKind::SpotCheck,
        }
    }

    /// The suite's name, for cases of a suite.
    #[must_use]
    pub fn suite(&self) -> Option<&str> {
        match self {
            Self::Suite { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Why a question of a spot check was drawn.
    #[must_use]
    pub fn drawn(&self, id: &QuestionId) -> Option<Drawn> {
        match self {
            Self::SpotCheck { drawn, .. } => drawn.get(id).copied(),
            _ => None,
        }
    }

    /// The source of the same cases, scored against their truth alone.
    pub(super) fn without_pages(&self) -> Self {
        match self {
            Self::SpotCheck { .. } => Self::Manifest,
            other => other.clone(),
        }
    }
}

/// The agent to ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentChoice {
    /// Ask-Atlas at an address.
    Url(String),
    /// A program.
    Command(String),
    /// Recorded answers.
    Answers(PathBuf),
}

impl Default for AgentChoice {
    fn default() -> Self {
        Self::Url(String::new())
    }
}

impl AgentChoice {
    /// The agent that is named, if one is: recorded answers, a program, or an address.
    #[must_use]
    pub fn of(answers: Option<&PathBuf>, command: Option<&String>, url: Option<&String>) -> Option<Self> {
        let asked = || command.cloned().map(Self::Command).or_else(|| url.cloned().map(Self::Url));
        answers.cloned().map(Self::Answers).or_else(asked)
    }

    /// Whether the answers are recorded, so that a run spends nothing on them (decision 21).
    #[must_use]
    pub const fn is_recorded(&self) -> bool {
        matches!(self, Self::Answers(_))
    }
}

impl RunSettings {
    /// Whether all answers existed before the run, which then spends nothing on them.
    #[must_use]
    pub(crate) const fn is_of_known_answers(&self) -> bool {
        self.agent.is_recorded() || self.rescore_of.is_some()
    }
}

/// A judge with its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeChoice {
    /// The model, as `--judge` names it.
    pub model: String,
    /// The folder of custom prompts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts: Option<PathBuf>,
    /// A hash over all prompt templates.
    pub prompts_hash: String,
    /// The dimensions.
    pub rubric: Rubric,
    /// The number of repetitions.
    pub repeat: u32,
}

/// A question whose record cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unreadable {
    /// The question.
    pub question_id: String,
    /// The reason.
    pub why: String,
}

/// The coverage of a manifest with its store (evaluation strategy, section 8, "Coverage Metrics").
/// Categories and query types cover the whole manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Questions without an expected behavior: those that need a truth.
    pub questions: u64,
    /// Questions with a truth.
    pub with_truth: u64,
    /// Questions whose truth was read in a browser.
    pub browser_verified: u64,
    /// Categories.
    pub categories: u64,
    /// Categories with at least three questions.
    pub categories_with_three: u64,
    /// Known query types.
    pub query_types: u64,
    /// Query types with at least one question.
    pub query_types_covered: u64,
}
