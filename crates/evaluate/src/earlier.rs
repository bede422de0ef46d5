//! Earlier values of a record: an answer that gives one is outdated, not invented.

use crate::error::Result;
use crate::expected::{against, of_row};
use crate::manifest::QuestionId;
use crate::three_way::SideMatch;
use crate::truth::{Row, Store, Stored, changelog};
use crate::value::Context;

/// Earlier rows, newest first.
pub fn older(store: &Store, id: &QuestionId, stored: &Stored) -> Result<Vec<Row>> {
    let rows = &stored.record.results.data;
    let mut entries = changelog::of(store, id)?;
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.line.timestamp));
    Ok(entries
        .into_iter()
        .filter_map(|entry| {
            if let Some(before) = entry.before {
                return Some(before.row);
            }
            // changelog entries of older versions have only the value
            let now = rows.iter().find(|row| row.field() == entry.line.field)?;
            let value = match &entry.line.old {
                serde_json::Value::Null => return None,
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let number = value.parse().ok();
            Some(Row { value: number.is_none().then_some(value), number, absence: None, ..now.clone() })
        })
        .collect())
}

/// The earlier value of a field, if the answer gives exactly that. `older` are earlier rows, newest
/// first.
pub(crate) fn earlier_value(
    older: &[Row],
    field: &str,
    asked: &Context,
    question: &str,
    answer: &str,
) -> Option<String> {
    older.iter().filter(|row| row.field() == field).find_map(|row| {
        let expected = [of_row(row, None, Some(asked))];
        let scored = against(&expected, Some(question), answer);
        let agrees = scored.points.first().map(SideMatch::of);
        matches!(agrees, Some(SideMatch::Same | SideMatch::Rounded)).then(|| row.shown())
    })
}
