//! A JSON value that borrows from the text it was read from: responses are large, and of most of their rows only a
//! few cells are looked at.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Flag(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Datum<'a>>),
    /// An object, its members in the order of the text.
    Object(Vec<(Cow<'a, str>, Datum<'a>)>),
}

impl<'a> Datum<'a> {
    /// Nothing.
    pub const NULL: &'static Datum<'static> = &Datum::Null;

    /// Reads a text; none when it is no JSON or ends too early.
    #[must_use]
    pub fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Whether it is null.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The member of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(own, _)| own == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The items of a list; of anything else there are none.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// A text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(number) => number.as_i64(),
            _ => None,
        }
    }
}

/// A text that borrows where nothing in it is escaped.
struct Borrowed<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Borrowed<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Cow<'de, str>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(text))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(text.to_owned()))
            }
        }
        deserializer.deserialize_str(Text).map(Borrowed)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Datum<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Datum<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Datum::Null)
            }
            fn visit_bool<E>(self, flag: bool) -> Result<Self::Value, E> {
                Ok(Datum::Flag(flag))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Datum::Number(number.into()))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Datum::Number(number.into()))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
                Ok(Number::from_f64(number).map_or(Datum::Null, Datum::Number))
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Datum::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Datum::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Self::Value, S::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Datum::List(items))
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                // most rows have some more members than a new list makes room for
                let mut members = Vec::with_capacity(8);
                while let Some((Borrowed(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Datum::Object(members))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_without_being_copied() {
        let text = r#"{"a": [1, -2.5, null, true, "x", "\u0041\n"], "b": {"c": 16218559749.40366}}"#;
        let datum = Datum::read(text).unwrap();
        let items = datum.get("a").unwrap().items();
        assert_eq!(
            (items[0].as_i64(), items[4].as_str(), items[5].as_str()),
            (Some(1), Some("x"), Some("A\n"))
        );
        assert!(matches!(&items[4], Datum::Text(Cow::Borrowed(_))) && items[2].is_null());
        let number = datum.get("b").and_then(|b| b.get("c"));
        assert!(matches!(number, Some(Datum::Number(number)) if number.to_string() == "16218559749.40366"));
        assert_eq!(Datum::read(&text[..40]), None);
        assert!(Datum::NULL.items().is_empty() && Datum::NULL.get("a").is_none());
    }
}
