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

/// What fields are called now, by their old names, where that was proven.
pub type Renames = BTreeMap<String, String>;

/// Proposes new names until no more are proven: one that is found may be what another point divides by. A name that is
/// proven for one query is taken for the same field of another whose values nothing contradicts.
pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending, known: &mut Renames) -> Result<()> {
    let unknown = unknown(trial);
    if unknown.is_empty() {
        return Ok(());
    }
    let unconfirmed = trial.unconfirmed().into_iter();
    let mut missed: BTreeMap<String, BTreeSet<Path>> =
        unconfirmed.map(|point| (point.clone(), trial.missed(&point))).collect();
    missed.retain(|_, paths| !paths.is_empty());
    loop {
        let mut proven: BTreeSet<(Path, String)> = BTreeSet::new();
        for (point, paths) in &missed {
            if let [one] = fitting(trial, point, paths, &unknown, known).as_slice() {
                proven.insert(one.clone());
            }
        }
        let mut agreed = without_contradictions(proven, known);
        agreed.retain(|((field, path), now)| {
            let is_same = |one: &Renamed| one.field == *field && one.path == *path && one.now == *now;
            !trial.spec().renamed.iter().any(is_same)
        });
        if agreed.is_empty() {
            break;
        }
        for (path, now) in agreed {
            let with_it = missed.iter().filter(|(_, paths)| paths.contains(&path));
            let points: Vec<String> = with_it.map(|(point, _)| point.clone()).collect();
            let renamed = of_root(trial, &path, &now, &unknown, known);
            let edits: Vec<Edit> =
                renamed.iter().map(|one| Edit::renamed(&one.field, &one.path, &one.now)).collect();
            let subject = format!("{}.{}", path.0, path.1);
            trial.accept(mending, ("field", &subject, vec![subject.clone()]), &now, edits, points.clone())?;
            known.insert(last(&path.1).to_owned(), now);
            let still: BTreeSet<String> = trial.unconfirmed();
            for point in points {
                let paths = if still.contains(&point) { trial.missed(&point) } else { BTreeSet::new() };
                if paths.is_empty() {
                    missed.remove(&point);
                } else {
                    missed.insert(point, paths);
                }
            }
        }
    }
    for (point, paths) in missed {
        let several = fitting(trial, &point, &paths, &unknown, known);
        let asked: Vec<String> = paths.iter().map(|(field, path)| format!("{field}.{path}")).collect();
        let (why, either) = if several.is_empty() {
            let beside = |(field, path): &Path| {
                let new = beside(path, unknown.get(field)).map(|new| format!("{field}.{new}"));
                new.collect::<Vec<_>>()
            };
            let either: BTreeSet<String> = paths.iter().flat_map(beside).collect();
            ("and nothing on the page proves one of the fields that are new", either)
        } else {
            let either = several.iter().map(|(path, now)| said(path, now)).collect();
            ("and several fields that are new may be it", either)
        };
        let why = format!("the page asks for no {}, {why}", asked.join(", "));
        trial.leave(mending, &point, &why, either.into_iter().collect());
    }
    Ok(())
}

/// Those that no others contradict: a field has one new name in an API, and a new name one field. What more queries say
/// outweighs what fewer say; what is known outweighs both.
fn without_contradictions(proven: BTreeSet<(Path, String)>, known: &Renames) -> Vec<(Path, String)> {
    let contradicts =
        |(one, a): &(Path, String), (other, b): &(Path, String)| (last(&one.1) == last(&other.1)) != (a == b);
    let same = |one: &(Path, String)| {
        proven.iter().filter(|other| last(&other.0.1) == last(&one.0.1) && other.1 == one.1).count()
    };
    let is_known = |one: &(Path, String)| known.get(last(&one.0.1)) == Some(&one.1);
    let against_known =
        |one: &(Path, String)| known.iter().any(|(old, now)| (old == last(&one.0.1)) != (*now == one.1));
    let wins = |one: &&(Path, String)| {
        is_known(one)
            || !against_known(one)
                && proven.iter().filter(|other| contradicts(one, other)).all(|other| same(other) < same(one))
    };
    proven.iter().filter(wins).cloned().collect()
}

/// A new name of a field, and those that are known of the fields beside it: what is drawn may be either of two.
fn of_root(
    trial: &Trial<'_>,
    (field, path): &Path,
    now: &str,
    unknown: &BTreeMap<String, BTreeSet<String>>,
    known: &Renames,
) -> Vec<Renamed> {
    let above = path.rsplit_once('.').map(|(above, _)| format!("{above}.")).unwrap_or_default();
    let new: BTreeSet<&str> = beside(path, unknown.get(field)).collect();
    let root = Api::of(trial.spec().page).query(field);
    let renamed = |path: String, now: &str| Renamed { field: field.clone(), path, now: now.to_owned() };
    let is_had = |one: &Renamed| trial.spec().renamed.contains(one);
    let beside = known.iter().filter(|(old, other)| *old != last(path) && new.contains(other.as_str()));
    let beside = beside.map(|(old, now)| renamed(format!("{above}{old}"), now));
    let is_there = |one: &Renamed| root.as_ref().is_ok_and(|root| root.value(&one.path).is_ok());
    let mut all = vec![renamed(path.clone(), now)];
    all.extend(beside.filter(is_there).filter(|one| !is_had(one)));
    all
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
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
    known: &Renames,
) -> Vec<(Path, String)> {
    let Some(point) = trial.spec().point(id) else { return Vec::new() };
    // a field whose new name is proven elsewhere has that name here too, unless the page says otherwise
    let elsewhere = paths.iter().find_map(|path| {
        let now = known.get(last(&path.1))?;
        let is_new = beside(&path.1, unknown.get(&path.0)).any(|new| new == now);
        let renamed = of_root(trial, path, now, unknown, known);
        (is_new && !trial.would_contradict(renamed, id)).then(|| (path.clone(), now.clone()))
    });
    if let Some(one) = elsewhere {
        return vec![one];
    }
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
