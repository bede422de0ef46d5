//! A quantity as displayed: the number that was printed and the interval of numbers that print so.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::Rule;

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Unit {
    /// United States dollars.
    #[serde(rename = "USD")]
    Usd,
    /// Per cent; the number is 3.38 for `3.38%`, never the fraction.
    #[serde(rename = "percent")]
    Percent,
    /// A place in a ranking.
    #[serde(rename = "rank")]
    Rank,
    /// Places gained (positive) or lost (negative) in a ranking.
    #[serde(rename = "positions")]
    Positions,
    /// People.
    #[serde(rename = "persons")]
    Persons,
    /// Things counted: products, years.
    #[serde(rename = "count")]
    Count,
    /// A dimensionless index: ECI, PCI, RCA, distance, a diamond rating.
    #[serde(rename = "index")]
    Index,
}

/// The numbers that a displayed text may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// Smallest number, or the bound below it.
    pub low: Decimal,
    /// Largest number, or the bound above it.
    pub high: Decimal,
    /// Whether `low` itself rounds to the text.
    pub low_closed: bool,
    /// Whether `high` itself rounds to the text.
    pub high_closed: bool,
}

/// A number as displayed, in full units (dollars, not billions; percent, not fractions).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// The number printed, scaled: 378000000000 for `$378 billion`.
    pub number: Decimal,
    /// Every number that prints so.
    pub interval: Interval,
    /// What it counts.
    pub unit: Unit,
    /// The display rule, when known.
    pub rule: Option<Rule>,
    /// Of how many, for a rank: 145 in `116th of 145`.
    pub total: Option<u32>,
}

/// What was read or is to be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Quantity(Quantity),
    /// A word, name, phrase or code: compared through the vocabulary.
    Text(String),
}
