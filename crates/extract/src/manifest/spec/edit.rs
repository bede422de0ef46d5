//! Edits a spec as text: comments and order stay, and the old wording stays beside the new one.

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, TableLike, Value};

use crate::error::{Error, Result};

/// One change of a spec.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Edit {
    /// The path of keys, with list items by their `id`, `slug` or `name`:
    /// `points.total_exports.find.stat.labels`.
    pub at: String,
    /// The change.
    #[serde(flatten)]
    pub change: SpecEdit,
}

/// What an edit does.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpecEdit {
    /// Adds a wording to a list, or turns a single wording into a list.
    Add(String),
    /// Replaces a text, in a list or alone.
    Replace {
        /// The old text.
        old: String,
        /// The new text.
        new: String,
    },
    /// Adds a table of texts to a list of tables, `[[renamed]]`; the last text is the new wording.
    Append(Vec<SpecText>),
}

/// A text of a table in a spec.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct SpecText {
    /// The key.
    pub key: String,
    /// The text.
    pub text: String,
}

impl Edit {
    /// Adds a wording.
    #[must_use]
    pub fn add(at: String, wording: String) -> Self {
        Self { at, change: SpecEdit::Add(wording) }
    }

    /// Replaces a text.
    #[must_use]
    pub fn replace(at: String, old: String, new: String) -> Self {
        Self { at, change: SpecEdit::Replace { old, new } }
    }

    /// What it changes, for display: the path of keys, or the renamed field.
    #[must_use]
    pub fn subject(&self) -> String {
        match &self.change {
            SpecEdit::Append(entries) => {
                let texts = entries.iter().rev().skip(1).rev().map(|entry| entry.text.as_str());
                texts.collect::<Vec<_>>().join(".")
            }
            _ => self.at.clone(),
        }
    }

    /// Replaces the new wording by another one.
    pub fn set_wording(&mut self, wording: &str) {
        match &mut self.change {
            SpecEdit::Add(own) | SpecEdit::Replace { new: own, .. } => wording.clone_into(own),
            SpecEdit::Append(entries) => {
                if let Some(own) = entries.last_mut() {
                    wording.clone_into(&mut own.text);
                }
            }
        }
    }

    /// Records the new name of a response field.
    #[must_use]
    pub fn renamed(field: &str, path: &str, now: &str) -> Self {
        let entries = [("field", field), ("path", path), ("now", now)];
        let entries = entries.map(|(key, text)| SpecText { key: key.to_owned(), text: text.to_owned() });
        Self { at: "renamed".to_owned(), change: SpecEdit::Append(entries.into()) }
    }

    /// The new wording.
    #[must_use]
    pub fn wording(&self) -> &str {
        match &self.change {
            SpecEdit::Add(wording) => wording,
            SpecEdit::Append(entries) => entries.last().map_or("", |entry| &entry.text),
            SpecEdit::Replace { new, .. } => new,
        }
    }
}

/// A line of a spec's history.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct Past {
    /// The resulting version.
    pub version: u32,
    /// The day, `2026-11-24`.
    pub date: String,
    /// What changed and why.
    pub why: String,
    /// The bundle that showed it.
    #[serde(default)]
    pub bundle: Option<String>,
}

/// Applies edits to a spec's text.
///
/// # Errors
/// The text is not TOML, or a path of keys does not exist.
pub fn edited(text: &str, edits: &[Edit]) -> Result<String> {
    let mut document = parse(text)?;
    for edit in edits {
        if let SpecEdit::Append(entries) = &edit.change {
            append(&mut document, &edit.at, entries)?;
            continue;
        }
        let keys: Vec<&str> = edit.at.split('.').collect();
        let made = apply(document.as_table_mut(), &keys, &edit.change);
        made.ok_or_else(|| Error::Usage(format!("{}: the spec has no such key", edit.at)))?;
    }
    Ok(document.to_string())
}

/// Raises the version of a spec's text and adds a line of history.
///
/// # Errors
/// The text is not TOML, or has no version.
pub fn released(text: &str, past: &Past) -> Result<String> {
    let mut document = parse(text)?;
    let version = document.get_mut("version").and_then(Item::as_value_mut);
    let version = version.ok_or_else(|| Error::Usage("the spec has no version".to_owned()))?;
    set(version, i64::from(past.version).into());
    let mut text = document.to_string();
    // at the end, so that it cannot become part of another table
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let quoted = |text: &str| Value::from(text).to_string();
    text.push_str(&format!(
        "\n[[history]]\nversion = {}\ndate = {}\nwhy = {}\n",
        past.version,
        quoted(&past.date),
        quoted(&past.why)
    ));
    if let Some(bundle) = &past.bundle {
        text.push_str(&format!("bundle = {}\n", quoted(bundle)));
    }
    Ok(text)
}

fn parse(text: &str) -> Result<DocumentMut> {
    text.parse().map_err(|error: toml_edit::TomlError| Error::Usage(error.message().to_owned()))
}

/// Adds a table to a list of tables, unless it already exists.
fn append(document: &mut DocumentMut, key: &str, entries: &[SpecText]) -> Result<()> {
    let list = document.entry(key).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let list = list.as_array_of_tables_mut();
    let list = list.ok_or_else(|| Error::Usage(format!("`{key}` of the spec is not a list of tables")))?;
    let is_same = |table: &Table| {
        entries.iter().all(|one| table.get(&one.key).and_then(Item::as_str) == Some(one.text.as_str()))
    };
    if !list.iter().any(is_same) {
        list.push(entries.iter().map(|one| (one.key.as_str(), one.text.as_str())).collect());
    }
    Ok(())
}

/// Replaces a value and keeps the space around it.
fn set(value: &mut Value, new: Value) {
    let decor = value.decor().clone();
    *value = new;
    *value.decor_mut() = decor;
}

fn is_named(table: &dyn TableLike, name: &str) -> bool {
    ["id", "slug", "name"].iter().any(|key| table.get(key).and_then(Item::as_str) == Some(name))
}

fn apply(table: &mut dyn TableLike, keys: &[&str], change: &SpecEdit) -> Option<()> {
    let (key, rest) = keys.split_first()?;
    let item = table.get_mut(key)?;
    if let Some(tables) = item.as_array_of_tables_mut() {
        let (name, rest) = rest.split_first()?;
        let table = tables.iter_mut().find(|table| is_named(*table, name))?;
        return apply(table, rest, change);
    }
    if let Some(table) = item.as_table_mut() {
        return apply(table, rest, change);
    }
    in_value(item.as_value_mut()?, rest, change)
}

fn in_value(value: &mut Value, keys: &[&str], change: &SpecEdit) -> Option<()> {
    let Some((name, rest)) = keys.split_first() else { return at_value(value, change) };
    if let Some(table) = value.as_inline_table_mut() {
        return apply(table, keys, change);
    }
    let named = |one: &&mut Value| one.as_inline_table().is_some_and(|table| is_named(table, name));
    let one = value.as_array_mut()?.iter_mut().find(named)?;
    in_value(one, rest, change)
}

fn at_value(value: &mut Value, change: &SpecEdit) -> Option<()> {
    match (change, value) {
        (SpecEdit::Append(_), _) => None,
        (SpecEdit::Add(wording), Value::Array(list)) => {
            add(list, wording);
            Some(())
        }
        (SpecEdit::Add(wording), one) => {
            let mut list = Array::new();
            list.push(one.as_str()?);
            list.push(wording.as_str());
            set(one, Value::Array(list));
            Some(())
        }
        (SpecEdit::Replace { old, new }, Value::Array(list)) => {
            let one = list.iter_mut().find(|one| one.as_str() == Some(old))?;
            set(one, new.as_str().into());
            Some(())
        }
        (SpecEdit::Replace { old, new }, one) => {
            (one.as_str() == Some(old)).then(|| set(one, new.as_str().into()))
        }
    }
}

/// Adds a wording after the others, on its own line if they have their own lines.
fn add(list: &mut Array, wording: &str) {
    if list.iter().any(|one| one.as_str() == Some(wording)) {
        return;
    }
    let own_line = list.iter().last().and_then(|last| last.decor().prefix()?.as_str().map(str::to_owned));
    list.push(wording);
    let prefix = own_line.filter(|prefix| prefix.contains('\n'));
    if let (Some(prefix), Some(last)) = (prefix, list.iter_mut().last()) {
        last.decor_mut().set_prefix(prefix.trim_start_matches([' ', ',']));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "# what it is\nname = \"x\"\nversion = 3   # raised by hand\nyear_heading = \"Basket in {year}\"\n\n[[sections]]\nslug = \"basket\"\nheadings = [\"Basket\"]           # one\n\n[[points]]\nid = \"a\"\nfind = { stat = { labels = [\"A\"], with = [\"PPP\"] } }   # a card\n\n[[points]]\nid = \"t\"\nfind = { table = { titles = [\"T\"], columns = [\n  { id = \"c\", headers = [\"C\"] },\n  { id = \"d\", headers = [\"D\"] },\n] } }\nunit = \"USD\"\n\n[[points]]\nid = \"n\"\nfind = { narrative = { cues = [\n  \"one {value}\",\n  \"two {value}\",\n] } }\n";

    #[test]
    fn only_the_wording_changes() {
        let edits = [
            Edit::add("sections.basket.headings".into(), "What is sold".into()),
            Edit::add("year_heading".into(), "Sold in {year}".into()),
            Edit::add("points.a.find.stat.labels".into(), "An \"a\"".into()),
            Edit::replace("points.a.find.stat.with".into(), "PPP".into(), "{PPP|At purchasing power}".into()),
            Edit::add("points.t.find.table.columns.d.headers".into(), "Dee".into()),
            Edit::add("points.n.find.narrative.cues".into(), "three {value}".into()),
        ];
        let text = edited(SPEC, &edits).unwrap();
        let expected = SPEC
            .replace("[\"Basket\"]", "[\"Basket\", \"What is sold\"]")
            .replace("\"Basket in {year}\"", "[\"Basket in {year}\", \"Sold in {year}\"]")
            .replace("labels = [\"A\"]", "labels = [\"A\", 'An \"a\"']")
            .replace("\"PPP\"", "\"{PPP|At purchasing power}\"")
            .replace("headers = [\"D\"]", "headers = [\"D\", \"Dee\"]")
            .replace("\"two {value}\",\n", "\"two {value}\",\n  \"three {value}\",\n");
        assert_eq!(text, expected);
        // adding it again changes nothing
        assert_eq!(edited(&text, &edits[..1]).unwrap(), text);
    }

    #[test]
    fn a_release_raises_the_version_and_says_why() {
        let past = Past {
            version: 4,
            date: "2026-11-24".into(),
            why: "other headings".into(),
            bundle: Some("out/surveys/x".into()),
        };
        let text = released(SPEC, &past).unwrap();
        let history = "\n[[history]]\nversion = 4\ndate = \"2026-11-24\"\nwhy = \"other headings\"\nbundle = \"out/surveys/x\"\n";
        assert_eq!(text, SPEC.replace("version = 3 ", "version = 4 ") + history);
    }

    #[test]
    fn a_renamed_field_is_one_more_table() {
        let edits = [Edit::renamed("countryProfile", "exportValue", "worth")];
        let text = edited(SPEC, &edits).unwrap();
        let table = "\n[[renamed]]\nfield = \"countryProfile\"\npath = \"exportValue\"\nnow = \"worth\"\n";
        assert_eq!(text, format!("{SPEC}{table}"));
        assert_eq!(edited(&text, &edits).unwrap(), text, "the same twice is no change");
        let second = edited(&text, &[Edit::renamed("treeMap", "product.pci", "pciNow")]).unwrap();
        assert!(second.starts_with(&text) && second.matches("[[renamed]]").count() == 2, "{second}");
    }

    #[test]
    fn keys_that_lead_nowhere_are_named() {
        let error = edited(SPEC, &[Edit::add("points.b.find.stat.labels".into(), "x".into())]).unwrap_err();
        assert!(error.to_string().contains("points.b.find.stat.labels"), "{error}");
    }
}
