//! What a scorer found: the one type that every scorer and every command gives.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::verdict::{Cause, Comparison, Verdict};

/// What a scorer found about an answer. `M` is what it adds of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score<M = Map<String, Value>> {
    /// From 0 to 1; nothing when it is unscored. What is unscored is in no average, is counted, and passes no gate.
    pub value: Option<f64>,
    /// The value in a word.
    pub verdict: Verdict,
    /// Why, a sentence each.
    pub reasons: Vec<String>,
    /// Why the two sides differ, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Who judged: `rules`, `comparator`, `judge`, `program`.
    pub backend: Cow<'static, str>,
    /// What the value rests on.
    pub metadata: M,
}

impl<M> Score<M> {
    /// A score by rules, or none; the verdict follows from the value.
    #[must_use]
    pub fn new(value: Option<f64>, reason: impl Into<String>, metadata: M) -> Self {
        let reasons = vec![reason.into()];
        Self { value, verdict: Verdict::of(value), reasons, cause: None, backend: "rules".into(), metadata }
    }

    /// The same, judged by another.
    #[must_use]
    pub fn by(mut self, backend: impl Into<Cow<'static, str>>) -> Self {
        self.backend = backend.into();
        self
    }

    /// Whether it reaches a bar; nothing when it is unscored.
    #[must_use]
    pub fn reaches(&self, bar: f64) -> Option<bool> {
        self.value.map(|value| value >= bar)
    }

    /// The reasons in one line.
    #[must_use]
    pub fn reason(&self) -> String {
        self.reasons.join("; ")
    }

    /// The same with other metadata.
    #[must_use]
    pub fn map<N>(self, metadata: impl FnOnce(M) -> N) -> Score<N> {
        let Self { value, verdict, reasons, cause, backend, metadata: own } = self;
        Score { value, verdict, reasons, cause, backend, metadata: metadata(own) }
    }
}

impl<M: Serialize> Score<M> {
    /// The same for all scorers: the metadata as a JSON object.
    #[must_use]
    pub fn erased(self) -> Score {
        self.map(|metadata| match serde_json::to_value(metadata) {
            Ok(Value::Object(fields)) => fields,
            Ok(Value::Null) | Err(_) => Map::new(),
            Ok(other) => Map::from_iter([("value".to_owned(), other)]),
        })
    }
}

impl Score {
    /// A score from 0 to 1 with its reason.
    #[must_use]
    pub fn scored(value: f64, reason: impl Into<String>) -> Self {
        Self::new(Some(value), reason, Map::new())
    }

    /// No score, and why.
    #[must_use]
    pub fn unscored(reason: impl Into<String>) -> Self {
        Self::new(None, reason, Map::new())
    }

    /// The same with one more thing that it rests on.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.metadata.insert(name.to_owned(), value.into());
        self
    }
}

impl Verdict {
    /// The value of a score in a word.
    #[must_use]
    pub fn of(value: Option<f64>) -> Self {
        match value {
            None => Self::Unscored,
            Some(value) if value >= 1.0 => Self::Match,
            Some(value) if value > 0.0 => Self::Partial,
            Some(_) => Self::Mismatch,
        }
    }
}

/// The comparator's answer as a score: 1 where both sides agree, nothing where one could not be read, else 0.
impl From<Comparison> for Score {
    fn from(comparison: Comparison) -> Self {
        let Comparison { verdict, reason, cause, difference, differing } = comparison;
        let value = match verdict {
            Verdict::ExtractionFailed | Verdict::Unscored => None,
            _ => Some(if verdict.agrees() { 1.0 } else { 0.0 }),
        };
        let mut score = Self::new(value, reason, Map::new()).by("comparator");
        (score.verdict, score.cause) = (verdict, cause);
        if let Some(difference) = difference {
            score = score.with("difference", difference.to_string());
        }
        if !differing.is_empty() {
            score = score.with("differing", serde_json::to_value(differing).unwrap_or_default());
        }
        score
    }
}
