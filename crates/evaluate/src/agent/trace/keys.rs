//! All known keys of trace records, in one table. The readers look keys up here, the documentation
//! is generated from it, and unknown keys are reported.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::words::json_kind;

/// An object's place in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The path prefix: `messages[].`; empty for the record itself.
    pub path: &'static str,
    /// The keys that are read, with their meaning.
    pub keys: &'static [(&'static str, &'static str)],
    /// Known keys that are ignored.
    pub unused: &'static [&'static str],
}

/// An object of a record. Only keys of its place can be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a> {
    place: &'static Place,
    object: &'a Map<String, Value>,
}

/// The paths of unknown keys.
pub(super) type Unknown = BTreeSet<String>;

impl<'a> Fields<'a> {
    /// Opens a value as an object of a place, and notes its unknown keys.
    pub(super) fn open(
        place: &'static Place,
        value: &'a Value,
        unknown: &mut Unknown,
    ) -> Result<Self, String> {
        let Some(object) = value.as_object() else {
            let path = place.path.trim_end_matches('.');
            let what = if path.is_empty() { "a trace".to_owned() } else { format!("`{path}`") };
            return Err(format!("{what} is {}: expected an object", json_kind(value)));
        };
        let known =
            |key: &str| place.keys.iter().any(|(known, _)| *known == key) || place.unused.contains(&key);
        unknown.extend(object.keys().filter(|key| !known(key)).map(|key| format!("{}{key}", place.path)));
        Ok(Self { place, object })
    }

    /// The value of a key, unless it is null.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        debug_assert!(
            self.place.keys.iter().any(|(known, _)| *known == key),
            "`{}{key}` is read and not documented",
            self.place.path
        );
        self.object.get(key).filter(|value| !value.is_null())
    }

    /// The value of a key, parsed as a type.
    pub(super) fn read<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, String> {
        self.get(key)
            .map(|value| serde_json::from_value(value.clone()))
            .transpose()
            .map_err(|error| format!("`{}{key}`: {error}", self.place.path))
    }

    /// Non-blank text.
    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, String> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.trim().is_empty())),
            Some(other) => Err(self.not(key, other, "a text")),
        }
    }

    /// Text, or a number as text.
    pub(super) fn id(&self, key: &str) -> Result<Option<String>, String> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(other) => Err(self.not(key, other, "a text or a number")),
        }
    }

    /// A list; empty if missing.
    pub(super) fn list(&self, key: &str) -> Result<&'a [Value], String> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(other) => Err(self.not(key, other, "a list")),
        }
    }

    /// A whole number of 0 or more, as a number or text.
    pub(super) fn whole(&self, key: &str) -> Result<Option<u64>, String> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let number = match value {
            Value::String(text) => text.parse().ok(),
            Value::Number(number) => {
                number.as_u64().or_else(|| number.as_f64().filter(|n| *n >= 0.0).map(|n| n.round() as u64))
            }
            _ => None,
        };
        number.map(Some).ok_or_else(|| self.not(key, value, "a whole number"))
    }

    fn not(&self, key: &str, value: &Value, expected: &str) -> String {
        format!("`{}{key}` is {}: expected {expected}", self.place.path, json_kind(value))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{otlp, plain, result, state, turn};
    use super::*;
    use crate::scoring::tools::CALL_KEYS;

    const CALLS: Place = Place { path: "tool_calls[].", keys: &CALL_KEYS, unused: &[] };

    /// The tables of `docs/reference/traces.md`, between its marks.
    fn tables() -> String {
        let formats: [(&str, &[&Place]); 6] = [
            ("Plain", plain::PLACES),
            ("A tool call, in every format that lists calls", &[&CALLS]),
            ("Turn summary of Ask-Atlas", turn::PLACES),
            ("Result of a team's own run", result::PLACES),
            ("Agent state", state::PLACES),
            ("OpenTelemetry spans (OTLP/JSON)", otlp::PLACES),
        ];
        let mut text = String::new();
        for (title, places) in formats {
            text.push_str(&format!("\n## {title}\n\n| key | meaning |\n|---|---|\n"));
            for place in places {
                for (key, meaning) in place.keys {
                    text.push_str(&format!("| `{}{key}` | {meaning} |\n", place.path));
                }
                if !place.unused.is_empty() {
                    let names: Vec<String> =
                        place.unused.iter().map(|key| format!("`{}{key}`", place.path)).collect();
                    text.push_str(&format!("| {} | known, not used |\n", names.join(", ")));
                }
            }
        }
        text
    }

    #[test]
    fn every_key_that_is_read_is_documented() {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("docs/reference/traces.md");
        let page = std::fs::read_to_string(&path).unwrap();
        const MARK: &str = "<!-- generated: UPDATE_DOCS=1 cargo test --lib every_key -->\n";
        let (head, _) = page.split_once(MARK).unwrap();
        let new = format!("{head}{MARK}{}", tables());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &new).unwrap();
        } else {
            assert!(page == new, "docs/reference/traces.md is old: UPDATE_DOCS=1 cargo test --lib every_key");
        }
    }
}
