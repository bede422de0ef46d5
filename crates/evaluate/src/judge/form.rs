//! The form of a mode's replies, from the table of modes: what gets points, on which scale, and
//! what else the judge states. The reply schema, the parser and the checks follow from the form.
//! Each reason precedes its points, so that the model reasons first (G-Eval, Liu et al. 2023).

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::ReplySchema;
use super::modes::{Criteria, Scale};
use super::request::JudgeRequest;
use crate::scoring::CaseVerdict;
use crate::scoring::rubric::{BINARY, Dimension, FAULTS, MAX};
use crate::scoring::scorers::PointScale;

/// The reply form of a mode.
#[derive(Debug)]
pub(super) struct Form {
    /// The name of its schema.
    name: &'static str,
    /// The properties of a reply, in order.
    pub properties: Vec<Property>,
}

/// A property of a reply: key, kind, and description for the judge.
#[derive(Debug)]
pub(super) struct Property {
    pub name: &'static str,
    pub kind: Kind,
    help: String,
}

/// The kind of a property.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// The reason for the only score.
    Reason,
    /// The only score.
    Score(Scale),
    /// One of several scores: an object with a reason and, under this key, the points.
    Mark(&'static str, Scale),
    /// One of several yes-or-no criteria: an object with a reason and `holds`.
    Holds,
    /// One of several words, or `none`.
    Choice(&'static [&'static str]),
    /// The sum of the points.
    Total,
    /// A yes-or-no value.
    Flag,
    /// The resulting verdict.
    Verdict,
}

/// Keys that are checked against each other.
pub(super) const SCORE: &str = "score";
pub(super) const HOLDS: &str = "holds";
pub(super) const FAULT: &str = "failure";
pub(super) const SECOND_FAULT: &str = "secondary_failure";
/// The choice of nothing.
pub(super) const NONE: &str = "none";

/// Dimensions other than correctness: completeness, data source and approach.
const NOT_OF_FACTS: [&str; 3] = ["completeness", "data_source_appropriateness", "problem_decomposition"];

fn of(name: &'static str, kind: Kind, help: impl Into<String>) -> Property {
    Property { name, kind, help: help.into() }
}

fn mark(name: &'static str, key: &'static str, least: f64, most: f64, help: String) -> Property {
    of(name, Kind::Mark(key, Scale { least, most, of_facts: !NOT_OF_FACTS.contains(&name) }), help)
}

/// Criteria that share ten points, with their total.
fn points(scale: &PointScale) -> Vec<Property> {
    let criteria = scale.criteria.iter();
    let criteria =
        criteria.map(|(name, most)| mark(name, "points", 0.0, *most, format!("Up to {most} points.")));
    criteria.chain([of("total", Kind::Total, "The sum of the points.")]).collect()
}

impl Form {
    /// The form of the reply to a request. Without a trace the data source is not judged (decision
    /// 16).
    pub(super) fn of(request: &JudgeRequest) -> Self {
        let verdict = |from: &str| of("verdict", Kind::Verdict, format!("What follows from the {from}."));
        let row = request.mode.row();
        let (name, properties) = match &row.criteria {
            Criteria::Rubric => {
                let asked = request.rubric.asked(request.trace.is_some());
                let help = "A score from 1 to 5 with its reason.";
                let marks =
                    asked.map(|(dimension, _)| mark(dimension.name(), "score", 1.0, MAX, help.to_owned()));
                let all: Vec<_> = marks.chain([verdict("weighted mean of the scores")]).collect();
                (if all.len() > 5 { "five_dimensions" } else { "four_dimensions" }, all)
            }
            Criteria::YesNo => {
                let holds = |(dimension, _): (Dimension, bool)| {
                    of(dimension.name(), Kind::Holds, "Whether it holds, with its reason.")
                };
                let fault =
                    of(FAULT, Kind::Choice(&FAULTS), "The kind of failure; `none` where the answer passes.");
                let second = "A second kind of failure, or `none`.";
                let second = of(SECOND_FAULT, Kind::Choice(&FAULTS), second);
                ("yes_or_no", BINARY.into_iter().map(holds).chain([fault, second]).collect())
            }
            Criteria::Points(scale) => (request.mode.name(), points(scale)),
            Criteria::One(one) => {
                let reason = of("reason", Kind::Reason, one.reason);
                let flags = one.flags.iter().map(|(name, help)| of(name, Kind::Flag, *help));
                let score = of(SCORE, Kind::Score(one.scale), one.help);
                let last = one.says_verdict.then(|| verdict("score"));
                (one.form, [reason].into_iter().chain(flags).chain([score]).chain(last).collect())
            }
        };
        Self { name, properties }
    }

    /// The scale of a score, by name.
    pub(super) fn scale(&self, name: &str) -> Option<Scale> {
        match self.properties.iter().find(|property| property.name == name)?.kind {
            Kind::Score(scale) | Kind::Mark(_, scale) => Some(scale),
            _ => None,
        }
    }

    /// The JSON schema. Every object is closed and every property required. It uses only keywords
    /// that all providers accept; limits are in the descriptions.
    pub(super) fn schema(&self) -> Arc<ReplySchema> {
        let properties = self.properties.iter().map(|property| (property.name, property.schema()));
        Arc::new(ReplySchema { name: self.name, schema: closed(properties) })
    }
}

fn closed<'a>(properties: impl Iterator<Item = (&'a str, Value)>) -> Value {
    let properties: Map<String, Value> = properties.map(|(name, one)| (name.to_owned(), one)).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties, "required": required })
}

impl Property {
    fn object(&self, parts: [(&'static str, Value); 2]) -> Value {
        let mut schema = closed(parts.into_iter());
        schema["description"] = self.help.as_str().into();
        schema
    }

    fn schema(&self) -> Value {
        let of_type = |kind: &str, help: &str| json!({ "type": kind, "description": help });
        match self.kind {
            Kind::Reason => of_type("string", &self.help),
            Kind::Score(_) | Kind::Total => of_type("number", &self.help),
            Kind::Flag => of_type("boolean", &self.help),
            Kind::Mark(key, _) => {
                let reason = format!("One to three sentences: what speaks for the {key}.");
                let range = match key {
                    "score" => "From 1 to 5.",
                    _ => "From 0 to the most that this criterion gives.",
                };
                let parts = [("reason", of_type("string", &reason)), (key, of_type("number", range))];
                self.object(parts)
            }
            Kind::Holds => {
                let reason = "One to three sentences: what speaks for it, and what against.";
                self.object([
                    ("reason", of_type("string", reason)),
                    (HOLDS, of_type("boolean", "Yes or no.")),
                ])
            }
            Kind::Choice(words) => {
                let words: Vec<&str> = words.iter().copied().chain([NONE]).collect();
                json!({ "description": self.help, "type": "string", "enum": words })
            }
            Kind::Verdict => {
                let verdicts = VERDICTS.map(CaseVerdict::name);
                json!({ "description": self.help, "type": "string", "enum": verdicts })
            }
        }
    }
}

/// The possible verdicts, in the order of the schema.
pub(super) const VERDICTS: [CaseVerdict; 3] = [CaseVerdict::Fail, CaseVerdict::Partial, CaseVerdict::Pass];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::JudgeMode;
    use crate::scoring::rubric::Rubric;

    /// Every object closed, every property required, nothing that a provider refuses.
    fn strict(value: &Value) {
        let Some(object) = value.as_object() else { return };
        let refused = ["$schema", "title", "format", "minimum", "maximum", "$ref", "$defs", "oneOf", "anyOf"];
        assert!(!refused.iter().any(|keyword| object.contains_key(*keyword)), "{value}");
        if let Some(properties) = object.get("properties").and_then(Value::as_object) {
            let required: Vec<&str> =
                object["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            assert_eq!(required, properties.keys().collect::<Vec<_>>(), "{value}");
            assert_eq!(object["additionalProperties"], false);
            properties.values().for_each(strict);
        }
    }

    #[test]
    fn schemas_are_strict_and_put_reasons_first() {
        for &mode in JudgeMode::ALL {
            let mut request = JudgeRequest::new(mode, "q", "a");
            request.trace = Some("t".to_owned());
            let schema = Form::of(&request).schema().schema.clone();
            strict(&schema);
            let text = schema.to_string();
            let place = |word: &str| text.find(&format!("\"{word}\":{{"));
            let points = ["score", "points", HOLDS].into_iter().find_map(place).unwrap();
            assert!(place("reason").unwrap() < points, "{text}");
        }
        let plausibility = JudgeRequest::new(JudgeMode::Plausibility, "q", "a");
        let verdict = Form::of(&plausibility).schema().schema["properties"]["verdict"]["enum"].clone();
        assert_eq!(verdict, json!(["fail", "partial", "pass"]));
    }

    #[test]
    fn decision_16_without_a_trace_the_source_is_not_asked_for() {
        let mut request = JudgeRequest::new(JudgeMode::GroundTruth, "q", "a");
        assert_eq!(Form::of(&request).name, "four_dimensions");
        request.trace = Some("called atlas_graphql".to_owned());
        assert_eq!(Form::of(&request).name, "five_dimensions");
        request.rubric = Rubric::FourDimensions;
        assert_eq!(Form::of(&request).name, "four_dimensions");
    }
}
