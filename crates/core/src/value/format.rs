//! Prints raw numbers as the site does, by display rule. Rounds half away from zero.

use rust_decimal::{Decimal, RoundingStrategy};

use super::Rule;

const ROUNDING: RoundingStrategy = RoundingStrategy::MidpointAwayFromZero;

/// Formats `x` (in full units: dollars, per cent, persons, positions) as the site does under `rule`.
///
/// F11 takes whole positions, positive for gained, and prints the short form `↑3`. F12 prints the treemap form (without
/// trailing zeros), F15 two decimals. `None` if the rule cannot print the number: F10 needs a total (see
/// [`format_rank`]); F1 needs at least one dollar; positions and counts must be whole; F12 ends below one hundred;
/// sizes end at the last suffix.
#[must_use]
pub fn format(x: Decimal, rule: Rule) -> Option<String> {
    let minus = if x.is_sign_negative() { "-" } else { "" };
    let size = x.abs();
    let text = match rule {
        Rule::F1 => format!("{minus}${}", letters(&significant(size, 3)?)?),
        Rule::F2 => format!("USD {minus}${}", letters(&significant(size, 3)?)?),
        Rule::F3 => format!("{minus}${}", letters(&compact(size)?)?.replace('k', "K")),
        Rule::F4 => format!("{minus}${}", words(&significant(size, 3)?)?),
        Rule::F5 => format!("{minus}${}", grouped(size.round_dp_with_strategy(0, ROUNDING))),
        Rule::F6 => format!("{minus}{}%", fixed(size, 2)),
        Rule::F7 => format!("{minus}{}%", fixed(size, 1)),
        Rule::F8 => format!("{minus}{}%", fixed(size, 0)),
        Rule::F9 => format!("{minus}{}%", dropped(size.round_dp_with_strategy(2, ROUNDING))),
        Rule::F10 => return None,
        Rule::F11 if x.fract().is_zero() => {
            format!("{}{}", if x.is_sign_negative() && !x.is_zero() { '↓' } else { '↑' }, size.normalize())
        }
        Rule::Integer if x.fract().is_zero() => format!("{minus}{}", grouped(size.normalize())),
        Rule::F11 | Rule::Integer => return None,
        Rule::F12 if size < Decimal::ONE_HUNDRED => {
            format!("{minus}{}", dropped(size.round_sf_with_strategy(3, ROUNDING)?))
        }
        Rule::F12 => return None,
        Rule::F13 => format!("{minus}{}", fixed(size, 2)),
        Rule::F14 => words(&significant(size, 3)?).filter(|_| minus.is_empty())?,
        Rule::F15 if minus.is_empty() => fixed(size, 2),
        Rule::F15 => return None,
        Rule::Growth => format!("{minus}{}%", dropped(growth(size)?)),
    };
    // A number that rounds to zero has no sign.
    let zero = !text.contains(|c: char| matches!(c, '1'..='9'));
    Some(if zero { text.replace('-', "") } else { text })
}

/// Formats an index with fixed decimals. The tooltip forms of PCI (F12) and distance (F15) have three.
#[must_use]
pub fn format_decimals(x: Decimal, decimals: u32) -> String {
    let text = fixed(x.abs(), decimals);
    let minus = x.is_sign_negative() && text.contains(|c: char| matches!(c, '1'..='9'));
    if minus { format!("-{text}") } else { text }
}

/// Formats a rank as the site does (F10): `116th of 145`.
#[must_use]
pub fn format_rank(position: u32, total: u32) -> String {
    let suffix = match (position % 10, position % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{position}{suffix} of {total}")
}

/// Rounds to three significant digits, at most three decimals, and whole numbers from one hundred.
fn growth(size: Decimal) -> Option<Decimal> {
    if size >= Decimal::ONE_HUNDRED {
        Some(size.round_dp_with_strategy(0, ROUNDING))
    } else if size < Decimal::ONE {
        Some(size.round_dp_with_strategy(3, ROUNDING))
    } else {
        size.round_sf_with_strategy(3, ROUNDING)
    }
}

/// A printed mantissa and its power of one thousand.
struct Scaled {
    digits: String,
    thousands: usize,
}

/// Keeps `digits` significant digits with trailing zeros. Rounding up to one thousand moves to the next suffix.
fn significant(size: Decimal, digits: u32) -> Option<Scaled> {
    let (mantissa, thousands) = mantissa(size.round_sf_with_strategy(digits, ROUNDING)?)?;
    if mantissa < Decimal::ONE && !mantissa.is_zero() {
        return None;
    }
    let whole = whole_digits(mantissa);
    Some(Scaled { digits: fixed(mantissa, digits.saturating_sub(whole)), thousands })
}

/// The browsers' compact currency format: two significant digits under one hundred, whole numbers from there, no
/// trailing zero.
fn compact(size: Decimal) -> Option<Scaled> {
    let round = |m: Decimal| -> Option<Decimal> {
        if m < Decimal::ONE_HUNDRED {
            m.round_sf_with_strategy(2, ROUNDING)
        } else {
            Some(m.round_dp_with_strategy(0, ROUNDING))
        }
    };
    let (first, thousands) = mantissa(size)?;
    if first < Decimal::ONE && !first.is_zero() {
        return None;
    }
    let rounded = round(first)?;
    if rounded >= Decimal::ONE_THOUSAND {
        return Some(Scaled { digits: dropped(rounded / Decimal::ONE_THOUSAND), thousands: thousands + 1 });
    }
    Some(Scaled { digits: dropped(rounded), thousands })
}

fn mantissa(size: Decimal) -> Option<(Decimal, usize)> {
    let mut mantissa = size;
    let mut thousands = 0;
    while mantissa >= Decimal::ONE_THOUSAND {
        mantissa = mantissa.checked_div(Decimal::ONE_THOUSAND)?;
        thousands += 1;
    }
    Some((mantissa, thousands))
}

fn whole_digits(mantissa: Decimal) -> u32 {
    if mantissa >= Decimal::ONE_HUNDRED {
        3
    } else if mantissa >= Decimal::TEN {
        2
    } else {
        1
    }
}

fn letters(scaled: &Scaled) -> Option<String> {
    ["", "k", "M", "B", "T"].get(scaled.thousands).map(|suffix| format!("{}{suffix}", scaled.digits))
}

fn words(scaled: &Scaled) -> Option<String> {
    let word = scaled.thousands.checked_sub(1)?;
    let word = ["thousand", "million", "billion", "trillion"].get(word)?;
    Some(format!("{} {word}", scaled.digits))
}

fn fixed(size: Decimal, decimals: u32) -> String {
    let mut rounded = size.round_dp_with_strategy(decimals, ROUNDING);
    rounded.rescale(decimals);
    rounded.to_string()
}

fn dropped(rounded: Decimal) -> String {
    rounded.normalize().to_string()
}

fn grouped(whole: Decimal) -> String {
    group_digits(&whole.normalize().to_string())
}

/// Adds thousands separators to a plain number: `-1234.5` → `-1,234.5`.
#[must_use]
pub fn group_digits(number: &str) -> String {
    let (whole, fraction) = number.split_at(number.find('.').unwrap_or(number.len()));
    let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
    let mut out = String::with_capacity(number.len() + digits.len() / 3);
    out.push_str(sign);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}
