//! What becomes of a reading: written, found unchanged, kept pending or refused; and how a pending
//! reading is taken over. Nothing that is stored is overwritten without being asked for.

use std::fmt;

use jiff::Timestamp;

use super::changelog;
use super::changes::{RowChange, Same, changes, merge};
use super::checks::{self, Check, Look};
use super::pending::{self, Pending};
use super::precedence::strength;
use super::provenance::{PointProvenance, Provenance};
use super::record::{Record, Results};
use super::store::{Store, Stored};
use crate::error::{Error, Result};
use crate::manifest::QuestionId;

/// Why somebody forces a weaker source, or a change without review, into the truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// A reason that says something; `None` for a blank one.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What became of a reading.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// There was no record, and now there is one.
    Written,
    /// The same values. Nothing was touched but `checks.jsonl`.
    Unchanged,
    /// The same values from a stronger source: the record now says so, and keeps its values and time.
    Strengthened,
    /// Other values: they wait for a person.
    Pending {
        /// What differs.
        changes: Vec<RowChange>,
        /// They come from a weaker source than the truth: a look at the page is due.
        suspect: bool,
    },
    /// Other values, forced in; what they replaced is in the changelog.
    Forced(Vec<RowChange>),
    /// A failed or partial look: neither truth nor change.
    Refused(String),
}

/// Files a reading of one question.
///
/// An absent record is written; an equal one (by `same`, not by text) is left alone; a differing one is
/// left alone too and the reading kept pending, unless `force` says why not. A reading in which
/// something could not be read is refused. A look that wrote nothing leaves a line in `checks.jsonl`.
///
/// # Errors
/// When the store cannot be written, or the reading is of another site or question.
pub fn file_reading(
    store: &Store,
    new: &Record,
    provenance: &Provenance,
    same: Same<'_>,
    force: Option<&Reason>,
    now: Timestamp,
) -> Result<Outcome> {
    store.writable()?;
    let id = &new.question_id;
    let stored = store.load(id)?;
    if new.site != store.site() {
        let message = format!("holds the {} site; this reading is of the {} site", store.site(), new.site);
        return Err(Error::Store { path: store.dir().to_owned(), message });
    }
    let look = |outcome, detail: Option<String>| {
        checks::append(store, &Check { timestamp: now, question_id: id.clone(), outcome, detail })
    };
    if let Some(why) = unusable(new) {
        look(Look::Failed, Some(why.clone()))?;
        return Ok(Outcome::Refused(why));
    }
    let Some(stored) = stored else {
        store.save(new, provenance)?;
        pending::drop(store, id)?;
        return Ok(Outcome::Written);
    };
    let found = changes(&stored.record.results.data, &new.results.data, same);
    let old_strength = stored.strength();
    let new_strength = strength(new, Some(provenance));
    if found.is_empty() {
        settle_pending(store, id, new, provenance)?;
        look(Look::Unchanged, None)?;
        if new_strength > old_strength {
            store.save(&strengthened(&stored, new), provenance)?;
            return Ok(Outcome::Strengthened);
        }
        if !stored.provenance_fits() && new_strength == old_strength {
            store.save_provenance(&stored, provenance)?;
        }
        return Ok(Outcome::Unchanged);
    }
    if let Some(reason) = force {
        let reading = Pending {
            question_id: id.clone(),
            seen_at: now,
            suspect: false,
            record: new.clone(),
            provenance: provenance.clone(),
        };
        take(store, &stored, &reading, same, &|_| true, Some(reason), now)?;
        pending::drop(store, id)?;
        return Ok(Outcome::Forced(found));
    }
    let suspect = new_strength < old_strength;
    keep_pending(store, new, provenance, suspect, same, now)?;
    look(if suspect { Look::Suspect } else { Look::Differs }, None)?;
    Ok(Outcome::Pending { changes: found, suspect })
}

/// Takes the chosen fields of a pending reading into the truth; the rest stays pending. What is
/// replaced goes to the changelog first. `None` when nothing waits.
///
/// # Errors
/// When the store cannot be written, when the reading comes from a weaker source than the truth and no
/// reason is given, or when there is no record any more.
pub fn accept(
    store: &Store,
    id: &QuestionId,
    chosen: &dyn Fn(&str) -> bool,
    same: Same<'_>,
    force: Option<&Reason>,
    now: Timestamp,
) -> Result<Option<Vec<RowChange>>> {
    store.writable()?;
    let Some(waiting) = pending::load(store, id)? else { return Ok(None) };
    let Some(stored) = store.load(id)? else {
        store.save(&waiting.record, &waiting.provenance)?;
        pending::drop(store, id)?;
        return Ok(Some(changes(&[], &waiting.record.results.data, same)));
    };
    let weaker = strength(&waiting.record, Some(&waiting.provenance)) < stored.strength();
    if weaker && force.is_none() {
        let message = format!(
            "question {id}: the pending reading comes from a weaker source than the truth: look at the page \
             again, or force it with a reason"
        );
        return Err(Error::Store { path: store.dir().to_owned(), message });
    }
    let taken = take(store, &stored, &waiting, same, chosen, force, now)?;
    let left = store.load(id)?.map_or_else(Vec::new, |stored| {
        changes(&stored.record.results.data, &waiting.record.results.data, same)
    });
    if left.is_empty() {
        pending::drop(store, id)?;
    }
    Ok(Some(taken))
}

/// Why a reading cannot be the truth.
fn unusable(new: &Record) -> Option<String> {
    let rows = &new.results.data;
    let failed: Vec<String> = rows.iter().filter(|row| row.is_failed()).map(super::Row::field).collect();
    if rows.is_empty() {
        Some("nothing was read".to_owned())
    } else if failed.is_empty() {
        None
    } else {
        Some(format!("could not be read: {}", failed.join(", ")))
    }
}

/// A look that confirms the truth settles a pending reading of a source that is no stronger.
fn settle_pending(store: &Store, id: &QuestionId, new: &Record, provenance: &Provenance) -> Result<()> {
    match pending::load(store, id)? {
        Some(waiting)
            if strength(&waiting.record, Some(&waiting.provenance)) <= strength(new, Some(provenance)) =>
        {
            pending::drop(store, id)
        }
        _ => Ok(()),
    }
}

/// Keeps a reading, unless a stronger one or the very same already waits.
fn keep_pending(
    store: &Store,
    new: &Record,
    provenance: &Provenance,
    suspect: bool,
    same: Same<'_>,
    now: Timestamp,
) -> Result<()> {
    if let Some(waiting) = pending::load(store, &new.question_id)? {
        let before = strength(&waiting.record, Some(&waiting.provenance));
        let after = strength(new, Some(provenance));
        let is_same = changes(&waiting.record.results.data, &new.results.data, same).is_empty();
        if before > after || (before == after && is_same) {
            return Ok(());
        }
    }
    pending::save(
        store,
        &Pending {
            question_id: new.question_id.clone(),
            seen_at: now,
            suspect,
            record: new.clone(),
            provenance: provenance.clone(),
        },
    )
}

/// The stored values and time, with the stronger source's name.
fn strengthened(stored: &Stored, new: &Record) -> Record {
    Record { source_method: new.source_method, atlas_url: new.atlas_url.clone(), ..stored.record.clone() }
}

/// Replaces the chosen rows and tells the changelog, before anything is lost.
fn take(
    store: &Store,
    stored: &Stored,
    reading: &Pending,
    same: Same<'_>,
    chosen: &dyn Fn(&str) -> bool,
    reason: Option<&Reason>,
    now: Timestamp,
) -> Result<Vec<RowChange>> {
    let new = &reading.record;
    let mut taken = changes(&stored.record.results.data, &new.results.data, same);
    taken.retain(|change| chosen(&change.field));
    if taken.is_empty() {
        return Ok(taken);
    }
    for change in &taken {
        let entry = changelog::Entry {
            timestamp: now,
            question_id: new.question_id.clone(),
            field: change.field.clone(),
            old: changelog::told(change.old.as_ref()),
            new: changelog::told(change.new.as_ref()),
            source: new.source_method,
            reason: reason.map(ToString::to_string),
        };
        changelog::append(store, &entry)?;
    }
    let merged = merge(&stored.record.results.data, &new.results.data, same, chosen);
    let points: Vec<PointProvenance> = merged
        .iter()
        .filter_map(|merged| {
            let from = if merged.is_new { Some(&reading.provenance) } else { stored.provenance.as_ref() };
            from.and_then(|provenance| provenance.of(&merged.row)).cloned()
        })
        .collect();
    let all_new = merged.iter().all(|merged| merged.is_new);
    let weaker_method = || {
        let (old, new) = (stored.record.source_method, new.source_method);
        if new.strength() < old.strength() { new } else { old }
    };
    let record = Record {
        source_method: if all_new { new.source_method } else { weaker_method() },
        results: Results { data: merged.into_iter().map(|merged| merged.row).collect() },
        ..new.clone()
    };
    store.save(&record, &Provenance { points, ..reading.provenance.clone() })?;
    Ok(taken)
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
