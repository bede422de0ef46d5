//! The results of a case and a suite, and the bands of scores (scorers, "Score Interpretation").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use atlas_gt_core::words::count;

use crate::CaseVerdict;
use crate::score::Score;
use crate::stats::{MeanEstimate, Proportion};

/// The documented interpretation of a score. A score on an edge belongs to the upper band.
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

    /// The band's name and meaning.
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

/// One scorer's result for a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "StoredOutcome")]
#[schemars(!from)]
pub struct ScorerOutcome {
    /// The scorer's name.
    pub scorer: String,
    /// Whether the score reaches the minimum score.
    pub status: CaseVerdict,
    /// The score's band.
    pub band: Option<ScoreBand>,
    /// The score with its reasons.
    #[serde(flatten)]
    pub score: Score,
}

/// A [`ScorerOutcome`] as stored in a run. Older versions wrote the status `scored` plus a separate `passed`.
#[derive(Deserialize)]
struct StoredOutcome {
    scorer: String,
    status: String,
    #[serde(default)]
    passed: Option<bool>,
    #[serde(flatten)]
    score: Score,
}

impl From<StoredOutcome> for ScorerOutcome {
    fn from(stored: StoredOutcome) -> Self {
        let verdict = CaseVerdict::ALL.iter().copied().find(|verdict| verdict.name() == stored.status);
        let status = verdict.unwrap_or_else(|| CaseVerdict::from_pass(stored.passed));
        Self {
            scorer: stored.scorer,
            status,
            band: stored.score.value.map(ScoreBand::of),
            score: stored.score,
        }
    }
}

/// The result of a case.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CaseResult {
    /// Version of the scoring rules, see [`SCORING_VERSION`](crate::SCORING_VERSION).
    pub scoring_version: u32,
    /// The case's name.
    pub case: String,
    /// Pass if every score reaches the minimum; unscored if no scorer gave a score.
    pub verdict: CaseVerdict,
    /// Mean of the scores.
    pub score: Option<f64>,
    /// The mean's band.
    pub band: Option<ScoreBand>,
    /// The minimum score.
    pub min_score: f64,
    /// The results of its scorers.
    pub scorers: Vec<ScorerOutcome>,
    /// Why there is no answer to score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The number of cases in a band.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BandCount {
    /// The band.
    pub band: ScoreBand,
    /// Cases in it.
    pub cases: u64,
}

/// The scores of a suite.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SuiteScores {
    /// The suite's name.
    pub suite: String,
    /// Pass if every case passed and nothing is unscored; error if the agent or a scorer failed in any case.
    pub verdict: CaseVerdict,
    /// The share of cases that passed; agent failures and cases that were not asked count as fails (decision 17).
    pub pass_rate: Option<Proportion>,
    /// Mean over the scored cases. Its error is clustered if every such case names a cluster.
    pub score: Option<MeanEstimate>,
    /// The mean's band.
    pub band: Option<ScoreBand>,
    /// Cases by band, worst first.
    pub bands: Vec<BandCount>,
    /// Scorer runs that gave no score.
    pub unscored: u64,
    /// Scorer runs and answers that failed.
    pub errors: u64,
}

impl SuiteScores {
    /// Why the suite fails. Nothing may be unscored (decision 6); with a minimum, the mean must reach it, else every case
    /// must pass. Failures of the agent or a scorer are counted apart.
    #[must_use]
    pub fn missed(&self, min_score: Option<f64>) -> Option<String> {
        let unscored =
            (self.unscored > 0).then(|| format!("{} unscored", count(self.unscored, "scorer run")));
        let score = match (min_score, self.score) {
            (Some(least), Some(score)) if score.mean < least => {
                let shown = |score: f64, digits: usize| format!("{score:.digits$}");
                let differs = |digits: &usize| shown(score.mean, *digits) != shown(least, *digits);
                let digits = (3..9).find(differs).unwrap_or(9);
                let (mean, least) = (shown(score.mean, digits), shown(least, digits));
                Some(format!("the mean score is {mean}, the minimum {least}"))
            }
            (Some(least), None) => Some(format!("no case has a score, the minimum is {least}")),
            (None, _) => self
                .pass_rate
                .filter(|rate| rate.successes < rate.n)
                .map(|rate| format!("{} of {} did not pass", rate.n - rate.successes, count(rate.n, "case"))),
            _ => None,
        };
        let reasons: Vec<String> = unscored.into_iter().chain(score).collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
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
        // The current format reads back unchanged.
        let now = kept("fail", serde_json::Value::Null, 0.6.into());
        let again = serde_json::from_value(serde_json::to_value(&now).unwrap()).unwrap();
        assert_eq!((now.status, now), (CaseVerdict::Fail, again));
    }
}
