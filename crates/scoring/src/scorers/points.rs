//! The judge's scorers `reasoning` and `grounding`, with points out of ten (scorers, "Reasoning Scorer", "Grounding Scorer";
//! decision 7). Without a judge's points they are unscored.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::VariantArray;

use super::contains::missing;
use crate::score::Score;
use crate::suite::{AgentOutput, Scorer, ScorerError, SuiteCase, configured};

/// The provider of a model.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// `claude-*`.
    Anthropic,
    /// `gemini-*`.
    #[serde(rename = "gemini")]
    Google,
    /// `gpt-*`.
    #[serde(rename = "openai")]
    OpenAi,
    /// Your own server with an OpenAI-compatible API.
    Compatible,
}

atlas_gt_core::words!(Provider);

/// The provider that a model's name implies.
#[must_use]
pub fn provider_of(model: &str) -> Option<Provider> {
    [("claude-", Provider::Anthropic), ("gemini-", Provider::Google), ("gpt-", Provider::OpenAi)]
        .into_iter()
        .find_map(|(prefix, provider)| model.starts_with(prefix).then_some(provider))
}

pub(super) fn unknown_provider(model: &str) -> String {
    format!("the provider of model {model:?} is unknown: use a claude-*, gemini-* or gpt-* model")
}

/// Configuration of a scorer that needs a judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JudgeConfig {
    /// The judge's model.
    pub model: String,
}

impl Default for JudgeConfig {
    fn default() -> Self {
        Self { model: "claude-3-5-sonnet".to_owned() }
    }
}

/// A scorer that adds up a judge's points.
pub struct PointScale {
    name: &'static str,
    /// The judge's criteria with their maximum points.
    pub criteria: &'static [(&'static str, f64)],
    /// Whether expected content adds up to two points without a judge.
    expects_content: bool,
}

/// Scores the quality of the reasoning.
pub const REASONING: PointScale = PointScale {
    name: "reasoning",
    criteria: &[
        ("logical_coherence", 3.0),
        ("information_usage", 3.0),
        ("problem_decomposition", 2.0),
        ("completeness", 2.0),
    ],
    expects_content: false,
};

/// Scores the evidence for the claims. The points for expected content need no judge.
pub const GROUNDING: PointScale = PointScale {
    name: "grounding",
    criteria: &[("factual_accuracy", 4.0), ("evidence_support", 4.0)],
    expects_content: true,
};

/// The maximum points of each scorer.
const MAX_POINTS: f64 = 10.0;

/// Points for expected content: 2 for all phrases, 1 for some, 0 for none. A case without phrases gives 2.
fn content_points(text: &str, phrases: &[String]) -> f64 {
    match missing(text, phrases).len() {
        0 => 2.0,
        none if none == phrases.len() => 0.0,
        _ => 1.0,
    }
}

impl PointScale {
    /// The points for expected content, if this scorer gives any.
    fn content(&self, text: &str, phrases: &[String]) -> Option<f64> {
        self.expects_content.then(|| content_points(text, phrases))
    }

    /// The score from a judge's points, plus the points for expected phrases in the text.
    ///
    /// # Errors
    /// A criterion is missing, unknown or out of range.
    pub fn of(
        &self,
        points: &BTreeMap<String, f64>,
        text: &str,
        phrases: &[String],
    ) -> Result<Score, String> {
        if let Some(unknown) = points.keys().find(|key| !self.criteria.iter().any(|(name, _)| name == key)) {
            return Err(format!("the judge gave points for {unknown:?}, which {} does not have", self.name));
        }
        let mut details = Map::new();
        let mut total = 0.0;
        if let Some(points) = self.content(text, phrases) {
            total = points;
            details.insert("expected_content".to_owned(), points.into());
        }
        for (criterion, maximum) in self.criteria {
            let given = match points.get(*criterion) {
                None => return Err(format!("the judge gave no points for {criterion}")),
                Some(given) if !(0.0..=*maximum).contains(given) => {
                    return Err(format!(
                        "the judge gave {given} points for {criterion}: expected 0 to {maximum}"
                    ));
                }
                Some(given) => *given,
            };
            details.insert((*criterion).to_owned(), given.into());
            total += given;
        }
        let reason = format!("{total} of {MAX_POINTS} points");
        Ok(Score::new(Some(total / MAX_POINTS), reason, details).by("judge"))
    }
}

impl Scorer for PointScale {
    fn name(&self) -> &str {
        self.name
    }

    fn scores_words(&self) -> bool {
        true
    }

    fn needs_judge(&self) -> bool {
        true
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        let config: JudgeConfig = configured(config)?;
        match provider_of(&config.model) {
            Some(_) => Ok(()),
            None => Err(unknown_provider(&config.model)),
        }
    }

    fn score(&self, case: &SuiteCase, output: &AgentOutput, _: &Value) -> Result<Score, ScorerError> {
        match output.judge.get(self.name) {
            Some(points) => {
                self.of(points, &output.text, &case.expected_output_contains).map_err(ScorerError)
            }
            None => {
                let reason = format!("{} needs a judge, but none is configured", self.name);
                let details = Map::from_iter(
                    self.content(&output.text, &case.expected_output_contains)
                        .map(|points| ("expected_content".to_owned(), points.into())),
                );
                Ok(Score::new(None, reason, details).by("judge"))
            }
        }
    }
}
