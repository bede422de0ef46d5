//! A JSON value that borrows from its source text. Responses are large, and only a few cells of
//! most rows are used.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
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
    /// An object, with its members in source order.
    Object(Vec<(Cow<'a, str>, Datum<'a>)>),
    /// A value replaced by a response error.
    Failed(Rc<ResponseError>),
}

/// An error of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseError {
    /// The path, in response keys; empty for the whole response.
    pub path: Vec<String>,
    /// The server's message.
    pub message: String,
}

impl ResponseError {
    pub(super) fn whole(message: &str) -> Rc<Self> {
        Rc::new(Self { path: Vec::new(), message: message.to_owned() })
    }

    pub(super) fn of(error: &Datum<'_>) -> Rc<Self> {
        let path = error.get("path").unwrap_or(Datum::NULL).items().iter();
        let step = |step: &Datum<'_>| {
            step.as_str().map(str::to_owned).or_else(|| step.as_i64().map(|at| at.to_string()))
        };
        let message = error.get("message").or(Some(error)).and_then(Datum::as_str);
        Rc::new(Self {
            path: path.map(step).collect::<Option<_>>().unwrap_or_default(),
            message: message.unwrap_or("an error without a message").to_owned(),
        })
    }
}

impl fmt::Display for ResponseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.join("."), self.message)
    }
}

impl<'a> Datum<'a> {
    /// The null value.
    pub const NULL: &'static Datum<'static> = &Datum::Null;

    /// Parses a text; none if it is not JSON or is truncated.
    #[must_use]
    pub fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Whether it is null.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null | Self::Failed(_))
    }

    /// A member of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(own, _)| own == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The items of a list; empty for anything else.
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

    /// A whole number, even as text.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        let number = number(self)?;
        number.is_integer().then(|| number.to_i64()).flatten()
    }
}

/// A number exactly as in the response. Many APIs write large numbers as text.
#[must_use]
pub fn number(value: &Datum<'_>) -> Option<Decimal> {
    let text = match value {
        Datum::Number(number) => Cow::Owned(number.to_string()),
        Datum::Text(text) if is_number(text) => Cow::Borrowed(text.as_ref()),
        _ => return None,
    };
    text.parse().ok().or_else(|| Decimal::from_scientific(&text).ok())
}

/// Whether a text is a JSON number. `0902` is a code.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let size = text.strip_prefix('-').unwrap_or(text);
    let (size, power) = size.split_once(['e', 'E']).map_or((size, None), |(size, power)| (size, Some(power)));
    let (whole, part) = size.split_once('.').map_or((size, None), |(whole, part)| (whole, Some(part)));
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && part.is_none_or(digits)
        && power.is_none_or(|power| digits(power.strip_prefix(['+', '-']).unwrap_or(power)))
}

/// A text that borrows unless it has escapes.
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
                // most rows have a few more members than a new list reserves
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

/// A scalar as plain text; none for null, lists and objects.
#[must_use]
pub fn plain(value: &Datum<'_>) -> Option<String> {
    match value {
        Datum::Text(text) => Some(text.to_string()),
        Datum::Number(number) => Some(number.to_string()),
        Datum::Flag(flag) => Some(flag.to_string()),
        _ => None,
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

    #[test]
    fn numbers_keep_every_digit_as_numbers_and_as_texts() {
        let value =
            Datum::read(r#"[16218559749.40366, 1e3, "16218559749.40366", "-1.50E-2", "2024", "0"]"#).unwrap();
        let read: Vec<String> = value.items().iter().map(|one| number(one).unwrap().to_string()).collect();
        assert_eq!(read, ["16218559749.40366", "1000.0", "16218559749.40366", "-0.0150", "2024", "0"]);
        assert_eq!((value.items()[4].as_i64(), value.items()[3].as_i64()), (Some(2024), None));
        let texts = r#"["0902", "ict", "", "-", "1.", ".5", "1e", " 1", "1 ", "+1", "1_000", "NaN", "0x1", "٣", null, true]"#;
        assert!(Datum::read(texts).unwrap().items().iter().all(|one| number(one).is_none()));
    }
}
