//! Finds the cause of a difference by arithmetic on the two numbers. Known contexts give their own causes (see `context`).

use rust_decimal::Decimal;

use crate::Cause;
use crate::value::{Interval, Quantity, Unit};

/// The site's look-back ranges, tried when the period of a growth rate is unknown.
const LOOK_BACK_YEARS: [u32; 4] = [3, 5, 10, 15];

/// The cause as a phrase for a reason.
pub(super) const fn describe(cause: Cause) -> &'static str {
    match cause {
        Cause::Rounding => "the same number with a different precision",
        Cause::OtherYear => "the number of another year",
        Cause::OtherClassification => "the number of another product classification",
        Cause::Scope => "goods against goods and services",
        Cause::RealAgainstNominal => "constant against current prices",
        Cause::LevelAgainstChange => "a level against a change",
        Cause::TotalAgainstCagr => "total growth against the annual rate",
        Cause::Sign => "the same amount with the opposite sign",
        Cause::FactorTwo => "one is twice the other",
        Cause::FactorThousand => "one is a thousand, a million or a billion times the other",
        Cause::PercentAgainstFraction => "a percentage against a fraction",
        Cause::SwappedEntities => "the value of another entity",
        Cause::OtherDefinition => "the source's figure under another definition",
    }
}

/// The cause that two incompatible units show by themselves.
pub(super) const fn of_units(a: Unit, b: Unit) -> Option<Cause> {
    const fn change(unit: Unit) -> bool {
        matches!(unit, Unit::PercentagePoints | Unit::Positions)
    }
    const fn level(unit: Unit) -> bool {
        matches!(unit, Unit::Usd | Unit::Rank | Unit::Persons)
    }
    let mixed = (change(a) && (level(b) || matches!(b, Unit::Percent)))
        || (change(b) && (level(a) || matches!(a, Unit::Percent)))
        || (matches!(a, Unit::Percent) && level(b))
        || (matches!(b, Unit::Percent) && level(a));
    if mixed { Some(Cause::LevelAgainstChange) } else { None }
}

/// The cause by arithmetic, most specific first: sign, percentage against fraction, factor thousand, factor two, total growth
/// against annual rate. A relation holds if the intervals overlap after applying it.
pub(super) fn of_numbers(
    x: &Quantity,
    y: &Quantity,
    i: &Interval,
    j: &Interval,
    years: Option<u32>,
) -> Option<Cause> {
    let meets = |factor: Decimal| {
        i.times(factor).is_some_and(|scaled| scaled.meets(j))
            || j.times(factor).is_some_and(|scaled| scaled.meets(i))
    };
    let spans_zero = |k: &Interval| k.low <= Decimal::ZERO && k.high >= Decimal::ZERO;
    if spans_zero(i) || spans_zero(j) {
        return None;
    }
    if meets(Decimal::NEGATIVE_ONE) {
        return Some(Cause::Sign);
    }
    let bare = |unit| matches!(unit, Unit::Count | Unit::Index);
    let fraction = (x.unit == Unit::Percent && bare(y.unit) && times_meets(j, Decimal::ONE_HUNDRED, i))
        || (y.unit == Unit::Percent && bare(x.unit) && times_meets(i, Decimal::ONE_HUNDRED, j));
    if fraction {
        return Some(Cause::PercentAgainstFraction);
    }
    let ranked = |unit| matches!(unit, Unit::Rank | Unit::Positions);
    if ranked(x.unit) || ranked(y.unit) {
        return None;
    }
    if [3u32, 6, 9, 12].into_iter().any(|power| meets(Decimal::from(10u64.pow(power)))) {
        return Some(Cause::FactorThousand);
    }
    if x.unit != Unit::Percent && y.unit != Unit::Percent && sharp(i) && sharp(j) && meets(Decimal::TWO) {
        return Some(Cause::FactorTwo);
    }
    if x.unit == Unit::Percent && y.unit == Unit::Percent {
        let given = years.map(|n| vec![n]).unwrap_or_else(|| LOOK_BACK_YEARS.to_vec());
        // With an unknown period several are tried, so only a hit between two sharp numbers counts.
        if (years.is_some() || (sharp(i) && sharp(j)))
            && given.into_iter().any(|n| compounds(i, j, n) || compounds(j, i, n))
        {
            return Some(Cause::TotalAgainstCagr);
        }
    }
    if x.unit == Unit::Percent && y.unit == Unit::Percent && sharp(i) && sharp(j) && meets(Decimal::TWO) {
        return Some(Cause::FactorTwo);
    }
    None
}

fn times_meets(i: &Interval, factor: Decimal, j: &Interval) -> bool {
    i.times(factor).is_some_and(|scaled| scaled.meets(j))
}

/// Whether the interval is narrow relative to its size (5 %), so that rounding cannot fake a relation.
fn sharp(i: &Interval) -> bool {
    let size = i.low.abs().min(i.high.abs());
    i.high.saturating_sub(i.low).saturating_mul(Decimal::from(20)) <= size
}

/// Whether `annual` per cent compounded over `n` years is `total` per cent.
fn compounds(annual: &Interval, total: &Interval, n: u32) -> bool {
    let grown = |rate: Decimal| -> Option<Decimal> {
        let factor = Decimal::ONE.checked_add(rate.checked_div(Decimal::ONE_HUNDRED)?)?;
        let mut product = Decimal::ONE;
        for _ in 0..n.min(100) {
            product = product.checked_mul(factor)?.round_dp(18);
        }
        product.checked_sub(Decimal::ONE)?.checked_mul(Decimal::ONE_HUNDRED)
    };
    if annual.low <= Decimal::NEGATIVE_ONE * Decimal::ONE_HUNDRED {
        return false;
    }
    match (grown(annual.low), grown(annual.high)) {
        (Some(low), Some(high)) => Interval::closed(low, high).meets(total),
        _ => false,
    }
}
