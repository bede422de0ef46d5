//! Whether a sentence asserts what stands in it. Precision comes from asking for less: what a sentence begins with and
//! what ties a value to its measure are small closed sets, and words that ask, doubt, deny, suppose or take back keep
//! a sentence from asserting anything. What does not fit is left to a judge: never right, never wrong.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Expected;
use super::context::is_change;
use super::reading::Reading;
use super::sentence::Sentence;
use super::stance::StanceWords;
use super::subject::stem;
use crate::scoring::compare::Content;
use crate::scoring::language::lexicon::{self, Word};
use crate::value::{Statistic, Unit, Value};

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
