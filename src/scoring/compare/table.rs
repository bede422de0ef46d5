//! Tables: rows found by their key columns, cells compared column by column.

use std::collections::BTreeMap;

use crate::scoring::{Cause, Verdict};

use super::list::show;
use super::structure::{self, Part, Structure};
use super::{Operand, compare};

/// A row: cells by column name.
pub type Row = BTreeMap<String, Operand>;

/// Compares two tables. Rows are found by the columns named in `keys`, compared as names (`Turkey` finds `Türkiye`);
/// without keys, by place. Cells are named `[country=Kenya].value`. A cell that differs but is right for another row of the same
/// column is marked as swapped.
#[must_use]
pub fn compare_tables(truth: &[Row], other: &[Row], keys: &[&str]) -> Structure {
    let partners = partners(truth, other, keys);
    let taken: Vec<usize> = partners.iter().flatten().copied().collect();
    let mut parts = Vec::new();
    for (i, row) in truth.iter().enumerate() {
        let path = row_path(row, keys, i);
        match partners.get(i).copied().flatten().and_then(|j| other.get(j)) {
            Some(found) => cells(row, found, keys, &path, other, &mut parts),
            None => parts.push(structure::one_sided(path, "the row", true)),
        }
    }
    for (j, row) in other.iter().enumerate().filter(|(j, _)| !taken.contains(j)) {
        parts.push(structure::one_sided(row_path(row, keys, j), "the row", false));
    }
    Structure::of(parts)
}

fn partners(truth: &[Row], other: &[Row], keys: &[&str]) -> Vec<Option<usize>> {
    if keys.is_empty() {
        return (0..truth.len()).map(|i| (i < other.len()).then_some(i)).collect();
    }
    structure::pair(truth.len(), other.len(), |i, j| {
        let (Some(a), Some(b)) = (truth.get(i), other.get(j)) else { return false };
        keys.iter().all(|&key| match (a.get(key), b.get(key)) {
            (Some(x), Some(y)) => compare(x, y).verdict == Verdict::Match,
            _ => false,
        })
    })
}

fn row_path(row: &Row, keys: &[&str], place: usize) -> String {
    let named: Vec<String> =
        keys.iter().filter_map(|&key| row.get(key).map(|cell| format!("{key}={}", show(cell)))).collect();
    if named.is_empty() { format!("[{place}]") } else { format!("[{}]", named.join(",")) }
}

fn cells(a: &Row, b: &Row, keys: &[&str], path: &str, others: &[Row], parts: &mut Vec<Part>) {
    let before = parts.len();
    for (column, cell) in a.iter().filter(|(column, _)| !keys.contains(&column.as_str())) {
        let path = format!("{path}.{column}");
        match b.get(column) {
            Some(found) => {
                let mut comparison = compare(cell, found);
                let elsewhere = || {
                    others
                        .iter()
                        .filter_map(|row| row.get(column))
                        .any(|other| compare(cell, other).verdict == Verdict::Match)
                };
                if comparison.verdict == Verdict::Mismatch && elsewhere() {
                    comparison.cause = Some(Cause::SwappedEntities);
                    comparison.reason = format!("{}; it stands in another row", comparison.reason);
                }
                parts.push(Part { path, comparison });
            }
            None => parts.push(structure::one_sided(path, &show(cell), true)),
        }
    }
    for (column, cell) in b.iter().filter(|(column, _)| !a.contains_key(*column)) {
        parts.push(structure::one_sided(format!("{path}.{column}"), &show(cell), false));
    }
    // A row of keys alone agrees by being found.
    if parts.len() == before {
        let comparison = super::Comparison::new(Verdict::Match, "the row is on both sides");
        parts.push(Part { path: path.to_owned(), comparison });
    }
}
