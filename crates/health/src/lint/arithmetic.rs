//! Rules on impossible numbers: a part that is exactly half its whole, a share above the whole, a
//! rank beyond the last.

use rust_decimal::Decimal;

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, digits, exact, is_money};
use crate::external::Figure;
use crate::scoring::language::lexicon::list;
use crate::value::Unit;
use atlas_gt_core::diagnostic::Severity;

pub(super) static COUNTED_TWICE: LintRule = LintRule {
    code: "GT005",
    title: "goods equal services, or a part is exactly half its whole: something was counted twice",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "the API's total always includes goods and services: read both from the page, and do not add two calls",
    check: Check::Record(counted_twice),
    passing: r#"[{"record": {"results": {"data": [{"country": "Singapore", "goods_exports": "$410.12 billion", "services_exports": "$351.64 billion"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"country": "Singapore", "goods_exports": "$761.76 billion", "services_exports": "$761.76 billion"}]}}}]"#,
};

/// The number of common digits that rules out chance.
const DIGITS: usize = 4;

fn counted_twice(subject: &LintSubject<'_>) -> Option<Found> {
    let of = |figure: &Figure| {
        let about = &figure.about;
        let words =
            [about.sector.as_deref(), about.of.as_deref(), about.group.as_deref()].into_iter().flatten();
        format!("{} {}", figure.key, words.collect::<Vec<_>>().join(" ")).to_lowercase()
    };
    let numbers: Vec<(&Figure, Decimal, String)> = subject
        .numbers()
        .filter(|figure| is_money(figure))
        .filter_map(|figure| Some((figure, exact(figure)?, of(figure))))
        .filter(|(_, number, _)| digits(*number) >= DIGITS)
        .collect();
    let is_same =
        |goods: &str, services: &str| goods.replace("goods", "services") == services && goods != services;
    for (goods, number, label) in &numbers {
        let services = numbers.iter().find(|(other, same, text)| {
            same == number && other.about.period == goods.about.period && is_same(label, text)
        });
        if let Some((services, ..)) = services {
            let message = format!("goods and services are both {} ({})", goods.text, services.key);
            return Some(Found::at(goods, message));
        }
    }
    for (part, number, label) in numbers.iter().filter(|(_, _, label)| !is_whole(label)) {
        let double = numbers.iter().find(|(whole, twice, text)| {
            whole.row == part.row && is_whole(text) && Some(*twice) == number.checked_mul(Decimal::TWO)
        });
        if let Some((whole, ..)) = double {
            let message =
                format!("{label} is exactly half of {}: {} of {}", whole.key, part.text, whole.text);
            return Some(Found::at(part, message));
        }
    }
    None
}

/// Whether a key or label names a whole.
pub(super) fn is_whole(label: &str) -> bool {
    list("names_whole").iter().any(|word| label.contains(word))
}

pub(super) static IMPOSSIBLE: LintRule = LintRule {
    code: "GT029",
    title: "an impossible number: a share above 100 %, a rank beyond the last or below the first, a distance above one",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "check the page again; a percentage may have been read as a fraction",
    check: Check::Record(impossible),
    passing: r#"[{"record": {"results": {"data": [{"metric": "Rank", "value": "38th of 145"}, {"metric": "Share", "share": "12.8%"}, {"metric": "Share of export growth", "value": "143%"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"metric": "Share of exports", "value": "1281.9%"}]}}}]"#,
};

/// No ranking of countries or products is longer.
const LAST_PLACE: Decimal = Decimal::from_parts(10_000, 0, 0, false, 0);

fn impossible(subject: &LintSubject<'_>) -> Option<Found> {
    let why = |figure: &Figure| {
        let quantity = figure.quantity()?;
        let (number, name) = (quantity.number, figure.measure.map_or("", |measure| measure.name.as_str()));
        let last_key = figure.key.rsplit('.').next().unwrap_or_default();
        let is_change = |label: &str| {
            let mut words = label.split(|c: char| !c.is_ascii_alphanumeric());
            words.any(|word| list("names_change_of_share").iter().any(|change| change == word))
        };
        // `{"metric": "Share of exports", "value": "12.8%"}`
        let says_share = || {
            let metric = figure.about.metric.as_deref().map(str::to_lowercase);
            let is_named = |metric: &str| metric.starts_with("share") || metric.ends_with(" share");
            last_key == "value" && metric.is_some_and(|metric| is_named(&metric) && !is_change(&metric))
        };
        let is_share =
            (name == "share" || says_share()) && !is_change(last_key) && quantity.unit == Unit::Percent;
        let beyond = quantity.total.filter(|total| number > Decimal::from(*total));
        if let Some(total) = beyond {
            return Some(format!("place {} of {total}", number.normalize()));
        }
        let is_place = (Decimal::ONE..=LAST_PLACE).contains(&number) && number.fract().is_zero();
        if quantity.unit == Unit::Rank && !is_place {
            return Some(format!("{} is not a place", figure.text));
        }
        if is_share && (number > Decimal::ONE_HUNDRED || number < Decimal::ZERO) {
            return Some(format!("{} is not a share", figure.text));
        }
        let is_distance = last_key == "distance" || figure.about.metric.as_deref() == Some("Distance");
        (is_distance && (number < Decimal::ZERO || number > Decimal::ONE) && quantity.unit == Unit::Index)
            .then(|| format!("{} is not a distance", figure.text))
    };
    subject.numbers().find_map(|figure| Some(Found::at(figure, why(figure)?)))
}

pub(super) static OUT_OF_ORDER: LintRule = LintRule {
    code: "GT027",
    title: "the ranks of a list do not follow its values",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "sort the rows, or state the ranking criterion",
    check: Check::Record(out_of_order),
    passing: r#"[{"record": {"results": {"data": [{"rank": 1, "product": "Tea", "export_value": "$1.39B"}, {"rank": 2, "product": "Coffee", "export_value": "$0.30B"}, {"rank": 3, "product": "Gold", "export_value": "$0.21B"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"rank": 1, "product": "Coffee", "export_value": "$0.30B"}, {"rank": 2, "product": "Tea", "export_value": "$1.39B"}, {"rank": 3, "product": "Gold", "export_value": "$0.21B"}]}}}]"#,
};

fn out_of_order(subject: &LintSubject<'_>) -> Option<Found> {
    let ranked: Vec<&Figure> = subject
        .numbers()
        .filter(|figure| figure.about.rank.is_some() && !figure.key.contains(['.', '[']))
        .collect();
    let mut keys: Vec<&str> = ranked.iter().map(|figure| figure.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let column = |key: &str| {
        let mut cells: Vec<(u32, Decimal)> = ranked
            .iter()
            .filter(|figure| figure.key == key)
            .filter_map(|figure| Some((figure.about.rank?, exact(figure)?)))
            .collect();
        cells.sort_by_key(|(rank, _)| *rank);
        cells
    };
    let columns: Vec<Vec<(u32, Decimal)>> =
        keys.iter().map(|key| column(key)).filter(|cells| cells.len() >= 3).collect();
    // a table has several cells per rank
    let is_list = |cells: &Vec<(u32, Decimal)>| cells.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let follows = |cells: &[(u32, Decimal)]| {
        cells.is_sorted_by(|a, b| a.1.abs() >= b.1.abs()) || cells.is_sorted_by(|a, b| a.1 <= b.1)
    };
    if columns.is_empty() || !columns.iter().all(is_list) || columns.iter().any(|cells| follows(cells)) {
        return None;
    }
    Some(Found::new("results.data", format!("no column decreases with the rank: {}", keys.join(", "))))
}
