//! Keys and kinds of older specs. They are read under their current names, and a hint says what to write.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use toml::de::{DeTable, DeValue, ValueDeserializer};
use toml::{Spanned, Table, Value};

use crate::compiled_in;

/// Renamed and removed keys, by their table; an empty table name means any.
const KEYS: [(&str, &str, Option<&str>, &str); 3] = [
    ("", "honest", Some("known_difference"), "`honest` is now called `known_difference`"),
    ("stat", "near", Some("with"), "`near` means the same as `with`; write `with`"),
    ("narrative", "signed", None, "`signed` has no effect on a narrative; remove it"),
];

/// The kinds that are `rows` now.
type Kinds = BTreeMap<String, Vec<Rule>>;

/// Translates old keys to those of `rows`.
#[derive(Deserialize)]
struct Rule {
    /// Old keys with their values; `$` means any value.
    #[serde(default)]
    when: Table,
    /// The equivalent keys; `$key` is the value of an old key.
    write: Table,
}

/// Renames old keys, and reports the places of old keys and kinds with what to write. `name` is the key of the table.
pub(super) fn renew(table: &mut DeTable<'_>, name: &str, hints: &mut Vec<(usize, String)>) {
    for (_, old, new, hint) in KEYS.into_iter().filter(|(within, ..)| within.is_empty() || *within == name) {
        let Some((key, mut value)) = table.remove_entry(old) else { continue };
        hints.push((key.span().start, hint.to_owned()));
        let Some(new) = new else { continue };
        if let (Some(DeValue::Array(words)), DeValue::Array(more)) =
            (table.get_mut(new).map(Spanned::get_mut), value.get_mut())
        {
            more.iter().for_each(|word| words.push(word.clone()));
        } else {
            table.insert(Spanned::new(key.span(), new.into()), value);
        }
    }
    for (key, value) in table.iter().filter(|_| name == "find") {
        let params = Value::deserialize(ValueDeserializer::from(value.clone()));
        if let Some(rows) = params.ok().and_then(|params| as_rows(key.get_ref(), &params)) {
            let hint = format!("`{}` is now `rows`; write `find = {{ rows = {rows} }}`", key.get_ref());
            hints.push((key.span().start, hint));
        }
    }
    for (key, value) in table.iter_mut() {
        match value.get_mut() {
            DeValue::Table(inner) => renew(inner, key.get_ref(), hints),
            DeValue::Array(items) => {
                for item in items.iter_mut() {
                    if let DeValue::Table(inner) = item.get_mut() {
                        renew(inner, key.get_ref(), hints);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The parameters of a kind that is `rows` now, as those of `rows`.
pub(super) fn as_rows(kind: &str, params: &Value) -> Option<Value> {
    static KINDS: LazyLock<Kinds> =
        LazyLock::new(|| compiled_in::toml("old_kinds.toml", include_str!("old_kinds.toml")));
    let (rules, old) = (KINDS.get(kind)?, params.as_table()?);
    let (mut new, mut said) = (Table::new(), Vec::new());
    let any = Value::from("$");
    let holds =
        |(key, wanted): (&String, &Value)| old.get(key).is_some_and(|own| *wanted == any || own == wanted);
    for rule in rules.iter().filter(|rule| rule.when.iter().all(holds)) {
        said.extend(rule.when.keys().cloned());
        for (key, template) in &rule.write {
            match (new.get_mut(key), filled(template, old, &mut said)) {
                (Some(Value::Array(items)), Some(Value::Array(more))) => items.extend(more),
                (None, Some(value)) => _ = new.insert(key.clone(), value),
                _ => {}
            }
        }
    }
    let is_flag = |key: &str| rules.iter().any(|rule| rule.when.get(key).is_some_and(Value::is_bool));
    let is_off = |key: &str, value: &Value| value.as_bool() == Some(false) && is_flag(key);
    for (key, value) in old.iter().filter(|(key, value)| !said.contains(key) && !is_off(key, value)) {
        new.entry(key).or_insert_with(|| value.clone());
    }
    Some(Value::Table(new))
}

/// A template with the values of old keys; none if it consists of a missing one.
fn filled(template: &Value, old: &Table, said: &mut Vec<String>) -> Option<Value> {
    Some(match template {
        Value::String(text) if text.starts_with('$') => {
            let (name, rest) = text[1..].split_once(' ').unwrap_or((&text[1..], ""));
            let own = old.get(name)?;
            said.push(name.to_owned());
            match own.as_str() {
                Some(own) if !rest.is_empty() => format!("{own} {rest}").into(),
                _ => own.clone(),
            }
        }
        Value::Array(items) => {
            items.iter().map(|item| filled(item, old, said)).collect::<Option<Vec<_>>>()?.into()
        }
        Value::Table(table) => {
            let part = |(key, part): (&String, &Value)| Some((key.clone(), filled(part, old, said)?));
            Value::Table(table.iter().filter_map(part).collect())
        }
        other => other.clone(),
    })
}
