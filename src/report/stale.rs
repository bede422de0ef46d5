//! Stale records for people.

use std::fmt::Write as _;

use comfy_table::CellAlignment;

use super::words::{count, plural, table};
use crate::workflow::stale::StaleReport;

/// The stale records as a table.
#[must_use]
pub fn text(report: &StaleReport) -> String {
    let mut text = String::new();
    if !report.stale.is_empty() {
        let mut table = table(&["question", "page", "last looked", "age", "release", "why"]);
        for one in &report.stale {
            table.add_row([
                one.question_id.to_string(),
                one.page.clone().unwrap_or_else(|| "none".to_owned()),
                one.last_looked.chars().take(10).collect(),
                count(u64::try_from(one.age_days).unwrap_or_default(), "day"),
                one.release.clone().unwrap_or_else(|| "unknown".to_owned()),
                one.why.clone(),
            ]);
        }
        if let Some(column) = table.column_mut(3) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let _ = writeln!(text, "{table}");
    }
    let release = report.newest_release.as_deref().unwrap_or("unknown");
    let _ = writeln!(
        text,
        "{} of {} (newest release known: {release})",
        plural(report.stale.len(), "record is stale", "records are stale"),
        report.records
    );
    text
}
