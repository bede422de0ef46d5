//! Nested objects and arrays, part by part: fields by name, rows by key columns, values by the comparator.

use std::str::FromStr;

use rust_decimal::Decimal;
use serde_json::{Map, Value as Json};

use crate::scoring::{Cause, Comparison, Verdict};
use crate::value::{Absence, Context, Quantity, Unit, Value};

use super::list::Order;
use super::structure::{self, Part, Structure};
use super::{Content, Operand, compare};

/// How objects and arrays are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonOptions {
    /// What the order of arrays of plain values means. [`Order::Ranked`] lets ties change places.
    pub order: Order,
    /// Columns that name a row in an array of objects. Those that every row of both sides has are used; when
    /// there are none, rows are compared place by place.
    pub keys: Vec<String>,
    /// Field names left out on both sides: identifiers, raw values, times.
    pub ignored: Vec<String>,
    /// Whether a field or row that only the other side has is left alone. Scoring an answer sets it: saying more than was
    /// asked is no error. Detecting change does not.
    pub extra_allowed: bool,
    /// How deep to go; what lies deeper is not compared and says so.
    pub depth: usize,
}

impl Default for JsonOptions {
    fn default() -> Self {
        let keys = [
            "data_point",
            "metric",
            "country",
            "exporter",
            "importer",
            "partner",
            "product_name",
            "product",
            "sector",
            "group",
            "category",
            "year",
        ];
        Self {
            order: Order::Unordered,
            keys: keys.map(str::to_owned).into(),
            ignored: Vec::new(),
            extra_allowed: false,
            depth: 32,
        }
    }
}

/// Compares two JSON values part by part. Paths are those of the truth: `data[country=Kenya].value`.
///
/// JSON numbers are exact, strings are read as displayed text, `null` says that there is no value. An object never
/// agrees with a plain value, except that an array of one plain value agrees with that value.
#[must_use]
pub fn compare_json(truth: &Json, other: &Json, options: &JsonOptions) -> Structure {
    let mut parts = Vec::new();
    walk(truth, other, options, String::new(), options.depth, &mut parts);
    Structure::of(parts)
}

/// A plain JSON value as one side of a comparison; objects and arrays are given as their text.
#[must_use]
pub fn operand(json: &Json) -> Operand {
    let content = match json {
        Json::Null => Content::Absent(Absence::NotShownHere),
        Json::Number(number) => Content::Value(exact(&number.to_string())),
        Json::String(text) => Content::Value(Value::Text(text.clone())),
        Json::Bool(flag) => Content::Value(Value::Text(flag.to_string())),
        Json::Array(_) | Json::Object(_) => Content::Value(Value::Text(json.to_string())),
    };
    // An empty text says as little as null does.
    let content = match content {
        Content::Value(Value::Text(text)) if text.trim().is_empty() => Content::Absent(Absence::NotShownHere),
        content => content,
    };
    Operand { content, context: Context::default() }
}

fn exact(text: &str) -> Value {
    let number = Decimal::from_str(text).or_else(|_| Decimal::from_scientific(text));
    number.map_or_else(
        |_| Value::Text(text.to_owned()),
        |number| {
            let unit = if number.fract().is_zero() { Unit::Count } else { Unit::Index };
            Value::Quantity(Quantity::exact(number, unit))
        },
    )
}

fn walk(a: &Json, b: &Json, options: &JsonOptions, path: String, depth: usize, parts: &mut Vec<Part>) {
    if depth == 0 {
        let comparison =
            Comparison::new(Verdict::NotComparable, "nested deeper than the limit, not compared");
        parts.push(Part { path, comparison });
        return;
    }
    match (a, b) {
        (Json::Object(x), Json::Object(y)) => object(x, y, options, &path, depth, parts),
        (Json::Array(x), Json::Array(y)) => array(x, y, options, path, depth, parts),
        (Json::Array(x), plain) | (plain, Json::Array(x))
            if x.len() == 1 && !is_nested(plain) && !x.iter().any(is_nested) =>
        {
            let only = x.first().unwrap_or(&Json::Null);
            let (left, right) = if matches!(a, Json::Array(_)) { (only, plain) } else { (plain, only) };
            parts.push(Part { path, comparison: compare(&operand(left), &operand(right)) });
        }
        (nested, plain) if is_nested(nested) || is_nested(plain) => {
            let reason = format!("{} against {}", kind(nested), kind(plain));
            parts.push(Part { path, comparison: Comparison::new(Verdict::Mismatch, reason) });
        }
        (a, b) => parts.push(Part { path, comparison: compare(&operand(a), &operand(b)) }),
    }
}

const fn is_nested(json: &Json) -> bool {
    matches!(json, Json::Object(_) | Json::Array(_))
}

const fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "nothing",
        Json::Bool(_) => "true or false",
        Json::Number(_) => "a number",
        Json::String(_) => "a text",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    }
}

fn field(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn object(
    a: &Map<String, Json>,
    b: &Map<String, Json>,
    options: &JsonOptions,
    path: &str,
    depth: usize,
    parts: &mut Vec<Part>,
) {
    let skip = |name: &String| options.ignored.contains(name);
    for (name, value) in a.iter().filter(|(name, _)| !skip(name)) {
        let path = field(path, name);
        match b.get(name) {
            Some(found) => walk(value, found, options, path, depth - 1, parts),
            None => parts.push(structure::one_sided(path, &brief(value), true)),
        }
    }
    if options.extra_allowed {
        return;
    }
    for (name, value) in b.iter().filter(|(name, _)| !skip(name) && !a.contains_key(*name)) {
        parts.push(structure::one_sided(field(path, name), &brief(value), false));
    }
}

fn array(a: &[Json], b: &[Json], options: &JsonOptions, path: String, depth: usize, parts: &mut Vec<Part>) {
    if a.iter().chain(b).all(|item| !is_nested(item)) {
        let (x, y): (Vec<Operand>, Vec<Operand>) =
            (a.iter().map(operand).collect(), b.iter().map(operand).collect());
        // What only the other side has stands behind the items of the truth.
        let kept = if options.extra_allowed { x.len() } else { usize::MAX };
        let list = super::list::parts(&x, &y, options.order).into_iter().take(kept);
        parts.extend(list.map(|part| Part { path: format!("{path}{}", part.path), ..part }));
        return;
    }
    let keys = keys(a, b, options);
    // A row that stands alone on both sides is the same row, so that a wrong name is a mismatch and not a missing row.
    let alone = a.len() == 1 && b.len() == 1;
    let partners = if keys.is_empty() || alone {
        (0..a.len()).map(|i| (i < b.len()).then_some(i)).collect()
    } else {
        structure::pair(a.len(), b.len(), |i, j| {
            let (Some(x), Some(y)) = (a.get(i), b.get(j)) else { return false };
            keys.iter().all(|key| same_key(x.get(key), y.get(key)))
        })
    };
    let name = |item: &Json, i: usize| {
        let named: Vec<String> = keys
            .iter()
            .filter_map(|key| item.get(*key).map(|value| format!("{key}={}", brief(value))))
            .collect();
        if named.is_empty() { format!("{path}[{i}]") } else { format!("{path}[{}]", named.join(",")) }
    };
    for (i, item) in a.iter().enumerate() {
        match partners.get(i).copied().flatten().and_then(|j| b.get(j)) {
            Some(found) => {
                let from = parts.len();
                walk(item, found, options, name(item, i), depth - 1, parts);
                for part in parts.iter_mut().skip(from) {
                    mark_swapped(part, item, &name(item, i), b);
                }
            }
            None => parts.push(structure::one_sided(name(item, i), "the row", true)),
        }
    }
    if !options.extra_allowed {
        let free = b.iter().enumerate().filter(|(j, _)| !partners.contains(&Some(*j)));
        parts.extend(free.map(|(j, item)| structure::one_sided(name(item, j), "the row", false)));
    }
}

/// A cell that is wrong in its row but right for another row of the same column.
fn mark_swapped(part: &mut Part, row: &Json, row_path: &str, others: &[Json]) {
    let column = part.path.strip_prefix(row_path).and_then(|rest| rest.strip_prefix('.'));
    let Some(cell) = column.and_then(|column| row.get(column)) else { return };
    if part.comparison.verdict != Verdict::Mismatch || is_nested(cell) || others.len() < 2 {
        return;
    }
    let truth = operand(cell);
    let cells = others.iter().filter_map(|other| other.get(column.unwrap_or_default()));
    if cells
        .filter(|other| !is_nested(other))
        .any(|other| compare(&truth, &operand(other)).verdict == Verdict::Match)
    {
        part.comparison.cause = Some(Cause::SwappedEntities);
        part.comparison.reason = format!("{}; it stands in another row", part.comparison.reason);
    }
}

/// The key columns that every row has with a plain value, on both sides.
fn keys<'a>(a: &[Json], b: &[Json], options: &'a JsonOptions) -> Vec<&'a str> {
    let everywhere = |key: &&String| {
        a.iter()
            .chain(b)
            .all(|row| row.get(key.as_str()).is_some_and(|value| !is_nested(value) && !value.is_null()))
    };
    options
        .keys
        .iter()
        .filter(|key| !options.ignored.contains(key))
        .filter(everywhere)
        .map(String::as_str)
        .collect()
}

fn same_key(a: Option<&Json>, b: Option<&Json>) -> bool {
    a.zip(b).is_some_and(|(a, b)| compare(&operand(a), &operand(b)).verdict == Verdict::Match)
}

/// A value short enough for a path or a reason.
fn brief(json: &Json) -> String {
    let text = match json {
        Json::String(text) => text.clone(),
        Json::Array(_) | Json::Object(_) => kind(json).to_owned(),
        plain => plain.to_string(),
    };
    if text.chars().count() > 60 { text.chars().take(59).chain(['…']).collect() } else { text }
}
