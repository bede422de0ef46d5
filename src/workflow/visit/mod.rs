//! Page visits: visits the pages of a run in parallel, reads each until it has settled, retries
//! failures that may pass, and returns the answers to its questions. `collect` files them,
//! `refresh` compares them, `survey` stores them.

mod answer;
mod load;
mod page;
mod reading;
mod report;
mod settle;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::{StreamExt, TryStreamExt, stream};
use tokio::sync::Semaphore;

pub(super) use answer::{Answer, Failure, Questions};
pub(super) use load::{Loaded, load, query};
pub(super) use page::PageResult;
pub(super) use reading::{PageAnswers, read_each, read_questions};
pub use report::VisitReport;
pub(super) use report::{millis, peak_memory};

use crate::error::Result;
use crate::manifest::Visit;

/// Visits pages in parallel, one per session. `file` gets what `read` found, one page at a time and
/// on another thread, so that browsers do not wait. After a stop no page is started, and `file`
/// gets `None`. The results keep the order of the pages.
///
/// # Errors
/// The first error of `read` or `file`. A store that cannot be written ends the run at once.
pub(super) async fn visit_all<R: Send + 'static, T: Send + 'static>(
    pages: Vec<Visit>,
    sessions: usize,
    stop: &AtomicBool,
    read: impl AsyncFn(&Visit) -> Result<R>,
    file: impl Fn(&Visit, Option<R>) -> Result<T> + Send + Sync + 'static,
) -> Result<Vec<T>> {
    let (read, file) = (&read, &Arc::new(file));
    let (browser_permits, filing_permit) = (&Semaphore::new(sessions), &Semaphore::new(1));
    let mut done: Vec<(usize, T)> = stream::iter(pages.into_iter().enumerate())
        .map(|(at, page)| async move {
            let permit = browser_permits.acquire().await;
            let found = if stop.load(Ordering::Acquire) { None } else { Some(read(&page).await?) };
            // free the browser for the next page while this one is filed
            drop(permit);
            let _permit = filing_permit.acquire().await;
            let file = Arc::clone(file);
            let filing = tokio::task::spawn_blocking(move || file(&page, found));
            let filed = filing.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            filed.map(|filed| (at, filed))
        })
        .buffer_unordered(sessions * 2)
        .try_collect()
        .await?;
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, filed)| filed).collect())
}
