//! Later releases of the data: their differences, and the changes that visitors see.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// A release: amended known figures, and the list of changes on the pages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vintage {
    pub name: i32,
    /// Date of its ingestion.
    pub ingested: String,
    /// Front-end faults that come with the release.
    pub front: Vec<String>,
    /// Known figures by country, as in `golden/`.
    countries: BTreeMap<String, toml::Table>,
    pub growth_5: BTreeMap<String, f64>,
    pub pci: BTreeMap<String, f64>,
    /// New product codes by old code.
    pub codes: BTreeMap<String, String>,
    #[serde(default)]
    change: Vec<VintageChange>,
}

/// A release's change of one value on one page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct VintageChange {
    /// Path of the page, without a section.
    pub page: String,
    /// The data point, as extractor specs name it.
    pub point: String,
    /// The row of a list, by code or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// `revision`, `rounding`, `scope`, `schema`, `disappearance`, `appearance`, or `extractor_broken`.
    pub kind: String,
    /// The old value on the page; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new value on the page; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// The release after the first one.
pub(crate) fn next() -> Result<&'static Vintage, String> {
    static NEXT: OnceLock<Result<Vintage, String>> = OnceLock::new();
    let read = || {
        toml::from_str(include_str!("vintages/2027.toml"))
            .map_err(|error| format!("vintages/2027.toml: {error}"))
    };
    NEXT.get_or_init(read).as_ref().map_err(Clone::clone)
}

impl Vintage {
    /// All its changes on the pages.
    pub(crate) fn changes(&self) -> &[VintageChange] {
        &self.change
    }

    /// Amends known figures. Errors name an unknown country.
    pub(crate) fn amend<'a>(&self, known: impl Iterator<Item = &'a mut toml::Table>) -> Result<(), String> {
        let mut left: BTreeMap<&str, &toml::Table> =
            self.countries.iter().map(|(m49, table)| (m49.as_str(), table)).collect();
        for table in known {
            let m49 = table.get("m49").map(ToString::to_string).unwrap_or_default();
            if let Some(new) = left.remove(m49.as_str()) {
                merge(table, new);
            }
        }
        match left.into_keys().next() {
            Some(m49) => Err(format!("vintages/{}.toml: nothing is known of {m49}", self.name)),
            None => Ok(()),
        }
    }
}

fn merge(into: &mut toml::Table, from: &toml::Table) {
    for (key, value) in from {
        match (into.get_mut(key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(new)) => merge(inner, new),
            _ => _ = into.insert(key.clone(), value.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_amends_what_is_known_and_nothing_else() {
        let mut table: toml::Table = "m49 = 404\na = 1\n[t]\nx = 1\ny = 2".parse().unwrap();
        let new: toml::Table = "a = 2\nb = 3\n[t]\ny = 5".parse().unwrap();
        merge(&mut table, &new);
        let expected: toml::Table = "m49 = 404\na = 2\nb = 3\n[t]\nx = 1\ny = 5".parse().unwrap();
        assert_eq!(table, expected);
        let mut other: toml::Table = "m49 = 1".parse().unwrap();
        assert!(next().unwrap().amend(std::iter::once(&mut other)).unwrap_err().contains("nothing is known"));
    }
}
