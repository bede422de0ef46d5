//! Rules about time: a past or future value is not the present one.

use super::asserted::Place;
use crate::answer::figures::read::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::sentence::{Kind, Token};

/// Whether two tokens name a past time without a year: `before the recession`.
fn is_past(before: &Token, then: &Token) -> bool {
    matches!(before.folded.as_str(), "before" | "prior to")
        && !matches!(then.kind, Kind::Period(_) | Kind::Number(_))
        && !then.role("pronoun")
        && !then.folded.ends_with("ing")
}

/// Whether a sentence or one of its heads begins with such a past time.
pub(crate) fn begins_past(line: &Line) -> bool {
    let heads = line.heads.iter().map(|head| &head.tokens);
    std::iter::once(&line.sentence.tokens).chain(heads).any(|tokens| {
        let mut words = tokens.iter().filter(|token| !token.role("article"));
        words.next().zip(words.next()).is_some_and(|(first, second)| is_past(first, second))
    })
}

/// The figure is a former value: `the once $2,274`.
pub(crate) fn why_once(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    line.before(figure.token, 1)
        .is_some_and(|token| token.folded == "once")
        .then(|| Place::other("the time, \"once\""))
}

/// The figure is a future value: `$2,274 is what it is to be`.
pub(crate) fn why_to_be(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let to_be = |three: &[&Token]| {
        matches!(three, [before, a, b]
            if a.folded == "to" && b.folded == "be" && !before.operator("negation"))
    };
    let own = line.token(figure.token).into_iter();
    let phrase: Vec<&Token> = own.chain(phrase_behind(figure, line)).collect();
    phrase.windows(3).any(to_be).then(|| Place::other("the time, \"to be\""))
}

/// The figure dates from an earlier time: `$2,274 before the recession`, `$2,274, before revision`.
pub(crate) fn why_before(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let clause = line.clauses.iter().find(|clause| clause.tokens.contains(&figure.token));
    let rest = clause.into_iter().flat_map(|clause| &clause.tokens).filter(|at| **at > figure.token);
    let rest: Vec<&Token> = rest.filter_map(|at| line.token(*at)).collect();
    let hangs = |three: &[&Token]| {
        matches!(three, [comma, before, then]
            if comma.mark(',') && is_past(before, then) && !then.role("article"))
    };
    let stands = |pair: &[&Token]| matches!(pair, [before, then] if is_past(before, then));
    (rest.windows(3).any(hangs) || phrase_behind(figure, line).windows(2).any(stands))
        .then(|| Place::other("the time before"))
}

/// The figure is the state before a reversal: `A surplus of $264 billion turned into a deficit`.
pub(crate) fn why_turned(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let turns = |pair: &[Token]| matches!(pair, [turns, into] if turns.listed("changes_state") && matches!(into.folded.as_str(), "into" | "to"));
    let behind = line.behind(figure.token);
    let at = behind.windows(2).position(turns).filter(|_| asked.is_balance())?;
    let state = behind.iter().skip(at + 2).take(3).any(|token| token.direction().is_some());
    state.then(|| Place::other("the time before"))
}

/// The figure is past growth, but the question asks for a projection: `grew by 4.23 % in the past decade`.
pub(crate) fn why_past(asked: &Asked<'_>, figure: &Figure, _: &Line) -> Option<Place> {
    let is_past = |word: &String| lexicon::listed("of_the_past", word);
    (asked.is_projection() && figure.said.words.iter().any(is_past))
        .then(|| Place::other("the time, which is past"))
}

/// The tokens after a figure up to the next mark.
fn phrase_behind<'a>(figure: &Figure, line: &'a Line) -> Vec<&'a Token> {
    line.behind(figure.token).iter().take_while(|token| !token.is_mark()).collect()
}
