//! Rules on displayed values and the precise values beside them.

use rust_decimal::Decimal;

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, digits, interval, is_money};
use crate::external::Figure;
use crate::value::{Interval, Unit};
use atlas_gt_core::diagnostic::Severity;

pub(super) static ROUNDED_AWAY: LintRule = LintRule {
    code: "GT007",
    title: "rounded to zero, or different values that look equal",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "keep enough digits to distinguish the value from zero and from the others in its list",
    check: Check::Record(rounded_away),
    passing: r#"[{"record": {"results": {"data": [{"metric": "Market share", "value": "0.0024%", "raw_value": 0.0000239}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"metric": "Market share", "value": "0.0%", "raw_value": 0.000000643}]}}}]"#,
};

fn rounded_away(subject: &LintSubject<'_>) -> Option<Found> {
    let to_nothing = |figure: &Figure| {
        let quantity = figure.quantity().filter(|quantity| quantity.number.is_zero())?;
        let raw = figure.raw.as_ref().filter(|raw| !raw.number.is_zero());
        let is_index = matches!(quantity.unit, Unit::Index | Unit::Count);
        let is_advantage =
            is_index && figure.key.rsplit('.').next().is_some_and(|key| key.eq_ignore_ascii_case("rca"));
        let beside = || {
            let others =
                subject.rows.figures.iter().filter(|other| other.row == figure.row && is_money(other));
            others
                .into_iter()
                .find(|other| other.quantity().is_some_and(|amount| amount.number > Decimal::ZERO))
        };
        match (raw, beside().filter(|_| is_advantage)) {
            (Some(raw), _) => Some(format!("{} is {} rounded to zero", figure.text, raw.number)),
            (None, Some(amount)) => {
                Some(format!("an advantage of {} beside exports of {}", figure.text, amount.text))
            }
            (None, None) => {
                figure.text.starts_with(['-', '−']).then(|| format!("{} is a signed zero", figure.text))
            }
        }
    };
    let nothing = subject.numbers().find_map(|figure| Some(Found::at(figure, to_nothing(figure)?)));
    nothing.or_else(|| look_alike(subject))
}

/// From this many digits on, equal values are no coincidence of rounding.
const DIGITS: usize = 3;

/// A series with equal displayed values whose precise values differ by more than a twentieth.
fn look_alike(subject: &LintSubject<'_>) -> Option<Found> {
    let first = subject.numbers().find(|figure| figure.about.period.is_some() && figure.raw.is_some())?;
    let same: Vec<&Figure> = subject.numbers().filter(|figure| figure.key == first.key).collect();
    let mut periods: Vec<_> = same.iter().map(|figure| figure.about.period).collect();
    periods.sort_unstable();
    periods.dedup();
    let is_series = same.len() >= 2 && periods.len() == same.len();
    let is_alike = same.iter().all(|figure| figure.text == first.text);
    let raws: Option<Vec<Decimal>> = same.iter().map(|figure| Some(figure.raw.as_ref()?.number)).collect();
    let raws = raws?;
    let (low, high) = (raws.iter().min()?, raws.iter().max()?);
    let apart = high.checked_sub(*low)?.checked_mul(Decimal::from(20))? > high.abs();
    let is_coarse = digits(first.quantity()?.number) < DIGITS;
    (is_series && is_alike && apart && is_coarse).then(|| {
        let message = format!(
            "{} in every year, for {} to {}",
            first.text,
            low.round_sf(4).unwrap_or(*low),
            high.round_sf(4).unwrap_or(*high)
        );
        Found::at(first, message)
    })
}

pub(super) static NOT_ROUNDED: LintRule = LintRule {
    code: "GT008",
    title: "a value is not its rounded precise value, or contradicts the number beside it",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "one of the two has another year, classification or source: collect them together",
    check: Check::Record(not_rounded),
    passing: r#"[{"record": {"results": {"data": [{"metric": "Total exports", "value": "$377.65 billion", "raw_value": 377651747244.83}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"metric": "Total exports", "value": "$377.56 billion", "raw_value": 377651747244.83}]}}}]"#,
};

/// A value that contradicts the number beside it, in a record of this program.
fn another_number(subject: &LintSubject<'_>, figure: &Figure) -> Option<Found> {
    let number = subject.own_number(figure)?;
    let is_right = interval(figure)?.contains(number);
    (!is_right).then(|| Found::at(figure, format!("{} is not {number} (number)", figure.text)))
}

fn not_rounded(subject: &LintSubject<'_>) -> Option<Found> {
    let wrong = |figure: &Figure| {
        let (raw, shown) = (figure.raw.as_ref()?, interval(figure)?);
        let unit = figure.quantity()?.unit;
        let as_percent = raw.number.checked_mul(Decimal::ONE_HUNDRED).filter(|_| unit == Unit::Percent);
        let fits = |number: Decimal| Interval::contains(&shown, number);
        let is_right = fits(raw.number) || as_percent.is_some_and(fits);
        (!is_right).then(|| {
            Found::at(figure, format!("{} is not the rounded {} ({})", figure.text, raw.number, raw.key))
        })
    };
    subject.numbers().find_map(|figure| wrong(figure).or_else(|| another_number(subject, figure)))
}
