//! Failures of production by id, and their classification.

use std::sync::Arc;

use atlas_gt_serve::failures::{self, FailureGroup, FailureReport, FailureReview};
use jiff::{Span, Timestamp};

use super::print::moment;
use super::traces::{self, failed};
use crate::config::Config;
use crate::error::{Error, Result};

/// The failures since a time so long ago (`7d`, `24h`), or since a date.
pub(super) async fn since(config: &Config, now: Timestamp, since: &str) -> Result<FailureReport> {
    let since = back(now, since)?;
    let (database, traces) = traces::open_existing(config).await?;
    let found = failures::failures(&database, &traces, &Arc::default(), since, now).await.map_err(failed)?;
    database.close().await;
    Ok(found)
}

/// A failure of the last 90 days, by its id in the list.
pub(super) async fn known(config: &Config, failure: &str, now: Timestamp) -> Result<FailureGroup> {
    let found = since(config, now, "90d").await?.failures.into_iter().find(|known| known.failure == failure);
    found.ok_or_else(|| Error::Nothing(format!("there is no failure {failure} in the last 90 days")))
}

/// Stores a person's classification of a failure.
pub(super) async fn keep_review(config: &Config, failure: &str, review: &FailureReview) -> Result<()> {
    let (database, _) = traces::open(config).await?;
    failures::review(&database, failure, review).await.map_err(failed)?;
    database.close().await;
    Ok(())
}

/// A time so long ago (`7d`, `24h`), or a date.
fn back(now: Timestamp, text: &str) -> Result<Timestamp> {
    let wrong =
        || Error::Usage(format!("--since {text}: write 24h, 7d, at most 366d, or a date such as 2026-11-19"));
    let hours = match (text.strip_suffix('d'), text.strip_suffix('h')) {
        (Some(days), _) => days.parse::<i64>().ok().and_then(|days| days.checked_mul(24)),
        (_, Some(hours)) => hours.parse::<i64>().ok(),
        _ => {
            let or = "or a time back: 24h, 7d, at most 366d";
            return moment(text, false).map_err(|error| Error::Usage(format!("--since: {error}, {or}")));
        }
    };
    let hours = hours.filter(|hours| (1..=24 * 366).contains(hours)).ok_or_else(wrong)?;
    now.checked_sub(Span::new().hours(hours)).map_err(|_| wrong())
}
