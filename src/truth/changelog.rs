//! `changelog.jsonl`: what a value was before it was replaced (evaluation strategy, section 4.4).

use std::path::PathBuf;

use jiff::Timestamp;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::atomic;
use super::checks::integer_or_text;
use super::record::{Row, SourceMethod, whole_seconds};
use super::store::{Store, optional};
use crate::error::{Error, Result};
use crate::manifest::QuestionId;

/// One value that was replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub timestamp: Timestamp,
    /// The question.
    #[serde(serialize_with = "integer_or_text")]
    pub question_id: QuestionId,
    /// The value's field in the record: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// What it was: an integer when it stands for one, else the text; null when there was no row.
    pub old: Value,
    /// What it is now; null when the row is gone.
    pub new: Value,
    /// Where the new value comes from.
    pub source: SourceMethod,
    /// Why it was forced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A row as the changelog tells it.
pub(super) fn told(row: Option<&Row>) -> Value {
    let Some(row) = row else { return Value::Null };
    let integer = row.number.filter(|number| number.fract().is_zero()).and_then(|number| number.to_i64());
    match integer {
        Some(number) => number.into(),
        None => row.shown().into(),
    }
}

fn path(store: &Store) -> PathBuf {
    store.dir().join("changelog.jsonl")
}

/// Adds one entry.
pub(super) fn append(store: &Store, entry: &Entry) -> Result<()> {
    store.writable()?;
    let path = path(store);
    let line = serde_json::to_string(entry).map_err(|error| Error::Store {
        path: path.clone(),
        message: format!("cannot be written: {error}"),
    })?;
    atomic::append_line(&path, &line)
}

/// All entries in the file's order; a line that a killed run left torn is passed over.
///
/// # Errors
/// When the file is there and cannot be read.
pub fn read(store: &Store) -> Result<Vec<Entry>> {
    let text = optional(&path(store))?.unwrap_or_default();
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
