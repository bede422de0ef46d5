//! Scorers that need a judge: reasoning and grounding are points out of ten (scorers, "Reasoning Scorer", "Grounding
//! Scorer"; decision 7). Without points from a judge they are unscored.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::Case;
use super::scorer::{AgentOutput, Scorer, ScorerError, ScorerResult};
use crate::scoring::json::similarity::normalised;
use crate::scoring::rubric::{Rubric, RubricVerdict};

/// Who runs a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// `claude-*`.
    Anthropic,
    /// `gemini-*`.
    Google,
    /// `gpt-*`.
    #[serde(rename = "openai")]
    OpenAi,
}

/// The provider that a model's name implies.
#[must_use]
pub fn provider_of(model: &str) -> Option<Provider> {
    [("claude-", Provider::Anthropic), ("gemini-", Provider::Google), ("gpt-", Provider::OpenAi)]
        .into_iter()
        .find_map(|(prefix, provider)| model.starts_with(prefix).then_some(provider))
}

fn unknown_provider(model: &str) -> String {
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

/// A scorer by points.
pub(super) struct Judged {
    name: &'static str,
    description: &'static str,
    /// Criteria of the judge with their most points.
    criteria: &'static [(&'static str, f64)],
    /// Whether the expected content gives two more points, without a judge.
    expects_content: bool,
}

pub(super) const REASONING: Judged = Judged {
    name: "reasoning",
    description: "quality of the reasoning, by a judge: coherence 3, information 3, decomposition 2, completeness 2",
    criteria: &[
        ("logical_coherence", 3.0),
        ("information_usage", 3.0),
        ("problem_decomposition", 2.0),
        ("completeness", 2.0),
    ],
    expects_content: false,
};

pub(super) const GROUNDING: Judged = Judged {
    name: "grounding",
    description: "evidence for what is said: accuracy 4 and support 4 by a judge, expected content 2 without one",
    criteria: &[("factual_accuracy", 4.0), ("evidence_support", 4.0)],
    expects_content: true,
};

/// The most points of either scorer.
const MOST: f64 = 10.0;

/// Whether the answer holds a phrase, but for case and spacing.
pub(super) fn holds(text: &str, phrase: &str) -> bool {
    let (text, phrase): (String, String) = (normalised(text).collect(), normalised(phrase).collect());
    text.contains(&phrase)
}

/// Points for expected content: 2 when all phrases are there, 1 when some are, 0 when none is. A case that
/// expects none gives 2.
#[must_use]
pub fn expected_content_points(text: &str, phrases: &[String]) -> f64 {
    match phrases.iter().filter(|phrase| holds(text, phrase)).count() {
        found if found == phrases.len() => 2.0,
        0 => 0.0,
        _ => 1.0,
    }
}

impl Scorer for Judged {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn needs_judge(&self) -> bool {
        true
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        if config.is_null() {
            return Ok(());
        }
        let config: JudgeConfig =
            serde_json::from_value(config.clone()).map_err(|error| error.to_string())?;
        match provider_of(&config.model) {
            Some(_) => Ok(()),
            None => Err(unknown_provider(&config.model)),
        }
    }

    fn score(&self, case: &Case, output: &AgentOutput, _: &Value) -> Result<ScorerResult, ScorerError> {
        let mut evidence = Vec::new();
        let mut total = 0.0;
        if self.expects_content {
            let points = expected_content_points(&output.text, &case.expected_output_contains);
            evidence.push(format!("expected content: {points} of 2 points"));
            total += points;
        }
        let Some(points) = output.judge.get(self.name) else {
            return Ok(ScorerResult::unscored(format!("{} needs a judge and none is configured", self.name))
                .with_evidence(evidence));
        };
        if let Some(unknown) = points.keys().find(|key| !self.criteria.iter().any(|(name, _)| name == key)) {
            return Err(ScorerError(format!(
                "the judge gave points for {unknown:?}, which {} does not have",
                self.name
            )));
        }
        for (criterion, most) in self.criteria {
            let given = points
                .get(*criterion)
                .ok_or_else(|| ScorerError(format!("the judge gave no points for {criterion}")))?;
            if !(0.0..=*most).contains(given) {
                return Err(ScorerError(format!(
                    "the judge gave {given} points for {criterion}: expected 0 to {most}"
                )));
            }
            evidence.push(format!("{criterion}: {given} of {most} points"));
            total += given;
        }
        Ok(ScorerResult::scored(total / MOST, format!("{total} of {MOST} points")).with_evidence(evidence))
    }
}

/// The rubric of weighted dimensions as a scorer: its score is the weighted mean over 5, so that the verdict `pass` begins
/// where the band Good does (evaluation strategy, section 6; decision 16).
pub(super) struct ByRubric;

/// Configuration of the rubric.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct RubricConfig {
    /// Which dimensions: five, unless the older four are asked for.
    rubric: Rubric,
    /// The judge's model.
    model: Option<String>,
}

impl RubricConfig {
    fn read(config: &Value) -> Result<Self, String> {
        if config.is_null() {
            return Ok(Self::default());
        }
        let read: Self = serde_json::from_value(config.clone()).map_err(|error| error.to_string())?;
        match &read.model {
            Some(model) if provider_of(model).is_none() => Err(unknown_provider(model)),
            _ => Ok(read),
        }
    }
}

impl Scorer for ByRubric {
    fn name(&self) -> &str {
        "ground_truth"
    }

    fn description(&self) -> &str {
        "the answer against the truth, by a judge: weighted dimensions from 1 to 5, pass from 3.5"
    }

    fn needs_judge(&self) -> bool {
        true
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        RubricConfig::read(config).map(drop)
    }

    fn score(&self, _: &Case, output: &AgentOutput, config: &Value) -> Result<ScorerResult, ScorerError> {
        let config = RubricConfig::read(config).map_err(ScorerError)?;
        let Some(points) = output.judge.get(self.name()) else {
            return Ok(ScorerResult::unscored("ground_truth needs a judge and none is configured"));
        };
        let judged = config.rubric.score(points, output.trajectory.is_some()).map_err(ScorerError)?;
        let verdict = match judged.verdict {
            RubricVerdict::Pass => "pass",
            RubricVerdict::Partial => "partial",
            RubricVerdict::Fail => "fail",
        };
        let mut evidence: Vec<String> = judged
            .weights
            .iter()
            .map(|(dimension, weight)| {
                format!("{}: {} (weight {weight:.3})", dimension.name(), points[dimension.name()])
            })
            .collect();
        evidence.extend(
            judged.unscored.iter().map(|dimension| format!("{}: unscored without a trace", dimension.name())),
        );
        let reason = format!("{verdict}: {:.2} of 5", judged.weighted);
        Ok(ScorerResult::scored(judged.weighted / 5.0, reason).with_evidence(evidence))
    }
}
