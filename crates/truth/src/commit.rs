//! Commits pending readings: chosen rows are merged into the record, the replaced values go to the changelog, and
//! everything is written atomically.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;

use super::batch::Batch;
use super::changelog::{self, ChangelogEntry, ChangelogLine, READ_AGAIN, Side};
use super::changes::{RowChange, changes, merge};
use super::judged::{self, Before, DecidedChange, DecidedOn};
use super::kind::{ChangeKind, kinds};
use super::pending::{self, Pending};
use super::precedence::weakens;
use super::provenance::{PointProvenance, Provenance, Stored};
use super::queue::Queue;
use super::record::{Record, Results};
use super::review::{self, Review};
use super::row::Row;
use super::store::Store;
use super::time_order::{before_last, last_read};
use crate::error::{Error, Result};
use crate::value::Context;
use atlas_gt_core::question_id::QuestionId;

/// Why a weaker source, or a change without review, is forced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// A reason; `None` if it is blank.
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

/// An accepted change.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// The difference.
    pub change: RowChange,
    /// The kind of change.
    pub kind: ChangeKind,
}

/// A question with the changes to accept from its pending reading.
#[derive(Debug)]
pub struct Prepared {
    /// The question.
    pub question_id: QuestionId,
    /// The changes to accept.
    pub taken: Vec<Taken>,
    /// Fields accepted along with others of the same ranking, because a ranking is only accepted as a whole.
    pub along: Vec<String>,
    /// How many differences stay pending.
    pub left: usize,
    record: Record,
    provenance: Provenance,
    waiting: Pending,
    from: &'static Queue,
    replaced: Option<Stored>,
    reason: Option<String>,
    /// The review it comes from. It is stored with the replaced record.
    reviewed: Option<Review>,
}

/// Who commits, and when.
#[derive(Debug, Clone)]
pub struct CommitRun {
    /// The run's name, recorded in the changelog.
    pub id: String,
    /// The time of the commit.
    pub now: Timestamp,
    /// The person who decides, if any.
    pub by: Option<String>,
}

/// Prepares the commit of chosen rows of a pending reading. `None` if nothing is pending, or no pending row is chosen.
///
/// # Errors
/// A file is damaged; or the reading comes from a weaker source than what it replaces, and no reason is given.
pub fn prepare(
    store: &Store,
    id: &QuestionId,
    chosen: &dyn Fn(&RowChange, ChangeKind) -> bool,
    force: Option<&Reason>,
) -> Result<Option<Prepared>> {
    let Some(waiting) = pending::load(store, id)? else { return Ok(None) };
    prepare_reading(store, waiting, &pending::QUEUE, chosen, force)
}

/// Prepares the commit of an accepted review. `None` if the record already has these values.
///
/// # Errors
/// A file is damaged.
pub(super) fn prepare_reviewed(
    store: &Store,
    review: &Review,
    accepted: Pending,
    why: &Reason,
) -> Result<Option<Prepared>> {
    let prepared = prepare_reading(store, accepted, &review::QUEUE, &|_, _| true, Some(why))?;
    Ok(prepared.map(|prepared| Prepared { reviewed: Some(review.clone()), ..prepared }))
}

/// Restores a record, or removes it if there was none before, and records that in the changelog. Returns the changes.
pub(super) fn revert(
    store: &Store,
    batch: &mut Batch<'_>,
    stored: Stored,
    before: Option<&Before>,
    why: &str,
    run: &CommitRun,
) -> Result<Vec<RowChange>> {
    let found = changes(
        &stored.record.results.data,
        before.map_or(&[], |before| before.record.results.data.as_slice()),
    );
    let kinds = kinds(&found, stored.provenance.as_ref(), before.map(|before| &before.provenance));
    let (record, provenance) = match (before, &stored.provenance) {
        (Some(before), _) => (before.record.clone(), before.provenance.clone()),
        (None, Some(provenance)) => (stored.record.clone(), provenance.clone()),
        (None, None) => {
            return Err(Error::Store {
                path: store.dir().to_owned(),
                message: format!("question {} has no provenance", stored.record.question_id),
            });
        }
    };
    let prepared = Prepared {
        question_id: record.question_id.clone(),
        taken: found.iter().cloned().zip(kinds).map(|(change, kind)| Taken { change, kind }).collect(),
        along: Vec::new(),
        left: 0,
        waiting: Pending {
            question_id: record.question_id.clone(),
            seen_at: run.now,
            suspect: false,
            base: Some(stored.hash.clone()),
            record: record.clone(),
            provenance: provenance.clone(),
        },
        record,
        provenance,
        from: &review::QUEUE,
        replaced: Some(stored),
        reason: Some(why.to_owned()),
        reviewed: None,
    };
    in_order(store, std::slice::from_ref(&prepared), run.now)?;
    match before {
        Some(_) => drop(batch.record(&prepared.record, &prepared.provenance)?),
        None => batch.forget(&prepared.question_id)?,
    }
    prepared.taken.iter().try_for_each(|taken| batch.entry(&prepared.entry(taken, run)))?;
    Ok(found)
}

fn prepare_reading(
    store: &Store,
    waiting: Pending,
    from: &'static Queue,
    chosen: &dyn Fn(&RowChange, ChangeKind) -> bool,
    force: Option<&Reason>,
) -> Result<Option<Prepared>> {
    let id = &waiting.question_id.clone();
    let stored = store.load(id)?;
    let all = differences(stored.as_ref(), &waiting);
    let (taken, rest, along) = pick(all, chosen, &waiting);
    if taken.is_empty() {
        return Ok(None);
    }
    if force.is_none()
        && let Some(stored) = &stored
        && weakens(stored, &waiting.record, &waiting.provenance, taken.iter().map(|one| &one.change))
    {
        let message = format!(
            "question {id}: the pending reading comes from a weaker source than the truth: check the page \
            again, or force it with a reason"
        );
        return Err(Error::Store { path: store.dir().to_owned(), message });
    }
    let (record, provenance) = merged(stored.as_ref(), &waiting, &taken);
    Ok(Some(Prepared {
        question_id: id.clone(),
        left: rest.len(),
        taken,
        along,
        record,
        provenance,
        waiting,
        from,
        replaced: stored,
        reason: force.map(ToString::to_string),
        reviewed: None,
    }))
}

/// Splits differences into accepted and remaining ones. The third list has the fields accepted along: a ranking is only
/// accepted as a whole, and so are values derived from the same inputs.
fn pick(
    all: Vec<Taken>,
    chosen: &dyn Fn(&RowChange, ChangeKind) -> bool,
    waiting: &Pending,
) -> (Vec<Taken>, Vec<Taken>, Vec<String>) {
    let wanted: Vec<bool> = all.iter().map(|one| chosen(&one.change, one.kind)).collect();
    let ranked = |one: &Taken| one.change.data_point().filter(|_| one.change.is_ranked()).map(str::to_owned);
    let rankings: Vec<String> =
        all.iter().zip(&wanted).filter(|(_, wanted)| **wanted).filter_map(|(one, _)| ranked(one)).collect();
    let follows = waiting.provenance.derivation.is_some() && wanted.contains(&true);
    let (mut taken, mut rest, mut along) = (Vec::new(), Vec::new(), Vec::new());
    for (one, wanted) in all.into_iter().zip(wanted) {
        let is_along = !wanted && (follows || ranked(&one).is_some_and(|point| rankings.contains(&point)));
        if is_along {
            along.push(one.change.field.clone());
        }
        if wanted || is_along { taken.push(one) } else { rest.push(one) }
    }
    (taken, rest, along)
}

/// The discarded part of a pending reading.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscardedReading {
    /// The question.
    pub question_id: QuestionId,
    /// The discarded fields.
    pub fields: Vec<String>,
    /// How many differences stay pending.
    pub left: usize,
}

/// Discards the chosen rows of pending readings atomically. The rest stays pending. This can be undone.
///
/// # Errors
/// A file is damaged, or the store cannot be written.
pub fn discard(
    store: &Store,
    ids: &[QuestionId],
    chosen: &dyn Fn(&RowChange, ChangeKind) -> bool,
    run: &CommitRun,
) -> Result<Vec<DiscardedReading>> {
    let mut batch = store.batch()?;
    let mut discarded = Vec::new();
    for id in ids {
        let Some(waiting) = pending::load(store, id)? else { continue };
        let stored = store.load(id)?;
        let (taken, rest, _) = pick(differences(stored.as_ref(), &waiting), chosen, &waiting);
        if taken.is_empty() {
            if rest.is_empty() {
                // The record has these values by now.
                pending::QUEUE.put::<()>(&mut batch, id, None)?;
            }
            continue;
        }
        let left = (!rest.is_empty()).then(|| {
            let (record, provenance) = merged(stored.as_ref(), &waiting, &rest);
            Pending { record, provenance, ..waiting.clone() }
        });
        let fields: Vec<String> = taken.into_iter().map(|one| one.change.field).collect();
        let (run, fields_of) = (run.clone(), fields.clone());
        let change = DecidedChange {
            run: run.id,
            at: run.now,
            by: run.by,
            accepted: false,
            fields: fields_of,
            reading: waiting,
        };
        let written = stored.as_ref().map(|stored| stored.hash.clone());
        judged::put(store, &mut batch, DecidedOn::Change(change), written, stored.as_ref())?;
        pending::QUEUE.put(&mut batch, id, left.as_ref())?;
        discarded.push(DiscardedReading { question_id: id.clone(), fields, left: rest.len() });
    }
    batch.write()?;
    Ok(discarded)
}

/// The differences of a pending reading, each with its kind.
fn differences(stored: Option<&Stored>, waiting: &Pending) -> Vec<Taken> {
    let old: &[Row] = stored.map_or(&[], |stored| &stored.record.results.data);
    let before = stored.and_then(|stored| stored.provenance.as_ref());
    let found = changes(old, &waiting.record.results.data);
    let kinds = kinds(&found, before, Some(&waiting.provenance));
    found.into_iter().zip(kinds).map(|(change, kind)| Taken { change, kind }).collect()
}

/// The record and provenance after merging the accepted rows.
fn merged(stored: Option<&Stored>, waiting: &Pending, taken: &[Taken]) -> (Record, Provenance) {
    let new = &waiting.record;
    let Some(stored) = stored else { return (new.clone(), waiting.provenance.clone()) };
    let chosen = |field: &str| taken.iter().any(|one| one.change.field == field);
    let rows = merge(&stored.record.results.data, &new.results.data, &chosen);
    let points: Vec<PointProvenance> = rows
        .iter()
        .filter_map(|merged| {
            let from = if merged.is_new { Some(&waiting.provenance) } else { stored.provenance.as_ref() };
            from.and_then(|provenance| provenance.of(&merged.row)).cloned()
        })
        .collect();
    let all_new = rows.iter().all(|merged| merged.is_new);
    let (old_method, new_method) = (stored.record.source_method, new.source_method);
    let weaker = if new_method.strength() < old_method.strength() { new_method } else { old_method };
    let record = Record {
        source_method: if all_new { new_method } else { weaker },
        results: Results { data: rows.into_iter().map(|merged| merged.row).collect() },
        ..new.clone()
    };
    (record, Provenance { points, ..waiting.provenance.clone() })
}

/// Commits what was prepared: records, provenance, changelog and the remaining pending readings, atomically.
///
/// # Errors
/// The store cannot be written. The next command that opens it completes an interrupted write.
pub fn commit(store: &Store, prepared: &[Prepared], run: &CommitRun) -> Result<()> {
    let mut batch = store.batch()?;
    in_order(store, prepared, run.now)?;
    for one in prepared {
        let hash = batch.record(&one.record, &one.provenance)?;
        let decided = match &one.reviewed {
            Some(review) => DecidedOn::Review(review.clone()),
            None => DecidedOn::Change(DecidedChange {
                run: run.id.clone(),
                at: run.now,
                by: run.by.clone(),
                accepted: true,
                fields: one.taken.iter().map(|taken| taken.change.field.clone()).collect(),
                reading: one.waiting.clone(),
            }),
        };
        judged::put(store, &mut batch, decided, Some(hash.clone()), one.replaced.as_ref())?;
        let left = Pending { base: Some(hash), ..one.waiting.clone() };
        one.from.put(&mut batch, &one.question_id, (one.left > 0).then_some(&left))?;
        let last = if one.replaced.is_none() { last_entries(store, &one.question_id)? } else { Vec::new() };
        let is_known = |taken: &&Taken| last.iter().any(|entry| entry.line.field == taken.change.field);
        for taken in one.taken.iter().filter(|taken| !is_known(taken)) {
            batch.entry(&one.entry(taken, run))?;
        }
        for entry in read_again(last, &one.record, &one.provenance, run) {
            batch.entry(&entry)?;
        }
    }
    batch.write()
}

/// The last changelog entry of each value that a question has had; not of fields that were last removed.
pub(super) fn last_entries(store: &Store, id: &QuestionId) -> Result<Vec<ChangelogEntry>> {
    let mut last: Vec<ChangelogEntry> = Vec::new();
    for entry in changelog::of(store, id)? {
        match last.iter_mut().find(|known| known.line.field == entry.line.field) {
            Some(known) => *known = entry,
            None => last.push(entry),
        }
    }
    last.retain(|entry| !entry.line.new.is_null());
    Ok(last)
}

/// The changelog entries of a record whose files were removed before it was read again: one for each value that differs
/// from the last entry, so that its history has no gap.
pub(super) fn read_again(
    last: Vec<ChangelogEntry>,
    new: &Record,
    provenance: &Provenance,
    run: &CommitRun,
) -> Vec<ChangelogEntry> {
    let differs = |known: ChangelogEntry| {
        let mut rows = new.results.data.iter().filter(|row| row.field() == known.line.field);
        let row = rows.next();
        let context = row.and_then(|row| provenance.of(row)).map(|point| point.context.clone());
        let value = changelog::written(row);
        // rows without a distinct field cannot be followed
        (rows.next().is_none() && value != known.line.new).then(|| ChangelogEntry {
            line: ChangelogLine {
                timestamp: run.now,
                old: known.line.new,
                new: value,
                source: new.source_method,
                run: run.id.clone(),
                kind: None,
                reason: Some(READ_AGAIN.to_owned()),
                by: run.by.clone(),
                ..known.line
            },
            context: context.filter(|context| *context != Context::default()),
            before: known.after,
            after: row.map(|row| side(row, new, Some(provenance))),
        })
    };
    last.into_iter().filter_map(differs).collect()
}

/// Refuses a commit dated before the last known event of one of its records.
fn in_order(store: &Store, prepared: &[Prepared], now: Timestamp) -> Result<()> {
    let of = |one: &Prepared| {
        let read = last_read(&one.waiting.record, Some(&one.waiting.provenance));
        let last = one.replaced.as_ref().map_or(read, |stored| read.max(stored.last_read()));
        (one.question_id.clone(), last)
    };
    let mut last: BTreeMap<QuestionId, Timestamp> = prepared.iter().map(of).collect();
    for line in changelog::lines(store, None)? {
        if let Some(last) = last.get_mut(&line.question_id) {
            *last = (*last).max(line.timestamp);
        }
    }
    let too_early = last.iter().find_map(|(id, last)| before_last(id, *last, now));
    too_early.map_or(Ok(()), |why| Err(Error::Usage(why)))
}

impl Prepared {
    fn entry(&self, taken: &Taken, run: &CommitRun) -> ChangelogEntry {
        let change = &taken.change;
        let stored = self.replaced.as_ref();
        let before = change
            .old
            .as_ref()
            .zip(stored)
            .map(|(row, stored)| side(row, &stored.record, stored.provenance.as_ref()));
        let after =
            change.new.as_ref().map(|row| side(row, &self.waiting.record, Some(&self.waiting.provenance)));
        let of = |row: &Row| self.waiting.provenance.of(row).or_else(|| stored?.provenance.as_ref()?.of(row));
        let context =
            change.new.as_ref().or(change.old.as_ref()).and_then(of).map(|point| point.context.clone());
        let by = change.new.as_ref().and_then(|row| self.waiting.provenance.of(row)?.person.as_ref());
        let context = context.filter(|context| *context != Context::default());
        ChangelogEntry {
            line: ChangelogLine {
                timestamp: run.now,
                question_id: self.question_id.clone(),
                field: change.field.clone(),
                old: changelog::written(change.old.as_ref()),
                new: changelog::written(change.new.as_ref()),
                source: self.waiting.record.source_method,
                run: run.id.clone(),
                kind: Some(taken.kind),
                reason: self.reason.clone(),
                by: by.map(|person| &person.by).or(run.by.as_ref()).cloned(),
            },
            context,
            before,
            after,
        }
    }
}

/// A row of a record in the changelog's form.
pub(super) fn side(row: &Row, record: &Record, provenance: Option<&Provenance>) -> Side {
    let point = provenance.and_then(|provenance| provenance.of(row));
    Side {
        source: record.source_method,
        read_at: point.map_or(record.execution_timestamp, |point| point.read_at),
        channel: point.map(|point| point.channel),
        evidence: point.and_then(|point| point.evidence.clone()),
        screenshot: point.and_then(|point| point.screenshot.clone()),
        imported: point.and_then(|point| point.imported.clone()),
        row: row.clone(),
    }
}

#[cfg(test)]
#[path = "commit_tests.rs"]
mod tests;
