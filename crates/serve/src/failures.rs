//! The weekly failure review (evaluation strategy 5.3): requests with an error, and those slower than the 95th
//! percentile of seven days, grouped by failure, with people's verdicts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use atlas_gt_core::evidence::Hash;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::database::{Database, DatabaseResult, on_both};
use crate::metrics::slow_ms;
use crate::traces::{FailedRow, Traces};
use crate::window::Window;

/// Maximum number of requests in a review, newest first.
const MAX_ROWS: usize = 50_000;

/// The class of a failure.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// A question that the evaluation lacks. It is added with its truth and stays a regression target.
    EvalCandidate,
    /// A known limitation of the agent: documented, not evaluated.
    KnownLimitation,
    /// Timeouts, connections, databases: fixed in operation.
    Infrastructure,
}

atlas_gt_core::words!(FailureClass);

/// A person's verdict on a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FailureReview {
    /// Its class.
    pub class: FailureClass,
    /// Who decided.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub reason: String,
    /// The evaluation question it was promoted to.
    pub question_id: Option<String>,
}

/// A failure with all its occurrences.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct FailureGroup {
    /// Its key in commands, derived from question and error.
    pub failure: String,
    /// The question, as last asked.
    pub question: String,
    /// The last error; `None` for a slow answer.
    pub error: Option<String>,
    /// Number of occurrences.
    pub count: u64,
    /// Time of the first occurrence.
    pub first: Timestamp,
    /// Time of the last occurrence.
    pub last: Timestamp,
    /// The longest latency.
    pub slowest_ms: Option<i32>,
    /// The pipelines.
    pub pipelines: Vec<String>,
    /// Ids of the newest traces, at most five.
    pub traces: Vec<String>,
    /// The class that the error's words suggest.
    pub suggested: FailureClass,
    /// The current verdict.
    pub review: Option<FailureReview>,
    /// Verdicts that were replaced or undone, latest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<FailureReview>,
}

/// The failures of a period.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct FailureReport {
    /// Start of the period.
    pub since: Timestamp,
    /// End of the period.
    pub until: Timestamp,
    /// Requests that failed or were slow.
    pub requests: u64,
    /// The limit for slow requests: the 95th percentile of seven days; `None` if no request has a latency.
    pub slow_ms: Option<f64>,
    /// Whether all requests are included. Beyond fifty thousand, the oldest are not.
    pub complete: bool,
    /// The failures, most frequent first.
    pub failures: Vec<FailureGroup>,
}

impl FailureReport {
    /// Failures without a review.
    pub fn waiting(&self) -> impl Iterator<Item = &FailureGroup> {
        self.failures.iter().filter(|failure| failure.review.is_none())
    }
}

/// Collects the failures since a time.
///
/// # Errors
/// The database cannot be read.
pub async fn failures(
    database: &Database,
    traces: &Traces,
    window: &Arc<Window>,
    since: Timestamp,
    now: Timestamp,
) -> DatabaseResult<FailureReport> {
    window.refresh(traces, now.as_millisecond()).await?;
    let slow_ms = slow_ms(window, now);
    let reviews = reviews(database).await?;
    let mut requests = 0;
    let mut groups: BTreeMap<String, FailureGroup> = BTreeMap::new();
    // The newest come first, so each group has the latest texts.
    let take = |row: FailedRow| {
        requests += 1;
        let failure = key(&row.question, row.error.as_deref());
        let at = Timestamp::from_millisecond(row.at).unwrap_or(now);
        let group =
            groups.entry(failure).or_insert_with_key(|failure| new_group(failure, &row, at, &reviews));
        group.count += 1;
        group.first = group.first.min(at);
        group.slowest_ms = group.slowest_ms.max(row.latency_ms);
        if let Some(pipeline) = row.pipeline.filter(|pipeline| !group.pipelines.contains(pipeline)) {
            group.pipelines.push(pipeline);
        }
        if group.traces.len() < 5 {
            group.traces.push(row.id);
        }
    };
    traces.failed(since.as_millisecond(), slow_ms.unwrap_or(f64::MAX), MAX_ROWS as i64, take).await?;
    let mut failures: Vec<FailureGroup> = groups.into_values().collect();
    failures.sort_by(|a, b| b.count.cmp(&a.count).then(b.last.cmp(&a.last)).then(a.failure.cmp(&b.failure)));
    let complete = requests < MAX_ROWS;
    Ok(FailureReport { since, until: now, requests: requests as u64, slow_ms, complete, failures })
}

fn new_group(
    failure: &str,
    row: &FailedRow,
    at: Timestamp,
    reviews: &BTreeMap<String, FailureReviews>,
) -> FailureGroup {
    let FailureReviews { now, earlier } = reviews.get(failure).cloned().unwrap_or_default();
    FailureGroup {
        failure: failure.to_owned(),
        question: row.question.clone(),
        error: row.error.clone(),
        count: 0,
        first: at,
        last: at,
        slowest_ms: None,
        pipelines: Vec::new(),
        traces: Vec::new(),
        suggested: suggested(row.error.as_deref()),
        review: now,
        earlier,
    }
}

/// Normalizes a question: lower case, single spaces, no punctuation at the end.
fn normalized(question: &str) -> String {
    let words = question.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    words.trim_end_matches(['?', '.', '!', ' ']).to_owned()
}

/// The similarity of two questions: the share of words they have in common.
#[must_use]
pub fn likeness(one: &str, other: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        normalized(text)
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (one, other) = (words(one), words(other));
    let all = one.union(&other).count().max(1);
    one.intersection(&other).count() as f64 / all as f64
}

/// The key of a failure. Case, spaces, final punctuation, and numbers and ids in the error do not matter.
fn key(question: &str, error: Option<&str>) -> String {
    let question = normalized(question);
    let error = error.map_or_else(|| "slow".to_owned(), |error| normalized(&without_numbers(error)));
    Hash::of(format!("{question}\n{error}").as_bytes()).as_str().chars().take(12).collect()
}

/// Replaces each word with a digit by `#`, because times, ports, ids and addresses differ between requests.
fn without_numbers(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, behind) = if end == 0 { rest.split_at(c.len_utf8()) } else { rest.split_at(end) };
        out.push_str(if word.chars().any(|c| c.is_ascii_digit()) { "#" } else { word });
        rest = behind;
    }
    out
}

/// Suggests a class from the error's words. A person decides.
fn suggested(error: Option<&str>) -> FailureClass {
    const OPERATION: [&str; 12] = [
        "timeout",
        "timed out",
        "connection",
        "connect",
        "unavailable",
        "502",
        "503",
        "504",
        "rate limit",
        "429",
        "database",
        "circuit",
    ];
    const LIMITATION: [&str; 4] = ["out of scope", "not supported", "unsupported", "rejected"];
    let Some(error) = error.map(str::to_lowercase) else { return FailureClass::Infrastructure };
    let has = |words: &[&str]| words.iter().any(|word| error.contains(word));
    if has(&LIMITATION) {
        FailureClass::KnownLimitation
    } else if has(&OPERATION) {
        FailureClass::Infrastructure
    } else {
        FailureClass::EvalCandidate
    }
}

/// The verdicts on one failure.
#[derive(Debug, Clone, Default)]
struct FailureReviews {
    now: Option<FailureReview>,
    /// Latest first.
    earlier: Vec<FailureReview>,
}

impl FailureReviews {
    /// Applies the next verdict. `None` undoes the current one.
    fn then(&mut self, review: Option<FailureReview>) {
        let before = self.now.take();
        // A later verdict keeps the promoted question.
        let question_id = before.as_ref().and_then(|before| before.question_id.clone());
        self.now = review.map(|review| FailureReview {
            question_id: review.question_id.clone().or(question_id),
            ..review
        });
        self.earlier.splice(0..0, before);
    }
}

async fn reviews(database: &Database) -> DatabaseResult<BTreeMap<String, FailureReviews>> {
    const QUERY: &str = "SELECT failure, class, reviewed_by, reviewed_at, reason, question_id FROM failure_verdicts ORDER BY number";
    type Row = (String, Option<String>, String, i64, String, Option<String>);
    let rows: Vec<Row> = on_both!(database, pool => sqlx::query_as(QUERY).fetch_all(pool).await?);
    let mut all: BTreeMap<String, FailureReviews> = BTreeMap::new();
    for (failure, class, by, at, reason, question_id) in rows {
        let review = class.and_then(|class| class.parse().ok()).map(|class| {
            let at = Timestamp::from_millisecond(at).unwrap_or_default();
            FailureReview { class, by, at, reason, question_id }
        });
        all.entry(failure).or_default().then(review);
    }
    Ok(all)
}

async fn insert_review(
    database: &Database,
    failure: &str,
    class: Option<FailureClass>,
    (by, at): (&str, Timestamp),
    (reason, question_id): (&str, Option<&str>),
) -> DatabaseResult<()> {
    const INSERT: &str = "INSERT INTO failure_verdicts (failure, class, reviewed_by, reviewed_at, reason, question_id) \
         VALUES ($1, $2, $3, $4, $5, $6)";
    on_both!(database, pool => {
        sqlx::query(INSERT)
            .bind(failure)
            .bind(class.map(FailureClass::name))
            .bind(by)
            .bind(at.as_millisecond())
            .bind(reason)
            .bind(question_id)
            .execute(pool)
            .await
            .map(|_| ())?;
    });
    Ok(())
}

/// Stores a verdict on a failure. Earlier verdicts are kept.
///
/// # Errors
/// The database cannot be written.
pub async fn review(database: &Database, failure: &str, review: &FailureReview) -> DatabaseResult<()> {
    let who = (review.by.as_str(), review.at);
    insert_review(database, failure, Some(review.class), who, (&review.reason, review.question_id.as_deref()))
        .await
}

/// Undoes the verdict on a failure, which stays as an earlier one. Returns whether there was one.
///
/// # Errors
/// The database cannot be written.
pub async fn undo_review(
    database: &Database,
    failure: &str,
    by: &str,
    at: Timestamp,
) -> DatabaseResult<bool> {
    if reviews(database).await?.get(failure).is_none_or(|said| said.now.is_none()) {
        return Ok(false);
    }
    insert_review(database, failure, None, (by, at), ("taken back", None)).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::tests::in_folder;
    use crate::trace_row::TraceRow;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn row(question: &str, error: Option<&str>, latency_ms: i32, when: &str) -> TraceRow {
        let row = TraceRow {
            thread_id: "t".to_owned(),
            question: question.to_owned(),
            error: error.map(str::to_owned),
            latency_ms: Some(latency_ms),
            created_at: Some(at(when)),
            ..TraceRow::default()
        };
        row.checked(at(when)).unwrap()
    }

    #[tokio::test]
    async fn the_same_failure_comes_once_and_what_was_said_of_it_stays() {
        let folder = tempfile::tempdir().unwrap();
        let database = in_folder(folder.path()).await;
        let traces = Traces::new(database.clone()).await.unwrap();
        let now = at("2026-11-26T10:00:00Z");
        let mut rows: Vec<TraceRow> =
            (0..97).map(|n| row(&format!("fine {n}"), None, 1000, "2026-11-25T10:00:00Z")).collect();
        rows.push(row(
            "What did Kenya export?",
            Some("timeout after 30.1s on 10.0.0.1:443"),
            30_000,
            "2026-11-25T10:00:00Z",
        ));
        rows.push(row(
            "what did  kenya export",
            Some("Timeout after 31s on 10.0.0.2:443"),
            31_000,
            "2026-11-26T09:00:00Z",
        ));
        rows.push(row("Slow one", None, 60_000, "2026-11-24T10:00:00Z"));
        rows.push(row("Long ago", Some("x"), 10, "2026-11-01T10:00:00Z"));
        traces.write(&rows, false).await.unwrap();

        let since = at("2026-11-19T10:00:00Z");
        let window = Arc::new(Window::default());
        let found = failures(&database, &traces, &window, since, now).await.unwrap();
        assert_eq!((found.requests, found.failures.len(), found.waiting().count()), (3, 2, 2));
        let first = &found.failures[0];
        assert_eq!(
            (first.count, first.slowest_ms, first.suggested),
            (2, Some(31_000), FailureClass::Infrastructure)
        );
        assert_eq!(
            (first.question.as_str(), first.first),
            ("what did  kenya export", at("2026-11-25T10:00:00Z"))
        );
        assert!(found.slow_ms.unwrap() < 30_000.0 && found.failures[1].error.is_none());

        let said = FailureReview {
            class: FailureClass::EvalCandidate,
            by: "J. Doe".to_owned(),
            at: now,
            reason: "a | new kind".to_owned(),
            question_id: Some("400".to_owned()),
        };
        review(&database, &first.failure, &said).await.unwrap();
        // a later word of somebody else keeps the question
        review(&database, &first.failure, &FailureReview { question_id: None, ..said.clone() })
            .await
            .unwrap();
        let found = failures(&database, &traces, &window, since, now).await.unwrap();
        assert_eq!(found.failures[0].review, Some(said));
        assert_eq!(found.waiting().count(), 1);
        let undo = |failure: String| {
            let database = &database;
            async move { undo_review(database, &failure, "A. Other", now).await.unwrap() }
        };
        let failure = found.failures[0].failure.clone();
        assert!(undo(failure.clone()).await && !undo(failure).await && !undo("none".to_owned()).await);
        // nothing that was said is lost
        let found = failures(&database, &traces, &window, since, now).await.unwrap();
        let first = &found.failures[0];
        assert_eq!((first.review.clone(), first.earlier.len()), (None, 2));
        assert_eq!(first.earlier[0].question_id.as_deref(), Some("400"));
    }

    #[test]
    fn numbers_of_an_error_do_not_tell_failures_apart_and_years_of_a_question_do() {
        assert_eq!(
            key("Q", Some("status 503 from 10.0.0.1:80")),
            key("q?", Some("Status 502  from 10.2.0.1:81"))
        );
        assert_ne!(key("Exports in 2020?", None), key("Exports in 2021?", None));
        assert_ne!(key("Q", None), key("Q", Some("failed")));
    }
}
