//! Ranks in words: `ranks 56th of 145. It is in the top ten.`

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::Beside;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::Unit;

/// The true rank and the number of ranked countries.
fn truth(beside: &Beside<'_>) -> Option<(u32, u32)> {
    let number = beside.asked.number().filter(|number| number.unit == Unit::Rank)?;
    Some((number.number.to_u32()?, number.total?))
}

/// Whether a sentence puts the subject elsewhere in the ranking: `It leads the ranking.`, `It is in the top ten.`
pub(super) fn is_elsewhere(beside: &Beside<'_>) -> bool {
    let Some((rank, total)) = truth(beside).filter(|_| !beside.own) else { return false };
    let words: Vec<&Token> = beside.words().collect();
    let is_subject = |token: &Token| {
        token.is_it() || beside.asked.country.is_some_and(|own| token.kind == Kind::Country(own))
    };
    let is_said = words.first().is_some_and(|first| is_subject(first));
    let among = words.iter().any(|token| matches!(token.folded.as_str(), "among" | "one of" | "one"));
    let part =
        words.iter().enumerate().find_map(|(at, token)| part(token, words.get(at + 1).copied(), total));
    let is_first = |token: &Token| token.listed("leads_all") || token.is("comparative", "most");
    let is_last = |token: &Token| token.is("comparative", "least");
    let ends = |is_end: &dyn Fn(&Token) -> bool| {
        !among
            && words.iter().any(|token| is_end(token))
            && !words.iter().any(|token| token.number().is_some())
    };
    is_said
        && !beside.denies()
        && match part {
            Some((low, high)) => rank < low || rank > high,
            None => ends(&is_first) && rank != 1 || ends(&is_last) && rank != total,
        }
}

/// The ranks of a part of the ranking: `top ten`, `bottom half`.
fn part(token: &Token, next: Option<&Token>, total: u32) -> Option<(u32, u32)> {
    let mut words = token.folded.split(' ');
    let is_top = match words.next()? {
        "top" => true,
        "bottom" => false,
        _ => return None,
    };
    let count = |name: &str| -> Option<u32> {
        let at = ["half", "third", "quarter", "fifth", "tenth"].iter().position(|own| *own == name)?;
        Some(total.div_ceil(*[2, 3, 4, 5, 10].get(at)?))
    };
    let number = || next.and_then(Token::number).filter(|number| number.unit == Unit::Count)?.number.to_u32();
    let inner = words.next();
    let size = inner.and_then(|inner| count(inner).or_else(|| inner.parse().ok()));
    let size = size.or_else(number).or_else(|| next.and_then(|next| count(&next.folded)))?;
    Some(if is_top { (1, size) } else { (total.saturating_sub(size) + 1, total) })
}

/// Whether a sentence counts more or fewer countries before or behind the subject: `55 countries rank below it.`, `Nobody exports
/// more.`, `It beats all but ten countries.` The sentence with the value may do so too: `39 of the 145 countries come after it.`
pub(super) fn counts_others(beside: &Beside<'_>) -> bool {
    let Some((rank, total)) = truth(beside) else { return false };
    let due = |before: bool| if before { rank.saturating_sub(1) } else { total.saturating_sub(rank) };
    let words: Vec<&Token> = beside.words().collect();
    let count = |token: &Token| match token.kind {
        _ if token.listed("nobody") => Some(Decimal::ZERO),
        _ if beside.own && !is_cardinal_of_total(token) => None,
        _ => token
            .number()
            .filter(|number| beside.own || number.unit == Unit::Count)
            .map(|number| number.number),
    };
    // `Only Burundi is poorer.`
    let only = words.first().is_some_and(|first| first.folded == "only");
    let named = words.iter().filter(|token| matches!(token.kind, Kind::Country(_))).count();
    if only && named > 0 && words.iter().all(|token| token.number().is_none()) {
        return side(&words).is_some_and(|before| usize::try_from(due(before)) != Ok(named));
    }
    let Some((at, count)) =
        words.iter().enumerate().take(5).find_map(|(at, token)| Some((at, count(token)?)))
    else {
        return false;
    };
    // `It beats all but ten countries`
    let behind_all =
        at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|all| all.folded == "all but");
    let rest = words.get(at + 1..).unwrap_or_default();
    let counted = count.is_zero() || beside.own || rest.first().is_some_and(|noun| noun.listed("counted"));
    let side = if behind_all { Some(true) } else { side(rest) };
    let is_about =
        rest.iter().all(|token| token.number().is_none() && (!token.is_name() || beside.is_plain(token)));
    counted && is_about && side.is_some_and(|before| Decimal::from(due(before)) != count)
}

/// Whether more countries are named before or behind the subject than rank there: `It is 2nd, with Morocco, Tunisia and Jordan ahead of
/// it.`
pub(super) fn names_others(beside: &Beside<'_>) -> bool {
    let Some((rank, total)) = truth(beside).filter(|_| !beside.denies()) else { return false };
    let words: Vec<&Token> = beside.words().collect();
    let is_side = |pair: &[&Token]| matches!(pair, [word, it] if it.is_it() && side(&[*word]).is_some());
    let Some(at) = words.windows(2).position(is_side) else { return false };
    let (before, behind) = words.split_at(at);
    let own = beside.asked.country.map(Kind::Country);
    let named = before
        .iter()
        .filter(|token| matches!(token.kind, Kind::Country(_)) && Some(&token.kind) != own.as_ref());
    let room = behind.first().and_then(|word| side(&[*word])).map(|before| match before {
        true => rank.saturating_sub(1),
        false => total.saturating_sub(rank),
    });
    room.zip(u32::try_from(named.count()).ok()).is_some_and(|(room, named)| named > room)
}

/// Whether it is a number of the ranked countries, not a place among them: `39 of the 145`, not `39th of 145`.
fn is_cardinal_of_total(token: &Token) -> bool {
    let is_of_total = token.number().is_some_and(|number| number.total.is_some());
    is_of_total
        && token.folded.split(' ').next().is_some_and(|first| first.chars().all(|c| c.is_ascii_digit()))
}

/// Whether words tell who ranks before something; `false` for behind it, `None` for neither or both.
fn side(words: &[&Token]) -> Option<bool> {
    let says = |list: &str| {
        words.iter().any(|token| token.folded.split(' ').any(|word| lexicon::listed(list, word)))
    };
    let before = says("ranks_before");
    (before != says("ranks_behind")).then_some(before)
}
