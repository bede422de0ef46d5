//! A JSON or YAML document as a tree with the location of each key and value.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use serde_saphyr::{Location, Spanned};

use crate::diagnostic::Place;
use crate::words::json_kind;

/// A value with its place.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) place: Place,
    /// Its first byte and length, if known.
    pub(super) bytes: Option<(usize, usize)>,
    pub(super) kind: Kind,
}

/// The content of a value.
#[derive(Debug)]
pub(super) enum Kind {
    Scalar(Json),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A key with its place.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) place: Place,
    pub(super) name: String,
}

impl Node {
    /// Parses a document.
    pub(super) fn parse(text: &str) -> Result<Self, (Place, String)> {
        serde_saphyr::from_str(text).map_err(|error| yaml_fault(&error))
    }

    /// The name of its kind, for "expected a text, found …".
    pub(super) const fn noun(&self) -> &'static str {
        match &self.kind {
            Kind::Scalar(value) => json_kind(value),
            Kind::List(_) => "a list",
            Kind::Map(_) => "an object",
        }
    }
}

/// Where a YAML document is wrong, and how: without the place, and without names of our parser.
#[must_use]
pub fn yaml_fault(error: &serde_saphyr::Error) -> (Place, String) {
    let place = error.location().map(place).unwrap_or_default();
    if let serde_saphyr::Error::DuplicateMappingKey { key, .. } = error.without_snippet() {
        let key = key.as_ref().map(|key| format!(" `{key}`")).unwrap_or_default();
        return (place, format!("the key{key} stands twice"));
    }
    let words = error.without_snippet().to_string();
    let first = words.lines().next().unwrap_or_default();
    let first = first.rsplit_once(" at line ").map_or(first, |(words, _)| words);
    (place, first.to_owned())
}

fn place(location: Location) -> Place {
    Place { line: number(location.line()), column: number(location.column()) }
}

fn number(number: u64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Spanned::<Kind>::deserialize(deserializer)?;
        let span = found.defined.span();
        let bytes = span.byte_offset().zip(span.byte_len());
        let bytes = bytes.map(|(first, length)| (number(first), number(length)));
        Ok(Self { place: place(found.referenced), bytes, kind: found.value })
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
        Ok(Kind::Scalar(Json::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.to_string().into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
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
        while let Some((key, value)) = access.next_entry::<Spanned<String>, Node>()? {
            map.push((Key { place: place(key.referenced), name: key.value }, value));
        }
        Ok(Kind::Map(map))
    }
}
