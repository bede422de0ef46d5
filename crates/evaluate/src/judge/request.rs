//! The judge's request and judgement.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::{ModelId, TokenUsage};
use crate::evidence::Hash;
use crate::scoring::cost::Cost;
use crate::scoring::rubric::Rubric;
use crate::scoring::{CaseVerdict, Score};

/// A judge mode.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum JudgeMode {
    /// Compares with the truth, by the dimensions of a rubric (evaluation strategy, sections 1.1
    /// and 6; decision 16).
    GroundTruth,
    /// Compares with the truth, by four yes-or-no dimensions and a kind of failure.
    Binary,
    /// Checks that an answer refuses as it should (section 1.1).
    Refusal,
    /// Checks that an answer without a known truth is plausible (section 1.1).
    Plausibility,
    /// Scores the agent's reasoning, 3 + 3 + 2 + 2 points (scorers, "Reasoning Scorer").
    Reasoning,
    /// Scores whether evidence supports the answer, 4 + 4 points, plus 2 for expected content,
    /// which needs no judge (scorers, "Grounding Scorer"; decision 7).
    Grounding,
    /// Scores the similarity in spelling (metrics plan, FUZZY; decision 6).
    Fuzzy,
    /// Scores the similarity in meaning (metrics plan, SEMANTIC; decision 6).
    Semantic,
}

atlas_gt_core::words!(JudgeMode);

/// An answer to judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeRequest {
    /// The mode.
    pub mode: JudgeMode,
    /// The question, or for similarity the field name.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The truth as text, needed for `ground_truth`, `fuzzy` and `semantic`.
    pub truth: Option<String>,
    /// The agent's evidence, for `grounding`.
    pub evidence: Vec<String>,
    /// A summary of the trace. Without it the data source is not judged.
    pub trace: Option<String>,
    /// The rubric for `ground_truth`.
    pub rubric: Rubric,
    /// Phrases that the answer should contain, for `grounding`.
    pub expected_content: Vec<String>,
    /// The passing score from 0 to 1, if it differs from the mode's.
    pub threshold: Option<f64>,
}

impl JudgeRequest {
    /// A request with only its texts.
    #[must_use]
    pub fn new(mode: JudgeMode, question: impl Into<String>, answer: impl Into<String>) -> Self {
        Self {
            mode,
            question: question.into(),
            answer: answer.into(),
            truth: None,
            evidence: Vec::new(),
            trace: None,
            rubric: Rubric::default(),
            expected_content: Vec::new(),
            threshold: None,
        }
    }

    /// The request with a truth.
    #[must_use]
    pub fn against(mut self, truth: impl Into<String>) -> Self {
        self.truth = Some(truth.into());
        self
    }

    /// The request with a rubric. The binary rubric has its own mode.
    #[must_use]
    pub fn by(self, rubric: Rubric) -> Self {
        let mode = match (self.mode, rubric) {
            (JudgeMode::GroundTruth, Rubric::Binary) => JudgeMode::Binary,
            (mode, _) => mode,
        };
        Self { mode, rubric, ..self }
    }

    /// The passing score.
    #[must_use]
    pub fn passing(&self) -> f64 {
        self.threshold.unwrap_or(self.mode.row().passing)
    }
}

/// The result of judging an answer once: a verdict with its score, or a failure. A failure is never
/// a score of zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The score from 0 to 1 with the judge's reasons; unscored with the reason if judging failed.
    pub score: Score,
    /// The verdict; none if judging failed.
    pub verdict: Option<CaseVerdict>,
    /// The kind of failure.
    pub failure: Option<UnscoredKind>,
    /// The points by dimension or criterion, on the judge's scale.
    pub dimensions: BTreeMap<String, f64>,
    /// The reasons by dimension.
    pub reasons: BTreeMap<String, String>,
    /// The kinds of failure of the answer, the main one first, if the mode asks for them.
    pub faults: Vec<String>,
    /// Findings for a person: the answer addresses the judge.
    pub findings: Vec<String>,
    /// The tokens. A cached verdict counts those of its first reply.
    pub usage: TokenUsage,
    /// The cost of this run; none if cached.
    pub cost: Cost,
    /// Whether it comes from the cache.
    pub cached: bool,
    /// Whether the first reply was unusable.
    pub repaired: bool,
    /// The hash of the prompt template.
    pub prompt: Hash,
    /// The model.
    pub model: ModelId,
}

/// How judging failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnscoredKind {
    /// The request rate stayed limited.
    RateLimited,
    /// The provider or the model refused.
    Refused,
    /// Two replies were malformed.
    Malformed,
    /// Two replies contradicted themselves.
    Contradictory,
    /// The reply took too long.
    Timeout,
    /// The judge was unreachable.
    Transport,
    /// Another error status.
    Status,
    /// The request lacks input that its mode requires.
    Incomplete,
    /// The judge had failed several times in a row and was not asked.
    NotAsked,
}

impl UnscoredKind {
    /// Whether the judge itself is unavailable, rather than failing on one answer.
    #[must_use]
    pub(crate) const fn is_of_the_judge(self) -> bool {
        matches!(self, Self::RateLimited | Self::Malformed | Self::Timeout | Self::Transport | Self::Status)
    }
}
