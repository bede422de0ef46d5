//! Values as they stand in the text: checked in full, but not built. Most values of an answer stand there byte by byte
//! as in the truth, and then nothing more need be known about them.

use std::borrow::Cow;

use super::document::Json;
use super::parse::Parser;
use super::python::is_blank;

/// What a value begins with, which is what kind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Null,
    Bool,
    Number,
    /// A string without escapes.
    Plain,
    /// A string with escapes.
    Escaped,
    /// A list or an object.
    Nested,
}

/// A value in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw {
    pub start: u32,
    pub end: u32,
    pub token: Token,
    /// Whether the metrics plan calls it null.
    pub null: bool,
}

/// Values of the objects to compare stand at this depth of a line.
const DEPTH: usize = 2;

impl Raw {
    /// The text of the value.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start as usize..self.end as usize]
    }

    /// What stands between the quotes of a plain string.
    pub fn unquoted<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start as usize + 1..self.end as usize - 1]
    }

    /// The value, built.
    pub fn json<'a>(&self, text: &'a str) -> Json<'a> {
        match self.token {
            Token::Null => Json::Null,
            Token::Bool => Json::Bool(text.as_bytes()[self.start as usize] == b't'),
            Token::Number => Json::Number(Cow::Borrowed(self.of(text))),
            Token::Plain => Json::String(Cow::Borrowed(self.unquoted(text))),
            Token::Escaped | Token::Nested => {
                let mut value = Json::Null;
                // It was read before, so it cannot fail now.
                let _ = Parser::new(text, self.start as usize).value(DEPTH, &mut value);
                value
            }
        }
    }
}

/// The value at the parser's place, read over; `None` when it is not as it should be, or cannot be read over cheaply.
#[inline]
pub(super) fn skip(parser: &mut Parser<'_>) -> Option<Raw> {
    let start = parser.at;
    let (token, null) = match parser.peek()? {
        b'"' => {
            parser.at += 1;
            parser.skip_plain();
            match parser.peek()? {
                b'"' => {
                    let text = &parser.text[start + 1..parser.at];
                    parser.at += 1;
                    (Token::Plain, blank(text))
                }
                b'\\' => {
                    parser.at = start;
                    let text = parser.string().ok()?;
                    (Token::Escaped, is_blank(&text))
                }
                _ => return None,
            }
        }
        b'-' | b'0'..=b'9' => {
            parser.number().ok()?;
            (Token::Number, false)
        }
        b't' => (word(parser, b"true")?, false),
        b'f' => (word(parser, b"false")?, false),
        b'n' => {
            word(parser, b"null")?;
            (Token::Null, true)
        }
        b'[' => {
            if !skip_flat_list(parser) {
                parser.at = start;
                parser.value(DEPTH, &mut Json::Null).ok()?;
            }
            (Token::Nested, false)
        }
        b'{' => {
            parser.value(DEPTH, &mut Json::Null).ok()?;
            (Token::Nested, false)
        }
        _ => return None,
    };
    Some(Raw { start: u32::try_from(start).ok()?, end: u32::try_from(parser.at).ok()?, token, null })
}

fn word(parser: &mut Parser<'_>, word: &[u8]) -> Option<Token> {
    parser.bytes[parser.at..].starts_with(word).then(|| {
        parser.at += word.len();
        Token::Bool
    })
}

/// Whether a string is null: a glance at its first character mostly tells.
fn blank(text: &str) -> bool {
    match text.as_bytes().first() {
        None => true,
        Some(b'!'..=b'~') => false,
        Some(_) => is_blank(text),
    }
}

/// Reads over a list that holds neither lists nor objects nor escapes; `false` when it may hold some.
fn skip_flat_list(parser: &mut Parser<'_>) -> bool {
    parser.at += 1;
    parser.skip_space();
    if parser.peek() == Some(b']') {
        parser.at += 1;
        return true;
    }
    loop {
        match parser.peek() {
            Some(b'"') => {
                parser.at += 1;
                parser.skip_plain();
                if parser.peek() != Some(b'"') {
                    return false;
                }
                parser.at += 1;
            }
            Some(b'-' | b'0'..=b'9') => {
                if parser.number().is_err() {
                    return false;
                }
            }
            Some(b't') if word(parser, b"true").is_some() => {}
            Some(b'f') if word(parser, b"false").is_some() => {}
            Some(b'n') if word(parser, b"null").is_some() => {}
            _ => return false,
        }
        parser.skip_space();
        match parser.peek() {
            Some(b',') => parser.at += 1,
            Some(b']') => {
                parser.at += 1;
                return true;
            }
            _ => return false,
        }
        parser.skip_space();
    }
}
