//! The pages of the desk. Each request reads its data from the store, the runs and the database.

pub(crate) mod acting;
pub(crate) mod actions;
pub(crate) mod changes;
pub(crate) mod inbox;
pub(crate) mod jobs;
pub(crate) mod place;
pub(crate) mod production;
pub(crate) mod progress;
pub(crate) mod promotion;
pub(crate) mod records;
pub(crate) mod review;
pub(crate) mod routes;
pub(crate) mod runs;
pub(crate) mod spot_checks;
pub(crate) mod strategies;

use std::path::PathBuf;

use atlas_gt_core::config::StaleMonths;
use atlas_gt_core::error::{Error, Result};
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_truth::{Row, Store, pending, review as queue};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// Where the desk reads its data, and how it runs commands.
#[derive(Debug, Clone)]
pub struct Sources {
    /// Folder of the records.
    pub store: PathBuf,
    /// Folder of the evaluation runs.
    pub runs: PathBuf,
    /// Folder of the spot-check reports, one per subfolder.
    pub spot_checks: PathBuf,
    /// File of the comparison strategies by field.
    pub strategies: PathBuf,
    /// Manifest for promoted production failures.
    pub promote_to: PathBuf,
    /// The site that an agent answers about, unless a form names another.
    pub agent_site: String,
    /// The age at which a record is stale.
    pub stale_months: StaleMonths,
    /// The program that runs commands.
    pub program: PathBuf,
    /// Flags that select the same site, store and configuration.
    pub flags: Vec<String>,
    /// The default author of actions.
    pub by: String,
}

/// A page before rendering.
#[derive(Debug)]
pub(crate) struct Page {
    pub template: &'static str,
    pub values: Value,
}

/// An entry of the menu.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MenuEntry {
    pub name: &'static str,
    pub path: &'static str,
    /// Number of items waiting there.
    count: usize,
}

impl Sources {
    /// The store, if there is one.
    pub(crate) fn store(&self) -> Result<Option<Store>> {
        Store::find(&self.store)?.map(Store::with_content).transpose()
    }

    /// The menu with the number of waiting items.
    pub(crate) fn menu(&self) -> Result<Vec<MenuEntry>> {
        let store = Store::find(&self.store)?;
        let (waiting, changes) = match &store {
            Some(store) => (review::waiting(store)?.len(), pending::ids(store)?.len()),
            None => (0, 0),
        };
        let pages = [
            ("Inbox", "", 0),
            ("Records", "records", 0),
            ("Review", "review", waiting),
            ("Changes", "changes", changes),
            ("Runs", "runs", 0),
            ("Spot checks", "spot-checks", 0),
            ("Production", "production", 0),
            ("Points", "points", 0),
            ("Configuration", "configuration", 0),
        ];
        Ok(pages.map(|(name, path, count)| MenuEntry { name, path, count }).to_vec())
    }
}

/// Parses a question id from a request.
pub(crate) fn question_id(text: &str) -> Result<QuestionId> {
    text.parse().map_err(|_| {
        Error::Nothing(format!("`{}` is not a question id", text.chars().take(60).collect::<String>()))
    })
}

/// All readable reviews.
pub(crate) fn readable_reviews(store: &Store) -> Result<Vec<queue::Review>> {
    let mut all = Vec::new();
    for id in queue::ids(store)? {
        if let Ok(Some(found)) = queue::load(store, &id) {
            all.push(found);
        }
    }
    Ok(all)
}

/// A value's subject: `Largest export products, Business, India`.
pub(crate) fn about(row: &Row) -> String {
    let named = ["product", "partner", "sector", "name"].into_iter().filter_map(|key| row.text(key));
    let all = std::iter::once(row.metric.clone()).chain(named.take(1)).chain([row.country.clone()]);
    all.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A timestamp for display.
pub(crate) fn shown(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

/// A count as text: `once`, `3 times`.
pub(crate) fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
