//! What a number of an answer is said of: the country, year, flow and thing that are nearest to it, and how it is meant.

use std::ops::Range;

use super::assign::{Tie, pick};
use super::reading::Reading;
use super::scene::{Mark, Scene, What};
use super::statement::{About, Stance, Thing};
use crate::atlas::CountryId;
use crate::scoring::language::lexicon::Sense;
use crate::value::Period;

pub(super) fn country(mark: &Mark) -> Option<CountryId> {
    match mark.what {
        What::Country(id) => Some(id),
        _ => None,
    }
}

fn partner(mark: &Mark) -> Option<CountryId> {
    match mark.what {
        What::Partner(id) => Some(id),
        _ => None,
    }
}

fn year(mark: &Mark) -> Option<Period> {
    match mark.what {
        What::Year(period) => Some(period),
        _ => None,
    }
}

fn thing(mark: &Mark) -> Option<Thing> {
    match mark.what {
        What::Row(row) => Some(Thing::Row(row)),
        What::Sense(Sense::Product(code)) => Some(Thing::Code(code)),
        _ => None,
    }
}

/// What belonged to earlier numbers of the sentence, by kind.
#[derive(Default)]
pub(super) struct Claims {
    country: Vec<usize>,
    partner: Vec<usize>,
    year: Vec<usize>,
    class: Vec<usize>,
    scope: Vec<usize>,
    flow: Vec<usize>,
    basis: Vec<usize>,
    thing: Vec<usize>,
    place: Vec<usize>,
}

/// What a number or term of a sentence is said of.
pub(super) fn about(
    reading: &Reading,
    at: usize,
    all: &[Range<usize>],
    target: &Range<usize>,
    claims: &mut Claims,
) -> About {
    let Some(scene) = reading.scenes.get(at) else { return About::default() };
    macro_rules! of {
        ($field:ident, $marks:expr, $get:expr) => {
            pick(scene, $marks, all, target, &mut claims.$field, $get).or_else(|| reading.head(at, $get))
        };
    }
    fn sensed<T>(get: impl Fn(Sense) -> Option<T>) -> impl Fn(&Mark) -> Option<T> {
        move |mark| match mark.what {
            What::Sense(sense) => get(sense),
            _ => None,
        }
    }
    let class = |sense| match sense {
        Sense::Classification(class) => Some(class),
        _ => None,
    };
    let scope = |sense| match sense {
        Sense::Scope(scope) => Some(scope),
        _ => None,
    };
    let flow = |sense| match sense {
        Sense::Flow(flow) => Some(flow),
        _ => None,
    };
    let basis = |sense| match sense {
        Sense::Basis(basis) => Some(basis),
        _ => None,
    };
    let marks = &scene.marks;
    // "now" after an earlier year speaks of another time
    let mut time = of!(year, marks, year);
    if let Some((said, _)) = time
        && let Some(mark) =
            marks.iter().rev().find(|mark| year(mark) == Some(said) && mark.range.end <= target.start)
        && scene.cues(mark.range.end..scene.clause_end(target.end)).any(|(cue, _)| cue == "now")
    {
        time = None;
    }
    // among the rows of a list each has its own number, whatever else is named: "5.66 % of Turkiye's exports"
    let row = |mark: &Mark| country(mark).or_else(|| partner(mark)).filter(|id| reading.places.contains(id));
    let own_row = pick(scene, marks, all, target, &mut claims.place, row).filter(|(_, tie)| *tie == Tie::Own);
    let named = of!(country, marks, country).or_else(|| reading.carried(at, country));
    About {
        country: own_row.or(named),
        partner: of!(partner, marks, partner).filter(|(_, tie)| *tie == Tie::Own).map(|(id, _)| id),
        year: time.or_else(|| reading.carried(at, year).map(|(period, _)| (period, Tie::Carried))),
        classification: of!(class, marks, sensed(class)).or_else(|| reading.carried(at, sensed(class))),
        scope: of!(scope, marks, sensed(scope)).filter(|(_, tie)| *tie == Tie::Own).map(|(scope, _)| scope),
        flow: of!(flow, marks, sensed(flow)).map(|(flow, _)| flow),
        basis: of!(basis, marks, sensed(basis)).filter(|(_, tie)| *tie == Tie::Own).map(|(basis, _)| basis),
        thing: of!(thing, &scene.terms, thing).map(|(thing, _)| thing),
    }
}

/// How what stands at `target` is meant.
pub(super) fn stance(scene: &Scene, target: &Range<usize>, previous: usize) -> Stance {
    let clause = scene.clause_start(target.start).max(previous);
    let before = clause..target.start;
    let denied = scene.cues(before.clone()).rev().find(|(cue, _)| matches!(*cue, "deny" | "free"));
    let denied = denied.is_some_and(|(cue, mark)| {
        // "not in 2020 but" far before says nothing about this
        cue == "deny" && scene.between(mark.range.end, target.start).split_whitespace().count() <= 8
    });
    let hedged = scene.cues(0..target.start).any(|(cue, _)| cue == "hedge");
    let origin = scene.cues(before).rev().find(|(cue, _)| *cue == "origin").is_some_and(|(_, mark)| {
        let tight = scene.between(mark.range.end, target.start).trim().is_empty();
        let words = scene.between(mark.range.start, mark.range.end).to_lowercase();
        let tail = scene.between(target.end, scene.text.len());
        let goes_on = tail.contains(" to ");
        tight && (words != "from" || goes_on)
    });
    // "lower than Ghana's $2,274" gives the other one's number
    let than = scene.between(clause, target.start).rfind(" than ").map(|at| clause + at);
    let compared = than.is_some_and(|than| {
        scene
            .marks
            .iter()
            .any(|mark| country(mark).is_some() && mark.range.start > than && mark.range.end <= target.start)
    });
    let since = scene.between(0, target.start).rfind(" but ").unwrap_or(0).max(previous);
    let elsewhere = scene.cues(since..target.start).any(|(cue, _)| cue == "elsewhere");
    Stance { denied, hedged, beside: origin || elsewhere, compared }
}
