//! Plan: the cost of a collection, before the first request.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::request_estimates::RequestEstimates;
use crate::acquire::Rate;
use crate::extract::Extractors;

use crate::manifest::{Entry, Manifest, QuestionId, visits};

/// Measured memory of a browser session, in MB, without the tool.
const SESSION_MB: u32 = 190;
/// Measured memory of the tool itself, in MB.
const TOOL_MB: u32 = 100;

/// The cost of a collection.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Plan {
    /// Pages to load, in order.
    pub visits: Vec<PlannedVisit>,
    /// Questions that the visits answer.
    pub questions: usize,
    /// Requests that the pages are expected to make.
    pub page_requests: u32,
    /// The share of these for files that each browser requests once, on its first page.
    pub file_requests: u32,
    /// Our own requests: robots.txt, and the schemas of both APIs, once a day.
    pub own_requests: u32,
    /// All requests that reach the site.
    pub requests: u32,
    /// Requests per minute.
    pub rate: u32,
    /// Minutes that the request budget alone takes. The page visits take additional time.
    pub minutes: f64,
    /// The number of parallel browsers.
    pub sessions: usize,
    /// Memory of tool and browsers, in MB.
    pub memory_mb: u32,
    /// Data points by method.
    pub methods: BTreeMap<String, usize>,
    /// Questions with a value that no response holds. Only a browser can refresh them.
    pub browser_only: Vec<String>,
    /// Questions with a value that no page shows. Our own queries answer them, so their records
    /// never score an agent that queries the same API.
    pub own_queries: Vec<String>,
    /// Questions answered without a visit.
    pub without_visit: Vec<String>,
    /// Questions without a page and without an expected behavior.
    pub without_page: Vec<String>,
    /// Questions that wait for a future extractor, with the reason.
    pub planned: Vec<QuestionReason>,
    /// Questions whose stored answer should be checked on the live page, with the reason.
    pub suspect: Vec<QuestionReason>,
    /// Questions without a page, with the expected behavior.
    pub expected_behavior: Vec<QuestionBehavior>,
    /// The flags that select the questions, for the command that collects them.
    #[serde(skip)]
    pub selection: String,
}

/// A question, with the reason why a report names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct QuestionReason {
    /// The question.
    pub question_id: QuestionId,
    /// The reason.
    pub reason: String,
}

impl QuestionReason {
    pub(super) fn new(entry: &Entry, reason: &str) -> Self {
        Self { question_id: entry.question_id.clone(), reason: reason.to_owned() }
    }
}

/// A question without a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct QuestionBehavior {
    /// The question.
    pub question_id: QuestionId,
    /// What a right answer does.
    pub expected_behavior: String,
}

/// One page of a plan.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct PlannedVisit {
    /// Path of the page.
    pub page: String,
    /// Questions on this page.
    pub questions: Vec<String>,
    /// Expected requests, without files that the browser caches.
    pub requests: u32,
    /// Whether the estimate is based on an earlier visit.
    pub counted: bool,
}

/// The resources of a collection.
#[derive(Debug, Clone, Copy)]
pub struct Means<'a> {
    /// Estimates of the requests per page.
    pub estimates: &'a RequestEstimates,
    /// The request budget.
    pub rate: &'a Rate,
    /// Requests per minute that the budget allows.
    pub per_minute: u32,
    /// The number of parallel browsers.
    pub sessions: usize,
    /// Our own requests that are known in advance.
    pub own_requests: u32,
}

/// Plans a collection.
#[must_use]
pub fn plan(manifest: &Manifest, extractors: &Extractors, means: Means<'_>) -> Plan {
    let entries = &manifest.entries;
    let Means { estimates, rate, per_minute, sessions, own_requests } = means;
    let pages = visits(entries);
    let (page_requests, file_requests) = estimates.of_pages(&pages, extractors, sessions);
    let visits: Vec<PlannedVisit> = pages
        .into_iter()
        .map(|visit| {
            let page = visit.url.path();
            let (requests, counted) = estimates.of_visit(&visit, extractors);
            let mut questions: Vec<String> =
                visit.entries.iter().map(|entry| entry.question().to_string()).collect();
            questions.dedup();
            PlannedVisit { page, questions, requests, counted }
        })
        .collect();
    let mut methods: BTreeMap<String, usize> = BTreeMap::new();
    let mut browser_only = Vec::new();
    for entry in entries.iter().filter(|entry| entry.is_collected()) {
        for read in entry.readings() {
            let Some(extractor) = extractors.get(&read.extractor) else { continue };
            for kind in read.data_points.iter().filter_map(|id| extractor.kind(id)) {
                *methods.entry(kind.method().to_string()).or_default() += 1;
            }
        }
        if extractors.is_browser_only(entry) {
            browser_only.push(entry.question_id.to_string());
        }
    }
    let is_own = |entry: &&Entry| entry.is_collected() && extractors.is_own(entry);
    let own_queries = entries.iter().filter(is_own).map(|entry| entry.question_id.to_string()).collect();
    let requests = page_requests + own_requests;
    let over = f64::from(requests.saturating_sub(rate.burst()));
    let id = |entry: &Entry| entry.question_id.to_string();
    Plan {
        selection: String::new(),
        questions: visits.iter().flat_map(|visit| &visit.questions).collect::<BTreeSet<_>>().len(),
        page_requests,
        file_requests,
        own_requests,
        requests,
        rate: per_minute,
        minutes: (over / f64::from(rate.sustained().max(1)) * 10.0).round() / 10.0,
        sessions: sessions.min(visits.len().max(1)),
        memory_mb: TOOL_MB
            + SESSION_MB * u32::try_from(sessions.min(visits.len().max(1))).unwrap_or(u32::MAX / SESSION_MB),
        methods,
        browser_only,
        own_queries,
        without_visit: entries
            .iter()
            .filter(|entry| !entry.visit && entry.planned.is_none())
            .map(id)
            .collect(),
        without_page: manifest
            .behaviors
            .iter()
            .filter(|one| one.expected().is_none())
            .map(|one| one.question_id.to_string())
            .collect(),
        suspect: entries
            .iter()
            .filter_map(|entry| Some(QuestionReason::new(entry, entry.suspect.as_deref()?)))
            .collect(),
        expected_behavior: manifest
            .behaviors
            .iter()
            .filter_map(|one| {
                let question_id = one.question_id.clone();
                Some(QuestionBehavior { question_id, expected_behavior: one.expected()? })
            })
            .collect(),
        planned: manifest.planned().map(|(entry, reason)| QuestionReason::new(entry, reason)).collect(),
        visits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::load;
    use crate::truth::{Channel, PointProvenance, Provenance, Record, Site, Store, file_reading};
    use crate::value::Context;
    use crate::workflow::refresh::{ChangeSelection, choose};

    #[test]
    fn plan_and_refresh_name_the_same_questions_that_only_a_browser_can_refresh() {
        let extractors = Extractors::built_in().unwrap();
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
        let manifest = load(&path, &extractors).unwrap();
        let (estimates, rate) = (RequestEstimates::default(), Rate::new(120));
        let means =
            Means { estimates: &estimates, rate: &rate, per_minute: 120, sessions: 2, own_requests: 3 };
        let plan = plan(&manifest, &extractors, means);

        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Site::Twin).unwrap();
        let now = jiff::Timestamp::UNIX_EPOCH;
        for entry in manifest.collected() {
            let record: Record = serde_json::from_value(serde_json::json!({
                "question_id": entry.question_id, "execution_timestamp": now, "source": "",
                "source_method": "graphql_api", "site": "twin", "results": { "data": [{ "value": "$1" }] },
            }))
            .unwrap();
            let row = &record.results.data[0];
            let points = vec![PointProvenance::of_row(row, Context::default(), Channel::Api, now)];
            file_reading(&store, &record, &Provenance::of_points(&record, points), now).unwrap();
        }
        let chosen =
            choose(&store, &manifest.entries, &extractors, &ChangeSelection::default(), now).unwrap();
        assert_eq!(plan.browser_only, chosen.browser_only);
        assert!((1..plan.questions).contains(&plan.browser_only.len()), "{:?}", plan.browser_only);
    }
}
