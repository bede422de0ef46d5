//! What a displayed number counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Unit {
    /// United States dollars.
    #[serde(rename = "USD")]
    Usd,
    /// Money of another currency: never comparable with anything.
    #[serde(rename = "other_currency")]
    OtherCurrency,
    /// Per cent; the number is 3.38 for `3.38%`, never the fraction.
    #[serde(rename = "percent")]
    Percent,
    /// Percentage points: the difference of two percentages.
    #[serde(rename = "percentage_points")]
    PercentagePoints,
    /// A position in a ranking.
    #[serde(rename = "rank")]
    Rank,
    /// Positions gained (positive) or lost (negative) in a ranking.
    #[serde(rename = "positions")]
    Positions,
    /// People.
    #[serde(rename = "persons")]
    Persons,
    /// A number of things: products, years. Also a bare whole number without further information.
    #[serde(rename = "count")]
    Count,
    /// A dimensionless index: ECI, PCI, RCA, distance, a diamond rating. Also a bare decimal number.
    #[serde(rename = "index")]
    Index,
}
