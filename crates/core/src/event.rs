//! The events of a run, as one stream. Progress bars, logs and reports consume it; a new output never touches a workflow.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Event {
    /// A run begins.
    RunStarted {
        /// Where it reads.
        site: String,
        /// Pages to visit.
        visits: usize,
        /// Questions to answer.
        questions: usize,
    },
    /// The live schema of an API was compared with the one in the project.
    SchemaCompared {
        /// The API.
        api: String,
        /// What differs and is used.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        differences: Vec<String>,
        /// The queries that are disabled because of it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        disabled: Vec<String>,
        /// Why nothing could be compared.
        #[serde(skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
    },
    /// A page is being opened.
    VisitStarted {
        /// Path of the page.
        page: String,
        /// Questions that it answers.
        questions: usize,
        /// From 1.
        attempt: u32,
    },
    /// A visit failed and will be tried again.
    VisitRetried {
        /// Path of the page.
        page: String,
        /// Why.
        cause: String,
        /// Until the next attempt.
        wait_ms: u64,
        /// Requests that reached the site meanwhile.
        requests: u32,
        /// Requests by host, including attempts to reach blocked hosts.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        hosts: BTreeMap<String, u32>,
    },
    /// The site asked us to slow down: no request is made for this long.
    HeldBack {
        /// Path of the page that got this answer.
        page: String,
        /// How long.
        wait_ms: u64,
        /// Whether the site said how long (`Retry-After`).
        asked: bool,
    },
    /// A page has been read.
    VisitFinished {
        /// Path of the page.
        page: String,
        /// From opening to the last look.
        took_ms: u64,
        /// The part of it that this program itself took.
        own_ms: u64,
        /// Looks at the page.
        looks: u32,
        /// Requests of this attempt that reached the site.
        requests: u32,
        /// Requests by host, including attempts to reach blocked hosts.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        hosts: BTreeMap<String, u32>,
    },
    /// A page could not be read.
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
    /// A question has been answered, or not.
    QuestionFinished {
        /// The question.
        question_id: String,
        /// The outcome.
        outcome: String,
        /// Why, where it failed or differs.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// A run is over.
    RunFinished {
        /// From start to end.
        took_ms: u64,
        /// Requests that reached the site: of all attempts at pages, and our own.
        requests: u64,
        /// Whether it was stopped from outside.
        interrupted: bool,
    },
}

/// Where events go.
#[derive(Clone)]
pub struct Events(Arc<dyn Fn(&Event) + Send + Sync>);

impl Events {
    /// A stream that one function consumes.
    pub fn new(consume: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        Self(Arc::new(consume))
    }

    /// A stream that nobody listens to.
    #[must_use]
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    /// Tells what happened.
    pub fn emit(&self, event: &Event) {
        (self.0)(event);
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}
