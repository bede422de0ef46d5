//! Reads the input files of the scoring commands. Every error names the file.

use std::io::BufRead;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::input;
use crate::scoring::json::{self, JsonError};
use atlas_gt_core::csv_quotes::{ClosedQuotes, OpenQuote};

/// Reads JSON of a known type, strictly.
///
/// # Errors
/// The file cannot be read or parsed. A syntax error has file name, line and column.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    json::read(&input::bytes(path)?).map_err(|error| syntax(path, &error))
}

/// The documents of a JSON lines file, one at a time, with line numbers. Skips blank lines.
///
/// # Errors
/// The file cannot be read.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(usize, Vec<u8>)>> + '_> {
    Ok(lines_of(path, input::reader(path)?))
}

fn lines_of<'p>(
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

/// A document of a file with many, with its line number. It is JSON, or the reason why it is not.
pub type FileDocument = (usize, std::result::Result<Vec<u8>, String>);

/// The documents of a JSON lines file, or of a CSV file with a header row. The first character
/// tells which. A CSV row becomes an object of strings, without empty fields other than `answer`.
///
/// # Errors
/// The file cannot be read, or the header row of a CSV file lacks a `needed` field.
pub fn documents<'p>(
    path: &'p Path,
    needed: &[&str],
) -> Result<Box<dyn Iterator<Item = Result<FileDocument>> + 'p>> {
    let mut source = input::reader(path)?;
    let path = input::shown(path);
    let begin = source.fill_buf().map_err(Error::file(path))?;
    if matches!(begin.trim_ascii_start().first(), None | Some(b'{' | b'[')) {
        return Ok(Box::new(
            lines_of(path, source).map(|line| line.map(|(number, text)| (number, Ok(text)))),
        ));
    }
    // where lines end with CRLF, a row's position is still that of the line before, at its LF
    let lf = begin.iter().position(|byte| *byte == b'\n').and_then(|at| at.checked_sub(1));
    let missed = usize::from(lf.is_some_and(|before| begin.get(before) == Some(&b'\r')));
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(ClosedQuotes::new(source, b','));
    let line_of = move |at: Option<&csv::Position>| {
        at.map_or(0, |at| usize::try_from(at.line()).unwrap_or_default() + missed)
    };
    let fault = move |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(source) => match OpenQuote::of(&source) {
            Some(open) => Error::syntax(path, (open.line, open.column), open.to_string()),
            None => Error::file(path)(source),
        },
        csv::ErrorKind::Utf8 { pos, err } => {
            Error::syntax(path, (line_of(pos.as_ref()), 1), format!("{err}: save the file as UTF-8"))
        }
        other => Error::Usage(format!("{}: {other:?}", path.display())),
    };
    let names = reader.headers().map_err(fault)?.clone();
    let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    if let Some(lacking) = needed.iter().find(|needed| !names.iter().any(|name| name == *needed)) {
        let message = format!(
            "the header row lacks the field `{lacking}`: it has `{}`; fields are separated by commas",
            names.join("`, `")
        );
        return Err(Error::syntax(path, (1, 1), message));
    }
    if let Some(twice) = names.iter().zip(1..).find(|(name, at)| names[*at..].contains(name)) {
        return Err(Error::syntax(path, (1, 1), format!("the header row has the field `{}` twice", twice.0)));
    }
    let rows = reader.into_records().map(move |row| {
        let row = row.map_err(fault)?;
        Ok((line_of(row.position()), object(&names, &row)))
    });
    Ok(Box::new(rows))
}

/// Converts a CSV row to a JSON object.
fn object(names: &[String], row: &csv::StringRecord) -> std::result::Result<Vec<u8>, String> {
    if row.len() > names.len() {
        let (fields, named) = (row.len(), names.len());
        return Err(format!(
            "{fields} fields, but the header row has {named}: quote fields that contain a comma"
        ));
    }
    // an empty answer is an answer, and scores 0
    let fields = names.iter().zip(row).filter(|(name, text)| !text.is_empty() || *name == "answer");
    let object: serde_json::Map<String, serde_json::Value> =
        fields.map(|(name, text)| (name.clone(), text.into())).collect();
    serde_json::to_vec(&object).map_err(|error| error.to_string())
}

/// Parses a document from one of the [`lines`].
///
/// # Errors
/// A syntax error with file name, line and column.
pub fn document<T: DeserializeOwned>(path: &Path, line: usize, text: &[u8]) -> Result<T> {
    json::read(text).map_err(|error| syntax(path, &JsonError { line, ..error }))
}

/// A JSON error with the file name.
pub fn syntax(path: &Path, error: &JsonError) -> Error {
    Error::syntax(path, (error.line, error.column), error.message.as_str())
}
