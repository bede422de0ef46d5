//! Option values that are the variants of a library type, or a share.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use strum::VariantArray;

use crate::words::name;

/// Parses a variant of a type, and lists the variants in help with the descriptions of their
/// schema.
pub(super) fn choice<T>() -> impl TypedValueParser<Value = T>
where
    T: VariantArray + Serialize + JsonSchema + Copy + Send + Sync,
{
    let schema = schemars::schema_for!(T);
    let described = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    let value = |variant: &T| {
        let word = name(variant);
        let row = described.iter().find(|row| row["const"] == word);
        let help = row.and_then(|row| row["description"].as_str()).unwrap_or_default();
        PossibleValue::new(word).help(help.trim_end_matches('.').to_owned())
    };
    PossibleValuesParser::new(T::VARIANTS.iter().map(value)).try_map(|word| {
        T::VARIANTS.iter().copied().find(|variant| name(variant) == word).ok_or("unknown value")
    })
}

/// Parses an amount of dollars.
pub(super) fn dollars(text: &str) -> Result<Decimal, String> {
    let dollars = text.parse().ok().filter(|dollars| *dollars >= Decimal::ZERO);
    dollars.ok_or_else(|| "expected a number of dollars, 0 or more".to_owned())
}

/// Parses a share from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "use a share from 0 to 1".to_owned())
}
