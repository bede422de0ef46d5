//! Figures of other sentences that must make the value: parts of a whole, the two sides of a balance, the operands of a ratio.

use rust_decimal::Decimal;

use super::{Beside, compares};
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::words::terms;
use crate::language::token::{Kind, Token};
use crate::value::{Interval, Quantity, Scope, Statistic, Unit};

/// The figures with what labels them: `goods` for `$331B of goods`, `Goods: $331B` and a cell of that row.
fn labelled<'a, L>(lines: &[&'a Line], label: impl Fn(&'a Token) -> Option<L>) -> Vec<(L, &'a Quantity)> {
    let mut out = Vec::new();
    for line in lines {
        for (at, token) in line.sentence.tokens.iter().enumerate() {
            let Some(number) = token.number() else { continue };
            let of = |of: &&Token| matches!(of.folded.as_str(), "of" | "in" | "for" | "from");
            let behind = line.behind(at).split_first().filter(|(first, _)| of(first)).map(|(_, rest)| rest);
            let of_it =
                || behind.and_then(|rest| rest.iter().find(|next| !next.role("article"))).and_then(&label);
            let before =
                || line.until(at).iter().rev().take_while(|token| token.number().is_none()).find_map(&label);
            let heads = || line.heads.iter().rev().flat_map(|head| &head.tokens).find_map(&label);
            out.extend(of_it().or_else(before).or_else(heads).map(|label| (label, number)));
        }
    }
    out
}

/// The two figures of one unit with these labels.
fn pair<'a, L: PartialEq>(
    lines: &[&'a Line],
    label: impl Fn(&'a Token) -> Option<L>,
    [first, second]: [&L; 2],
) -> Option<(&'a Quantity, &'a Quantity)> {
    let found = labelled(lines, label);
    let of = |own: &L| found.iter().find(|(label, _)| label == own).map(|(_, number)| *number);
    of(first).zip(of(second)).filter(|(a, b)| a.unit == b.unit)
}

/// How far the figure of the first label exceeds that of the second.
pub(super) fn difference<'a, L: PartialEq>(
    lines: &[&'a Line],
    label: impl Fn(&'a Token) -> Option<L>,
    labels: [&L; 2],
) -> Option<Interval> {
    let (first, second) = pair(lines, label, labels)?;
    Some(first.interval.plus(&second.interval.negated()))
}

/// Whether goods and services do not make the total: `$378B: $331B of goods plus $80B of services`.
pub(super) fn parts_make_another(asked: &Asked<'_>, lines: &[&Line]) -> bool {
    let is_total = !matches!(asked.context.scope, Some(Scope::Goods | Scope::Services))
        && asked.products.is_empty()
        && asked.partner.is_none()
        && !asked.is_change()
        && !asked.is_balance();
    let Some(total) = asked.number().filter(|number| is_total && number.unit == Unit::Usd) else {
        return false;
    };
    let scope = |token: &Token| {
        let mut scopes = token.tags.iter().filter(|tag| tag.0 == "scope").map(|tag| tag.1);
        scopes.next().filter(|_| scopes.next().is_none())
    };
    let parts = pair(lines, scope, [&"goods", &"services"]);
    parts.is_some_and(|(goods, services)| {
        goods.unit == total.unit && !goods.interval.plus(&services.interval).overlaps(&total.interval)
    })
}

/// Whether a share and the rest do not make everything: `2 %. The other 80 % are older goods.`
pub(super) fn rest_makes_another(asked: &Asked<'_>, lines: &[&Line]) -> bool {
    let is_share = asked.context.statistic == Some(Statistic::Share) && !asked.is_change();
    let Some(share) = asked.number().filter(|number| is_share && number.unit == Unit::Percent) else {
        return false;
    };
    let is_rest = |line: &Line, at: usize| {
        let near = line.until(at).iter().rev().take(2);
        near.clone()
            .any(|token| token.listed("rest") || matches!(token.folded.as_str(), "other" | "the other"))
    };
    let whole = Interval::closed(Decimal::from(99), Decimal::from(101));
    let percent = |token: &Token| {
        token.number().filter(|number| number.unit == Unit::Percent).map(|number| number.interval)
    };
    let completes = |other: &Interval| share.interval.plus(other).overlaps(&whole);
    lines.iter().any(|line| {
        let tokens = &line.sentence.tokens;
        // `Goods were 83.41 % and services the remaining 16.59 %.`
        let is_named = |rest: &Interval| {
            rest.overlaps(&share.interval) && tokens.iter().filter_map(percent).any(|one| completes(&one))
        };
        let rests = tokens.iter().enumerate().filter(|(at, _)| is_rest(line, *at));
        rests.filter_map(|(_, token)| percent(token)).any(|rest| !completes(&rest) && !is_named(&rest))
    })
}

/// Whether what is compared makes another ratio, difference or order: `The ratio is 1.68. Kenya: $2,274, Ethiopia: $1,800.`
pub(super) fn operands_make_another(asked: &Asked<'_>, lines: &[&Line]) -> bool {
    if let Some(above) = above_region(asked) {
        let own = |token: &Token| {
            let is_own = asked.country.is_some_and(|own| token.kind == Kind::Country(own));
            (is_own || token.tagged("group") || token.is_regional() || token.folded == "region")
                .then_some(is_own)
        };
        return difference(lines, own, [&true, &false]).is_some_and(|ahead| match above {
            true => ahead.high < Decimal::ZERO,
            false => ahead.low > Decimal::ZERO,
        });
    }
    let Some(truth) = asked.number().filter(|_| asked.knows("ratio") || asked.knows("differ")) else {
        return false;
    };
    let named = |token: &Token| match &token.kind {
        Kind::Country(id) if asked.sequence.len() == 2 => asked.sequence.iter().position(|own| own == id),
        Kind::Product(code) if asked.products.len() == 2 => asked.products.iter().position(|own| own == code),
        _ => None,
    };
    let is_result =
        |number: &Quantity| number.unit == truth.unit && number.interval.overlaps(&truth.interval);
    let Some((first, second)) = pair(lines, named, [&0, &1]) else { return false };
    if is_result(first) || is_result(second) {
        return false;
    }
    let made = if asked.knows("ratio") {
        let ratio = |a: Decimal, b: Decimal| a.checked_div(b).unwrap_or_default();
        Interval::closed(
            ratio(first.interval.low, second.interval.high),
            ratio(first.interval.high, second.interval.low),
        )
    } else {
        first.interval.plus(&second.interval.negated())
    };
    !made.overlaps(&truth.interval) && !made.negated().overlaps(&truth.interval)
}

/// Whether the country lies above its region, if the question asks for that.
pub(super) fn above_region(asked: &Asked<'_>) -> Option<bool> {
    let text = asked.text().filter(|text| terms::is_of_kind(text, "regional_difference"))?;
    terms::direction(text)
}

/// Whether a sentence turns round which of two is larger: `The ratio is 1.68. Ethiopia is richer.`
pub(super) fn is_turned(beside: &Beside<'_>) -> bool {
    let (asked, tokens) = (beside.asked, beside.tokens());
    let Some(truth) = asked.number().filter(|_| asked.knows("ratio") && asked.sequence.len() == 2) else {
        return false;
    };
    let mut named = tokens.iter().filter_map(|token| match &token.kind {
        Kind::Country(id) => asked.sequence.iter().position(|own| own == id),
        _ => None,
    });
    let first_is_larger = truth.number > Decimal::ONE;
    let more = tokens.iter().find_map(|token| compares(token).or_else(|| richer(token)));
    more.zip(named.next()).is_some_and(|(more, at)| {
        (at == 0) == more && !first_is_larger || (at == 0) != more && first_is_larger
    }) && !beside.denies()
        && !beside.line.sentence.question
}

/// `richer`, `poorer`
fn richer(token: &Token) -> Option<bool> {
    let is_less = matches!(token.folded.as_str(), "poorer" | "half" | "half of");
    (is_less || matches!(token.folded.as_str(), "richer" | "wealthier" | "twice" | "double"))
        .then_some(!is_less)
}
