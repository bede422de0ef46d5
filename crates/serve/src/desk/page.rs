//! A page before rendering, and the texts that several pages show.

use atlas_gt_core::error::{Error, Result};
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_truth::Row;
use jiff::Timestamp;
use serde_json::Value;

/// A page before rendering.
#[derive(Debug)]
pub(crate) struct Page {
    pub template: &'static str,
    pub values: Value,
}

/// Parses a question id from a request.
pub(crate) fn question_id(text: &str) -> Result<QuestionId> {
    text.parse().map_err(|_| {
        Error::Nothing(format!("`{}` is not a question id", text.chars().take(60).collect::<String>()))
    })
}

/// A value's subject: `Largest export products, Business, India`.
pub(crate) fn about(row: &Row) -> String {
    let named = ["product", "partner", "sector", "name"].into_iter().filter_map(|key| row.text(key));
    let all = std::iter::once(row.metric.clone()).chain(named.take(1)).chain([row.country.clone()]);
    all.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A timestamp for display.
pub(crate) fn shown(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

/// A count as text: `once`, `3 times`.
pub(crate) fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
