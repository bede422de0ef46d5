//! The comparison of live schemas with those that the queries were written for, for people.

use super::words::table;
use crate::acquire::graphql::{Change, Difference, Effect, SchemaReport};

/// One API's comparison as text.
#[must_use]
pub fn text(report: &SchemaReport) -> String {
    let age = if report.cached { format!(", asked {}", report.fetched_at) } else { String::new() };
    let mut text = format!(
        "{} API ({}{age}): {} differences, {} of {} queries usable\n",
        report.api,
        report.url,
        report.differences.len(),
        report.usable,
        report.documents
    );
    if !report.differences.is_empty() {
        let mut table = table(&["Element", "Difference", "Effect", "Used by"]);
        for difference in &report.differences {
            table.add_row([
                difference.element.clone(),
                change(&difference.change),
                effect(difference).to_owned(),
                difference.operations.join(", "),
            ]);
        }
        text.push_str(&format!("{table}\n"));
    }
    if !report.disabled.is_empty() {
        text.push_str(&format!("not sent until this is mended: {}\n", report.disabled.join(", ")));
    }
    text
}

fn change(change: &Change) -> String {
    match change {
        Change::Missing => "missing".to_owned(),
        Change::New => "new".to_owned(),
        Change::Type { expected, found } => format!("{found} instead of {expected}"),
    }
}

const fn effect(difference: &Difference) -> &'static str {
    match difference.effect {
        Effect::None => "none",
        Effect::Word => "questions with this word are not sent",
        Effect::Query => "queries are not sent",
    }
}
