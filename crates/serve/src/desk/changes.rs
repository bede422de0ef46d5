//! Pending changes: the stored value and the page's current one, side by side. A ranking is one change.

use std::collections::{BTreeMap, BTreeSet};

use crate::templates::values;
use atlas_gt_core::error::Result;
use atlas_gt_core::tone::Tone;
use atlas_gt_truth::judged::{DecidedRun, runs};
use atlas_gt_truth::{ChangeKind, PointProvenance, Row, Store, changes, judge, pending};
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
    field: String,
    /// The data point, which the rows of a ranking share.
    point: String,
    /// Whether it is an entry of a ranking, which is decided as a whole.
    ranked: bool,
    #[serde(skip)]
    pub kind: ChangeKind,
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
    kind: String,
    before: Option<Place>,
    now: Option<Place>,
}

/// The changes of a data point, as one card.
#[derive(Debug, Serialize)]
struct ChangedPoint {
    /// What the card decides: the field of a single change, else the data point.
    field: String,
    tone: Tone,
    kinds: Vec<String>,
    rows: Vec<PlacedChange>,
}

impl ChangedPoint {
    fn of(rows: Vec<PlacedChange>) -> Self {
        let kinds: BTreeSet<ChangeKind> = rows.iter().map(|row| row.change.kind).collect();
        let tone = ChangeKind::tone(&kinds);
        let field = match rows.as_slice() {
            [one] => one.change.field.clone(),
            _ => rows.first().map(|row| row.change.point.clone()).unwrap_or_default(),
        };
        Self { field, tone, kinds: kinds.iter().map(ToString::to_string).collect(), rows }
    }
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
                point: change.data_point().unwrap_or_default().to_owned(),
                ranked: change.is_ranked(),
                kind,
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
    all(store, |change, before, now| {
        let (kind, before, now) = (change.kind.to_string(), place(before), place(now));
        PlacedChange { change, kind, before, now }
    })
}

/// Groups changes by question and data point, in the order of their first change.
fn by_point(changes: Vec<PlacedChange>) -> Vec<ChangedPoint> {
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<PlacedChange>> = Vec::new();
    for one in changes {
        let point = (one.change.id.clone(), one.change.point.clone());
        let place = *places.entry(point).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups.into_iter().map(ChangedPoint::of).collect()
}

pub(crate) fn page(sources: &Sources) -> Result<Page> {
    let changes = sources.store()?.map(|store| placed(&store)).transpose()?.unwrap_or_default();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for change in &changes {
        *kinds.entry(change.kind.clone()).or_default() += 1;
    }
    let points = by_point(changes);
    let decided = sources.store()?.map(|store| decided(&store)).transpose()?.unwrap_or_default();
    Ok(Page { template: "changes.html", values: values! { points, kinds, decided } })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn change(point: &str, row: &str, kind: ChangeKind) -> PlacedChange {
        let change = WaitingChange {
            id: "61".to_owned(),
            question: None,
            about: row.to_owned(),
            field: format!("{point}[{row}]"),
            point: point.to_owned(),
            ranked: true,
            kind,
            old: String::new(),
            new: String::new(),
            reason: String::new(),
            note: None,
        };
        PlacedChange { change, kind: kind.to_string(), before: None, now: None }
    }

    #[test]
    fn a_ranking_is_one_card_and_an_addition_is_drawn_as_one() {
        let points = by_point(vec![
            change("top_products", "tea", ChangeKind::Revision),
            change("top_partners", "Uganda", ChangeKind::Appearance),
            change("top_products", "coffee", ChangeKind::Disappearance),
        ]);
        let cards: Vec<_> =
            points.iter().map(|card| (card.field.as_str(), card.tone, card.kinds.join(", "))).collect();
        let kinds = "revision, disappearance".to_owned();
        assert_eq!(
            cards,
            [
                ("top_products", Tone::Warning, kinds),
                ("top_partners[Uganda]", Tone::Good, "appearance".to_owned())
            ]
        );
    }
}
