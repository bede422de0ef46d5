//! The tree of a document as serde reads it. An invalid [`Located`](super::Located) value adds a problem; reading goes on.

use std::cell::RefCell;
use std::fmt::{self, Display};

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value as Json;

use super::located::LOCATED;
use super::tree::{Key, Kind, Node};
use crate::diagnostic::{At, Diagnostics};

/// A problem, located at the innermost value possible.
#[derive(Debug)]
pub(super) struct Problem {
    at: Option<At>,
    message: String,
    /// The unknown word, and the known ones.
    word: Option<(String, &'static [&'static str])>,
}

impl Problem {
    fn unknown(what: String, word: &str, known: &'static [&'static str]) -> Self {
        Self { at: None, message: what, word: Some((word.to_owned(), known)) }
    }

    fn or_at(self, at: &At) -> Self {
        Self { at: self.at.or_else(|| Some(at.clone())), ..self }
    }

    /// Adds it to a report.
    pub(super) fn put(self, report: &mut Diagnostics) {
        let found = report.error(&self.at.unwrap_or_default(), self.message);
        if let Some((word, known)) = self.word {
            found.did_you_mean(&word, known);
        }
    }
}

impl Error for Problem {
    fn custom<T: Display>(message: T) -> Self {
        Self { at: None, message: message.to_string(), word: None }
    }

    fn missing_field(name: &'static str) -> Self {
        Self::custom(format!("`{name}` is missing"))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::unknown(format!("unknown key `{name}`"), name, known)
    }

    fn unknown_variant(word: &str, known: &'static [&'static str]) -> Self {
        Self::unknown(format!("`{word}` is not known here"), word, known)
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Reads one value of the document.
#[derive(Clone)]
pub(super) struct Reader<'de, 'r> {
    pub(super) node: &'de Node,
    pub(super) at: At,
    /// The document's text if it is YAML, where a plain scalar counts as a text if one is expected.
    pub(super) text: Option<&'de str>,
    pub(super) problems: &'r RefCell<Vec<Problem>>,
}

impl<'de, 'r> Reader<'de, 'r> {
    /// Reads the value. An error is added to the problems.
    pub(super) fn read<S: DeserializeSeed<'de>>(self, seed: S) -> Option<S::Value> {
        let (at, problems) = (self.at.clone(), self.problems);
        let is_blank = matches!(&self.node.kind, Kind::Scalar(Json::String(text)) if text.trim().is_empty());
        let read = match is_blank {
            true => Err(Problem::custom("the text is empty")),
            false => seed.deserialize(self),
        };
        read.map_err(|problem| problems.borrow_mut().push(problem.or_at(&at))).ok()
    }

    fn item(&self, index: usize, node: &'de Node) -> Self {
        let at = At { place: node.place, field: format!("{}[{index}]", self.at.field) };
        Self { node, at, ..self.clone() }
    }

    fn member(&self, key: &'de Key, node: &'de Node) -> (&'de str, Self) {
        (&key.name, Self { node, at: self.at.key(node.place, &key.name), ..self.clone() })
    }

    fn wrong(&self, expected: &str) -> Problem {
        Problem::custom(format!("expected {expected}, found {}", self.node.noun())).or_at(&self.at)
    }

    /// The source text of a YAML scalar.
    fn written(&self) -> Option<&'de str> {
        let (first, length) = self.node.bytes?;
        self.text?.get(first..first + length)
    }

    fn visit<V: Visitor<'de>>(self, visitor: V, known: Option<&[&str]>) -> Result<V::Value, Problem> {
        let is_known = |name: &str| known.is_none_or(|known| known.contains(&name));
        // in YAML, a key of a struct without a value is the same as no key
        let is_left_blank = |node: &Node| {
            known.is_some() && self.text.is_some() && matches!(node.kind, Kind::Scalar(Json::Null))
        };
        let is_given = |(key, node): &&(Key, Node)| is_known(&key.name) && !is_left_blank(node);
        let found = match &self.node.kind {
            Kind::Scalar(value) => value.deserialize_any(visitor).map_err(Problem::custom),
            Kind::List(list) => visitor.visit_seq(SeqDeserializer::new(
                list.iter().enumerate().map(|(index, node)| self.item(index, node)),
            )),
            Kind::Map(map) => {
                let entries = map.iter().filter(is_given);
                visitor.visit_map(Members { reader: &self, entries, value: None })
            }
        };
        found.map_err(|problem| problem.or_at(&self.at))
    }
}

impl<'de> IntoDeserializer<'de, Problem> for Reader<'de, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Methods that accept only one kind of value.
macro_rules! only {
    ($($method:ident: $kind:pat => $expected:literal,)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match &self.node.kind {
                $kind => self.visit(visitor, None),
                _ => Err(self.wrong($expected)),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Reader<'de, '_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.visit(visitor, None)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.node.kind {
            Kind::Scalar(Json::Null) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        if name == LOCATED { visitor.visit_seq(Parts(self, 0)) } else { visitor.visit_newtype_struct(self) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let Kind::Map(map) = &self.node.kind else { return Err(self.wrong("an object")) };
        for (key, _) in map.iter().filter(|(key, _)| !known.contains(&key.name.as_str())) {
            let problem = Problem::unknown_field(&key.name, known);
            self.problems.borrow_mut().push(problem.or_at(&self.at.key(key.place, &key.name)));
        }
        self.visit(visitor, Some(known))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match &self.node.kind {
            Kind::Scalar(Json::String(_)) => self.visit(visitor, None),
            Kind::Scalar(Json::Number(_) | Json::Bool(_)) if self.written().is_some() => {
                visitor.visit_borrowed_str(self.written().unwrap_or_default())
            }
            Kind::Scalar(Json::Number(_) | Json::Bool(_)) => Err(self.wrong("a text in quotes")),
            _ => Err(self.wrong("a text")),
        }
    }

    only! {
        deserialize_map: Kind::Map(_) => "an object",
        deserialize_seq: Kind::List(_) => "a list",
        deserialize_bool: Kind::Scalar(Json::Bool(_)) => "true or false",
        deserialize_f64: Kind::Scalar(Json::Number(_)) => "a number",
        deserialize_i16: Kind::Scalar(Json::Number(_)) => "a whole number",
        deserialize_u8: Kind::Scalar(Json::Number(_)) => "a whole number",
        deserialize_u16: Kind::Scalar(Json::Number(_)) => "a whole number",
        deserialize_u32: Kind::Scalar(Json::Number(_)) => "a whole number",
        deserialize_u64: Kind::Scalar(Json::Number(_)) => "a whole number",
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let found = match &self.node.kind {
            Kind::Scalar(Json::String(word)) => visitor.visit_enum(word.as_str().into_deserializer()),
            Kind::Map(map) => visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(
                map.iter().map(|(key, node)| self.member(key, node)),
            ))),
            _ => Err(self.wrong("a text")),
        };
        found.map_err(|problem: Problem| problem.or_at(&self.at))
    }

    forward_to_deserialize_any! {
        i8 i32 i64 i128 u128 f32 char str bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}

/// The members of an object. An error about a key is located at the key.
struct Members<'de, 'r, 'a, I> {
    reader: &'a Reader<'de, 'r>,
    entries: I,
    /// The value of the last key.
    value: Option<Reader<'de, 'r>>,
}

impl<'de, I: Iterator<Item = &'de (Key, Node)>> MapAccess<'de> for Members<'de, '_, '_, I> {
    type Error = Problem;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Problem> {
        let Some((key, node)) = self.entries.next() else { return Ok(None) };
        let (name, value) = self.reader.member(key, node);
        self.value = Some(value);
        let at = self.reader.at.key(key.place, name);
        seed.deserialize(name.into_deserializer()).map(Some).map_err(|problem: Problem| problem.or_at(&at))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Problem> {
        match self.value.take() {
            Some(value) => seed.deserialize(value),
            None => Err(Problem::custom("a value without a key")),
        }
    }
}

/// A stated value as a sequence: line, column, field, value.
struct Parts<'de, 'r>(Reader<'de, 'r>, u8);

impl<'de> SeqAccess<'de> for Parts<'de, '_> {
    type Error = Problem;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Problem> {
        let Self(reader, part) = self;
        *part += 1;
        match part {
            1 => seed.deserialize(reader.at.place.line.into_deserializer()).map(Some),
            2 => seed.deserialize(reader.at.place.column.into_deserializer()).map(Some),
            3 => seed.deserialize(reader.at.field.clone().into_deserializer()).map(Some),
            _ => Ok(reader.clone().read(seed)),
        }
    }
}
