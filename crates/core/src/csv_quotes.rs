//! Finds the quote of a CSV file that is never closed: its field would swallow all rows below.

use std::io::{Error, Read, Result};

use crate::excerpt::Place;

/// CSV text on its way to a reader, which fails at its end if a quote is still open.
pub struct ClosedQuotes<R> {
    source: R,
    delimiter: u8,
    state: State,
    /// The place of the next byte.
    at: Place,
    opened: Place,
}

/// Where the text stands: as `csv` reads it, a quote opens only at the start of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote inside a quoted field: its end, or the first of two.
    QuoteInQuoted,
}

/// The place of a quote that is never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this quote is never closed")]
pub struct OpenQuote(pub Place);

impl OpenQuote {
    /// The open quote behind an error of a CSV reader.
    #[must_use]
    pub fn of(error: &Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl<R: Read> ClosedQuotes<R> {
    /// Watches the quotes of a text without a byte order mark.
    pub const fn new(source: R, delimiter: u8) -> Self {
        let begin = Place { line: 1, column: 1 };
        Self { source, delimiter, state: State::FieldStart, at: begin, opened: begin }
    }

    fn step(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (State::FieldStart, b'"') => {
                self.opened = self.at;
                State::Quoted
            }
            (State::Quoted, b'"') => State::QuoteInQuoted,
            (State::Quoted, _) | (State::QuoteInQuoted, b'"') => State::Quoted,
            (_, b'\n' | b'\r') => State::FieldStart,
            (_, byte) if byte == self.delimiter => State::FieldStart,
            _ => State::Plain,
        };
        match byte {
            b'\n' => self.at = Place { line: self.at.line + 1, column: 1 },
            // the column counts characters
            _ => self.at.column += usize::from(byte & 0xc0 != 0x80),
        }
    }
}

impl<R: Read> Read for ClosedQuotes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.source.read(buffer)?;
        buffer[..count].iter().for_each(|byte| self.step(*byte));
        if count == 0 && !buffer.is_empty() && self.state == State::Quoted {
            return Err(Error::other(OpenQuote(self.opened)));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_that_is_never_closed_is_found_where_it_opens() {
        let open = |text: &str| {
            let mut all = Vec::new();
            let error = ClosedQuotes::new(text.as_bytes(), b',').read_to_end(&mut all).err()?;
            OpenQuote::of(&error).map(|open| (open.0.line, open.0.column))
        };
        for (text, place) in [
            ("id,text\nq1,\"unclosed\nq2,hello", Some((2, 4))),
            ("é,\"a\"\"", Some((1, 3))),
            ("\"a\"\"b\",c\n", None),
            ("a,5\" screen\n", None),
            ("\"two\nlines\"\r\n\"x", Some((3, 1))),
            ("", None),
        ] {
            assert_eq!(open(text), place, "{text}");
        }
    }
}
