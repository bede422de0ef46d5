//! The comparator. Every comparison of two values goes through it: first contexts, then absence, then numbers at displayed
//! precision, then words by the vocabulary.

mod cause;
mod context;
mod date;
mod direction;
pub(crate) mod matching;
mod name;
mod number;
mod operand;
mod phrase;
mod reading;
mod rows;
mod stated;
#[cfg(test)]
mod tests;

pub use operand::{Content, Operand};

use crate::value::{Absence, Context, Value};

use super::language;
use super::verdict::{Comparison, Verdict};
use reading::{Reading, StatedAbsence};

/// Compares the truth with a value that was read, displayed or answered.
///
/// 1. Context: if both sides state a part and it differs, the verdict is `not_comparable`; the reason names both values.
/// 2. Absence: an unread side gives `extraction_failed`; the same kind on both sides gives `expected_absence`; a value that
///    the other side does not show gives `not_displayed`; any other difference in kind is a `mismatch`.
/// 3. Numbers: an exact number agrees with a displayed one if it prints as that. Two displayed numbers agree if one number
///    can print as both (`contained` or `overlapping`). Units must agree; a number without a unit takes that of the other
///    side. There is no percentage tolerance.
/// 4. Words: by the vocabulary, including names beside numbers.
///
/// The verdict is symmetric.
#[must_use]
pub fn compare(truth: &Operand, other: &Operand) -> Comparison {
    if let Some(comparison) = context::compare(truth, other) {
        return comparison;
    }
    if let Some(comparison) = presence(&truth.content, &other.content) {
        return comparison;
    }
    let (Content::Value(a), Content::Value(b)) = (&truth.content, &other.content) else {
        return Comparison::new(Verdict::ExtractionFailed, "one side has neither a value nor an absence");
    };
    let years = context::years(&truth.context, &other.context);
    let (x, y) = (Reading::of(a), Reading::of(b));
    let beside = context::beside(&truth.context, &y).or_else(|| context::beside(&other.context, &x));
    let comparison = beside.unwrap_or_else(|| compare_readings(&x, &y, years));
    if comparison.verdict.agrees() { unasserted(a, b).unwrap_or(comparison) } else { comparison }
}

/// Rejects a match if only one side asks, doubts, denies or bounds the value (decision 27).
fn unasserted(a: &Value, b: &Value) -> Option<Comparison> {
    let text = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        _ => String::new(),
    };
    let (x, y) = (language::reservations(&text(a)), language::reservations(&text(b)));
    let word = x.symmetric_difference(&y).next()?;
    let reason = format!("\"{word}\" means that one side does not assert the value");
    Some(Comparison::new(Verdict::NotComparable, reason))
}

/// Compares two free texts: `compare_texts("$377.65 billion", "Total exports $378 billion")`.
#[must_use]
pub fn compare_texts(truth: &str, displayed: &str) -> Comparison {
    compare(&Operand::text(truth), &Operand::text(displayed))
}

/// Compares two texts as words of one kind of the vocabulary, such as `income_classification`: there `high` income differs
/// from `many` opportunities. With an unknown kind, only the words themselves are compared.
#[must_use]
pub fn compare_words(kind: &str, truth: &str, other: &str) -> Comparison {
    let (a, b) = (Operand::text(truth), Operand::text(other));
    presence(&a.content, &b.content).unwrap_or_else(|| phrase::compare_of(kind, truth, other))
}

/// Searches a longer text, such as an agent's answer, for the true value. Not symmetric: the rest of the text does not
/// matter. A `match` names the place; a `mismatch` names the nearest number of the same unit and the cause, if any.
#[must_use]
pub fn find_in_text(truth: &Operand, text: &str) -> Comparison {
    let Content::Value(value) = &truth.content else {
        return compare(truth, &Operand::text(text));
    };
    let whole = compare(truth, &Operand::text(text));
    if whole.verdict.agrees() || text.len() > LONGEST_TEXT {
        return whole;
    }
    let years = context::years(&truth.context, &Context::default());
    let mut reading = Reading::of(value);
    reading.take_context(&truth.context);
    rows::find(&reading, &Reading::of(&Value::Text(text.to_owned())), years)
        .or_else(|| phrase::find(&reading.source, text))
        .unwrap_or(whole)
}

/// The maximum length of a compared text or answer in bytes, some 15,000 words. Longer texts are only tested for equality.
pub const LONGEST_TEXT: usize = 100_000;

fn presence(a: &Content, b: &Content) -> Option<Comparison> {
    let length = |content: &Content| match content {
        Content::Value(Value::Text(text)) => text.len(),
        _ => 0,
    };
    if length(a).max(length(b)) > LONGEST_TEXT {
        return Some(if a == b {
            Comparison::new(Verdict::Match, "both sides are the same text")
        } else {
            let reason = format!("a text of more than {LONGEST_TEXT} bytes is not searched for a value");
            Comparison::new(Verdict::ExtractionFailed, reason)
        });
    }
    let failed = [("truth", a), ("other side", b)].into_iter().find_map(|(side, content)| match content {
        Content::Unread(why) => Some(format!("the {side} could not be read: {why}")),
        Content::Absent(Absence::ExtractionFailed) => Some(format!("the {side} could not be read")),
        _ => None,
    });
    if let Some(reason) = failed {
        return Some(Comparison::new(Verdict::ExtractionFailed, reason));
    }
    let said = |content: &Content| match content {
        Content::Absent(kind) => Some(StatedAbsence::Absent(*kind)),
        Content::Value(Value::Text(text)) => reading::absence(text),
        _ => None,
    };
    absent(said(a), said(b), a, b)
}

fn absent(
    a: Option<StatedAbsence>,
    b: Option<StatedAbsence>,
    left: &Content,
    right: &Content,
) -> Option<Comparison> {
    let comparison = match (a, b) {
        (None, None) => return None,
        (Some(StatedAbsence::Nothing), Some(StatedAbsence::Nothing)) => {
            Comparison::new(Verdict::ExpectedAbsence, "both sides say that there is no value")
        }
        (Some(StatedAbsence::Absent(kind)), Some(StatedAbsence::Nothing))
        | (Some(StatedAbsence::Nothing), Some(StatedAbsence::Absent(kind))) => Comparison::new(
            Verdict::ExpectedAbsence,
            format!("both sides say that there is no value: {}", describe(kind)),
        ),
        (Some(StatedAbsence::Absent(x)), Some(StatedAbsence::Absent(y))) if x == y => {
            Comparison::new(Verdict::ExpectedAbsence, format!("both sides say the same: {}", describe(x)))
        }
        (Some(StatedAbsence::Absent(x)), Some(StatedAbsence::Absent(y))) => {
            Comparison::new(Verdict::Mismatch, format!("{} is not the same as {}", describe(x), describe(y)))
        }
        (Some(said), None) => one_sided(said, right)?,
        (None, Some(said)) => one_sided(said, left)?,
    };
    Some(comparison)
}

/// Compares a value with a stated absence.
fn one_sided(said: StatedAbsence, present: &Content) -> Option<Comparison> {
    let shown = match present {
        Content::Value(value) => reading::show(value),
        _ => return None,
    };
    // An API's `available: false` corresponds to the page's message that the country has no data.
    if matches!(said, StatedAbsence::Absent(Absence::NotAvailableForCountry | Absence::PageNotFound))
        && crate::value::vocabulary::canonical("truth_value", &shown) == Some("false")
    {
        return Some(Comparison::new(
            Verdict::ExpectedAbsence,
            "`false` and the page both say that there is no value",
        ));
    }
    Some(match said {
        StatedAbsence::Nothing | StatedAbsence::Absent(Absence::NotShownHere) => Comparison::new(
            Verdict::NotDisplayed,
            format!("only one side has a value, {shown}; the other shows none"),
        ),
        StatedAbsence::Absent(kind) => {
            Comparison::new(Verdict::Mismatch, format!("{shown} against {}", describe(kind)))
        }
    })
}

const fn describe(kind: Absence) -> &'static str {
    match kind {
        Absence::NotShownHere => "not shown here",
        Absence::NotAvailableForCountry => "not available for this country",
        Absence::PageNotFound => "page not found",
        Absence::NullBeforeFirstYear => "null before the first year of the series",
        Absence::ExtractionFailed => "extraction failed",
    }
}

fn compare_readings(a: &Reading, b: &Reading, years: Option<u32>) -> Comparison {
    if !(a.number && b.number)
        && let Some(comparison) = phrase::same(&a.source, &b.source)
    {
        return comparison;
    }
    if let Some(comparison) = date::compare(&a.source, &b.source) {
        return comparison;
    }
    if let Some(comparison) = reading::other_context(a, b).or_else(|| reading::periods(a, b)) {
        return comparison;
    }
    match (a.items.is_empty(), b.items.is_empty()) {
        (false, false) => rows::compare(a, b, years),
        (true, true) => phrase::compare(&a.source, &b.source),
        (true, false) => rows::name_alone(a, b),
        (false, true) => rows::name_alone(b, a),
    }
}
