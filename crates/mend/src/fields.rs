//! Finds renamed response fields. A new name needs a proof: the page displays its value, another query of the same type
//! uses it, or stored responses had the same values. Only fields unknown to the schema qualify, because a known field
//! means something else.

use std::collections::{BTreeMap, BTreeSet};

use super::mending::{Mending, Proof};
use super::renames::Renames;
use super::stored::{above, beside_it, last};
use super::trial::{Trial, TrialEffect};
use crate::error::Result;
use crate::extract::observation::Reading;
use crate::extract::view::View;
use crate::manifest::spec::edit::Edit;
use crate::manifest::spec::{Point, Renamed};

/// A root field and a path below it.
pub(super) type Path = (String, String);

/// How many other fields are tried as a control in place of a matching one.
const CONTROLS: usize = 4;

/// The fields that pages request but the schema lacks, and the points without a response.
pub struct Fields {
    unknown: BTreeMap<String, BTreeSet<String>>,
    waiting: BTreeMap<String, BTreeSet<Path>>,
    /// The missing paths of points without a proof. Trying the same paths again is pointless.
    tried: BTreeMap<String, BTreeSet<Path>>,
    /// The number of known fields when nothing more could be proven.
    done_at: Option<usize>,
}

impl Fields {
    pub fn of(trial: &Trial<'_>) -> Self {
        let unknown = unknown(trial);
        let waiting = if unknown.is_empty() { BTreeMap::new() } else { waiting(trial) };
        Self { unknown, waiting, tried: BTreeMap::new(), done_at: None }
    }

    /// Proposes new names until no more can be proven, because a found field may be the divisor of another point.
    /// Returns whether it proposed any.
    pub fn propose(
        &mut self,
        trial: &mut Trial<'_>,
        mending: &mut Mending,
        known: &mut Renames,
    ) -> Result<bool> {
        let mut is_any = false;
        while !self.unknown.is_empty() && self.done_at != Some(known.count()) {
            let proven = proven(trial, self, known);
            if proven.is_empty() {
                self.done_at = Some(known.count());
            } else {
                is_any = true;
                self.take(trial, mending, known, proven)?;
            }
        }
        Ok(is_any)
    }

    /// Proposes names that fields of other types have received, if the site's schema has them in the same place and no
    /// page contradicts them. Returns whether it proposed any.
    pub(crate) fn propose_by_name(
        &mut self,
        trial: &mut Trial<'_>,
        mending: &mut Mending,
        known: &mut Renames,
    ) -> Result<bool> {
        let mut found: Vec<(Path, String, Proof)> = Vec::new();
        if !known.has_schema() {
            return Ok(false);
        }
        for missed in missed(trial) {
            let is_beside = |(field, path): &Path| *field == missed.0 && above(path) == above(&missed.1);
            if !found.iter().any(|(path, ..)| is_beside(path)) {
                found.extend(self.row_by_name(trial, &missed, known));
            }
        }
        let is_any = !found.is_empty();
        if is_any {
            self.take(trial, mending, known, found)?;
        }
        Ok(is_any)
    }

    /// New names for a missing field and its siblings, as other types use them, because reading one field may depend on
    /// another. Empty if a page contradicts them, or if another name also matches the display.
    fn row_by_name(&self, trial: &Trial<'_>, missed: &Path, known: &Renames) -> Vec<(Path, String, Proof)> {
        let candidates = |path: &Path| candidates(trial, path, &self.unknown, known);
        let of_row = |(old, now): (&String, &String)| {
            let path = (missed.0.clone(), beside_it(&missed.1, old));
            let fits = !is_renamed(trial, &path) && candidates(&path).contains(now);
            fits.then(|| (path, now.clone(), Proof::SameName))
        };
        let row: Vec<_> = known.names().filter_map(of_row).collect();
        let names: Vec<Renamed> = row.iter().map(|(path, now, _)| renamed(path, now)).collect();
        let comes_of = |names: &[Renamed], path: &Path, effect: TrialEffect| {
            let mut waiting = self.waiting.iter().filter(|(_, paths)| paths.contains(path));
            waiting.any(|(point, _)| trial.effect(names, point) == effect)
        };
        let is_free = |now: &&String| !row.iter().any(|(_, taken, _)| taken == *now);
        let fits_another = |path: &Path| {
            let others = candidates(path);
            others
                .iter()
                .filter(is_free)
                .any(|now| comes_of(&[renamed(path, now)], path, TrialEffect::Confirms))
        };
        let refused = row
            .iter()
            .any(|(path, ..)| comes_of(&names, path, TrialEffect::Contradicts) || fits_another(path));
        if refused { Vec::new() } else { row }
    }

    /// Applies new names and rereads the pages that request them.
    fn take(
        &mut self,
        trial: &mut Trial<'_>,
        mending: &mut Mending,
        known: &mut Renames,
        proven: Vec<(Path, String, Proof)>,
    ) -> Result<()> {
        let mut found = Vec::new();
        let fields: BTreeSet<String> = proven.iter().map(|((field, _), ..)| field.clone()).collect();
        for (path, now, proof) in proven {
            let edits = vec![Edit::renamed(&path.0, &path.1, &now)];
            let with_it = self.waiting.iter().filter(|(_, paths)| paths.contains(&path));
            let points: Vec<String> = with_it.map(|(point, _)| point.clone()).collect();
            let subject = format!("{}.{}", path.0, path.1);
            trial.take(&edits)?;
            known.learn(trial.api(), &path.0, &path.1, &now);
            found.push((subject, now, proof, edits, points));
        }
        trial.reread_asking(&self.unknown);
        for (subject, now, proof, edits, points) in found {
            let what = ("field", subject.as_str(), vec![subject.clone()]);
            mending.unique.push(trial.proposal(what, &now, proof, edits, points));
        }
        // Only points that use these fields can have changed.
        let unconfirmed = trial.unconfirmed();
        self.waiting.retain(|point, _| unconfirmed.contains(point));
        for (point, paths) in &mut self.waiting {
            if paths.iter().any(|(field, _)| fields.contains(field)) {
                *paths = trial.missed(point);
            }
        }
        self.waiting.retain(|_, paths| !paths.is_empty());
        self.done_at = None;
        Ok(())
    }

    /// Leaves unproven points for manual review, with all candidate names.
    pub fn leave(&self, trial: &Trial<'_>, mending: &mut Mending, known: &Renames) {
        // A point that needs no response is not missing if it can be read.
        let is_missing = |point: &str| {
            trial.spec().point(point).is_some_and(|point| point.response.is_some()) || !trial.is_read(point)
        };
        let waiting = self.waiting.iter().filter(|(point, _)| is_missing(point));
        for (point, paths) in waiting {
            leave(trial, mending, (point, paths), &self.unknown, known);
        }
    }
}

/// The points that no response confirms, with the paths they miss.
fn waiting(trial: &Trial<'_>) -> BTreeMap<String, BTreeSet<Path>> {
    let with_missed = trial.unconfirmed().into_iter().map(|point| {
        let missed = trial.missed(&point);
        (point, missed)
    });
    with_missed.filter(|(_, missed)| !missed.is_empty()).collect()
}

fn leave(
    trial: &Trial<'_>,
    mending: &mut Mending,
    (point, paths): (&str, &BTreeSet<Path>),
    unknown: &BTreeMap<String, BTreeSet<String>>,
    known: &Renames,
) {
    // Reading a figure also requests the fields of its neighbours. If its own field is missing, report only that one.
    let own = paths.iter().filter(|path| trial.spec().point(point).is_some_and(|point| is_own(point, path)));
    let own: BTreeSet<Path> = own.cloned().collect();
    let paths = if own.is_empty() { paths } else { &own };
    let asked: Vec<String> = paths.iter().map(|(field, path)| format!("{field}.{path}")).collect();
    let mut either = Vec::new();
    let mut elsewhere = Vec::new();
    for path in paths {
        let mut candidates = candidates(trial, path, unknown, known);
        // The most likely name first: the one that other types use.
        if let Some(name) = known.name(last(&path.1)).filter(|name| candidates.contains(name)) {
            candidates.sort_by_key(|now| now != name);
            elsewhere.push(format!("{} is {name} in other types", last(&path.1)));
        }
        for now in candidates {
            let edits = vec![Edit::renamed(&path.0, &path.1, &now)];
            let subject = format!("{}.{}", path.0, path.1);
            let old = vec![subject.clone()];
            let id = format!("{subject}={now}");
            let points = vec![point.to_owned()];
            let mut candidate = trial.proposal(("field", &id, old), &now, Proof::None, edits, points);
            candidate.reads.clear();
            either.push(candidate.id.clone());
            match mending.unproven.iter_mut().find(|one| one.id == candidate.id) {
                Some(one) => one.points.push(point.to_owned()),
                None => mending.unproven.push(candidate),
            }
        }
    }
    let elsewhere = if elsewhere.is_empty() { String::new() } else { format!(" ({})", elsewhere.join(", ")) };
    let why = format!(
        "the page requests no {}, and nothing proves which of the new fields replaces it{elsewhere}",
        asked.join(", ")
    );
    trial.leave(mending, point, &why, either);
}

/// Missing paths without a new name.
fn missed(trial: &Trial<'_>) -> Vec<Path> {
    trial.all_missed().into_iter().filter(|path| !is_renamed(trial, path)).collect()
}

/// Whether a spec already has a new name for a field.
fn is_renamed(trial: &Trial<'_>, (field, path): &Path) -> bool {
    trial.spec().renamed.iter().any(|one| one.field == *field && one.path == *path)
}

/// The proven new names without contradictions, each with its first proof.
fn proven(
    trial: &Trial<'_>,
    Fields { unknown, waiting, tried, .. }: &mut Fields,
    known: &Renames,
) -> Vec<(Path, String, Proof)> {
    let mut found: BTreeMap<(Path, String), Proof> = BTreeMap::new();
    for path in missed(trial) {
        let candidates = candidates(trial, &path, unknown, known);
        let (field, below) = (&path.0, &path.1);
        let by_type = known.of_type(trial.api(), field, below).map(|now| (now, Proof::SameType));
        let by_store =
            known.by_stored_values(trial.api(), field, below).map(|now| (now, Proof::StoredValues));
        for (now, proof) in by_type.into_iter().chain(by_store) {
            if candidates.iter().any(|one| one == now) {
                found.entry((path.clone(), now.to_owned())).or_insert(proof);
            }
        }
    }
    for (point, paths) in waiting.iter() {
        if tried.get(point) == Some(paths) {
            continue;
        }
        let is_proven = |path: &Path| found.keys().any(|(one, _)| one == path);
        let open: Vec<&Path> = paths.iter().filter(|path| !is_proven(path)).collect();
        match displayed(trial, point, &open, unknown, known).as_slice() {
            [one] => _ = found.insert(one.clone(), Proof::Displayed),
            _ if open.len() == paths.len() => _ = tried.insert(point.clone(), paths.clone()),
            _ => {}
        }
    }
    without_contradictions(&found, known)
}

/// Removes contradictions: in an API, a field has one new name and a new name belongs to one field. The majority of
/// queries wins; known names win over both.
fn without_contradictions(
    proven: &BTreeMap<(Path, String), Proof>,
    known: &Renames,
) -> Vec<(Path, String, Proof)> {
    type One = (Path, String);
    let contradicts = |(one, a): &One, (other, b): &One| (last(&one.1) == last(&other.1)) != (a == b);
    let same = |one: &One| {
        proven.keys().filter(|other| last(&other.0.1) == last(&one.0.1) && other.1 == one.1).count()
    };
    let is_known = |one: &One| known.name(last(&one.0.1)) == Some(&one.1);
    let against_known =
        |one: &One| known.names().any(|(old, now)| (old == last(&one.0.1)) != (*now == one.1));
    let wins = |one: &One| {
        is_known(one)
            || !against_known(one)
                && proven.keys().filter(|other| contradicts(one, other)).all(|other| same(other) < same(one))
    };
    let winning = proven.iter().filter(|(one, _)| wins(one));
    winning.map(|((path, now), proof)| (path.clone(), now.clone(), *proof)).collect()
}

/// For each page, whether it requests fields that the schema lacks.
pub(crate) fn are_renamed(trial: &Trial<'_>) -> Vec<bool> {
    let is_unknown = |(root, paths): (&String, &BTreeSet<String>)| {
        let field = trial.api().query(root);
        field.is_ok_and(|field| paths.iter().any(|path| !path.contains("__") && field.value(path).is_err()))
    };
    trial.asked.iter().map(|asked| asked.iter().any(is_unknown)).collect()
}

/// The requested paths that the schema lacks, by root field.
fn unknown(trial: &Trial<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let mut unknown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (root, paths) in trial.asked.iter().flatten() {
        let Ok(field) = trial.api().query(root) else { continue };
        let new = paths.iter().filter(|path| !path.contains("__") && field.value(path).is_err());
        unknown.entry(root.clone()).or_default().extend(new.cloned());
    }
    unknown.retain(|_, paths| !paths.is_empty());
    unknown
}

/// The last names of the requested siblings of a path.
fn beside<'u>(path: &str, asked: Option<&'u BTreeSet<String>>) -> impl Iterator<Item = &'u str> {
    let over = above(path).map(str::to_owned);
    asked.into_iter().flatten().filter(move |other| above(other) == over.as_deref()).map(|other| last(other))
}

/// The possible new names of a field: unknown siblings that the site's schema allows.
fn candidates(
    trial: &Trial<'_>,
    (field, path): &Path,
    unknown: &BTreeMap<String, BTreeSet<String>>,
    known: &Renames,
) -> Vec<String> {
    let new = beside(path, unknown.get(field)).map(str::to_owned);
    new.filter(|now| known.allows(trial.api(), field, path, now)).collect()
}

/// The new names of missing paths with which the response matches the display.
fn displayed(
    trial: &Trial<'_>,
    id: &str,
    paths: &[&Path],
    unknown: &BTreeMap<String, BTreeSet<String>>,
    known: &Renames,
) -> Vec<(Path, String)> {
    let Some(point) = trial.spec().point(id) else { return Vec::new() };
    let mut fitting = Vec::new();
    let mut views: Option<Vec<View<'_>>> = None;
    for path in paths.iter().copied() {
        let is_own = is_own(point, path);
        for now in candidates(trial, path, unknown, known) {
            let views = views.get_or_insert_with(|| trial.answers());
            if (!is_own || may_be(trial, views, point, path, &now))
                && trial.effect(&[renamed(path, &now)], id) == TrialEffect::Confirms
                && (is_own || is_told_apart(trial, id, path, &now))
            {
                fitting.push((path.clone(), now));
            }
        }
    }
    fitting
}

fn renamed((field, path): &Path, now: &str) -> Renamed {
    Renamed { field: field.clone(), path: path.clone(), now: now.to_owned() }
}

/// Whether some other field in its place would not confirm the point. If every field confirms it, that proves nothing.
fn is_told_apart(trial: &Trial<'_>, id: &str, path: &Path, now: &str) -> bool {
    let asked: BTreeSet<&str> = trial
        .asked
        .iter()
        .flat_map(|page| beside(&path.1, page.get(&path.0)))
        .filter(|one| *one != now)
        .collect();
    let root = trial.api().query(&path.0);
    let is_number = |name: &&&str| {
        let path = beside_it(&path.1, name);
        let of = root.as_ref().map(|root| root.owners(&path)).unwrap_or_default();
        of.iter().all(|(_, of)| matches!(of.trim_end_matches('!'), "Float" | "Int"))
    };
    let mut others = asked.iter().filter(is_number).take(CONTROLS);
    others.any(|other| trial.effect(&[renamed(path, other)], id) != TrialEffect::Confirms)
}

/// Whether a path is the one of the point's own value.
fn is_own(point: &Point, (field, path): &Path) -> bool {
    point
        .response
        .as_ref()
        .is_some_and(|response| response.path.as_ref() == Some(path) && response.field == *field)
}

/// Whether a new name is worth a trial: its value matches the display.
fn may_be(trial: &Trial<'_>, views: &[View<'_>], point: &Point, (_, path): &Path, now: &str) -> bool {
    let mut point = point.clone();
    if let Some(response) = &mut point.response {
        response.path = Some(beside_it(path, now));
    }
    let vocabulary = point.vocabulary.as_deref();
    let shown = views.iter().zip(&trial.readings).flat_map(|(view, reading)| {
        let own = reading.observations().filter(|one| one.data_point == point.id);
        own.map(move |one| (view, &one.reading))
    });
    let mut agreed = 0;
    for (view, reading) in shown {
        let Some(behind) = view.behind(&point).filter(|behind| behind.value.is_some()) else { continue };
        match reading {
            Reading::Quantity(shown) if behind.agrees_with_number(shown) == Some(true) => agreed += 1,
            Reading::Text(shown) if behind.agrees_with_word(vocabulary, shown) == Some(true) => agreed += 1,
            Reading::Absent(_) => {}
            _ => return false,
        }
    }
    agreed > 0
}
