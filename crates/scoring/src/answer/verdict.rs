//! The verdict on each data point, with the candidates it rests on.

use serde::{Deserialize, Serialize};

use super::expected::Expected;
use crate::Comparison;

/// The verdict on an answer for one data point.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AnswerVerdict {
    /// The answer gives the true value.
    Right,
    /// The answer gives another value or denies the true one.
    Wrong,
    /// The answer does not give the value.
    Missing,
    /// Undecided: the answer hedges, or gives a bound, a wide range, two values or an ambiguous number.
    Unscored,
}

/// The verdict on one data point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PointScore {
    /// The data point's field.
    pub field: String,
    /// The verdict on the answer.
    pub said: AnswerVerdict,
    /// The value as written in the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The sentence that contains the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// The comparator's result, if there was something to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// The reason in one sentence.
    pub reason: String,
    /// All candidate values of the answer with their places: the basis of the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Placed>,
}

/// The verdict on a point that the answer does not give.
pub(crate) fn missing(one: &Expected, why: &str) -> PointScore {
    PointScore {
        field: one.field.clone(),
        said: AnswerVerdict::Missing,
        value: None,
        sentence: None,
        comparison: None,
        reason: why.to_owned(),
        candidates: Vec::new(),
    }
}

/// The verdict on a point that cannot be decided.
pub(crate) fn unscored(one: &Expected, why: impl Into<String>) -> PointScore {
    PointScore { said: AnswerVerdict::Unscored, ..missing(one, &why.into()) }
}

/// A candidate value of the answer with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Placed {
    /// The value as written.
    pub value: String,
    /// The place of the value.
    pub place: PlaceKind,
    /// Why it is not the requested value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether it is the true value; absent if undecidable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
}

/// The place of a value of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// It is given as the requested value.
    Asked,
    /// It belongs to another row of the record.
    OtherSlot,
    /// It belongs to another year, country or measure.
    OtherContext,
    /// It is not asserted: a negation, hedge, bound, condition or question applies to it.
    Operator,
    /// Its meaning is unclear.
    Unplaced,
}

impl PlaceKind {
    /// The display name.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Asked => "asked for",
            Self::OtherSlot => "another row",
            Self::OtherContext => "another context",
            Self::Operator => "not asserted",
            Self::Unplaced => "not placed",
        }
    }
}

/// A value in the answer that was not requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Extra {
    /// The value as written.
    pub value: String,
    /// The sentence that contains it.
    pub sentence: String,
}

/// The score of an answer in prose.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AnswerScore {
    /// Every expected data point, in order.
    pub points: Vec<PointScore>,
    /// Other figures in the answer.
    pub extra: Vec<Extra>,
    /// The distinct countries it names, by M49 code, in order of appearance.
    pub countries: Vec<String>,
}
