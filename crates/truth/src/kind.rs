//! Classifies a change with the comparator, from both rows and their provenance.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::changes::RowChange;
use super::compare::{Side, operand, ranked_among};
use super::provenance::Provenance;
use super::row::Row;
use crate::scoring::compare::compare;
use crate::scoring::{Comparison, Verdict};
use atlas_gt_core::tone::Tone;

/// The kind of a difference between a record and a reading.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The site has another value for the same thing.
    Revision,
    /// The same value at the displayed precision: printed differently, or changed below that precision.
    Rounding,
    /// The value now has another context: year, classification, partner or ranking.
    Scope,
    /// The same data point in another form: another unit or code, or words instead of a number.
    Schema,
    /// The value is gone.
    Disappearance,
    /// A value appeared.
    Appearance,
    /// The page exists, but the value can no longer be found on it. The truth does not change: nothing can be accepted,
    /// and the extractor needs mending.
    ExtractorBroken,
}

atlas_gt_core::names!(ChangeKind);

impl ChangeKind {
    /// The kind by presence alone: a value appeared, disappeared or changed.
    #[must_use]
    pub(crate) fn by_presence(change: &RowChange) -> Self {
        let is_there = |row: Option<&Row>| row.is_some_and(|row| row.absence.is_none());
        match (is_there(change.old.as_ref()), is_there(change.new.as_ref())) {
            (false, true) => Self::Appearance,
            (true, false) => Self::Disappearance,
            (true, true) => Self::Revision,
            (false, false) => Self::Schema,
        }
    }

    /// The tone of changes of these kinds: additions are good news, losses bad, and all else needs attention.
    #[must_use]
    pub fn tone(kinds: &BTreeSet<Self>) -> Tone {
        match (kinds.first(), kinds.len()) {
            (Some(Self::Appearance), 1) => Tone::Good,
            (Some(Self::Disappearance), 1) => Tone::Bad,
            _ => Tone::Warning,
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounding => f.write_str("rounding only"),
            other => f.write_str(&other.words()),
        }
    }
}

impl FromStr for ChangeKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = text.trim().to_lowercase().replace([' ', '-'], "_");
        let found = Self::ALL.iter().copied().find(|kind| kind.name() == plain);
        found.or((plain == "rounding_only").then_some(Self::Rounding)).ok_or_else(|| {
            let all: Vec<&str> = Self::ALL.iter().map(|kind| kind.name()).collect();
            format!("`{text}` is not a kind of change: use one of {}", all.join(", "))
        })
    }
}

/// The kinds of all differences of a record.
#[must_use]
pub fn kinds(changes: &[RowChange], old: Option<&Provenance>, new: Option<&Provenance>) -> Vec<ChangeKind> {
    changes.iter().map(|change| judge(change, changes, old, new).0).collect()
}

/// The kind and reason of one difference of a record.
#[must_use]
pub fn judge(
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
        let imported = change.old.as_ref().and_then(|row| old?.of(row)?.imported.as_ref());
        let reason = match imported {
            Some(from) => format!("imported from {from}; nothing read from the page has this name"),
            None if change.old.is_some() => "no longer there".to_owned(),
            None => "not there before".to_owned(),
        };
        return (presence, reason);
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
            (Some(unit), _) => atlas_gt_core::words::name(&unit).to_owned(),
            (None, Some(_)) => "a number".to_owned(),
            (None, None) => "words".to_owned(),
        };
        return (ChangeKind::Schema, format!("{} → {}", unit(before), unit(after)));
    }
    let part = |key: &str| (before.text(key), after.text(key));
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

fn key_of(row: Option<&Row>) -> Option<String> {
    row?.text("code").or_else(|| row?.subject())
}

/// The row of the same thing under another key: equal name and column, one row gone and the other new.
fn renamed<'a>(change: &RowChange, all: &'a [RowChange]) -> Option<&'a Row> {
    let own = change.row()?;
    let name = own.name()?;
    let mut same =
        all.iter().filter(|other| other.old.is_some() != change.old.is_some()).filter_map(|other| {
            let row = match (&other.old, &other.new) {
                (Some(row), None) | (None, Some(row)) => row,
                _ => return None,
            };
            let is_same = row.data_point == own.data_point
                && row.name().as_ref() == Some(&name)
                && row.text("column") == own.text("column")
                && row.field() != own.field();
            is_same.then_some(row)
        });
    // A name shared by several rows identifies none of them.
    let found = same.next()?;
    same.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for &kind in ChangeKind::ALL {
            assert_eq!(kind.name().parse::<ChangeKind>(), Ok(kind));
            assert_eq!(kind.to_string().parse::<ChangeKind>(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert!("other".parse::<ChangeKind>().unwrap_err().contains("revision"));
    }
}
