//! What a case and a suite came to, and the bands that scores fall into (scorers, "Score Interpretation").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::CaseVerdict;
use crate::cost::AnswersCost;
use crate::score::Score;
use crate::stats::{MeanEstimate, Proportion};
use crate::tools::MatchRate;

/// The documented interpretation of a score; edges belong to the upper band.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, VariantArray,
)]
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

atlas_gt_core::names!(ScoreBand);

impl ScoreBand {
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

/// A scorer's part in a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "KeptOutcome")]
#[schemars(!from)]
pub struct ScorerOutcome {
    /// Which scorer.
    pub scorer: String,
    /// Whether its score reaches the least score, where it has one.
    pub status: CaseVerdict,
    /// The score's band.
    pub band: Option<ScoreBand>,
    /// What it found.
    #[serde(flatten)]
    pub score: Score,
}

/// The same as runs keep it: older versions said `scored` and, beside it, whether it `passed`.
#[derive(Deserialize)]
struct KeptOutcome {
    scorer: String,
    status: String,
    #[serde(default)]
    passed: Option<bool>,
    #[serde(flatten)]
    score: Score,
}

impl From<KeptOutcome> for ScorerOutcome {
    fn from(kept: KeptOutcome) -> Self {
        let verdict = CaseVerdict::ALL.iter().copied().find(|verdict| verdict.name() == kept.status);
        let status = verdict.unwrap_or_else(|| CaseVerdict::from_pass(kept.passed));
        Self { scorer: kept.scorer, status, band: kept.score.value.map(ScoreBand::of), score: kept.score }
    }
}

/// A case, scored.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CaseResult {
    /// Version of the scoring, see [`SCORING_VERSION`](crate::SCORING_VERSION).
    pub scoring_version: u32,
    /// Its name.
    pub case: String,
    /// Pass where every scored scorer reaches the least score; unscored where none gave a score.
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

/// A suite, scored.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SuiteResult {
    /// Version of the scoring, see [`SCORING_VERSION`](crate::SCORING_VERSION).
    pub scoring_version: u32,
    /// Its name.
    pub suite: String,
    /// Pass where every case passed and nothing is unscored; error where the agent or a scorer failed in at least one case.
    pub verdict: CaseVerdict,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_that_older_versions_kept_are_read() {
        let kept = |status: &str, passed: serde_json::Value, value: serde_json::Value| {
            let kept = serde_json::json!({
                "scorer": "link", "status": status, "band": null, "passed": passed, "value": value,
                "verdict": "match", "reasons": [], "backend": "rules", "metadata": {},
            });
            serde_json::from_value::<ScorerOutcome>(kept).unwrap()
        };
        let null = serde_json::Value::Null;
        assert_eq!(kept("scored", true.into(), 1.0.into()).status, CaseVerdict::Pass);
        assert_eq!(kept("scored", false.into(), 0.2.into()).status, CaseVerdict::Fail);
        assert_eq!(kept("unscored", null.clone(), null.clone()).status, CaseVerdict::Unscored);
        assert_eq!(kept("error", null.clone(), null).status, CaseVerdict::Error);
        // what is written now comes back as it is
        let now = kept("fail", serde_json::Value::Null, 0.6.into());
        let again = serde_json::from_value(serde_json::to_value(&now).unwrap()).unwrap();
        assert_eq!((now.status, now), (CaseVerdict::Fail, again));
    }
}
