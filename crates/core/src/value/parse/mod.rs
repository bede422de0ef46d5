//! Reads displayed text into values: free form, strictly by a display rule, and anywhere in a longer text.

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
    /// The text as given.
    pub text: String,
    /// The rule it should follow.
    pub rule: Rule,
    /// What the rule prints, with an example.
    pub expected: &'static str,
}

/// Reads a text of which nothing is known: a [`Value::Quantity`] when the whole text is one number, else a
/// [`Value::Text`] with spaces trimmed. `None` for a text that prints nothing.
///
/// The display rule is inferred where the form leaves no doubt about the rounding (`$38.0B` is F1). Otherwise the
/// rule stays unknown and the interval is half a unit of the last printed digit.
/// Digits with a leading zero are a code (`0902`), hence text.
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

/// Reads a text strictly by a display rule: nothing but the number may stand there.
///
/// # Errors
/// [`ParseError`] when the text has another form, for instance other decimals than the rule prints.
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

/// What a rule prints, in words with an example: ``an index with 2 decimals, like `0.77` ``.
#[must_use]
pub const fn expected(rule: Rule) -> &'static str {
    form::expected(rule)
}

/// Every place in a longer text that has the rule's form, as byte ranges of the text. Numbers are taken whole:
/// `$2,274` holds no `274`, `$16.2B` no `$16.2`, and `116th of 145` no whole number.
#[must_use]
pub fn find_as(text: &str, rule: Rule) -> Vec<(Range<usize>, Quantity)> {
    lexer::tokens(text)
        .into_iter()
        .filter(|token| form::conforms(token, rule))
        .filter_map(|token| form::quantity(&token, Some(rule)).map(|quantity| (token.range, quantity)))
        .collect()
}

/// Every number of a longer text in free form, whole and in order, as byte ranges of the text. Codes with
/// leading zeros are left out.
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

/// The rule of a text of which only the form is known; `None` where two rules would round differently.
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
