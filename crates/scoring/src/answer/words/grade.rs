//! Reads data points that are grades or codes.

use super::mention::{candidate, said_at};
use crate::answer::candidate::{Candidate, Found, Place};
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::reading::Answer;
use crate::answer::statement::said::Said;
use crate::language::token::{Kind, Token};

pub(crate) fn is_grade(text: &str) -> bool {
    matches!(text, "A+" | "A" | "B" | "C" | "D" | "D-")
}

/// The grades in an answer: a capital letter with its sign.
pub(crate) fn grades(asked: &Asked<'_>, truth: &str, lines: &[Line]) -> Vec<Candidate> {
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let text = &line.sentence.text;
        let tokens = &line.sentence.tokens;
        let words = tokens.iter().filter(|token| !token.is_mark()).count();
        let spoken = tokens.iter().any(|token| token.folded.starts_with("grade"))
            || line.heads.iter().flat_map(|head| &head.tokens).any(|token| token.folded.contains("grade"));
        for (place, token) in tokens.iter().enumerate() {
            let shown = line.sentence.shown(&token.range);
            if !matches!(shown, "A" | "B" | "C" | "D") {
                continue;
            }
            let after = text.get(token.range.end..).unwrap_or_default();
            let sign = match after.chars().next() {
                Some('+') => "+",
                Some('-' | '−' | '–') if !after.chars().nth(1).is_some_and(char::is_alphanumeric) => "-",
                _ => "",
            };
            let article =
                shown == "A" && sign.is_empty() && after.trim_start().starts_with(char::is_lowercase);
            // `on a scale from A+ down to D-`
            let before = place.checked_sub(1).and_then(|at| tokens.get(at));
            let of_scale = before.is_some_and(|token| matches!(token.folded.as_str(), "from" | "to"))
                && tokens.get(..place).unwrap_or_default().iter().any(|token| token.folded == "scale");
            if article || of_scale || after.starts_with(':') {
                continue;
            }
            let has_article = before.is_some_and(|token| matches!(token.folded.as_str(), "a" | "an"));
            let grade = format!("{shown}{sign}");
            let mut said = said_at(line, place, &[place]);
            said.operators.retain(|(_, word)| word != "a");
            said.tags
                .retain(|(kind, value)| *kind != "metric" && !matches!(*value, "growth" | "other_activity"));
            let mut one = candidate(asked, line, at, place, grade == truth, &said);
            one.value.clone_from(&grade);
            let verb = tokens.iter().any(|token| token.role("verb") || token.role("be"));
            if one.place == Place::Asked
                && !spoken
                && words > 2
                && !((verb || has_article)
                    && said.unknown.iter().all(|word| asked.knows(word))
                    && tokens
                        .get(place + 1)
                        .is_none_or(|next| next.is_mark() || next.role("preposition") && has_article))
            {
                one.place = Place::Unplaced("it does not say that it is a grade".to_owned());
            }
            if one.place == Place::Asked
                && place
                    .checked_sub(1)
                    .and_then(|at| tokens.get(at))
                    .is_some_and(|token| token.operator("about"))
            {
                one.place = Place::Operator("\"about\" expresses doubt".to_owned());
            }
            out.push(one);
        }
    }
    out
}

/// Reads a code. The answer must consist of little else, or mention codes.
pub(crate) fn code(asked: &Asked<'_>, answer: &Answer) -> Option<Found> {
    let truth = asked.one.code.as_deref()?.to_lowercase();
    let product = asked.context.product.clone().map(|code| code.to_lowercase());
    let is_code = |token: &Token| {
        token.folded.len() >= 4 && token.folded.bytes().all(|byte| byte.is_ascii_digit())
            || token.folded == truth
            || token.listed("service_code")
    };
    let mut found = Vec::new();
    for (at, line) in answer.lines.iter().enumerate() {
        let tokens = &line.sentence.tokens;
        let spoken = tokens.iter().chain(line.heads.iter().flat_map(|head| &head.tokens)).any(|token| {
            token.folded.split(' ').any(|word| word.starts_with("code") || word.starts_with("hs"))
        });
        let words = tokens.iter().filter(|token| !token.is_mark()).count();
        for (place, token) in tokens.iter().enumerate().filter(|(_, token)| is_code(token)) {
            if matches!(token.kind, Kind::Period(_)) {
                continue;
            }
            if !spoken && words > 3 {
                // It may be a code, although nothing says so.
                if token.number().is_some() && !asked.knows(&token.folded) && token.folded != truth {
                    let one = candidate(asked, line, at, place, false, &Said::default());
                    let why = "it does not say that it is a code".to_owned();
                    found.push(Candidate { place: Place::Unplaced(why), ..one });
                }
                continue;
            }
            let mut said = said_at(line, place, &[place]);
            said.rows.clear();
            let agrees = token.folded == truth || (product.as_ref() == Some(&token.folded));
            found.push(candidate(asked, line, at, place, agrees, &said));
        }
    }
    Some(Found::Candidates(found))
}
