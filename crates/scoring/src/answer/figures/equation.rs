//! Equations that an answer writes out: `0.70 − 0.58 = 0.12`.

use rust_decimal::Decimal;

use super::figure::Figure;
use crate::language::token::{Kind, Token};
use crate::value::{Quantity, Unit};

/// Marks the operands before a result and, if another figure of the line has it with its scale, the bare result itself: `(1.385 −
/// 0.254 = 1.131), so $1.13 billion`. A result that is not that of its operands is no value.
pub(super) fn solve(figures: &mut [Figure], at: usize, operator: Option<&Token>) {
    let [low, high, result] =
        [at - 1, at, at + 1].map(|at| figures.get(at).map(|figure| figure.quantity.clone()));
    for figure in figures.iter_mut().skip(at - 1).take(2) {
        figure.operand = Some("an operand".to_owned());
    }
    let (Some(low), Some(high), Some(result)) = (low, high, result) else { return };
    let line = figures.get(at).map(|figure| figure.line);
    let is_bare = matches!(result.unit, Unit::Count | Unit::Index);
    let scaled = |other: &Figure| {
        let times = other.quantity.number.checked_div(result.number).unwrap_or_default();
        let is_scale = |power: u32| {
            let scale = Decimal::from(10_u64.pow(power));
            times.checked_div(scale).is_some_and(|rest| (rest - Decimal::ONE).abs() <= Decimal::new(5, 3))
        };
        Some(other.line) == line && [3, 6, 9, 12].into_iter().any(is_scale)
    };
    let is_repeated = is_bare && figures.iter().any(scaled);
    let Some(figure) = figures.get_mut(at + 1).filter(|figure| Some(figure.line) == line) else { return };
    if is_repeated {
        figure.operand = Some("an operand".to_owned());
    } else if operator.is_some_and(|operator| !holds(&low, operator, &high, &result)) {
        figure.trouble = Some("it is not the result of its operands".to_owned());
    }
}

/// Whether an equation holds for some numbers that print as its figures. One of another sign than plus or minus may.
fn holds(low: &Quantity, operator: &Token, high: &Quantity, result: &Quantity) -> bool {
    let second = match operator.kind {
        Kind::Mark('+') => high.interval,
        Kind::Mark('-' | '−' | '–') => high.interval.negated(),
        _ => return true,
    };
    low.interval.plus(&second).overlaps(&result.interval)
}
