//! Sentences about the answer itself and how it was made. They are closed: what nobody knows to be harmless may take the
//! answer back.

use super::asked::Asked;
use super::context::differs_alone;
use super::text::Line;
use crate::language::class::Class;
use crate::language::lexicon::listed;
use crate::language::sentence::{Kind, Token};

/// Why such a sentence may take back what the answer says: `The entry was imputed.`
pub(super) fn doubt(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let tokens: Vec<&Token> = line.sentence.tokens.iter().collect();
    let digits = |token: &&Token| {
        token.number().is_some() && line.sentence.shown(&token.range).contains(|c: char| c.is_ascii_digit())
    };
    if tokens.iter().any(digits) {
        return None;
    }
    let words = || tokens.iter().copied().filter(|token| !matches!(token.kind, Kind::Mark(_)));
    if words().count() < 2 || line.passage.text.trim_end().ends_with(':') || has_own_topic(asked, &tokens) {
        return None;
    }
    let deed = deed(&tokens);
    words()
        .filter(|token| deed.is_none_or(|deed| deed.range != token.range))
        .find(|token| is_strange(asked, token) || !is_harmless(token) && differs_alone(asked, token))
        .map(|token| {
            let shown: String = line.passage.text.chars().take(80).collect();
            format!("\"{shown}\": nobody knows what \"{}\" says of the answer", token.folded)
        })
}

/// What the speaker does on the site, which says nothing of the answer: `I scanned the page of the Atlas.`
fn deed<'a>(tokens: &[&'a Token]) -> Option<&'a Token> {
    let at = tokens.iter().position(|token| matches!(token.folded.as_str(), "i" | "we"))?;
    let rest = tokens.get(at + 2..)?;
    let site = rest.iter().any(|token| token.folded.split(' ').any(|word| listed("site_noun", word)));
    tokens.get(at + 1).copied().filter(|_| site && !rest.iter().any(|token| is_meta(token)))
}

/// Whether a sentence is about the answer alone, and harmless: `Cheers, and good luck with your project.`
pub(super) fn is_talk(asked: &Asked<'_>, line: &Line) -> bool {
    let words = || line.sentence.tokens.iter().filter(|token| !matches!(token.kind, Kind::Mark(_)));
    words().filter(|token| is_harmless(token)).count() > 1
        && words().all(|token| matches!(token.kind, Kind::Words) && !is_strange(asked, token))
}

/// Whether a token is a thing that trade is about, and not the answer.
fn is_topic(asked: &Asked<'_>, token: &Token) -> bool {
    let kinds = ["metric", "thing", "flow", "scope", "group", "direction"];
    !is_meta(token)
        && (matches!(token.kind, Kind::Country(_) | Kind::Product(_) | Kind::Row(_))
            || token.tags.iter().any(|(kind, _)| kinds.contains(kind))
            || !token.terms.is_empty()
            || token.kind == Kind::Words
                && token.tags.iter().all(|tag| tag.0 != "role" || tag.1 == "noun")
                && token.folded.len() > 3
                && asked.knows(&token.folded))
}

/// Whether a word points at the answer, at the one who gives it or at the one who asks.
fn is_meta(token: &Token) -> bool {
    token.role("deictic")
        || token.role("pronoun") && token.folded != "there" && token.folded != "one"
        || listed("person", &token.folded)
        || token.folded.split(' ').any(|word| listed("value_noun", word) || listed("meta_noun", word))
}

fn has_own_topic(asked: &Asked<'_>, tokens: &[&Token]) -> bool {
    let is_verb = |token: &Token| {
        token.role("be") && token.folded != "s"
            || token.role("verb") && !token.role("noun")
            || token.class == Some(Class::Verb)
    };
    let verb = tokens.iter().position(|token| is_verb(token)).unwrap_or(tokens.len());
    let subject = tokens.get(..verb).unwrap_or_default();
    // `…, so crude by itself is less than that sum`
    let points = |pair: &[&Token]| {
        matches!(pair, [that, noun] if matches!(that.folded.as_str(), "this" | "that" | "these" | "those")
            && listed("value_noun", &noun.folded))
    };
    if tokens.windows(2).any(points)
        || tokens.iter().any(|token| token.role("deictic") && token.folded.contains(' '))
    {
        return false;
    }
    // `its largest goods exports`: whose they are, a pronoun may say
    let weak = |token: &Token| listed("third_person", &token.folded);
    subject.iter().any(|token| is_topic(asked, token))
        && !subject.iter().any(|token| is_meta(token) && !weak(token))
}

/// Whether a word does nothing to an answer, whatever it says of it: `checked`, `page`, `glad`.
pub(super) fn is_harmless(token: &Token) -> bool {
    token.folded.split(' ').all(|word| listed("talk", word))
}

/// Whether nobody knows a word to be harmless where it tells of an answer.
pub(super) fn is_strange(asked: &Asked<'_>, token: &Token) -> bool {
    let operators = ["past", "future", "stale", "exception", "elsewhere", "withdrawn"];
    let turns = listed("turns", &token.folded)
        || operators.iter().any(|operator| token.operator(operator))
        || token.operator("hedge") && !listed("modal", &token.folded);
    if turns && !asked.knows(&token.folded) {
        return true;
    }
    let is_open = token.kind == Kind::Words
        && token.unknown()
        && !token.is_manner()
        && !matches!(token.class, Some(Class::Adverb | Class::Function));
    is_open && !is_harmless(token) && !asked.knows(&token.folded)
}
