//! Details of a question from its team, kept as they are; and the question's own reference, if no page shows the
//! answer.

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::value::{Interval, Quantity, Unit};

/// Details of a question from its team, kept as they are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Details {
    /// The category's name, if `category` is its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category_name: Option<String>,
    /// The paper that the question comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_paper: Option<String>,
    /// The persona that asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// Remarks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Tags for selecting questions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The classification of products that the agent should use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_classification: Option<String>,
    /// The API that the agent should ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_api_target: Option<String>,
    /// The right answer according to another source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// The reason for page, extractor, data points and context, which this program proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed: Option<String>,
    /// What is missing before the answer can be read from a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
}

/// The right answer according to another source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reference {
    /// Its values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ReferenceValue>,
    /// Quotes from papers or web pages. A judge compares the answer with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<Quote>,
    /// Why the Atlas has no answer. A right answer says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_answerable: Option<String>,
}

/// One value of a reference.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReferenceValue {
    /// What is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The country, if it is not the question's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The value as a person writes it: `$378 billion`, `Services`.
    #[serde(deserialize_with = "text_or_number")]
    #[schemars(with = "serde_json::Value")]
    pub value: String,
    /// Its unit, if its text does not state one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// Its year or period.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "some_text_or_number")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub year: Option<String>,
    /// The tolerance for other numbers: `2%` of it, or an amount.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "some_text_or_number")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub tolerance: Option<String>,
    /// Equally right values, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<AcceptedAnswer>,
    /// Its source: `page`, `api`, the name of a paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// An equally right value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedAnswer {
    /// The value.
    #[serde(deserialize_with = "text_or_number")]
    #[schemars(with = "serde_json::Value")]
    pub value: String,
    /// Why it is also right.
    pub reason: String,
}

/// A quote from a paper or a web page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// The quoted text.
    pub text: String,
    /// The paper or page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Reference {
    /// What a right answer does if the reference has no values to compare: it agrees with the quotes, or says that
    /// there is no answer.
    #[must_use]
    pub fn behavior(&self) -> Option<String> {
        if let Some(why) = &self.not_answerable {
            return Some(format!("Says that the Atlas does not answer this: {why}"));
        }
        if !self.values.is_empty() || self.quotes.is_empty() {
            return None;
        }
        let quote = |quote: &Quote| {
            let source = quote.source.as_deref().map(|source| format!(" ({source})")).unwrap_or_default();
            format!("“{}”{source}", quote.text)
        };
        let quotes: Vec<String> = self.quotes.iter().map(quote).collect();
        Some(format!("Agrees with {}", quotes.join("; ")))
    }
}

/// A number with the interval of its tolerance: `2%` of it, or an amount in its own unit.
#[must_use]
pub fn within(quantity: Quantity, tolerance: &str) -> Quantity {
    let text = tolerance.trim().trim_start_matches(['±', '+', '-']).trim();
    let (number, is_share) = match text.strip_suffix('%') {
        Some(share) => (share.trim(), true),
        None => (text, false),
    };
    let Ok(number) = number.parse::<Decimal>() else { return quantity };
    let by = if is_share { quantity.number.abs() * number / Decimal::ONE_HUNDRED } else { number };
    let around = Interval::around(quantity.number, by.abs());
    let (low, high) = (around.low.min(quantity.interval.low), around.high.max(quantity.interval.high));
    let interval = Interval::closed(low, high);
    Quantity { interval, ..quantity }
}

fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    some_text_or_number(deserializer)?.ok_or_else(|| serde::de::Error::custom("expected a text or a number"))
}

fn some_text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Some(text),
        number @ serde_json::Value::Number(_) => Some(number.to_string()),
        serde_json::Value::Null => None,
        other => return Err(serde::de::Error::custom(format!("expected a text or a number, found {other}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_a_share_or_an_amount() {
        let of = |text: &str| {
            let around = within(Quantity::exact(Decimal::from(200), Unit::Usd), text).interval;
            (around.low.normalize().to_string(), around.high.normalize().to_string())
        };
        assert_eq!(of("2%"), ("196".to_owned(), "204".to_owned()));
        assert_eq!(of("± 5"), ("195".to_owned(), "205".to_owned()));
        assert_eq!(of("about"), ("200".to_owned(), "200".to_owned()));
    }

    #[test]
    fn a_reference_without_values_says_what_an_answer_does() {
        let read = |text: &str| serde_json::from_str::<Reference>(text).unwrap().behavior();
        assert_eq!(read(r#"{"values": [{"value": 226}]}"#), None);
        let quoted = read(r#"{"quotes": [{"text": "Growth was slow.", "source": "a paper"}]}"#).unwrap();
        assert_eq!(quoted, "Agrees with “Growth was slow.” (a paper)");
        assert!(read(r#"{"not_answerable": "no data on firms"}"#).unwrap().contains("no data on firms"));
    }
}
