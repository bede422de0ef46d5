//! A JSON or YAML document as a tree in which every key and value knows its line and column, so that
//! all that is wrong with a file can be reported at once, each at its place.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use serde_saphyr::Spanned;

use atlas_gt_core::diagnostic::Place;

/// A value with its place.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) kind: Kind,
}

/// What the value is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A key with its place.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) place: Place,
    pub(super) name: String,
}

impl Node {
    /// Reads a document.
    pub(super) fn read(text: &str) -> Result<Self, (Place, String)> {
        serde_saphyr::from_str(text).map_err(|error| {
            let place = error.location().map(place).unwrap_or_default();
            (place, message(&error))
        })
    }

    /// The value without its places.
    pub(super) fn json(&self) -> Json {
        match &self.kind {
            Kind::Null => Json::Null,
            Kind::Bool(value) => Json::from(*value),
            Kind::Integer(value) => {
                i64::try_from(*value).map_or_else(|_| value.to_string().into(), Json::from)
            }
            Kind::Float(value) => Json::from(*value),
            Kind::Text(text) => Json::from(text.as_str()),
            Kind::List(list) => list.iter().map(Self::json).collect(),
            Kind::Map(map) => {
                Json::Object(map.iter().map(|(key, node)| (key.name.clone(), node.json())).collect())
            }
        }
    }

    /// What it is, for "expected a text, found …".
    pub(super) const fn noun(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "true or false",
            Kind::Integer(_) => "an integer",
            Kind::Float(_) => "a number",
            Kind::Text(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "an object",
        }
    }
}

/// The reader's own words; their place is said apart. A drawing of the source is never asked for: it is made by whoever prints.
fn message(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let first = text.lines().next().unwrap_or_default();
    first.rsplit_once(" at line ").map_or(first, |(words, _)| words).to_owned()
}

fn place(location: serde_saphyr::Location) -> Place {
    Place {
        line: usize::try_from(location.line()).unwrap_or_default(),
        column: usize::try_from(location.column()).unwrap_or_default(),
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Spanned::<Kind>::deserialize(deserializer)?;
        Ok(Self { place: place(found.referenced), kind: found.value })
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KindVisitor)
    }
}

struct KindVisitor;

impl<'de> Visitor<'de> for KindVisitor {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_none<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kind, D::Error> {
        deserializer.deserialize_any(Self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Kind, E> {
        Ok(Kind::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Kind, E> {
        Ok(Kind::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Kind, E> {
        Ok(Kind::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Kind, E> {
        Ok(Kind::Integer(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Kind, E> {
        Ok(Kind::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Kind, E> {
        Ok(Kind::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Kind, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = access.next_element()? {
            list.push(item);
        }
        Ok(Kind::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Kind, A::Error> {
        let mut map = Vec::new();
        while let Some(pair) = access.next_entry()? {
            let (key, value): (Spanned<String>, Node) = pair;
            map.push((Key { place: place(key.referenced), name: key.value }, value));
        }
        Ok(Kind::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_know_their_places() {
        let root = Node::read("{\n  \"a\": [1, \"07\",\n    null, 1.5, true]\n}").unwrap();
        let Kind::Map(map) = root.kind else { panic!("a map") };
        assert_eq!((map[0].0.name.as_str(), map[0].0.place), ("a", Place { line: 2, column: 3 }));
        let Kind::List(list) = &map[0].1.kind else { panic!("a list") };
        let places: Vec<_> = list.iter().map(|node| (node.place.line, node.place.column)).collect();
        assert_eq!(places[..3], [(2, 9), (2, 12), (3, 5)]);
        assert!(matches!(&list[1].kind, Kind::Text(text) if text == "07"));
        let nouns: Vec<_> = list.iter().map(Node::noun).collect();
        assert_eq!(nouns, ["an integer", "a text", "null", "a number", "true or false"]);
    }

    #[test]
    fn json_is_read_as_json_is_written() {
        let root = Node::read("\u{feff}[\n\t\"\\ud83d\\ude00 \\/ \\u00fc: #\",\r\n\t-2]").unwrap();
        let Kind::List(list) = root.kind else { panic!("a list") };
        assert!(matches!(&list[0].kind, Kind::Text(text) if text == "\u{1f600} / ü: #"));
        assert!(matches!(list[1].kind, Kind::Integer(-2)));
        assert_eq!(list[1].place, Place { line: 3, column: 2 });
    }

    #[test]
    fn syntax_errors_have_a_place_and_one_line() {
        let (place, message) = Node::read("[\n  {\"a\": 1,\n").unwrap_err();
        assert!(place.line >= 2, "{place:?}");
        assert!(!message.is_empty() && !message.contains('\n'), "{message}");
        let (place, message) = Node::read("{\"a\": 1,\n \"a\": 2}").unwrap_err();
        assert_eq!(place.line, 2);
        assert!(message.contains("duplicate"), "{message}");
    }
}
