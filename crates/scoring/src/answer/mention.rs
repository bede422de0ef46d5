//! The numbers of an answer, each with what it is said of and how it is meant.

use std::ops::Range;

use rust_decimal::Decimal;

use super::reading::Reading;
use super::sentence::{Number, Sentence, Span, SpanKind, unit_hint};
use super::statement::{Bound, Mention};
use super::statement_context::{Claims, about, stance};
use crate::language::lexicon::Sense;
use crate::value::{Quantity, Unit};

/// Words behind a bare number that do not say what it counts.
const NEUTRAL: [&str; 49] = [
    "international",
    "in",
    "for",
    "and",
    "or",
    "of",
    "at",
    "as",
    "while",
    "per",
    "with",
    "to",
    "by",
    "is",
    "was",
    "worldwide",
    "overall",
    "respectively",
    "according",
    "us",
    "usd",
    "dollars",
    "on",
    "from",
    "but",
    "out",
    "over",
    "a",
    "each",
    "annually",
    "than",
    "versus",
    "which",
    "it",
    "compared",
    "during",
    "since",
    "between",
    "against",
    "among",
    "after",
    "before",
    "up",
    "down",
    "due",
    "when",
    "where",
    "because",
    "the",
];

/// The numbers of an answer.
pub(super) fn mentions(reading: &Reading) -> Vec<Mention> {
    let mut out = Vec::new();
    for at in 0..reading.sentences.len() {
        of_sentence(reading, at, &mut out);
    }
    out
}

fn of_sentence(reading: &Reading, at: usize, out: &mut Vec<Mention>) {
    let Some(sentence) = reading.sentences.get(at) else { return };
    if sentence.numbers.is_empty() || reading.is_of_codes(at) {
        return;
    }
    let numbers = ranges(sentence);
    let all: Vec<Range<usize>> = numbers
        .iter()
        .map(|(low, high)| low.range.start..high.as_ref().map_or(low.range.end, |high| high.range.end))
        .collect();
    let mut claims = Claims::default();
    let mut spoken: Vec<usize> = Vec::new();
    let mut last: Option<(Vec<&'static str>, usize)> = None;
    for (i, (number, upper)) in numbers.into_iter().enumerate() {
        let Some(target) = all.get(i).cloned() else { continue };
        let previous = i.checked_sub(1).and_then(|i| all.get(i)).map_or(0, |range| range.end);
        let next = all.get(i + 1).map_or(sentence.text.len(), |range| range.start);
        let depth = depth(sentence.between(0, target.start));
        let (metrics, modifiers) = tags(
            reading,
            at,
            &target,
            previous,
            next,
            last.as_ref().filter(|(_, d)| *d <= depth),
            &mut spoken,
        );
        if !metrics.is_empty() && last.as_ref().is_none_or(|(_, d)| depth <= *d) {
            last = Some((metrics.clone(), depth));
        }
        let mut number = number;
        apply_hint(reading, at, &mut number);
        let clause = sentence.clause_start(target.start).max(previous);
        let just = |cue: &str| {
            sentence.cues(clause..target.start).rev().any(|(found, span)| {
                found == cue
                    && sentence.between(span.range.end, target.start).trim_matches([' ', '(']).is_empty()
            })
        };
        let until = sentence.clause_end(target.end).min(next);
        let moves = |range: Range<usize>| {
            sentence
                .cues(range)
                .filter(|(cue, _)| matches!(*cue, "up" | "down"))
                .map(|(cue, _)| cue == "up")
                .next_back()
        };
        let direction = moves(clause..target.start).or_else(|| moves(target.end..until));
        let near_start = before_words(sentence, target.start, 4).max(clause);
        let bound = if just("more") {
            Some(Bound::More)
        } else if just("less") {
            Some(Bound::Less)
        } else {
            None
        };
        let word_before = sentence
            .between(0, target.start)
            .trim_end()
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let counts = counts(sentence, &target);
        let statistic = sentence
            .spans
            .iter()
            .filter(|span| span.range.start >= clause && span.range.end <= until)
            .find_map(|span| match span.kind {
                SpanKind::Sense(Sense::Statistic(statistic)) => Some(statistic),
                _ => None,
            });
        out.push(Mention {
            passage: at,
            metrics,
            modifiers,
            about: about(reading, at, &all, &target, &mut claims),
            stance: stance(sentence, &target, previous),
            approximate: just("about"),
            bound,
            direction,
            by: word_before == "by"
                || (just("about") && sentence.between(clause, target.start).contains(" by ")),
            to: word_before == "to",
            statistic,
            ranked: sentence.cues(near_start..target.start).any(|(cue, _)| cue == "rank")
                || reading.heads.get(at).is_some_and(|heads| {
                    heads.iter().any(|head| head.cues(0..head.text.len()).any(|(cue, _)| cue == "rank"))
                }),
            counts,
            number,
            upper,
        });
    }
}

/// Whether a plain noun follows a number, which says what it counts.
fn counts(sentence: &Sentence, target: &Range<usize>) -> bool {
    let tail = sentence.between(target.end, sentence.text.len());
    let noun = tail
        .strip_prefix([' ', '\u{a0}'])
        .map(|rest| rest.chars().take_while(|c| c.is_alphabetic()).collect::<String>());
    noun.is_some_and(|noun| {
        !noun.is_empty() && noun.chars().all(char::is_lowercase) && !NEUTRAL.contains(&noun.as_str())
    })
}

/// Where the `n` words before a place begin.
fn before_words(sentence: &Sentence, at: usize, n: usize) -> usize {
    let before = sentence.between(0, at);
    before.match_indices(' ').rev().nth(n).map_or(0, |(i, _)| i)
}

fn depth(before: &str) -> usize {
    before.matches('(').count().saturating_sub(before.matches(')').count())
}

/// Two numbers that are the ends of a range become one.
fn ranges(sentence: &Sentence) -> Vec<(Number, Option<Number>)> {
    let mut out = Vec::new();
    let mut numbers = sentence.numbers.iter().cloned().peekable();
    while let Some(low) = numbers.next() {
        let is_range = numbers.peek().is_some_and(|high| {
            let gap = sentence.between(low.range.end, high.range.start).trim();
            let before = sentence.between(0, low.range.start).trim_end().to_lowercase();
            let order = high.quantity.number >= low.quantity.number;
            order
                && (matches!(gap, "-" | "–" | "—")
                    || (gap == "and" && before.ends_with("between"))
                    || (gap == "to" && !before.ends_with("from") && !before.ends_with("by")))
        });
        let high = if is_range { numbers.next() } else { None };
        let low = match &high {
            Some(high) => same_scale(low, high),
            None => low,
        };
        out.push((low, high));
    }
    out
}

/// "between 370 and 380 billion": the scale and unit of the upper end hold for the lower one.
fn same_scale(low: Number, high: &Number) -> Number {
    let bare = matches!(low.quantity.unit, Unit::Count | Unit::Index);
    if !bare {
        return low;
    }
    let scale = super::sentence::scale_of(high);
    let scaled = if super::sentence::scale_of(&low) == Decimal::ONE { scale } else { Decimal::ONE };
    let quantity = times(&low.quantity, scaled).with_unit(high.quantity.unit);
    Number { quantity, ..low }
}

fn times(quantity: &Quantity, factor: Decimal) -> Quantity {
    match (quantity.number.checked_mul(factor), quantity.interval.times(factor)) {
        (Some(number), Some(interval)) if factor != Decimal::ONE => {
            Quantity { number, interval, rule: None, ..quantity.clone() }
        }
        _ => quantity.clone(),
    }
}

/// Unit and scale of a bare number from its heads or a bracket before it: `Exports (US$ billion): 378`.
fn apply_hint(reading: &Reading, at: usize, number: &mut Number) {
    if !matches!(number.quantity.unit, Unit::Count | Unit::Index) {
        return;
    }
    let Some(sentence) = reading.sentences.get(at) else { return };
    let bracket = |text: &str| {
        let open = text.rfind('(')?;
        let close = text.get(open..)?.find(')').map_or(text.len(), |i| open + i);
        unit_hint(text.get(open..close)?)
    };
    let own = bracket(sentence.between(0, number.range.start))
        .filter(|_| sentence.between(0, number.range.start).trim_end().ends_with([')', ':', '=']));
    let is_cell = reading.passages.get(at).is_some_and(|passage| passage.cell);
    let from_heads = || {
        let heads = reading.heads.get(at)?;
        heads.iter().find_map(|head| {
            bracket(&head.text).or_else(|| {
                if is_cell { unit_hint(&head.text).filter(|_| is_unit_head(&head.text)) } else { None }
            })
        })
    };
    let Some((unit, power)) = own.or_else(from_heads) else { return };
    let scaled = super::sentence::scale_of(number) != Decimal::ONE;
    let factor = if scaled { Decimal::ONE } else { Decimal::from(10u64.pow(power)) };
    let mut quantity = times(&number.quantity, factor);
    if quantity.interval.is_point() {
        // a whole number of billions or per cent is rounded, a count is not
        let half = super::sentence::last_digit(number, false).saturating_mul(factor) / Decimal::TWO;
        quantity.interval = crate::value::Interval::around(quantity.number, half);
    }
    if let Some(unit) = unit {
        quantity = Quantity { rule: None, ..quantity.with_unit(unit) };
    }
    number.quantity = quantity;
}

/// A column head that is a unit itself: `USD billion`, `Share %`.
fn is_unit_head(head: &str) -> bool {
    head.split_whitespace().count() <= 6
}

/// The measures that a number is of, and what narrows them.
fn tags(
    reading: &Reading,
    at: usize,
    target: &Range<usize>,
    previous: usize,
    next: usize,
    last: Option<&(Vec<&'static str>, usize)>,
    spoken: &mut Vec<usize>,
) -> (Vec<&'static str>, Vec<&'static str>) {
    let Some(sentence) = reading.sentences.get(at) else { return (Vec::new(), Vec::new()) };
    let close = closed(sentence.between(previous, target.start)).map_or(previous, |i| previous + i);
    let start = sentence.clause_start(target.start).max(close);
    let start = match sentence.between(start, target.start).find(" and ") {
        // "people and an income per head of": only when something measured stands on both sides
        Some(i) if has_metric(sentence, start + i..target.start) => start + i,
        _ => start,
    };
    let end = sentence.clause_end(target.end).min(next);
    let end = sentence.between(target.end, end).find(" and ").map_or(end, |i| target.end + i);
    let metric = |span: &Span| match span.kind {
        SpanKind::Sense(Sense::Metric(name)) => Some(name),
        _ => None,
    };
    let modifier = |span: &Span| match span.kind {
        SpanKind::Sense(Sense::Modifier(name)) => Some(name),
        _ => None,
    };
    let take = |spoken: &mut Vec<usize>, from: usize, to: usize, free: bool| -> Vec<&'static str> {
        let mut names = Vec::new();
        for (i, span) in sentence.spans.iter().enumerate() {
            let within = span.range.start >= from && span.range.end <= to;
            if let Some(name) = metric(span).filter(|_| within && (!free || !spoken.contains(&i))) {
                names.push(name);
                spoken.push(i);
            }
        }
        names
    };
    // "exporting 24 new products": what follows a bare number says what it counts; and what an earlier number took
    // leaves this one what follows it
    let counted = counts(sentence, target);
    let fresh = |from: usize, to: usize, spoken: &[usize]| {
        sentence.spans.iter().enumerate().any(|(i, span)| {
            metric(span).is_some() && span.range.start >= from && span.range.end <= to && !spoken.contains(&i)
        })
    };
    let behind =
        fresh(target.end, end, spoken) && (counted || (previous > 0 && !fresh(start, target.start, spoken)));
    let mut metrics =
        if behind { take(spoken, target.end, end, true) } else { take(spoken, start, target.start, false) };
    if metrics.is_empty() {
        metrics = take(spoken, target.end, end, false);
    }
    if metrics.is_empty() {
        metrics = take(spoken, previous, target.start, true);
    }
    let mut modifiers: Vec<&'static str> = sentence
        .spans
        .iter()
        .filter(|span| {
            // "At purchasing power parity, …": what narrows may stand in a clause of its own
            (span.range.start >= close && span.range.end <= target.start)
                || (span.range.start >= target.end && span.range.end <= end)
        })
        .filter_map(modifier)
        .collect();
    if metrics.is_empty() {
        let heads = reading.heads.get(at).map_or(&[][..], Vec::as_slice);
        match heads.iter().find(|head| head.spans.iter().any(|span| metric(span).is_some())) {
            Some(head) if last.is_none() => {
                metrics = head.spans.iter().filter_map(metric).collect();
            }
            _ => metrics = last.map(|(metrics, _)| metrics.clone()).unwrap_or_default(),
        }
        modifiers.extend(heads.iter().flat_map(|head| head.spans.iter().filter_map(modifier)));
    }
    if metrics.is_empty() {
        metrics = take(spoken, target.end, next, true);
    }
    (metrics, modifiers)
}

/// Where a bracket that was open before closes, or a semicolon ends what was said.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut last = None;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => last = Some(at),
            ')' => depth -= 1,
            ';' => last = Some(at),
            _ => {}
        }
    }
    last
}

fn has_metric(sentence: &Sentence, within: Range<usize>) -> bool {
    sentence.spans.iter().any(|span| {
        span.range.start >= within.start
            && span.range.end <= within.end
            && matches!(span.kind, SpanKind::Sense(Sense::Metric(_)))
    })
}
