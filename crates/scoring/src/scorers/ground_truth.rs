//! Scorer `ground_truth`: a judge rates the answer on weighted dimensions from 1 to 5; it passes from 3.5 (evaluation
//! strategy, section 6; decision 16).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::points::{provider_of, unknown_provider};
use crate::rubric::{self, Rubric};
use crate::score::Score;
use crate::suite::{AgentOutput, Scorer, ScorerError, SuiteCase, configured};

/// Scores by the judge's rubric. The score is the weighted mean divided by 5, so that the verdict `pass` begins at the same
/// score as the band Good (evaluation strategy, section 6; decision 16).
pub(super) struct GroundTruth;

/// Configuration of the rubric.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct RubricConfig {
    /// The rubric: five dimensions, unless the older four are chosen.
    rubric: Rubric,
    /// The judge's model.
    model: Option<String>,
}

impl RubricConfig {
    fn read(config: &Value) -> Result<Self, String> {
        let read: Self = configured(config)?;
        match &read.model {
            Some(model) if provider_of(model).is_none() => Err(unknown_provider(model)),
            _ => Ok(read),
        }
    }
}

impl Scorer for GroundTruth {
    fn name(&self) -> &str {
        "ground_truth"
    }

    fn scores_words(&self) -> bool {
        true
    }

    fn needs_judge(&self) -> bool {
        true
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        RubricConfig::read(config).map(drop)
    }

    fn score(&self, _: &SuiteCase, output: &AgentOutput, config: &Value) -> Result<Score, ScorerError> {
        let config = RubricConfig::read(config).map_err(ScorerError)?;
        let Some(points) = output.judge.get(self.name()) else {
            return Ok(Score::unscored("ground_truth needs a judge, but none is configured").by("judge"));
        };
        let judged = config.rubric.score(points, output.trajectory.is_some()).map_err(ScorerError)?;
        let reason = format!("{}: {:.2} of 5", judged.verdict.name(), judged.weighted);
        let score = Score::new(Some(judged.weighted / rubric::MAX), reason, judged).by("judge").erased();
        Ok(score.with("points", json!(points)))
    }
}
