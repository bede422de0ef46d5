//! What a difference is: its kind, told by the one comparator from both rows and from how each was read, and the
//! sentence that says it.

use rust_decimal::Decimal;
use serde::Serialize;

use crate::scoring::compare::{Content, Operand, compare};
use crate::scoring::{Comparison, Verdict};
use crate::truth::{ChangeKind, Hash, PointProvenance, Provenance, Row, RowChange};
use crate::value::{Context, Interval, Quantity, Unit, Value};
use crate::workflow::filing::ranked_among;

/// One difference, judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The question.
    pub question_id: String,
    /// The page that was read.
    pub page: String,
    /// The value's field in the record: `gdp_per_capita`, `top_products[ict]`.
    pub field: String,
    /// Its name for a person.
    pub name: String,
    /// What kind of change it is.
    pub kind: ChangeKind,
    /// What the record says; none where it has no such row.
    pub old: Option<Shown>,
    /// What was read; none where there is no such row any more.
    pub new: Option<Shown>,
    /// By how much, where that can be said: `+3.3 %`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why it is of that kind.
    pub reason: String,
    /// It comes from a source that is weaker than the record's: a look at the page is due before it counts.
    pub needs_page_look: bool,
    /// All of it in one line.
    pub line: String,
}

/// One side of a change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    /// The text as displayed, or why there is no value.
    pub text: String,
    /// Whether there is a value.
    pub is_there: bool,
    /// The number, as exact decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The year or period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<String>,
    /// The place in a ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<String>,
    /// When it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
    /// The text that stood on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displayed: Option<String>,
    /// What was found where, for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locator: Option<String>,
    /// The capture that it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Hash>,
}

/// The kinds of all differences of one record.
#[must_use]
pub fn kinds(changes: &[RowChange], old: Option<&Provenance>, new: Option<&Provenance>) -> Vec<ChangeKind> {
    changes.iter().map(|change| judge(change, changes, old, new).0).collect()
}

/// Kind and reason of one difference among all of its record.
pub(super) fn judge(
    change: &RowChange,
    all: &[RowChange],
    old: Option<&Provenance>,
    new: Option<&Provenance>,
) -> (ChangeKind, String) {
    let presence = ChangeKind::by_presence(change);
    let (Some(before), Some(after)) = (&change.old, &change.new) else {
        if let Some(other) = renamed(change, all) {
            let what = key_of(change.row()).zip(key_of(Some(other)));
            let reason = what.map_or_else(String::new, |(own, other)| match &change.old {
                Some(_) => format!("`{own}` is now called `{other}`"),
                None => format!("`{own}` was called `{other}`"),
            });
            return (ChangeKind::Schema, reason);
        }
        let reason = if change.old.is_some() { "no longer there" } else { "was not there before" };
        return (presence, reason.to_owned());
    };
    if presence != ChangeKind::Revision {
        let reason = match presence {
            ChangeKind::Appearance => format!("{} before", before.shown()),
            ChangeKind::Disappearance => after.shown(),
            _ => "another kind of absence".to_owned(),
        };
        return (presence, reason);
    }
    let points = (old.and_then(|all| all.of(before)), new.and_then(|all| all.of(after)));
    of_values((before, points.0), (after, points.1))
}

type Side<'a> = (&'a Row, Option<&'a PointProvenance>);

fn of_values(old: Side<'_>, new: Side<'_>) -> (ChangeKind, String) {
    let comparison = compare(&operand(old), &operand(new));
    if comparison.verdict == Verdict::NotComparable {
        return (ChangeKind::Scope, differing(&comparison, old, new));
    }
    let (before, after) = (old.0, new.0);
    if before.year != after.year {
        let year = |row: &Row| row.year.clone().unwrap_or_else(|| "not stated".to_owned());
        return (ChangeKind::Scope, format!("year {} → {}", year(before), year(after)));
    }
    if let (Some(m), Some(n)) = (ranked_among(before), ranked_among(after))
        && m != n
    {
        return (ChangeKind::Scope, format!("of {m} → of {n}"));
    }
    if before.number.is_some() != after.number.is_some() || before.unit != after.unit {
        let unit = |row: &Row| match (row.unit, row.number) {
            (Some(unit), _) => serde_json::to_value(unit)
                .ok()
                .and_then(|unit| unit.as_str().map(str::to_owned))
                .unwrap_or_default(),
            (None, Some(_)) => "a number".to_owned(),
            (None, None) => "words".to_owned(),
        };
        return (ChangeKind::Schema, format!("{} → {}", unit(before), unit(after)));
    }
    let part = |key: &str| (extra(before, key), extra(after, key));
    let moved: Vec<String> = ["rank", "share"]
        .iter()
        .filter_map(|key| match part(key) {
            (old, new) if old == new => None,
            (old, new) => Some(format!("{key} {} → {}", old.unwrap_or_default(), new.unwrap_or_default())),
        })
        .collect();
    if !moved.is_empty() {
        return (ChangeKind::Revision, moved.join(", "));
    }
    let prints_the_same = before.value == after.value;
    if prints_the_same || comparison.verdict == Verdict::Match {
        let numbers = before.number.zip(after.number).filter(|(old, new)| old != new);
        let reason = numbers.map_or(comparison.reason, |(old, new)| format!("{old} → {new}"));
        return (ChangeKind::Rounding, reason);
    }
    (ChangeKind::Revision, comparison.reason)
}

/// A row with everything that is known of it: the interval that its text stands for, and its context.
fn operand((row, point): Side<'_>) -> Operand {
    let context = point.map_or_else(Context::default, |point| point.context.clone());
    let content = match (row.absence, row.number, &row.value) {
        (Some(absence), ..) => Content::Absent(absence),
        (None, Some(number), _) => {
            let interval = point.and_then(|point| point.interval).unwrap_or_else(|| Interval::point(number));
            let rule = point.and_then(|point| point.rule);
            Content::Value(Value::Quantity(Quantity {
                interval,
                rule,
                ..Quantity::exact(number, row.unit.unwrap_or(Unit::Count))
            }))
        }
        (None, None, Some(text)) => Content::Value(Value::Text(text.clone())),
        (None, None, None) => Content::Unread("the row holds nothing".to_owned()),
    };
    Operand { content, context }
}

fn differing(comparison: &Comparison, (_, old): Side<'_>, (_, new): Side<'_>) -> String {
    let (Some(old), Some(new)) = (old, new) else { return comparison.reason.clone() };
    let parts: Vec<String> = comparison
        .differing
        .iter()
        .map(|part| {
            let name = format!("{part:?}").to_lowercase().replace("period", "year");
            format!("{name} {} → {}", old.context.part(*part), new.context.part(*part))
        })
        .collect();
    if parts.is_empty() { comparison.reason.clone() } else { parts.join(", ") }
}

fn extra(row: &Row, key: &str) -> Option<String> {
    row.extra.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// What rows of one data point are told apart by for a person.
const NAMES: [&str; 4] = ["product", "partner", "name", "row"];

fn name_of(row: &Row) -> Option<String> {
    NAMES.iter().find_map(|key| extra(row, key))
}

fn key_of(row: Option<&Row>) -> Option<String> {
    extra(row?, "code").or_else(|| row?.subject())
}

/// The row under another key that is the same thing: the same name and column where one is gone and one is new.
fn renamed<'a>(change: &RowChange, all: &'a [RowChange]) -> Option<&'a Row> {
    let own = change.row()?;
    let name = name_of(own)?;
    let mut same =
        all.iter().filter(|other| other.old.is_some() != change.old.is_some()).filter_map(|other| {
            let row = match (&other.old, &other.new) {
                (Some(row), None) | (None, Some(row)) => row,
                _ => return None,
            };
            let is_same = row.data_point == own.data_point
                && name_of(row).as_ref() == Some(&name)
                && extra(row, "column") == extra(own, "column")
                && row.field() != own.field();
            is_same.then_some(row)
        });
    // a name that several rows carry identifies none of them
    let found = same.next()?;
    same.next().is_none().then_some(found)
}

fn shown(row: &Row, point: Option<&PointProvenance>) -> Shown {
    Shown {
        text: row.shown(),
        is_there: row.absence.is_none(),
        number: row.number.map(|number| number.to_string()),
        year: row.year.clone(),
        rank: extra(row, "rank"),
        read_at: point.map(|point| point.read_at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        displayed: point.and_then(|point| point.displayed.clone()),
        locator: point.and_then(|point| point.locator.clone()),
        evidence: point.and_then(|point| point.evidence.clone()),
    }
}

/// All differences of a record, judged and told.
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
        let name = change.row().map(name).unwrap_or_default();
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

/// Metric and what the row is about: `Largest exports, Travel & tourism`.
fn name(row: &Row) -> String {
    let mut name = if row.metric.is_empty() { row.data_point.replace('_', " ") } else { row.metric.clone() };
    for part in
        [name_of(row), extra(row, "column").map(|column| column.replace('_', " "))].into_iter().flatten()
    {
        name.push_str(", ");
        name.push_str(&part);
    }
    name
}

/// By how much a value moved: relative for amounts, in points for percentages, as it is for indices and ranks.
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

/// A change in the documented form: `Q61: GDP per capita changed from $2,274 to $2,350 (+3.3 %, revision)`.
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
            format!("is listed otherwise: {}", row.shown())
        }
        (Some(old), None) => format!("disappeared: was {}", old.shown()),
        (None, Some(new)) => format!("appeared: {}", new.shown()),
        (None, None) => "changed".to_owned(),
    };
    // what the comparator says of two plain values only repeats them
    let told = match kind {
        ChangeKind::Revision if !reason.contains('→') => None,
        _ => Some(reason).filter(|reason| !reason.is_empty()),
    };
    let notes: Vec<String> =
        by.into_iter().chain(told).map(str::to_owned).chain([kind.to_string()]).collect();
    format!("Q{id}: {name} {what} ({})", notes.join(", "))
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
