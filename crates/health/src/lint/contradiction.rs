//! The rule on a record that contradicts itself: two rows of the same thing with different values.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, interval, place_of};
use crate::external::{About, Figure, Use};
use atlas_gt_core::diagnostic::Severity;

pub(super) static TWO_VALUES: LintRule = LintRule {
    code: "GT035",
    title: "two rows of a record are about the same and have different values",
    severity: Severity::Error,
    requirement: requirement::SAME,
    help: "remove the row that the page does not confirm, or state what tells the two apart (year, product, partner)",
    check: Check::Rows(two_values),
    passing: r#"[{"record": {"results": {"data": [{"metric": "Population", "country": "Peru", "year": "2024", "value": "34.2 million"}, {"metric": "Population", "country": "Peru", "year": "2014", "value": "30.5 million"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"metric": "Population", "country": "Peru", "year": "2024", "value": "34.2 million"}, {"metric": "Population", "country": "Peru", "year": "2024", "value": "99 million"}]}}}]"#,
};

/// What a row states beside its measured values, in the order of the keys.
type Identity<'s> = [(&'s str, &'s str)];

fn two_values(subject: &LintSubject<'_>) -> Vec<Found> {
    let identities = identities(subject);
    let mut firsts: BTreeMap<(&Identity<'_>, &str), &Figure> = BTreeMap::new();
    let mut found = Vec::new();
    for figure in subject.numbers().filter(|figure| is_measured(figure) && names_something(&figure.about)) {
        let identity = identities.get(&figure.row).map(Vec::as_slice).unwrap_or_default();
        let first = *firsts.entry((identity, figure.key.as_str())).or_insert(figure);
        if first.row != figure.row && first.about == figure.about && are_apart(first, figure) {
            let message = format!(
                "{} here and {} in {}, and nothing tells the two rows apart",
                figure.text,
                first.text,
                place_of(first)
            );
            found.push(Found::at(figure, message));
        }
    }
    found
}

/// All that a row states beside its measured values: two rows that agree in it are about the same.
fn identities<'s>(subject: &'s LintSubject<'_>) -> BTreeMap<usize, Vec<(&'s str, &'s str)>> {
    let measured: BTreeSet<(usize, &str)> = subject
        .numbers()
        .filter(|figure| is_measured(figure))
        .map(|figure| (figure.row, figure.key.as_str()))
        .collect();
    let mut rows: BTreeMap<usize, Vec<(&str, &str)>> = BTreeMap::new();
    for (row, map) in subject.record.rows.iter().enumerate() {
        let point = map.get("data_point").and_then(serde_json::Value::as_str);
        rows.entry(row).or_default().extend(point.map(|point| ("data_point", point)));
    }
    for leaf in subject.leaves() {
        let is_value =
            matches!(leaf.used, Use::Precise(_)) || measured.contains(&(leaf.row, leaf.key.as_str()));
        if !is_value {
            rows.entry(leaf.row).or_default().push((leaf.key.as_str(), leaf.text.as_str()));
        }
    }
    // the order of keys does not matter
    rows.values_mut().for_each(|row| row.sort_unstable());
    rows
}

/// Whether a number is the value of a row: an unknown key may be what tells rows apart.
fn is_measured(figure: &Figure) -> bool {
    figure.measure.is_some() || figure.name == "value"
}

/// Whether a row names more than its measure: rows that name nothing may be a list.
fn names_something(about: &About) -> bool {
    let names =
        [&about.country, &about.partner, &about.product, &about.code, &about.sector, &about.group, &about.of];
    about.period.is_some() || names.into_iter().any(Option::is_some)
}

fn are_apart(one: &Figure, other: &Figure) -> bool {
    let unit = |figure: &Figure| figure.quantity().map(|quantity| quantity.unit);
    let (Some(a), Some(b)) = (interval(one), interval(other)) else { return false };
    unit(one) == unit(other) && !a.overlaps(&b)
}
