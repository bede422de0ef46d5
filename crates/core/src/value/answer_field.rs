//! Which field of a record's row answers the question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A field of a row. Each row of a record marks the field that is the answer. The others are context, which an answer
/// need not give (evaluation strategy, section 4; decision 26).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum AnswerField {
    /// The value.
    Value,
    /// Its share of the whole.
    Share,
    /// The row's subject: a product, a partner, a sector.
    Name,
    /// The product code.
    Code,
    /// The position in the list.
    Rank,
    /// Whether the value is positive or negative: a surplus or a deficit, up or down.
    Direction,
}

crate::words!(AnswerField);
