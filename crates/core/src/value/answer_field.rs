//! Which field of a row of a record answers its question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A field of a row. A record says per row which of its fields is the answer; the rest is support, and an answer need
/// not give it (evaluation strategy, section 4; decision 26).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum AnswerField {
    /// The value itself.
    Value,
    /// The share of the whole beside it.
    Share,
    /// What the row is about: a product, a partner, a sector.
    Name,
    /// The code of the product.
    Code,
    /// The place in the list.
    Rank,
    /// Whether the value is above or below zero: a surplus or a deficit, up or down.
    Direction,
}

crate::words!(AnswerField);
