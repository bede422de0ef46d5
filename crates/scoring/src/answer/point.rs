//! A data point that an answer should give, and the verdict on it.

use serde::{Deserialize, Serialize};

use crate::Comparison;
use crate::compare::Operand;
use crate::value::{AnswerField, Quantity};

/// A data point that an answer should give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The field's name within its record: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// The data point: `gdp_per_capita`.
    pub data_point: String,
    /// The display name: `GDP per capita`.
    pub metric: String,
    /// The displayed value with its context.
    pub truth: Operand,
    /// The precise number behind the displayed one, if the two agree. An answer more precise than the page is compared with it.
    pub precise: Option<Operand>,
    /// The figure of the source's response, if the page uses another definition: 226 products in the response, 169 on the page.
    pub other_definition: Option<Operand>,
    /// All names of a list row's subject: `Cars`, `Germany`.
    pub names: Vec<String>,
    /// The share displayed beside the value, if any.
    pub share: Option<Quantity>,
    /// The code of the row's product.
    pub code: Option<String>,
    /// The fields that an answer must give; others are optional support. An empty list means the value.
    pub answers: Vec<AnswerField>,
    /// The position in an ordered list, from 1.
    pub rank: Option<u64>,
    /// The column of a table: `usd_per_capita`.
    pub column: Option<String>,
    /// How the value derives from other values; absent if it was read directly.
    pub follows: Option<Follows>,
}

/// How a derived value can be recognised in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// By its number. The text must say that a change is a change.
    ByNumber,
    /// Only by a judge: a choice among several, a rank among them, or a difference. The same words could mean the opposite.
    ByAJudge,
}

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
