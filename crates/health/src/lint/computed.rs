//! Computes results from a record's values, with intervals.

use rust_decimal::Decimal;

use super::subject::interval;
use crate::external::Figure;
use crate::value::derive::{DerivedOperand, DerivedValue, Operation};
use crate::value::{Context, Interval, Period, Unit};

/// A value as an operand of [`Operation`].
pub(super) fn operand(figure: &Figure, period: Option<Period>, unit: Unit) -> Option<DerivedOperand> {
    let precise = figure.precise();
    let interval = precise.map_or_else(|| interval(figure), |number| Some(Interval::point(number)))?;
    let number = precise.or_else(|| Some(figure.quantity()?.number))?;
    let context = Context { period, ..Context::default() };
    Some(DerivedOperand { label: figure.key.clone(), number, interval, precise, unit, context })
}

/// The result of an operation on two values.
pub(super) fn result(operation: Operation, first: DerivedOperand, last: DerivedOperand) -> Option<Interval> {
    match operation.apply(&[first, last]).ok()?.result {
        DerivedValue::Number(number) => Some(number.interval),
        _ => None,
    }
}

/// The intervals of a rate or share. A number without a percent sign may also be a fraction.
pub(super) fn per_cent(figure: &Figure) -> Vec<Interval> {
    let Some(own) = interval(figure) else { return Vec::new() };
    let is_bare = figure.quantity().is_some_and(|quantity| quantity.interval.is_point());
    let fraction = own.times(Decimal::ONE_HUNDRED).filter(|_| is_bare);
    std::iter::once(own).chain(fraction).collect()
}

/// Whether a claimed interval overlaps a result, bounds included.
pub(super) fn agrees(claimed: &[Interval], result: &Interval) -> bool {
    claimed.iter().any(|one| one.low <= result.high && result.low <= one.high)
}

/// A result as text.
pub(super) fn shown(result: &Interval) -> String {
    let (low, high) = (result.low.round_sf(5), result.high.round_sf(5));
    match (low, high) {
        (Some(low), Some(high)) if low == high => low.normalize().to_string(),
        (Some(low), Some(high)) => format!("{} to {}", low.normalize(), high.normalize()),
        _ => String::new(),
    }
}
