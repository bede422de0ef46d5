//! The requests of the last seven days in memory, with the columns that figures need. Reading a million rows for every
//! figure would take seconds, so only new rows are read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::database::DatabaseResult;
use crate::traces::{FigureRow, RowRange, Traces};

/// Length of the window.
pub const SPAN_MS: i64 = 7 * 24 * 3600 * 1000;

/// Maximum number of requests in memory, the newest ones. Percentiles over them are exact.
pub const MAX_ROWS: usize = 2_000_000;

/// How much later than its `created_at` an agent that maintains the table may commit a row.
const GRACE_MS: i64 = 60_000;

/// Interval for reading all rows again, to find rows that another program wrote with an old time.
const RELOAD: Duration = Duration::from_secs(600);

/// Callers wait for a refresh that takes no longer than this.
pub(crate) const QUICK: Duration = Duration::from_millis(20);

/// Interval for finding new rows of other programs.
const PAUSE: Duration = Duration::from_secs(1);

/// Maximum number of distinct pipelines.
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
    /// -1 if unknown.
    pub latency_ms: i32,
    /// -1 if unknown.
    pub budget_used: i32,
    /// 0 if unknown.
    pub budget_limit: i32,
    /// Index in the list of pipelines.
    pub pipeline: u8,
    pub failed: bool,
    pub breaker: Breaker,
}

/// The requests, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    pub list: Vec<Request>,
    /// Names of the pipelines. An empty name stands for requests without one.
    pub pipelines: Vec<String>,
}

/// The state of reading: what has been read, and what must be read again.
#[derive(Debug, Default)]
struct Reading {
    /// Rows from this time on must be read again; `None` if none.
    again_from: Option<i64>,
    /// The last row number read, if rows are numbered.
    row: Option<i64>,
    /// Whether this program has written rows since.
    wrote: bool,
    loaded: Option<Instant>,
    /// Whether a reload of all rows is in progress. It takes long, so no one waits for it.
    reloads: bool,
    /// When the last refresh began.
    began: Option<Instant>,
    refreshed: Option<Instant>,
    /// How long it took.
    took: Duration,
}

/// The window. Callers wait for the database only if that is quick, or if nothing has been read yet.
#[derive(Debug)]
pub struct Window {
    requests: RwLock<Requests>,
    reading: Mutex<Reading>,
    /// Number of refreshes.
    version: AtomicU64,
    /// Held during a refresh.
    turn: tokio::sync::Mutex<()>,
    max: usize,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            requests: RwLock::default(),
            reading: Mutex::default(),
            version: AtomicU64::new(0),
            turn: tokio::sync::Mutex::default(),
            max: MAX_ROWS,
        }
    }
}

/// What to do before computing figures.
enum Step {
    Nothing,
    Read,
    ReadInBackground,
}

impl Window {
    /// A window with the given requests.
    #[cfg(test)]
    pub(crate) fn holding(list: Vec<Request>, pipelines: &[&str]) -> Self {
        let pipelines = pipelines.iter().map(|name| (*name).to_owned()).collect();
        Self { requests: RwLock::new(Requests { list, pipelines }), ..Self::default() }
    }

    /// Whether older requests of the seven days were left out.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.read(|requests| requests.list.len() >= self.max)
    }

    /// A number that changes with each refresh.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(crate) fn read<T>(&self, work: impl FnOnce(&Requests) -> T) -> T {
        work(&self.requests.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn reading<T>(&self, work: impl FnOnce(&mut Reading) -> T) -> T {
        work(&mut self.reading.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reports that rows were written. Existing rows from `changed_from` on may have changed.
    pub fn wrote(&self, changed_from: Option<i64>) {
        self.reading(|reading| {
            reading.read_again(changed_from);
            reading.wrote = true;
        });
    }

    /// Reads new rows if due. A slow refresh runs in the background: figures are then a few seconds old, and it takes
    /// at most a tenth of the time.
    ///
    /// # Errors
    /// The table cannot be read.
    pub async fn refresh(self: &Arc<Self>, traces: &Traces, now: i64) -> DatabaseResult<()> {
        let asked = Instant::now();
        let step = self.reading(|reading| {
            let Some(refreshed) = reading.refreshed else { return Step::Read };
            if reading.reloads {
                return Step::Nothing;
            }
            let since = refreshed.elapsed();
            if reading.is_old() {
                return Step::ReadInBackground;
            }
            let is_due = reading.wrote || since >= PAUSE;
            match reading.took > QUICK {
                _ if !is_due => Step::Nothing,
                false => Step::Read,
                true if since < reading.took * 10 => Step::Nothing,
                true => Step::ReadInBackground,
            }
        });
        match step {
            Step::Nothing => return Ok(()),
            Step::ReadInBackground => {
                let (window, traces) = (self.clone(), traces.clone());
                tokio::spawn(async move {
                    let Ok(_turn) = window.turn.try_lock() else { return };
                    if let Err(error) = window.read_new(&traces, now).await {
                        tracing::error!("{error}");
                    }
                });
                return Ok(());
            }
            Step::Read => {}
        }
        let _turn = self.turn.lock().await;
        // Another caller may have refreshed while this one waited.
        if self.reading(|reading| reading.began.is_some_and(|began| began >= asked)) {
            return Ok(());
        }
        self.read_new(traces, now).await
    }

    /// Reads new rows. With row numbers, those after the last one. Otherwise all of the last minute again, because a
    /// transaction may commit late.
    async fn read_new(&self, traces: &Traces, now: i64) -> DatabaseResult<()> {
        let (began, oldest) = (Instant::now(), now - SPAN_MS);
        let through = traces.last_row().await?;
        let (since, behind, reload) = self.reading(|reading| {
            let reload = reading.loaded.is_none() || reading.is_old();
            reading.reloads = reload && reading.loaded.is_some();
            // Rows written from here on count for the next refresh.
            reading.wrote = false;
            let since = if reload { Some(oldest) } else { reading.again_from.map(|at| at.max(oldest)) };
            reading.again_from = None;
            let behind = reading.row.zip(through).filter(|_| !reload);
            (since, behind.map(|(row, through)| RowRange::After { row, through }), reload)
        });
        let mut found =
            self.read(|requests| Requests { list: Vec::new(), pipelines: requests.pipelines.clone() });
        let read = async {
            let most = i64::try_from(self.max).unwrap_or(i64::MAX);
            if let Some(behind) = behind {
                // Rows since `since` are read below.
                let wanted = |row: &FigureRow| since.is_none_or(|since| row.at < since);
                traces
                    .each_row(behind, most, |row| {
                        if wanted(&row) {
                            found.push(row)
                        }
                    })
                    .await?;
            }
            if let Some(moment) = since {
                traces.each_row(RowRange::Since { moment, through }, most, |row| found.push(row)).await?;
            }
            Ok(())
        };
        let done: DatabaseResult<()> = read.await;
        done.inspect_err(|_| {
            self.wrote(since);
            self.reading(|reading| reading.reloads = false);
        })?;
        let last = {
            let mut requests = self.requests.write().unwrap_or_else(PoisonError::into_inner);
            requests.replace_from(since.unwrap_or(i64::MAX), oldest, found, self.max);
            requests.list.last().map_or(oldest, |last| last.at)
        };
        self.version.fetch_add(1, Ordering::AcqRel);
        self.reading(|reading| {
            match through {
                Some(_) => reading.row = through,
                None => reading.read_again(Some(now.min(last) - GRACE_MS)),
            }
            reading.reloads = false;
            reading.began = Some(began);
            reading.refreshed = Some(Instant::now());
            // A reload is rare and no measure for the next refresh.
            if reload && reading.loaded.is_some() {
                reading.loaded = reading.refreshed;
            } else {
                reading.loaded = reading.loaded.or(reading.refreshed);
                reading.took = if reload { Duration::ZERO } else { began.elapsed() };
            }
        });
        Ok(())
    }
}

impl Reading {
    /// Whether a reload of all rows is due.
    fn is_old(&self) -> bool {
        self.loaded.is_some_and(|at| at.elapsed() > RELOAD)
    }

    fn read_again(&mut self, from: Option<i64>) {
        self.again_from = self.again_from.into_iter().chain(from).min();
    }
}

impl Requests {
    fn push(&mut self, row: FigureRow) {
        let pipeline = self.pipeline(row.pipeline.as_deref().unwrap_or_default());
        self.list.push(Request {
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

    /// Replaces the requests since a time, inserts older ones in order, and drops what is too old or too many.
    fn replace_from(&mut self, since: i64, oldest: i64, found: Self, max: usize) {
        self.pipelines = found.pipelines;
        let mut found = found.list;
        found.sort_by_key(|request| request.at);
        self.list.truncate(self.list.partition_point(|request| request.at < since));
        // Few requests arrive late.
        let from = found
            .first()
            .map_or(self.list.len(), |first| self.list.partition_point(|request| request.at <= first.at));
        self.list.extend(found);
        if let Some(tail) = self.list.get_mut(from..) {
            tail.sort_by_key(|request| request.at);
        }
        let old = self.list.partition_point(|request| request.at < oldest);
        let over = self.list.len().saturating_sub(max);
        self.list.drain(..old.max(over));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_again_comes_once_and_the_oldest_give_way() {
        let row = |at: i64| FigureRow {
            at,
            latency_ms: None,
            failed: false,
            pipeline: None,
            budget_used: None,
            budget_limit: None,
            breaker: None,
        };
        let mut requests = Requests::default();
        let mut replaced = |since: i64, oldest: i64, found: &[i64]| -> Vec<i64> {
            let mut new = Requests::default();
            found.iter().for_each(|at| new.push(row(*at)));
            requests.replace_from(since, oldest, new, 5);
            requests.list.iter().map(|request| request.at).collect()
        };
        assert_eq!(replaced(0, 0, &[1, 2, 3]), [1, 2, 3]);
        assert_eq!(replaced(2, 0, &[2, 2, 3, 4]), [1, 2, 2, 3, 4]);
        assert_eq!(replaced(4, 0, &[4, 5, 6]), [2, 3, 4, 5, 6], "at most five");
        assert_eq!(replaced(6, 4, &[6, 7]), [4, 5, 6, 7], "what is too old goes");
        assert_eq!(replaced(i64::MAX, 4, &[9, 5]), [5, 5, 6, 7, 9], "what came late stands at its place");
    }
}
