//! Comparisons of the value with a number: `$2,274. This is less than Uganda's $1,100.`, `2 %. That is about a fifth.`

use rust_decimal::Decimal;

use super::{Beside, compares, differs_alone};
use crate::language::lexicon;
use crate::language::token::{Class, Kind, Token};
use crate::value::{Interval, Quantity, Scope, Unit};

/// Whether a sentence compares the value with a number that lies on its other side: `It has yet to reach $2,000.`
pub(super) fn is_impossible(beside: &Beside<'_>) -> bool {
    let tokens = beside.tokens();
    let is_bare = |unit| matches!(unit, Unit::Count | Unit::Persons);
    let Some(truth) = beside
        .asked
        .number()
        .filter(|number| !beside.asked.is_change() && !matches!(number.unit, Unit::Rank | Unit::Positions))
    else {
        return false;
    };
    let points = tokens.first().is_some_and(|first| first.is_it() || first.is_demonstrative());
    let than = tokens.iter().position(|token| token.folded.ends_with("than") || token.folded == "yet to");
    let Some((before, behind)) = than.map(|than| tokens.split_at(than)).filter(|_| points && !beside.own)
    else {
        return false;
    };
    let than = behind.first();
    let yet = than.is_some_and(|token| token.folded == "yet to");
    let more = before.iter().chain(than).rev().find_map(compares).or(yet.then_some(false));
    let other = behind
        .iter()
        .find_map(Token::number)
        .filter(|other| other.unit == truth.unit || is_bare(other.unit) && is_bare(truth.unit));
    // `It sold China more than that ($93B)`
    let is_said = yet || before.iter().any(|token| token.role("be"));
    let is_other = before.iter().any(|token| differs_alone(beside.asked, token));
    let denied = !is_said
        || is_other
        || before.iter().any(|token| token.operator("negation") && token.folded != "yet to");
    let (Some(more), Some(other)) = (more, other) else { return false };
    !denied
        && match more {
            true => truth.interval.high < other.interval.low,
            false => truth.interval.low > other.interval.high,
        }
}

/// Whether a sentence says another share or count in words: `That is about a fifth.`, `More than half of its exports are services.`,
/// `Two dozen in all.`
pub(super) fn is_other_share(beside: &Beside<'_>) -> bool {
    let asked = beside.asked;
    let Some(truth) = asked.number().filter(|_| !beside.own && !asked.is_change() && !beside.denies()) else {
        return false;
    };
    let tokens = beside.tokens();
    let coarse = |token: &Token| {
        let number = token.number()?;
        (!token.folded.contains(|c: char| c.is_ascii_digit())).then_some(number.interval)
    };
    // `More than half of its exports are services.`, `less than a tenth`
    let bounded = |at: usize, around: Interval| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        match before.map(|before| (before.listed("lower_bound"), before.listed("upper_bound"))) {
            Some((true, _)) => Interval::closed(around.low, Decimal::ONE_HUNDRED),
            Some((_, true)) => Interval::closed(Decimal::ZERO, around.high),
            _ => around,
        }
    };
    let half = |token: &Token| {
        matches!(token.folded.as_str(), "half" | "half of")
            .then(|| Interval::around(Decimal::from(50), Decimal::TEN))
    };
    let share = |(at, token): (usize, &Token)| Some(bounded(at, coarse(token).or_else(|| half(token))?));
    let said = match truth.unit {
        Unit::Percent => tokens.iter().enumerate().find_map(share),
        Unit::Count => dozens(tokens),
        _ => None,
    };
    let is_said = |token: &Token| {
        coarse(token).is_some()
            || token.operator("about")
            || token.operator("bound")
            || matches!(token.folded.as_str(), "half" | "half of" | "dozen")
            || token.listed("ones")
    };
    said.is_some_and(|said| !said.overlaps(&truth.interval))
        && tokens.iter().all(|token| is_said(token) || beside.is_plain(token))
}

/// The number of dozens: `two dozen`.
fn dozens(tokens: &[Token]) -> Option<Interval> {
    let at = tokens.iter().position(|token| token.folded == "dozen")?;
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let count = before.and_then(Token::number).map_or(Decimal::ONE, |number| number.number);
    Some(Interval::around(count.checked_mul(Decimal::from(12))?, Decimal::from(5)))
}

/// Whether the other scope makes up the rest of the value: `$901 million (goods $640 million, services the rest)`.
pub(super) fn includes_other_scope(beside: &Beside<'_>) -> bool {
    let is_other = |token: &Token| match beside.asked.context.scope {
        Some(Scope::Goods) => token.is("scope", "services"),
        Some(Scope::Services) => token.is("scope", "goods"),
        _ => false,
    };
    let words: Vec<&Token> = beside.words().collect();
    beside.own
        && words
            .windows(2)
            .any(|pair| matches!(pair, [scope, rest] if is_other(scope) && rest.listed("rest")))
}

/// Whether a part of the value exceeds it: `11.95 %. Cars alone make up 15 %.`, `$368 billion. Of that, $500 billion are goods.`
pub(super) fn part_exceeds(beside: &Beside<'_>) -> bool {
    let tokens = beside.tokens();
    let asked = beside.asked;
    let is_derived = asked.is_change() || asked.is_balance() || asked.one.follows.is_some();
    let Some(truth) = asked.number().filter(|_| !beside.own && !is_derived) else { return false };
    let of_it = |pair: &[Token]| matches!(pair, [of, it] if of.folded == "of" && it.listed("points_at"));
    let is_alone = tokens.iter().any(|token| token.folded.ends_with("alone"));
    let is_part = tokens.get(..2).is_some_and(of_it) || is_alone;
    let names_another =
        |token: &Token| matches!(token.kind, Kind::Country(_) | Kind::Period(_)) && !beside.is_plain(token);
    let larger = |other: &Quantity| {
        let is_whole = is_alone && other.number >= truth.number;
        other.unit == truth.unit && (is_whole || other.interval.low > truth.interval.high)
    };
    is_part
        && matches!(truth.unit, Unit::Usd | Unit::Percent | Unit::Persons)
        && !tokens.iter().any(names_another)
        && tokens.iter().filter_map(Token::number).any(larger)
}

/// Whether a sentence breaks the value down to another amount, give or take a tenth: `$2,274. That is $227 a month.`
pub(super) fn breaks_down_otherwise(beside: &Beside<'_>) -> bool {
    const TIMES: [(&str, u32); 3] = [("by_month", 12), ("by_week", 52), ("by_day", 365)];
    let asked = beside.asked;
    let Some(truth) = asked.number().filter(|number| number.unit == Unit::Usd && !asked.is_change()) else {
        return false;
    };
    let text = &beside.line.passage.text;
    let times = TIMES.iter().find(|(list, _)| lexicon::says(list, text)).map(|(_, times)| *times);
    let points = beside.tokens().first().is_some_and(|first| first.is_it() || first.is_demonstrative());
    let mut amounts = beside.tokens().iter().filter_map(Token::number).filter(|own| own.unit == Unit::Usd);
    let (Some(times), Some(amount)) = (times.filter(|_| points && !beside.own), amounts.next()) else {
        return false;
    };
    let year = amount.number.saturating_mul(Decimal::from(times));
    let about = Interval::around(year, year.saturating_mul(Decimal::new(1, 1)));
    !about.overlaps(&truth.interval)
}

/// Whether a sentence gives another thing more than the one with the most: `Travel, at $91.4 billion. Finance brought $120 billion.`
pub(super) fn rival_exceeds(beside: &Beside<'_>) -> bool {
    let (asked, tokens) = (beside.asked, beside.tokens());
    let asks_most = asked.ends == (true, false) && !asked.one.names.is_empty() && !beside.own;
    let Some(truth) = asked.number().filter(|number| asks_most && number.unit == Unit::Usd) else {
        return false;
    };
    let Some(at) = tokens.iter().position(|token| token.number().is_some()) else { return false };
    let subject: Vec<&Token> = tokens.iter().take(at).filter(|token| !token.role("article")).collect();
    let is_rest = |token: &&&Token| token.is_verb() || token.class == Some(Class::Verb) || token.is_mark();
    let is_whole = |token: &Token| {
        asked.knows(&token.folded)
            || token.means()
            || token.holds("value_noun")
            || matches!(token.kind, Kind::Period(_) | Kind::Country(_) | Kind::Number(_))
    };
    let names = subject.first().is_some_and(|first| !first.role("pronoun") && !first.role("deictic"));
    names
        && (2..=3).contains(&subject.len())
        && subject.iter().skip(1).any(|token| is_rest(&token))
        && !subject.iter().any(|token| is_whole(token))
        && tokens
            .get(at)
            .and_then(Token::number)
            .is_some_and(|other| other.unit == truth.unit && other.interval.low > truth.interval.high)
}
