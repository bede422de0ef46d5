//! Expected data points that are words: terms of the vocabulary, names, grades, and the absence of a value.

use std::ops::Range;

use super::context::stated;
use super::reading::Reading;
use super::sentence::{RowNames, Sentence, Span, SpanKind};
use super::settle::{Judged, blank, missing, settle};
use super::statement::{Mention, ProductRef, Stance};
use super::statement_context::{Claims, about, stance};
use super::subject::stem;
use super::{AnswerVerdict, Expected, PointScore};
use crate::atlas;
use crate::compare::{Content, Operand, compare, compare_words, find_in_text};
use crate::language::lexicon::{self, Sense};
use crate::value::Value;
use crate::{Cause, Comparison, Verdict};

/// Whether a data point is a text.
pub(super) fn is_text(one: &Expected) -> bool {
    matches!(&one.truth.content, Content::Value(Value::Text(_)))
}

/// The names of the expected rows that are no countries, as words, in their spellings.
pub(super) fn row_names(expected: &[Expected]) -> RowNames {
    let mut out = Vec::new();
    let split =
        |name: &str| -> Vec<String> { lexicon::words(name).into_iter().map(|word| word.folded).collect() };
    for (row, one) in expected.iter().enumerate() {
        for name in one.names.iter().filter(|name| atlas::lookup(name).is_none()) {
            out.push((split(name), row));
            if let Some((first, rest)) = name.split_once(", ") {
                out.push((split(&format!("{rest} {first}")), row));
            }
        }
    }
    out.retain(|(name, _)| !name.is_empty());
    out.sort();
    out.dedup();
    RowNames(out)
}

/// Judges a data point that is a word, a phrase, or the absence of a value.
pub(super) fn judge(expected: &[Expected], at: usize, reading: &Reading, mentions: &[Mention]) -> PointScore {
    let Some(one) = expected.get(at) else { return blank() };
    match &one.truth.content {
        Content::Absent(_) => absence(expected, one, reading, mentions),
        Content::Value(Value::Text(text)) => {
            let (whole, parts) = terms_of(text);
            let judged = if is_grade(text) {
                grades(expected, at, reading)
            } else if whole.is_empty() && parts.len() > 1 {
                // several terms, `low and moderate complexity`: each alone is a part of it
                return phrase(expected, one, reading).unwrap_or_else(|| unnamed(one, reading, false));
            } else if one.names.iter().any(|name| name == text) {
                return named(expected, at, reading)
                    .unwrap_or_else(|| missing(one, "the answer does not name it"));
            } else {
                terms(expected, at, text, reading)
            };
            settle(one, reading, judged).or_else(|| phrase(expected, one, reading)).unwrap_or_else(|| {
                unnamed(one, reading, !whole.is_empty() || !parts.is_empty() || is_grade(text))
            })
        }
        _ => missing(one, "the truth could not be read"),
    }
}

fn unnamed(one: &Expected, reading: &Reading, known: bool) -> PointScore {
    let long =
        reading.sentences.iter().map(|sentence| sentence.text.split_whitespace().count()).sum::<usize>() > 12;
    if known || !long {
        return missing(one, "the answer does not say it");
    }
    PointScore {
        said: AnswerVerdict::Unscored,
        reason: "what the answer says in other words needs a judge".to_owned(),
        ..missing(one, "")
    }
}

/// The kind and the canonical form of a term of the vocabulary.
type Known = (&'static str, &'static str);

/// Kinds and canonical forms of the vocabulary that a text is as a whole, else those that it says anywhere.
fn kinds(text: &str) -> Vec<Known> {
    let (whole, parts) = terms_of(text);
    if whole.is_empty() { parts } else { whole }
}

/// What a text is as a whole, and the terms within it.
fn terms_of(text: &str) -> (Vec<Known>, Vec<Known>) {
    let words = lexicon::words(text);
    let end = words.last().map_or(0, |word| word.range.end);
    let start = words.first().map_or(0, |word| word.range.start);
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    for (range, sense) in lexicon::terms(&words) {
        if let Sense::Term(kind, canonical) = sense {
            let of = if range.start == start && range.end == end { &mut whole } else { &mut parts };
            of.push((kind, canonical));
        }
    }
    (whole, parts)
}

/// Terms of the kind that the truth is of.
fn terms(expected: &[Expected], at: usize, truth: &str, reading: &Reading) -> Vec<Judged> {
    let Some(one) = expected.get(at) else { return Vec::new() };
    let kinds = kinds(truth);
    let mut out = Vec::new();
    for (passage, sentence) in reading.sentences.iter().enumerate() {
        let found: Vec<(&Span, &'static str)> = sentence
            .terms
            .iter()
            .filter_map(|span| match span.kind {
                SpanKind::Sense(Sense::Term(kind, _)) if kinds.iter().any(|(known, _)| *known == kind) => {
                    Some((span, kind))
                }
                _ => None,
            })
            .collect();
        let all: Vec<Range<usize>> = found.iter().map(|(span, _)| span.range.clone()).collect();
        let mut claims = Claims::default();
        let mut previous = 0;
        for (span, kind) in &found {
            let shown = sentence.between(span.range.start, span.range.end).to_owned();
            let single = !shown.contains([' ', '-']);
            if single && !is_about(one, sentence, reading, passage) {
                continue;
            }
            let about = about(reading, passage, &all, &span.range, &mut claims);
            let stance = stance(sentence, &span.range, previous);
            previous = span.range.end;
            let mut own = one.truth.context.clone();
            let said = stated(one, expected, &about, &mut own);
            let side = Operand::value(Value::Text(shown.clone()), said);
            let truth_side = Operand { context: own, ..one.truth.clone() };
            let mut comparison = compare(&truth_side, &side);
            if comparison.differing.is_empty() {
                comparison = compare_words(kind, truth, &shown);
            }
            let mut judged = weigh(comparison, stance, shown, passage);
            judged.iter_mut().for_each(|judged| judged.needs_assertion(reading, &span.range, one));
            let other = other_place(expected, one, reading, passage).or_else(|| other_measure(one, sentence));
            judged.iter_mut().for_each(|judged| judged.needs_place(other.clone()));
            out.extend(judged);
        }
    }
    out
}

/// A measure that a sentence names and that is not the one of a data point.
fn other_measure(one: &Expected, sentence: &Sentence) -> Option<String> {
    let excludes = &lexicon::measure(&one.data_point)?.excludes;
    sentence.spans.iter().find_map(|span| match span.kind {
        SpanKind::Sense(Sense::Metric(name)) if excludes.iter().any(|other| other == name) => {
            Some(format!("it is said of another measure, {}", name.replace('_', " ")))
        }
        _ => None,
    })
}

/// What a word comes to, meant as it is.
fn weigh(comparison: Comparison, stance: Stance, shown: String, passage: usize) -> Option<Judged> {
    let other = !comparison.differing.is_empty();
    let agrees = comparison.verdict == Verdict::Match;
    if stance.beside || stance.compared || (other && (stance.denied || stance.hedged)) {
        return None;
    }
    let (said, reason) = if other {
        (AnswerVerdict::Wrong, comparison.reason.clone())
    } else if stance.denied && agrees {
        (AnswerVerdict::Wrong, format!("the answer denies the true value: {}", comparison.reason))
    } else if stance.denied {
        (AnswerVerdict::Unscored, format!("the answer says only that it is not \"{shown}\""))
    } else if stance.hedged {
        (AnswerVerdict::Unscored, format!("the answer is not sure of \"{shown}\""))
    } else if agrees {
        (AnswerVerdict::Right, comparison.reason.clone())
    } else {
        (AnswerVerdict::Wrong, comparison.reason.clone())
    };
    Some(Judged {
        said,
        other,
        strong: true,
        unasserted: false,
        value: shown,
        passage,
        comparison: Some(comparison),
        reason,
    })
}

/// Whether a sentence speaks of the measure at all: a word such as `high` says little by itself.
fn is_about(one: &Expected, sentence: &Sentence, reading: &Reading, passage: usize) -> bool {
    let short =
        reading.sentences.iter().map(|sentence| sentence.text.split_whitespace().count()).sum::<usize>() <= 4;
    let own: Vec<String> = lexicon::words(&format!("{} {}", one.metric, one.data_point))
        .into_iter()
        .map(|word| word.folded)
        .filter(|word| word.len() > 4)
        .collect();
    let stem = |word: &str| word.get(..5).unwrap_or(word).to_owned();
    let heads = reading.heads.get(passage).map_or(&[][..], Vec::as_slice);
    let texts = [sentence.text.as_str()].into_iter().chain(heads.iter().map(|head| head.text.as_str()));
    short
        || texts
            .flat_map(lexicon::words)
            .any(|word| word.folded.len() > 4 && own.iter().any(|own| stem(own) == stem(&word.folded)))
}

/// A text that the comparator finds in a sentence.
fn phrase(expected: &[Expected], one: &Expected, reading: &Reading) -> Option<PointScore> {
    let known = match &one.truth.content {
        Content::Value(Value::Text(text)) => kinds(text),
        _ => Vec::new(),
    };
    let bare = Operand { context: crate::value::Context::default(), ..one.truth.clone() };
    reading.sentences.iter().zip(&reading.passages).enumerate().find_map(|(at, (sentence, passage))| {
        let comparison = find_in_text(&bare, &sentence.text);
        let end = sentence.text.len();
        let asserted = || {
            reading.objection(at, &(end..end), one).is_none()
                && names_no_other_sector(one, sentence)
                && other_measure(one, sentence).is_none()
                && other_place(expected, one, reading, at).is_none()
                && !says_another(&known, sentence)
        };
        (comparison.verdict == Verdict::Match && asserted()).then(|| PointScore {
            field: one.field.clone(),
            said: AnswerVerdict::Right,
            value: None,
            sentence: Some(passage.text.clone()),
            reason: comparison.reason.clone(),
            comparison: Some(comparison),
        })
    })
}

/// Whether a sentence says another term of a kind that a text has a term of: `a surplus and a deficit`.
fn says_another(known: &[Known], sentence: &Sentence) -> bool {
    sentence.terms.iter().any(|term| match term.kind {
        SpanKind::Sense(Sense::Term(kind, canonical)) => {
            let mut own = known.iter().filter(|(own, _)| *own == kind).peekable();
            own.peek().is_some() && own.all(|(_, own)| *own != canonical)
        }
        _ => false,
    })
}

/// Whether the sectors that a sentence names are among those that stand with the text in the record.
fn names_no_other_sector(one: &Expected, sentence: &Sentence) -> bool {
    let sectors = |text: &str| -> Vec<&str> {
        kinds(text).into_iter().filter(|(kind, _)| *kind == "sector").map(|(_, sector)| sector).collect()
    };
    let own: Vec<&str> = one.names.iter().flat_map(|name| sectors(name)).collect();
    own.is_empty()
        || sentence.terms.iter().all(|term| match term.kind {
            SpanKind::Sense(Sense::Term("sector", sector)) => own.contains(&sector),
            _ => true,
        })
}

fn is_grade(text: &str) -> bool {
    let mut chars = text.chars();
    matches!(chars.next(), Some('A'..='F'))
        && matches!((chars.next(), chars.next()), (None | Some('+' | '-' | '−'), None))
}

/// Grades: single capitals, with `grade` nearby, with a sign, or where no word follows that makes `A` an article.
fn grades(expected: &[Expected], at: usize, reading: &Reading) -> Vec<Judged> {
    let Some(one) = expected.get(at) else { return Vec::new() };
    let mut out = Vec::new();
    for (passage, sentence) in reading.sentences.iter().enumerate() {
        let mut place = 0;
        let mut spans: Vec<(Range<usize>, String)> = Vec::new();
        for token in
            sentence.text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '+' | '-' | '−' | '\'')))
        {
            let start = sentence.between(place, sentence.text.len()).find(token).map_or(place, |i| place + i);
            place = start + token.len();
            let rest = sentence.between(place, sentence.text.len()).trim_start();
            let article = token == "A" && rest.starts_with(char::is_lowercase) && !rest.starts_with("grade");
            if is_grade(token) && !article {
                spans.push((start..place, token.replace('−', "-")));
            }
        }
        let all: Vec<Range<usize>> = spans.iter().map(|(range, _)| range.clone()).collect();
        let mut claims = Claims::default();
        let mut previous = 0;
        for (range, shown) in spans {
            let about = about(reading, passage, &all, &range, &mut claims);
            let stance = stance(sentence, &range, previous);
            previous = range.end;
            let mut own = one.truth.context.clone();
            let said = stated(one, expected, &about, &mut own);
            let comparison = compare(
                &Operand { context: own, ..one.truth.clone() },
                &Operand::value(Value::Text(shown.clone()), said),
            );
            let mut judged = weigh(comparison, stance, shown, passage);
            judged.iter_mut().for_each(|judged| judged.needs_assertion(reading, &range, one));
            judged
                .iter_mut()
                .for_each(|judged| judged.needs_place(other_place(expected, one, reading, passage)));
            out.extend(judged);
        }
    }
    out
}

/// What a sentence, with its heads, says that a list is of, where that is something else than what is asked about.
fn other_context(expected: &[Expected], one: &Expected, reading: &Reading, at: usize) -> Option<String> {
    other_place(expected, one, reading, at).or_else(|| other_time_or_flow(one, reading, at))
}

/// Marks of a sentence and of what it stands under.
fn marks_around(reading: &Reading, at: usize) -> impl Iterator<Item = &Span> + Clone {
    let heads = reading.heads.get(at).into_iter().flatten().map(AsRef::as_ref);
    reading.sentences.get(at).into_iter().chain(heads).flat_map(|sentence| &sentence.spans)
}

/// That countries are named around a value, and none of them is the one that is asked about.
pub(super) fn other_place(
    expected: &[Expected],
    one: &Expected,
    reading: &Reading,
    at: usize,
) -> Option<String> {
    let truth = &one.truth.context;
    let rows: Vec<&str> = expected.iter().filter_map(|row| row.truth.context.partner.as_deref()).collect();
    let row_names: Vec<String> = expected
        .iter()
        .flat_map(|row| &row.names)
        .filter_map(|name| atlas::lookup(name))
        .map(|entity| entity.id.code().to_string())
        .collect();
    let countries: Vec<String> = marks_around(reading, at)
        .filter_map(|span| match span.kind {
            SpanKind::Country(id) | SpanKind::Partner(id) => Some(id.code().to_string()),
            _ => None,
        })
        .collect();
    if is_turned(one, reading, at) {
        return Some("it is said the other way round, of the partner's trade with the country".to_owned());
    }
    let shared = rows.iter().all(|row| Some(*row) == truth.partner.as_deref());
    let others =
        || countries.iter().filter(|id| !row_names.contains(id) && (shared || !rows.contains(&id.as_str())));
    let named = |id: &Option<String>| id.as_ref().is_none_or(|id| countries.contains(id));
    if others().next().is_some() && !named(&truth.country) {
        return Some("it is said of another country".to_owned());
    }
    if shared
        && let Some(partner) = truth.partner.as_ref().filter(|id| id.parse::<u32>().is_ok())
        && others().any(|id| Some(id) != truth.country.as_ref())
        && !countries.contains(partner)
    {
        return Some("it is said of another partner".to_owned());
    }
    None
}

/// Whether the two sides of a trade stand the other way round: `to` or `from` the country that is asked about, and the
/// partner without either.
fn is_turned(one: &Expected, reading: &Reading, at: usize) -> bool {
    let (Some(country), Some(partner)) = (&one.truth.context.country, &one.truth.context.partner) else {
        return false;
    };
    let said: Vec<(bool, String)> = marks_around(reading, at)
        .filter_map(|span| match span.kind {
            SpanKind::Country(id) => Some((false, id.code().to_string())),
            SpanKind::Partner(id) => Some((true, id.code().to_string())),
            _ => None,
        })
        .collect();
    let is = |as_partner: bool, id: &String| said.iter().any(|(side, own)| *side == as_partner && own == id);
    is(true, country) && !is(false, country) && is(false, partner) && !is(true, partner)
}

fn other_time_or_flow(one: &Expected, reading: &Reading, at: usize) -> Option<String> {
    let truth = &one.truth.context;
    let spans = || marks_around(reading, at);
    let years: Vec<crate::value::Period> = spans()
        .filter_map(|span| match span.kind {
            SpanKind::Year(period) => Some(period),
            _ => None,
        })
        .collect();
    if let Some(period) = truth.period
        && !years.is_empty()
        && !years.iter().any(|year| year.end == period.end || year.start == period.start)
    {
        return Some("it is said of another year".to_owned());
    }
    let flows: Vec<crate::value::Flow> = spans()
        .filter_map(|span| match span.kind {
            SpanKind::Sense(Sense::Flow(flow)) => Some(flow),
            _ => None,
        })
        .collect();
    if let Some(flow) = truth.flow
        && !flows.is_empty()
        && !flows.contains(&flow)
    {
        return Some("it is said of the other flow".to_owned());
    }
    None
}

/// A row that the answer names, at its place where the list is ordered.
pub(super) fn named(expected: &[Expected], at: usize, reading: &Reading) -> Option<PointScore> {
    let one = expected.get(at)?;
    let context = &one.truth.context;
    let places: Vec<atlas::CountryId> =
        one.names.iter().filter_map(|name| atlas::lookup(name)).map(|entity| entity.id).collect();
    let mut found: Option<PointScore> = None;
    for (at_passage, (sentence, passage)) in reading.sentences.iter().zip(&reading.passages).enumerate() {
        let named = sentence.spans.iter().chain(&sentence.terms).find(|span| match span.kind {
            SpanKind::Row(row) => row == at,
            SpanKind::Sense(Sense::Product(code)) => {
                places.is_empty() && context.product.as_deref() == Some(code)
            }
            // the seller of a product is nobody that it is sold to
            SpanKind::Partner(_)
                if context.partner.is_none() && sentence.between(0, span.range.start).ends_with(" to ") =>
            {
                false
            }
            SpanKind::Country(id) | SpanKind::Partner(id) => {
                places.contains(&id)
                    || (context.product.is_none()
                        && context.partner.as_deref() == Some(&*id.code().to_string()))
            }
            _ => false,
        });
        let Some(span) = named else { continue };
        if reading.is_asked(sentence.between(span.range.start, span.range.end)) {
            continue;
        }
        let meant = stance(sentence, &span.range, 0);
        let shown = sentence.between(span.range.start, span.range.end).to_owned();
        let place = passage.place.zip(one.rank).filter(|(place, rank)| place != rank);
        let score = |said: AnswerVerdict, reason: String, comparison: Option<Comparison>| PointScore {
            field: one.field.clone(),
            said,
            value: Some(shown.clone()),
            sentence: Some(passage.text.clone()),
            comparison,
            reason,
        };
        let this = if meant.denied {
            score(AnswerVerdict::Wrong, format!("the answer says that it is not {shown}"), None)
        } else if meant.hedged {
            score(AnswerVerdict::Unscored, format!("the answer is not sure of {shown}"), None)
        } else if let Some((place, rank)) = place {
            let reason = format!("{shown} stands at place {place} instead of {rank}");
            let comparison = Comparison {
                cause: Some(Cause::SwappedEntities),
                ..Comparison::new(Verdict::Mismatch, reason.clone())
            };
            score(AnswerVerdict::Wrong, reason, Some(comparison))
        } else if let Some(other) = other_context(expected, one, reading, at_passage) {
            score(AnswerVerdict::Wrong, other, None)
        } else if !places.is_empty() && context.product.is_some() && !reading.is_of_product(at_passage, one) {
            score(AnswerVerdict::Unscored, "it may be said of another product".to_owned(), None)
        } else if let Some(objection) = reading.objection(at_passage, &span.range, one) {
            score(AnswerVerdict::Unscored, objection, None)
        } else {
            let reason = format!("the answer names {shown}");
            score(AnswerVerdict::Right, reason.clone(), Some(Comparison::new(Verdict::Match, reason)))
        };
        if this.said == AnswerVerdict::Right {
            return Some(this);
        }
        found = found.or(Some(this));
    }
    found
}

/// Something that is not there: the answer has to say so, of this, and give no value of its own.
fn absence(expected: &[Expected], one: &Expected, reading: &Reading, mentions: &[Mention]) -> PointScore {
    let bare = Operand { context: crate::value::Context::default(), ..one.truth.clone() };
    let right = |passage: usize, reason: String, comparison: Option<Comparison>| PointScore {
        field: one.field.clone(),
        said: AnswerVerdict::Right,
        value: None,
        sentence: reading.passages.get(passage).map(|passage| passage.text.clone()),
        reason,
        comparison,
    };
    for (at, sentence) in reading.sentences.iter().enumerate() {
        let comparison = compare(&bare, &Operand::text(&sentence.text));
        if comparison.verdict.agrees() {
            return right(at, comparison.reason.clone(), Some(comparison));
        }
    }
    let of_this = mentions.iter().find(|mention| {
        let family = lexicon::measure(&one.data_point).map(|measure| measure.family.as_str());
        family.is_some_and(|family| mention.metrics.contains(&family))
            && matches!(mention.about.thing, None | Some(ProductRef::Row(_) | ProductRef::Code(_)))
            && !mention.stance.denied
    });
    let Some(mention) = of_this else {
        if let Some(at) = (0..reading.sentences.len()).find(|&at| says_absent(expected, one, reading, at)) {
            return right(at, "the answer says that there is none".to_owned(), None);
        }
        return PointScore {
            said: AnswerVerdict::Unscored,
            reason: "the answer does not say whether there is a value".to_owned(),
            ..missing(one, "")
        };
    };
    let side =
        Operand::value(Value::Quantity(mention.number.quantity.clone()), crate::value::Context::default());
    let comparison = compare(&bare, &side);
    let said =
        if comparison.verdict == Verdict::Mismatch { AnswerVerdict::Wrong } else { AnswerVerdict::Unscored };
    PointScore {
        field: one.field.clone(),
        said,
        value: Some(mention.number.shown.clone()),
        sentence: reading.passages.get(mention.passage).map(|passage| passage.text.clone()),
        reason: comparison.reason.clone(),
        comparison: Some(comparison),
    }
}

/// Whether a sentence says that what is asked about is not there, or that there is no page of it.
fn says_absent(expected: &[Expected], one: &Expected, reading: &Reading, at: usize) -> bool {
    let (Some(sentence), Some(stance)) = (reading.sentences.get(at), reading.stances.get(at)) else {
        return false;
    };
    let whole = 0..sentence.text.len();
    let cue = sentence.cues(whole.clone()).find(|(cue, _)| matches!(*cue, "no_page" | "no_value"));
    let Some((cue, _)) = cue.filter(|_| !stance.asked && sentence.numbers.is_empty()) else { return false };
    let asked: Vec<String> = lexicon::words(&one.metric).iter().map(|word| stem(&word.folded)).collect();
    let family = lexicon::measure(&one.data_point).map(|measure| measure.family.as_str());
    let is_family =
        |span: &Span| matches!(span.kind, SpanKind::Sense(Sense::Metric(name)) if Some(name) == family);
    let of_this = cue == "no_page"
        || sentence.spans.iter().any(is_family)
        || stance.words.iter().any(|word| word.folded.len() > 3 && asked.contains(&stem(&word.folded)));
    of_this
        && stance.first(&["condition", "hedge", "wrong"], whole).is_none()
        && reading.retracted_before.is_none_or(|last| at >= last)
        && other_place(expected, one, reading, at).is_none()
        && (one.truth.context.product.is_none() || reading.is_of_product(at, one))
}
