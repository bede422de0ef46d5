//! The site's display rules: how a raw number becomes displayed text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::unit::Unit;

/// A display rule, named after the site's published list of number formats (F1–F15).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
pub enum Rule {
    /// Dollars, 3 significant digits, k/M/B/T, trailing zeros kept: `$38.0B`.
    F1,
    /// `USD ` and F1, minus before the dollar sign: `USD -$13.1B`.
    F2,
    /// Compact currency: 2 digits under 100, whole from 100, no trailing `.0`: `$9.8B`, `$378B`.
    F3,
    /// F1 digits and a full word: `$378 billion`, optionally after `USD `.
    F4,
    /// Whole dollars with thousands commas: `$2,274`.
    F5,
    /// Percent, 2 decimals fixed: `3.38%`.
    F6,
    /// Percent, 1 decimal: `2.6%`.
    F7,
    /// Percent, whole: `2%`.
    F8,
    /// Percent, up to 2 decimals, trailing zero dropped: `10.7%`.
    F9,
    /// Rank: `116th of 145`.
    F10,
    /// Rank change: arrow, integer, text: `↑3 positions over 10 years`. The arrow carries the sign.
    F11,
    /// PCI: 3 significant digits, trailing zero dropped (treemap), or 3 decimals fixed (tooltip).
    F12,
    /// ECI: 2 decimals.
    F13,
    /// Population: 3 significant digits and a word: `52.4 million`.
    F14,
    /// RCA with 2 decimals, distance with 3.
    F15,
    /// A plain whole number, thousands commas optional: `24`.
    Integer,
    /// Percent with up to 3 significant digits (growth column of the product tables): `13.1%`, `19%`.
    Growth,
}

crate::words!(Rule);

impl Rule {
    /// The unit of the printed numbers.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::F1 | Self::F2 | Self::F3 | Self::F4 | Self::F5 => Unit::Usd,
            Self::F6 | Self::F7 | Self::F8 | Self::F9 | Self::Growth => Unit::Percent,
            Self::F10 => Unit::Rank,
            Self::F11 => Unit::Positions,
            Self::F12 | Self::F13 | Self::F15 => Unit::Index,
            Self::F14 => Unit::Persons,
            Self::Integer => Unit::Count,
        }
    }
}
