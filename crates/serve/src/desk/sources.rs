//! Where the desk reads its data, and how it runs commands.

use std::path::PathBuf;

use atlas_gt_core::command_line::{self, flag, typed};
use atlas_gt_core::config::StaleMonths;
use atlas_gt_core::error::Result;
use atlas_gt_truth::{Quarantined, Store};

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
    /// Flags that select the same database of traces, each behind a space.
    pub trace_flags: String,
    /// The default author of actions.
    pub by: String,
}

impl Sources {
    /// The store, if there is one.
    pub(crate) fn store(&self) -> Result<Option<Store>> {
        Store::find(&self.store)?.map(Store::with_content).transpose()
    }

    /// A command with the flags that it needs to find the same site, store and runs.
    pub(crate) fn command(&self, command: &str) -> String {
        let of_runs = ["eval", "spot-check"].iter().any(|start| command.starts_with(start));
        let runs = if of_runs { flag("runs", self.runs.display()) } else { String::new() };
        let of_traces = if command.starts_with("failures") { self.trace_flags.as_str() } else { "" };
        command_line::command(command, &format!("{}{runs}{of_traces}", self.joined_flags()))
    }

    /// The flags of every command, each behind a space.
    pub(crate) fn joined_flags(&self) -> String {
        if self.flags.is_empty() { String::new() } else { format!(" {}", typed(&self.flags)) }
    }

    /// The files of the store that cannot be read.
    ///
    /// # Errors
    /// The store cannot be read at all.
    pub fn quarantined(&self) -> Result<Vec<Quarantined>> {
        let Some(store) = Store::find(&self.store)? else { return Ok(Vec::new()) };
        store.try_all()?;
        Ok(store.quarantined())
    }
}
