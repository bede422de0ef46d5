//! Matches printed forms to display rules, and finds the numbers that print as a given text.

use rust_decimal::Decimal;

use super::super::{Interval, Quantity, Rule, Unit};
use super::token::{Currency, Per, Scale, Token};

/// Describes the texts of a rule, for error messages.
pub(super) const fn expected(rule: Rule) -> &'static str {
    match rule {
        Rule::F1 => "dollars with 3 significant digits and k, M, B or T, like `$1.39B`",
        Rule::F2 => "`USD ` and dollars with 3 significant digits and k, M, B or T, like `USD -$13.1B`",
        Rule::F3 => "compact dollars, 2 digits under 100 and whole from 100, like `$9.8B` or `$378B`",
        Rule::F4 => "dollars with 3 significant digits and a word, like `$378 billion`",
        Rule::F5 => "whole dollars with thousands commas, like `$2,274`",
        Rule::F6 => "a percentage with 2 decimals, like `3.38%`",
        Rule::F7 => "a percentage with 1 decimal, like `2.6%`",
        Rule::F8 => "a whole percentage, like `2%`",
        Rule::F9 => "a percentage with up to 2 decimals and no trailing zero, like `10.7%`",
        Rule::F10 => "a rank, like `116th of 145` or `56th`",
        Rule::F11 => "an arrow and a whole number, like `↑3 positions over 10 years`",
        Rule::F12 => "an index with 3 significant digits or up to 3 decimals, like `-0.48`",
        Rule::F13 => "an index with 2 decimals, like `0.77`",
        Rule::F14 => "3 significant digits and a word, like `52.4 million`",
        Rule::F15 => "an index with 2 or 3 decimals, like `37.65`",
        Rule::Integer => "a whole number, like `24` or `1,248`",
        Rule::Growth => "a percentage with up to 3 significant digits, like `13.1%`",
    }
}

/// Whether a token has the form the rule prints.
pub(super) fn conforms(t: &Token, rule: Rule) -> bool {
    let symbol = t.currency == Currency::Usd { code: false, symbol: true };
    let coded = t.currency == Currency::Usd { code: true, symbol: true };
    let no_rank = !t.ordinal && !t.hash && t.total.is_none();
    let plain = no_rank && t.arrow.is_none() && !t.plus && t.exponent.is_none() && !t.spaced;
    let bare =
        plain && !t.below && t.currency == Currency::None && t.per == Per::None && t.scale == Scale::None;
    let percent = no_rank
        && !t.plus
        && t.exponent.is_none()
        && t.currency == Currency::None
        && t.scale == Scale::None
        && t.per == Per::Cent
        && !t.grouped
        && clean_integer(t);
    let decimals = t.fraction.len();
    match rule {
        Rule::F1 => plain && symbol && three_digits(t, Scale::Letter),
        Rule::F2 => plain && coded && three_digits(t, Scale::Letter),
        Rule::F3 => {
            plain && symbol && t.per == Per::None && !t.grouped && t.scale != Scale::Word && compact_digits(t)
        }
        Rule::F4 => plain && (symbol || coded) && t.scale == Scale::Word && three_digits(t, Scale::Word),
        Rule::F5 => {
            plain
                && symbol
                && t.per == Per::None
                && t.scale == Scale::None
                && !t.point
                && !t.below
                && whole_digits(t, true)
        }
        Rule::F6 => percent && t.arrow.is_none() && decimals == 2,
        Rule::F7 => percent && t.arrow.is_none() && decimals == 1 && !t.below,
        Rule::F8 => percent && t.arrow.is_none() && !t.point && !t.below,
        Rule::F9 => percent && t.arrow.is_none() && decimals <= 2 && !t.fraction.ends_with('0'),
        Rule::Growth => percent && !t.below && !(t.arrow.is_some() && t.negative) && growth_digits(t),
        Rule::F10 => {
            t.ordinal
                && t.arrow.is_none()
                && t.currency == Currency::None
                && !t.negative
                && whole_digits(t, false)
        }
        Rule::F11 => {
            t.arrow.is_some()
                && no_rank
                && !t.negative
                && !t.plus
                && t.currency == Currency::None
                && t.per == Per::None
                && t.scale == Scale::None
                && t.exponent.is_none()
                && whole_digits(t, false)
        }
        Rule::F12 => bare && !t.grouped && clean_integer(t) && index_digits(t),
        Rule::F13 => bare && !t.grouped && clean_integer(t) && decimals == 2,
        Rule::F14 => {
            plain
                && t.currency == Currency::None
                && t.per == Per::None
                && !t.negative
                && three_digits(t, Scale::Word)
                && t.scale == Scale::Word
        }
        Rule::F15 => bare && !t.negative && clean_integer(t) && (decimals == 2 || decimals == 3),
        Rule::Integer => bare && whole_digits(t, false),
    }
}

/// Whether the integer has no leading zero: `0902` is a code, not a number.
fn clean_integer(t: &Token) -> bool {
    t.integer.len() == 1 || (!t.integer.is_empty() && !t.integer.starts_with('0'))
}

fn whole_digits(t: &Token, commas: bool) -> bool {
    !t.point && clean_integer(t) && (!commas || t.grouped == (t.integer.len() > 3))
}

/// The number of significant digits.
fn significant(t: &Token) -> usize {
    let whole = t.integer.trim_start_matches('0').len();
    if whole > 0 { whole + t.fraction.len() } else { t.fraction.trim_start_matches('0').len() }
}

/// Whether it has three significant digits. Axis ticks (`$1B`, `$10k`) and amounts below one thousand may have fewer;
/// for the latter the site's form is not settled (`$5` or `$5.00`).
fn three_digits(t: &Token, scale: Scale) -> bool {
    if t.grouped || t.below || t.per != Per::None || !clean_integer(t) || t.integer.len() > 3 {
        return false;
    }
    let digits = t.integer.len() + t.fraction.len();
    if t.scale == Scale::None {
        return scale == Scale::Letter && digits <= 3;
    }
    let tick = !t.point && matches!(t.integer.as_str(), "1" | "10");
    t.scale == scale && !t.integer.starts_with('0') && (digits == 3 || tick)
}

/// Compact currency: `$9.8B`, `$16B`, `$378B`, `$2T`; never `$16.0B`, `$16.2B`.
fn compact_digits(t: &Token) -> bool {
    clean_integer(t)
        && !t.below
        && t.integer.len() <= 3
        && (!t.integer.starts_with('0') || t.scale == Scale::None)
        && (t.fraction.is_empty() && !t.point
            || t.integer.len() == 1 && t.fraction.len() == 1 && t.fraction != "0")
}

fn growth_digits(t: &Token) -> bool {
    !t.point || significant(t) <= 3
}

fn index_digits(t: &Token) -> bool {
    t.integer.len() <= 3 && (t.fraction.len() <= 3 || significant(t) <= 3)
}

/// The quantity of a token, under a rule if given. `None` if the number is out of range.
pub(super) fn quantity(t: &Token, rule: Option<Rule>) -> Option<Quantity> {
    let digits = if t.point { format!("{}.{}", t.integer, t.fraction) } else { t.integer.clone() };
    let printed = if digits.starts_with('.') { format!("0{digits}") } else { digits };
    let power = t.power.checked_add(t.exponent.unwrap_or(0))?;
    let decimals = i32::try_from(t.fraction.len()).ok()?;
    let size = scaled(printed.parse::<Decimal>().ok()?, power)?;
    let unit = unit(t, rule);
    let down = t.negative || t.arrow == Some(false);
    let last = power10(power - decimals)?;
    let interval = if t.below {
        Interval::closed(Decimal::ZERO, size)
    } else if unit == Unit::Rank || unit == Unit::Positions || rule == Some(Rule::Integer) {
        Interval::point(size)
    } else {
        rounded(t, rule, size, last, power)?
    };
    let negate = down && !size.is_zero();
    let number = if negate { -size } else { size };
    let interval = if down { interval.negated() } else { interval };
    Some(Quantity { number: number.normalize(), interval, unit, rule, total: t.total })
}

fn unit(t: &Token, rule: Option<Rule>) -> Unit {
    match (t.currency, t.per) {
        (Currency::Other, _) => return Unit::OtherCurrency,
        (Currency::Usd { .. }, _) => return Unit::Usd,
        (_, Per::Cent) => return Unit::Percent,
        (_, Per::Points) => return Unit::PercentagePoints,
        _ => {}
    }
    if t.ordinal || t.hash || t.total.is_some() {
        return Unit::Rank;
    }
    if t.arrow.is_some() {
        return Unit::Positions;
    }
    match rule {
        Some(Rule::F14) => Unit::Persons,
        Some(Rule::F12 | Rule::F13 | Rule::F15) => Unit::Index,
        _ if t.point && t.scale == Scale::None => Unit::Index,
        _ => Unit::Count,
    }
}

/// The interval of a rounded positive number. `last` is one unit of the last printed digit.
fn rounded(t: &Token, rule: Option<Rule>, size: Decimal, last: Decimal, power: i32) -> Option<Interval> {
    let two = Decimal::TWO;
    let unit = power10(power)?;
    let step = match rule {
        // Three significant digits, even if an axis tick dropped its zeros.
        Some(Rule::F1 | Rule::F2 | Rule::F4) if t.scale != Scale::None => {
            last.min(significant_step(t, 3, power)?)
        }
        // Two significant digits under one hundred, including a dropped `.0`.
        Some(Rule::F3) => last.min(significant_step(t, 2, power)?.min(unit)),
        Some(Rule::F9) => last.min(Decimal::new(1, 2)),
        Some(Rule::Growth) if size < Decimal::ONE_HUNDRED => last.min(Decimal::new(1, 1)),
        Some(Rule::F12) => last.min(index_step(size)),
        _ => last,
    };
    let half = step.checked_div(two)?;
    let mut interval = Interval::around(size, half);
    // Below a power of ten the step is ten times finer, so the interval reaches less far down.
    let lead_one = t.integer.trim_end_matches('0') == "1" && t.fraction.bytes().all(|b| b == b'0');
    let finer = match rule {
        Some(Rule::F1 | Rule::F2 | Rule::F4 | Rule::F14) => lead_one && t.scale != Scale::None,
        Some(Rule::F3) => lead_one && t.integer.len() == 2,
        Some(Rule::F12) => lead_one && t.fraction.len() < 3,
        _ => false,
    };
    if finer {
        interval.low = size.checked_sub(half.checked_div(Decimal::TEN)?)?;
    }
    Some(interval)
}

/// The step of a number with `digits` significant digits.
fn significant_step(t: &Token, digits: i32, power: i32) -> Option<Decimal> {
    let whole = i32::try_from(t.integer.trim_start_matches('0').len()).ok()?;
    power10(power + whole - digits)
}

/// The step of a PCI: three significant digits without trailing zeros, or three fixed decimals. Below 0.1 the site's
/// form is unknown, so the wider step applies.
fn index_step(size: Decimal) -> Decimal {
    if size >= Decimal::TEN {
        Decimal::new(1, 1)
    } else if size >= Decimal::ONE {
        Decimal::new(1, 2)
    } else {
        Decimal::new(1, 3)
    }
}

fn power10(power: i32) -> Option<Decimal> {
    if power >= 0 {
        10i128
            .checked_pow(u32::try_from(power).ok()?)
            .and_then(|n| Decimal::try_from_i128_with_scale(n, 0).ok())
    } else {
        Decimal::try_from_i128_with_scale(1, u32::try_from(-power).ok()?).ok()
    }
}

fn scaled(number: Decimal, power: i32) -> Option<Decimal> {
    if power == 0 { Some(number) } else { number.checked_mul(power10(power)?) }
}
