//! A number in a text, with everything that belongs to it.

use std::ops::Range;

/// The currency before or after a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Currency {
    #[default]
    None,
    Usd {
        code: bool,
        symbol: bool,
    },
    Other,
}

/// How the scale (thousands, millions, …) is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Scale {
    #[default]
    None,
    Letter,
    Word,
}

/// The per cent suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Per {
    #[default]
    None,
    Cent,
    Points,
}

/// A number in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Token {
    /// Its byte range in the original text.
    pub range: Range<usize>,
    pub currency: Currency,
    pub negative: bool,
    pub plus: bool,
    /// `Some(true)` for an upward arrow.
    pub arrow: Option<bool>,
    /// `<` precedes it: the number is an upper bound.
    pub below: bool,
    pub integer: String,
    pub grouped: bool,
    pub fraction: String,
    pub point: bool,
    pub exponent: Option<i32>,
    pub scale: Scale,
    /// A space precedes a scale letter: `$16.2 B`, which the site never prints.
    pub spaced: bool,
    /// Power of ten of the scale.
    pub power: i32,
    pub per: Per,
    pub ordinal: bool,
    pub hash: bool,
    pub total: Option<u32>,
    pub positions: bool,
    pub years: Option<u32>,
}
