//! A JSON document, read strictly by `serde_json`: numbers stay as printed, so nothing is lost before the comparison, and a
//! key that stands twice is an error, because it could turn into a wrong score in silence.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use indexmap::map::Entry;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Deepest nesting that is read; the limit of `serde_json`, too.
pub const MAX_DEPTH: usize = 128;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as printed: `1`, `1.50`, `-2e7`. Never NaN or an infinity, which JSON does not have.
    Number(&'a str),
    /// A string, unescaped.
    String(Cow<'a, str>),
    /// A list.
    Array(Vec<Json<'a>>),
    /// An object.
    Object(Object<'a>),
}

/// Values by key, in document order. Two are equal when they hold the same entries, in whatever order.
pub type Object<'a> = IndexMap<Cow<'a, str>, Json<'a>>;

/// What is wrong with a document, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct JsonError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, what was expected.
    pub message: String,
}

impl JsonError {
    /// An error at a byte offset of a text.
    #[must_use]
    pub fn at(text: &[u8], offset: usize, message: impl Into<String>) -> Self {
        let before = &text[..offset.min(text.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let column = 1 + before[start..].iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Self { line, column, message: message.into() }
    }

    /// An error of `serde_json`, whose text ends with its place.
    #[must_use]
    pub fn of(error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned();
        Self { line: error.line().max(1), column: error.column().max(1), message }
    }
}

/// Reads one document.
///
/// # Errors
/// Anything but one complete JSON value, with line and column.
pub fn parse(text: &[u8]) -> Result<Json<'_>, JsonError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let utf8 = std::str::from_utf8(text)
        .map_err(|error| JsonError::at(text, error.valid_up_to(), "invalid UTF-8: save the file as UTF-8"))?;
    let raw: &RawValue = serde_json::from_str(utf8).map_err(|error| JsonError::of(&error))?;
    let offset = |part: &str| part.as_ptr() as usize - utf8.as_ptr() as usize;
    value(raw.get(), 0).map_err(|(part, message)| JsonError::at(text, offset(part), message))
}

/// Reads one document that must be an object.
///
/// # Errors
/// As [`parse`], and another kind of value.
pub fn parse_object(text: &[u8]) -> Result<Object<'_>, JsonError> {
    match parse(text)? {
        Json::Object(object) => Ok(object),
        other => Err(JsonError::at(text, 0, format!("expected an object, found {}", other.kind_name()))),
    }
}

/// A value whose text is known to be JSON; what is wrong with it all the same, and with which part of it.
fn value(text: &str, depth: usize) -> Result<Json<'_>, (&str, String)> {
    if depth >= MAX_DEPTH {
        return Err((text, format!("nested deeper than {MAX_DEPTH}")));
    }
    let wrong = |error: serde_json::Error| (text, JsonError::of(&error).message);
    Ok(match text.as_bytes().first() {
        Some(b'n') => Json::Null,
        Some(b't') => Json::Bool(true),
        Some(b'f') => Json::Bool(false),
        // Where nothing is escaped, what stands between the quotes is the string.
        Some(b'"') if memchr::memchr(b'\\', text.as_bytes()).is_none() => {
            Json::String(Cow::Borrowed(&text[1..text.len() - 1]))
        }
        Some(b'"') => Json::String(serde_json::from_str::<Text<'_>>(text).map_err(wrong)?.0),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(wrong)?;
            Json::Array(items.into_iter().map(|item| value(item.get(), depth + 1)).collect::<Result<_, _>>()?)
        }
        Some(b'{') => {
            let Entries(entries) = serde_json::from_str(text).map_err(wrong)?;
            let mut object = Object::with_capacity(entries.len());
            for (key, raw) in entries {
                match object.entry(key) {
                    Entry::Occupied(twice) => {
                        return Err((raw.get(), format!("the key {:?} stands twice", twice.key())));
                    }
                    Entry::Vacant(free) => free.insert(value(raw.get(), depth + 1)?),
                };
            }
            Json::Object(object)
        }
        _ => Json::Number(text),
    })
}

/// A string, borrowed where it has no escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

/// The entries of an object as they stand there.
struct Entries<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((Text(key), raw)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
                    entries.push((key, raw));
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// A document of `T`, read strictly.
///
/// # Errors
/// As [`parse`], and what does not fit `T`.
pub fn read<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, JsonError> {
    parse(text)?;
    serde_json::from_slice(text).map_err(|error| JsonError::of(&error))
}

impl Json<'_> {
    /// The number as a float, when it is one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// What it is, with an article, for messages.
    #[must_use]
    pub const fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}
