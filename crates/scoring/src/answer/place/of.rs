//! Rules about a figure's subject: entity, currency, side of trade, base of a share.

use super::asserted::Place;
use super::base::{base, base_before, is_of_some, is_one_side, other_base, scope_of};
use super::side::{acts, reporter};
use crate::answer::context::differs::is_world;
use crate::answer::figures::read::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::values::exceeds;
use crate::value::Unit;

/// The figure is the remainder: `the remaining 77 % was all other services`.
pub(crate) fn why_rest(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let before = line.until(figure.token).iter().rev();
    let mut near = before.take_while(|token| token.number().is_none() && !token.mark(';')).take(4);
    near.any(|token| token.listed("rest")).then(|| Place::other("the rest, not the value"))
}

/// The share has another base: `8.54 % of its tea` is not a share of exports.
pub(crate) fn why_other_base(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    (figure.quantity.unit == Unit::Percent)
        .then(|| other_base(asked, line, figure.token).map(Place::other))
        .flatten()
}

/// The figure is in another currency: `₹2,274`.
pub(crate) fn why_currency(_: &Asked<'_>, figure: &Figure, _: &Line) -> Option<Place> {
    (figure.quantity.unit == Unit::OtherCurrency).then(|| Place::other("the currency"))
}

/// The partner is the subject: `China exports $5 billion`, if the question asks for Kenya's exports to China.
pub(crate) fn why_partner(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let is_own = || acts(asked.partner, line).is_some_and(|flow| asked.context.flow == Some(flow));
    (!asked.is_balance() && is_own()).then(|| Place::other("the flow, of the partner"))
}

/// Another country reports the figure: `as China reports them`, if the question asks for India's report.
pub(crate) fn why_reporter(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let who = asked.reporter?;
    reporter(&line.sentence.tokens).is_some_and(|said| who != said).then(|| Place::other("the reporter"))
}

/// A country is the subject: `Kenya itself exports $2 billion of it`, if the question asks for world exports.
pub(crate) fn why_country(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    (asked.is_of_the_world() && acts(asked.country, line).is_some())
        .then(|| Place::other("the base, which is not the world's"))
}

/// The figure is one flow, not the balance: `exports of $164 billion`.
pub(crate) fn why_one_side(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let own = figure.by_itself.as_ref().unwrap_or(&figure.said);
    (asked.is_balance() && exceeds(asked, figure, line).is_none() && is_one_side(figure, own, line))
        .then(|| Place::other("one side of the balance"))
}

/// The figure counts something else or a loss: `169 countries`, if the question asks for products.
pub(crate) fn why_counted(asked: &Asked<'_>, figure: &Figure, _: &Line) -> Option<Place> {
    asked.number().filter(|number| number.unit == Unit::Count)?;
    if figure.direction == Some(false) && !asked.ends.1 {
        return Some(Place::unplaced("it counts losses"));
    }
    let noun = figure.noun.as_ref().filter(|noun| !asked.knows(noun))?;
    let is_any = crate::language::lexicon::listed("counts_any", noun);
    (!is_any).then(|| Place::other(format!("what is counted, {noun}")))
}

/// The share has another base: `20 % of its imports`, if the question asks for a share of exports.
pub(crate) fn why_base(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let (own, said) = (asked.base()?, base(line, figure.token)?);
    let of_world =
        own.contains(&("metric", "world_trade")) && figure.said.words.iter().any(|word| is_world(word));
    (own.is_disjoint(&said) && !of_world).then(|| Place::other("the base"))
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
        .then(|| Place::other("the base, of another scope"))
}

/// The figure covers only a part: `the top ten exporters sold $5 billion`.
pub(crate) fn why_some(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    (asked.rows == 1 && figure.quantity.unit == Unit::Usd && is_of_some(asked, figure, line))
        .then(|| Place::other("a part of all"))
}
