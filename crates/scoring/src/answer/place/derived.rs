//! Figures that follow from the rows of the record: their sum, the change from the first to the last, the total that they are
//! shares of. They are no value of a row, and no rival of one.

use rust_decimal::Decimal;

use crate::answer::figures::figure::Figure;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::value::{Interval, Period, Quantity, Unit};

/// What a figure is, if it follows from the rows. Not if it corrects another figure or is called final.
pub(crate) fn derived(asked: &Asked<'_>, siblings: &[&Asked<'_>], figure: &Figure) -> Option<&'static str> {
    if figure.corrected || figure.said.is_final {
        return None;
    }
    let rows = rows(asked, siblings);
    let is = |what: &'static str, holds: bool| holds.then_some(what);
    is("the sum of the rows", is_sum(&rows, figure))
        .or_else(|| is("the mean of the rows", is_mean(&rows, figure)))
        .or_else(|| is("the change from the first row to the last", is_change(&rows, figure)))
        .or_else(|| is("the first or last row", is_end(&rows, figure)))
        .or_else(|| is("the total that the rows are shares of", is_total(&rows, figure)))
}

/// Whether a figure is called the sum of the rows and is another number: `In sum the five brought $417.6B.`
pub(crate) fn is_other_sum(asked: &Asked<'_>, siblings: &[&Asked<'_>], figure: &Figure) -> bool {
    is_no_sum(&rows(asked, siblings), figure)
}

/// The figure that is called the sum of all rows' shares and is another number: `Together these three supply over 60 % of it.`
pub(crate) fn other_sum_of_shares<'f>(shares: &[Asked<'_>], figures: &'f [Figure]) -> Option<&'f Figure> {
    let rows: Vec<&Asked<'_>> = shares.iter().collect();
    let first = rows.first().map(|row| &row.one.data_point);
    let of_one_list = rows.iter().all(|row| Some(&row.one.data_point) == first);
    figures.iter().find(|figure| of_one_list && figure.digits && is_no_sum(&rows, figure))
}

/// Whether a figure is called a sum, and the rows have another one. A bound that the sum satisfies is none.
fn is_no_sum(rows: &[&Asked<'_>], figure: &Figure) -> bool {
    let said = &figure.quantity.interval;
    let differs = |sum: Interval| match figure.bound.as_deref() {
        Some(bound) if lexicon::listed("lower_bound", bound) => sum.high < said.low,
        Some(bound) if lexicon::listed("upper_bound", bound) => sum.low > said.high,
        Some(_) => false,
        None => !figure.about && !sum.overlaps(said),
    };
    figure.said.has("part", "sum") && sum(rows, figure).is_some_and(differs)
}

/// All rows of the data point, the asked one first.
fn rows<'a>(asked: &'a Asked<'a>, siblings: &[&'a Asked<'a>]) -> Vec<&'a Asked<'a>> {
    let same = siblings.iter().copied().filter(|other| other.one.data_point == asked.one.data_point);
    std::iter::once(asked).chain(same).collect()
}

/// The sum of the rows in the figure's unit. `None` if there is one row, or another unit.
fn sum(rows: &[&Asked<'_>], figure: &Figure) -> Option<Interval> {
    let adds = matches!(figure.quantity.unit, Unit::Usd | Unit::Count | Unit::Persons | Unit::Percent);
    let same_unit = |number: &&Quantity| adds && number.unit == figure.quantity.unit;
    let numbers: Vec<&Quantity> = rows.iter().filter_map(|row| row.number()).filter(same_unit).collect();
    (rows.len() > 1 && numbers.len() == rows.len()).then_some(())?;
    numbers.iter().map(|number| number.interval).reduce(|sum, one| sum.plus(&one))
}

/// Whether a figure is the sum of all rows of the list: `The top three add up to 44.74 %.`
fn is_sum(rows: &[&Asked<'_>], figure: &Figure) -> bool {
    sum(rows, figure).is_some_and(|sum| sum.overlaps(&figure.quantity.interval))
}

/// Whether a figure is called the mean of all rows and is it: `$575 million a year on average`.
fn is_mean(rows: &[&Asked<'_>], figure: &Figure) -> bool {
    let share = || Decimal::ONE.checked_div(Decimal::from(rows.len()));
    let mean = || sum(rows, figure)?.times(share()?);
    figure.said.words.iter().any(|word| lexicon::listed_stem("mean", word))
        && mean().is_some_and(|mean| mean.overlaps(&figure.quantity.interval))
}

/// The first and the last value of rows that differ in time.
fn ends<'a>(rows: &[&'a Asked<'_>]) -> Option<(&'a Quantity, &'a Quantity)> {
    let period = |row: &&Asked<'_>| row.context.period.map(|Period { start, end }| (end, start));
    let first = rows.iter().min_by_key(|row| period(row))?;
    let last = rows.iter().max_by_key(|row| period(row))?;
    (period(first)? < period(last)?).then_some(())?;
    Some((first.number()?, last.number()?)).filter(|(first, last)| first.unit == last.unit)
}

/// Whether a figure is the change over the rows, in their unit, in percentage points or in percent: `That is 86 % more than in 2010.`
fn is_change(rows: &[&Asked<'_>], figure: &Figure) -> bool {
    let Some((first, last)) = ends(rows) else { return false };
    // points say that they are a change
    let is_stated = figure.direction.is_some() || figure.quantity.unit == Unit::PercentagePoints;
    let difference = last.interval.plus(&first.interval.negated());
    let change = match (first.unit, figure.quantity.unit) {
        (Unit::Percent, Unit::PercentagePoints) => Some(difference),
        (own, said) if own == said && own != Unit::Percent => Some(difference),
        (own, Unit::Percent) if own != Unit::Percent => relative(&first.interval, &last.interval),
        _ => None,
    };
    let said = match figure.direction {
        Some(false) => figure.quantity.interval.negated(),
        _ => figure.quantity.interval,
    };
    is_stated && change.is_some_and(|change| change.overlaps(&said))
}

/// The change from one positive number to another, in percent.
fn relative(from: &Interval, to: &Interval) -> Option<Interval> {
    let percent = |to: Decimal, from: Decimal| {
        to.checked_div(from)?.checked_sub(Decimal::ONE)?.checked_mul(Decimal::ONE_HUNDRED)
    };
    (from.low > Decimal::ZERO && to.low > Decimal::ZERO).then_some(())?;
    Some(Interval::closed(percent(to.low, from.high)?, percent(to.high, from.low)?))
}

/// Whether a figure is an end of the series: `It rose from 0.17 % to 0.23 %.`
fn is_end(rows: &[&Asked<'_>], figure: &Figure) -> bool {
    let Some((first, last)) = ends(rows) else { return false };
    let is =
        |end: &Quantity| end.unit == figure.quantity.unit && end.interval.overlaps(&figure.quantity.interval);
    figure.direction.is_some()
        && match figure.joint {
            Some("from") => is(first),
            Some("to") => is(last),
            _ => false,
        }
}

/// Whether a figure is the total that the rows state their shares of: `… of its exports of $16.2 billion`.
fn is_total(rows: &[&Asked<'_>], figure: &Figure) -> bool {
    let total = |row: &&Asked<'_>| {
        let (value, share) = (row.number()?, row.one.share.as_ref()?);
        let of = |value: Decimal, share: Decimal| value.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(share);
        let is_of_unit = value.unit == figure.quantity.unit;
        let (value, share) = (&value.interval, &share.interval);
        (is_of_unit && value.low > Decimal::ZERO && share.low > Decimal::ZERO).then_some(())?;
        Some(Interval::closed(of(value.low, share.high)?, of(value.high, share.low)?))
    };
    rows.len() > 1
        && rows.iter().all(|row| total(row).is_some_and(|total| total.overlaps(&figure.quantity.interval)))
}
