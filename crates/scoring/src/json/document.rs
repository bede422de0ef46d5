//! A strict one-pass JSON reader over `jiter`. Numbers stay as printed, so no precision is lost before the comparison. A
//! duplicate key is an error, because it could silently cause a wrong score.

use std::borrow::Cow;

use indexmap::IndexMap;
use indexmap::map::Entry;
use jiter::{Jiter, JiterError, Peek};
use serde::Deserialize;

use crate::diagnostic::Place;
use crate::input::{json_fault, json_place, unmarked};

/// Maximum nesting depth, the same as in `serde_json`.
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
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object; boxed, because most values are not objects.
    Object(Box<Object<'a>>),
}

/// Values by key, in document order. Two objects are equal if they hold the same entries in any order.
pub type Object<'a> = IndexMap<Cow<'a, str>, Json<'a>, foldhash::fast::RandomState>;

/// A syntax error with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct JsonError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl JsonError {
    /// An error at a byte offset of a text.
    #[must_use]
    pub fn at(text: &[u8], offset: usize, message: impl Into<String>) -> Self {
        let Place { line, column } = Place::of(text, offset);
        Self { line, column, message: message.into() }
    }

    /// Converts an error of `serde_json`, whose message ends with its place.
    #[must_use]
    pub fn of(error: &serde_json::Error) -> Self {
        let Place { line, column } = json_place(error);
        Self { line, column, message: json_fault(error) }
    }
}

/// Parses one document.
///
/// # Errors
/// The text is not exactly one JSON value; with line and column.
pub fn parse(text: &[u8]) -> Result<Json<'_>, JsonError> {
    let text = unmarked(text);
    let utf8 = std::str::from_utf8(text)
        .map_err(|error| JsonError::at(text, error.valid_up_to(), "invalid UTF-8: save the file as UTF-8"))?;
    let mut reader = Reader {
        text: utf8,
        jiter: Jiter::new(text),
        keys: [0, (text.len() / BYTES_A_KEY).min(MAX_GUESS), 0],
    };
    let document = reader.jiter.peek().map_err(Problem::from).and_then(|peek| reader.value(peek, 0));
    let whole = document.and_then(|document| {
        reader.jiter.finish()?;
        Ok(document)
    });
    whole.map_err(|Problem { offset, message }| JsonError::at(text, offset, message))
}

/// Parses one document that must be an object.
///
/// # Errors
/// As [`parse`], or the value is not an object.
pub fn parse_object(text: &[u8]) -> Result<Object<'_>, JsonError> {
    match parse(text)? {
        Json::Object(object) => Ok(*object),
        other => Err(JsonError::at(text, 0, format!("expected an object, found {}", other.kind_name()))),
    }
}

/// What is wrong, with its byte offset.
struct Problem {
    offset: usize,
    message: String,
}

impl From<JiterError> for Problem {
    fn from(error: JiterError) -> Self {
        Self { offset: error.index, message: error.error_type.to_string() }
    }
}

struct Reader<'a> {
    text: &'a str,
    jiter: Jiter<'a>,
    /// The number of keys of the last object at each depth; its sibling likely has as many.
    keys: [usize; KNOWN_DEPTHS],
}

/// Depths whose objects tend to have equal sizes. The objects of a pair are at the second.
const KNOWN_DEPTHS: usize = 3;
/// First guess for the bytes per key and value, and the maximum number of keys to guess.
const BYTES_A_KEY: usize = 64;
const MAX_GUESS: usize = 64;

impl<'a> Reader<'a> {
    fn value(&mut self, peek: Peek, depth: usize) -> Result<Json<'a>, Problem> {
        if depth >= MAX_DEPTH {
            let offset = self.jiter.current_index();
            return Err(Problem { offset, message: format!("nested deeper than {MAX_DEPTH}") });
        }
        Ok(match peek {
            Peek::Null => {
                self.jiter.known_null()?;
                Json::Null
            }
            Peek::True | Peek::False => Json::Bool(self.jiter.known_bool(peek)?),
            Peek::String => Json::String(borrowed(self.text, self.jiter.known_str()?)),
            Peek::Array => {
                let mut items = Vec::new();
                let mut next = self.jiter.known_array()?;
                while let Some(peek) = next {
                    items.push(self.value(peek, depth + 1)?);
                    next = self.jiter.array_step()?;
                }
                Json::Array(items)
            }
            Peek::Object => {
                let likely = self.keys.get(depth).copied().unwrap_or_default();
                let mut object = Object::with_capacity_and_hasher(likely, <_>::default());
                let mut key = self.jiter.known_object()?.map(|key| borrowed(self.text, key));
                while let Some(name) = key {
                    let peek = self.jiter.peek()?;
                    match object.entry(name) {
                        Entry::Occupied(twice) => {
                            let message = format!("the key {:?} occurs twice", twice.key());
                            return Err(Problem { offset: self.jiter.current_index(), message });
                        }
                        Entry::Vacant(free) => free.insert(self.value(peek, depth + 1)?),
                    };
                    key = self.jiter.next_key()?.map(|key| borrowed(self.text, key));
                }
                if let Some(keys) = self.keys.get_mut(depth) {
                    *keys = object.len();
                }
                Json::Object(Box::new(object))
            }
            _ => {
                let start = self.jiter.current_index();
                self.jiter.known_number_bytes(peek)?;
                Json::Number(&self.text[start..self.jiter.current_index()])
            }
        })
    }
}

/// Borrows a string from the text if it is a part of it; copies a string with escapes.
fn borrowed<'a>(text: &'a str, string: &str) -> Cow<'a, str> {
    let start = (string.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    match start.checked_add(string.len()).and_then(|end| text.get(start..end)) {
        Some(part) => Cow::Borrowed(part),
        None => Cow::Owned(string.to_owned()),
    }
}

/// Reads a document of type `T` strictly.
///
/// # Errors
/// As [`parse`], or the document does not fit `T`.
pub fn read<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, JsonError> {
    parse(text)?;
    serde_json::from_slice(unmarked(text)).map_err(|error| JsonError::of(&error))
}

impl Json<'_> {
    /// The value as a float, if it is a number.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The value's type with an article, for messages.
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
