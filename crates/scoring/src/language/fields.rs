//! Reads JSON and `key: value` lines: each field becomes a passage under its key.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::lexicon;
use super::passage::{Passage, in_row};

/// The maximum number of sibling fields that become heads of a field.
const MAX_HEADS: usize = 12;

/// Reads the passages of a JSON text.
pub(super) struct Json<'a> {
    pub out: &'a mut Vec<Passage>,
    pub block: &'a mut usize,
    columns: HashMap<String, usize>,
    table: usize,
    /// The number of heads above the whole text.
    outer: usize,
}

impl<'a> Json<'a> {
    /// Reads the text if all of it is JSON; returns whether it is.
    pub fn read(text: &str, under: &[String], out: &'a mut Vec<Passage>, block: &'a mut usize) -> bool {
        let text = text.trim();
        if !text.starts_with(['{', '[']) {
            return false;
        }
        let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
        let table = *block + 1;
        Self { out, block, columns: HashMap::new(), table, outer: under.len() }.take(&value, under);
        true
    }

    fn take(&mut self, value: &Value, under: &[String]) {
        *self.block += 1;
        match value {
            Value::Object(fields) => {
                let fields = &with_units(fields);
                for (key, value) in fields {
                    match shown(value) {
                        Some(text) => {
                            self.put(format!("{key}: {text}"), under, under.len() - self.outer);
                        }
                        None => self.take(value, &below(under, [key.replace('_', " ")])),
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    match (item, shown(item)) {
                        (Value::Object(fields), _) => self.row(fields, under),
                        (_, Some(text)) => {
                            if let Some(last) = self.put(text, under, 0) {
                                last.item = true;
                            }
                        }
                        (_, None) => self.take(item, under),
                    }
                }
            }
            _ => self.out.extend(shown(value).map(|text| Passage { text, ..Passage::default() })),
        }
    }

    /// Reads an object in an array: each field gets its key and its sibling fields as heads.
    fn row(&mut self, fields: &Map<String, Value>, under: &[String]) {
        let fields = &with_units(fields);
        let scalars: Vec<(&String, String)> =
            fields.iter().filter_map(|(key, value)| Some((key, shown(value)?))).collect();
        for (at, (key, text)) in scalars.iter().enumerate() {
            let others = scalars.iter().enumerate().filter(|(other, _)| *other != at);
            let others = others.filter_map(|(_, (key, text))| head_of(key, text));
            let others: Vec<String> = others.take(MAX_HEADS).collect();
            let heads = [key.replace('_', " "), super::split::head(&others.join(", ")).to_owned()];
            *self.block += 1;
            if is_identifier(text) {
                continue;
            }
            let count = self.columns.len();
            let column = *self.columns.entry((*key).clone()).or_insert(count);
            let table = self.table;
            if let Some(last) = self.put(text.clone(), &below(under, heads), 2) {
                last.cell = true;
                last.column = Some((table, column));
                last.keyed = true;
            }
        }
        for (key, value) in fields.iter().filter(|(_, value)| shown(value).is_none()) {
            self.take(value, &below(under, [key.replace('_', " ")]));
        }
    }

    /// Adds a passage and returns it, unless the text is blank.
    fn put(&mut self, text: String, under: &[String], close: usize) -> Option<&mut Passage> {
        if text.trim().is_empty() {
            return None;
        }
        self.out.push(Passage {
            text,
            under: under.to_vec(),
            block: *self.block,
            close,
            ..Passage::default()
        });
        self.out.last_mut()
    }
}

/// Moves a unit field into the only value field: `{"value": 375, "unit": "billion USD"}`. `read` returns a field's key, its
/// text and whether that is a number.
fn with_unit<T: Clone>(
    fields: &[T],
    read: impl Fn(&T) -> Option<(String, String, bool)>,
    joined: impl Fn(&T, &str) -> T,
) -> Option<Vec<T>> {
    let known: Vec<_> = fields.iter().map(read).collect();
    let is_unit = |key: &str| lexicon::listed("unit_key", key);
    let (_, unit, _) = known.iter().flatten().find(|(key, _, is_number)| is_unit(key) && !is_number)?;
    let is_value =
        |(key, _, is_number): &(String, String, bool)| *is_number && lexicon::listed("value_key", key);
    if unit.is_empty()
        || unit.len() >= 40
        || known.iter().flatten().filter(|field| is_value(field)).count() != 1
    {
        return None;
    }
    let kept =
        fields.iter().zip(&known).filter(|(_, known)| !known.as_ref().is_some_and(|(key, ..)| is_unit(key)));
    let with = kept.map(|(field, known)| match known {
        Some(known) if is_value(known) => joined(field, unit),
        _ => field.clone(),
    });
    Some(with.collect())
}

/// Applies [`with_unit`] to the fields of an object.
fn with_units(fields: &Map<String, Value>) -> Map<String, Value> {
    let all: Vec<(String, Value)> = fields.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let read = |(key, value): &(String, Value)| Some((key.to_lowercase(), shown(value)?, value.is_number()));
    let joined =
        |(key, value): &(String, Value), unit: &str| (key.clone(), Value::String(format!("{value} {unit}")));
    with_unit(&all, read, joined).map_or_else(|| fields.clone(), |fields| fields.into_iter().collect())
}

/// Applies [`with_unit`] to lines: `value = 9.8`, `unit = billion US dollars`.
pub(super) fn with_unit_lines(text: &str) -> Cow<'_, str> {
    let field = |line: &str| {
        let (key, value) = line.split_once([':', '='])?;
        let value = value.trim().trim_matches('"');
        let is_number = value.parse::<f64>().is_ok();
        Some((key.trim().trim_matches('"').to_lowercase(), value.to_owned(), is_number))
    };
    let joined = |line: &Cow<'_, str>, unit: &str| {
        let (key, value, _) = field(line).unwrap_or_default();
        Cow::Owned(format!("{key}: {value} {unit}"))
    };
    let lines: Vec<Cow<'_, str>> = text.lines().map(Cow::Borrowed).collect();
    let joined = with_unit(&lines, |line| field(line), joined);
    joined.map_or(Cow::Borrowed(text), |lines| Cow::Owned(lines.join("\n") + "\n"))
}

fn below<const N: usize>(under: &[String], more: [String; N]) -> Vec<String> {
    under.iter().cloned().chain(more).collect()
}

/// Whether a text is an identifier, which names a field and states nothing: `gdp_per_capita`.
fn is_identifier(text: &str) -> bool {
    text.contains('_') && !text.contains(char::is_whitespace)
}

/// A field's text as a head of its siblings. A number is no head unless it is a year; an identifier is one if its words are
/// known.
fn head_of(key: &str, text: &str) -> Option<String> {
    let is_year = text.len() == 4 && ("1900"..="2100").contains(&text);
    if is_identifier(text) {
        let names =
            lexicon::tags(&lexicon::words(key)).is_some_and(|(_, tags)| tags.contains(&("key", "name")));
        let words = lexicon::words(text);
        let mut rest = words.as_slice();
        while let Some((count, _)) = lexicon::tags(rest) {
            rest = rest.get(count..).unwrap_or_default();
        }
        let known = !names && rest.is_empty();
        return known.then(|| text.replace('_', " "));
    }
    (!text.is_empty() && (is_year || text.parse::<f64>().is_err())).then(|| in_row(key, text))
}

/// A scalar as text.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_true) => Some(is_true.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    }
}
