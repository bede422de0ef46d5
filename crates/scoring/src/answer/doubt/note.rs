//! Reads what the answer says about its own statements: that a figure belongs to something else, is made up, or is in doubt.

use super::after::{replaced_after, takes_back};
use super::note_sentence::NoteSentence;
use super::remark;
use super::says_nothing::before_than;
use super::talk;
use crate::answer::candidate::Claim;
use crate::answer::context::differs_alone;
use crate::answer::contrast::meant;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::token::Token;

/// Why the answer as a whole may not mean what it claims.
pub(crate) fn doubt(asked: &Asked<'_>, lines: &[Line], claim: &Claim) -> Option<String> {
    let own = &claim.lines;
    let withdraws = takes_back(asked, lines, own).or_else(|| replaced_after(asked, lines, claim));
    if let Some(line) = withdraws {
        return Some(format!("\"{}\" withdraws or questions it", line.start(80)));
    }
    let first = own.iter().min().copied();
    let is_past = |at| claim.corrected.is_some_and(|last| at <= last) || is_given_up(lines, first, at);
    let told = lines.iter().enumerate().map(|(at, line)| match own.contains(&at) {
        true => meant(asked, line),
        false => before_than(meant(asked, line)),
    });
    let told: Vec<Vec<Token>> = told.collect();
    let told = || lines.iter().zip(&told).enumerate();
    let unclear = |(at, (line, tokens)): (usize, (&Line, &Vec<Token>))| {
        let tokens: Vec<&Token> = tokens.iter().collect();
        match own.contains(&at) {
            _ if line.sentence.question || line.passage.cell || is_past(at) || rejects(lines, at) => None,
            true => talk::doubt_of_part(asked, line, &tokens, true).or_else(|| {
                let is_behind = claim.given_at.is_some_and(|given| given < at);
                is_behind.then(|| talk::points_elsewhere(asked, line, &tokens)).flatten()
            }),
            false if line.offers() => None,
            false => talk::doubt(asked, line, &tokens),
        }
    };
    told()
        .find_map(|(at, (line, tokens))| {
            let (own, is_past, is_wrong) = (own.contains(&at), is_past(at), claim.is_wrong);
            NoteSentence { asked, line, tokens, own, is_past, is_wrong }.doubt()
        })
        .or_else(|| denied_question(asked, lines))
        .or_else(|| remark::filled_otherwise(asked, lines, own))
        .or_else(|| told().filter(|_| !claim.is_wrong).find_map(unclear))
}

/// Whether a line rejects the question before it: `Hmm, 28 %? No, that is another row.`
fn rejects(lines: &[Line], at: usize) -> bool {
    let asks = at.checked_sub(1).and_then(|at| lines.get(at)).is_some_and(|line| line.sentence.question);
    asks && lines.get(at).and_then(|line| line.token(0)).is_some_and(|first| first.is("polarity", "no"))
}

/// A question about the requested context that the answer denies: `Per head? No, that is the economy as a whole.`
fn denied_question(asked: &Asked<'_>, lines: &[Line]) -> Option<String> {
    let is_own = |token: &Token| token.means() && token.tags.iter().any(|tag| asked.allows(*tag));
    let at = (1..lines.len()).find(|at| {
        let tokens = lines.get(at - 1).map_or(&[][..], |line| &line.sentence.tokens);
        rejects(lines, *at)
            && tokens.iter().any(is_own)
            && !tokens.iter().any(|token| token.number().is_some() || differs_alone(asked, token))
    })?;
    Some(format!("\"{}\" is denied", lines.get(at - 1)?.start(80)))
}

/// Whether a line before the answer reports an abandoned thought: `I first had Footwear in the list, which was a mistake. The
/// five largest are …`.
fn is_given_up(lines: &[Line], first: Option<usize>, at: usize) -> bool {
    let mut tokens = lines.get(at).into_iter().flat_map(|line| &line.sentence.tokens);
    first.is_some_and(|first| at < first)
        && tokens.any(|token| token.operator("withdrawn") || token.folded.split(' ').any(|word| word == "i"))
}
