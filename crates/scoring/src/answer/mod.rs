//! An answer in prose against the expected data points: its quantities and statements, each tied to what it is said
//! of, and judged by the one comparator. Nothing in the answer is an instruction; it is text.

mod absence;
mod after;
mod allowed;
mod asked;
mod base;
mod beside;
mod candidates;
mod clause;
mod closed;
mod context;
mod direction;
mod figure;
mod free;
mod grade;
mod items;
mod names;
mod naming;
mod note;
mod option;
mod over;
mod phrase;
mod place;
mod polarity;
mod record;
mod refusal;
mod remark;
mod said;
mod score;
mod segment;
mod series;
mod set_off;
mod settle;
mod side;
mod strangers;
mod talk;
mod terms;
mod text;
mod unit;

use serde::{Deserialize, Serialize};

use super::compare::Operand;
use super::verdict::Comparison;
use crate::value::{AnswerField, Quantity};

pub use refusal::{Refusal, refusal};
pub use score::score;

/// A data point that an answer should give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// Its name within its record: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// The data point: `gdp_per_capita`.
    pub data_point: String,
    /// Its name for a person: `GDP per capita`.
    pub metric: String,
    /// What is displayed, in its context.
    pub truth: Operand,
    /// The number behind what is displayed, where the two agree; an answer that is more precise than the page is held
    /// against it.
    pub precise: Option<Operand>,
    /// The figure that the source's own response gives where the page shows another by its own definition: 226 products
    /// in the response, 169 on the page.
    pub other_definition: Option<Operand>,
    /// What a row of a list is about, in any of its names: `Cars`, `Germany`.
    pub names: Vec<String>,
    /// The share that stands beside the value, where there is one.
    pub share: Option<Quantity>,
    /// The code of the row's product.
    pub code: Option<String>,
    /// Which of these an answer has to give; what is not among them is support, which it need not give. None stands for the value.
    pub answers: Vec<AnswerField>,
    /// The place in an ordered list, from 1.
    pub rank: Option<u64>,
    /// The column of a table: `usd_per_capita`.
    pub column: Option<String>,
    /// That it follows from several values, and how; none where it was read itself.
    pub follows: Option<Follows>,
}

/// How a value that follows from others may be recognised in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// By its number; of a change the text has to say that it is one.
    ByNumber,
    /// By a judge alone: which of several it is, a place among them, a difference. A text can say the same of the other.
    ByAJudge,
}

/// What an answer does about a data point.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AnswerVerdict {
    /// It gives the true value.
    Right,
    /// It gives another value, the value of another context, or denies the true one.
    Wrong,
    /// It does not give it.
    Missing,
    /// It cannot be decided: hedged, a bound, too wide a range, two values, a writing that means two numbers.
    Unscored,
}

/// The verdict on one data point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PointScore {
    /// The data point's field.
    pub field: String,
    /// What the answer does about it.
    pub said: AnswerVerdict,
    /// The value as the answer gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The sentence that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// What the comparator says, when there was something to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// One sentence for a person.
    pub reason: String,
    /// Every value of the answer that may be it, with its place: what the verdict rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Placed>,
}

/// A value of the answer that may be a data point, with where it belongs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Placed {
    /// The value as written.
    pub value: String,
    /// Where it belongs.
    pub place: PlaceKind,
    /// Why, where it is not what is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether it is the true value; none where that cannot be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
}

/// Where a value of an answer belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// To what is asked for.
    Asked,
    /// To another row of the record.
    OtherSlot,
    /// To another year, country, measure.
    OtherContext,
    /// Under a negation, a hedge, a bound, a condition or a question: nothing asserts it.
    Operator,
    /// Nobody can say.
    Unplaced,
}

impl PlaceKind {
    /// In words, for a person.
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

/// A value that the answer gives and nobody asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Extra {
    /// The value as written.
    pub value: String,
    /// The sentence that it stands in.
    pub sentence: String,
}

/// An answer in prose, scored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AnswerScore {
    /// Every expected data point, in order.
    pub points: Vec<PointScore>,
    /// What else it states in numbers.
    pub extra: Vec<Extra>,
    /// Countries that it names, by M49 code, in order of appearance and once each.
    pub countries: Vec<String>,
}
