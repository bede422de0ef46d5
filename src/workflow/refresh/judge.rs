//! Describes a difference for reports: both sides, its size, and one sentence.

use rust_decimal::Decimal;
use serde::Serialize;

use crate::evidence::Hash;
use crate::truth::{ChangeKind, PointProvenance, Provenance, Row, RowChange, judge, time_text};
use crate::value::Unit;
use crate::workflow::review::is_read_by_a_person;
use atlas_gt_core::question_id::question_label;

/// One classified difference.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Change {
    /// The question.
    pub question_id: String,
    /// The page that was read.
    pub page: String,
    /// The field of the value in the record: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// The display name.
    pub name: String,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The recorded value; none if the record has no such row.
    pub old: Option<ChangeSide>,
    /// The new value; none if the row no longer exists.
    pub new: Option<ChangeSide>,
    /// The size of the change, if it has one: `+3.3 %`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why the change is of this kind.
    pub reason: String,
    /// Whether the new source is weaker than the record's. The change then needs a page visit
    /// before it counts.
    pub needs_page_look: bool,
    /// The whole change in one line.
    pub line: String,
}

impl Change {
    /// The data point. The rows of a ranking share it.
    #[must_use]
    pub fn data_point(&self) -> &str {
        self.field.split('[').next().unwrap_or(&self.field)
    }

    /// Its question and data point: what reports show as one change.
    #[must_use]
    pub fn point(&self) -> (String, String) {
        (self.question_id.clone(), self.data_point().to_owned())
    }
}

/// One side of a change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ChangeSide {
    /// The displayed text, or why there is no value.
    pub text: String,
    /// Whether a value exists.
    pub is_there: bool,
    /// The number as an exact decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The year or period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<String>,
    /// The rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<String>,
    /// When it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
    /// The text on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displayed: Option<String>,
    /// Where the value was found, as text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locator: Option<String>,
    /// The hash of the capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Hash>,
    /// The hash of the picture kept with the capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<Hash>,
    /// Whether a person read it from that picture.
    #[serde(skip)]
    pub read_by_person: bool,
}

fn shown(row: &Row, point: Option<&PointProvenance>) -> ChangeSide {
    ChangeSide {
        text: row.shown(),
        is_there: row.absence.is_none(),
        number: row.number.map(|number| number.to_string()),
        year: row.year.clone(),
        rank: row.text("rank"),
        read_at: point.map(|point| time_text(point.read_at)),
        displayed: point.and_then(|point| point.displayed.clone()),
        locator: point.and_then(|point| point.locator.clone()),
        evidence: point.and_then(|point| point.evidence.clone()),
        screenshot: point.and_then(|point| point.screenshot.clone()),
        read_by_person: point.is_some_and(is_read_by_a_person),
    }
}

/// All differences of a record, classified and described.
#[must_use]
pub fn judged(
    question_id: &str,
    page: &str,
    changes: &[RowChange],
    old: Option<&Provenance>,
    new: Option<&Provenance>,
    needs_page_look: bool,
) -> Vec<Change> {
    let of = |change: &RowChange| {
        let (kind, reason) = judge(change, changes, old, new);
        let name = change.row().map(Row::label).unwrap_or_default();
        let by = difference(change, kind);
        let line = line(question_id, &name, change, kind, by.as_deref(), &reason);
        Change {
            question_id: question_id.to_owned(),
            page: page.to_owned(),
            field: change.field.clone(),
            kind,
            old: change.old.as_ref().map(|row| shown(row, old.and_then(|all| all.of(row)))),
            new: change.new.as_ref().map(|row| shown(row, new.and_then(|all| all.of(row)))),
            name,
            by,
            reason,
            needs_page_look,
            line,
        }
    };
    changes.iter().map(of).collect()
}

/// The size of a change: relative for amounts, in points for percentages, absolute for indices and
/// ranks.
fn difference(change: &RowChange, kind: ChangeKind) -> Option<String> {
    if kind != ChangeKind::Revision {
        return None;
    }
    let (old, new) = (change.old.as_ref()?, change.new.as_ref()?);
    let (from, to) = (old.number?, new.number?);
    let moved = to.checked_sub(from)?;
    if moved.is_zero() {
        return None;
    }
    let sign = if moved.is_sign_negative() { '-' } else { '+' };
    let size = moved.abs();
    let relative = || {
        let part = size.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(from.abs())?;
        let digits = if part < Decimal::ONE { part.round_sf(2)? } else { part.round_dp(1) };
        Some(format!("{sign}{} %", digits.normalize()))
    };
    match old.unit? {
        Unit::Usd | Unit::Persons | Unit::Count if !from.is_zero() => relative(),
        Unit::Percent | Unit::PercentagePoints => Some(format!("{sign}{} pp", size.normalize())),
        Unit::Rank if sign == '-' => Some(format!("{} up", size.normalize())),
        Unit::Rank => Some(format!("{} down", size.normalize())),
        _ => Some(format!("{sign}{}", size.round_sf(6)?.normalize())),
    }
}

/// A change in the documented format: `Q61: GDP per capita changed from $2,274 to $2,350 (+3.3 %,
/// revision)`.
fn line(
    id: &str,
    name: &str,
    change: &RowChange,
    kind: ChangeKind,
    by: Option<&str>,
    reason: &str,
) -> String {
    let what = match (&change.old, &change.new) {
        (Some(old), Some(new)) if old.absence.is_none() && new.absence.is_none() => {
            format!("changed from {} to {}", old.shown(), new.shown())
        }
        (Some(old), Some(new)) if new.absence.is_some() && old.absence.is_none() => {
            format!("disappeared: was {}", old.shown())
        }
        (Some(old), Some(new)) if old.absence.is_some() && new.absence.is_some() => {
            format!("changed from {} to {}", old.shown(), new.shown())
        }
        (Some(_), Some(new)) => format!("appeared: {}", new.shown()),
        (Some(row), None) | (None, Some(row)) if kind == ChangeKind::Schema => {
            format!("is listed differently: {}", row.shown())
        }
        (Some(old), None) => format!("disappeared: was {}", old.shown()),
        (None, Some(new)) => format!("appeared: {}", new.shown()),
        (None, None) => "changed".to_owned(),
    };
    // the comparator's reason for two plain values only repeats them
    let described = match kind {
        ChangeKind::Revision if !reason.contains('→') => None,
        _ => Some(reason).filter(|reason| !reason.is_empty()),
    };
    let notes: Vec<String> =
        by.into_iter().chain(described).map(str::to_owned).chain([kind.to_string()]).collect();
    format!("{question}: {name} {what} ({})", notes.join(", "), question = question_label(id))
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
