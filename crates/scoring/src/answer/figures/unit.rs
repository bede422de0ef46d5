//! Determines the unit and scale of a figure, and whether its unit fits the question.

use rust_decimal::Decimal;

use super::read::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::sentence::Token;
use crate::value::{Interval, Quantity, Unit};

/// Applies the scale and unit of the heads or label to a bare number: `Exports (US$ billion): 378`.
pub(crate) fn scale(line: &Line, quantity: &Quantity, token: &Token) -> Option<Quantity> {
    let bare = matches!(quantity.unit, Unit::Count | Unit::Index);
    if !bare || token.folded.contains(|c: char| c.is_alphabetic()) {
        return None;
    }
    let label = line.sentence.tokens.iter().position(|token| token.mark(':'));
    let own = label.and_then(|label| line.sentence.tokens.get(..label)).unwrap_or_default();
    let heads = line.heads.iter().flat_map(|head| &head.tokens).chain(own);
    let heads = heads.filter(|token| token.number().is_none());
    let words: Vec<&str> = heads.flat_map(|token| token.folded.split([' ', '_'])).collect();
    let has = |list: &str| words.iter().any(|word| lexicon::listed(list, word));
    let powers = [("in_billions", 9), ("in_millions", 6), ("in_trillions", 12), ("in_thousands", 3)];
    let power = powers.into_iter().find(|(list, _)| has(list)).map(|(_, power)| power);
    let in_percent =
        || has("in_percent") || has("share_noun") && line.heads.iter().any(|head| head.text.contains('%'));
    let unit = match () {
        () if has("in_dollars") => Some(Unit::Usd),
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

/// Whether a figure's unit can be that of the requested value.
pub(crate) fn fits(asked: &Asked<'_>, figure: &Figure) -> bool {
    let Some(truth) = asked.number() else { return false };
    let unit = figure.quantity.unit;
    let digits = figure.digits;
    let counted = figure.counted.as_deref();
    let places = counted.is_some_and(|noun| lexicon::listed("places", noun));
    let bare = matches!(unit, Unit::Count | Unit::Index)
        && !places
        && counted.is_none_or(|noun| {
            lexicon::listed("in_dollars", noun) || noun.starts_with("international dollar")
        });
    match truth.unit {
        Unit::Rank => {
            unit == Unit::Rank
                || (unit == Unit::Count
                    && digits
                    && counted.is_none()
                    && (figure.ranked || figure.said.alone))
        }
        Unit::Positions => {
            unit == Unit::Positions
                || (unit == Unit::Count
                    && (places || (counted.is_none() && !matches!(figure.joint, Some("from" | "to")))))
        }
        Unit::Usd => matches!(unit, Unit::Usd | Unit::OtherCurrency) || (bare && digits),
        Unit::Percent | Unit::PercentagePoints => {
            matches!(unit, Unit::Percent | Unit::PercentagePoints)
                || (bare && (figure.said.alone || asked.one.column.is_some()))
        }
        Unit::Persons => matches!(unit, Unit::Persons | Unit::Count | Unit::Index) && !places,
        Unit::Count => {
            matches!(unit, Unit::Count | Unit::Persons)
                && !places
                && counted.is_none_or(|noun| asked.knows(noun) || !lexicon::listed("other_count", noun))
        }
        Unit::Index if unit == Unit::Rank => {
            figure.noun.as_deref().is_some_and(|noun| noun.starts_with("diamond"))
        }
        Unit::Index => {
            matches!(unit, Unit::Index | Unit::Count)
                && !places
                && counted.is_none_or(|noun| {
                    asked.knows(noun)
                        || noun.starts_with("diamond")
                        || !["countries", "products", "years", "product"].contains(&noun)
                })
        }
        _ => true,
    }
}
