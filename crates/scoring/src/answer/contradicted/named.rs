//! Remarks on a value that is a name or a term: `Services and Vehicles. Vehicles declined.`

use super::Beside;
use crate::answer::words::terms::direction;
use crate::language::token::Token;

/// Whether a sentence about a name or term moves or ranks it: `Its exports became more concentrated.`, `It is the lowest grade.`
pub(super) fn judges(beside: &Beside<'_>) -> bool {
    let asked = beside.asked;
    let is_choice = asked.one.follows.is_some();
    let Some(truth) = asked.text().filter(|text| !beside.own && !is_choice && direction(text).is_none())
    else {
        return false;
    };
    let truth = truth.to_lowercase();
    let names = |word: &str| word.len() > 3 && truth.split(' ').any(|own| own == word);
    if matches!(truth.as_str(), "true" | "false") {
        return truth == "true" && denies(beside);
    }
    let points = |first: &Token| {
        first.is_it()
            || matches!(first.folded.as_str(), "its" | "their" | "both" | "these")
            || names(&first.folded)
    };
    let judges = |token: &Token| {
        let is_move = token.direction().is_some() || token.comparative().is_some();
        (is_move || token.is("comparative", "most") || token.is("comparative", "least"))
            && !names(&token.folded)
            && !asked.knows(&token.folded)
    };
    let tokens = beside.tokens();
    beside.words().next().is_some_and(points)
        && !tokens.iter().any(|token| token.number().is_some())
        && tokens.iter().any(judges)
}

/// Whether a sentence beside a yes denies it: `The box is not ticked.`, `Or rather no.`
fn denies(beside: &Beside<'_>) -> bool {
    let denies = |token: &Token| {
        token.operator("negation") || token.operator("exception") || token.is("polarity", "no")
    };
    let is_own = |token: &Token| !token.is_name() && token.number().is_none();
    beside.tokens().iter().any(denies) && beside.tokens().iter().all(is_own)
}
