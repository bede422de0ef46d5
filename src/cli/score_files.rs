//! Reads the input files of the scoring commands. Every error names the file.

use std::io::BufRead;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::agent::answer_rows;
use crate::error::{Error, Result};
use crate::input;
use crate::scoring::json::{self, JsonError};
use atlas_gt_core::csv_rows::is_csv;

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

/// A recorded answer with its line number. It is JSON, or the reason why it is not.
pub type FileDocument = (usize, std::result::Result<Vec<u8>, String>);

/// The recorded answers of a JSON lines file, or of a CSV file with a header row. The first
/// character tells which. See [`answer_rows`].
///
/// # Errors
/// The file cannot be read, or the header row of a CSV file lacks a field.
pub fn documents(path: &Path) -> Result<Box<dyn Iterator<Item = Result<FileDocument>> + '_>> {
    let mut source = input::reader(path)?;
    let path = input::shown(path);
    let begin = source.fill_buf().map_err(Error::file(path))?;
    if !is_csv(begin) {
        return Ok(Box::new(
            lines_of(path, source).map(|line| line.map(|(number, text)| (number, Ok(text)))),
        ));
    }
    let rows = answer_rows(path, source)?.map(|row| {
        let (line, fields) = row?;
        let json = fields.and_then(|all| serde_json::to_vec(&all).map_err(|error| error.to_string()));
        Ok((line, json))
    });
    Ok(Box::new(rows))
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
