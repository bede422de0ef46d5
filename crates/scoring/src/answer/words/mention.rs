//! One mention of a word as a candidate, with the context of its place in the sentence.

use crate::answer::candidate::{Candidate, Place};
use crate::answer::line::Line;
use crate::answer::place::asserted::place;
use crate::answer::question::asked::Asked;
use crate::answer::statement::clause;
use crate::answer::statement::said::Said;
use crate::language::token::Token;

/// The context at a token, including the heads above its line.
pub(crate) fn said_at(line: &Line, at: usize, targets: &[usize]) -> Said {
    let clause = clause::clause_of(&line.clauses, at).unwrap_or(0);
    let mut said = clause::own(line, clause, at, targets);
    // `Its rival exports more, so it runs a surplus`: the previous clause names the subject.
    let own = line.clauses.get(clause).map(|clause| clause.tokens.as_slice()).unwrap_or_default();
    let word = |own: &usize| line.token(*own);
    let mut before = own.iter().filter(|own| **own < at).filter_map(word);
    let points = before.any(Token::is_it);
    if let Some(before) = clause.checked_sub(1).filter(|_| points && said.countries.is_empty()) {
        let before = clause::own(line, before, at, &[]);
        said.unknown.extend(before.unknown);
        said.countries.extend(before.countries);
        let open = before.operators.into_iter();
        let open = open.filter(|(kind, _)| !matches!(*kind, "bound" | "comparison" | "negation"));
        said.operators.extend(open);
    }
    let heads = Said::of_heads(line);
    said.operators.extend(heads.operators.iter().cloned());
    said.unknown.extend(heads.unknown.iter().cloned());
    said.inheriting(Some(&heads))
}

pub(crate) fn candidate(
    asked: &Asked<'_>,
    line: &Line,
    at: usize,
    token: usize,
    agrees: bool,
    said: &Said,
) -> Candidate {
    let range = line.token(token).map(|token| token.range.clone()).unwrap_or_default();
    let corrected = line.until(token).iter().any(|token| token.operator("correction"));
    let before = line.until(token).iter().rev().find(|token| !token.role("article"));
    // `falls under Agriculture`
    let files = |token: &Token| matches!(token.folded.as_str(), "under" | "within");
    let bound =
        before.filter(|token| token.operator("bound") && !files(token) && !asked.knows(&token.folded));
    // `advises against the Light Touch Approach`
    let against = before.filter(|token| token.folded == "against");
    let place = match bound.or(against) {
        Some(bound) => Place::Operator(format!("\"{}\" is a bound", bound.folded)),
        None => place(asked, said, line),
    };
    Candidate {
        place,
        agrees: Some(agrees),
        comparison: None,
        value: line.sentence.shown(&range).to_owned(),
        line: at,
        is_final: said.is_final,
        corrected,
        vague: false,
        bare: said.alone,
    }
}

/// Whether a sentence repeats the question.
pub(crate) fn repeats(asked: &Asked<'_>, line: &Line) -> bool {
    line.sentence.question
        && line.sentence.tokens.iter().filter(|token| !token.is_mark()).all(|token| {
            asked.knows(&token.folded)
                || token.folded == "question"
                || token.role("article")
                || token.role("be")
                || token.role("preposition")
                || token.role("and")
        })
}
