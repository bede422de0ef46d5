//! The last seven days of requests in memory, in the few columns that figures are made of. Reading a million rows again for every
//! figure would take seconds; here only what is new is read.

use std::time::{Duration, Instant};

use crate::database::Result;
use crate::traces::Traces;

/// How far back figures go.
pub const SPAN_MS: i64 = 7 * 24 * 3600 * 1000;

/// The most requests that are kept, the newest ones: percentiles are exact over so many.
pub const MAX_ROWS: usize = 2_000_000;

/// An agent that writes the table itself may commit a row so much later than its `created_at` says.
const GRACE_MS: i64 = 60_000;

/// Rows with a time long past, which another program wrote, are seen after so long.
const RELOAD: Duration = Duration::from_secs(600);

/// New rows are looked for so often.
const PAUSE: Duration = Duration::from_secs(1);

/// The most pipelines that are told apart.
const MAX_PIPELINES: usize = 32;

/// State of the GraphQL tool's circuit breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Breaker {
    Unknown,
    Open,
    Other,
}

/// A request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub at: i64,
    /// -1 where it is not known.
    pub latency_ms: i32,
    /// -1 where it is not known.
    pub budget_used: i32,
    /// 0 where it is not known.
    pub budget_limit: i32,
    /// Place in the list of pipelines.
    pub pipeline: u8,
    pub failed: bool,
    pub breaker: Breaker,
}

/// The requests, the oldest first.
#[derive(Debug, Default)]
pub struct Window {
    pub(crate) requests: Vec<Request>,
    /// Names of the pipelines; an empty one for requests that name none.
    pub(crate) pipelines: Vec<String>,
    /// From here on rows are read again.
    fresh_from: i64,
    loaded: Option<Instant>,
    refreshed: Option<Instant>,
    max: Option<usize>,
}

impl Window {
    /// A window of so many requests at most.
    #[must_use]
    pub fn of(max: usize) -> Self {
        Self { max: Some(max), ..Self::default() }
    }

    /// A window of requests that are made up.
    #[cfg(test)]
    pub(crate) fn holding(requests: Vec<Request>, pipelines: &[&str]) -> Self {
        Self {
            requests,
            pipelines: pipelines.iter().map(|name| (*name).to_owned()).collect(),
            ..Self::default()
        }
    }

    fn max(&self) -> usize {
        self.max.unwrap_or(MAX_ROWS)
    }

    /// Whether older requests of the seven days were left out.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.requests.len() >= self.max()
    }

    /// Says that rows from this moment on were written.
    pub fn wrote(&mut self, at: i64) {
        self.fresh_from = self.fresh_from.min(at);
        self.refreshed = None;
    }

    /// Reads what is new, unless that was done a moment ago.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn refresh(&mut self, traces: &Traces, now: i64) -> Result<()> {
        if self.refreshed.is_some_and(|at| at.elapsed() < PAUSE) {
            return Ok(());
        }
        let begin = now - SPAN_MS;
        let reload = self.loaded.is_none_or(|at| at.elapsed() > RELOAD);
        let since = if reload { begin } else { self.fresh_from.max(begin) };
        let found = traces.seen_since(since, i64::try_from(self.max()).unwrap_or(i64::MAX)).await?;
        let kept = self.requests.partition_point(|request| request.at < since);
        self.requests.truncate(kept);
        let old = self.requests.partition_point(|request| request.at < begin);
        let over = (kept + found.len()).saturating_sub(self.max());
        self.requests.drain(..old.max(over).min(kept));
        for row in found {
            let pipeline = self.pipeline(row.pipeline.as_deref().unwrap_or_default());
            self.requests.push(Request {
                at: row.at,
                latency_ms: row.latency_ms.unwrap_or(-1),
                budget_used: row.budget_used.unwrap_or(-1),
                budget_limit: row.budget_limit.unwrap_or(0),
                pipeline,
                failed: row.failed,
                breaker: match row.breaker.as_deref() {
                    None => Breaker::Unknown,
                    Some("open") => Breaker::Open,
                    Some(_) => Breaker::Other,
                },
            });
        }
        self.fresh_from = now.min(self.requests.last().map_or(begin, |last| last.at)) - GRACE_MS;
        self.refreshed = Some(Instant::now());
        if reload {
            self.loaded = self.refreshed;
        }
        Ok(())
    }

    fn pipeline(&mut self, name: &str) -> u8 {
        let name = if self.pipelines.len() < MAX_PIPELINES { name } else { "other" };
        let at = self.pipelines.iter().position(|known| known == name).unwrap_or_else(|| {
            self.pipelines.push(name.to_owned());
            self.pipelines.len() - 1
        });
        u8::try_from(at).unwrap_or(u8::MAX)
    }
}
