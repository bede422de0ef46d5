//! The pages of the desk: what each shows, read from the store, the runs and the database at the moment it is asked for.

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

/// Where the desk finds what it shows, and how it starts what it does.
#[derive(Debug, Clone)]
pub struct Sources {
    /// Folder of the records.
    pub store: PathBuf,
    /// Folder of the evaluation runs.
    pub runs: PathBuf,
    /// Folder of the spot-check reports, one subfolder each.
    pub spot_checks: PathBuf,
    /// File of the strategies by field.
    pub strategies: PathBuf,
    /// Manifest that failures of production are written into.
    pub promote_to: PathBuf,
    /// The site that an agent answers about, unless a form says otherwise.
    pub agent_site: String,
    /// When a record is stale.
    pub stale_months: StaleMonths,
    /// The program that does what is done here.
    pub program: PathBuf,
    /// Flags by which it finds the same site, store and configuration.
    pub flags: Vec<String>,
    /// Who acts, unless a form says otherwise.
    pub by: String,
}

/// A page before it is text.
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
    /// How much waits there.
    count: usize,
}

impl Sources {
    /// The store, where there is one.
    pub(crate) fn store(&self) -> Result<Option<Store>> {
        Store::find(&self.store)?.map(Store::with_content).transpose()
    }

    /// The menu with what waits on each page.
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

/// An id of a request.
pub(crate) fn question_id(text: &str) -> Result<QuestionId> {
    text.parse().map_err(|_| {
        Error::Nothing(format!("`{}` is no id of a question", text.chars().take(60).collect::<String>()))
    })
}

/// The questions under review whose files can be read.
pub(crate) fn readable_reviews(store: &Store) -> Result<Vec<queue::Review>> {
    let mut all = Vec::new();
    for id in queue::ids(store)? {
        if let Ok(Some(found)) = queue::load(store, &id) {
            all.push(found);
        }
    }
    Ok(all)
}

/// What a value is of: `Largest export products, Business, India`.
pub(crate) fn about(row: &Row) -> String {
    let named = ["product", "partner", "sector", "name"].into_iter().filter_map(|key| row.text(key));
    let all = std::iter::once(row.metric.clone()).chain(named.take(1)).chain([row.country.clone()]);
    all.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A moment for people.
pub(crate) fn shown(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

/// How often, in words.
pub(crate) fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
