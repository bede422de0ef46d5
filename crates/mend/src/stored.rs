//! Proof from stored responses: a new field with the same numbers, row by row, as an old field is that field.

use std::collections::{BTreeMap, BTreeSet};

use crate::atlas::{Api, SchemaField};
use crate::extract::response::{Datum, Exchanges, Root, plain};

/// One row in this many may differ, because figures are revised now and then.
const ONE_IN: usize = 20;

/// Minimum number of digits that equal numbers must have in total. Equal numbers count once.
const MIN_DIGITS: usize = 20;

/// Minimum number of distinct equal values, and of rows, for text fields.
const MIN_VALUES: usize = 4;
const MIN_ROWS: usize = 20;

/// A type of the schema (or the members of a union that have the field), and a field.
pub(super) type TypeField = (String, String);

/// The last field of a path, with the types that may define it.
pub(super) fn type_field(owners: &[(String, String)], path: &str) -> TypeField {
    let names: Vec<&str> = owners.iter().map(|(owner, _)| owner.as_str()).collect();
    (names.join("|"), last(path).to_owned())
}

/// The values of new fields, compared with those of old fields in the same rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Stored {
    fields: BTreeMap<TypeField, BTreeMap<String, Alike>>,
    /// Compared queries. Many pages send the same one.
    compared: BTreeSet<(String, BTreeMap<String, String>)>,
}

/// How the values of two fields compare.
#[derive(Debug, Clone, Default)]
struct Alike {
    rows: usize,
    differing: usize,
    values: BTreeSet<String>,
}

impl Alike {
    fn add(&mut self, was: Option<String>, is: Option<String>) {
        if was.is_none() && is.is_none() {
            return;
        }
        self.rows += 1;
        if was == is {
            self.values.extend(is);
        } else {
            self.differing += 1;
        }
    }

    fn is_proof(&self) -> bool {
        let digit = |text: &String| text.chars().filter(char::is_ascii_digit).count();
        let are_numbers = self.values.iter().all(|text| digit(text) > 0);
        let digits: usize = self.values.iter().map(digit).sum();
        let are_many = self.values.len() >= MIN_VALUES && self.rows >= MIN_ROWS;
        self.differing * ONE_IN <= self.rows
            && (are_many || are_numbers && digits >= MIN_DIGITS && self.values.len() > 1)
    }
}

impl Stored {
    /// Compares responses with stored ones, query by query.
    pub fn compare(&mut self, api: Api, now: &Exchanges<'_>, before: &Exchanges<'_>) {
        for new in now.iter() {
            let old = before.named(&new.field).find(|old| old.args == new.args);
            if let (Some(old), Ok(field)) = (old, api.query(&new.field)) {
                self.compare_rows(&field, new, old);
            }
        }
    }

    fn compare_rows(&mut self, field: &SchemaField, new: &Root<'_>, old: &Root<'_>) {
        let (asked, known) = (new.asked(), old.asked());
        let gained: Vec<&String> =
            asked.difference(&known).filter(|path| field.value(path).is_err()).collect();
        let lost: Vec<&String> = known.difference(&asked).filter(|path| field.value(path).is_ok()).collect();
        let query = (new.field.clone(), new.args.clone());
        if gained.is_empty() || lost.is_empty() || !self.compared.insert(query) {
            return;
        }
        // Ids, names and years identify rows; measured numbers do not.
        let is_of_row = |path: &&String| {
            let is_number = |of: &str| matches!(of.trim_end_matches('!'), "Float" | "Int");
            field.owners(path).iter().all(|(_, of)| !is_number(of)) || path.as_str() == "year"
        };
        let keys: Vec<&String> = asked.intersection(&known).filter(is_of_row).collect();
        let (rows, stored) = (by_key(new, &keys), by_key(old, &keys));
        for path in lost {
            let names = self.fields.entry(type_field(&field.owners(path), path)).or_default();
            for other in gained.iter().filter(|other| above(other) == above(path)) {
                let (Some(from), Some(to)) = (old.keys(path), new.keys(other)) else { continue };
                let alike = names.entry(last(other).to_owned()).or_default();
                for (key, row) in rows.iter().filter_map(|(key, row)| Some((key, (*row)?))) {
                    let Some(Some(before)) = stored.get(key) else { continue };
                    alike.add(old.at(before, &from).and_then(plain), new.at(row, &to).and_then(plain));
                }
            }
        }
    }

    /// The new name of a field, if exactly one new field has its values and no other old field claims it.
    pub fn proven(&self, of: &TypeField) -> Option<&str> {
        let proven = |names: &'_ BTreeMap<String, Alike>| -> Vec<String> {
            names.iter().filter(|(_, alike)| alike.is_proof()).map(|(name, _)| name.clone()).collect()
        };
        let (now, _) = self.fields.get(of)?.iter().find(|(_, alike)| alike.is_proof())?;
        let claims = |(other, names): (&TypeField, &BTreeMap<String, Alike>)| {
            other.0 == of.0
                && (if other == of { proven(names).len() > 1 } else { proven(names).contains(now) })
        };
        (!self.fields.iter().any(claims)).then_some(now.as_str())
    }
}

/// The rows below a root field by their identifying values; `None` for ambiguous rows.
fn by_key<'r, 'a>(root: &'r Root<'a>, paths: &[&String]) -> BTreeMap<Vec<String>, Option<&'r Datum<'a>>> {
    let data = root.data();
    let rows = match data {
        Datum::List(rows) => rows.as_slice(),
        one => std::slice::from_ref(one),
    };
    let keys: Vec<Vec<String>> = paths.iter().filter_map(|path| root.keys(path)).collect();
    let mut found = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.is_null()) {
        let key = keys.iter().map(|keys| root.at(row, keys).and_then(plain).unwrap_or_default()).collect();
        found.entry(key).and_modify(|known| *known = None).or_insert(Some(row));
    }
    found
}

/// The path without its last name.
pub(super) fn above(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(above, _)| above)
}

/// The path of a sibling field.
pub(super) fn beside_it(path: &str, name: &str) -> String {
    above(path).map_or_else(|| name.to_owned(), |above| format!("{above}.{name}"))
}

/// The last name of a path.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
