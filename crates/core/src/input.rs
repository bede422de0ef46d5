//! Text files and standard input: UTF-8, with or without a byte order mark. Other encodings are named in the error,
//! never guessed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::excerpt::Place;

/// The UTF-8 byte order mark, which some editors write.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a text file.
///
/// # Errors
/// It cannot be read, or is not UTF-8. The error names the place.
pub fn text(path: &Path) -> Result<String> {
    decoded(path, std::fs::read(path).map_err(Error::named(path))?)
}

/// Reads a file without its byte order mark. The caller's parser reports invalid UTF-8.
///
/// # Errors
/// It cannot be read, or has another encoding.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = std::fs::read(path).map_err(Error::named(path))?;
    if let Some(what) = other_encoding(&bytes) {
        return Err(Error::syntax(path, (1, 1), what));
    }
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    Ok(bytes)
}

/// The files in a folder with this extension, sorted by name.
///
/// # Errors
/// The folder cannot be read.
pub fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(Error::named(folder))?;
    let mut paths: Vec<_> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    paths.sort();
    Ok(paths)
}

/// Reads standard input as text.
///
/// # Errors
/// See [`text`].
pub fn standard_input() -> Result<String> {
    let name = Path::new("standard input");
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(Error::file(name))?;
    decoded(name, bytes)
}

/// Opens a file, or standard input for `-`, after its byte order mark.
///
/// # Errors
/// See [`bytes`].
pub fn reader(path: &Path) -> Result<Box<dyn BufRead>> {
    const BUFFER: usize = 1 << 20;
    let mut file: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(BufReader::with_capacity(BUFFER, std::io::stdin()))
    } else {
        Box::new(BufReader::with_capacity(BUFFER, File::open(path).map_err(Error::named(path))?))
    };
    let first = file.fill_buf().map_err(Error::named(path))?;
    if let Some(what) = other_encoding(first) {
        return Err(Error::syntax(path, (1, 1), what));
    }
    let mark = if first.starts_with(MARK) { MARK.len() } else { 0 };
    file.consume(mark);
    Ok(file)
}

/// The name of a file in errors: `-` is `standard input`.
#[must_use]
pub fn shown(path: &Path) -> &Path {
    if path.as_os_str() == "-" { Path::new("standard input") } else { path }
}

/// Bytes without the byte order mark of UTF-8.
#[must_use]
pub fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// Why bytes are not UTF-8 without a byte order mark; `None` if they may be.
#[must_use]
pub fn not_plain(bytes: &[u8]) -> Option<&'static str> {
    let marked = bytes
        .starts_with(MARK)
        .then_some("it starts with a byte order mark: save the file as UTF-8 without one");
    other_encoding(bytes).or(marked)
}

/// Detects UTF-16 and UTF-32, by their byte order mark or by zero bytes between ASCII characters.
fn other_encoding(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => "this is UTF-32: save the file as UTF-8",
        [1..=255, 0, 0, 0, ..] | [0, 0, 0, 1..=255, ..] => "this is UTF-32: save the file as UTF-8",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "this is UTF-16: save the file as UTF-8",
        [1..=255, 0, 1..=255, 0, ..] | [0, 1..=255, 0, 1..=255, ..] => {
            "this is UTF-16: save the file as UTF-8"
        }
        [1..=255, 0] | [0, 1..=255] => "this is UTF-16: save the file as UTF-8",
        _ => return None,
    })
}

fn decoded(path: &Path, bytes: Vec<u8>) -> Result<String> {
    if let Some(what) = other_encoding(&bytes) {
        return Err(Error::syntax(path, (1, 1), what));
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::syntax_at(path, error.as_bytes(), at, "invalid UTF-8: save the file as UTF-8")
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..MARK.len());
    }
    Ok(text)
}

/// The lines of a text that are not blank, with their numbers.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty())
}

/// The lines of a source that are not blank, one at a time, with their numbers. `path` is the name of the source.
pub fn lines_of<'p>(
    path: &'p Path,
    source: impl BufRead + 'p,
) -> impl Iterator<Item = Result<(usize, Vec<u8>)>> + 'p {
    let lines = source.split(b'\n').zip(1..).map(move |(text, number)| {
        let mut text = text.map_err(Error::file(path))?;
        text.truncate(text.trim_ascii_end().len());
        Ok((number, text))
    });
    lines.filter(|line| !matches!(line, Ok((_, text)) if text.is_empty()))
}

/// Parses a line of JSON lines. `what` names what it should be.
///
/// # Errors
/// It is not that. The error names the place.
pub fn json_line<T: DeserializeOwned>(path: &Path, (number, line): (usize, &str), what: &str) -> Result<T> {
    serde_json::from_str(line).map_err(|error| {
        Error::syntax(
            path,
            (number, json_place(&error).column),
            format!("not {what}: {}", json_fault(&error)),
        )
    })
}

/// The place of an error of `serde_json`, which counts from 0 at the end of a text that is cut off.
#[must_use]
pub fn json_place(error: &serde_json::Error) -> Place {
    Place { line: error.line().max(1), column: error.column().max(1) }
}

/// What is wrong with a JSON document, without the place (the error names it) and without names of our types.
#[must_use]
pub fn json_fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // of a word that begins like `null`, `true` or `false`
    if text.starts_with("expected ident") {
        return "it is not JSON".to_owned();
    }
    fault(text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message))
}

/// A message of serde without names of our types.
pub(crate) fn fault(text: &str) -> String {
    let mut words = text.split(' ').peekable();
    let mut said: Vec<&str> = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "struct" | "map" => {
                said.extend(["a", "JSON", "object"]);
                if word == "struct" {
                    words.next();
                }
            }
            "usize" | "u64" | "u32" | "u16" | "u8" => said.extend(["a", "whole", "number"]),
            "i64" | "i32" | "i16" | "i8" => said.extend(["an", "integer"]),
            "f64" | "f32" => said.extend(["a", "number"]),
            // `expected a map` already has its article.
            "a" if words.peek() == Some(&"map") => {}
            word => said.push(word),
        }
    }
    said.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn a_mark_is_left_out_and_other_encodings_are_named() {
        for plain in ["{\"é\": 1}\n", "", "世", "a"] {
            for mark in [&b""[..], MARK] {
                let (_folder, path) = written(&[mark, plain.as_bytes()].concat());
                assert_eq!(text(&path).unwrap(), plain);
                assert_eq!(bytes(&path).unwrap(), plain.as_bytes());
                let mut all = Vec::new();
                reader(&path).unwrap().read_to_end(&mut all).unwrap();
                assert_eq!(all, plain.as_bytes());
            }
        }
        let units = |order: fn(u16) -> [u8; 2], mark: bool| -> Vec<u8> {
            let text = if mark { "\u{feff}{\"é\": 1}" } else { "{\"é\": 1}" };
            text.encode_utf16().flat_map(order).collect()
        };
        for (wide, name) in [
            (units(u16::to_le_bytes, true), "UTF-16"),
            (units(u16::to_be_bytes, true), "UTF-16"),
            (units(u16::to_le_bytes, false), "UTF-16"),
            (units(u16::to_be_bytes, false), "UTF-16"),
            ("{}".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(), "UTF-32"),
        ] {
            let (_folder, path) = written(&wide);
            for error in [text(&path).err(), bytes(&path).err(), reader(&path).err()] {
                let error = error.unwrap();
                let said = error.to_string();
                assert!(
                    said.contains("a.json:1:1") && said.contains(name) && said.contains("UTF-8"),
                    "{said}"
                );
                assert_eq!(error.exit() as u8, 2);
            }
        }
        let (_folder, path) = written(b"{\n \"\xc3\xa9\": \"\xff\"}");
        assert!(text(&path).unwrap_err().to_string().contains("a.json:2:8: invalid UTF-8"));
    }

    #[test]
    fn what_is_wrong_with_json_is_said_without_our_types_and_without_its_place() {
        #[derive(Debug, serde::Deserialize)]
        struct Line {
            #[expect(dead_code, reason = "only read")]
            id: u8,
        }
        for (text, said) in [
            ("{", "EOF while parsing an object"),
            ("\"x\"", "invalid type: string \"x\", expected a JSON object"),
            ("{\"id\": \"x\"}", "invalid type: string \"x\", expected a whole number"),
            ("{}", "missing field `id`"),
        ] {
            assert_eq!(json_fault(&serde_json::from_str::<Line>(text).unwrap_err()), said);
        }
        let map = serde_json::from_str::<std::collections::BTreeMap<String, u8>>("3").unwrap_err();
        assert_eq!(json_fault(&map), "invalid type: integer `3`, expected a JSON object");
    }
}
