//! Converts rows of records to operands of the comparator.

use super::provenance::PointProvenance;
use super::row::Row;
use crate::scoring::Verdict;
use crate::scoring::compare::{Content, Operand, compare};
use crate::value::{Context, Interval, Quantity, Rule, Unit, Value, parse_as};

/// A row, and how it was read, if known.
pub(super) type Side<'a> = (&'a Row, Option<&'a PointProvenance>);

/// Whether two rows have the same value: equal for the comparator, printed with the same precision, and ranked among
/// the same number.
#[must_use]
pub fn same(a: &Row, b: &Row) -> bool {
    let printed = a.number == b.number && a.unit == b.unit && a.year == b.year && a.absence == b.absence;
    if matches!((ranked_among(a), ranked_among(b)), (Some(m), Some(n)) if m != n) {
        return false;
    }
    let verdict = compare(&operand((a, None)), &operand((b, None))).verdict;
    printed && matches!(verdict, Verdict::Match | Verdict::ExpectedAbsence)
}

/// The total of a rank: 145 in `116th of 145`.
#[must_use]
pub fn ranked_among(row: &Row) -> Option<u32> {
    let text = row.value.as_deref().filter(|_| row.unit == Some(Unit::Rank))?;
    parse_as(text, Rule::F10).ok()?.total
}

/// The operand of a row: the interval of its text, and its context.
pub(super) fn operand((row, point): Side<'_>) -> Operand {
    let context = point.map_or_else(Context::default, |point| point.context.clone());
    let content = match (row.absence, row.number, &row.value) {
        (Some(absence), ..) => Content::Absent(absence),
        (None, Some(number), _) => {
            let interval = point.and_then(|point| point.interval).unwrap_or_else(|| Interval::point(number));
            let rule = point.and_then(|point| point.rule);
            Content::Value(Value::Quantity(Quantity {
                interval,
                rule,
                ..Quantity::exact(number, row.unit.unwrap_or(Unit::Count))
            }))
        }
        (None, None, Some(text)) => Content::Value(Value::Text(text.clone())),
        (None, None, None) => Content::Unread("the row is empty".to_owned()),
    };
    Operand { content, context }
}
