//! Flattens nested objects to paths: `{"a": {"b": 1}}` becomes the field `a.b`. Enabled by `--nested`.

use std::borrow::Cow;

use super::document::{Json, Object};

/// Returns an object with one field per leaf: object members as `.name`, items of lists that hold objects as `[position]`.
/// Lists of plain values and empty objects stay whole. `\` escapes a `.`, `[` or `\` in a key, so that paths are unique.
#[must_use]
pub fn flatten(object: Object<'_>) -> Object<'_> {
    let mut flat = Object::default();
    for (key, value) in object {
        descend(escape(&key), value, &mut flat);
    }
    flat
}

fn descend<'a>(path: String, value: Json<'a>, flat: &mut Object<'a>) {
    match value {
        Json::Object(object) if !object.is_empty() => {
            for (key, value) in *object {
                descend(format!("{path}.{}", escape(&key)), value, flat);
            }
        }
        Json::Array(items) if items.iter().any(|item| matches!(item, Json::Object(_))) => {
            for (position, item) in items.into_iter().enumerate() {
                descend(format!("{path}[{position}]"), item, flat);
            }
        }
        value => {
            flat.insert(Cow::Owned(path), value);
        }
    }
}

fn escape(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    for character in key.chars() {
        if matches!(character, '.' | '[' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse_object;

    #[test]
    fn decision_4_nested_paths_are_opt_in_and_unambiguous() {
        let text = br#"{"a": {"b": 1, "c": {}}, "a.b": 2, "l": [1, 2], "o": [{"x": 3}, 4], "e": []}"#;
        let flat = flatten(parse_object(text).unwrap());
        let paths: Vec<&str> = flat.keys().map(|key| &**key).collect();
        assert_eq!(paths, ["a.b", "a.c", r"a\.b", "l", "o[0].x", "o[1]", "e"]);
    }
}
