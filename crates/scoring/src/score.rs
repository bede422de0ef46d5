//! The result of a scorer. Every scorer and every command returns this type.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::verdict::{Cause, Comparison, Verdict};

/// A scorer's result for an answer. `M` is the scorer's own metadata.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score<M = Map<String, Value>> {
    /// From 0 to 1; absent when unscored. Unscored results are counted, but enter no average and pass no gate.
    pub value: Option<f64>,
    /// The verdict that the value implies.
    pub verdict: Verdict,
    /// The reasons, one sentence each.
    pub reasons: Vec<String>,
    /// Why the two sides differ, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The backend that scored: `rules`, `comparator`, `judge`, `program`.
    pub backend: Cow<'static, str>,
    /// The details behind the value.
    pub metadata: M,
}

impl<M> Score<M> {
    /// A score with the backend `rules`; the verdict follows from the value.
    #[must_use]
    pub fn new(value: Option<f64>, reason: impl Into<String>, metadata: M) -> Self {
        let reasons = vec![reason.into()];
        Self { value, verdict: Verdict::of(value), reasons, cause: None, backend: "rules".into(), metadata }
    }

    /// Replaces the backend.
    #[must_use]
    pub fn by(mut self, backend: impl Into<Cow<'static, str>>) -> Self {
        self.backend = backend.into();
        self
    }

    /// Whether the score reaches a bar; `None` when unscored.
    #[must_use]
    pub fn reaches(&self, bar: f64) -> Option<bool> {
        self.value.map(|value| value >= bar)
    }

    /// The reasons joined into one line.
    #[must_use]
    pub fn reason(&self) -> String {
        self.reasons.join("; ")
    }

    /// Converts the metadata.
    #[must_use]
    pub fn map<N>(self, metadata: impl FnOnce(M) -> N) -> Score<N> {
        let Self { value, verdict, reasons, cause, backend, metadata: old } = self;
        Score { value, verdict, reasons, cause, backend, metadata: metadata(old) }
    }
}

impl<M: Serialize> Score<M> {
    /// Converts the metadata to a JSON object, the form that all scorers share.
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

    /// An unscored result with its reason.
    #[must_use]
    pub fn unscored(reason: impl Into<String>) -> Self {
        Self::new(None, reason, Map::new())
    }

    /// Adds one metadata entry.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.metadata.insert(name.to_owned(), value.into());
        self
    }
}

impl Verdict {
    /// The verdict that a score's value implies.
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

/// A comparison as a score: 1 if both sides agree, unscored if one could not be read, else 0.
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
