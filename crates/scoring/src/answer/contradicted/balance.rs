//! The sense of a balance in other words: `runs a trade surplus. It imports more than it exports.`

use rust_decimal::Decimal;

use super::parts::difference;
use super::{Beside, compares};
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::words::terms::direction;
use crate::language::token::{Kind, Token};
use crate::value::Unit;

/// Whether the true balance is a surplus.
fn truth(asked: &Asked<'_>) -> Option<bool> {
    let sign = asked.number().map(|number| number.number > Decimal::ZERO);
    sign.or_else(|| asked.text().and_then(direction)).filter(|_| asked.is_balance())
}

/// The side of a trade: `true` for what brings money in. A current account has more sides than exports and imports.
fn earns(asked: &Asked<'_>, token: &Token) -> Option<bool> {
    let is_money = token.listed("brings_in") || token.listed("pays_out");
    let is_in = token.listed("brings_in") || !is_money && token.is("flow", "export");
    let is_flow = token.tagged("flow") && !asked.has("metric", "current_account");
    (is_flow || is_money).then_some(is_in)
}

/// Whether the partner is the subject: `The United States sells more to Germany than it buys.`
fn is_partners(asked: &Asked<'_>, tokens: &[Token]) -> bool {
    let subject = tokens.iter().take_while(|token| earns(asked, token).is_none());
    let mut places = subject.filter_map(|token| match token.kind {
        Kind::Country(id) => Some(id),
        _ => None,
    });
    places.next().is_some_and(|first| asked.partner == Some(first))
}

/// Whether a sentence compares the two sides the other way: `Imports exceed exports.`, `It buys more abroad than it sells there.`
pub(super) fn is_turned(beside: &Beside<'_>) -> bool {
    let (asked, tokens) = (beside.asked, beside.tokens());
    let Some(truth) = truth(asked) else { return false };
    let than = tokens.iter().position(|token| token.folded.ends_with("than"));
    // `exports less imports` is a difference
    let more = tokens.iter().position(|token| {
        compares(token).is_some() && (than.is_some() || !matches!(token.folded.as_str(), "more" | "less"))
    });
    let Some(more) = more else { return false };
    let (before, behind) = tokens.split_at(than.unwrap_or(more));
    let is_more = tokens.get(more).and_then(compares) == Some(true);
    let side = |token: &Token| earns(asked, token);
    let sides = before.iter().rev().find_map(side).zip(behind.iter().find_map(side));
    let names_another =
        tokens.iter().any(|token| matches!(token.kind, Kind::Country(id) if asked.is_other_country(id)));
    sides.is_some_and(|(first, second)| {
        first != second && ((first == is_more) != is_partners(asked, before)) != truth
    }) && !beside.denies()
        && !names_another
}

/// Whether a sentence gives the balance the other sign: `The balance is negative.`, `Its trade balance is -$10 billion.`
pub(super) fn has_other_sign(beside: &Beside<'_>) -> bool {
    let Some(truth) = truth(beside.asked).filter(|_| !beside.own) else { return false };
    let tokens = beside.tokens();
    // `The balance is negative.`
    let says_it = |token: &Token| token.folded.starts_with("balance is") && token.direction() == Some(!truth);
    let Some(be) = tokens.iter().position(|token| token.role("be")) else {
        return tokens.iter().any(says_it) && !beside.denies();
    };
    let (subject, said) = tokens.split_at(be);
    let sign = said.iter().take(4).find_map(|token| {
        let number =
            token.number().filter(|number| number.unit == Unit::Usd && beside.asked.number().is_none());
        token
            .direction()
            .filter(|_| !token.tagged("comparative"))
            .or(number.map(|number| number.number > Decimal::ZERO))
    });
    let names_it = |token: &Token| {
        token.role("deictic")
            || token.folded.ends_with("balance")
            || token.is_it()
            || token.is("metric", "trade_balance")
            || token.is("metric", "current_account")
    };
    sign.is_some_and(|sign| sign != truth)
        && subject.iter().any(names_it)
        && subject.iter().all(|token| {
            beside.is_plain(token) || names_it(token) && !super::differs_alone(beside.asked, token)
        })
        && !beside.denies()
}

/// Whether the exports and imports of the answer make another balance: `$87.7B. It exports $164B and imports $120B.`
pub(super) fn flows_make_another(asked: &Asked<'_>, lines: &[&Line]) -> bool {
    let Some(truth) = truth(asked) else { return false };
    let Some(mut balance) = difference(lines, |token| earns(asked, token), [&true, &false]) else {
        return false;
    };
    if lines.iter().any(|line| is_partners(asked, &line.sentence.tokens)) {
        balance = balance.negated();
    }
    match asked.number() {
        Some(number) if number.unit == Unit::Usd => !balance.overlaps(&number.interval),
        _ => balance.high < Decimal::ZERO && truth || balance.low > Decimal::ZERO && !truth,
    }
}
