//! A quantity as displayed: the number that was printed and the interval of numbers that print so.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::rule::Rule;
use super::unit::Unit;

/// The numbers that a displayed text may stand for.
///
/// Both ends are closed for a rounded text. Browsers and formatting libraries do not agree on ties (half away
/// from zero, half to even, and binary floats that only look like ties), and which of them printed a text is not
/// known; so a number exactly on a tie is taken to print as either neighbour. Two *rounded* readings that only
/// touch at a tie do not agree, see [`Interval::meets`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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

/// A value that was read or will be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A number.
    Quantity(Quantity),
    /// A word, name, phrase or code: compared through the vocabulary.
    Text(String),
}

impl Interval {
    /// The interval that holds one number only.
    #[must_use]
    pub const fn point(number: Decimal) -> Self {
        Self { low: number, high: number, low_closed: true, high_closed: true }
    }

    /// Both ends included.
    #[must_use]
    pub const fn closed(low: Decimal, high: Decimal) -> Self {
        Self { low, high, low_closed: true, high_closed: true }
    }

    /// `number` give or take `half`, both ends included.
    #[must_use]
    pub fn around(number: Decimal, half: Decimal) -> Self {
        Self::closed(number.saturating_sub(half), number.saturating_add(half))
    }

    /// Whether it holds one number only.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.low == self.high
    }

    /// Whether `x` prints as this text.
    #[must_use]
    pub fn contains(&self, x: Decimal) -> bool {
        (x > self.low || (self.low_closed && x == self.low))
            && (x < self.high || (self.high_closed && x == self.high))
    }

    /// Whether `other` lies inside.
    #[must_use]
    pub fn encloses(&self, other: &Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whether one number can print as both texts. An exact number has to lie in the other interval; two rounded
    /// texts need more than a common tie, for no rule rounds one tie both ways.
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

    /// The smallest difference between a number of this interval and one of the other; zero when they meet.
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

    /// The interval with the other sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { low: -self.high, high: -self.low, low_closed: self.high_closed, high_closed: self.low_closed }
    }

    /// The interval times a positive or negative factor; `None` on overflow.
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
    /// A number known exactly, as an API gives it. Fractions have to be made per cent first.
    #[must_use]
    pub const fn exact(number: Decimal, unit: Unit) -> Self {
        Self { number, interval: Interval::point(number), unit, rule: None, total: None }
    }

    /// The same size with the other sign, for a sign outside the number ("declined by 2.3%").
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { number: -self.number, interval: self.interval.negated(), ..self.clone() }
    }

    /// The same number counted in another unit, for a unit outside the number ("3 positions").
    #[must_use]
    pub fn with_unit(&self, unit: Unit) -> Self {
        Self { unit, ..self.clone() }
    }
}
