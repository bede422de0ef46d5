//! Derives the sign, unit and kind of a number from the words around it: `declined by 2.3%`, `worsening 13 positions`.

use crate::language::lexicon;
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Token};
use crate::value::fold::plain;
use crate::value::{Quantity, Unit};

/// The words around a number.
pub(super) struct Around<'t> {
    /// All tokens since the previous number.
    before: &'t [Token],
    /// The tokens of its clause before it.
    clause: &'t [Token],
    /// The tokens of its clause after it, up to the next number.
    after: &'t [Token],
    /// The bracket depth of the number.
    depth: usize,
}

impl<'t> Around<'t> {
    /// The words around the number at token `at`. `before` and `after` reach to the neighbouring numbers.
    pub(super) fn of(sentence: &Sentence, at: usize, before: &'t [Token], after: &'t [Token]) -> Self {
        let (place, depth) =
            sentence.tokens.get(at).map(|token| (token.range.clone(), token.depth)).unwrap_or_default();
        // only the text between the neighbouring numbers, so that many numbers take linear time
        let first = before.first().map_or(place.start, |token| token.range.start);
        let last = after.last().map_or(place.end, |token| token.range.end);
        let text = |range: std::ops::Range<usize>| sentence.text.get(range).unwrap_or_default();
        let line = text(first..place.start).rfind('\n').map_or(0, |at| first + at);
        let end = text(place.end..last).find('\n').map_or(sentence.text.len(), |at| place.end + at);
        let breaks = |token: &Token| matches!(token.kind, Kind::Mark(';' | ',' | '|'));
        let start = before.iter().rposition(|token| breaks(token) || token.range.start < line);
        let until =
            after.iter().position(|token| breaks(token) || token.mark('.') || token.range.start > end);
        Self {
            before,
            clause: before.get(start.map_or(0, |at| at + 1)..).unwrap_or_default(),
            after: after.get(..until.unwrap_or(after.len())).unwrap_or_default(),
            depth,
        }
    }

    /// Whether the number is the amount of a change: `grew by $5 billion`, `an increase of $5 billion`.
    pub(super) fn is_change(&self, quantity: &Quantity) -> bool {
        let mut words = self.before.iter().rev();
        // `in deficit by $5 billion` states a level.
        let changes = |token: &Token| token.tagged("direction") && !token.listed("balance_state");
        matches!(quantity.unit, Unit::Usd | Unit::Persons | Unit::Count)
            && match words.next().map(|token| token.folded.as_str()) {
                Some("by") => words.take(4).any(changes),
                Some("of") => words.next().is_some_and(|token| token.listed("change")),
                _ => false,
            }
    }

    /// Whether a counted noun follows the number: `24 new products`, `145 countries`.
    pub(super) fn names_things(&self) -> bool {
        let near = self.after.iter().take_while(|token| token.depth == self.depth);
        let mut words = near.flat_map(|token| token.folded.split(' ')).take(3);
        words.any(|word| lexicon::listed("counted", word))
    }

    /// Applies the sign and unit that the surrounding words give: `declined by 2.3%`, `deficit of $5B`.
    pub(super) fn signed(&self, quantity: &Quantity, shown: String) -> (Quantity, String) {
        let (quantity, shown) = self.with_unit(quantity.clone(), shown);
        let moves =
            matches!(quantity.unit, Unit::Percent | Unit::Positions | Unit::PercentagePoints | Unit::Usd);
        if quantity.number.is_sign_negative() || !moves {
            return (quantity, shown);
        }
        // An arrow directly after the number belongs to it.
        if let Some(Kind::Mark(mark)) = self.after.first().map(|token| &token.kind)
            && plain(*mark) == Some('↓')
        {
            return (quantity.negated(), format!("{shown} ↓"));
        }
        let says = |direction: &str, tokens: &'t [Token]| {
            tokens.iter().rfind(|token| token.is("direction", direction))
        };
        let tail = self.after.split(|token| token.folded == "in").next().unwrap_or_default();
        let down = says("down", self.clause)
            .or_else(|| says("down", tail).filter(|_| says("up", self.clause).is_none()));
        match down {
            Some(token) => (quantity.negated(), format!("{} {shown}", token.folded)),
            None => (quantity, shown),
        }
    }

    /// Applies the unit that the surrounding words give: `13 positions`, `5 million people`, `improved 13`.
    fn with_unit(&self, quantity: Quantity, shown: String) -> (Quantity, String) {
        if quantity.unit != Unit::Count {
            return (quantity, shown);
        }
        let next = self.after.first().and_then(|token| token.folded.split(' ').next()).unwrap_or_default();
        let verb = self.clause.last().and_then(|token| token.folded.rsplit(' ').next()).unwrap_or_default();
        if lexicon::listed("places", next) {
            return (quantity.with_unit(Unit::Positions), format!("{shown} {next}"));
        }
        if lexicon::listed("persons", next) {
            return (quantity.with_unit(Unit::Persons), shown);
        }
        let moves = lexicon::listed("moves_in_rank", verb);
        (if moves { quantity.with_unit(Unit::Positions) } else { quantity }, shown)
    }
}
