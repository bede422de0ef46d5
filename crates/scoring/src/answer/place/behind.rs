//! Rules for words after a figure that change it.

use super::asserted::Place;
use crate::answer::figures::read::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::sentence::{Kind, Token};
use crate::value::Unit;

/// An apposition names another calculation: `$5 billion, a sum of several years`.
pub(crate) fn why_reckoned(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let tokens = line.behind(figure.token);
    let begins =
        |pair: &[Token]| matches!(pair, [comma, article] if comma.mark(',') && article.role("article"));
    let rest = tokens.get(tokens.windows(2).position(begins)? + 2..)?;
    let phrase = rest.iter().take_while(|token| token.kind == Kind::Words && !token.role("preposition"));
    let noun = phrase.last()?;
    let has_number = rest.iter().take_while(|token| !token.is_mark()).any(|token| token.number().is_some());
    (noun.listed("reckoned") && !has_number && !asked.knows(&noun.folded))
        .then(|| Place::unplaced(format!("\"{}\" makes it a different figure", noun.folded)))
}

/// A following clause without a verb weakens the figure: `…, give or take 10 %`, `…, but not in 2024`.
pub(crate) fn why_trailing(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let at = line.clauses.iter().position(|clause| clause.tokens.contains(&figure.token))?;
    let (own, clause) = (line.clauses.get(at)?, line.clauses.get(at + 1)?);
    let tokens = || clause.tokens.iter().filter_map(|at| line.token(*at));
    let is_verb = |token: &Token| {
        token.role("be") || token.role("verb") && !token.role("noun") || token.tagged("direction")
    };
    if clause.parent != own.parent || tokens().any(is_verb) || tokens().any(Token::unknown) {
        return None;
    }
    let has_number = tokens().any(|token| token.number().is_some());
    let of_asked = tokens().any(|token| match token.kind {
        Kind::Period(period) => asked.context.period == Some(period) || asked.periods.contains(&period),
        Kind::Country(id) => asked.country == Some(id),
        _ => false,
    });
    let takes_back =
        |token: &&Token| token.operator("hedge") || token.operator("negation") && of_asked && !has_number;
    let word = &tokens().find(takes_back)?.folded;
    Some(Place::under(format!("\"{word}\" after it retracts it")))
}

/// `52.4 million people are employed there`: what is said of those who are counted narrows them.
pub(crate) fn why_predicate(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let mut behind = line.behind(figure.token).iter().skip_while(|token| token.listed("persons"));
    let verb = behind.next().filter(|verb| verb.role("be"))?;
    let next = behind.find(|token| !token.role("adverb"))?;
    let counts = figure.quantity.unit == Unit::Persons && verb.folded != "s";
    (counts && next.folded.ends_with("ed") && !asked.knows(&next.folded))
        .then(|| Place::unplaced(format!("the effect of \"{}\" on it is unclear", next.folded)))
}
