//! Reading JSON strictly: every error names line and column; duplicate keys, NaN, invalid UTF-8 and
//! runaway nesting are errors, because each of them could turn into a wrong score in silence.

use std::borrow::Cow;

use super::document::{Entry, Json, Object};

/// Deepest nesting that is read; the limit of serde_json, too.
pub const MAX_DEPTH: usize = 128;

/// Largest document, in bytes: offsets are kept in 32 bits.
pub const MAX_BYTES: usize = u32::MAX as usize;

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
}

/// Reads one document.
///
/// # Errors
/// Anything but one complete JSON value, with line and column.
pub fn parse(text: &[u8]) -> Result<Json<'_>, JsonError> {
    if text.len() > MAX_BYTES {
        return Err(JsonError::at(text, 0, "the document is larger than 4 GiB: split it into lines (JSONL)"));
    }
    let utf8 = std::str::from_utf8(text)
        .map_err(|error| JsonError::at(text, error.valid_up_to(), "invalid UTF-8: save the file as UTF-8"))?;
    let start = if utf8.starts_with('\u{feff}') { 3 } else { 0 };
    let mut parser = Parser::new(utf8, start);
    let mut value = Json::Null;
    let parsed = parser.value(0, &mut value).and_then(|()| {
        parser.skip_space();
        if parser.at == text.len() {
            Ok(value)
        } else {
            Err(parser.fault("expected the end of the document"))
        }
    });
    parsed.map_err(|fault| JsonError::at(text, fault.at, fault.message))
}

/// Reads one document that must be an object.
///
/// # Errors
/// As [`parse`], and any value that is not an object.
pub fn parse_object(text: &[u8]) -> Result<Object<'_>, JsonError> {
    match parse(text)? {
        Json::Object(object) => Ok(*object),
        other => {
            Err(JsonError::at(text, 0, format!("expected an object of fields, found {}", other.kind_name())))
        }
    }
}

/// An error by offset; line and column are counted only when it is reported.
pub(super) struct Fault {
    at: usize,
    message: Cow<'static, str>,
}

impl Fault {
    /// Boxed, so that the result of every step stays as small as a value.
    fn at(at: usize, message: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { at, message: message.into() })
    }
}

pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub bytes: &'a [u8],
    /// Where it is.
    pub at: usize,
    /// How many fields the last object near the top had: the next one will have about as many.
    fields: usize,
}

impl<'a> Parser<'a> {
    /// A parser at a place of a text.
    pub const fn new(text: &'a str, at: usize) -> Self {
        Self { text, bytes: text.as_bytes(), at, fields: 4 }
    }

    fn fault(&self, message: impl Into<Cow<'static, str>>) -> Box<Fault> {
        Fault::at(self.at, message)
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    pub fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Reads a value into its place: handing it up from step to step would copy it each time.
    pub fn value(&mut self, depth: usize, into: &mut Json<'a>) -> Result<(), Box<Fault>> {
        self.skip_space();
        *into = match self.peek() {
            Some(b'"') => Json::String(self.string()?),
            Some(b'{') => Json::Object(Box::new(self.object(depth)?)),
            Some(b'[') => Json::Array(self.array(depth)?),
            Some(b'-' | b'0'..=b'9') => Json::Number(Cow::Borrowed(self.number()?)),
            Some(b't') => self.word("true", Json::Bool(true))?,
            Some(b'f') => self.word("false", Json::Bool(false))?,
            Some(b'n') => self.word("null", Json::Null)?,
            Some(b'N' | b'I') => {
                return Err(self.fault("NaN and Infinity are not JSON: write null, or leave the field out"));
            }
            Some(_) => {
                return Err(
                    self.fault("expected a value: an object, list, string, number, true, false or null")
                );
            }
            None => return Err(self.fault("the document ends where a value was expected")),
        };
        Ok(())
    }

    pub fn word(&mut self, word: &'static str, value: Json<'a>) -> Result<Json<'a>, Box<Fault>> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.fault(format!("expected `{word}`")))
        }
    }

    fn enter(&mut self, depth: usize) -> Result<(), Box<Fault>> {
        if depth >= MAX_DEPTH {
            return Err(self.fault(format!("nested deeper than {MAX_DEPTH} levels, which is the limit")));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Json<'a>>, Box<Fault>> {
        self.enter(depth)?;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(Json::Null);
            if let Some(item) = items.last_mut() {
                self.value(depth + 1, item)?;
            }
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(items);
                }
                _ => return Err(self.fault("expected `,` or `]`")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Object<'a>, Box<Fault>> {
        self.enter(depth)?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Object::default());
        }
        let mut entries = Vec::with_capacity(if depth <= 1 { self.fields } else { 4 });
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.fault("expected a key in double quotes"));
            }
            let at = u32::try_from(self.at).unwrap_or(u32::MAX);
            let key = self.string()?;
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.fault("expected `:` after the key"));
            }
            self.at += 1;
            entries.push(Entry { key, value: Json::Null, at });
            if let Some(entry) = entries.last_mut() {
                self.value(depth + 1, &mut entry.value)?;
            }
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                _ => return Err(self.fault("expected `,` or `}`")),
            }
        }
        if depth <= 1 {
            self.fields = entries.len().clamp(4, 256);
        }
        unique(entries)
    }

    /// A string from its opening quote to past its closing one.
    pub fn string(&mut self) -> Result<Cow<'a, str>, Box<Fault>> {
        let open = self.at;
        self.at += 1;
        let start = self.at;
        self.skip_plain();
        match self.peek() {
            Some(b'"') => {
                let text = &self.text[start..self.at];
                self.at += 1;
                Ok(Cow::Borrowed(text))
            }
            Some(b'\\') => self.escaped(open, start).map(Cow::Owned),
            Some(_) => Err(self.fault("a control character in a string must be escaped")),
            None => Err(Fault::at(open, "this string is never closed")),
        }
    }

    /// Goes on to the next byte that ends or interrupts a string: a quote, a backslash, a control character. Looks at
    /// eight bytes at once ("Bit Twiddling Hacks": haszero and hasless); of the bytes that it marks the first is right.
    #[inline]
    pub fn skip_plain(&mut self) {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x8080_8080_8080_8080;
        while let Some(chunk) = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<8>()) {
            let word = u64::from_le_bytes(*chunk);
            let quote = word ^ (ONES * b'"' as u64);
            let backslash = word ^ (ONES * b'\\' as u64);
            let marked = (quote.wrapping_sub(ONES) & !quote)
                | (backslash.wrapping_sub(ONES) & !backslash)
                | (word.wrapping_sub(ONES * 0x20) & !word);
            let marked = marked & HIGH;
            if marked != 0 {
                self.at += (marked.trailing_zeros() / 8) as usize;
                return;
            }
            self.at += 8;
        }
        while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..0x20)) {
            self.at += 1;
        }
    }

    /// The rest of a string that holds an escape; `self.at` is at the first one.
    pub fn escaped(&mut self, open: usize, start: usize) -> Result<String, Box<Fault>> {
        let mut out = String::from(&self.text[start..self.at]);
        loop {
            let run = self.at;
            self.skip_plain();
            out.push_str(&self.text[run..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.fault("a control character in a string must be escaped")),
                None => return Err(Fault::at(open, "this string is never closed")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Box<Fault>> {
        let begin = self.at;
        let simple = match self.bytes.get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let lone = || Fault::at(begin, "half of a surrogate pair stands alone");
                let first = self.hex(begin + 2)?;
                self.at += 6;
                let code = match first {
                    0xD800..0xDC00 => {
                        if self.bytes.get(self.at..self.at + 2) != Some(br"\u") {
                            return Err(lone());
                        }
                        let second = self.hex(self.at + 2)?;
                        if !(0xDC00..0xE000).contains(&second) {
                            return Err(lone());
                        }
                        self.at += 6;
                        0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
                    }
                    other => other,
                };
                return char::from_u32(code).ok_or_else(lone);
            }
            _ => return Err(self.fault(r#"unknown escape: expected one of \" \\ \/ \b \f \n \r \t \u"#)),
        };
        self.at += 2;
        Ok(simple)
    }

    fn hex(&self, at: usize) -> Result<u32, Box<Fault>> {
        self.bytes
            .get(at..at + 4)
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| self.fault(r"expected four hexadecimal digits after \u"))
    }

    fn digits(&mut self) -> Result<(), Box<Fault>> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.fault("expected a digit")) } else { Ok(()) }
    }

    pub fn number(&mut self) -> Result<&'a str, Box<Fault>> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
            if self.peek() == Some(b'I') {
                return Err(self.fault("NaN and Infinity are not JSON: write null, or leave the field out"));
            }
        }
        let first = self.at;
        self.digits()?;
        if self.bytes[first] == b'0' && self.at > first + 1 {
            return Err(Fault::at(first, "a number must not start with 0"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }
}

/// The object of these entries; a key that stands twice is an error at its second place.
fn unique(entries: Vec<Entry<'_>>) -> Result<Object<'_>, Box<Fault>> {
    Object::from_entries(entries).map_err(|duplicate| {
        let message = format!("the key {:?} stands twice in this object", duplicate.key);
        Fault::at(duplicate.at as usize, message)
    })
}
