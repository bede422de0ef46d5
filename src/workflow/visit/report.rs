//! The report of a page visit.

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
    /// The number of questions on the page.
    pub questions: usize,
    /// How often the page was loaded.
    pub loads: u32,
    /// Snapshots of the last load.
    pub looks: u32,
    /// Requests that reached the site, over all attempts.
    pub requests: u32,
    /// Files among the last attempt's requests.
    pub files: u32,
    /// Milliseconds from opening to the last snapshot.
    pub took_ms: u64,
    /// Milliseconds of that spent in this program.
    pub own_ms: u64,
    /// Milliseconds to file the answers. The browser does not wait for this.
    pub filing_ms: u64,
    /// Milliseconds between two attempts.
    pub backoff_ms: u64,
    /// Milliseconds for which the whole run paused because of this page.
    pub held_back_ms: u64,
    /// Requests by host, over all attempts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hosts: BTreeMap<String, u32>,
    /// Why the page failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The folder of the page's bundle, if points were missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<PathBuf>,
    /// Response errors that affect no wanted value.
    #[serde(skip)]
    pub idle_errors: BTreeSet<String>,
    /// Requests of the successful attempt.
    #[serde(skip)]
    pub(super) last: u32,
}

impl VisitReport {
    /// The request counts of the visit, for the plan of the next run.
    #[must_use]
    pub fn needed(&self) -> Needed {
        Needed { page: self.page.clone(), requests: self.last, files: self.files }
    }

    pub(in crate::workflow) fn of(page: &Visit) -> Self {
        Self { page: page.url.path(), questions: page.entries.len(), ..Self::default() }
    }

    /// Counts the requests of an attempt.
    pub(super) fn count(&mut self, requests: u32, hosts: &BTreeMap<String, u32>) {
        self.requests += requests;
        for (host, requests) in hosts {
            *self.hosts.entry(host.clone()).or_default() += requests;
        }
    }
}

/// The peak resident memory of this process, in MB.
pub(in crate::workflow) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

pub(in crate::workflow) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
