//! What an answer is scored against: the data points that it should give.

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
