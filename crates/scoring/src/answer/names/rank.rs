//! Ranks and numbers beside a name, and later ranks than the first.

use super::item::Which;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::{Quantity, Unit};

/// The number between a name and the next one.
pub(super) fn behind_name(tokens: &[Token], at: usize, named: &[(usize, Which)]) -> Option<Quantity> {
    let next = named.iter().map(|(at, _)| *at).find(|next| *next > at).unwrap_or(tokens.len());
    tokens.get(at + 1..next)?.iter().find_map(|token| {
        // A code beside a name is not a value.
        token.number().filter(|number| !matches!(number.unit, Unit::Count | Unit::Index)).cloned()
    })
}

/// The rank stated right after a name: `Germany comes first`, `the UK second`, `Kenya in third place`.
pub(super) fn place_behind(tokens: &[Token], at: usize, named: &[(usize, Which)]) -> Option<u64> {
    let next = named.iter().map(|(at, _)| *at).find(|next| *next > at).unwrap_or(tokens.len());
    let mut behind = tokens.get(at + 1..next)?.iter().skip_while(|token| {
        token.depth > tokens.get(at).map_or(0, |name| name.depth)
            || token.role("be")
            || token.role("article")
            || token.folded == "in"
            || token.role("verb") && !token.role("noun")
    });
    let place = behind.next()?;
    lexicon::ordinal(&place.folded).and_then(|place| u64::try_from(place).ok()).or_else(|| rank_of(place))
}

/// The rank stated right before a name: `in third place, refined petroleum`.
pub(super) fn place_before(tokens: &[Token], at: usize) -> Option<u64> {
    let mut before = tokens.get(..at)?.iter().rev().skip_while(|token| {
        matches!(token.kind, Kind::Mark(',' | ':'))
            || token.role("article")
            || token.listed("before_place_name")
    });
    let word = before.next()?;
    let place = lexicon::ordinal(&word.folded).and_then(|place| u64::try_from(place).ok());
    let led =
        before.next().is_none_or(|token| token.role("preposition") || token.role("and") || token.is_mark());
    place.or_else(|| rank_of(word)).filter(|_| led)
}

/// The rank that a token states in digits.
fn rank_of(token: &Token) -> Option<u64> {
    let rank = token.number().filter(|number| number.unit == Unit::Rank)?;
    u64::try_from(rank.number).ok()
}

/// Whether the question asks for the first of a ranking.
pub(super) fn own_place(asked: &Asked<'_>) -> bool {
    asked.one.rank == Some(1) || asked.ends.0 || asked.ends.1
}

/// Whether a token states a later rank than the first.
pub(crate) fn later(token: &Token) -> bool {
    // `on a second look` is not a rank.
    !token.operator("correction") && token.holds("later_place")
        || token
            .number()
            .is_some_and(|number| number.unit == Unit::Rank && number.number > rust_decimal::Decimal::ONE)
}

/// The later rank that a sentence gives the name before it: `It came second.`
pub(super) fn came_later<'l>(line: &'l Line, asked: &Asked<'_>) -> Option<&'l Token> {
    line.token(0).filter(|first| first.is_it())?;
    let behind = line.sentence.tokens.iter().skip(2);
    let mut behind =
        behind.skip_while(|token| token.role("article") || token.role("adverb") || token.listed("stands"));
    let is_rank = |token: &&Token| {
        later(token) && !matches!(token.folded.as_str(), "next" | "last") && !asked.knows(&token.folded)
    };
    behind.next().filter(is_rank).filter(|_| own_place(asked))
}
