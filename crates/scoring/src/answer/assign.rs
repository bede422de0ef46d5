//! Which of the words around a number belong to it. A number takes what follows it at once ("in 2024"), else what
//! stands between it and the number before, else what was said earlier in the sentence, its heads, or the sentence
//! before.

use std::ops::Range;

use super::sentence::{Sentence, Span};

/// How sure it is that a word belongs to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Attachment {
    /// AnswerVerdict of this number.
    Own,
    /// AnswerVerdict earlier, of something that this number probably continues.
    Carried,
}

/// Words before a year or a name that tie it to what stands before them.
const TIES: [&str; 12] =
    ["in", "for", "of", "during", "by", "under", "using", "at", "to", "from", "with", "as"];
/// Words that begin something new.
const TURNS: [&str; 13] = [
    "while", "and", "but", "whereas", "compared", "than", "up", "down", "versus", "or", "is", "was",
    "against",
];

/// What belongs to the number (or term) at `target`, of the spans that `get` accepts.
///
/// `all` are the places of everything that such a span could belong to, in order; `claimed` remembers by index what
/// belonged to an earlier one.
pub(super) fn pick<T: Copy + PartialEq>(
    sentence: &Sentence,
    spans: &[Span],
    all: &[Range<usize>],
    target: &Range<usize>,
    claimed: &mut Vec<usize>,
    get: impl Fn(&Span) -> Option<T>,
) -> Option<(T, Attachment)> {
    let relevant: Vec<(usize, &Span, T)> = spans
        .iter()
        .enumerate()
        .filter(|(_, span)| !sentence.is_aside(span.range.start))
        .filter_map(|(at, span)| get(span).map(|value| (at, span, value)))
        .collect();
    if relevant.is_empty() {
        return None;
    }
    // "Germany and Italy take 8 % and 6 % respectively": one by one
    if relevant.len() > 1 && sentence.text.contains("respectively") {
        let mut places: Vec<(usize, T)> =
            relevant.iter().map(|(_, span, value)| (span.range.start, *value)).collect();
        places.dedup_by_key(|(start, _)| *start);
        let at = all.iter().position(|one| one == target);
        if places.len() == all.len()
            && let Some((_, value)) = at.and_then(|at| places.get(at))
        {
            return Some((*value, Attachment::Own));
        }
    }
    let previous =
        all.iter().filter(|other| other.end <= target.start).map(|other| other.end).max().unwrap_or(0);
    let next = all
        .iter()
        .filter(|other| other.start >= target.end)
        .map(|other| other.start)
        .min()
        .unwrap_or(sentence.text.len());
    // said at once behind it
    // `(Uganda: $1,155)` has a number of its own
    let has_its_own = |span: &Span| {
        let bracket = sentence.between(target.end, span.range.start).trim() == "(";
        bracket && !sentence.between(span.range.end, next).contains(')') && next < sentence.text.len()
    };
    if let Some((at, _, value)) = relevant.iter().find(|(_, span, _)| {
        span.range.start >= target.end
            && span.range.end <= next
            && ties(sentence.between(target.end, span.range.start))
            && !has_its_own(span)
    }) {
        claimed.push(*at);
        return Some((*value, Attachment::Own));
    }
    // between the number before and this one
    if let Some((at, _, value)) = relevant.iter().rev().find(|(at, span, _)| {
        span.range.start >= previous && span.range.end <= target.start && !claimed.contains(at)
    }) {
        claimed.push(*at);
        return Some((*value, Attachment::Own));
    }
    let first = all.first().map_or(target.start, |first| first.start);
    let behind = !relevant.iter().any(|(_, span, _)| span.range.end <= first);
    let after = relevant.iter().find(|(at, span, _)| {
        span.range.start >= target.end
            && span.range.end <= next
            && !claimed.contains(at)
            && !has_its_own(span)
    });
    if let (true, Some((at, _, value))) = (behind, after) {
        claimed.push(*at);
        return Some((*value, Attachment::Own));
    }
    let before: Vec<&(usize, &Span, T)> =
        relevant.iter().filter(|(_, span, _)| span.range.end <= target.start).collect();
    if let Some((_, _, value)) =
        before.iter().rev().find(|(at, _, _)| !claimed.contains(at) || before.len() == 1)
    {
        let own = before.len() == 1 && claimed.contains(&before[0].0);
        return Some((*value, if own { Attachment::Carried } else { Attachment::Own }));
    }
    if let Some((_, _, value)) = before.last() {
        return Some((*value, Attachment::Carried));
    }
    after.map(|(_, _, value)| (*value, Attachment::Own))
}

/// Whether nothing but words that tie stand between a number and what follows.
fn ties(gap: &str) -> bool {
    let trimmed = gap.trim();
    if trimmed == "(" {
        return true;
    }
    if trimmed.is_empty() || gap.contains([',', ';', ':', ')', '|']) {
        return false;
    }
    let bare = trimmed.replace('(', " ").to_lowercase();
    let words: Vec<&str> = bare.split_whitespace().filter(|word| *word != "the").collect();
    let last = words.last().copied().unwrap_or_default();
    words.len() <= 6 && TIES.contains(&last) && !words.iter().any(|word| TURNS.contains(word))
}
