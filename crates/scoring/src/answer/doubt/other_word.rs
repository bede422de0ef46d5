//! The words of the sentence that gives the value: each must be one that right answers to such questions have used.

use crate::answer::candidate::{Claim, unclear};
use crate::answer::line::Line;
use crate::answer::place::change::has_amount;
use crate::answer::question::asked::Asked;
use crate::language::answer_words::is_word;
use crate::language::token::{Class, Kind, Token};

/// Why a sentence that gives the true value may say something else of it: no right answer has used one of its words.
pub(crate) fn doubt(asked: &Asked<'_>, lines: &[Line], claim: &Claim) -> Option<String> {
    claim.given(lines).find_map(|line| other_word(asked, line)).map(unclear)
}

/// The first such word. `After we archived the page, …` tells of the search, and an adverb of its manner.
fn other_word<'a>(asked: &Asked<'_>, line: &'a Line) -> Option<&'a str> {
    let topic = asked.topic();
    let is_free = |at: usize, token: &Token| {
        has_amount(line, at)
            || token.kind != Kind::Words
            || token.is_manner()
            || token.role("adverb")
            || token.role("lead")
            || token.class == Some(Class::Adverb)
            || token.operator("about")
            || asked.gives(&token.folded)
    };
    let clauses =
        line.clauses.iter().map(|clause| clause.tokens.iter().filter_map(|at| Some((*at, line.token(*at)?))));
    let asserting = clauses.filter(|tokens| !tokens.clone().any(|(_, token)| token.listed("person")));
    let words = asserting
        .flatten()
        .filter(|(at, token)| !is_free(*at, token))
        .flat_map(|(_, token)| token.folded.split(' '));
    words
        .filter(|word| is_word(word))
        .find(|word| !asked.knows(word) && !asked.of_another_row(word) && !topic.uses(word))
}
