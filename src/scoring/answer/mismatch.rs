//! What a sentence says otherwise than what is asked, besides the parts of a context that the comparator knows: the other
//! side of a pair (exports, imports), another span of time, another place in a list, another object. Such a sentence may
//! be true of something else, so that it decides nothing.

use std::ops::Range;

use super::Expected;
use super::reading::Reading;
use super::sentence::{Sentence, Span, SpanKind};
use super::subject::stem;
use crate::scoring::compare::Content;
use crate::scoring::language::lexicon::{self, Sense, Word};
use crate::value::{Basis, Statistic, Unit, Value};

/// Words for small numbers, from zero.
const SMALL: [&str; 16] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen",
];

impl Reading {
    /// Why a sentence may speak of something else than what is asked, where it says so around `target`.
    pub(super) fn mismatch(&self, at: usize, target: &Range<usize>, one: &Expected) -> Option<String> {
        let (stance, sentence) = (self.stances.get(at)?, self.sentences.get(at)?);
        let words = &stance.words;
        let clause = sentence.clause_start(target.start)..sentence.clause_end(target.end);
        let behind = words.partition_point(|word| word.range.start < target.end);
        let context = &one.truth.context;
        if let Some(other) = self.other_side(at, one) {
            return Some(format!("\"{other}\" is the other side of what is asked"));
        }
        if let Some(span) = self.other_span(words, one) {
            return Some(format!("it speaks of {span} years"));
        }
        let is_word = matches!(&one.truth.content, Content::Value(Value::Text(_)));
        // what is asked for by name is the first, unless a place is asked for
        let rank = one.rank.or(is_word.then_some(1));
        let place = rank.and_then(|rank| other_place_in_list(sentence, words, &clause, rank));
        if let Some(place) = place.filter(|place| !self.is_asked(place)) {
            return Some(format!("\"{place}\" is another place in the list"));
        }
        let said = |kind: &str, within: &Range<usize>| {
            lexicon::assertion(words)
                .into_iter()
                .find(|(range, found)| {
                    *found == kind && range.start >= within.start && range.end <= within.end
                })
                .map(|(range, _)| sentence.between(range.start, range.end).to_owned())
        };
        if context.basis != Some(Basis::Constant)
            && let Some(basis) = said("constant_prices", &(clause.start..sentence.text.len()))
            && !self.question.iter().any(|word| basis.to_lowercase().contains(word.as_str()))
        {
            return Some(format!("\"{basis}\" makes another figure of it"));
        }
        if let Some(beside) = said("beside", &(clause.start..target.start)) {
            return Some(format!("\"{beside}\" makes it that of another"));
        }
        if let Some(end) = said("other_end", &(target.end..clause.end)) {
            return Some(format!("\"{end}\" counts from the other end"));
        }
        let last = words.get(behind..).unwrap_or_default();
        let near = last.get(1).or(last.first()).map_or(target.end, |word| word.range.end);
        if let Some(word) = said("difference", &(target.end..near.min(clause.end))) {
            return Some(format!("\"{word}\" makes a difference of it"));
        }
        if let Some(word) = said("ago", &clause) {
            return Some(format!("\"{word}\" speaks of another time"));
        }
        if let Some(word) = said("contrary", &clause).filter(|word| !self.is_asked(word)) {
            return Some(format!("\"{word}\" says the contrary"));
        }
        if let Some(word) = said("accumulated", &clause).filter(|word| !self.is_asked(word)) {
            return Some(format!("\"{word}\" makes another figure of it"));
        }
        let before = words.iter().take(behind).filter(|word| word.range.start >= clause.start);
        if is_word && before.into_iter().any(|word| word.folded == "against") {
            return Some("\"against\" stands before it".to_owned());
        }
        let ranked =
            matches!(&one.truth.content, Content::Value(Value::Quantity(truth)) if truth.unit == Unit::Rank);
        if let Some(group) = said("subset", &clause).filter(|group| ranked && !self.is_asked(group)) {
            return Some(format!("\"{group}\" ranks among fewer"));
        }
        if let Some(word) = said("joint", &clause).filter(|_| self.names_another(sentence, &clause, one)) {
            return Some(format!("\"{word}\" makes it the figure of several"));
        }
        if let Some(part) = part_as_whole(sentence, target, one) {
            return Some(format!("\"of {part}\" makes the whole of what is a part"));
        }
        if Self::is_of_the_partner(sentence, target, one) {
            return Some("it is a share of the partner's own trade".to_owned());
        }
        let rate = matches!(context.statistic, Some(Statistic::Projection | Statistic::Cagr));
        let percent = matches!(&one.truth.content, Content::Value(Value::Quantity(truth)) if truth.unit == Unit::Percent);
        if rate && percent {
            if let Some(total) = said("cumulated", &clause) {
                return Some(format!("\"{total}\" makes a total of the rate"));
            }
            let projected = said("projected", &(0..sentence.text.len())).is_some();
            if context.statistic == Some(Statistic::Projection)
                && !projected
                && let Some(past) = said("elapsed", &clause)
            {
                return Some(format!("\"{past}\" speaks of what has been"));
            }
        }
        if self.passages.get(at).is_some_and(|passage| passage.cell) {
            return None;
        }
        let object = self.other_object(sentence, words.get(behind..)?, &clause, one);
        object.map(|word| format!("\"{word}\" behind it may be another thing than is asked about"))
    }

    /// Whether a clause names a country that is neither asked about nor the partner.
    fn names_another(&self, sentence: &Sentence, clause: &Range<usize>, one: &Expected) -> bool {
        let context = &one.truth.context;
        sentence.spans.iter().any(|span| match span.kind {
            SpanKind::Country(id) | SpanKind::Partner(id) => {
                let id = Some(id.code().to_string());
                clause.contains(&span.range.start) && id != context.country && id != context.partner
            }
            _ => false,
        })
    }

    /// A word of the side that is not asked about, where the sentence and what it stands under have none of the side that
    /// is.
    fn other_side(&self, at: usize, one: &Expected) -> Option<String> {
        let metric: Vec<String> = lexicon::words(&one.metric).into_iter().map(|word| word.folded).collect();
        let asked = || self.question.iter().chain(&metric).map(String::as_str);
        let sentence = self.sentences.get(at)?;
        let heads = self.heads.get(at).map_or(&[][..], Vec::as_slice);
        let said = |sentence: &Sentence| {
            let words = lexicon::words(&sentence.text);
            let bare = words.into_iter().filter(|word| !sentence.is_in_a_name(&word.range));
            bare.map(|word| word.folded).collect::<Vec<_>>()
        };
        let here: Vec<String> =
            said(sentence).into_iter().chain(heads.iter().flat_map(|head| said(head))).collect();
        let is_of = |side: &[String], word: &str| side.iter().any(|stem| word.starts_with(stem.as_str()));
        lexicon::opposites().iter().flat_map(|[one, other]| [(one, other), (other, one)]).find_map(
            |(own, other)| {
                let wanted = asked().any(|word| is_of(own, word)) && !asked().any(|word| is_of(other, word));
                let kept = !wanted || here.iter().any(|word| is_of(own, word));
                if kept { None } else { here.iter().find(|word| is_of(other, word)).cloned() }
            },
        )
    }

    /// Years of a span that the sentence names, `over the past five years`, where it is none that is asked about.
    fn other_span(&self, words: &[Word], one: &Expected) -> Option<i16> {
        let period = one.truth.context.period.filter(|period| period.end > period.start)?;
        let said: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
        let question: Vec<&str> = self.question.iter().map(String::as_str).collect();
        let asked: Vec<i16> = spans(&question).into_iter().chain([period.end - period.start]).collect();
        let said = spans(&said);
        if said.iter().any(|span| asked.contains(span)) { None } else { said.first().copied() }
    }

    /// Whether a share is said to be one of the partner's own trade: `7.99% of Germany's exports`.
    fn is_of_the_partner(sentence: &Sentence, target: &Range<usize>, one: &Expected) -> bool {
        let partner = one.truth.context.partner.as_deref();
        sentence.spans.iter().any(|span| {
            let (SpanKind::Country(id) | SpanKind::Partner(id)) = span.kind else { return false };
            let gap = sentence.between(target.end, span.range.start).trim();
            Some(id.code().to_string().as_str()) == partner
                && matches!(gap, "of" | "of the")
                && sentence.between(span.range.end, sentence.text.len()).starts_with(['\'', '’'])
        })
    }

    /// A word behind a value that says of what it is, `of soybeans`, and is none of what is asked.
    fn other_object<'w>(
        &self,
        sentence: &Sentence,
        behind: &'w [Word],
        clause: &Range<usize>,
        one: &Expected,
    ) -> Option<&'w str> {
        let names = one.names.iter().chain([&one.metric]).flat_map(|name| lexicon::words(name));
        let own: Vec<String> = names.map(|word| stem(&word.folded)).collect();
        for (at, word) in behind.iter().enumerate().take_while(|(_, word)| word.range.end <= clause.end) {
            let known = sentence.covers(&word.range)
                || sentence.is_in_a_name(&word.range)
                || word.folded.len() < 3
                || word.folded.starts_with(|c: char| c.is_ascii_digit())
                || self.known.contains(&word.folded)
                || own.contains(&stem(&word.folded))
                || self.known.iter().any(|known| stem(known) == stem(&word.folded))
                || lexicon::is_plain("link", &behind[at..])
                || lexicon::is_plain("opener", &behind[at..]);
            if !known {
                return Some(&word.folded);
            }
        }
        None
    }
}

/// What a percentage is said to be of, `7% of new products`, where that is the measure itself and not what it is a part
/// of.
fn part_as_whole<'s>(sentence: &'s Sentence, target: &Range<usize>, one: &Expected) -> Option<&'s str> {
    let family = lexicon::measure(&one.data_point)?.family.as_str();
    let behind = sentence.between(target.end, sentence.text.len());
    let behind = behind.trim_start_matches([' ', '*', ')']).strip_prefix("of ")?;
    let start = sentence.text.len() - behind.len();
    let words = lexicon::words(behind);
    let verb = words.iter().find(|word| lexicon::is_plain("copula", std::slice::from_ref(word)));
    let end = start + verb.map_or(behind.len(), |verb| verb.range.start);
    let is_metric = |span: &Span, name: &str| {
        span.range.start >= start
            && span.range.end <= end
            && matches!(span.kind, SpanKind::Sense(Sense::Metric(own)) if own == name)
    };
    let says = |name: &str| sentence.spans.iter().any(|span| is_metric(span, name));
    (verb.is_some() && family != "trade" && says(family) && !says("trade"))
        .then(|| sentence.between(start, end).trim())
}

/// Spans of years behind "past", "last", "next" and the like.
fn spans(words: &[&str]) -> Vec<i16> {
    let number = |word: &str| -> Option<i16> {
        word.parse().ok().or_else(|| SMALL.iter().position(|small| *small == word)?.try_into().ok())
    };
    words
        .windows(3)
        .filter(|here| ["past", "last", "previous", "coming", "next", "preceding"].contains(&here[0]))
        .filter_map(|here| match (number(here[1]), here[1], here[2]) {
            (Some(years), _, "year" | "years") => Some(years),
            (Some(decades), _, "decades") => decades.checked_mul(10),
            _ => None,
        })
        .chain(
            words
                .windows(2)
                .filter(|here| {
                    here[1] == "decade" && ["past", "last", "previous", "coming", "next"].contains(&here[0])
                })
                .map(|_| 10),
        )
        .collect()
}

/// An ordinal in the clause of a name, `Brazil comes second`, that is not its place.
fn other_place_in_list(
    sentence: &Sentence,
    words: &[Word],
    clause: &Range<usize>,
    rank: u64,
) -> Option<String> {
    let here = words.iter().filter(|word| clause.start <= word.range.start && word.range.end <= clause.end);
    let places: Vec<(u64, &Word)> = here
        .filter(|word| !sentence.is_in_a_name(&word.range))
        .filter_map(|word| Some((lexicon::ordinal(&word.folded)?, word)))
        .collect();
    if places.iter().any(|(place, _)| *place == rank) {
        return None;
    }
    places.first().map(|(_, word)| word.folded.clone())
}
