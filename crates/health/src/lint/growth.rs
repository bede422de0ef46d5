//! Rules on growth over a period and growth per year.

use super::computed::{agrees, operand, per_cent, result, shown};
use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, interval, metric};
use crate::external::Figure;
use crate::scoring::language::lexicon::list;
use crate::value::derive::Operation;
use crate::value::{Interval, Period, Unit};
use atlas_gt_core::diagnostic::Severity;

/// A growth that contradicts its operands.
pub(super) struct Wrong {
    pub found: Found,
    /// Whether it is the other kind of growth: over the period instead of per year, or the reverse.
    pub is_other_growth: bool,
}

/// The operation that a value claims to be the result of.
fn claimed_as(figure: &Figure) -> Option<Operation> {
    let quantity = figure.quantity()?;
    let measure = figure.measure.map_or("", |measure| measure.name.as_str());
    let last = figure.key.rsplit('.').next().unwrap_or_default();
    let metric = metric(figure);
    match (measure, quantity.unit) {
        ("cagr", _) if last.ends_with("cagr") => Some(Operation::Cagr),
        ("growth" | "growth_percent", Unit::Percent | Unit::Index | Unit::Count) => Some(Operation::Growth),
        ("growth", Unit::Usd) | ("change", Unit::Usd | Unit::Index | Unit::Count) => Some(Operation::Change),
        ("value", Unit::Percent) if metric.contains("cagr") => Some(Operation::Cagr),
        _ => None,
    }
}

/// A growth, rate or change that does not follow from the first and last value of its row.
pub(super) fn recomputed(subject: &LintSubject<'_>, row: &[Figure], claimed: &Figure) -> Option<Wrong> {
    let operation = claimed_as(claimed)?;
    let (first, last, years) = ends(subject, row, claimed)?;
    let unit = first.quantity()?.unit;
    let of = |operation| {
        let at = |figure, year| operand(figure, Some(Period::year(year)), unit);
        result(operation, at(first, years.start)?, at(last, years.end)?)
    };
    let claim = match operation {
        Operation::Change => vec![interval(claimed)?],
        _ => per_cent(claimed),
    };
    let result = of(operation)?;
    // `raw_change` may hold a fraction
    let as_rate = operation == Operation::Change
        && of(Operation::Growth).is_some_and(|rate| agrees(&per_cent(claimed), &rate));
    if agrees(&claim, &result) || as_rate {
        return None;
    }
    let other = match operation {
        Operation::Cagr => of(Operation::Growth),
        Operation::Growth => of(Operation::Cagr),
        _ => None,
    };
    let is_other_growth = other.is_some_and(|other: Interval| agrees(&claim, &other));
    let what = if operation == Operation::Cagr { "growth a year" } else { "change" };
    let message = format!(
        "{} is not the {what} from {} to {} ({years}), which is {}",
        claimed.text,
        first.text,
        last.text,
        shown(&result)
    );
    Some(Wrong { found: Found::at(claimed, message), is_other_growth })
}

/// The first and last value of a growth, with their years.
fn ends<'f>(
    subject: &LintSubject<'_>,
    row: &'f [Figure],
    claimed: &Figure,
) -> Option<(&'f Figure, &'f Figure, Period)> {
    let others = || row.iter().filter(|figure| figure.key != claimed.key && figure.quantity().is_some());
    let begins = |start: &str| {
        let mut found =
            others().filter(move |figure| figure.key.starts_with(start) && !figure.key.contains('.'));
        found.next().filter(|_| found.next().is_none())
    };
    if let (Some(first), Some(last)) = (begins("start_"), begins("end_")) {
        return Some((first, last, span(subject, claimed)?));
    }
    // `ict_2015` and `ict_2021` beside `ict_cagr`, `export_value_2016` and `export_value_2021`
    let of_year = |figure: &&Figure| figure.about.period.is_some_and(|period| period.start == period.end);
    let is_of = |figure: &&Figure| claimed.about.of.is_none() || figure.about.of == claimed.about.of;
    let dated: Vec<&Figure> = others()
        .filter(|figure| figure.key.ends_with(|c: char| c.is_ascii_digit()))
        .filter(of_year)
        .filter(is_of)
        .collect();
    let [a, b] = dated.as_slice() else { return None };
    if a.name != b.name && a.about.of != b.about.of {
        return None;
    }
    let (first, last) = if a.about.period <= b.about.period { (a, b) } else { (b, a) };
    Some((first, last, Period { start: first.about.period?.start, end: last.about.period?.start }))
}

/// The period of a growth, from its row, the address or the question.
fn span(subject: &LintSubject<'_>, claimed: &Figure) -> Option<Period> {
    let of_page = || subject.years_of_page().map(|(start, end)| Period { start, end });
    let of_question = || match subject.asked?.years.as_slice() {
        [start, end] => Some(Period { start: *start, end: *end }),
        _ => None,
    };
    let is_span = |period: &Period| period.start < period.end;
    claimed
        .about
        .period
        .filter(is_span)
        .or_else(|| of_page().filter(is_span))
        .or_else(|| of_question().filter(is_span))
}

pub(super) static OTHER_GROWTH: LintRule = LintRule {
    code: "GT011",
    title: "the question asks for growth per year and the record has growth over the period, or the reverse",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "change the question to what the page shows, or collect what it asks for; the two are never compared",
    check: Check::Record(other_growth),
    passing: r#"[{"question": {"text": "How fast did the exports of Vietnam grow a year from 2010 to 2020?"}, "record": {"results": {"data": [{"metric": "Export CAGR", "period": "2010-2020", "start_value": "$76 billion", "end_value": "$308 billion", "cagr": "15.0%"}]}}}]"#,
    failing: r#"[{"question": {"text": "How fast did the exports of Vietnam grow a year from 2010 to 2020?"}, "record": {"results": {"data": [{"metric": "Total export growth", "period": "2010-2020", "growth": "305.3%"}]}}}]"#,
};

fn other_growth(subject: &LintSubject<'_>) -> Option<Found> {
    // compare the numbers
    for row in subject.by_row() {
        let wrong = row
            .iter()
            .filter_map(|claimed| recomputed(subject, row, claimed))
            .find(|wrong| wrong.is_other_growth);
        if let Some(wrong) = wrong {
            return Some(wrong.found);
        }
    }
    // compare the words
    let asked = subject.asked?;
    let held =
        |sort: GrowthKind| subject.rows.figures.iter().find(|figure| growth_kind(figure) == Some(sort));
    let (yearly, whole) = (held(GrowthKind::Yearly), held(GrowthKind::Whole));
    let found = match (yearly, whole) {
        (None, Some(figure)) if asked.asks_yearly_growth() => {
            (figure, "the question asks for growth per year, the record has growth over the period")
        }
        (Some(figure), None) if asked.asks_total_growth() => {
            (figure, "the question asks for growth over the period, the record has growth per year")
        }
        _ => return None,
    };
    Some(Found::at(found.0, format!("{}: {}", found.1, found.0.text)))
}

/// The kind of growth: per year, or over the period.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GrowthKind {
    Yearly,
    Whole,
}

fn growth_kind(figure: &Figure) -> Option<GrowthKind> {
    let quantity = figure.quantity()?;
    if !matches!(quantity.unit, Unit::Percent | Unit::Index | Unit::Count) {
        return None;
    }
    let measure = figure.measure.map_or("", |measure| measure.name.as_str());
    let metric = metric(figure);
    let says = |name: &str| list(name).iter().any(|word| metric.contains(word));
    if says("names_yearly") {
        return (measure != "value" || says("names_rate")).then_some(GrowthKind::Yearly);
    }
    let is_whole =
        matches!(measure, "growth" | "growth_percent") || measure == "value" && says("names_whole_change");
    is_whole.then_some(GrowthKind::Whole)
}
