//! Recomputes shares, rates, changes, balances and sums from the record's own operands. Each
//! operand is the interval of its digits, without any further tolerance.

use rust_decimal::Decimal;

use super::arithmetic::is_whole;
use super::balance;
use super::computed::{agrees, operand, per_cent, result, shown};
use super::finding::Found;
use super::growth;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, exact, interval, is_money, metric};
use crate::external::Figure;
use crate::value::derive::Operation;
use crate::value::{Interval, Unit};
use atlas_gt_core::diagnostic::Severity;

pub(super) static DIFFERS: LintRule = LintRule {
    code: "GT006",
    title: "a share, growth, rate, change, balance or sum does not follow from the record's own values",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "recompute it; one of the values has another total, year or scope",
    check: Check::Rows(differs),
    passing: r#"[{"record": {"results": {"data": [{"metric": "Minerals share", "country": "Chile", "year": "2017", "minerals_value": "$17.06 billion", "total_value": "$74.00 billion", "share": "23.1%"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"metric": "Minerals share", "country": "Chile", "year": "2017", "minerals_value": "$17.06 billion", "total_value": "$74.00 billion", "share": "28.4%"}]}}}]"#,
};

fn differs(subject: &LintSubject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for row in subject.by_row() {
        found.extend(row.iter().filter_map(|claimed| share(row, claimed)));
        found.extend(row.iter().filter_map(|claimed| {
            growth::recomputed(subject, row, claimed)
                .filter(|wrong| !wrong.is_other_growth)
                .map(|wrong| wrong.found)
        }));
        found.extend(balance::differs(row));
        found.extend(difference(row));
        found.extend(ratio(row));
        found.extend(sums(row));
    }
    found.extend(totals_of_shares(subject));
    found
}

fn is_share(figure: &Figure) -> bool {
    let is_percent = figure
        .quantity()
        .is_some_and(|quantity| matches!(quantity.unit, Unit::Percent | Unit::Index | Unit::Count));
    let says = figure.name == "value" && metric(figure).contains("share");
    is_percent && (says || figure.measure.is_some_and(|measure| measure.name == "share"))
}

/// The first word of a key: `minerals` of `minerals_share`.
fn stem(figure: &Figure) -> &str {
    figure.key.rsplit('.').next().unwrap_or_default().split('_').next().unwrap_or_default()
}

/// Compares a share with its part and whole in the same row.
fn share(row: &[Figure], claimed: &Figure) -> Option<Found> {
    if !is_share(claimed) || claimed.key.contains("contribution") || claimed.key.contains(['.', '[']) {
        return None;
    }
    let amounts: Vec<&Figure> =
        row.iter().filter(|figure| is_money(figure) && !figure.key.contains(['.', '['])).collect();
    // `minerals_share` belongs to `minerals_total`, if there is one
    let own: Vec<&Figure> = amounts.iter().filter(|figure| stem(figure) == stem(claimed)).copied().collect();
    let is_part = |figure: &&&Figure| {
        if own.is_empty() { !is_whole(&figure.key) } else { own.iter().any(|one| one.key == figure.key) }
    };
    let (parts, others): (Vec<&Figure>, Vec<&Figure>) = amounts.iter().partition(|figure| is_part(figure));
    let wholes: Vec<&Figure> = others.into_iter().filter(|figure| is_whole(&figure.key)).collect();
    let claim = per_cent(claimed);
    let mut results = Vec::new();
    for (part, whole) in parts.iter().flat_map(|part| wholes.iter().map(move |whole| (*part, *whole))) {
        let operands = operand(part, None, Unit::Usd).zip(operand(whole, None, Unit::Usd));
        let Some(result) = operands.and_then(|(part, whole)| result(Operation::Share, part, whole)) else {
            continue;
        };
        if agrees(&claim, &result) {
            return None;
        }
        results.push((part, whole, result));
    }
    match (parts.as_slice(), results.first()) {
        ([_], Some((part, whole, result))) => {
            let message = format!(
                "{} is not {} over {}, which is {} %",
                claimed.text,
                part.text,
                whole.text,
                shown(result)
            );
            Some(Found::at(claimed, message))
        }
        _ => None,
    }
}

/// Compares `difference` with the only two other numbers of its row.
fn difference(row: &[Figure]) -> Option<Found> {
    let claimed = row.iter().find(|figure| figure.key == "difference")?;
    let others: Vec<&Figure> =
        row.iter().filter(|figure| figure.key != "difference" && figure.quantity().is_some()).collect();
    let [a, b] = others.as_slice() else { return None };
    let (x, y, claim) = (interval(a)?, interval(b)?, interval(claimed)?);
    let result = Interval::closed(x.low.checked_sub(y.high)?, x.high.checked_sub(y.low)?);
    let either = [claim, claim.negated()];
    (!agrees(&either, &result)).then(|| {
        Found::at(claimed, format!("{} is not the difference of {} and {}", claimed.text, a.text, b.text))
    })
}

/// Compares `ratio` with the only two amounts of its row.
fn ratio(row: &[Figure]) -> Option<Found> {
    let claimed = row.iter().find(|figure| figure.key == "ratio" || figure.key.ends_with("_ratio"))?;
    let amounts: Vec<&Figure> = row.iter().filter(|figure| is_money(figure)).collect();
    let [a, b] = amounts.as_slice() else { return None };
    let of = |first: &Figure, last: &Figure| {
        result(Operation::Ratio, operand(first, None, Unit::Usd)?, operand(last, None, Unit::Usd)?)
    };
    let (claim, results) = (per_cent(claimed), [of(a, b), of(b, a)]);
    let fits = |result: &Interval| {
        agrees(&claim, result)
            || result.times(Decimal::ONE_HUNDRED).is_some_and(|result| agrees(&claim, &result))
    };
    let first = results.iter().flatten().next()?;
    (!results.iter().flatten().any(fits)).then(|| {
        Found::at(
            claimed,
            format!("{} is not the ratio of {} and {}: {}", claimed.text, a.text, b.text, shown(first)),
        )
    })
}

/// Compares the parts in an object with the total beside it: `services_breakdown` and
/// `services_total`.
fn sums(row: &[Figure]) -> Vec<Found> {
    let mut objects: Vec<&str> =
        row.iter().filter_map(|figure| Some(figure.key.split_once('.')?.0)).collect();
    objects.dedup();
    objects.into_iter().filter_map(|object| sum(row, object)).collect()
}

fn sum(row: &[Figure], object: &str) -> Option<Found> {
    let parts: Vec<&Figure> = row
        .iter()
        .filter(|figure| {
            figure.key.split_once('.').is_some_and(|(above, rest)| above == object && !rest.contains('.'))
        })
        .collect();
    if parts.len() < 2
        || !parts.iter().all(|figure| is_money(figure) && figure.about.period == parts[0].about.period)
    {
        return None;
    }
    let stem = object.split('_').next().filter(|stem| *stem != "by");
    let totals: Vec<&Figure> = row
        .iter()
        .filter(|figure| !figure.key.contains('.') && is_money(figure) && figure.key.contains("total"))
        .filter(|figure| stem.is_none_or(|stem| figure.key.contains(stem)))
        .collect();
    let [total] = totals.as_slice() else { return None };
    let ends = parts.iter().try_fold((Decimal::ZERO, Decimal::ZERO), |(low, high), part| {
        let own = interval(part)?;
        Some((low.checked_add(own.low)?, high.checked_add(own.high)?))
    })?;
    let (result, claim) = (Interval::closed(ends.0, ends.1), interval(total)?);
    let is_all = object.contains("breakdown") || object.starts_with("by_");
    let exceeds = result.low > claim.high;
    let falls_short = is_all && result.high < claim.low;
    (exceeds || falls_short).then(|| {
        let word = if exceeds { "more" } else { "less" };
        let message = format!("the parts of {object} are {word} than {}: {}", total.text, shown(&result));
        Found::at(total, message)
    })
}

/// Checks that the shares in a list have a common total, given each value and share.
fn totals_of_shares(subject: &LintSubject<'_>) -> Option<Found> {
    let mut allowed: Option<Interval> = None;
    let mut rows = 0;
    let mut year = None;
    for row in subject.by_row() {
        let amounts: Vec<&Figure> =
            row.iter().filter(|figure| is_money(figure) && !figure.key.contains(['.', '['])).collect();
        let shares: Vec<&Figure> = row.iter().filter(|figure| figure.key == "share").collect();
        let ([amount], [share]) = (amounts.as_slice(), shares.as_slice()) else { return None };
        // shares from several years or countries have several totals
        if *year.get_or_insert(amount.about.period) != amount.about.period
            || is_whole(&amount.key)
            || amount.about.rank.is_none()
        {
            return None;
        }
        let (value, part) = (Interval::point(exact(amount)?), interval(share)?);
        let value = if amount.raw.is_some() { value } else { interval(amount)? };
        if part.low <= Decimal::ZERO || value.low <= Decimal::ZERO {
            continue;
        }
        let own = Interval::closed(value.low.checked_div(part.high)?, value.high.checked_div(part.low)?);
        rows += 1;
        let common =
            allowed.map_or(own, |known| Interval::closed(known.low.max(own.low), known.high.min(own.high)));
        if common.low > common.high && rows > 1 {
            let message =
                format!("{} at {} implies another total than the rows before it", amount.text, share.text);
            return (subject.by_row().count() >= 3).then(|| Found::at(share, message));
        }
        allowed = Some(common);
    }
    None
}
