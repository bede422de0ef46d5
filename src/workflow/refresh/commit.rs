//! Accepts or discards pending changes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::judge::{Change, judged};
use super::report::Expiry;
use crate::error::{Exit, Result};
use crate::manifest::QuestionId;
use crate::selection::{QuestionFilter, at_least_one};
use crate::truth::pending::Pending;
use crate::truth::take_back::take_back_run;
use crate::truth::{
    self, ChangeKind, CommitRun, Person, Quarantined, Reason, RowChange, Store, Stored, changes, checks,
    pending, prepare,
};

/// Which pending changes are chosen. An empty part does not restrict.
#[derive(Debug, Clone, Default)]
pub struct Picked {
    /// Only these questions.
    pub questions: Option<Vec<String>>,
    /// Only these fields: a data point, or one row of it such as `top_products[ict]`.
    pub fields: Vec<String>,
    /// Only these kinds.
    pub kinds: Vec<ChangeKind>,
}

impl Picked {
    fn question(&self, id: &QuestionId) -> bool {
        self.questions.as_ref().is_none_or(|ids| ids.iter().any(|one| one == id.as_str()))
    }

    /// Rejects a choice that matches no pending change (decision 37). An empty choice always
    /// passes.
    ///
    /// # Errors
    /// A named field has no pending reading, nothing matches the whole choice, or the store is
    /// damaged.
    pub fn check(&self, store: &Store) -> Result<()> {
        let all = waiting(store, &Self { questions: self.questions.clone(), ..Self::default() })?;
        let changes = || all.values().flatten();
        if let Some(fields) = QuestionFilter::new("--field", &self.fields)? {
            let known = changes().map(|change| (change.field.clone(), ()));
            fields.choose(known, "what waits", is_field)?;
        }
        let is_choice = self.questions.is_some() || !self.fields.is_empty() || !self.kinds.is_empty();
        let fitting = changes().filter(|change| self.field(&change.field, change.kind)).count();
        // unreadable readings count as matches, so that they are reported
        at_least_one(fitting + store.quarantined().len() + usize::from(!is_choice), || {
            format!(
                "no pending change in {} matches the named questions, fields and kinds; `{}` lists what changed",
                store.dir().display(),
                store.command("refresh")
            )
        })?;
        Ok(())
    }

    /// Whether a field is chosen: `top_products`, or one row of it such as `top_products[ict]`.
    fn field(&self, field: &str, kind: ChangeKind) -> bool {
        let named = self.fields.is_empty() || self.fields.iter().any(|one| is_field(one.trim(), field));
        named && (self.kinds.is_empty() || self.kinds.contains(&kind))
    }
}

/// Whether `name` names a field or the point that the field belongs to.
fn is_field(name: &str, field: &str) -> bool {
    name == field || field.split('[').next() == Some(name)
}

/// The fields of a list, as `--field` takes it. A comma in brackets belongs to the row: `top_products[coal, crude]`.
#[must_use]
pub fn field_list(list: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let is_between = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    list.split(is_between).map(str::to_owned).collect()
}

/// A commit to apply.
#[derive(Debug)]
pub struct Commit<'a> {
    /// The chosen changes.
    pub picked: &'a Picked,
    /// The reason for which a weaker source may replace a stronger one.
    pub force: Option<&'a Reason>,
    /// The run of the commit.
    pub run: &'a CommitRun,
}

/// The result of a commit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Committed {
    /// The run's id.
    pub run: String,
    /// The accepted changes, by question.
    pub taken: Vec<AcceptedChanges>,
    /// Pending readings that were dropped.
    pub expired: Vec<Expiry>,
    /// Questions that need a page visit before their reading counts.
    pub needs_page_look: Vec<String>,
    /// Changes still pending.
    pub left: usize,
    /// Unreadable files, left unchanged.
    pub quarantined: Vec<Quarantined>,
    /// The exit code of the page visits that the commit made.
    #[serde(skip)]
    pub looked: Exit,
}

/// The accepted changes of one question.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AcceptedChanges {
    /// The question.
    pub question_id: String,
    /// The changes.
    pub changes: Vec<Change>,
    /// Fields accepted because other rows of the same ranking were.
    pub along: Vec<String>,
    /// Changes of the question that are still pending.
    pub left: usize,
}

/// Accepts all chosen changes in one transaction. Without force, a reading from a weaker source
/// stays pending and is reported.
///
/// # Errors
/// The store is damaged or cannot be written. The next command completes an interrupted commit.
pub fn commit(store: &Store, order: &Commit<'_>) -> Result<Committed> {
    let mut done = Committed { run: order.run.id.clone(), ..Committed::default() };
    let looks = checks::read(store)?;
    let mut prepared = Vec::new();
    for (waiting, stored) in readings(store, order.picked)? {
        let id = &waiting.question_id;
        if let Some(expired) = expiry(store, &waiting, stored.as_ref(), looks.site_vintage())? {
            done.expired.push(expired);
            continue;
        }
        if waiting.suspect && order.force.is_none() {
            done.needs_page_look.push(id.to_string());
            continue;
        }
        let chosen = |change: &RowChange, kind: ChangeKind| order.picked.field(&change.field, kind);
        let Some(one) = prepare(store, id, &chosen, order.force)? else {
            continue;
        };
        let fields: Vec<&str> = one.taken.iter().map(|taken| taken.change.field.as_str()).collect();
        let mut changes = changes_of(stored.as_ref(), &waiting);
        changes.retain(|change| fields.contains(&change.field.as_str()));
        done.taken.push(AcceptedChanges {
            question_id: id.to_string(),
            changes,
            along: one.along.clone(),
            left: one.left,
        });
        prepared.push(one);
    }
    truth::commit(store, &prepared, order.run)?;
    done.left = waiting(store, &Picked::default())?.values().map(Vec::len).sum();
    done.quarantined = store.quarantined();
    Ok(done)
}

/// The result of a discard.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Discarded {
    /// The run's id.
    pub run: String,
    /// The discarded changes.
    pub dropped: Vec<Change>,
    /// Questions whose pending reading was unreadable, and was dropped.
    pub unreadable: Vec<String>,
    /// Changes still pending.
    pub left: usize,
    /// Unreadable files, left unchanged.
    pub quarantined: Vec<Quarantined>,
}

/// Discards the chosen changes. The rest of a reading stays pending, except rows of the same
/// ranking. An unreadable reading is dropped if its question is named.
///
/// # Errors
/// The store cannot be written.
pub fn discard(store: &Store, picked: &Picked, run: &CommitRun) -> Result<Discarded> {
    // an unreadable reading can only be chosen by its question
    let is_whole = picked.questions.is_some() && picked.fields.is_empty() && picked.kinds.is_empty();
    let mut unreadable = Vec::new();
    for id in pending::ids(store)?.iter().filter(|id| is_whole && picked.question(id)) {
        if pending::load(store, id).is_err() {
            pending::drop(store, id)?;
            unreadable.push(id.to_string());
        }
    }
    let all = waiting(store, &Picked { questions: picked.questions.clone(), ..Picked::default() })?;
    let mut ids = Vec::new();
    for id in pending::ids(store)? {
        ids.extend(Some(id).filter(|id| all.contains_key(id.as_str())));
    }
    let chosen = |change: &RowChange, kind: ChangeKind| picked.field(&change.field, kind);
    let discarded = truth::discard(store, &ids, &chosen, run)?;
    let is_dropped = |change: &Change| {
        let of = |one: &&truth::DiscardedReading| one.question_id.as_str() == change.question_id;
        discarded.iter().find(of).is_some_and(|one| one.fields.contains(&change.field))
    };
    Ok(Discarded {
        run: run.id.clone(),
        dropped: all.into_values().flatten().filter(is_dropped).collect(),
        unreadable,
        left: waiting(store, &Picked::default())?.values().map(Vec::len).sum(),
        quarantined: store.quarantined(),
    })
}

/// The result of an undo.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Undone {
    /// The undone run.
    pub run: String,
    /// Questions whose changes are pending again.
    pub questions: Vec<UndoneQuestion>,
    /// Why other questions could not be undone.
    pub left: Vec<String>,
}

/// A question whose changes are pending again.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct UndoneQuestion {
    /// The question.
    pub question_id: String,
    /// What changed in its record.
    pub changes: Vec<String>,
}

/// Undoes what a run accepted or discarded: its changes are pending again. Without a name it undoes
/// the last run.
///
/// # Errors
/// The run does not exist, none of it can be undone, or the store cannot be written.
pub fn undo(
    store: &Store,
    name: Option<&str>,
    questions: Option<Vec<String>>,
    person: &Person,
    run: &str,
) -> Result<Undone> {
    let picked = Picked { questions, ..Picked::default() };
    let run = CommitRun { id: run.to_owned(), now: person.at, by: Some(person.by.clone()) };
    let done = take_back_run(store, name, &|id| picked.question(id), person, &run)?;
    let undone = |(id, changes): (QuestionId, Vec<RowChange>)| UndoneQuestion {
        question_id: id.to_string(),
        changes: changes.iter().map(ToString::to_string).collect(),
    };
    Ok(Undone {
        run: done.run,
        questions: done.questions.into_iter().map(undone).collect(),
        left: done.left.into_values().collect(),
    })
}

/// The pending changes, by question.
///
/// # Errors
/// The store is damaged.
pub fn waiting(store: &Store, picked: &Picked) -> Result<BTreeMap<String, Vec<Change>>> {
    let mut found = BTreeMap::new();
    for (waiting, stored) in readings(store, picked)? {
        let all = changes_of(stored.as_ref(), &waiting);
        let changes = all.into_iter().filter(|change| picked.field(&change.field, change.kind));
        found.insert(waiting.question_id.to_string(), changes.collect());
    }
    Ok(found)
}

/// The readable pending readings of chosen questions, each with its record.
fn readings(store: &Store, picked: &Picked) -> Result<Vec<(Pending, Option<Stored>)>> {
    let mut found = Vec::new();
    for id in pending::ids(store)?.iter().filter(|id| picked.question(id) && store.is_readable(id)) {
        if let Some(waiting) = pending::load(store, id)? {
            found.push((waiting, store.load(id)?));
        }
    }
    Ok(found)
}

/// Drops expired readings.
pub(super) fn expire(store: &Store, site_vintage: Option<&str>) -> Result<Vec<Expiry>> {
    let all = readings(store, &Picked::default())?;
    let expired = all.iter().map(|(waiting, stored)| expiry(store, waiting, stored.as_ref(), site_vintage));
    expired.filter_map(Result::transpose).collect()
}

/// Drops a reading if it has expired, and returns the reason.
fn expiry(
    store: &Store,
    waiting: &Pending,
    stored: Option<&Stored>,
    site_vintage: Option<&str>,
) -> Result<Option<Expiry>> {
    let Some(why) = waiting.expired(stored, site_vintage) else { return Ok(None) };
    pending::drop(store, &waiting.question_id)?;
    Ok(Some(Expiry { question_id: waiting.question_id.to_string(), why: why.to_string() }))
}

/// The changes that a pending reading would make.
fn changes_of(stored: Option<&Stored>, waiting: &Pending) -> Vec<Change> {
    judged(
        waiting.question_id.as_str(),
        &page_of(&waiting.record.atlas_url),
        &changes(stored.map_or(&[], |stored| &stored.record.results.data), &waiting.record.results.data),
        stored.and_then(|stored| stored.provenance.as_ref()),
        Some(&waiting.provenance),
        waiting.suspect,
    )
}

fn page_of(url: &str) -> String {
    url::Url::parse(url).map_or_else(
        |_| url.to_owned(),
        |url| url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_in_the_name_of_a_row_separates_no_fields() {
        let fields = field_list("gdp_per_capita,top_products[coal, crude],eci");
        assert_eq!(fields, ["gdp_per_capita", "top_products[coal, crude]", "eci"]);
        assert_eq!(field_list("a],b"), ["a]", "b"]);
        assert_eq!(field_list(","), ["", ""]);
    }
}
