//! What a judge replies in each mode: the types, their JSON schemas, and what they come to. Reasons stand before the points that
//! they are for, so that a model reasons first (G-Eval, Liu et al. 2023).

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ReplySchema;
use super::request::{JudgeMode, JudgeRequest};
use crate::scoring::rubric::{Dimension, Rubric, RubricVerdict};

/// A score from 1 to 5 with its reason.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Mark {
    /// One to three sentences: what speaks for the score.
    reason: String,
    /// From 1 to 5.
    score: f64,
}

/// Points with their reason.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Points {
    /// One to three sentences: what speaks for the points.
    reason: String,
    /// From 0 to the most that this criterion gives.
    points: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FiveDimensions {
    factual_correctness: Mark,
    data_accuracy: Mark,
    completeness: Mark,
    reasoning_quality: Mark,
    data_source_appropriateness: Mark,
    /// What follows from the weighted mean of the scores.
    verdict: RubricVerdict,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FourDimensions {
    factual_correctness: Mark,
    data_accuracy: Mark,
    completeness: Mark,
    reasoning_quality: Mark,
    /// What follows from the weighted mean of the scores.
    verdict: RubricVerdict,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Refusal {
    /// One to three sentences: what speaks for the score.
    reason: String,
    /// Whether the answer declines, or says that there are no such data.
    declines: bool,
    /// Whether the answer states what was asked for as if it knew it.
    asserts_answer: bool,
    /// From 1 to 5.
    score: f64,
    /// What follows from the score.
    verdict: RubricVerdict,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Plausibility {
    /// One to three sentences: what speaks for the score.
    reason: String,
    /// From 1 to 5.
    score: f64,
    /// What follows from the score.
    verdict: RubricVerdict,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reasoning {
    /// Up to 3 points.
    logical_coherence: Points,
    /// Up to 3 points.
    information_usage: Points,
    /// Up to 2 points.
    problem_decomposition: Points,
    /// Up to 2 points.
    completeness: Points,
    /// The sum of the points.
    total: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Grounding {
    /// Up to 4 points.
    factual_accuracy: Points,
    /// Up to 4 points.
    evidence_support: Points,
    /// The sum of the points.
    total: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Similarity {
    /// One or two sentences: what is alike and what is not.
    reason: String,
    /// Whether both texts say the same.
    same: bool,
    /// From 0, nothing in common, to 1, the same.
    score: f64,
}

/// What a reply says, in one form for all modes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdictless {
    /// Points by dimension or criterion; `score` where there is only one.
    pub points: BTreeMap<String, f64>,
    /// Reasons by the same names.
    pub reasons: BTreeMap<String, String>,
    /// What the judge itself says that follows.
    pub claim: Claim,
}

/// What a judge says besides its points, to be held against them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Claim {
    /// A verdict.
    Verdict(RubricVerdict),
    /// A verdict on a refusal.
    Refusal {
        /// The answer declines.
        declines: bool,
        /// The answer states what was asked for.
        asserts: bool,
        /// The verdict.
        verdict: RubricVerdict,
    },
    /// The sum of the points.
    Total(f64),
    /// That both texts say the same, or not.
    Same(bool),
}

/// Keywords that one provider or another does not take in a schema; the limits stand in the descriptions.
const LEFT_OUT: [&str; 5] = ["$schema", "title", "format", "minimum", "maximum"];

fn schema_of<T: JsonSchema>(name: &'static str) -> Arc<ReplySchema> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(|schema: &mut Schema| {
        for keyword in LEFT_OUT {
            schema.remove(keyword);
        }
        // An enumeration of documented values is a list of one-valued schemas: plain values say the same everywhere.
        if let Some(values) = schema.remove("oneOf") {
            let values: Vec<serde_json::Value> = values
                .as_array()
                .map(|all| all.iter().filter_map(|one| one.get("const").cloned()).collect())
                .unwrap_or_default();
            schema.insert("type".to_owned(), "string".into());
            schema.insert("enum".to_owned(), values.into());
        }
    })
    .transform(&mut schema);
    Arc::new(ReplySchema { name, schema: schema.into() })
}

/// The form of replies: the schema that the judge is given, and how a reply by it is read.
struct Form {
    schema: Arc<ReplySchema>,
    read: fn(&str) -> serde_json::Result<Verdictless>,
}

impl Form {
    fn of<T: JsonSchema + DeserializeOwned + Into<Verdictless>>(name: &'static str) -> Self {
        Self { schema: schema_of::<T>(name), read: |text| serde_json::from_str::<T>(text).map(T::into) }
    }
}

/// Without a trace nobody can judge the source, so nobody is asked to (decision 16).
fn form(request: &JudgeRequest) -> &'static Form {
    static FIVE: LazyLock<Form> = LazyLock::new(|| Form::of::<FiveDimensions>("five_dimensions"));
    static FOUR: LazyLock<Form> = LazyLock::new(|| Form::of::<FourDimensions>("four_dimensions"));
    static REFUSAL: LazyLock<Form> = LazyLock::new(|| Form::of::<Refusal>("refusal"));
    static PLAUSIBILITY: LazyLock<Form> = LazyLock::new(|| Form::of::<Plausibility>("plausibility"));
    static REASONING: LazyLock<Form> = LazyLock::new(|| Form::of::<Reasoning>("reasoning"));
    static GROUNDING: LazyLock<Form> = LazyLock::new(|| Form::of::<Grounding>("grounding"));
    static SIMILARITY: LazyLock<Form> = LazyLock::new(|| Form::of::<Similarity>("similarity"));
    match (request.mode, request.rubric) {
        (JudgeMode::GroundTruth, Rubric::FiveDimensions) if request.trace.is_some() => &FIVE,
        (JudgeMode::GroundTruth, _) => &FOUR,
        (JudgeMode::Refusal, _) => &REFUSAL,
        (JudgeMode::Plausibility, _) => &PLAUSIBILITY,
        (JudgeMode::Reasoning, _) => &REASONING,
        (JudgeMode::Grounding, _) => &GROUNDING,
        (JudgeMode::Fuzzy | JudgeMode::Semantic, _) => &SIMILARITY,
    }
}

/// The schema of the reply to a request.
pub(super) fn schema(request: &JudgeRequest) -> Arc<ReplySchema> {
    Arc::clone(&form(request).schema)
}

/// Reads a reply.
///
/// # Errors
/// What is no JSON of the form: a dimension that is missing, unknown or of another type, by name.
pub(super) fn read(request: &JudgeRequest, text: &str) -> Result<Verdictless, String> {
    (form(request).read)(bare(text)).map_err(|error| error.to_string())
}

impl From<FiveDimensions> for Verdictless {
    fn from(given: FiveDimensions) -> Self {
        let marks = [
            (Dimension::FactualCorrectness, given.factual_correctness),
            (Dimension::DataAccuracy, given.data_accuracy),
            (Dimension::Completeness, given.completeness),
            (Dimension::ReasoningQuality, given.reasoning_quality),
            (Dimension::DataSourceAppropriateness, given.data_source_appropriateness),
        ];
        Self::new(marks.map(|(of, mark)| (of.name(), mark.score, mark.reason)), Claim::Verdict(given.verdict))
    }
}

impl From<FourDimensions> for Verdictless {
    fn from(given: FourDimensions) -> Self {
        let marks = [
            (Dimension::FactualCorrectness, given.factual_correctness),
            (Dimension::DataAccuracy, given.data_accuracy),
            (Dimension::Completeness, given.completeness),
            (Dimension::ReasoningQuality, given.reasoning_quality),
        ];
        Self::new(marks.map(|(of, mark)| (of.name(), mark.score, mark.reason)), Claim::Verdict(given.verdict))
    }
}

impl From<Refusal> for Verdictless {
    fn from(given: Refusal) -> Self {
        let Refusal { reason, declines, asserts_answer: asserts, score, verdict } = given;
        Self::new([(SCORE, score, reason)], Claim::Refusal { declines, asserts, verdict })
    }
}

impl From<Plausibility> for Verdictless {
    fn from(given: Plausibility) -> Self {
        Self::new([(SCORE, given.score, given.reason)], Claim::Verdict(given.verdict))
    }
}

impl From<Reasoning> for Verdictless {
    fn from(given: Reasoning) -> Self {
        let points = [
            ("logical_coherence", given.logical_coherence),
            ("information_usage", given.information_usage),
            ("problem_decomposition", given.problem_decomposition),
            ("completeness", given.completeness),
        ];
        Self::new(points.map(|(name, one)| (name, one.points, one.reason)), Claim::Total(given.total))
    }
}

impl From<Grounding> for Verdictless {
    fn from(given: Grounding) -> Self {
        let points =
            [("factual_accuracy", given.factual_accuracy), ("evidence_support", given.evidence_support)];
        Self::new(points.map(|(name, one)| (name, one.points, one.reason)), Claim::Total(given.total))
    }
}

impl From<Similarity> for Verdictless {
    fn from(given: Similarity) -> Self {
        Self::new([(SCORE, given.score, given.reason)], Claim::Same(given.same))
    }
}

/// The name of the only score of a mode that has one.
pub(super) const SCORE: &str = "score";

impl Verdictless {
    fn new<const N: usize>(given: [(&str, f64, String); N], claim: Claim) -> Self {
        let mut read = Self { points: BTreeMap::new(), reasons: BTreeMap::new(), claim };
        for (name, points, reason) in given {
            read.points.insert(name.to_owned(), points);
            read.reasons.insert(name.to_owned(), reason);
        }
        read
    }
}

/// JSON without the fence that models put around it.
fn bare(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    inner.and_then(|inner| inner.strip_suffix("```")).map_or(text, str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every object closed, every property required, nothing that a provider refuses.
    fn strict(value: &serde_json::Value) {
        let Some(object) = value.as_object() else { return };
        assert!(LEFT_OUT.iter().all(|keyword| !object.contains_key(*keyword)), "{value}");
        assert!(
            !["$ref", "$defs", "oneOf", "anyOf"].iter().any(|word| object.contains_key(*word)),
            "{value}"
        );
        if let Some(properties) = object.get("properties").and_then(|properties| properties.as_object()) {
            let required: Vec<&str> =
                object["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            assert_eq!(required, properties.keys().collect::<Vec<_>>(), "{value}");
            assert_eq!(object["additionalProperties"], false);
            properties.values().for_each(strict);
        }
    }

    #[test]
    fn schemas_are_strict_and_put_reasons_first() {
        for mode in JudgeMode::ALL {
            let mut request = JudgeRequest::new(mode, "q", "a");
            request.trace = Some("t".to_owned());
            let schema = schema(&request).schema.clone();
            strict(&schema);
            let text = schema.to_string();
            let place = |word: &str| text.find(&format!("\"{word}\":{{"));
            let points = place("score").or_else(|| place("points")).unwrap();
            assert!(place("reason").unwrap() < points, "{text}");
        }
        let verdict = schema(&JudgeRequest::new(JudgeMode::Plausibility, "q", "a")).schema["properties"]
            ["verdict"]["enum"]
            .clone();
        assert_eq!(verdict, serde_json::json!(["fail", "partial", "pass"]));
    }

    #[test]
    fn decision_16_without_a_trace_the_source_is_not_asked_for() {
        let mut request = JudgeRequest::new(JudgeMode::GroundTruth, "q", "a");
        assert_eq!(schema(&request).name, "four_dimensions");
        request.trace = Some("called atlas_graphql".to_owned());
        assert_eq!(schema(&request).name, "five_dimensions");
        request.rubric = Rubric::FourDimensions;
        assert_eq!(schema(&request).name, "four_dimensions");
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        let request = JudgeRequest::new(JudgeMode::Plausibility, "q", "a");
        let read = |text: &str| read(&request, text);
        assert!(read(r#"{"reason": "r", "verdict": "pass"}"#).unwrap_err().contains("missing field `score`"));
        assert!(
            read(r#"{"reason": "r", "score": 5, "verdict": "pass", "bonus": 5}"#)
                .unwrap_err()
                .contains("`bonus`")
        );
        assert!(read("Looks good: 5 of 5").unwrap_err().contains("line 1"));
        let fenced = "```json\n{\"reason\": \"r\", \"score\": 5, \"verdict\": \"pass\"}\n```";
        assert_eq!(read(fenced).unwrap().points[SCORE], 5.0);
    }
}
