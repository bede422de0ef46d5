//! The summary of the last report, for a message to a webhook.

use std::sync::Mutex;

/// The summary of the last report; none unless it is wanted.
static SUMMARY: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// Asks for the summaries of the reports that follow.
pub(super) fn want() {
    if let Ok(mut kept) = SUMMARY.lock() {
        *kept = Some(Vec::new());
    }
}

/// Stores the summary of a report.
pub(super) fn keep(summary: impl FnOnce() -> Vec<String>) {
    if let Ok(mut kept) = SUMMARY.lock()
        && kept.is_some()
    {
        *kept = Some(summary());
    }
}

/// The summary of the last report.
pub(super) fn take() -> Vec<String> {
    SUMMARY.lock().ok().and_then(|mut kept| kept.take()).unwrap_or_default()
}
