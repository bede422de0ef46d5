//! Sentences beside the value that tell of it: what they say it is, and what they say in place of the question.

use std::collections::HashSet;

use super::asked::Asked;
use super::context::same_period;
use super::text::Line;
use crate::atlas;
use crate::language::lexicon::{Tag, listed};
use crate::language::sentence::{Kind, Token};
use crate::value::Period;

/// What a sentence without a figure says of the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Note {
    /// What it is, which must be what is asked for.
    Says,
    /// That it is something else, or that nobody knows; the word.
    Doubts(String),
}

/// Whether a sentence tells of the value, and how: `It is an import figure.`, `It is from 2019.`, `The true one is different.`,
/// `Only the goods part is counted.`, `I have not checked it.`
pub(super) fn of_value(asked: &Asked<'_>, tokens: &[Token]) -> Option<Note> {
    let words: Vec<&Token> = tokens.iter().filter(|token| !token.is_mark()).collect();
    let ends =
        |token: &Token, list: &str| token.folded.rsplit(' ').next().is_some_and(|word| listed(list, word));
    let doubts = |token: &Token| Some(Note::Doubts(token.folded.clone()));
    let is_object = |token: &Token| token.listed("object_pronoun");
    // `I have not checked it.`, `Do not trust it.`
    let speaks = words.first().is_some_and(|first| first.listed("begins_denial"));
    let denial = words.iter().find(|token| token.operator("negation"));
    if let Some(denial) = denial.filter(|_| speaks && words.last().is_some_and(|last| is_object(last))) {
        return doubts(denial);
    }
    // `The opposite holds.`
    let takes_back = words.iter().find(|token| token.operator("stale"));
    if let Some(word) = takes_back.filter(|_| words.len() <= 4) {
        return doubts(word);
    }
    // `Only the goods part is counted there.`
    let only = words.iter().find(|token| token.listed("exclusive"));
    let narrows = |tag: &Tag| matches!(tag.0, "scope" | "part" | "group") && !asked.allows(*tag);
    if let Some(word) = only.filter(|_| words.iter().any(|token| token.tags.iter().any(narrows))) {
        return doubts(word);
    }
    let at = words.iter().position(|token| token.role("be"))?;
    let (subject, rest) = words.split_at(at);
    let rest = rest.get(1..).unwrap_or_default();
    let subject: Vec<&&Token> =
        subject.iter().filter(|token| !token.role("adverb") && !token.role("article")).collect();
    let is_true = |token: &Token| token.holds("genuine");
    let first = subject.first()?;
    if is_true(first) && subject.iter().any(|token| ends(token, "value_noun") || token.folded == "one") {
        return doubts(first);
    }
    let it = subject.last().is_some_and(|last| matches!(last.folded.as_str(), "it" | "they" | "both"));
    let this = first.role("deictic") && !matches!(first.folded.as_str(), "it" | "the country" | "country");
    let phrase = rest.iter().take_while(|token| !token.role("preposition") && !token.role("relative"));
    let noun = phrase.last();
    let is_value = noun.is_some_and(|noun| ends(noun, "value_noun"));
    let made = rest.iter().find(|token| !token.role("adverb")).filter(|token| token.listed("made_so"));
    let of = rest.first().is_some_and(|first| first.listed("said_of"));
    if !(this || it && (of || is_value || made.is_some())) {
        return None;
    }
    // `an estimate`, `a sum of several years`, `the value before revision`
    let reckons = |token: &&&Token| {
        ends(token, "reckoned")
            && !asked.knows(&token.folded)
            && !token.tags.iter().any(|tag| asked.tags.contains(tag))
    };
    if let Some(word) = noun.filter(|_| is_value).filter(reckons) {
        return doubts(word);
    }
    let then = |pair: &[&Token]| {
        matches!(pair, [before, then] if matches!(before.folded.as_str(), "before" | "after" | "prior to")
            && !matches!(then.kind, Kind::Period(_) | Kind::Number(_)) && !then.role("pronoun"))
    };
    if let Some([before, _]) = rest.windows(2).find(|pair| then(pair)) {
        return doubts(before);
    }
    (it || made.is_some()).then_some(Note::Says)
}

/// What the question fills in, since no sentence says it, while a remark says another: `169. That is what Tanzania exports.`,
/// `Services. In 2014 they held more.`, `| Year | 2021 |`.
pub(super) fn filled_otherwise(asked: &Asked<'_>, lines: &[Line], own: &HashSet<usize>) -> Option<String> {
    let asserted = || lines.iter().enumerate().filter(|(_, line)| !line.sentence.question);
    let remark = |(at, line): (usize, &'_ Line)| {
        let first = line.sentence.tokens.iter().find(|token| token.kind == Kind::Words);
        let points = first.is_some_and(|first| first.listed("begins_remark"));
        let offers = line.sentence.tokens.iter().any(|token| token.operator("free"));
        // `Driver: a lack of diversification of exports` tells of another row
        let labelled = asked.rows > 1 && line.passage.keyed;
        (!own.contains(&at) || points) && !offers && !labelled
    };
    let remarks = || {
        let remarks = asserted().filter(|(at, line)| remark((*at, line)));
        // what it is compared with is of something else
        remarks.map(|(_, line)| {
            let tokens = &line.sentence.tokens;
            let ends = |token: &Token| {
                token.operator("comparison")
                    || token.folded.ends_with("than")
                    || token.mark(';')
                    || token.role("clause")
                    || matches!(token.folded.as_str(), "given" | "given that")
            };
            let end = tokens.iter().position(ends).unwrap_or(tokens.len());
            (line, tokens.get(..end).unwrap_or_default())
        })
    };
    let sentences =
        lines.iter().flat_map(|line| line.heads.iter().chain(&line.headings).chain([&line.sentence]));
    let everything: Vec<&Token> = sentences.flat_map(|sentence| &sentence.tokens).collect();
    // in turn: whether a token says the part as it is asked for, and whether it says another
    let otherwise = |same: &dyn Fn(&Token) -> bool, other: &dyn Fn(&Token) -> bool, cells: bool| {
        let found = remarks().filter(|(line, _)| cells || !line.passage.cell);
        let found = found.flat_map(|(_, tokens)| tokens).find(|token| other(token))?;
        (!everything.iter().any(|token| same(token)))
            .then(|| format!("it speaks of \"{}\" and not of what is asked for", found.folded))
    };
    let names = |token: &Token| match token.kind {
        Kind::Country(id) => Some(id),
        _ => None,
    };
    let answers_a_place = asked.one.names.iter().any(|name| atlas::lookup(name).is_some());
    let country = asked.country.filter(|_| !answers_a_place).and_then(|own| {
        let other = |token: &Token| {
            names(token)
                .is_some_and(|id| id != own && asked.partner != Some(id) && !asked.places.contains(&id))
        };
        otherwise(&|token| names(token) == Some(own), &other, true)
    });
    let period = |token: &Token| match token.kind {
        Kind::Period(period) => Some(period),
        _ => None,
    };
    let within = |period: Period| {
        asked.context.period.is_some_and(|own| own.start <= period.start && period.end <= own.end)
    };
    let fits = |period| same_period(asked, period) || asked.periods.contains(&period) || within(period);
    let dated = asked.context.period.is_some() || !asked.periods.is_empty();
    let period = || {
        let same = |token: &Token| period(token).is_some_and(fits);
        let other = |token: &Token| period(token).is_some_and(|period| !fits(period));
        dated.then(|| otherwise(&same, &other, true)).flatten()
    };
    let of_kind = |kinds: &'static [&'static str]| {
        let tags = |token: &'_ Token| {
            token.tags.iter().filter(|(kind, _)| kinds.contains(kind)).copied().collect::<Vec<_>>()
        };
        let same = move |token: &Token| tags(token).iter().any(|tag| asked.allows(*tag));
        let other = move |token: &Token| {
            let tags = tags(token);
            let allowed = |tag: &Tag| asked.allows(*tag) || asked.siblings.contains(tag);
            token.terms.is_empty()
                && !tags.is_empty()
                && !tags.iter().any(allowed)
                && !asked.knows(&token.folded)
        };
        otherwise(&same, &other, false)
    };
    country.or_else(period).or_else(|| of_kind(&["flow"])).or_else(|| of_kind(&["metric", "thing"]))
}
