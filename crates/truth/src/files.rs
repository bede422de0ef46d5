//! The files of a store: JSON that people and git can read. Errors name the place in the file.

use std::fmt::Display;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

use crate::error::{Error, Result};
use atlas_gt_core::diagnostic::Place;
use atlas_gt_core::input::{json_fault, json_place, not_plain};
use atlas_gt_core::json::pretty;

/// A timestamp in whole seconds, as files have it: `2026-11-20T10:30:00Z`.
#[must_use]
pub fn time_text(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Serialises a timestamp in whole seconds.
pub fn whole_seconds<S: Serializer>(at: &Timestamp, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(&time_text(*at))
}

/// The advice for a damaged file.
const MEND: &str = "restore the file from version control, or remove the question's files and collect again";

/// A file's text; `None` if it does not exist.
pub fn optional(path: &Path) -> Result<Option<String>> {
    let Some(bytes) = optional_bytes(path)? else { return Ok(None) };
    if let Some(what) = not_plain(&bytes) {
        let message = format!("{what}; or {MEND}");
        return Err(Error::Damaged { path: path.to_owned(), place: (1, 1).into(), message });
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let place = Place::of(error.as_bytes(), error.utf8_error().valid_up_to());
        Error::Damaged { path: path.to_owned(), place, message: format!("it is not UTF-8; {MEND}") }
    })
}

/// A file's bytes; `None` if it does not exist.
pub(crate) fn optional_bytes(path: &Path) -> Result<Option<Vec<u8>>> {
    if_there(path, fs::read(path))
}

/// Maps "not found" to `None`.
pub(super) fn if_there<T>(path: &Path, read: std::io::Result<T>) -> Result<Option<T>> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(path)(error)),
    }
}

/// Length of a file; 0 if it does not exist.
pub(super) fn length(path: &Path) -> Result<u64> {
    Ok(if_there(path, fs::metadata(path))?.map_or(0, |found| found.len()))
}

/// A file's content from an offset on.
pub(super) fn tail(path: &Path, from: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if length(path)? > from {
        let mut file = fs::File::open(path).map_err(Error::file(path))?;
        let read = file.seek(SeekFrom::Start(from)).and_then(|_| file.read_to_end(&mut bytes));
        read.map_err(Error::file(path))?;
    }
    Ok(bytes)
}

/// Parses JSON. The error names the place.
pub fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T> {
    parse_or(path, text, MEND)
}

/// Like [`parse`], with what to do about a file that cannot be read.
pub fn parse_or<T: DeserializeOwned>(path: &Path, text: &str, remedy: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("{}; {remedy}", json_fault(&error));
        Error::Damaged { path: path.to_owned(), place: json_place(&error), message }
    })
}

/// JSON for a file of a store.
pub fn text<T: Serialize>(path: &Path, value: &T) -> Result<String> {
    pretty(value).map_err(unprintable(path))
}

/// JSON for a line of a log.
pub fn line<T: Serialize>(path: &Path, value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(unprintable(path))
}

fn unprintable<E: Display>(path: &Path) -> impl FnOnce(E) -> Error {
    move |error| Error::Store { path: path.to_owned(), message: format!("cannot be written: {error}") }
}
