//! Compares two lists of rows, paired by their subject and never by position, and merges chosen differences.

use std::collections::BTreeMap;
use std::fmt;

use super::compare::same;
use super::row::Row;

/// A field that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct RowChange {
    /// The field: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// The stored row; `None` if the row is new.
    pub old: Option<Row>,
    /// The row as read; `None` if the row is gone.
    pub new: Option<Row>,
}

impl RowChange {
    /// The new row, else the old one.
    #[must_use]
    pub fn row(&self) -> Option<&Row> {
        self.new.as_ref().or(self.old.as_ref())
    }

    /// The data point.
    #[must_use]
    pub fn data_point(&self) -> Option<&str> {
        self.row().map(|row| row.data_point.as_str())
    }

    /// Whether it is an entry of a ranking, which only makes sense as a whole.
    #[must_use]
    pub fn is_ranked(&self) -> bool {
        [&self.old, &self.new].into_iter().flatten().any(|row| row.extra.contains_key("rank"))
    }
}

impl fmt::Display for RowChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = |row: &Row| row.extra.get("rank").map(|rank| format!(" (rank {})", plain(rank)));
        let side = |row: &Row, ranked: bool| match rank(row).filter(|_| ranked) {
            Some(rank) => row.shown() + &rank,
            None => row.shown(),
        };
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => {
                let ranked = rank(old) != rank(new);
                write!(f, "{} changed from {} to {}", self.field, side(old, ranked), side(new, ranked))
            }
            (Some(old), None) => write!(f, "{} is gone (was {})", self.field, side(old, true)),
            (None, Some(new)) => write!(f, "{} is new ({})", self.field, side(new, true)),
            (None, None) => f.write_str(&self.field),
        }
    }
}

/// A row's field, and its index among the rows of that field. Equal fields are paired in order.
type Key = (String, usize);

fn keyed(rows: &[Row]) -> Vec<(Key, &Row)> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    rows.iter()
        .map(|row| {
            let field = row.field();
            let count = seen.entry(field.clone()).or_default();
            let key = (field, *count);
            *count += 1;
            (key, row)
        })
        .collect()
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether two rows have the same value, rank and share.
fn is_same(old: &Row, new: &Row) -> bool {
    let text = |row: &Row, key: &str| row.extra.get(key).map(plain);
    ["rank", "share"].iter().all(|key| text(old, key) == text(new, key)) && same(old, new)
}

/// All differences: in the order of the new rows, then the rows that are gone.
#[must_use]
pub fn changes(old: &[Row], new: &[Row]) -> Vec<RowChange> {
    let old = keyed(old);
    let new = keyed(new);
    let before: BTreeMap<&Key, &Row> = old.iter().map(|(key, row)| (key, *row)).collect();
    let after: BTreeMap<&Key, &Row> = new.iter().map(|(key, row)| (key, *row)).collect();
    let mut found = Vec::new();
    for (key, row) in &new {
        match before.get(key) {
            Some(stored) if is_same(stored, row) => {}
            stored => found.push(RowChange {
                field: key.0.clone(),
                old: stored.map(|&stored| stored.clone()),
                new: Some((*row).clone()),
            }),
        }
    }
    for (key, row) in old.iter().filter(|(key, _)| !after.contains_key(key)) {
        found.push(RowChange { field: key.0.clone(), old: Some((*row).clone()), new: None });
    }
    found
}

/// A merged row, and whether it comes from the new reading.
pub(super) struct Merged {
    pub(super) row: Row,
    pub(super) is_new: bool,
}

/// Merges the chosen fields of `new` into `old`. Rows with the same value stay as stored, byte for byte.
pub(super) fn merge(old: &[Row], new: &[Row], chosen: &dyn Fn(&str) -> bool) -> Vec<Merged> {
    let old = keyed(old);
    let new = keyed(new);
    let before: BTreeMap<&Key, &Row> = old.iter().map(|(key, row)| (key, *row)).collect();
    let after: BTreeMap<&Key, &Row> = new.iter().map(|(key, row)| (key, *row)).collect();
    let mut rows = Vec::new();
    for (key, row) in &new {
        match before.get(key) {
            Some(stored) if is_same(stored, row) || !chosen(&key.0) => {
                rows.push(Merged { row: (*stored).clone(), is_new: false });
            }
            _ if chosen(&key.0) => rows.push(Merged { row: (*row).clone(), is_new: true }),
            _ => {}
        }
    }
    for (_, row) in old.iter().filter(|(key, _)| !after.contains_key(key) && !chosen(&key.0)) {
        rows.push(Merged { row: (*row).clone(), is_new: false });
    }
    rows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(point: &str, code: &str, value: &str) -> Row {
        let mut row = Row { data_point: point.into(), value: Some(value.into()), ..Row::default() };
        if !code.is_empty() {
            row.extra.insert("code".into(), code.into());
        }
        row
    }

    fn ranked(rank: u32, code: &str, value: &str) -> Row {
        let mut row = row("top", code, value);
        row.extra.insert("rank".into(), rank.into());
        row
    }

    #[test]
    fn decision_15_rows_are_paired_by_content_not_by_position() {
        let old = [row("top", "ict", "26%"), row("top", "2710", "7%"), row("gdp", "", "$1")];
        let new = [row("gdp", "", "$1"), row("top", "2710", "7%"), row("top", "ict", "26%")];
        assert_eq!(changes(&old, &new), []);
    }

    #[test]
    fn changed_new_and_gone_rows_are_told() {
        let old = [row("gdp", "", "$2,274"), row("top", "ict", "26%")];
        let new = [row("gdp", "", "$2,350"), row("top", "2710", "30%")];
        let reported: Vec<String> = changes(&old, &new).iter().map(ToString::to_string).collect();
        assert_eq!(
            reported,
            ["gdp changed from $2,274 to $2,350", "top[2710] is new (30%)", "top[ict] is gone (was 26%)"]
        );
    }

    #[test]
    fn another_place_in_a_ranking_is_a_change() {
        let old = [ranked(1, "ict", "26%"), ranked(2, "2710", "26%")];
        let new = [ranked(2, "ict", "26%"), ranked(1, "2710", "26%")];
        let found = changes(&old, &new);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].to_string(), "top[ict] changed from 26% (rank 1) to 26% (rank 2)");
    }

    #[test]
    fn a_rank_is_the_same_as_number_and_as_text() {
        let mut old = ranked(1, "ict", "26%");
        old.extra.insert("rank".into(), "1".into());
        assert_eq!(changes(&[old], &[ranked(1, "ict", "26%")]), []);
    }

    fn rows() -> impl Strategy<Value = Vec<Row>> {
        let one = ("[ab]", "[xyz]?", "[12]").prop_map(|(point, code, value)| row(&point, &code, &value));
        proptest::collection::vec(one, 0..8)
    }

    proptest! {
        #[test]
        fn taking_all_gives_what_was_read_and_taking_none_keeps_what_is_stored(old in rows(), new in rows()) {
            let all: Vec<Row> = merge(&old, &new, &|_| true).into_iter().map(|m| m.row).collect();
            prop_assert_eq!(changes(&all, &new), []);
            let none: Vec<Row> = merge(&old, &new, &|_| false).into_iter().map(|m| m.row).collect();
            prop_assert_eq!(changes(&none, &old), []);
            prop_assert_eq!(none.len(), old.len());
            prop_assert_eq!(changes(&old, &old), []);
        }

        #[test]
        fn taking_one_field_leaves_the_others(old in rows(), new in rows()) {
            let found = changes(&old, &new);
            if let Some(first) = found.first() {
                let field = first.field.clone();
                let one = merge(&old, &new, &|name| name == field);
                let one: Vec<Row> = one.into_iter().map(|m| m.row).collect();
                let left = changes(&one, &new);
                prop_assert!(left.iter().all(|change| change.field != field));
                prop_assert_eq!(left.len() + found.iter().filter(|c| c.field == field).count(), found.len());
            }
        }
    }
}
