//! An answer against the expected data points: it is read once, then every field that decides a point is judged as a point
//! of its own, and together they are as right as the worst of them (decision 26).

use std::ops::Range;

use super::align::{self, Answer};
use super::mention::mentions;
use super::passage::passages;
use super::reading::Reading;
use super::sentence::SpanKind;
use super::settle::{blank, missing};
use super::statement_context::country;
use super::{AnswerScore, AnswerVerdict, Expected, Extra, PointScore};
use super::{digits, subject, term_points};
use crate::atlas;
use crate::compare::{Content, LONGEST_TEXT, Operand};
use crate::language::lexicon::{self, Sense};
use crate::value::{AnswerField, Context, Interval, Quantity, Statistic, Unit, Value};

/// Scores an answer against the expected data points. `question` is what was asked: where it asks for no amount, a row
/// of a list is right by its name alone.
///
/// Linear in the length of the answer times the number of expected data points. An answer beyond [`LONGEST_TEXT`] is unscored.
#[must_use]
pub fn score(expected: &[Expected], question: Option<&str>, answer: &str) -> AnswerScore {
    if answer.len() > LONGEST_TEXT {
        let reason =
            format!("the answer has {} bytes; one of more than {LONGEST_TEXT} is not read", answer.len());
        let unscored = |one: &Expected| PointScore { said: AnswerVerdict::Unscored, ..missing(one, &reason) };
        let points = expected.iter().map(unscored).collect();
        return AnswerScore { points, extra: Vec::new(), countries: Vec::new() };
    }
    let expected = &with_known_places(expected);
    let rows = term_points::row_names(expected);
    let with_terms = expected
        .iter()
        .any(|one| !one.names.is_empty() || one.truth.context.product.is_some() || term_points::is_text(one));
    let texts = expected.iter().map(|one| one.metric.as_str()).chain(question);
    let names = expected.iter().flat_map(|one| &one.names).map(String::as_str);
    let known = texts.chain(names).flat_map(lexicon::words);
    let known = known.flat_map(|word| [subject::stem(&word.folded), word.folded]).collect();
    let mut reading = Reading::of(passages(&digits::normalized(answer)), &rows, with_terms, known);
    reading.question = question
        .map(|question| lexicon::words(question).into_iter().map(|word| word.folded).collect())
        .unwrap_or_default();
    if expected.len() > 1 {
        let names = expected.iter().flat_map(|one| &one.names);
        reading.places = names.filter_map(|name| atlas::lookup(name)).map(|entity| entity.id).collect();
    }
    reading.asked = question.map(subject::words_of_things).unwrap_or_default();
    let mentions = mentions(&reading);
    let mut used = vec![false; mentions.len()];
    let points = expected
        .iter()
        .enumerate()
        .map(|(at, one)| {
            if reading.sentences.is_empty() {
                return missing(one, "the answer is empty");
            }
            judge(
                expected,
                at,
                &mut Answer { question, reading: &reading, mentions: &mentions, used: &mut used },
            )
        })
        .collect();
    let extra = mentions
        .iter()
        .zip(&used)
        .filter(|(mention, used)| !**used && !mention.counts)
        .map(|(mention, _)| Extra {
            value: align::shown(mention),
            sentence: reading.passages.get(mention.passage).map(|p| p.text.clone()).unwrap_or_default(),
        })
        .collect();
    let mut countries: Vec<String> = Vec::new();
    for span in reading.sentences.iter().flat_map(|sentence| &sentence.spans) {
        let id = country(span).or(match span.kind {
            SpanKind::Partner(id) => Some(id),
            _ => None,
        });
        if let Some(id) = id.map(|id| id.code().to_string())
            && !countries.contains(&id)
        {
            countries.push(id);
        }
    }
    AnswerScore { points, extra, countries }
}

/// Trade statistics file Taiwan under "other Asia, not elsewhere specified"; answers call it by its name.
fn with_known_places(expected: &[Expected]) -> Vec<Expected> {
    let known = |id: &mut Option<String>| {
        if id.as_deref() == Some("490") {
            *id = Some("158".to_owned());
        }
    };
    let mut expected = expected.to_vec();
    for one in &mut expected {
        known(&mut one.truth.context.country);
        known(&mut one.truth.context.partner);
        if let Some(precise) = &mut one.precise {
            known(&mut precise.context.country);
            known(&mut precise.context.partner);
        }
    }
    expected
}

/// Judges one data point by the fields that decide.
fn judge(expected: &[Expected], at: usize, answer: &mut Answer<'_>) -> PointScore {
    let Some(one) = expected.get(at) else { return blank() };
    let fields = if one.answers.is_empty() { &[AnswerField::Value][..] } else { &one.answers };
    let points: Vec<PointScore> = fields.iter().map(|field| by(*field, expected, at, answer)).collect();
    let worst = |point: &PointScore| match point.said {
        AnswerVerdict::Wrong => 0,
        AnswerVerdict::Missing => 1,
        AnswerVerdict::Unscored => 2,
        AnswerVerdict::Right => 3,
    };
    let Some(point) = points.into_iter().min_by_key(worst) else { return blank() };
    let value = match &one.truth.content {
        Content::Value(Value::Quantity(value)) => Some((AnswerField::Value, value)),
        _ => None,
    };
    let share = one.share.as_ref().map(|share| (AnswerField::Share, share));
    let support = [value, share].into_iter().flatten().filter(|(field, _)| !fields.contains(field));
    let contradicted = || {
        support
            .into_iter()
            .find_map(|(_, support)| align::other_support(expected, at, support, answer.mentions))
    };
    match (point.said == AnswerVerdict::Right).then(contradicted).flatten() {
        Some(reason) => PointScore { said: AnswerVerdict::Unscored, comparison: None, reason, ..point },
        None => point,
    }
}

fn by(field: AnswerField, expected: &[Expected], at: usize, answer: &mut Answer<'_>) -> PointScore {
    let Some(one) = expected.get(at) else { return blank() };
    let with = |truth: fn(&Expected) -> Option<Quantity>, data_point: &str| -> Option<Vec<Expected>> {
        truth(one)?;
        let of = |one: &Expected| Expected {
            data_point: data_point.to_owned(),
            truth: Operand {
                content: truth(one).map_or_else(
                    || Content::Unread("the row has none".to_owned()),
                    |quantity| Content::Value(Value::Quantity(quantity)),
                ),
                context: Context {
                    basis: None,
                    statistic: Some(Statistic::Share),
                    ..one.truth.context.clone()
                },
            },
            precise: None,
            other_definition: None,
            ..one.clone()
        };
        Some(expected.iter().map(of).collect())
    };
    match field {
        AnswerField::Value => align::value(expected, at, answer),
        AnswerField::Share => match with(|one| one.share.clone(), "product_share") {
            Some(shares) => align::value(&shares, at, answer),
            None => unread(one, field),
        },
        AnswerField::Name if one.names.is_empty() => unread(one, field),
        AnswerField::Name => term_points::named(expected, at, answer.reading)
            .unwrap_or_else(|| missing(one, "the answer does not name it")),
        AnswerField::Code => code(expected, one, answer).unwrap_or_else(|| unread(one, field)),
        AnswerField::Rank => match with(rank, "rank") {
            Some(ranks) => align::value(&ranks, at, answer),
            None => unread(one, field),
        },
        AnswerField::Direction => unread(one, field),
    }
}

fn rank(one: &Expected) -> Option<Quantity> {
    let number = one.rank?.into();
    Some(Quantity { number, interval: Interval::point(number), unit: Unit::Rank, rule: None, total: None })
}

/// A truth that cannot be read is unscored, whatever the answer says (decision 28).
fn unread(one: &Expected, field: AnswerField) -> PointScore {
    PointScore {
        said: AnswerVerdict::Unscored,
        reason: format!("the record gives no {field} to decide by"),
        ..missing(one, "")
    }
}

/// A code: where the answer is hardly more than it, or speaks of codes.
fn code(expected: &[Expected], one: &Expected, answer: &Answer<'_>) -> Option<PointScore> {
    let (truth, reading) = (one.code.as_deref()?, answer.reading);
    let mut other = None;
    for (passage, sentence) in reading.sentences.iter().enumerate() {
        let words = lexicon::words(&sentence.text);
        let heads = reading.heads.get(passage).into_iter().flatten();
        let above: Vec<_> = heads.flat_map(|head| lexicon::words(&head.text)).collect();
        let speaks_of_codes =
            words.iter().chain(&above).any(|word| CODE_WORDS.contains(&word.folded.as_str()));
        if !speaks_of_codes && (words.len() > MAX_BARE || reading.sentences.len() > 1) {
            continue;
        }
        let point = |range: &Range<usize>, said, reason: String| PointScore {
            said,
            value: Some(sentence.between(range.start, range.end).to_owned()),
            sentence: reading.passages.get(passage).map(|passage| passage.text.clone()),
            reason,
            ..missing(one, "")
        };
        for word in &words {
            if word.folded == truth.to_lowercase() {
                let own = |code: &str| code == truth || one.truth.context.product.as_deref() == Some(code);
                let others = sentence.terms.iter().any(|term| match term.kind {
                    SpanKind::Sense(Sense::Product(code)) => !own(code),
                    _ => false,
                });
                let objection = reading
                    .objection(passage, &word.range, one)
                    .or_else(|| others.then(|| "it may be said of another product".to_owned()));
                return Some(
                    match objection.or_else(|| term_points::other_place(expected, one, reading, passage)) {
                        Some(why) => point(&word.range, AnswerVerdict::Unscored, why),
                        None => point(
                            &word.range,
                            AnswerVerdict::Right,
                            format!("the answer gives the code {truth}"),
                        ),
                    },
                );
            }
            if is_code(&word.folded) && other.is_none() {
                let reason = format!("the answer gives the code {}, it is {truth}", word.folded);
                other = Some(point(&word.range, AnswerVerdict::Wrong, reason));
            }
        }
    }
    Some(other.unwrap_or_else(|| missing(one, "the answer gives no code")))
}

const CODE_WORDS: [&str; 5] = ["code", "codes", "coded", "hs", "sitc"];
/// Words of an answer that is hardly more than a code.
const MAX_BARE: usize = 4;

/// Four or six digits, as products have them, but no year.
fn is_code(word: &str) -> bool {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    digits && (word.len() == 6 || (word.len() == 4 && !word.starts_with("19") && !word.starts_with("20")))
}
