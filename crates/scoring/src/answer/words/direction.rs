//! Reads data points that are directions: up or down, surplus or deficit, above or below the region.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::mention::{Mark, Words, repeats};
use crate::answer::candidate::Place;
use crate::answer::line::Line;
use crate::answer::place::levels::Levels;
use crate::answer::question::asked::Asked;
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

/// The directions that an answer may state.
pub(crate) struct Directions<'a> {
    asked: &'a Asked<'a>,
    truth: bool,
    /// Whether the question is about above or below.
    compares: bool,
    /// Whether the question is about a surplus or deficit.
    balances: bool,
}

impl Words for Directions<'_> {
    /// The directions of a line. Only one per clause counts, unless they differ.
    fn marks(&self, line: &Line) -> Vec<Mark> {
        if repeats(self.asked, line) {
            return Vec::new();
        }
        let tokens = line.sentence.tokens.iter().enumerate();
        let found: Vec<(usize, bool)> =
            tokens.filter_map(|(place, token)| Some((place, self.direction_of(line, token)?))).collect();
        let clause = |place: usize| line.clause_of(place);
        let mut decided: BTreeSet<usize> = BTreeSet::new();
        let mark = |(token, up): &(usize, bool)| {
            let own = clause(*token).unwrap_or(0);
            let mut others = found.iter().filter(|(other, _)| clause(*other) == Some(own));
            let is_one = others.all(|(_, other)| other == up);
            if is_one && !decided.insert(own) {
                return None;
            }
            let both = || Place::Unplaced("it states both directions".to_owned());
            let targets = found.iter().map(|(place, _)| *place).filter(|_| !is_one).collect();
            let (agrees, place) = (*up == self.truth, (!is_one).then(both));
            Some(Mark { token: *token, agrees, targets, place, value: None })
        };
        found.iter().filter_map(mark).collect()
    }

    /// Removes the direction's own words.
    fn trim(&self, _: &Line, _: &Mark, said: &mut Said) {
        said.durations.retain(|years| *years != 10);
        said.operators.retain(|(kind, _)| !matches!(*kind, "bound" | "comparison"));
        said.tags.retain(|tag| {
            !matches!(
                *tag,
                ("modifier", "growth")
                    | ("part", "regional")
                    | ("metric", "trade_balance" | "gdp_per_capita")
            )
        });
    }

    /// Why the opposite direction may be meant.
    fn otherwise(&self, line: &Line, mark: &Mark, _: &Said) -> Option<Place> {
        let mut numbers = line.sentence.tokens.iter().filter_map(Token::number);
        let up = mark.agrees == self.truth;
        let why = if self.compares && self.is_of_region(line, mark.token) {
            "the sentence compares the region, not the country"
        } else if self.balances && up && numbers.any(|number| number.number < Decimal::ZERO) {
            "a minus contradicts a surplus"
        } else if self.compares || self.balances {
            return None;
        } else {
            return Levels::of(self.asked, &line.sentence.tokens)?.against(up);
        };
        Some(Place::Unplaced(why.to_owned()))
    }
}

impl<'a> Directions<'a> {
    pub(crate) fn of(asked: &'a Asked<'a>, truth: bool, kinds: &[Tag]) -> Self {
        let is_of = |own: &str| kinds.iter().any(|(kind, _)| *kind == own);
        Self { asked, truth, compares: is_of("regional_difference"), balances: is_of("trade_balance") }
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

    /// Whether the region is the subject: `The averages of the region lay above the growth of Spain`.
    fn is_of_region(&self, line: &Line, place: usize) -> bool {
        let (before, behind) = line.sentence.tokens.split_at(place);
        let own = |token: &Token| self.asked.country.is_some_and(|id| token.kind == Kind::Country(id));
        before.iter().any(|token| token.is("part", "regional") || token.folded.contains("region"))
            && !before.iter().any(own)
            && behind.iter().any(own)
    }
}
