//! Writes incoming traces to the database. The queue is bounded, one writer combines many requests into one
//! transaction, and each request is answered after its traces are written.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use crate::trace_row::TraceRow;
use crate::traces::Traces;
use crate::window::Window;

/// Maximum size of waiting requests, in KiB.
const ROOM_KIB: usize = 32 * 1024;

/// Maximum number of requests per transaction.
const GROUP: usize = 256;

/// The queue of incoming traces.
#[derive(Debug, Clone)]
pub struct Ingest {
    jobs: mpsc::Sender<Job>,
    room: Arc<Semaphore>,
}

/// Queue room held by a request while it is read and waits.
#[derive(Debug)]
pub struct Room(#[expect(dead_code, reason = "held until the request is answered")] OwnedSemaphorePermit);

#[derive(Debug)]
struct Job {
    rows: Vec<TraceRow>,
    /// Whether existing traces are updated.
    updates: bool,
    done: oneshot::Sender<Result<u64, String>>,
}

impl Ingest {
    /// Starts the writer. It ends after the last sender is gone and the queue is empty.
    #[must_use]
    pub fn start(traces: Traces, window: Arc<Window>) -> Self {
        let (jobs, waiting) = mpsc::channel(GROUP);
        tokio::spawn(write_all(traces, window, waiting));
        Self { jobs, room: Arc::new(Semaphore::new(ROOM_KIB)) }
    }

    /// Reserves room for `bytes`; `None` if the queue is full.
    #[must_use]
    pub fn room(&self, bytes: usize) -> Option<Room> {
        let kib = u32::try_from(bytes / 1024 + 1).ok()?;
        self.room.clone().try_acquire_many_owned(kib).ok().map(Room)
    }

    /// Writes checked rows and returns how many are new. On return they are in the database.
    ///
    /// # Errors
    /// The database's error message.
    pub async fn write(&self, rows: Vec<TraceRow>, updates: bool) -> Result<u64, String> {
        let (done, written) = oneshot::channel();
        let gone = |_| "the writer has stopped".to_owned();
        self.jobs.send(Job { rows, updates, done }).await.map_err(|_| gone(()))?;
        written.await.map_err(|_| gone(()))?
    }
}

async fn write_all(traces: Traces, window: Arc<Window>, mut waiting: mpsc::Receiver<Job>) {
    let mut jobs = Vec::new();
    while waiting.recv_many(&mut jobs, GROUP).await > 0 {
        let changed = jobs.iter().filter(|job| job.updates).flat_map(|job| &job.rows);
        let changed_from = changed.filter_map(|row| row.created_at).min().map(|at| at.as_millisecond());
        for updates in [false, true] {
            let mut group: Vec<Job> = jobs.extract_if(.., |job| job.updates == updates).collect();
            if !write_together(&traces, &mut group, updates).await {
                // One by one, so that only the request that the database rejects fails.
                for job in group {
                    let result = traces.write(&job.rows, updates).await;
                    let _ =
                        job.done.send(result.map(|new| new.len() as u64).map_err(|error| error.to_string()));
                }
            }
        }
        window.wrote(changed_from);
    }
}

/// Writes requests in one transaction and answers each. Returns whether that succeeded.
async fn write_together(traces: &Traces, group: &mut Vec<Job>, updates: bool) -> bool {
    let mut ids = HashSet::new();
    // One statement cannot write the same row twice, so requests with a common trace are written separately.
    if group.len() < 2 || group.iter().flat_map(|job| &job.rows).any(|row| !ids.insert(row.id.clone())) {
        return false;
    }
    let rows: Vec<TraceRow> = group.iter_mut().flat_map(|job| job.rows.clone()).collect();
    let Ok(new) = traces.write(&rows, updates).await else { return false };
    for job in group.drain(..) {
        let of_job = job.rows.iter().filter(|row| row.id.as_ref().is_some_and(|id| new.contains(id))).count();
        let _ = job.done.send(Ok(of_job as u64));
    }
    true
}
