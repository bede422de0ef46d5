//! Taking what waits into the truth, or dropping it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::judge::{Change, judged, kinds};
use super::report::Expiry;
use crate::error::Result;
use crate::manifest::QuestionId;
use crate::truth::{self, ChangeKind, Reason, RowChange, Run, Store, changes, checks, pending, prepare};
use crate::workflow::filing::same;

/// Which of what waits is meant. What is left empty does not restrict.
#[derive(Debug, Clone, Default)]
pub struct Picked {
    /// These questions.
    pub questions: Option<Vec<String>>,
    /// These fields: a data point, or one row of it, `top_products[ict]`.
    pub fields: Vec<String>,
    /// These kinds.
    pub kinds: Vec<ChangeKind>,
}

impl Picked {
    fn question(&self, id: &QuestionId) -> bool {
        self.questions.as_ref().is_none_or(|ids| ids.iter().any(|one| one == id.as_str()))
    }

    fn change(&self, change: &RowChange, kind: ChangeKind) -> bool {
        let field = self.fields.is_empty()
            || self
                .fields
                .iter()
                .any(|field| *field == change.field || Some(field.as_str()) == change.data_point());
        field && (self.kinds.is_empty() || self.kinds.contains(&kind))
    }
}

/// A commit to be made.
#[derive(Debug)]
pub struct Commit<'a> {
    /// What of that which waits.
    pub picked: &'a Picked,
    /// Why a weaker source may replace a stronger one.
    pub force: Option<&'a Reason>,
    /// Name of the run.
    pub run: &'a str,
    /// When.
    pub now: Timestamp,
}

/// What a commit came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Committed {
    /// Name of the run.
    pub run: String,
    /// What was taken.
    pub taken: Vec<Accepted>,
    /// Readings that no longer count and were dropped.
    pub expired: Vec<Expiry>,
    /// Questions whose reading needs a look at the page first.
    pub needs_page_look: Vec<String>,
    /// Changes that go on waiting.
    pub left: usize,
}

/// What was taken of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Accepted {
    /// The question.
    pub question_id: String,
    /// The changes.
    pub changes: Vec<Change>,
    /// Fields that were taken because others of the same ranking were.
    pub along: Vec<String>,
    /// Changes of the question that go on waiting.
    pub left: usize,
}

/// Takes what is picked of the waiting readings into the truth, all of it at once. Without force, a reading of a weaker
/// source is left waiting and named.
///
/// # Errors
/// The store is damaged or cannot be written. What was begun is finished by the next command.
pub fn commit(store: &Store, order: &Commit<'_>) -> Result<Committed> {
    let mut done = Committed { run: order.run.to_owned(), ..Committed::default() };
    let looks = checks::read(store)?;
    let mut prepared = Vec::new();
    for id in pending::ids(store)?.iter().filter(|id| order.picked.question(id)) {
        let Some(waiting) = pending::load(store, id)? else { continue };
        let stored = store.load(id)?;
        if let Some(why) = waiting.expired(stored.as_ref(), looks.site_vintage()) {
            pending::drop(store, id)?;
            done.expired.push(Expiry { question_id: id.to_string(), why: why.to_string() });
            continue;
        }
        if waiting.suspect && order.force.is_none() {
            done.needs_page_look.push(id.to_string());
            continue;
        }
        let chosen = |change: &RowChange, kind: ChangeKind| order.picked.change(change, kind);
        let Some(one) = prepare(store, id, &chosen, &same, &kinds, order.force)? else {
            continue;
        };
        let old = stored.as_ref().and_then(|stored| stored.provenance.as_ref());
        let all = changes(
            stored.as_ref().map_or(&[], |stored| &stored.record.results.data),
            &waiting.record.results.data,
            &same,
        );
        let fields: Vec<&str> = one.taken.iter().map(|taken| taken.change.field.as_str()).collect();
        let mut told = judged(
            id.as_str(),
            &page_of(&waiting.record.atlas_url),
            &all,
            old,
            Some(&waiting.provenance),
            waiting.suspect,
        );
        told.retain(|change| fields.contains(&change.field.as_str()));
        done.taken.push(Accepted {
            question_id: id.to_string(),
            changes: told,
            along: one.along.clone(),
            left: one.left,
        });
        prepared.push(one);
    }
    truth::commit(store, &prepared, &Run { id: order.run.to_owned(), now: order.now })?;
    done.left = waiting(store, &Picked::default())?.values().map(Vec::len).sum();
    Ok(done)
}

/// Drops what is picked of the waiting readings. A reading of which only a part is picked stays, as its other values do
/// not stand without it. Says which questions' readings were dropped, and which are left because only a part of them
/// was picked.
///
/// # Errors
/// The store cannot be written.
pub fn discard(store: &Store, picked: &Picked) -> Result<(Vec<Change>, Vec<String>)> {
    let mut dropped = Vec::new();
    let mut left = Vec::new();
    for (id, all) in waiting(store, &Picked { questions: picked.questions.clone(), ..Picked::default() })? {
        let wanted = |change: &Change| {
            let point = change.field.split('[').next().unwrap_or_default();
            let field = picked.fields.is_empty()
                || picked.fields.iter().any(|field| *field == change.field || field == point);
            field && (picked.kinds.is_empty() || picked.kinds.contains(&change.kind))
        };
        let parsed: QuestionId = id.parse().map_err(|error: crate::manifest::QuestionIdError| {
            crate::error::Error::Usage(error.to_string())
        })?;
        if all.iter().all(wanted) {
            pending::drop(store, &parsed)?;
            dropped.extend(all);
        } else if all.iter().any(wanted) {
            left.push(id);
        }
    }
    Ok((dropped, left))
}

/// What waits, by question.
///
/// # Errors
/// The store is damaged.
pub fn waiting(store: &Store, picked: &Picked) -> Result<BTreeMap<String, Vec<Change>>> {
    let mut found = BTreeMap::new();
    for id in pending::ids(store)?.iter().filter(|id| picked.question(id)) {
        let Some(waiting) = pending::load(store, id)? else { continue };
        let stored = store.load(id)?;
        let rows = stored.as_ref().map_or(&[][..], |stored| &stored.record.results.data);
        let differing = changes(rows, &waiting.record.results.data, &same);
        let old = stored.as_ref().and_then(|stored| stored.provenance.as_ref());
        let kinds = kinds(&differing, old, Some(&waiting.provenance));
        let wanted: Vec<bool> =
            differing.iter().zip(kinds).map(|(change, kind)| picked.change(change, kind)).collect();
        let told = judged(
            id.as_str(),
            &page_of(&waiting.record.atlas_url),
            &differing,
            old,
            Some(&waiting.provenance),
            waiting.suspect,
        );
        let told = told.into_iter().zip(wanted).filter_map(|(change, wanted)| wanted.then_some(change));
        found.insert(id.to_string(), told.collect());
    }
    Ok(found)
}

/// Drops the readings that no longer count.
pub(super) fn expire(store: &Store, site_vintage: Option<&str>) -> Result<Vec<Expiry>> {
    let mut expired = Vec::new();
    for id in pending::ids(store)? {
        let Some(waiting) = pending::load(store, &id)? else { continue };
        let stored = store.load(&id)?;
        if let Some(why) = waiting.expired(stored.as_ref(), site_vintage) {
            pending::drop(store, &id)?;
            expired.push(Expiry { question_id: id.to_string(), why: why.to_string() });
        }
    }
    Ok(expired)
}

fn page_of(url: &str) -> String {
    url::Url::parse(url).map_or_else(
        |_| url.to_owned(),
        |url| url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path())),
    )
}
