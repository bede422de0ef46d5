//! The comparison strategies by field of a JSON answer: one file, which `score json --strategies` reads.

use std::collections::BTreeMap;
use std::path::Path;

use crate::templates::values;
use atlas_gt_core::atomic_file::write_atomic;
use atlas_gt_core::error::{Error, Result};
use atlas_gt_core::input;
use atlas_gt_core::json::pretty;
use atlas_gt_scoring::json::parse_strategies;
use serde::Serialize;
use serde_json::Value;

use super::page::Page;
use super::sources::Sources;

/// The valid strategies.
pub(crate) const STRATEGIES: [&str; 6] = ["EXACT", "FUZZY", "SEMANTIC", "NUMERIC", "DISPLAY", "IGNORE"];

fn read(path: &Path) -> Result<BTreeMap<String, Value>> {
    if !path.is_file() {
        return Ok(BTreeMap::new());
    }
    let text = input::text(path)?;
    checked(&text).map_err(|why| Error::syntax(path, (1, 1), why))
}

/// Parses strategies as the scorer does.
fn checked(text: &str) -> std::result::Result<BTreeMap<String, Value>, String> {
    parse_strategies(text.as_bytes()).map_err(|error| error.to_string())?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn write(path: &Path, strategies: &BTreeMap<String, Value>) -> Result<()> {
    let text = pretty(strategies)?;
    checked(&text).map_err(Error::Usage)?;
    write_atomic(path, text.as_bytes())
}

/// Adds or replaces the strategy of a field.
pub(crate) fn set(path: &Path, field: &str, strategy: &str) -> Result<()> {
    let field = field.trim();
    if field.is_empty() || !STRATEGIES.contains(&strategy) {
        return Err(Error::Usage("enter a field and one of the strategies".to_owned()));
    }
    let mut all = read(path)?;
    all.insert(field.to_owned(), strategy.into());
    write(path, &all)
}

/// Removes the strategy of a field.
pub(crate) fn remove(path: &Path, field: &str) -> Result<()> {
    let mut all = read(path)?;
    all.remove(field).ok_or_else(|| Error::Nothing(format!("`{field}` has no strategy")))?;
    write(path, &all)
}

/// Replaces all strategies by pasted ones.
pub(crate) fn import(path: &Path, text: &str) -> Result<()> {
    write(path, &checked(text).map_err(Error::Usage)?)
}

/// The content of the file.
pub(crate) fn export(path: &Path) -> Result<String> {
    pretty(&read(path)?)
}

/// A scored pair of truth and answer.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Tried {
    pub truth: String,
    pub answer: String,
    pub command: String,
    pub result: String,
}

impl Default for Tried {
    fn default() -> Self {
        Self {
            truth: "{\"gdp\": 378, \"name\": \"Kenya\"}".to_owned(),
            answer: "{\"gdp\": 378, \"name\": \"kenya\"}".to_owned(),
            command: String::new(),
            result: String::new(),
        }
    }
}

pub(crate) fn page(sources: &Sources, tried: &Tried) -> Result<Page> {
    let rows: Vec<(String, String)> = read(&sources.strategies)?
        .into_iter()
        .map(|(field, strategy)| {
            (field, strategy.as_str().map_or_else(|| strategy.to_string(), str::to_owned))
        })
        .collect();
    let values = values! {
        rows, strategies => STRATEGIES.to_vec(), file => sources.strategies.display().to_string(), tried,
    };
    Ok(Page { template: "configuration.html", values })
}
