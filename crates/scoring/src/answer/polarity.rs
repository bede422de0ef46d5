//! Points that are yes or no.

use super::asked::Asked;
use super::context::differs;
use super::note;
use super::place;
use super::said::Said;
use super::settle::{missing, unscored};
use super::terms::repeats;
use super::text::Line;
use super::{AnswerVerdict, PointScore};
use crate::language::sentence::{Kind, Token};

/// Yes or no, by the word and by whether the question's statement is denied.
pub(super) fn polarity(asked: &Asked<'_>, truth: bool, lines: &[Line]) -> PointScore {
    let one = asked.one;
    let mut said: Vec<(bool, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        // `Whether it is one depends on the year.`
        let opens = line.sentence.tokens.first().is_some_and(|first| first.folded == "whether");
        if opens
            && !line.passage.cell
            && !line.sentence.tokens.iter().any(|token| matches!(token.folded.as_str(), "true" | "false"))
        {
            return unscored(one, "it leaves open whether");
        }
        // `Whether a product is green | false`: what a cell asks, another answers
        let asks =
            line.passage.cell && line.sentence.tokens.first().is_some_and(|first| first.folded == "whether");
        if line.sentence.question || asks {
            let names =
                line.sentence.tokens.iter().any(|token| token.folded.len() > 3 && asked.knows(&token.folded));
            if asks || repeats(asked, line) || !names {
                continue;
            }
            return unscored(one, "the answer asks");
        }
        let tokens: Vec<&Token> =
            line.sentence.tokens.iter().filter(|token| !token.is_mark() && !token.role("final")).collect();
        let Some(first) = tokens.first() else { continue };
        let lead = match () {
            () if first.is("polarity", "yes") && first.listed("affirms") => Some(true),
            () if tokens.last().is_some_and(|last| last.folded == "false") => Some(false),
            () if tokens.last().is_some_and(|last| last.folded == "true") => Some(true),
            () if first.is("polarity", "no") && matches!(first.folded.as_str(), "no" | "false" | "nope") => {
                Some(false)
            }
            () => None,
        };
        if let Some(lead) = lead {
            said.push((lead, at));
            // `Yes in an older edition, no in the present one.`
            let parts = line.sentence.tokens.split(|token| matches!(token.kind, Kind::Mark(',' | ';')));
            let contrary = if lead { "no" } else { "yes" };
            let begins = |part: &[Token]| part.first().is_some_and(|first| first.folded == contrary);
            if parts.skip(1).any(begins) {
                said.push((!lead, at));
            }
        }
        let content = |token: &&&Token| {
            token.folded.len() > 2
                && !token.role("article")
                && !token.role("be")
                && !token.role("preposition")
                && asked.knows(&token.folded)
        };
        let mut whole = Said::default();
        whole.take_head(&line.sentence.tokens, true);
        let rest = tokens.get(usize::from(lead.is_some())..).unwrap_or_default();
        if tokens.last().is_some_and(|last| matches!(last.folded.as_str(), "false" | "true")) {
            if let Some(word) = whole.unknown.iter().find(|word| !asked.knows(word)) {
                return unscored(one, format!("nobody knows what \"{word}\" says of it"));
            }
            continue;
        }
        let hedges =
            ["hedge", "condition", "wrong", "stale", "past", "future", "exception", "elsewhere", "withdrawn"];
        if let Some((_, word)) = whole
            .operators
            .iter()
            .find(|(kind, word)| hedges.contains(kind) && !asked.knows(word) && word != "false")
        {
            return unscored(one, format!("\"{word}\" keeps it open"));
        }
        if rest.iter().filter(content).count() < 2 {
            if !rest.is_empty() && said.is_empty() {
                continue;
            }
            continue;
        }
        let negated = rest.iter().any(|token| token.operator("negation"));
        // `…, does it not`
        let tail = line.sentence.tokens.rsplit(|token| token.mark(',')).next().unwrap_or_default();
        let asks = tail.len() > 1
            && tail.len() < line.sentence.tokens.len()
            && tail.iter().any(|token| token.role("pronoun"))
            && tail.iter().all(|token| {
                token.is_mark()
                    || token.role("be")
                    || token.role("verb")
                    || token.role("pronoun")
                    || token.operator("negation")
            });
        if asks {
            return unscored(one, "the answer asks");
        }
        // `It is not: the Atlas does not …` says it twice and not the contrary
        let denials = line.sentence.tokens.split(|token| token.mark(':') || token.mark(';'));
        let mut denials = denials.map(|part| part.iter().filter(|token| token.operator("negation")).count());
        if denials.any(|count| count > 1) {
            return unscored(one, "it is denied twice");
        }
        if place::begins_past(line) {
            return unscored(one, "it is said of a time before");
        }
        if let Some(part) = differs(asked, &whole) {
            return unscored(one, format!("it is said of another context: {part}"));
        }
        if let Some(word) = whole.unknown.iter().find(|word| !asked.knows(word) && !word.ends_with("ly")) {
            return unscored(one, format!("nobody knows what \"{word}\" says of it"));
        }
        said.push((!negated, at));
    }
    let Some((polarity, at)) = said.first().copied() else {
        return unscored(one, "the answer says neither yes nor no");
    };
    if said.iter().any(|(other, _)| *other != polarity) {
        return unscored(one, "the answer says both yes and no");
    }
    let own = said.iter().map(|(_, own)| *own).collect();
    if let Some(doubt) = note::doubt(asked, lines, &own, None) {
        return unscored(one, doubt);
    }
    PointScore {
        said: if polarity == truth { AnswerVerdict::Right } else { AnswerVerdict::Wrong },
        sentence: lines.get(at).map(|line| line.passage.text.clone()),
        value: Some(if polarity { "yes" } else { "no" }.to_owned()),
        reason: format!("the answer says {}", if polarity { "yes" } else { "no" }),
        ..missing(one, "")
    }
}
