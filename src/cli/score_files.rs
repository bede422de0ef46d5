//! Reads the input files of the scoring commands. Every error names the file.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::input;
use crate::scoring::json::{self, JsonError};

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
    Ok(input::lines_of(path, input::reader(path)?))
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
