//! A displayed quantity: the printed number and the interval of all numbers that print the same.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::rule::Rule;
use super::unit::Unit;

/// The interval of numbers that a displayed text may stand for.
///
/// Both ends of a rounded text are closed. Browsers and formatting libraries round ties differently (half away from
/// zero, half to even, binary floats that only appear to be ties), and the one that printed a text is unknown. So a
/// number exactly on a tie may print as either neighbour. Two *rounded* texts that only touch at a tie do not agree,
/// see [`Interval::meets`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Interval {
    /// The lower end.
    pub low: Decimal,
    /// The upper end.
    pub high: Decimal,
    /// Whether `low` itself belongs to the interval.
    pub low_closed: bool,
    /// Whether `high` itself belongs to the interval.
    pub high_closed: bool,
}

/// A number as displayed, in full units (dollars, not billions; percent, not fractions).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// The number printed, scaled: 378000000000 for `$378 billion`.
    pub number: Decimal,
    /// All numbers that print the same.
    pub interval: Interval,
    /// What it counts.
    pub unit: Unit,
    /// The display rule, when known.
    pub rule: Option<Rule>,
    /// The total of a rank: 145 in `116th of 145`.
    pub total: Option<u32>,
}

/// A value that was read or will be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A number.
    Quantity(Quantity),
    /// A word, name, phrase or code, compared by the vocabulary.
    Text(String),
}

impl Interval {
    /// The interval of a single number.
    #[must_use]
    pub const fn point(number: Decimal) -> Self {
        Self { low: number, high: number, low_closed: true, high_closed: true }
    }

    /// A closed interval.
    #[must_use]
    pub const fn closed(low: Decimal, high: Decimal) -> Self {
        Self { low, high, low_closed: true, high_closed: true }
    }

    /// The closed interval `number` ± `half`.
    #[must_use]
    pub fn around(number: Decimal, half: Decimal) -> Self {
        Self::closed(number.saturating_sub(half), number.saturating_add(half))
    }

    /// Whether it holds one number only.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.low == self.high
    }

    /// Whether `x` belongs to the interval.
    #[must_use]
    pub fn contains(&self, x: Decimal) -> bool {
        (x > self.low || (self.low_closed && x == self.low))
            && (x < self.high || (self.high_closed && x == self.high))
    }

    /// Whether `other` lies within this interval.
    #[must_use]
    pub fn encloses(&self, other: &Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whether one number can print as both texts. An exact number must lie in the other interval. Two rounded texts
    /// must share more than a tie, because no rule rounds one tie both ways.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        if self.is_point() {
            return other.contains(self.low);
        }
        if other.is_point() {
            return self.contains(other.low);
        }
        self.low.max(other.low) < self.high.min(other.high)
    }

    /// The distance between the two intervals; zero if they overlap.
    #[must_use]
    pub fn gap(&self, other: &Self) -> Decimal {
        let gap = if self.high < other.low {
            other.low.saturating_sub(self.high)
        } else if other.high < self.low {
            self.low.saturating_sub(other.high)
        } else {
            Decimal::ZERO
        };
        gap.normalize()
    }

    /// Whether the two intervals have a number in common, be it a tie.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// The closed interval of the sums of a number of each.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::closed(self.low.saturating_add(other.low), self.high.saturating_add(other.high))
    }

    /// The interval with the opposite sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { low: -self.high, high: -self.low, low_closed: self.high_closed, high_closed: self.low_closed }
    }

    /// The interval multiplied by a factor other than zero; `None` on overflow.
    #[must_use]
    pub fn times(&self, factor: Decimal) -> Option<Self> {
        let (a, b) = (self.low.checked_mul(factor)?, self.high.checked_mul(factor)?);
        Some(if factor.is_sign_negative() {
            Self { low: b, high: a, low_closed: self.high_closed, high_closed: self.low_closed }
        } else {
            Self { low: a, high: b, ..*self }
        })
    }
}

impl Quantity {
    /// An exact number, as an API returns it. Convert fractions to per cent first.
    #[must_use]
    pub const fn exact(number: Decimal, unit: Unit) -> Self {
        Self { number, interval: Interval::point(number), unit, rule: None, total: None }
    }

    /// The quantity with the opposite sign, for a sign in the words around it ("declined by 2.3%").
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { number: -self.number, interval: self.interval.negated(), ..self.clone() }
    }

    /// The quantity with another unit, for a unit in the words around it ("3 positions").
    #[must_use]
    pub fn with_unit(&self, unit: Unit) -> Self {
        Self { unit, ..self.clone() }
    }
}
