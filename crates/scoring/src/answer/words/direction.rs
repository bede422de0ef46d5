//! Reads data points that are directions: up or down, surplus or deficit, above or below the region.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::mention::{candidate, repeats, said_at};
use crate::answer::candidate::{Candidate, Place};
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::statement::clause::clause_of;
use crate::answer::statement::said::Said;
use crate::language::lexicon::Tag;
use crate::language::token::{Kind, Token};

/// The vocabulary kinds whose terms are directions, with the term for up.
const DIRECTIONS: [(&str, &str); 5] = [
    ("export_direction", "grown"),
    ("sector_direction", "risen"),
    ("rank_direction", "improving"),
    ("trade_balance", "surplus"),
    ("regional_difference", "Above"),
];

/// The direction of a term, if it is one; `true` for up.
pub(crate) fn direction_of(kinds: &[Tag]) -> Option<bool> {
    let up = |kind: &str| DIRECTIONS.iter().find(|(own, _)| *own == kind).map(|(_, up)| *up);
    let (canonical, up) = kinds.iter().find_map(|(kind, canonical)| Some((*canonical, up(kind)?)))?;
    (!matches!(canonical, "InLine" | "stagnated")).then_some(up == canonical)
}

/// The directions that the answer states.
pub(crate) fn directions(asked: &Asked<'_>, truth: bool, kinds: &[Tag], lines: &[Line]) -> Vec<Candidate> {
    let is_of = |own: &str| kinds.iter().any(|(kind, _)| *kind == own);
    let reader = DirectionReader {
        asked,
        truth,
        compares: is_of("regional_difference"),
        balances: is_of("trade_balance"),
    };
    let lines = lines.iter().enumerate().filter(|(_, line)| !repeats(asked, line));
    lines.flat_map(|(at, line)| reader.of_line(at, line)).collect()
}

/// Reads the requested direction from lines.
struct DirectionReader<'a> {
    asked: &'a Asked<'a>,
    truth: bool,
    /// Whether the question is about above or below.
    compares: bool,
    /// Whether the question is about a surplus or deficit.
    balances: bool,
}

impl DirectionReader<'_> {
    /// The directions of a line. Only one per clause counts, unless they differ.
    fn of_line(&self, at: usize, line: &Line) -> Vec<Candidate> {
        let tokens = line.sentence.tokens.iter().enumerate();
        let found: Vec<(usize, bool)> =
            tokens.filter_map(|(place, token)| Some((place, self.direction_of(line, token)?))).collect();
        let targets: Vec<usize> = found.iter().map(|(place, _)| *place).collect();
        let mut decided: BTreeSet<usize> = BTreeSet::new();
        let mut out = Vec::new();
        for (place, up) in &found {
            let clause = |place: usize| clause_of(&line.clauses, place);
            let mut others =
                found.iter().filter(|(other, _)| clause(*other) == Some(clause(*place).unwrap_or(0)));
            let agrees = others.all(|(_, other)| other == up);
            if agrees && !decided.insert(clause(*place).unwrap_or(0)) {
                continue;
            }
            let said = said_of(line, *place, if agrees { &[] } else { &targets });
            let mut one = candidate(self.asked, line, at, *place, *up == self.truth, &said);
            let why = match agrees {
                true => self.why_open(line, *place, *up).filter(|_| one.place == Place::Asked),
                false => Some("it states both directions"),
            };
            if let Some(why) = why {
                one.place = Place::Unplaced(why.to_owned());
            }
            out.push(one);
        }
        out
    }

    /// The direction that a token states. A comparative right before a number is a bound instead.
    fn direction_of(&self, line: &Line, token: &Token) -> Option<bool> {
        if self.compares {
            let mut tokens = line.sentence.tokens.iter();
            let bounds = |next: &Token| next.range.start == token.range.end + 1 && next.number().is_some();
            return token.comparative().filter(|_| !tokens.any(bounds));
        }
        let is_side = || ["surplus", "deficit"].iter().any(|word| token.folded.contains(word));
        token.direction().filter(|_| !self.balances || is_side())
    }

    /// Why the opposite direction may be meant.
    fn why_open(&self, line: &Line, place: usize, up: bool) -> Option<&'static str> {
        let mut numbers = line.sentence.tokens.iter().filter_map(Token::number);
        if self.compares && self.is_of_region(line, place) {
            return Some("the sentence compares the region, not the country");
        }
        (self.balances && up && numbers.any(|number| number.number < Decimal::ZERO))
            .then_some("a minus contradicts a surplus")
    }

    /// Whether the region is the subject: `The averages of the region lay above the growth of Spain`.
    fn is_of_region(&self, line: &Line, place: usize) -> bool {
        let (before, behind) = line.sentence.tokens.split_at(place);
        let own = |token: &Token| self.asked.country.is_some_and(|id| token.kind == Kind::Country(id));
        before.iter().any(|token| token.is("part", "regional") || token.folded.contains("region"))
            && !before.iter().any(own)
            && behind.iter().any(own)
    }
}

/// The context of a direction, without the direction's own words.
fn said_of(line: &Line, place: usize, targets: &[usize]) -> Said {
    let mut said = said_at(line, place, targets);
    said.durations.retain(|years| *years != 10);
    said.operators.retain(|(kind, _)| !matches!(*kind, "bound" | "comparison"));
    said.tags.retain(|tag| {
        !matches!(
            *tag,
            ("modifier", "growth") | ("part", "regional") | ("metric", "trade_balance" | "gdp_per_capita")
        )
    });
    said
}
