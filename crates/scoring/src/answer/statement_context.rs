//! What a number of an answer is said of: the country, year, flow and thing that are nearest to it, and how it is meant.

use std::ops::Range;

use super::assign::{Attachment, pick};
use super::reading::Reading;
use super::sentence::{Sentence, Span, SpanKind};
use super::statement::{ProductRef, Stance, StatementContext};
use crate::atlas::CountryId;
use crate::language::lexicon::Sense;
use crate::value::Period;

pub(super) fn country(span: &Span) -> Option<CountryId> {
    match span.kind {
        SpanKind::Country(id) => Some(id),
        _ => None,
    }
}

fn partner(span: &Span) -> Option<CountryId> {
    match span.kind {
        SpanKind::Partner(id) => Some(id),
        _ => None,
    }
}

fn year(span: &Span) -> Option<Period> {
    match span.kind {
        SpanKind::Year(period) => Some(period),
        _ => None,
    }
}

fn thing(span: &Span) -> Option<ProductRef> {
    match span.kind {
        SpanKind::Row(row) => Some(ProductRef::Row(row)),
        SpanKind::Sense(Sense::Product(code)) => Some(ProductRef::Code(code)),
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
) -> StatementContext {
    let Some(sentence) = reading.sentences.get(at) else { return StatementContext::default() };
    macro_rules! of {
        ($field:ident, $spans:expr, $get:expr) => {
            pick(sentence, $spans, all, target, &mut claims.$field, $get).or_else(|| reading.head(at, $get))
        };
    }
    fn sensed<T>(get: impl Fn(Sense) -> Option<T>) -> impl Fn(&Span) -> Option<T> {
        move |span| match span.kind {
            SpanKind::Sense(sense) => get(sense),
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
    let spans = &sentence.spans;
    // "now" after an earlier year speaks of another time
    let mut time = of!(year, spans, year);
    if let Some((said, _)) = time
        && let Some(span) =
            spans.iter().rev().find(|span| year(span) == Some(said) && span.range.end <= target.start)
        && sentence.cues(span.range.end..sentence.clause_end(target.end)).any(|(cue, _)| cue == "now")
    {
        time = None;
    }
    // among the rows of a list each has its own number, whatever else is named: "5.66 % of Turkiye's exports"
    let row = |span: &Span| country(span).or_else(|| partner(span)).filter(|id| reading.places.contains(id));
    let own_row =
        pick(sentence, spans, all, target, &mut claims.place, row).filter(|(_, tie)| *tie == Attachment::Own);
    let named = of!(country, spans, country).or_else(|| reading.carried(at, country));
    StatementContext {
        country: own_row.or(named),
        partner: of!(partner, spans, partner).filter(|(_, tie)| *tie == Attachment::Own).map(|(id, _)| id),
        year: time.or_else(|| reading.carried(at, year).map(|(period, _)| (period, Attachment::Carried))),
        classification: of!(class, spans, sensed(class)).or_else(|| reading.carried(at, sensed(class))),
        scope: of!(scope, spans, sensed(scope))
            .filter(|(_, tie)| *tie == Attachment::Own)
            .map(|(scope, _)| scope),
        flow: of!(flow, spans, sensed(flow)).map(|(flow, _)| flow),
        basis: of!(basis, spans, sensed(basis))
            .filter(|(_, tie)| *tie == Attachment::Own)
            .map(|(basis, _)| basis),
        thing: of!(thing, &sentence.terms, thing).map(|(thing, _)| thing),
    }
}

/// How what stands at `target` is meant.
pub(super) fn stance(sentence: &Sentence, target: &Range<usize>, previous: usize) -> Stance {
    let clause = sentence.clause_start(target.start).max(previous);
    let before = clause..target.start;
    let denied = sentence.cues(before.clone()).rev().find(|(cue, _)| matches!(*cue, "deny" | "free"));
    let denied = denied.is_some_and(|(cue, span)| {
        // "not in 2020 but" far before says nothing about this
        cue == "deny" && sentence.between(span.range.end, target.start).split_whitespace().count() <= 8
    });
    let hedged = sentence.cues(0..target.start).any(|(cue, _)| cue == "hedge");
    let origin = sentence.cues(before).rev().find(|(cue, _)| *cue == "origin").is_some_and(|(_, span)| {
        let tight = sentence.between(span.range.end, target.start).trim().is_empty();
        let words = sentence.between(span.range.start, span.range.end).to_lowercase();
        let tail = sentence.between(target.end, sentence.text.len());
        let goes_on = tail.contains(" to ");
        tight && (words != "from" || goes_on)
    });
    // "lower than Ghana's $2,274" gives the other one's number
    let than = sentence.between(clause, target.start).rfind(" than ").map(|at| clause + at);
    let compared = than.is_some_and(|than| {
        sentence
            .spans
            .iter()
            .any(|span| country(span).is_some() && span.range.start > than && span.range.end <= target.start)
    });
    let since = sentence.between(0, target.start).rfind(" but ").unwrap_or(0).max(previous);
    let elsewhere = sentence.cues(since..target.start).any(|(cue, _)| cue == "elsewhere");
    Stance { denied, hedged, beside: origin || elsewhere, compared }
}
