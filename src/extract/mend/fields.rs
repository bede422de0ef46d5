//! Fields of the page's responses that are called otherwise: the one whose value is what the page displays is the one that
//! was meant. Only fields that the schema does not know are taken for a new name: a known one means something else.

use std::collections::{BTreeMap, BTreeSet};

use super::Mending;
use super::trial::Trial;
use crate::atlas::Api;
use crate::error::Result;
use crate::extract::observation::Reading;
use crate::extract::view::View;
use crate::manifest::spec::edit::Edit;
use crate::manifest::spec::{Point, Renamed};

/// Root field and path below it.
type Path = (String, String);

/// Proposes new names until no more are proven: one that is found may be what another point divides by.
pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let unknown = unknown(trial);
    if unknown.is_empty() {
        return Ok(());
    }
    let unconfirmed = trial.unconfirmed().into_iter();
    let mut missed: BTreeMap<String, BTreeSet<Path>> =
        unconfirmed.map(|point| (point.clone(), trial.missed(&point))).collect();
    missed.retain(|_, paths| !paths.is_empty());
    let mut several: BTreeMap<String, Vec<String>> = BTreeMap::new();
    loop {
        let mut found_one = false;
        for point in missed.keys().cloned().collect::<Vec<_>>() {
            let Some(paths) = missed.get(&point) else { continue };
            let mut fitting = fitting(trial, &point, paths, &unknown);
            if fitting.len() != 1 {
                several.insert(point, fitting.iter().map(|(path, now)| said(path, now)).collect());
                continue;
            }
            let Some((path, now)) = fitting.pop() else { continue };
            let with_it = missed.iter().filter(|(_, paths)| paths.contains(&path));
            let points: Vec<String> = with_it.map(|(point, _)| point.clone()).collect();
            let edits = vec![Edit::renamed(&path.0, &path.1, &now)];
            let subject = format!("{}.{}", path.0, path.1);
            trial.accept(mending, ("field", &subject, vec![subject.clone()]), &now, edits, points.clone())?;
            found_one = true;
            let still: BTreeSet<String> = trial.unconfirmed();
            for point in points {
                if still.contains(&point) {
                    missed.insert(point.clone(), trial.missed(&point));
                } else {
                    missed.remove(&point);
                }
            }
        }
        if !found_one {
            break;
        }
    }
    for (point, paths) in missed {
        let mut either = several.remove(&point).unwrap_or_default();
        let asked: Vec<String> = paths.iter().map(|(field, path)| format!("{field}.{path}")).collect();
        let (why, of_root) = if either.is_empty() {
            let of_root = |(field, path): &Path| {
                let new = beside(path, unknown.get(field)).map(|new| format!("{field}.{new}"));
                new.collect::<Vec<_>>()
            };
            (
                "and nothing on the page proves one of the fields that are new",
                paths.iter().flat_map(of_root).collect(),
            )
        } else {
            (
                "and the values of several fields that are new are what the page shows",
                std::mem::take(&mut either),
            )
        };
        let why = format!("the page asks for no {}, {why}", asked.join(", "));
        trial.leave(mending, &point, &why, of_root);
    }
    Ok(())
}

fn said((field, path): &Path, now: &str) -> String {
    let above = path.rsplit_once('.').map(|(above, _)| format!("{above}.")).unwrap_or_default();
    format!("{field}.{above}{now}")
}

/// The paths that the pages ask for and the schema does not know, by root field.
fn unknown(trial: &Trial<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let api = Api::of(trial.spec().page);
    let mut unknown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for view in trial.answers() {
        for root in view.exchanges.iter() {
            let Ok(field) = api.query(&root.field) else { continue };
            let new =
                root.asked().into_iter().filter(|path| !path.contains("__") && field.value(path).is_err());
            unknown.entry(root.field.clone()).or_default().extend(new);
        }
    }
    unknown.retain(|_, paths| !paths.is_empty());
    unknown
}

/// Those that stand where a path stands, by their last names.
fn beside<'u>(path: &str, unknown: Option<&'u BTreeSet<String>>) -> impl Iterator<Item = &'u str> {
    let above = path.rsplit_once('.').map(|(above, _)| above.to_owned());
    unknown.into_iter().flatten().filter_map(move |new| match (new.rsplit_once('.'), &above) {
        (None, None) => Some(new.as_str()),
        (Some((own, last)), Some(above)) => (own == above).then_some(last),
        _ => None,
    })
}

/// What the paths that a point misses may be called, so that its response says what the page shows.
fn fitting(
    trial: &Trial<'_>,
    id: &str,
    paths: &BTreeSet<Path>,
    unknown: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<(Path, String)> {
    let Some(point) = trial.spec().point(id) else { return Vec::new() };
    let mut fitting = Vec::new();
    let views = trial.answers();
    for path in paths {
        for now in beside(&path.1, unknown.get(&path.0)) {
            let (field, old) = path.clone();
            let renamed = Renamed { field, path: old, now: now.to_owned() };
            if may_be(trial, &views, point, path, now) && trial.would_confirm(renamed, id) {
                fitting.push((path.clone(), now.to_owned()));
            }
        }
    }
    fitting
}

/// Whether a new name is worth a trial: where a point's value has a path of its own, what stands at the new one is what
/// is displayed.
fn may_be(trial: &Trial<'_>, views: &[View<'_>], point: &Point, (field, path): &Path, now: &str) -> bool {
    let Some(response) = &point.response else { return true };
    if response.path.as_ref() != Some(path) || response.field != *field {
        return true;
    }
    let mut point = point.clone();
    if let Some(response) = &mut point.response {
        let above = path.rsplit_once('.').map(|(above, _)| format!("{above}.")).unwrap_or_default();
        response.path = Some(format!("{above}{now}"));
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
