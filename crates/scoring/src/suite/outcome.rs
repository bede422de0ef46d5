//! What a case and a suite came to, and the bands that scores fall into (scorers, "Score Interpretation").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cost::AnswersCost;
use crate::score::Score;
use crate::stats::{MeanEstimate, Proportion};
use crate::tools::MatchRate;

/// The documented interpretation of a score; edges belong to the upper band.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum ScoreBand {
    /// Below 0.5: major failures requiring investigation.
    Poor,
    /// From 0.5: significant issues that need attention.
    Fair,
    /// From 0.7: minor issues that may be acceptable.
    Good,
    /// From 0.9: the agent performed optimally.
    Excellent,
}

impl ScoreBand {
    /// All, worst first.
    pub const ALL: [Self; 4] = [Self::Poor, Self::Fair, Self::Good, Self::Excellent];

    /// The band of a score.
    #[must_use]
    pub fn of(score: f64) -> Self {
        match score {
            s if s >= 0.9 => Self::Excellent,
            s if s >= 0.7 => Self::Good,
            s if s >= 0.5 => Self::Fair,
            _ => Self::Poor,
        }
    }

    /// Its name and what it means.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Excellent => "Excellent - Agent performed optimally",
            Self::Good => "Good - Minor issues that may be acceptable",
            Self::Fair => "Fair - Significant issues that need attention",
            Self::Poor => "Poor - Major failures requiring investigation",
        }
    }
}

/// What became of a scorer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScoreStatus {
    /// It gave a score.
    Scored,
    /// It had nothing to go by.
    Unscored,
    /// It failed.
    Error,
}

/// A scorer's part in a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScorerOutcome {
    /// Which scorer.
    pub scorer: String,
    /// What became of it.
    pub status: ScoreStatus,
    /// The score's band.
    pub band: Option<ScoreBand>,
    /// Whether it reaches the least score; nothing without a score.
    pub passed: Option<bool>,
    /// What it found.
    #[serde(flatten)]
    pub score: Score,
}

/// What became of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaseVerdict {
    /// Every scored scorer reaches the least score.
    Pass,
    /// At least one does not.
    Fail,
    /// No scorer gave a score.
    Unscored,
    /// The agent or a scorer failed.
    Error,
}

impl CaseVerdict {
    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unscored => "unscored",
            Self::Error => "error",
        }
    }
}

/// A case, scored.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CaseResult {
    /// Version of the scoring, see [`SCORING_VERSION`](crate::SCORING_VERSION).
    pub scoring_version: u32,
    /// Its name.
    pub case: String,
    /// What became of it.
    pub verdict: CaseVerdict,
    /// Mean of its scores.
    pub score: Option<f64>,
    /// The mean's band.
    pub band: Option<ScoreBand>,
    /// Least score.
    pub min_score: f64,
    /// Its scorers.
    pub scorers: Vec<ScorerOutcome>,
    /// Why there is no answer to score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How many cases fall into a band.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BandCount {
    /// The band.
    pub band: ScoreBand,
    /// Cases in it.
    pub cases: u64,
}

/// What became of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SuiteVerdict {
    /// Every case passed, and nothing is unscored.
    Pass,
    /// A case failed, or could not be scored.
    Fail,
    /// The agent or a scorer failed in at least one case.
    Error,
}

/// A suite, scored.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SuiteResult {
    /// Version of the scoring, see [`SCORING_VERSION`](crate::SCORING_VERSION).
    pub scoring_version: u32,
    /// Its name.
    pub suite: String,
    /// What became of it.
    pub verdict: SuiteVerdict,
    /// Passed cases of all cases; failures of the agent count as fails (decision 17).
    pub pass_rate: Option<Proportion>,
    /// How many routes were right, over the cases with the scorer `trajectory`; a missing answer is a fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectories: Option<MatchRate>,
    /// Mean over the cases that have a score; its error is clustered when every such case names its cluster.
    pub score: Option<MeanEstimate>,
    /// The mean's band.
    pub band: Option<ScoreBand>,
    /// Cases by band, worst first.
    pub bands: Vec<BandCount>,
    /// Scorer runs that gave no score.
    pub unscored: u64,
    /// Scorer runs and answers that failed.
    pub errors: u64,
    /// What the answers cost in US dollars, as far as they say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<AnswersCost>,
    /// Answers that belong to no case.
    pub unmatched: Vec<String>,
    /// The cases in order.
    pub cases: Vec<CaseResult>,
}

impl SuiteResult {
    /// Whether the mean reaches a bar with nothing unscored and nothing failed (decision 6).
    #[must_use]
    pub fn passes(&self, min_score: f64) -> bool {
        self.unscored == 0 && self.errors == 0 && self.score.is_some_and(|score| score.mean >= min_score)
    }
}
