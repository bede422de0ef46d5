//! Rules about the base of a share.

use std::collections::BTreeSet;

use crate::answer::candidate::Place;
use crate::answer::context::is_world;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::{Asked, first_measure, scope_of, within_phrase};
use crate::language::lexicon::Tag;
use crate::language::token::{Class, Kind, Token};
use crate::value::{ContextPart, Unit};

/// The share has another base: `8.54 % of its tea` is not a share of exports.
pub(crate) fn why_other_base(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    (figure.quantity.unit == Unit::Percent).then(|| other_base(asked, line, figure.token)).flatten()
}

/// The share has another base: `20 % of its imports`, if the question asks for a share of exports.
pub(crate) fn why_base(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let (own, said) = (asked.base()?, base(line, figure.token)?);
    let of_world =
        own.contains(&("metric", "world_trade")) && figure.said.words.iter().any(|word| is_world(word));
    (own.is_disjoint(&said) && !of_world).then(|| Place::differing(ContextPart::Base, "the base"))
}

/// The base has another scope: a share of services is not a share of all exports.
pub(crate) fn why_base_scope(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_share = figure.quantity.unit == Unit::Percent;
    if !is_share && figure.quantity.unit != Unit::PercentagePoints {
        return None;
    }
    let behind = line.behind(figure.token);
    let before = base_before(line, figure.token).filter(|_| is_share);
    let of_scope =
        is_share && behind.first().is_some_and(|token| token.folded == "of") && scope_of(behind).is_some();
    let has_base = base(line, figure.token).is_some() || of_scope;
    let scope = scope_of(before.filter(|_| !has_base).unwrap_or(behind));
    let is_narrower = matches!(scope, Some("goods" | "services"));
    ((has_base || before.is_some() && !asked.is_change())
        && scope != asked.base_scope()
        && (asked.base_scope().is_some() || is_narrower))
        .then(|| Place::differing(ContextPart::Base, "the base, of another scope"))
}

/// Why a percentage followed by `of` has another base: an earlier level instead of a change, the country's base instead of the
/// world's, or a base that the question does not name.
fn other_base(asked: &Asked<'_>, line: &Line, token: usize) -> Option<Place> {
    let behind = line.sentence.tokens.get(token + 1..)?;
    if behind.first()?.folded != "of" {
        return None;
    }
    let is_rate = asked.number().is_some_and(|number| number.unit == Unit::Percent);
    if asked.is_change() && is_rate && first_measure(behind).is_some() {
        return Some(Place::other("a share, not the change"));
    }
    if asked.is_change() {
        return behind
            .iter()
            .take(6)
            .take_while(|token| !token.is_mark())
            .any(|token| token.holds("level_word"))
            .then(|| Place::other("a level as a percentage of another"));
    }
    // `8.54 % of its tea` is not a share of exports.
    let is_own_share = asked.one.data_point.starts_with("top_product_share")
        || matches!(asked.one.data_point.as_str(), "product_share" | "sector_share");
    let itself = |token: &Token| match &token.kind {
        Kind::Product(code) => asked.products.contains(*code),
        Kind::Row(rows) => rows.contains(&asked.row),
        _ => false,
    };
    let mut of = behind.iter().take_while(|token| {
        token.number().is_none()
            && !token.role("be")
            && !token.is_mark()
            && (!token.role("verb") || token.role("noun"))
    });
    // `22.44 % of all travel`
    let frames =
        |token: &Token| token.role("article") || token.folded == "of" || token.folded.starts_with("all");
    // the head of the part's own name: `11.95 % of the vehicles`
    let is_part = |token: &Token| {
        let is_noun = token.class == Some(Class::Noun) || !token.terms.is_empty();
        is_noun && token.tags.is_empty() && asked.knows(&token.folded)
    };
    let head = behind.iter().position(|token| !frames(token));
    // `0.02 % of the iron ore imports of East Asia`
    let is_of_group =
        behind.iter().take_while(|token| token.number().is_none()).any(|token| token.tagged("group"));
    let trades = |at: usize| {
        let is_trade = |next: &Token| next.role("noun") && next.tagged("flow");
        is_of_group && behind.get(at + 1).is_some_and(is_trade)
    };
    let is_itself =
        |at: usize| behind.get(at).is_some_and(|head| itself(head) || is_part(head)) && !trades(at);
    let is_swapped = || !asked.of_world() && head.is_some_and(is_itself);
    if is_own_share && of.any(itself) || is_swapped() {
        return Some(Place::differing(ContextPart::Base, "the base, which is the product itself"));
    }
    // `0.02 % of its exports`, `of Kenya's own exports`
    let own = |token: &Token| {
        matches!(token.folded.as_str(), "its" | "their" | "his" | "our" | "export basket")
            || asked.country.is_some_and(|id| token.kind == Kind::Country(id))
    };
    let base = behind.iter().skip(1).find(|token| token.folded != "the");
    if asked.of_world() && base.is_some_and(own) {
        return Some(Place::differing(ContextPart::Base, "the base, which is not the world's"));
    }
    // `16 % of the cars sold in the world` are not exports.
    let has = |token: &Token, kind: &str| token.tags.iter().any(|tag| tag.0 == kind);
    let sold = within_phrase(behind).any(|token| has(token, "flow") && !has(token, "metric"));
    if asked.of_world() && sold && first_measure(behind).is_none() {
        return Some(Place::differing(ContextPart::Base, "the base, which is not exports"));
    }
    // `3.28 % of South Africa's mineral output`
    let owns = |token: &&Token| {
        token.role("article")
            || matches!(token.kind, Kind::Country(_))
            || token.folded == "s"
            || token.listed("third_person")
    };
    let phrase = behind.iter().skip(1).skip_while(owns).take_while(|token| {
        matches!(token.kind, Kind::Words)
            && !token.role("be")
            && !token.role("relative")
            && !token.role("preposition")
            && !token.role("lead")
    });
    let head = phrase.last()?;
    let is_free = |token: &Token| {
        token.means()
            || token.role("pronoun")
            || token.role("adjective")
            || !token.terms.is_empty()
            || token.listed("whole_base")
            || asked.knows(&token.folded)
    };
    (!is_free(head) && head.role("noun") && !head.role("verb"))
        .then(|| Place::differing(ContextPart::Base, "the base"))
}

/// The base of a share: the first measure after `of`, if `of` follows the number.
fn base(line: &Line, token: usize) -> Option<BTreeSet<Tag>> {
    let behind = line.sentence.tokens.get(token + 1..)?;
    if behind.first().is_none_or(|token| token.folded != "of") {
        return None;
    }
    first_measure(behind)
}

/// The base of a share named before a number: `its share of the exports was 19 %`, `the share of services in the exports`.
fn base_before(line: &Line, token: usize) -> Option<&[Token]> {
    let before = line.sentence.tokens.get(..token)?;
    // `out of every hundred dollars that Spain earned from selling goods`
    let hundred = |pair: &[Token]| {
        matches!(pair, [every, count] if matches!(every.folded.as_str(), "every" | "each" | "of every" | "out of every")
            && matches!(count.folded.as_str(), "hundred" | "100"))
    };
    if let Some(at) = before.windows(2).position(hundred) {
        let base = before.get(at + 2..)?.split(|token| token.mark(',')).next();
        return base.filter(|base| first_measure(base).is_some() || scope_of(base).is_some());
    }
    let at = before.iter().rposition(|token| token.holds("share_noun"))?;
    // A label omits what the question states.
    let rest = before.get(at + 1..).filter(|rest| !rest.iter().any(|token| token.mark(':')))?;
    let verb = rest.iter().position(|token| token.role("be") && token.folded != "s").unwrap_or(rest.len());
    let phrase = rest.get(..verb)?;
    let within = phrase.iter().position(|token| matches!(token.folded.as_str(), "in" | "within"));
    let base = within.and_then(|at| phrase.get(at..)).filter(|base| first_measure(base).is_some());
    base.or(Some(phrase)).filter(|base| first_measure(base).is_some())
}
