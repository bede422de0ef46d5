//! Scorers that need a judge: reasoning and grounding are points out of ten (scorers, "Reasoning Scorer", "Grounding
//! Scorer"; decision 7). Without points from a judge they are unscored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::VariantArray;

use super::contains::missing;
use crate::score::Score;
use crate::suite::{AgentOutput, Scorer, ScorerError, SuiteCase, configured};

/// Who runs a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, VariantArray)]
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
    /// A server of one's own that speaks as OpenAI does.
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

/// A scorer by points that a judge gave.
pub struct PointScale {
    name: &'static str,
    /// Criteria of the judge with their most points.
    pub criteria: &'static [(&'static str, f64)],
    /// Whether the expected content gives two more points, without a judge.
    expects_content: bool,
}

/// The quality of the reasoning.
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

/// The evidence for what is said; the expected content needs no judge.
pub const GROUNDING: PointScale = PointScale {
    name: "grounding",
    criteria: &[("factual_accuracy", 4.0), ("evidence_support", 4.0)],
    expects_content: true,
};

/// The most points of either scorer.
const MAX_POINTS: f64 = 10.0;

/// Points for expected content: 2 when all phrases are there, 1 when some are, 0 when none is. A case that
/// expects none gives 2.
fn content_points(text: &str, phrases: &[String]) -> f64 {
    match missing(text, phrases).len() {
        0 => 2.0,
        none if none == phrases.len() => 0.0,
        _ => 1.0,
    }
}

impl PointScale {
    /// The points for expected content, where this scorer gives any.
    fn content(&self, text: &str, phrases: &[String]) -> Option<f64> {
        self.expects_content.then(|| content_points(text, phrases))
    }

    /// The score of the points that a judge gave for a text, with those for the phrases that it should hold.
    ///
    /// # Errors
    /// A criterion that is missing, unknown or out of range; in words.
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
        for (criterion, most) in self.criteria {
            let given = match points.get(*criterion) {
                None => return Err(format!("the judge gave no points for {criterion}")),
                Some(given) if !(0.0..=*most).contains(given) => {
                    return Err(format!(
                        "the judge gave {given} points for {criterion}: expected 0 to {most}"
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
                let reason = format!("{} needs a judge and none is configured", self.name);
                let details = Map::from_iter(
                    self.content(&output.text, &case.expected_output_contains)
                        .map(|points| ("expected_content".to_owned(), points.into())),
                );
                Ok(Score::new(None, reason, details).by("judge"))
            }
        }
    }
}
