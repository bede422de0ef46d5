//! The figure of something that the sentence does not name: `Kenya's main partner has $2,274`, `the country after Kenya has $2,274`.

use crate::answer::candidate::Place;
use crate::answer::context::is_world;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Token};
use crate::value::Unit;

/// Another country, partner, product or group, told by a word instead of a name, that the figure belongs to.
pub(crate) fn why_unnamed(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    if asked.one.rank.is_some() || asked.rows > 1 {
        return None;
    }
    let tokens = &line.sentence.tokens;
    // What follows a mark behind the figure compares or explains: `$2,274, more than its largest partner`.
    let breaks = |token: &Token| {
        matches!(token.kind, Kind::Mark(',' | ';' | '–' | '—' | '.' | ':')) || token.operator("comparison")
    };
    let end = line.behind(figure.token).iter().position(breaks).unwrap_or(tokens.len());
    let own = tokens.get(..tokens.len().min(figure.token + 1 + end)).unwrap_or_default();
    // `not just the top one`
    let is_only = |at: usize| {
        let before = start(own, at).checked_sub(1).and_then(|at| own.get(at));
        before.is_some_and(|token| {
            token.operator("free") || matches!(token.folded.as_str(), "just" | "only" | "merely")
        })
    };
    let is_set_off = |at: usize| is_only(at) || line.contrasts.iter().any(|range| range.contains(&at));
    // `the 22nd largest exporter`
    let is_rank = |at: usize| {
        figure.quantity.unit == Unit::Rank
            && at > figure.token
            && start(own, at) == figure.token + 1
            && own.get(at).is_some_and(|noun| asked.knows(&noun.folded))
    };
    let in_own = || {
        (0..own.len()).filter(|at| !is_set_off(*at) && !is_rank(*at)).find_map(|at| unnamed(asked, own, at))
    };
    let in_head = |head: &'_ Sentence| {
        (0..head.tokens.len())
            .find_map(|at| unnamed(asked, &head.tokens, at).map(|token| token.folded.clone()))
    };
    let phrase =
        in_own().map(|token| token.folded.clone()).or_else(|| line.heads.iter().find_map(in_head))?;
    Some(Place::unplaced(format!("it may be that of another: \"{phrase}\"")))
}

/// The noun at a position, if it stands for another thing than the requested ones.
fn unnamed<'a>(asked: &Asked<'_>, tokens: &'a [Token], at: usize) -> Option<&'a Token> {
    let noun = tokens.get(at).filter(|token| is_entity(token))?;
    let stands = !is_apposed(asked, tokens, at)
        && (noun.listed("entity_alone") && !asked.knows(&noun.folded)
            || is_selected(asked, tokens, at)
            || is_beside(asked, tokens, at)
            || is_in_place(tokens, at)
            || is_described(asked, tokens, at)
            || is_owned_group(asked, tokens, at));
    stands.then_some(noun)
}

fn is_entity(token: &Token) -> bool {
    token.kind == Kind::Words && token.ends_in("entity_noun")
        || matches!(token.kind, Kind::Product(_) | Kind::Row(_))
}

/// The start of a noun's phrase: `its | largest trading partner`.
fn start(tokens: &[Token], noun: usize) -> usize {
    let belongs = |at: &usize| {
        tokens.get(*at).is_some_and(|token| {
            token.kind == Kind::Words
                && (token.role("article")
                    || token.role("adjective")
                    || token.role("noun")
                    || token.tagged("comparative")
                    || token.tagged("flow")
                    || token.unknown()
                    || token.folded == "its")
                && !token.role("be")
                && !token.role("preposition")
        })
    };
    (0..noun).rev().take_while(belongs).last().unwrap_or(noun)
}

/// Whether the phrase is another word for the name beside it: `Uganda, its main partner,`, `its largest customer Uganda`.
fn is_apposed(asked: &Asked<'_>, tokens: &[Token], noun: usize) -> bool {
    let start = start(tokens, noun);
    let before = tokens.get(..start).unwrap_or_default().iter().rev();
    let joins = |token: &&Token| {
        matches!(token.kind, Kind::Mark(',' | '(' | '–' | '—'))
            || token.role("article")
            || token.role("be")
            || token.folded == "as"
            || token.folded == "of"
    };
    let mut before = before.skip_while(joins);
    let mut behind = tokens.get(noun + 1..).unwrap_or_default().iter().skip_while(joins);
    // `Brazil, the country of the samba`, but not `Brazil's main partner`
    let is_own = tokens.get(start.saturating_sub(1)).is_some_and(|token| token.folded == "s");
    !is_own && before.next().is_some_and(|token| asked.is_named(token))
        || behind.next().is_some_and(|token| asked.is_named(token))
}

/// Whether it is the one in a place: `Kenya looks up at the country in place 116`.
fn is_in_place(tokens: &[Token], noun: usize) -> bool {
    let before = start(tokens, noun).checked_sub(1).and_then(|at| tokens.get(at));
    let behind = tokens.get(noun + 1..).unwrap_or_default();
    before.is_some_and(|before| before.role("preposition"))
        && matches!(behind, [in_, place, ..]
            if in_.role("preposition") && matches!(place.folded.as_str(), "place" | "position" | "rank"))
}

/// Whether a word picks one out: `its main partner`, `the next country`, `one of the products`.
fn is_selected(asked: &Asked<'_>, tokens: &[Token], noun: usize) -> bool {
    let phrase = tokens.get(start(tokens, noun)..noun).unwrap_or_default();
    let is_known = tokens.get(noun).is_some_and(|noun| asked.knows(&noun.folded));
    let picks = |token: &Token| {
        !(is_known && token.folded == "other")
            && (token.listed("picks_out") || token.is("comparative", "most"))
            && !asked.knows(&token.folded)
    };
    let of_the = |four: &[Token]| {
        matches!(four, [one, of, the, ..]
            if matches!(one.folded.as_str(), "one" | "some" | "largest" | "biggest" | "smallest")
                && of.folded == "of" && the.role("article"))
    };
    let from = noun.saturating_sub(5);
    // `the bottom half`
    let picks_itself = |noun: &Token| {
        let first = noun.folded.split(' ').next().filter(|first| noun.folded.len() > first.len());
        first.is_some_and(|first| lexicon::listed("picks_out", first) && !asked.knows(first))
    };
    let is_name = tokens.get(noun).is_some_and(|noun| noun.kind != Kind::Words);
    if is_name {
        return phrase.last().is_some_and(|last| last.listed("picks_part") && !asked.knows(&last.folded));
    }
    tokens.get(noun).is_some_and(picks_itself)
        || phrase.iter().any(picks)
        || tokens.get(from..noun).unwrap_or_default().windows(3).any(of_the)
}

/// Whether it stands before or behind the requested name in an order: `the country right after Kenya`.
fn is_beside(asked: &Asked<'_>, tokens: &[Token], noun: usize) -> bool {
    let mut behind = tokens.get(noun + 1..).unwrap_or_default().iter().filter(|token| {
        !token.role("adverb") && !matches!(token.folded.as_str(), "right" | "directly")
            || token.listed("stands_beside")
    });
    behind.next().is_some_and(|next| next.listed("stands_beside"))
        && behind
            .find(|token| !token.role("article") && token.folded != "to")
            .is_some_and(|token| asked.is_named(token))
}

/// Whether the rest of the sentence describes it: `a country with`, `countries whose`, `the group that Kenya is in`.
fn is_described(asked: &Asked<'_>, tokens: &[Token], noun: usize) -> bool {
    let Some(next) = tokens.get(noun + 1) else { return false };
    let knows = tokens.get(noun).is_some_and(|token| asked.knows(&token.folded));
    let before = noun.checked_sub(1).and_then(|at| tokens.get(at));
    let is_group = tokens.get(noun).is_some_and(|token| token.listed("group_noun"));
    let is_one = is_group || before.is_some_and(|token| matches!(token.folded.as_str(), "a" | "an"));
    // `the 145 economies that are ranked`
    let is_counted = before.is_some_and(|token| token.number().is_some());
    // `the global market for`
    let of_world =
        tokens.get(start(tokens, noun)..noun).unwrap_or_default().iter().any(|token| is_world(&token.folded));
    next.folded == "whose"
        || is_one && matches!(next.folded.as_str(), "with" | "worth")
        || next.folded == "for" && !knows && !of_world && is_group
        || !knows && !is_counted && next.role("relative")
}

/// Whether it is the group of the requested country, if no group is asked for: `Kenya's group`.
fn is_owned_group(asked: &Asked<'_>, tokens: &[Token], noun: usize) -> bool {
    let before = |by: usize| noun.checked_sub(by).and_then(|at| tokens.get(at));
    let is_group =
        tokens.get(noun).is_some_and(|token| token.listed("group_noun") && !asked.knows(&token.folded));
    is_group
        && before(1).is_some_and(|token| token.folded == "s")
        && before(2).is_some_and(|token| asked.is_named(token))
}
