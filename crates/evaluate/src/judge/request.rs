//! A request to the judge, and its judgement.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::{ModelId, Usage};
use crate::evidence::Hash;
use crate::scoring::cost::Cost;
use crate::scoring::rubric::Rubric;
use crate::scoring::{CaseVerdict, Score};

/// How an answer is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum JudgeMode {
    /// Against the truth, by the dimensions of a rubric (evaluation strategy, sections 1.1 and 6; decision 16).
    GroundTruth,
    /// Against the truth, by four dimensions with yes or no and a kind of failure.
    Binary,
    /// Whether an answer that should refuse does (section 1.1).
    Refusal,
    /// Whether an answer without a truth could be right (section 1.1).
    Plausibility,
    /// The agent's reasoning, 3 + 3 + 2 + 2 points (scorers, "Reasoning Scorer").
    Reasoning,
    /// Whether evidence bears the answer, 4 + 4 points, and 2 for expected content, which need no judge (scorers, "Grounding
    /// Scorer"; decision 7).
    Grounding,
    /// How alike two texts are spelled (metrics plan, FUZZY; decision 6).
    Fuzzy,
    /// How alike two texts are in meaning (metrics plan, SEMANTIC; decision 6).
    Semantic,
}

atlas_gt_core::words!(JudgeMode);

/// An answer to judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeRequest {
    /// How.
    pub mode: JudgeMode,
    /// The question; for similarity the name of the field.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The truth, as text: needed for `ground_truth`, `fuzzy` and `semantic`.
    pub truth: Option<String>,
    /// What the agent had before it, for `grounding`.
    pub evidence: Vec<String>,
    /// What the agent did, in words: without it the source of the data is not judged.
    pub trace: Option<String>,
    /// The dimensions of `ground_truth`.
    pub rubric: Rubric,
    /// Phrases that the answer should hold, for `grounding`.
    pub expected_content: Vec<String>,
    /// The score from 0 to 1 that passes, where it is another than that of the mode.
    pub threshold: Option<f64>,
}

impl JudgeRequest {
    /// A request with nothing but its texts.
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

    /// The same with a truth.
    #[must_use]
    pub fn against(mut self, truth: impl Into<String>) -> Self {
        self.truth = Some(truth.into());
        self
    }

    /// The same by a rubric: the binary one is a mode of its own beside the one of dimensions.
    #[must_use]
    pub fn by(self, rubric: Rubric) -> Self {
        let mode = match (self.mode, rubric) {
            (JudgeMode::GroundTruth, Rubric::Binary) => JudgeMode::Binary,
            (mode, _) => mode,
        };
        Self { mode, rubric, ..self }
    }

    /// The score that passes.
    #[must_use]
    pub fn passing(&self) -> f64 {
        self.threshold.unwrap_or(self.mode.row().passing)
    }
}

/// The result of judging an answer once: a verdict with its score, or none, and how it failed; never a score of zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// From 0 to 1, with the judge's reasons; unscored, with the reason, where it failed.
    pub score: Score,
    /// What follows from it; nothing where it failed.
    pub verdict: Option<CaseVerdict>,
    /// How it failed.
    pub failure: Option<UnscoredKind>,
    /// What each dimension or criterion got, in the judge's scale.
    pub dimensions: BTreeMap<String, f64>,
    /// What the judge said of each dimension.
    pub reasons: BTreeMap<String, String>,
    /// What kind of failure it is, and of what second kind, where the mode asks.
    pub faults: Vec<String>,
    /// What a person should know besides: the answer addresses the judge.
    pub findings: Vec<String>,
    /// Tokens, those of the first reply of a cached verdict too.
    pub usage: Usage,
    /// What it cost now; nothing when it was cached.
    pub cost: Cost,
    /// Whether it was judged in an earlier run.
    pub cached: bool,
    /// Whether the first reply could not be used.
    pub repaired: bool,
    /// Hash of the prompt's template.
    pub prompt: Hash,
    /// The model.
    pub model: ModelId,
}

/// How judging failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnscoredKind {
    /// The rate of requests was limited to the end.
    RateLimited,
    /// The provider or the model declined.
    Refused,
    /// Two replies that cannot be read.
    Malformed,
    /// Two replies that contradict themselves.
    Contradictory,
    /// It took too long.
    Timeout,
    /// It could not be reached.
    Transport,
    /// Another error status.
    Status,
    /// The request lacks what its mode needs.
    Incomplete,
    /// It failed several times in a row before, and was not asked any more.
    NotAsked,
}

impl UnscoredKind {
    /// Whether the judge itself is away, hangs or breaks; how it takes a single answer says nothing of that.
    #[must_use]
    pub(crate) const fn is_of_the_judge(self) -> bool {
        matches!(self, Self::RateLimited | Self::Malformed | Self::Timeout | Self::Transport | Self::Status)
    }
}
