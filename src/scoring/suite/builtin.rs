//! The scorers that come along. Each takes its expectation from the case and is unscored without one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::judged::{ByRubric, GROUNDING, REASONING, holds};
use super::read::Case;
use super::scorer::{AgentOutput, Scorer, ScorerError, ScorerResult};
use crate::scoring::Verdict;
use crate::scoring::compare::compare_texts;
use crate::scoring::json::{
    FieldRule, JsonConfig, NoJudge, Outcome, SemanticFallback, Strategy, Tolerance, Weights, flatten,
    parse_object, score,
};
use crate::scoring::text::{Document, citations, score_text, unique_sources};
use crate::scoring::tools::{
    SelectionConfig, Trajectory, TrajectoryVerdict, check_link, judge_trajectory, match_calls, tool_selection,
};

/// Name of the scorer for expected phrases.
pub const CONTAINS: &str = "contains";

/// Configuration of the `json` scorer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JsonScorerConfig {
    /// Strategies by field.
    pub strategies: BTreeMap<String, Strategy>,
    /// Least similarity for FUZZY; 0.85 when absent.
    pub fuzzy_threshold: Option<f64>,
    /// Least similarity for SEMANTIC; 0.80 when absent.
    pub semantic_threshold: Option<f64>,
    /// Tolerance for NUMERIC.
    pub tolerance: Tolerance,
    /// Weights of the response quality score.
    pub weights: Weights,
    /// SEMANTIC without a judge.
    pub semantic: SemanticFallback,
    /// Whether nested objects are scored by path.
    pub nested: bool,
}

type Score = fn(&Case, &AgentOutput, &Value) -> Result<ScorerResult, ScorerError>;
type Check = fn(&Value) -> Result<(), String>;

/// A scorer that is a function.
struct Plain {
    name: &'static str,
    description: &'static str,
    check: Check,
    score: Score,
}

impl Scorer for Plain {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        (self.check)(config)
    }

    fn score(&self, case: &Case, output: &AgentOutput, config: &Value) -> Result<ScorerResult, ScorerError> {
        (self.score)(case, output, config)
    }
}

/// All of them.
#[must_use]
pub fn builtin_scorers() -> Vec<Box<dyn Scorer>> {
    let plain = |name, description, check: Check, score: Score| -> Box<dyn Scorer> {
        Box::new(Plain { name, description, check, score })
    };
    vec![
        plain(
            "tool_selection",
            "the tools that were called against `expected_tools` and `expected_tool_sequence`",
            selection_config_is_good,
            selection,
        ),
        plain("trajectory", "the route that was taken against `expected_tool`", no_config, trajectory),
        plain("tool_calls", "calls with their arguments against `expected_calls`", no_config, calls),
        plain(CONTAINS, "the phrases of `expected_output_contains`", no_config, contains),
        plain("value", "the value of `expected_value`, at displayed precision", no_config, value),
        plain(
            "json",
            "the object of `expected_output`, field by field",
            |config| json_config(config).map(drop),
            json,
        ),
        plain("text", "the threshold metrics against `expected_facts`", no_config, text),
        plain("link", "the address that was given against `expected_url`", no_config, link),
        Box::new(REASONING),
        Box::new(GROUNDING),
        Box::new(ByRubric),
    ]
}

fn configured<T: DeserializeOwned + Default>(config: &Value) -> Result<T, String> {
    if config.is_null() {
        return Ok(T::default());
    }
    serde_json::from_value(config.clone()).map_err(|error| error.to_string())
}

fn no_config(config: &Value) -> Result<(), String> {
    match config {
        Value::Null => Ok(()),
        Value::Object(keys) if keys.is_empty() => Ok(()),
        _ => Err("this scorer has no configuration".to_owned()),
    }
}

fn selection_config_is_good(config: &Value) -> Result<(), String> {
    let SelectionConfig { penalize_extra, .. } = configured(config)?;
    if (0.0..=1.0).contains(&penalize_extra) {
        Ok(())
    } else {
        Err(format!("`penalize_extra` is {penalize_extra}: expected 0 to 1"))
    }
}

fn recorded(output: &AgentOutput) -> Result<&Trajectory, ScorerResult> {
    output
        .trajectory
        .as_ref()
        .ok_or_else(|| ScorerResult::unscored("the answer does not record its `tool_calls`"))
}

fn selection(case: &Case, output: &AgentOutput, config: &Value) -> Result<ScorerResult, ScorerError> {
    let config = configured(config).map_err(ScorerError)?;
    let made = match recorded(output) {
        Ok(made) => made,
        Err(unscored) => return Ok(unscored),
    };
    let called: Vec<&str> = made.names().collect();
    let selection = tool_selection(
        case.expected_tools.as_deref(),
        case.expected_tool_sequence.as_deref(),
        &called,
        config,
    );
    let evidence = vec![format!("called: {}", called.join(", "))];
    Ok(ScorerResult { score: selection.score, reason: selection.reason, evidence })
}

fn trajectory(case: &Case, output: &AgentOutput, _: &Value) -> Result<ScorerResult, ScorerError> {
    let Some(expected) = case.expected_tool else {
        return Ok(ScorerResult::unscored("the case names no `expected_tool`"));
    };
    let made = match recorded(output) {
        Ok(made) => made,
        Err(unscored) => return Ok(unscored),
    };
    let judged = judge_trajectory(expected, made, &case.data_tools);
    // Acceptable counts as a match; the reason tells it from a pass.
    let (score, verdict) = match judged.verdict {
        TrajectoryVerdict::Pass => (1.0, "pass"),
        TrajectoryVerdict::Acceptable => (1.0, "acceptable"),
        TrajectoryVerdict::Fail => (0.0, "fail"),
    };
    let evidence = vec![format!("data tools called: {}", judged.data_tools.join(", "))];
    Ok(ScorerResult::scored(score, format!("{verdict}: {}", judged.reason)).with_evidence(evidence))
}

fn calls(case: &Case, output: &AgentOutput, _: &Value) -> Result<ScorerResult, ScorerError> {
    let Some(expected) = &case.expected_calls else {
        return Ok(ScorerResult::unscored("the case names no `expected_calls`"));
    };
    let made = match recorded(output) {
        Ok(made) => made,
        Err(unscored) => return Ok(unscored),
    };
    let report = match_calls(expected, &made.calls);
    let evidence = vec![format!("called: {}", made.names().collect::<Vec<_>>().join(", "))];
    Ok(ScorerResult::scored(report.score, report.reason).with_evidence(evidence))
}

fn contains(case: &Case, output: &AgentOutput, _: &Value) -> Result<ScorerResult, ScorerError> {
    let phrases = &case.expected_output_contains;
    if phrases.is_empty() {
        return Ok(ScorerResult::unscored("the case names no `expected_output_contains`"));
    }
    let missing: Vec<&str> =
        phrases.iter().map(String::as_str).filter(|phrase| !holds(&output.text, phrase)).collect();
    let found = phrases.len() - missing.len();
    let evidence = missing.iter().map(|phrase| format!("not found: {phrase:?}")).collect();
    let score = found as f64 / phrases.len() as f64;
    Ok(ScorerResult::scored(score, format!("{found} of {} phrases found", phrases.len()))
        .with_evidence(evidence))
}

fn value(case: &Case, output: &AgentOutput, _: &Value) -> Result<ScorerResult, ScorerError> {
    let Some(expected) = &case.expected_value else {
        return Ok(ScorerResult::unscored("the case names no `expected_value`"));
    };
    let comparison = compare_texts(expected, output.text.trim());
    Ok(match comparison.verdict {
        Verdict::Match | Verdict::ExpectedAbsence => ScorerResult::scored(1.0, comparison.reason),
        Verdict::ExtractionFailed => ScorerResult::unscored(comparison.reason),
        _ => ScorerResult::scored(0.0, comparison.reason),
    })
}

fn json_config(config: &Value) -> Result<JsonConfig, String> {
    let given: JsonScorerConfig = configured(config)?;
    let defaults = JsonConfig::default();
    let rule = |strategy| FieldRule { strategy, threshold: None, tolerance: None };
    let config = JsonConfig {
        fields: given.strategies.into_iter().map(|(field, strategy)| (field, rule(strategy))).collect(),
        fuzzy_threshold: given.fuzzy_threshold.unwrap_or(defaults.fuzzy_threshold),
        semantic_threshold: given.semantic_threshold.unwrap_or(defaults.semantic_threshold),
        tolerance: given.tolerance,
        weights: given.weights,
        semantic: given.semantic,
        nested: given.nested,
        ..defaults
    };
    config.check()?;
    Ok(config)
}

fn json(case: &Case, output: &AgentOutput, config: &Value) -> Result<ScorerResult, ScorerError> {
    let Some(expected) = &case.expected_output else {
        return Ok(ScorerResult::unscored("the case names no `expected_output`"));
    };
    let Some(answer) = &output.object else {
        return Ok(ScorerResult::scored(0.0, "the answer is no JSON object"));
    };
    let config = JsonConfig { numbers: case.numbers, ..json_config(config).map_err(ScorerError)? };
    let (truth, answer) =
        (Value::Object(expected.clone()).to_string(), Value::Object(answer.clone()).to_string());
    let read = |text: &str, side: &str| ScorerError(format!("{side}: {text}"));
    let truth = parse_object(truth.as_bytes()).map_err(|error| read(&error.message, "expected_output"))?;
    let answer = parse_object(answer.as_bytes()).map_err(|error| read(&error.message, "output"))?;
    let (truth, answer) = if config.nested { (flatten(truth), flatten(answer)) } else { (truth, answer) };
    let scored = score(&truth, &answer, &config, &NoJudge);
    let evidence = scored
        .fields
        .iter()
        .filter(|field| matches!(field.outcome, Outcome::Mismatch | Outcome::Unscored))
        .map(|field| format!("{} ({}): {}", field.field, field.strategy.name(), field.reason))
        .collect();
    let measures = scored.measures;
    let reason = match (measures.rqs, measures.accuracy) {
        (Some(rqs), Some(accuracy)) => format!(
            "RQS {rqs:.4} of {:.2}: accuracy {accuracy:.3}, completeness {:.3}, hallucination {:.3}",
            measures.rqs_max, measures.completeness, measures.hallucination
        ),
        _ => "no field could be judged".to_owned(),
    };
    Ok(ScorerResult { score: measures.rqs_of_max, reason, evidence })
}

fn text(case: &Case, output: &AgentOutput, _: &Value) -> Result<ScorerResult, ScorerError> {
    let Some(facts) = &case.expected_facts else {
        return Ok(ScorerResult::unscored("the case names no `expected_facts`"));
    };
    let scored = score_text(&output.text, facts);
    let evidence = scored
        .metrics
        .iter()
        .map(|metric| format!("{}: {}", metric.trace.title, metric.trace.score))
        .collect();
    let reason =
        format!("{} of {} points: {}", scored.points, scored.attainable, scored.band_by_points.name());
    Ok(ScorerResult { score: scored.share, reason, evidence })
}

fn link(case: &Case, output: &AgentOutput, _: &Value) -> Result<ScorerResult, ScorerError> {
    let Some(expected) = &case.expected_url else {
        return Ok(ScorerResult::unscored("the case names no `expected_url`"));
    };
    let mut given = output.links.clone();
    if given.is_empty() {
        given = unique_sources(&citations(&Document::parse(&output.text)));
    }
    if given.is_empty() {
        return Ok(ScorerResult::scored(0.0, "the answer gives no address"));
    }
    let mut evidence = Vec::new();
    for address in &given {
        match check_link(expected, address) {
            Ok(check) if check.equal => {
                return Ok(ScorerResult::scored(1.0, format!("{address} is the expected page")));
            }
            Ok(check) => evidence.push(format!("{address}: {}", check.reason)),
            Err(error) => evidence.push(error),
        }
    }
    Ok(ScorerResult::scored(0.0, format!("none of {} addresses is the expected page", given.len()))
        .with_evidence(evidence))
}
