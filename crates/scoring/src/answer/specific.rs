//! Which of several cells of a table, or fields of an object, is the requested one: the one whose heads say more of the question.
//! `| GDP per capita | GDP per capita (PPP) |` holds two values of one measure, and the question asks for PPP.

use std::collections::BTreeSet;

use super::candidate::Candidate;
use super::line::Line;
use super::question::asked::Asked;
use crate::language::lexicon;
use crate::language::token::Token;

/// The candidates without those that another cell outdoes. Only a cell with another value is left out, and only beside the true one.
pub(crate) fn without_outdone<'a>(
    asked: &Asked<'_>,
    lines: &[Line],
    fillers: Vec<&'a Candidate>,
) -> Vec<&'a Candidate> {
    let is_outdone = |one: &Candidate| {
        let outdoes = |other: &&Candidate| {
            let pair = lines.get(one.line).zip(lines.get(other.line));
            other.agrees == Some(true)
                && pair.is_some_and(|(one, other)| are_beside(one, other) && says_less(asked, one, other))
        };
        one.agrees == Some(false) && !one.corrected && fillers.iter().any(outdoes)
    };
    fillers.iter().copied().filter(|one| !is_outdone(one)).collect()
}

/// Whether two lines are cells of one table or fields of one object.
fn are_beside(one: &Line, other: &Line) -> bool {
    match (one.passage.column, other.passage.column) {
        (Some((own, _)), Some((table, _))) => own == table,
        (None, None) => {
            one.passage.block == other.passage.block && label(one).is_some() && label(other).is_some()
        }
        _ => false,
    }
}

/// Whether the heads of a line say less of the question than those of another, and nothing that those do not say.
fn says_less(asked: &Asked<'_>, one: &Line, other: &Line) -> bool {
    let (less, more) = (asked_words(asked, one), asked_words(asked, other));
    !less.is_empty() && less.len() < more.len() && less.is_subset(&more)
}

/// The few tokens before the colon of a field.
fn label(line: &Line) -> Option<&[Token]> {
    let tokens = &line.sentence.tokens;
    let is_colon = |token: &Token| token.mark(':') || token.mark('=');
    let colon = tokens.iter().take(5).position(is_colon)?;
    tokens.get(..colon)
}

/// The words and meanings in the heads and the label of a line that the question has too.
fn asked_words(asked: &Asked<'_>, line: &Line) -> BTreeSet<String> {
    let heads = line.heads.iter().flat_map(|head| head.tokens.as_slice());
    let tokens = heads.chain(label(line).unwrap_or_default());
    let meant = tokens.filter(|token| !token.role("article") && !token.is_mark()).flat_map(|token| {
        let tags = token.tags.iter().filter(|tag| tag.0 != "role" && asked.tags.contains(*tag));
        let words = token.folded.split(' ').filter(|word| word.len() > 2 && asked.knows(word));
        tags.map(|tag| tag.1.to_owned()).chain(words.map(lexicon::stem)).collect::<Vec<_>>()
    });
    meant.collect()
}
