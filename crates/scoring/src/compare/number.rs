//! Compares two numbers at displayed precision.

use rust_decimal::Decimal;

use crate::value::format::group_digits;
use crate::value::{Interval, Quantity, Unit};
use crate::{Cause, Comparison, Verdict};

use super::cause;

/// A number with its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'a> {
    pub quantity: &'a Quantity,
    pub text: &'a str,
    /// The text names a counted noun, so the number takes no unit from the other side.
    pub counted: bool,
    /// The number is the amount of a change.
    pub change: bool,
}

/// Compares two numbers. `years` is the length of their period, if known.
pub(super) fn compare(a: Shown<'_>, b: Shown<'_>, years: Option<u32>) -> Comparison {
    let (x, y) = (a.quantity, b.quantity);
    if x.unit == Unit::OtherCurrency || y.unit == Unit::OtherCurrency {
        let reason =
            format!("{} and {} are not both US dollars, and no exchange rate is assumed", a.text, b.text);
        return Comparison::new(Verdict::NotComparable, reason);
    }
    let is_other_count =
        |a: Shown<'_>, b: Unit| a.counted && unstated(a.quantity.unit) && !unstated(b) && b != Unit::Rank;
    if !same_unit(x.unit, y.unit) || is_other_count(a, y.unit) || is_other_count(b, x.unit) {
        let reason =
            format!("{} and {} differ in unit: {} against {}", a.text, b.text, word(x.unit), word(y.unit));
        return Comparison {
            cause: cause::of_units(x.unit, y.unit),
            ..Comparison::new(Verdict::Mismatch, reason)
        };
    }
    if a.change != b.change {
        let (changed, level) = if a.change { (a.text, b.text) } else { (b.text, a.text) };
        let reason = format!("{changed} is the amount of a change, but {level} is a level");
        return Comparison {
            cause: Some(Cause::LevelAgainstChange),
            ..Comparison::new(Verdict::NotComparable, reason)
        };
    }
    if let (Some(m), Some(n)) = (x.total, y.total)
        && m != n
    {
        return Comparison::new(
            Verdict::Mismatch,
            format!("{} and {} rank different numbers of countries", a.text, b.text),
        );
    }
    let (i, j) = (reach(x, y), reach(y, x));
    if i.meets(&j) {
        return agreement(a, b, &i, &j);
    }
    let difference = i.gap(&j);
    let cause = cause::of_numbers(x, y, &i, &j, years);
    let mut reason = if difference.is_zero() {
        format!("{} and {} are adjacent, but no number prints as both", a.text, b.text)
    } else {
        format!(
            "{} differs from {} by at least {}",
            a.text,
            b.text,
            amount(brief(difference), unit_of_difference(stated(x.unit, y.unit)))
        )
    };
    if let Some(cause) = cause {
        reason = format!("{reason}: {}", cause::describe(cause));
    }
    Comparison { cause, difference: Some(difference), ..Comparison::new(Verdict::Mismatch, reason) }
}

fn agreement(a: Shown<'_>, b: Shown<'_>, i: &Interval, j: &Interval) -> Comparison {
    let (reason, cause) = if i == j {
        let reason = if a.text == b.text {
            format!("both sides are {}", a.text)
        } else {
            format!("{} is {}", a.text, b.text)
        };
        (reason, None)
    } else if j.encloses(i) {
        (rounds(a, b, i), Some(Cause::Rounding))
    } else if i.encloses(j) {
        (rounds(b, a, j), Some(Cause::Rounding))
    } else {
        let reason = format!("{} and {} can be the same number (overlapping)", a.text, b.text);
        (reason, Some(Cause::Rounding))
    };
    Comparison { cause, difference: Some(Decimal::ZERO), ..Comparison::new(Verdict::Match, reason) }
}

fn rounds(finer: Shown<'_>, coarser: Shown<'_>, interval: &Interval) -> String {
    if finer.quantity.number == coarser.quantity.number {
        format!("{} and {} are the same number (contained)", finer.text, coarser.text)
    } else if interval.is_point() {
        format!("{} rounds to {}", finer.text, coarser.text)
    } else {
        format!("{} rounds to {} (contained)", finer.text, coarser.text)
    }
}

/// The interval that a quantity may mean when compared with another. A bare whole number is an exact count; compared with a
/// measured number it may be rounded to the unit.
fn reach(quantity: &Quantity, beside: &Quantity) -> Interval {
    let bare = quantity.unit == Unit::Count && quantity.rule.is_some() && quantity.interval.is_point();
    let measured = matches!(beside.unit, Unit::Usd | Unit::Percent | Unit::PercentagePoints | Unit::Index);
    if bare && measured { Interval::around(quantity.number, Decimal::new(5, 1)) } else { quantity.interval }
}

/// Whether the number states no unit.
fn unstated(unit: Unit) -> bool {
    matches!(unit, Unit::Count | Unit::Index)
}

pub(super) fn same_unit(a: Unit, b: Unit) -> bool {
    a == b || unstated(a) || unstated(b)
}

fn stated(a: Unit, b: Unit) -> Unit {
    if unstated(a) { b } else { a }
}

/// The unit of a difference: two percentages are percentage points apart.
const fn unit_of_difference(unit: Unit) -> Unit {
    match unit {
        Unit::Percent => Unit::PercentagePoints,
        unit => unit,
    }
}

const fn word(unit: Unit) -> &'static str {
    match unit {
        Unit::Usd => "US dollars",
        Unit::OtherCurrency => "another currency",
        Unit::Percent => "per cent",
        Unit::PercentagePoints => "percentage points",
        Unit::Rank => "a rank",
        Unit::Positions => "positions gained or lost",
        Unit::Persons => "people",
        Unit::Count => "a count",
        Unit::Index => "an index",
    }
}

/// Rounds to six significant digits if there are many decimals, for use in a sentence.
fn brief(number: Decimal) -> Decimal {
    if number.scale() > 6 { number.round_sf(6).unwrap_or(number) } else { number }
}

/// An amount with its unit, for reasons.
pub(super) fn amount(number: Decimal, unit: Unit) -> String {
    let number =
        number.round_sf(6).filter(|_| number.fract().to_string().len() > 6).unwrap_or(number).normalize();
    match unit {
        Unit::Usd if number.is_sign_negative() => format!("-${}", group_digits(&(-number).to_string())),
        Unit::Usd => format!("${}", group_digits(&number.to_string())),
        Unit::Percent => format!("{number}%"),
        Unit::PercentagePoints => format!("{number} percentage points"),
        Unit::Positions => format!("{number} positions"),
        _ => group_digits(&number.to_string()),
    }
}
