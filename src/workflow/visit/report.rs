//! What a visit took.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::manifest::Visit;
use crate::workflow::request_estimates::Needed;

/// One page of a run.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct VisitReport {
    /// Path of the page.
    pub page: String,
    /// Questions that it answers.
    pub questions: usize,
    /// Times that it was loaded.
    pub loads: u32,
    /// Looks of the last load.
    pub looks: u32,
    /// Requests that reached the site, of all attempts.
    pub requests: u32,
    /// Of the last attempt's, files and not queries.
    pub files: u32,
    /// Milliseconds from opening to the last look.
    pub took_ms: u64,
    /// Milliseconds of that spent in this program itself.
    pub own_ms: u64,
    /// Milliseconds to file it; the browser does not wait.
    pub filing_ms: u64,
    /// Milliseconds between two attempts.
    pub backoff_ms: u64,
    /// Milliseconds for which nothing was asked of the site because of this page.
    pub held_back_ms: u64,
    /// Requests by host, of all attempts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hosts: BTreeMap<String, u32>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Folder with page, picture and responses, when something was missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<PathBuf>,
    /// Errors of its responses that nothing wanted rests on.
    #[serde(skip)]
    pub idle_errors: BTreeSet<String>,
    /// Requests of the attempt that succeeded.
    #[serde(skip)]
    pub(super) last: u32,
}

impl VisitReport {
    /// What the visit asked of the site, for the plan of the next run.
    #[must_use]
    pub fn needed(&self) -> Needed {
        Needed { page: self.page.clone(), requests: self.last, files: self.files }
    }

    pub(in crate::workflow) fn of(page: &Visit) -> Self {
        Self { page: page.url.path(), questions: page.entries.len(), ..Self::default() }
    }

    /// Counts what an attempt asked.
    pub(super) fn count(&mut self, requests: u32, hosts: &BTreeMap<String, u32>) {
        self.requests += requests;
        for (host, requests) in hosts {
            *self.hosts.entry(host.clone()).or_default() += requests;
        }
    }
}

/// The high-water mark of this process's resident memory, in MB.
pub(in crate::workflow) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

pub(in crate::workflow) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
