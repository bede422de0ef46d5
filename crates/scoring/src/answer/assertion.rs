//! Whether a sentence asserts what stands in it. Precision comes from asking for less: what a sentence begins with and
//! what ties a value to its measure are small closed sets, and words that ask, doubt, deny, suppose or take back keep
//! a sentence from asserting anything. What does not fit is left to a judge: never right, never wrong. So is what a sentence says
//! otherwise than is asked, besides the parts of a context that the comparator knows: the other side of a pair (exports,
//! imports), another span of time, another place in a list, another object.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Expected;
use super::context::is_change;
use super::reading::Reading;
use super::sentence::{Sentence, Span, SpanKind};
use super::stance::StanceWords;
use super::subject::stem;
use crate::compare::Content;
use crate::language::lexicon::{self, Sense, Word};
use crate::value::{Basis, Statistic, Unit, Value};

/// Verbs that begin a question, a wish or a condition.
const INVERTED: [&str; 33] = [
    "is", "are", "was", "were", "am", "do", "does", "did", "can", "could", "may", "might", "would", "will",
    "shall", "should", "has", "have", "had", "what", "which", "who", "whom", "whose", "where", "when", "why",
    "how", "were", "nobody", "without", "none", "neither",
];

/// Verbs that begin a statement of their own behind a comma.
const VERBS: [&str; 20] = [
    "is", "was", "were", "are", "has", "had", "stands", "stood", "amounted", "totalled", "totaled",
    "exported", "imported", "reached", "ranks", "ranked", "came", "grew", "fell", "holds",
];

/// Words that put a value on one side of what is said.
const AROUND: [&str; 7] = ["below", "above", "under", "beneath", "beyond", "beside", "half"];

impl Reading {
    /// Why what stands at `target` of a sentence is not asserted; nothing where it is.
    pub(super) fn objection(&self, at: usize, target: &Range<usize>, one: &Expected) -> Option<String> {
        let projected = one.truth.context.statistic == Some(Statistic::Projection)
            || one.data_point.contains("projection");
        let (stance, sentence, known) = (self.stances.get(at)?, self.sentences.get(at)?, &self.known);
        let text = |range: &Range<usize>| sentence.between(range.start, range.end).to_owned();
        if self.retracted_before.is_some_and(|last| at < last) {
            return Some("a later sentence takes back what was said before it".to_owned());
        }
        if stance.asked {
            return Some("it stands in a question".to_owned());
        }
        let whole = 0..sentence.text.len();
        let opened = sentence.between(0, target.start).to_lowercase();
        let ends = sentence
            .numbers
            .iter()
            .filter(|number| target.start <= number.range.start && number.range.end <= target.end);
        if ends.count() < 2 && opened.split_whitespace().rev().take(3).any(|word| word == "between") {
            return Some("it is one end of a range".to_owned());
        }
        if offers_another(sentence, target) {
            return Some("it is one of several that are offered".to_owned());
        }
        // what the question says itself doubts nothing: "Which gain would coffee bring?"
        let asked = |range: &Range<usize>| self.question.contains(&text(range).to_lowercase());
        let doubts = stance.all(&["condition", "hedge", "ask"], whole.clone()).find(|range| !asked(range));
        if let Some(range) = doubts {
            return Some(format!("\"{}\" keeps it from being asserted", text(range)));
        }
        if let Some(range) = stance.first(&["wrong"], target.end..whole.end) {
            return Some(format!("\"{}\" is said of it", text(range)));
        }
        let elsewhen: &[&str] = if projected { &["past"] } else { &["past", "future"] };
        if let Some(range) = stance.first(elsewhen, 0..target.start) {
            return Some(format!("\"{}\" speaks of another time", text(range)));
        }
        let denials = stance
            .found
            .iter()
            .filter(|(range, kind)| matches!(*kind, "denial" | "wrong") && range.end <= target.start);
        if let Some((range, _)) =
            denials.into_iter().find(|(range, _)| !is_over(sentence, range.end, target.start))
        {
            return Some(format!("\"{}\" stands before it", text(range)));
        }
        let under = self.heads.get(at).map_or(&[][..], Vec::as_slice);
        for head in under {
            let own = StanceWords::of(head);
            let any = own.first(&["condition", "hedge", "ask", "denial", "wrong"], 0..head.text.len());
            if own.asked || any.is_some() {
                return Some(format!("\"{}\", under which it stands, asserts nothing", head.text));
            }
        }
        if let Some(mismatch) = self.mismatch(at, target, one) {
            return Some(mismatch);
        }
        let passage = self.passages.get(at)?;
        if passage.cell {
            return None;
        }
        if let Some(word) = strange_opener(stance, sentence, target, known) {
            return Some(format!("a sentence that begins with \"{word}\" may not assert it"));
        }
        let link = strange_link(stance, sentence, target, known, is_of_a_change(one));
        link.map(|word| format!("\"{word}\" before it may change what is said"))
    }
}

/// Whether what is asked is a change and no level.
fn is_of_a_change(one: &Expected) -> bool {
    let moved = matches!(&one.truth.content, Content::Value(Value::Quantity(truth)) if matches!(truth.unit, Unit::Positions | Unit::PercentagePoints));
    moved || is_change(one.truth.context.statistic)
}

/// Whether another value of its kind stands behind an "or", on either side.
fn offers_another(sentence: &Sentence, target: &Range<usize>) -> bool {
    let within = |at: &Range<usize>| target.start <= at.start && at.end <= target.end;
    let own = sentence.numbers.iter().find(|number| within(&number.range)).map(|number| number.quantity.unit);
    let Some(own) = own else { return sentence.between(0, target.start).trim_end().ends_with(" or") };
    let joins = |gap: &str| {
        let mut words = gap.split_whitespace();
        words.next() == Some("or") && words.count() < 4
    };
    let before = sentence.numbers.iter().rfind(|other| other.range.end <= target.start);
    let behind = sentence.numbers.iter().find(|other| other.range.start >= target.end);
    before.is_some_and(|other| {
        other.quantity.unit == own && joins(sentence.between(other.range.end, target.start))
    }) || behind.is_some_and(|other| {
        other.quantity.unit == own && joins(sentence.between(target.end, other.range.start))
    })
}

/// Whether what denies ends before a place: behind "but", a semicolon, or a comma with a verb of its own.
fn is_over(sentence: &Sentence, from: usize, to: usize) -> bool {
    let between = sentence.between(from, to).to_lowercase();
    if [" but ", ";", ": ", " rather ", " instead "].iter().any(|turn| between.contains(turn)) {
        return true;
    }
    let governs = [" that ", " whether ", " true", " case"].iter().any(|word| between.contains(word));
    !governs
        && between.rsplit_once(',').is_some_and(|(_, clause)| {
            clause.split(|c: char| !c.is_alphanumeric()).any(|word| VERBS.contains(&word))
        })
}

/// The first word, where it is none that an assertion begins with.
fn strange_opener<'s>(
    stance: &'s StanceWords,
    sentence: &Sentence,
    target: &Range<usize>,
    known: &BTreeSet<String>,
) -> Option<&'s str> {
    let first = stance.words.first()?;
    let folded = first.folded.as_str();
    if INVERTED.contains(&folded) {
        return Some(folded);
    }
    if first.range.start >= target.start || sentence.text.trim_start().starts_with('<') {
        return None;
    }
    let covered = sentence.covers(&first.range) || first.folded.starts_with(|c: char| c.is_ascii_digit());
    let opens =
        || stance.found.iter().any(|(range, kind)| *kind == "opener" && range.start == first.range.start);
    (!covered && !known.contains(folded) && !lexicon::is_plain("opener", &stance.words) && !opens())
        .then_some(folded)
}

/// A word before a value that is none by which one is asserted.
fn strange_link<'s>(
    stance: &'s StanceWords,
    sentence: &Sentence,
    target: &Range<usize>,
    known: &BTreeSet<String>,
    of_change: bool,
) -> Option<&'s str> {
    let end = stance.words.partition_point(|word| word.range.start < target.start);
    // what stands before a turn has been said
    let opened = sentence.between(0, target.start);
    let turn = [" but ", "; "]
        .iter()
        .filter_map(|turn| opened.rfind(turn).map(|at| at + turn.len()))
        .max()
        .unwrap_or(0);
    let first = stance.words.partition_point(|word| word.range.start < turn);
    // markup that stands in front says nothing
    let markup = opened.rfind('>').filter(|_| opened.contains('<')).map_or(0, |at| at + 1);
    let first = first.max(stance.words.partition_point(|word| word.range.start < markup));
    let before = stance.words.get(first..end)?;
    let last = before.last().map_or("", |word| word.folded.as_str());
    if AROUND.contains(&last) {
        return before.last().map(|word| word.folded.as_str());
    }
    // "higher than Kenya's $2,274"
    let compares = |here: &[Word]| matches!(here, [than, next, ..] if than.folded == "than" && sentence.covers(&next.range));
    // a change is asserted by what moves, a level by where it moves to
    let moves = |here: &[Word]| of_change || here.iter().any(|word| word.folded == "to");
    before
        .iter()
        .enumerate()
        .find(|(at, word)| {
            let here = before.get(*at..).unwrap_or_default();
            !sentence.covers(&word.range)
                && !sentence.is_aside(word.range.start)
                && !word.folded.starts_with(|c: char| c.is_ascii_digit())
                && !compares(here)
                && !known.contains(&word.folded)
                && !known.contains(&stem(&word.folded))
                && !lexicon::is_plain("link", here)
                && !(moves(here) && lexicon::is_plain("change", here))
                && !(at == &0 && lexicon::is_plain("opener", here))
        })
        .map(|(_, word)| word.folded.as_str())
}

/// Words for small numbers, from zero.
const SMALL: [&str; 16] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen",
];

/// Why the number in a clause may be no change, where the truth is one that follows from two years.
fn untold_change(sentence: &Sentence, clause: &Range<usize>, one: &Expected) -> Option<&'static str> {
    one.follows?;
    let statistic = one.truth.context.statistic;
    if !matches!(statistic, Some(Statistic::Change | Statistic::TotalGrowth | Statistic::Cagr)) {
        return None;
    }
    if !sentence.cues(clause.clone()).any(|(cue, _)| matches!(cue, "up" | "down")) {
        return Some("it does not say that something rose or fell");
    }
    let is_rate = |span: &Span| {
        let within = span.range.start >= clause.start && span.range.end <= clause.end;
        within && matches!(span.kind, SpanKind::Sense(Sense::Statistic(Statistic::Cagr)))
    };
    let untold = statistic == Some(Statistic::Cagr) && !sentence.spans.iter().any(is_rate);
    untold.then_some("it does not say that it is a rate a year")
}

impl Reading {
    /// Why a sentence may speak of something else than what is asked, where it says so around `target`.
    fn mismatch(&self, at: usize, target: &Range<usize>, one: &Expected) -> Option<String> {
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
        if let Some(why) = untold_change(sentence, &clause, one) {
            return Some(why.to_owned());
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
