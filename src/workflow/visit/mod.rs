//! Visits: the pages of a run, several at a time. Each is read until it has settled, tried again while what hinders may pass,
//! and says what it came to for its questions. What a run makes of that is its own: `collect` files it, `refresh` compares it,
//! `survey` keeps it.

mod answer;
mod load;
mod page;
mod reading;
mod report;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::{StreamExt, TryStreamExt, stream};
use tokio::sync::Semaphore;

pub(super) use answer::{Answer, Failure, Questions};
pub(super) use load::{Loaded, load};
pub(super) use page::PageResult;
pub(super) use reading::read_questions;
pub use report::VisitReport;
pub(super) use report::{millis, peak_memory};

use crate::error::Result;
use crate::manifest::Visit;

/// Visits pages, as many at a time as there are sessions. What `read` finds on one is filed by `file`: one page at a time and
/// on another thread, while the browsers go on. After a stop no page is begun, and `file` is given none of it. In the order of
/// the pages.
///
/// # Errors
/// The first of `read` or `file`: a store that cannot be written ends the run at once, for nothing more could be kept.
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
            // the browser opens the next page while this one is filed
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
