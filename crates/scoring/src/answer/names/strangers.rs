//! Finds names outside the record: lines, items and list parts that name something unknown.

use super::item::Which;
use crate::answer::doubt::talk;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::sentence::Clause;
use crate::language::token::{Kind, Token};

/// Whether a line is a fragment: a name, a heading, or a label with its value.
pub(crate) fn is_fragment(line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let words = tokens.iter().filter(|token| !token.is_mark()).count();
    let last = tokens.len().saturating_sub(1);
    let verb = tokens.iter().enumerate().any(|(at, token)| {
        (token.role("be") && token.folded != "s")
            || token.role("lead")
            || token.operator("wrong")
            || token.operator("question")
            || (token.role("verb") && !token.role("noun") && at < last)
    });
    // `This reflects …`
    let speaks = tokens.first().is_some_and(|first| first.role("pronoun") || first.role("deictic"))
        && tokens.get(1).is_some_and(Token::unknown);
    !verb
        && !speaks
        && words <= 14
        && !line.sentence.question
        && !line.passage.text.trim_end().ends_with([':', '!'])
}

/// Whether a sentence gives an unknown name as the answer: `It is Apparatus.`, `In a nutshell, Apparatus.`
pub(crate) fn asserts_stranger(line: &Line, asked: &Asked<'_>) -> bool {
    let tokens = &line.sentence.tokens;
    let points = tokens.first().is_some_and(|first| {
        first.operator("correction") || first.role("final") || first.role("pronoun") || first.role("deictic")
    });
    let is_name = |token: &Token| {
        token.unknown()
            && !asked.knows(&token.folded)
            && line.sentence.shown(&token.range).starts_with(char::is_uppercase)
    };
    let Some(at) = tokens.iter().position(is_name) else { return false };
    let before = tokens.get(..at).unwrap_or_default();
    let known = before.iter().all(|token| match token.kind {
        Kind::Mark(mark) => matches!(mark, ',' | ':' | '–' | '—'),
        Kind::Words => !token.unknown(),
        _ => false,
    });
    let leads = before.last().is_some_and(|token| {
        token.is_mark()
            || token.role("article")
            || ["be", "verb", "pronoun", "final"].iter().any(|role| token.role(role))
            || token.folded == "us"
    });
    points && known && leads && !line.sentence.question
}

/// Whether a list item names something other than the candidates.
pub(crate) fn is_stranger(line: &Line, asked: &Asked<'_>) -> bool {
    let tokens = &line.sentence.tokens;
    let label = tokens.iter().position(|token| token.mark(':')).filter(|at| {
        line.passage.keyed
            || tokens
                .get(..*at)
                .is_some_and(|label| label.iter().all(|token| !token.unknown() && token.kind == Kind::Words))
    });
    let head = tokens.get(label.map_or(0, |at| at + 1)..).unwrap_or_default().iter().take_while(|token| {
        !matches!(token.kind, Kind::Mark(':' | '–' | '—' | ','))
            && token.number().is_none()
            && token.depth == 0
    });
    let words: Vec<&Token> = head.filter(|token| !token.is_mark()).collect();
    let group = |token: &Token| token.tagged("group");
    // `let me know if you need more`
    let is_talk = tokens.iter().any(|token| token.operator("free")) || talk::is_talk(asked, line);
    !is_talk
        && words.iter().any(|token| {
            let is_named = group(token) || token.is_name();
            (is_named
                || token.unknown()
                    && token.folded.contains(|c: char| !c.is_ascii_digit())
                    && !asked.of_another_row(&token.folded))
                && !asked.knows(&token.folded)
                && asked.country.is_none_or(|own| token.kind != Kind::Country(own))
        })
}

/// An unknown name that forms a list part of its own: `Footwear; Travel; Business`.
pub(crate) fn stranger_of_its_own(
    line: &Line,
    clause: usize,
    named: &[(usize, Which)],
    asked: &Asked<'_>,
) -> Option<(usize, Which)> {
    let names = |clause: &Clause| named.iter().any(|(at, _)| clause.tokens.contains(at));
    let own = line.clauses.get(clause).filter(|own| own.parent.is_none() && !names(own))?;
    let tokens = || own.tokens.iter().filter_map(|at| line.token(*at));
    let tells = |token: &Token| {
        token.role("be") || token.role("verb") || token.role("preposition") || token.mark(':')
    };
    let unknown =
        tokens().find(|token| token.unknown() && !asked.knows(&token.folded) && !token.is_manner())?;
    let parts = line.clauses.iter().filter(|other| names(other)).count();
    (parts > 1 && !line.sentence.question && !tokens().any(tells))
        .then(|| (own.tokens.first().copied().unwrap_or_default(), Which::Other(unknown.folded.clone())))
}

/// Unknown names between the known names of a list.
pub(crate) fn strangers(
    line: &Line,
    clause: usize,
    targets: &[usize],
    asked: &Asked<'_>,
) -> Vec<(usize, Which)> {
    let Some(own) = line.clauses.get(clause) else { return Vec::new() };
    if targets.is_empty() || line.sentence.question {
        return Vec::new();
    }
    let tokens = &line.sentence.tokens;
    let mut segments: Vec<Vec<usize>> = vec![Vec::new()];
    for at in &own.tokens {
        let Some(token) = tokens.get(*at) else { continue };
        if token.mark(',') || token.mark(';') || token.folded == "and" {
            segments.push(Vec::new());
        } else if let Some(last) = segments.last_mut() {
            last.push(*at);
        }
    }
    let has_name = |segment: &Vec<usize>| segment.iter().any(|at| targets.contains(at));
    let mut out = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let beside = at.checked_sub(1).and_then(|at| segments.get(at)).is_some_and(has_name)
            || segments.get(at + 1).is_some_and(has_name);
        let words: Vec<&Token> =
            segment.iter().filter_map(|at| tokens.get(*at)).filter(|token| !token.is_mark()).collect();
        let verb = words.iter().any(|token| {
            token.role("be") || token.role("verb") || token.role("preposition") || token.role("relative")
        });
        let unknown = words.iter().find(|token| {
            token.unknown()
                && !asked.knows(&token.folded)
                && !token.folded.ends_with("ly")
                && !token.folded.ends_with("ing")
        });
        if let (true, false, false, Some(unknown), Some(first)) =
            (beside, has_name(segment), verb, unknown, segment.first())
        {
            out.push((*first, Which::Other(unknown.folded.clone())));
        }
    }
    out
}
