//! Spot-check reports: folders with a `spot_check_report.json`, newest first.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::templates::values;
use atlas_gt_core::error::{Error, Result};
use atlas_gt_core::input;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::page::Page;
use super::sources::Sources;

/// The parts of a report that the desk shows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SpotCheck {
    pub run: String,
    pub timestamp: String,
    pub questions_checked: usize,
    pub matches: usize,
    pub mismatches: usize,
    pub causes: BTreeMap<String, usize>,
    agent: String,
    sample: Value,
    details: Vec<Value>,
}

/// All readable reports.
pub(crate) fn all(sources: &Sources) -> Result<Vec<SpotCheck>> {
    let folder = &sources.spot_checks;
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder).map_err(Error::file(folder))?;
    let folders = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).chain([folder.clone()]);
    let files: Vec<PathBuf> =
        folders.map(|folder| folder.join("spot_check_report.json")).filter(|file| file.is_file()).collect();
    let read = |file: &PathBuf| {
        let mut check: SpotCheck = serde_json::from_str(&input::text(file).ok()?).ok()?;
        // what differs first, then what is undecided
        check.details.sort_by_key(|one| match one.get("match").and_then(Value::as_bool) {
            Some(false) => 0,
            None => 1,
            Some(true) => 2,
        });
        Some(check)
    };
    let mut found: Vec<SpotCheck> = files.iter().filter_map(read).collect();
    found.sort_by(|one, other| other.timestamp.cmp(&one.timestamp));
    Ok(found)
}

pub(crate) fn page(sources: &Sources) -> Result<Page> {
    let checks = all(sources)?;
    Ok(Page {
        template: "spot_checks.html",
        values: values! { checks, folder => sources.spot_checks.display().to_string() },
    })
}
