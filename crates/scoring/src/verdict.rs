//! The comparator's verdict with its reason and cause.

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::value::ContextPart;

/// The comparator's verdict on two values. The comparator does not know which value is the truth; the verdict on an answer
/// also depends on the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The values are equal at displayed precision.
    Match,
    /// The values differ.
    Mismatch,
    /// Some parts of a list, table or object agree, others do not.
    Partial,
    /// The contexts differ, so the numbers say nothing about each other.
    NotComparable,
    /// One side is not displayed on the page.
    NotDisplayed,
    /// Both sides state the same kind of absence.
    ExpectedAbsence,
    /// One side could not be read. Never a mismatch.
    ExtractionFailed,
    /// There was no basis for a verdict.
    Unscored,
}

/// Why two values differ, if known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The same number printed with a different precision.
    Rounding,
    /// The number of another year.
    OtherYear,
    /// The number of another classification.
    OtherClassification,
    /// Goods versus goods and services.
    Scope,
    /// Constant versus current prices.
    RealAgainstNominal,
    /// A level versus a change.
    LevelAgainstChange,
    /// Total growth over a period versus its compound annual rate.
    TotalAgainstCagr,
    /// The same amount with the opposite sign.
    Sign,
    /// Off by a factor of two.
    FactorTwo,
    /// Off by a factor of a thousand, a million or a billion.
    FactorThousand,
    /// A percentage versus a fraction.
    PercentAgainstFraction,
    /// The value of another entity.
    SwappedEntities,
    /// The figure that the same source gives under another definition.
    OtherDefinition,
}

impl Cause {
    /// The cause that a differing part of the contexts has by itself.
    pub(crate) const fn of_part(part: ContextPart) -> Option<Self> {
        match part {
            ContextPart::Period => Some(Self::OtherYear),
            ContextPart::Country | ContextPart::Partner | ContextPart::Product | ContextPart::Group => {
                Some(Self::SwappedEntities)
            }
            ContextPart::Classification => Some(Self::OtherClassification),
            ContextPart::Scope => Some(Self::Scope),
            ContextPart::Basis => Some(Self::RealAgainstNominal),
            ContextPart::Flow
            | ContextPart::Statistic
            | ContextPart::Base
            | ContextPart::Per
            | ContextPart::Tense
            | ContextPart::Position => None,
        }
    }
}

/// A verdict with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason in one sentence.
    pub reason: String,
    /// Why they differ, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The smallest difference between the two intervals, in the value's own unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub difference: Option<Decimal>,
    /// The parts of the context that differ; set for `not_comparable`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differing: Vec<ContextPart>,
}

impl Verdict {
    /// Whether both sides agree: a match, or the same kind of absence.
    #[must_use]
    pub const fn agrees(self) -> bool {
        matches!(self, Self::Match | Self::ExpectedAbsence)
    }
}

impl Comparison {
    /// A verdict with only a reason.
    #[must_use]
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), cause: None, difference: None, differing: Vec::new() }
    }
}
