//! Parses displayed text into values: free-form, strictly by a display rule, or anywhere in a longer text.

mod chars;
mod form;
mod lexer;
mod prefix;
mod suffix;
#[cfg(test)]
mod tests;
mod token;

use std::ops::Range;

use super::{Quantity, Rule, Unit, Value};
use token::{Currency, Scale, Token};

/// A text that does not have the form of its display rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not {expected} (rule {rule:?}); read the text again or correct the rule of this data point"
)]
pub struct ParseError {
    /// The given text.
    pub text: String,
    /// The rule.
    pub rule: Rule,
    /// The form the rule prints, with an example.
    pub expected: &'static str,
}

/// Parses a free-form text: a [`Value::Quantity`] if the whole text is one number, otherwise a trimmed [`Value::Text`].
/// `None` for a text that prints nothing.
///
/// The display rule is inferred if the form leaves no doubt about the rounding (`$38.0B` is F1). Otherwise it stays
/// unknown, and the interval is half a unit of the last printed digit. Digits with a leading zero (`0902`) are a code,
/// hence text.
#[must_use]
pub fn parse(text: &str) -> Option<Value> {
    let trimmed = trim(text);
    if trimmed.is_empty() {
        return None;
    }
    let whole = match lexer::tokens(trimmed).as_slice() {
        [token] if token.range == (0..trimmed.len()) => free(token),
        _ => None,
    };
    Some(whole.map_or_else(|| Value::Text(trimmed.to_owned()), Value::Quantity))
}

/// Parses a text strictly by a display rule. It may contain nothing but the number.
///
/// # Errors
/// [`ParseError`] if the text has another form, for example other decimals than the rule prints.
pub fn parse_as(text: &str, rule: Rule) -> Result<Quantity, ParseError> {
    let trimmed = trim(text);
    let quantity = match lexer::tokens(trimmed).as_slice() {
        [token] if token.range == (0..trimmed.len()) && form::conforms(token, rule) => {
            form::quantity(token, Some(rule))
        }
        _ => None,
    };
    quantity.ok_or_else(|| ParseError { text: text.to_owned(), rule, expected: form::expected(rule) })
}

/// Describes what a rule prints, with an example: ``an index with 2 decimals, like `0.77` ``.
#[must_use]
pub const fn expected(rule: Rule) -> &'static str {
    form::expected(rule)
}

/// All matches of a rule's form in a longer text, with byte ranges. Numbers match as a whole: `$2,274` contains no
/// `274`, `$16.2B` no `$16.2`, and `116th of 145` no whole number.
#[must_use]
pub fn find_as(text: &str, rule: Rule) -> Vec<(Range<usize>, Quantity)> {
    lexer::tokens(text)
        .into_iter()
        .filter(|token| form::conforms(token, rule))
        .filter_map(|token| form::quantity(&token, Some(rule)).map(|quantity| (token.range, quantity)))
        .collect()
}

/// All free-form numbers of a longer text, in order, with byte ranges. Codes with leading zeros are skipped.
#[must_use]
pub fn find_all(text: &str) -> Vec<(Range<usize>, Quantity)> {
    lexer::tokens(text)
        .into_iter()
        .filter_map(|token| free(&token).map(|quantity| (token.range, quantity)))
        .collect()
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| super::fold::plain(c).is_none_or(|c| c == ' '))
}

fn free(token: &Token) -> Option<Quantity> {
    if token.integer.len() > 1 && token.integer.starts_with('0') {
        return None;
    }
    form::quantity(token, infer(token)).map(|quantity| {
        let people = token.scale == Scale::Word && token.currency == Currency::None;
        if people && quantity.rule == Some(Rule::F14) { quantity.with_unit(Unit::Count) } else { quantity }
    })
}

/// Infers a rule from the form alone; `None` if two rules would round differently.
fn infer(token: &Token) -> Option<Rule> {
    let digits = token.integer.len() + token.fraction.len();
    let three = digits == 3;
    let order: &[Rule] = match token.scale {
        Scale::Letter if three => &[Rule::F1, Rule::F2],
        Scale::Letter if token.integer.len() == 2 || token.point => &[Rule::F3],
        Scale::Word if three => &[Rule::F4, Rule::F14],
        Scale::None => &[Rule::F10, Rule::F11, Rule::F5, Rule::F6, Rule::F7, Rule::F8, Rule::Integer],
        _ => &[],
    };
    order.iter().copied().find(|&rule| form::conforms(token, rule))
}
