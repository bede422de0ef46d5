//! The events of a run as one stream. Progress bars, logs and reports consume it, so a new output needs no change in a
//! workflow.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// A run has started.
    RunStarted {
        /// The site; of a calibration, the judge.
        site: String,
        /// Pages to visit.
        visits: usize,
        /// Questions to answer.
        questions: usize,
    },
    /// An API's live schema was compared with the expected one.
    SchemaCompared {
        /// The API.
        api: String,
        /// Differences that affect queries.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        differences: Vec<String>,
        /// Queries that are disabled because of them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        disabled: Vec<String>,
        /// Why the comparison failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
    },
    /// A page visit has started.
    VisitStarted {
        /// Path of the page.
        page: String,
        /// Number of questions the page answers.
        questions: usize,
        /// The attempt, from 1.
        attempt: u32,
    },
    /// A page visit failed and will be retried.
    VisitRetried {
        /// Path of the page.
        page: String,
        /// Why.
        cause: String,
        /// Milliseconds until the next attempt.
        wait_ms: u64,
        /// Requests of this attempt that reached the site.
        requests: u32,
        /// Requests by host, including attempts to reach blocked hosts.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        hosts: BTreeMap<String, u32>,
    },
    /// The site asked us to slow down: no request is sent for this long.
    HeldBack {
        /// Path of the page that received this answer.
        page: String,
        /// Milliseconds to wait.
        wait_ms: u64,
        /// Whether the site gave the duration (`Retry-After`).
        asked: bool,
    },
    /// A page visit succeeded.
    VisitFinished {
        /// Path of the page.
        page: String,
        /// Milliseconds from opening the page to the last snapshot.
        took_ms: u64,
        /// Milliseconds of that in which this program itself was working.
        own_ms: u64,
        /// Number of snapshots.
        looks: u32,
        /// Requests of this attempt that reached the site.
        requests: u32,
        /// Requests by host, including attempts to reach blocked hosts.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        hosts: BTreeMap<String, u32>,
    },
    /// A page visit failed for good.
    VisitFailed {
        /// Path of the page.
        page: String,
        /// Why.
        cause: String,
        /// Requests of this attempt that reached the site.
        requests: u32,
        /// Requests by host, including attempts to reach blocked hosts.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        hosts: BTreeMap<String, u32>,
    },
    /// A question is finished, answered or not.
    QuestionFinished {
        /// The question.
        question_id: String,
        /// The outcome.
        outcome: String,
        /// Why it failed or differs.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// A run has ended.
    RunFinished {
        /// Milliseconds from start to end.
        took_ms: u64,
        /// Requests that reached the site: all page visits with retries, and our own.
        requests: u64,
        /// Whether a signal stopped it.
        interrupted: bool,
    },
}

/// The receiver of events.
#[derive(Clone)]
pub struct Events(Arc<dyn Fn(&Event) + Send + Sync>);

impl Events {
    /// A stream with one consumer.
    pub fn new(consume: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        Self(Arc::new(consume))
    }

    /// A stream without a consumer.
    #[must_use]
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    /// Sends an event.
    pub fn emit(&self, event: &Event) {
        (self.0)(event);
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}
