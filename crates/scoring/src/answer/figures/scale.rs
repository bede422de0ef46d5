//! The scale and unit of a bare number, by the words above and before it.

use rust_decimal::Decimal;

use crate::answer::line::Line;
use crate::language::lexicon;
use crate::language::token::Token;
use crate::value::{Interval, Quantity, Unit};

/// The powers of ten, by the lists of their words.
const POWERS: [(&str, u32); 4] =
    [("in_billions", 9), ("in_millions", 6), ("in_trillions", 12), ("in_thousands", 3)];

/// Whether a word names a power of ten: `millions`.
pub(crate) fn is_power(word: &str) -> bool {
    POWERS.iter().any(|(list, _)| lexicon::listed(list, word))
}

/// Applies the scale and unit of the heads, the label or the sentence to a bare number: `Exports (US$ billion): 378`, `In billions
/// of dollars, it was 378`. `1.05 bn` takes the currency.
pub(crate) fn scaled(line: &Line, quantity: &Quantity, token: &Token) -> Option<Quantity> {
    let bare = matches!(quantity.unit, Unit::Count | Unit::Index);
    let has_scale = token.folded.contains(|c: char| c.is_alphabetic());
    if !bare || has_scale && !token.folded.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let tokens = &line.sentence.tokens;
    let label = tokens.iter().position(|token| token.mark(':')).and_then(|label| tokens.get(..label));
    let phrase = || {
        let is_scale = |token: &Token| token.is("part", "in_scale") && token.folded.split(' ').any(is_power);
        let at = tokens.iter().position(is_scale)?;
        tokens.get(at..tokens.len().min(at + 3))
    };
    let own = label.or_else(|| phrase().filter(|_| !has_scale)).unwrap_or_default();
    let heads = line.heads.iter().flat_map(|head| &head.tokens).chain(own);
    let heads = heads.filter(|token| token.number().is_none());
    let words: Vec<&str> = heads.flat_map(|token| token.folded.split([' ', '_'])).collect();
    let has = |list: &str| words.iter().any(|word| lexicon::listed(list, word));
    if has_scale {
        // `us` may be the country
        let names_dollars = words.iter().any(|word| lexicon::listed("in_dollars", word) && *word != "us");
        return names_dollars.then(|| Quantity { unit: Unit::Usd, ..quantity.clone() });
    }
    let mut powers = POWERS.into_iter().filter(|(list, _)| has(list)).map(|(_, power)| power);
    let power = powers.next();
    // `thousand million US$`
    if powers.next().is_some() {
        return None;
    }
    let in_sign = || line.heads.iter().any(|head| shows_dollars(&head.text));
    let in_percent =
        || has("in_percent") || has("share_noun") && line.heads.iter().any(|head| head.text.contains('%'));
    let unit = match () {
        () if has("in_dollars") || power.is_some() && in_sign() => Some(Unit::Usd),
        () if in_percent() => Some(Unit::Percent),
        () if power.is_none() => return None,
        () => None,
    };
    let factor = Decimal::from(10_u64.pow(power.unwrap_or(0)));
    let decimals = token.folded.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let last = Decimal::ONE.checked_div(Decimal::from(10_u64.checked_pow(u32::try_from(decimals).ok()?)?))?;
    let half = last.checked_div(Decimal::TWO)?.checked_mul(factor)?;
    let number = quantity.number.checked_mul(factor)?;
    Some(Quantity {
        number,
        interval: Interval::around(number, half),
        unit: unit.unwrap_or(quantity.unit),
        rule: None,
        total: quantity.total,
    })
}

/// Whether a head has the sign of the dollar, and no other country's: `$ billion`, `US$`, not `S$`.
fn shows_dollars(head: &str) -> bool {
    let before = head.split_once('$').map(|(before, _)| before);
    before.is_some_and(|before| before.ends_with("US") || !before.ends_with(char::is_alphabetic))
}
