//! The comparator's answer.

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::value::ContextPart;

/// The verdict of the comparator on two values. Which of them is the truth it does not know; the verdict on an answer follows from
/// it and from what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The same at displayed precision.
    Match,
    /// Not the same.
    Mismatch,
    /// Some parts of a list, table or object agree, others do not.
    Partial,
    /// The contexts differ, so the numbers say nothing about each other.
    NotComparable,
    /// One side is not displayed where it was looked for.
    NotDisplayed,
    /// Both sides say that there is no value, and of the same kind.
    ExpectedAbsence,
    /// One side could not be read. Never a mismatch.
    ExtractionFailed,
    /// There was nothing to judge it by.
    Unscored,
}

/// Why two values differ, where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The same number, printed with other precision.
    Rounding,
    /// The number of another year.
    OtherYear,
    /// The number of another classification.
    OtherClassification,
    /// Goods against goods and services.
    Scope,
    /// Constant against current prices.
    RealAgainstNominal,
    /// A level against a change.
    LevelAgainstChange,
    /// Growth over the period against its compound annual rate.
    TotalAgainstCagr,
    /// The same size with the other sign.
    Sign,
    /// Twice or half.
    FactorTwo,
    /// A thousand, a million or a billion times.
    FactorThousand,
    /// A percentage against the fraction.
    PercentAgainstFraction,
    /// The value of another entity.
    SwappedEntities,
    /// The figure that the source itself gives under another definition.
    OtherDefinition,
}

/// A verdict with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// What it came to.
    pub verdict: Verdict,
    /// One sentence for a person.
    pub reason: String,
    /// Why they differ, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The smallest difference between the two intervals, in the value's own unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub difference: Option<Decimal>,
    /// The parts of the context that differ, for `not_comparable`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differing: Vec<ContextPart>,
}

impl Verdict {
    /// Whether both sides say the same: a match, or the same kind of absence.
    #[must_use]
    pub const fn agrees(self) -> bool {
        matches!(self, Self::Match | Self::ExpectedAbsence)
    }
}

impl Comparison {
    /// A verdict with its reason and nothing more.
    #[must_use]
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), cause: None, difference: None, differing: Vec::new() }
    }
}
