//! What a judge replies in each mode: the types, their JSON schemas, and what they come to. Reasons stand before the points that
//! they are for, so that a model reasons first (G-Eval, Liu et al. 2023).

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

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

/// Reads a reply: the last JSON object in it that has the form. What a model says before it, or around it, decides nothing, and
/// what stands before the end of its reasoning (`</think>`) is no reply.
///
/// # Errors
/// What is no JSON of the form: a dimension that is missing, unknown or of another type, by name.
pub(super) fn read(request: &JudgeRequest, text: &str) -> Result<Verdictless, String> {
    let form = form(request);
    let mut failure = None;
    for object in objects(said(text)).into_iter().rev() {
        match (form.read)(object) {
            Ok(read) => return Ok(read),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) => Err(error.to_string()),
        None => (form.read)(said(text)).map_err(|error| error.to_string()),
    }
}

/// Ends of the reasoning that models of one's own put before their reply.
const REASONING_ENDS: [&str; 3] = ["</think>", "</thinking>", "</reasoning>"];

/// A reply without the reasoning before it.
fn said(text: &str) -> &str {
    let ends = REASONING_ENDS.iter().filter_map(|end| Some(text.rfind(end)? + end.len()));
    text[ends.max().unwrap_or(0)..].trim()
}

/// Levels of nested objects in a reply at most, with room. Where a brace in prose never closes, it keeps the time in proportion to
/// the length of the reply.
const MAX_LEVELS: usize = 16;

/// The JSON objects that stand in a text, in order; those within another one are none.
fn objects(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('{').map(|start| at + start) {
        let object = closing(&text[start..]).map(|end| &text[start..start + end]);
        let object = object.filter(|object| serde_json::from_str::<IgnoredAny>(object).is_ok());
        found.extend(object);
        at = start + object.map_or(1, str::len);
    }
    found
}

/// Where the object ends that a text begins with: behind the brace that closes the first one, braces in strings left out.
fn closing(text: &str) -> Option<usize> {
    let (mut level, mut in_string, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !escaped => in_string = !in_string,
            b'{' if !in_string => level += 1,
            b'}' if !in_string => level -= 1,
            _ => {}
        }
        escaped = in_string && byte == b'\\' && !escaped;
        match level {
            0 => return Some(at + 1),
            level if level > MAX_LEVELS => return None,
            _ => {}
        }
    }
    None
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

    #[test]
    fn the_last_object_that_fits_counts_wherever_it_stands() {
        let request = JudgeRequest::new(JudgeMode::Plausibility, "q", "a");
        let read = |text: &str| read(&request, text).map(|read| read.points[SCORE]);
        let say =
            |score: u8| format!(r#"{{"reason": "it {{says}} so", "score": {score}, "verdict": "pass"}}"#);
        for text in [
            format!("<think>\nperhaps {} or {{x}}\n</think>\n{}", say(1), say(5)),
            format!("<think>{{\"a\": 1}}</think>```json\n{}\n```", say(5)),
            format!("First {}, then, on reflection, {} is my verdict.", say(2), say(5)),
            format!("{} (as in {{\"another\": \"object\"}})", say(5)),
            format!("reasoning without its beginning {}</think>{}", say(3), say(5)),
        ] {
            assert_eq!(read(&text).unwrap(), 5.0, "{text}");
        }
        // a draft in the reasoning is no reply, nor is an object in another one
        assert!(read(&format!("<think>{}</think> I cannot say.", say(5))).is_err());
        assert!(read(&format!(r#"{{"result": {}}}"#, say(5))).unwrap_err().contains("`result`"));
    }

    #[test]
    fn a_reply_takes_time_in_proportion_to_its_length() {
        let request = JudgeRequest::new(JudgeMode::Plausibility, "q", "a");
        for unit in ["{", "{\"a\":", "{\"a\":[", "{\"", "</think>", "{}", "[{\"a\": \"b", "<think>{\"a\": {"]
        {
            let time = |length: usize| {
                let text = unit.repeat(length / unit.len());
                let started = std::time::Instant::now();
                assert!(read(&request, &text).is_err());
                started.elapsed().as_secs_f64()
            };
            let (short, long) = (time(25_000), time(200_000));
            assert!(long < short.max(0.004) * 8.0 * 4.0, "{unit}: {short} s, then {long} s");
        }
    }
}
