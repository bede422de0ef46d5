//! JSON as files and reports have it.

use serde::Serialize;

use crate::error::{Error, Result};

/// A JSON document with two spaces of indentation, one value a line, and a final line break.
///
/// # Errors
/// A value cannot be written as JSON, which no type of ours is.
pub fn pretty(value: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map(|text| text + "\n")
        .map_err(|error| Error::Usage(error.to_string()))
}

/// A JSON document on one line, with its line break.
///
/// # Errors
/// As [`pretty`].
pub fn line(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(|error| Error::Usage(error.to_string()))
}
