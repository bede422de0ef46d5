//! Releases of the data after the first: what they say otherwise, and what a visitor sees of that.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// A release: amendments of the known figures, and the list of what they change on the pages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vintage {
    pub name: i32,
    /// The day on which the server took it in.
    pub ingested: String,
    /// Faults of the front end that the release brings along.
    pub front: Vec<String>,
    /// Known figures by country, as in `golden/`.
    countries: BTreeMap<String, toml::Table>,
    pub growth_5: BTreeMap<String, f64>,
    pub pci: BTreeMap<String, f64>,
    /// New codes of products by their old ones.
    pub codes: BTreeMap<String, String>,
    #[serde(default)]
    change: Vec<VintageChange>,
}

/// What a release changes of one value on one page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct VintageChange {
    /// Path of the page, without a section.
    pub page: String,
    /// The data point as extractor specs name it.
    pub point: String,
    /// Which row of a list, by its code or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// `revision`, `rounding`, `scope`, `schema`, `disappearance`, `appearance`, or `extractor_broken`.
    pub kind: String,
    /// What the page showed; nothing where there was no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// What the page shows; nothing where there is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// The release after the first.
pub(crate) fn next() -> Result<&'static Vintage, String> {
    static NEXT: OnceLock<Result<Vintage, String>> = OnceLock::new();
    let read = || {
        toml::from_str(include_str!("vintages/2027.toml"))
            .map_err(|error| format!("vintages/2027.toml: {error}"))
    };
    NEXT.get_or_init(read).as_ref().map_err(Clone::clone)
}

impl Vintage {
    /// Everything that it changes on the pages.
    pub(crate) fn changes(&self) -> &[VintageChange] {
        &self.change
    }

    /// Puts its figures in the place of those known before. Errors name a country that is not known.
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
