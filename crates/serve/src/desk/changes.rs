//! Pending changes: the stored value and the page's current one, side by side.

use std::collections::BTreeMap;

use crate::templates::values;
use atlas_gt_core::error::Result;
use atlas_gt_truth::judged::{DecidedRun, runs};
use atlas_gt_truth::{PointProvenance, Row, Store, changes, judge, pending};
use serde::Serialize;

use super::page::{Page, about, shown};
use super::place::{Place, Places};
use super::sources::Sources;

/// A pending change of a value.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct WaitingChange {
    pub id: String,
    /// The question's text, if the store has it.
    question: Option<String>,
    /// The value's subject: `GDP per capita, Kenya`.
    about: String,
    pub field: String,
    pub kind: String,
    old: String,
    new: String,
    reason: String,
    /// Why it needs attention before it is accepted.
    note: Option<String>,
}

/// A change with the positions of both values on their pages.
#[derive(Debug, Serialize)]
struct PlacedChange {
    #[serde(flatten)]
    change: WaitingChange,
    before: Option<Place>,
    now: Option<Place>,
}

/// All pending changes in question order. Unreadable ones are skipped; `verify` reports them.
pub(crate) fn waiting(store: &Store) -> Result<Vec<WaitingChange>> {
    all(store, |change, _, _| change)
}

/// Maps each pending change with the provenance of both values.
fn all<T>(
    store: &Store,
    mut make: impl FnMut(WaitingChange, Option<&PointProvenance>, Option<&PointProvenance>) -> T,
) -> Result<Vec<T>> {
    let mut all = Vec::new();
    for id in pending::ids(store)? {
        let Ok(Some(reading)) = pending::load(store, &id) else { continue };
        let stored = store.readable(&id);
        let rows = stored.as_ref().map(|stored| stored.record.results.data.clone()).unwrap_or_default();
        let (old, new) =
            (stored.as_ref().and_then(|stored| stored.provenance.as_ref()), Some(&reading.provenance));
        let found = changes(&rows, &reading.record.results.data);
        let expired = reading.expired(stored.as_ref(), None).map(|why| why.to_string());
        let suspect = reading.suspect.then(|| "from a weaker source: check the page first".to_owned());
        let note = expired.or(suspect);
        for change in &found {
            let (kind, reason) = judge(change, &found, old, new);
            let text = |row: &Option<Row>| row.as_ref().map_or_else(|| "—".to_owned(), Row::shown);
            let shown = WaitingChange {
                id: id.to_string(),
                question: stored.as_ref().and_then(|stored| stored.question()).map(str::to_owned),
                about: change.row().map(about).unwrap_or_default(),
                field: change.field.clone(),
                kind: kind.to_string(),
                old: text(&change.old),
                new: text(&change.new),
                reason,
                note: note.clone(),
            };
            let before = change.old.as_ref().and_then(|row| old?.of(row));
            let now = change.new.as_ref().and_then(|row| reading.provenance.of(row));
            all.push(make(shown, before, now));
        }
    }
    Ok(all)
}

fn placed(store: &Store) -> Result<Vec<PlacedChange>> {
    let mut places = Places::of(store);
    let mut place = |point: Option<&PointProvenance>| places.find(point?);
    all(store, |change, before, now| PlacedChange { change, before: place(before), now: place(now) })
}

pub(crate) fn page(sources: &Sources) -> Result<Page> {
    let changes = sources.store()?.map(|store| placed(&store)).transpose()?.unwrap_or_default();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for change in &changes {
        *kinds.entry(change.change.kind.clone()).or_default() += 1;
    }
    let decided = sources.store()?.map(|store| decided(&store)).transpose()?.unwrap_or_default();
    Ok(Page { template: "changes.html", values: values! { changes, kinds, decided } })
}

/// A run that accepted or rejected changes.
#[derive(Debug, Serialize)]
struct ShownRun {
    run: String,
    at: String,
    by: Option<String>,
    accepted: bool,
    /// The fields of each question.
    fields: Vec<(String, String)>,
}

/// Maximum number of runs to show.
const MAX_RUNS: usize = 20;

/// The decisions that can be undone, latest first.
fn decided(store: &Store) -> Result<Vec<ShownRun>> {
    let shown_run = |run: DecidedRun| ShownRun {
        run: run.run,
        at: shown(run.at),
        by: run.by,
        accepted: run.accepted,
        fields: run.fields.into_iter().map(|(id, fields)| (id.to_string(), fields.join(", "))).collect(),
    };
    Ok(runs(store)?.into_iter().take(MAX_RUNS).map(shown_run).collect())
}

/// The run that a command's output names.
pub(crate) fn run_of(sources: &Sources, said: &str) -> Result<Option<String>> {
    let known = sources.store()?.map(|store| runs(&store)).transpose()?.unwrap_or_default();
    Ok(known.into_iter().map(|one| one.run).find(|run| said.contains(&format!("in run {run}"))))
}
