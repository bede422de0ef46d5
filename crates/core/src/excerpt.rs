//! The excerpt of a file in a diagnostic: the line and its neighbours, cut to the width of any terminal, without
//! control characters.

use std::fmt;
use std::path::Path;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use schemars::JsonSchema;
use serde::Serialize;

/// A place in a file, counted from 1; 0 if unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl Place {
    /// The place of a byte offset in a text. The column counts characters.
    #[must_use]
    pub fn of(text: impl AsRef<[u8]>, offset: usize) -> Self {
        let text = text.as_ref();
        let before = &text[..offset.min(text.len())];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        // a character has one byte that does not continue another
        let column = 1 + before[start..].iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        Self { line: 1 + before.iter().filter(|byte| **byte == b'\n').count(), column }
    }

    /// `file:line:column`, without what is unknown.
    #[must_use]
    pub fn in_file(self, path: &Path) -> String {
        let file = path.display();
        match self {
            Self { line: 0, .. } => file.to_string(),
            Self { line, column: 0 } => format!("{file}:{line}"),
            place => format!("{file}:{place}"),
        }
    }
}

impl From<(usize, usize)> for Place {
    fn from((line, column): (usize, usize)) -> Self {
        Self { line, column }
    }
}

/// `line:column`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Maximum number of characters shown of a line.
const MAX_WIDTH: usize = 120;

/// How many of them may precede the place.
const BEFORE: usize = 50;

/// A file's text with an index of its lines.
#[derive(Debug)]
pub(crate) struct Source {
    text: String,
    /// Byte range of each line, without the line break.
    lines: Vec<(usize, usize)>,
}

/// Up to three lines of a file.
#[derive(Debug)]
pub(crate) struct Excerpt {
    text: String,
    name: String,
    place: Place,
    /// Index of the first line.
    first: usize,
    /// The marked byte range of the excerpt.
    pub(crate) span: SourceSpan,
}

impl Source {
    pub(crate) fn new(text: &str) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // Line breaks as in YAML: `\r\n` is one break.
            let is_pair = *byte == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            if matches!(byte, b'\n' | b'\r') && !is_pair {
                let is_second = *byte == b'\n' && at > start && bytes[at - 1] == b'\r';
                lines.push((start, if is_second { at - 1 } else { at }));
                start = at + 1;
            }
        }
        lines.push((start, text.len()));
        Self { text: text.to_owned(), lines }
    }

    /// The excerpt around a place; `None` if the text has no such line.
    pub(crate) fn excerpt(&self, place: Place, path: &Path) -> Option<Excerpt> {
        let at = place.line.checked_sub(1)?;
        let line = self.line(at)?;
        // The place may be beyond the end of the line.
        let column = place.column.saturating_sub(1);
        let (offset, rest) = match line.char_indices().nth(column) {
            Some((offset, _)) => (offset, &line[offset..]),
            None => (line.len(), ""),
        };
        let is_long = line.chars().nth(MAX_WIDTH).is_some();
        let before = line[..offset].chars().rev().take(if is_long { BEFORE } else { usize::MAX });
        let start = offset - before.map(char::len_utf8).sum::<usize>();
        let mut text = String::new();
        let first = at.checked_sub(1).filter(|before| self.line(*before).is_some());
        if let Some(before) = first.and_then(|before| self.line(before)) {
            put(&mut text, before, MAX_WIDTH);
            text.push('\n');
        }
        text.push_str(if start > 0 { "\u{2026}" } else { "" });
        let left = put(&mut text, &line[start..offset], MAX_WIDTH);
        let from = text.len();
        put(&mut text, &rest[..token(rest)], MAX_WIDTH - left.min(BEFORE));
        let span = SourceSpan::new(from.into(), text.len() - from);
        let drawn = left + rest[..token(rest)].chars().count();
        put(&mut text, &rest[token(rest)..], MAX_WIDTH.saturating_sub(drawn).max(1));
        if let Some(after) = self.line(at + 1) {
            text.push('\n');
            put(&mut text, after, MAX_WIDTH);
        }
        Some(Excerpt { text, name: path.display().to_string(), place, first: first.unwrap_or(at), span })
    }

    fn line(&self, at: usize) -> Option<&str> {
        let (start, end) = *self.lines.get(at)?;
        self.text.get(start..end)
    }
}

/// Appends up to `width` characters of a line and returns how many.
fn put(text: &mut String, line: &str, width: usize) -> usize {
    let mut drawn = 0;
    for c in line.chars() {
        if drawn == width {
            text.push('\u{2026}');
            break;
        }
        text.push(shown(c));
        drawn += 1;
    }
    drawn
}

/// Replaces control characters and characters that change the text direction.
fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
            char::REPLACEMENT_CHARACTER
        }
        _ => c,
    }
}

impl SourceCode for Excerpt {
    /// Returns the whole excerpt for the body, and only the place for the heading, which requests no context lines.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (name, text) = (self.name.clone(), self.text.as_bytes());
        let Place { line, column } = self.place;
        Ok(Box::new(match before {
            0 => {
                let (line, column) = (line.saturating_sub(1), column.saturating_sub(1));
                MietteSpanContents::new_named(name, &[], *span, line, column, 1)
            }
            _ => {
                let lines = self.text.lines().count();
                MietteSpanContents::new_named(name, text, (0, text.len()).into(), self.first, 0, lines)
            }
        }))
    }
}

/// Length in bytes of the string, number or bracket at the start of the line.
fn token(line: &str) -> usize {
    let mut chars = line.char_indices();
    match chars.next() {
        None => 0,
        Some((_, '"')) => {
            let mut escaped = false;
            let end = chars.find(|(_, c)| {
                let closing = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                closing
            });
            end.map_or(line.len(), |(at, _)| at + 1)
        }
        Some((_, c)) if c.is_alphanumeric() || c == '-' => {
            line.find([',', ' ', ']', '}', ':']).unwrap_or(line.len())
        }
        Some((_, c)) => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::token;

    #[test]
    fn tokens_end_where_json_ends_them() {
        for (text, length) in
            [(r#""a\"b", 1"#, 6), ("-12, 3", 3), ("[1]", 1), ("", 0), ("\"open", 5), ("true}", 4), ("é", 2)]
        {
            assert_eq!(token(text), length, "{text}");
        }
    }
}
