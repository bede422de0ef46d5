//! Configures how fields are compared: strategies, thresholds, weights and their configuration file
//! (metrics plan, phase 3 and "Field Strategy Config File"; decisions 4 to 6).

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as DeError, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::document::{Json, JsonError, read};
use super::kind::JsonKind;

/// How a field is compared.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Strategy {
    /// The lower-cased texts, as Python prints them, are equal.
    Exact,
    /// The spelling similarity reaches the fuzzy threshold.
    Fuzzy,
    /// The similarity of meaning reaches the semantic threshold.
    Semantic,
    /// Accuracy excludes the field.
    Ignore,
    /// The comparator finds the values equal at displayed precision.
    Display,
    /// The numbers are equal within a tolerance.
    Numeric,
}

atlas_gt_core::words!(Strategy);

impl Strategy {
    /// Finds a strategy by name, ignoring case.
    #[must_use]
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|strategy| strategy.name().eq_ignore_ascii_case(name))
    }
}

/// The tolerance of NUMERIC. Meeting either bound is enough.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tolerance {
    /// Relative to the truth's absolute value: 0.01 is one per cent.
    pub relative: f64,
    /// Absolute, in the value's own unit.
    pub absolute: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { relative: 1e-9, absolute: 0.0 }
    }
}

/// The configured rule of one field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldRule {
    /// The strategy.
    pub strategy: Strategy,
    /// Similarity threshold; overrides the general one.
    pub threshold: Option<f64>,
    /// Tolerance for NUMERIC; overrides the general one.
    pub tolerance: Option<Tolerance>,
}

impl FieldRule {
    /// A rule with the general threshold and tolerance.
    #[must_use]
    pub const fn of(strategy: Strategy) -> Self {
        Self { strategy, threshold: None, tolerance: None }
    }
}

/// How numbers are compared if their field has no configured strategy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, VariantArray)]
#[serde(rename_all = "lowercase")]
pub enum Numbers {
    /// EXACT, as in the metrics plan.
    #[default]
    Exact,
    /// DISPLAY. Also applies to strings that look like a displayed number.
    Display,
}

/// What SEMANTIC does without a judge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, VariantArray)]
#[serde(rename_all = "lowercase")]
pub enum SemanticFallback {
    /// Leaves the field unscored.
    #[default]
    Unscored,
    /// Compares by word overlap and marks the result provisional.
    Lexical,
}

/// Weights of the response quality score (metrics plan, phase 4).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// Weight of accuracy.
    pub accuracy: f64,
    /// Weight of completeness.
    pub completeness: f64,
    /// Weight of hallucination, which is subtracted.
    pub hallucination: f64,
    /// Weight of safety.
    pub safety: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { accuracy: 0.45, completeness: 0.25, hallucination: 0.15, safety: 0.15 }
    }
}

/// The configuration for scoring one object: the options of `score json` and of the suite's scorer `json`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JsonConfig {
    /// Rules of single fields.
    pub strategies: BTreeMap<String, FieldRule>,
    /// Minimum similarity for FUZZY.
    pub fuzzy_threshold: f64,
    /// Minimum similarity for SEMANTIC.
    pub semantic_threshold: f64,
    /// General tolerance for NUMERIC.
    pub tolerance: Tolerance,
    /// Weights of the response quality score.
    pub weights: Weights,
    /// How to compare numbers that have no strategy.
    pub numbers: Numbers,
    /// What SEMANTIC does without a judge.
    pub semantic: SemanticFallback,
    /// Whether to score nested objects by path instead of as a whole.
    pub nested: bool,
    /// The safety score, if judged. Otherwise 1.0 is assumed and reported as not judged.
    pub safety: Option<f64>,
}

impl Default for JsonConfig {
    fn default() -> Self {
        Self {
            strategies: BTreeMap::new(),
            fuzzy_threshold: 0.85,
            semantic_threshold: 0.80,
            tolerance: Tolerance::default(),
            weights: Weights::default(),
            numbers: Numbers::Exact,
            semantic: SemanticFallback::Unscored,
            nested: false,
            safety: None,
        }
    }
}

impl JsonConfig {
    /// The rule for a field and whether it was configured. By default, the type of the truth's value selects the strategy.
    #[must_use]
    pub fn resolve(&self, field: &str, truth: &Json<'_>, kind: Option<JsonKind>) -> (FieldRule, bool) {
        if let Some(rule) = self.strategies.get(field) {
            return (*rule, true);
        }
        let displayed = self.numbers == Numbers::Display
            && match truth {
                Json::Number(_) => true,
                Json::String(text) => looks_displayed(text),
                _ => false,
            };
        let strategy = match kind {
            _ if displayed => Strategy::Display,
            Some(JsonKind::Text) => Strategy::Semantic,
            _ => Strategy::Exact,
        };
        (FieldRule::of(strategy), false)
    }

    /// Checks that thresholds, tolerances, weights and the safety score are in range.
    ///
    /// # Errors
    /// The first value out of range.
    pub fn check(&self) -> Result<(), String> {
        let share = |name: &str, number: f64| {
            if (0.0..=1.0).contains(&number) {
                Ok(())
            } else {
                Err(format!("{name} is {number}: expected a number from 0 to 1"))
            }
        };
        share("the fuzzy threshold", self.fuzzy_threshold)?;
        share("the semantic threshold", self.semantic_threshold)?;
        let Weights { accuracy, completeness, hallucination, safety } = self.weights;
        for (name, weight) in [
            ("accuracy", accuracy),
            ("completeness", completeness),
            ("hallucination", hallucination),
            ("safety", safety),
        ] {
            share(&format!("the weight of {name}"), weight)?;
        }
        if accuracy + completeness + safety <= 0.0 {
            return Err("the weights of accuracy, completeness and safety must not all be zero".to_owned());
        }
        share("the safety score", self.safety.unwrap_or(1.0))?;
        for (field, rule) in &self.strategies {
            share(&format!("the threshold of {field:?}"), rule.threshold.unwrap_or(0.0))?;
        }
        let tolerances = self.strategies.values().filter_map(|rule| rule.tolerance).chain([self.tolerance]);
        for Tolerance { relative, absolute } in tolerances {
            if !(relative.is_finite() && absolute.is_finite() && relative >= 0.0 && absolute >= 0.0) {
                return Err("a tolerance must be a finite number, 0 or more".to_owned());
            }
        }
        Ok(())
    }
}

/// Whether a string looks like a displayed number: short, with optional `USD`, sign or `$` before a digit.
fn looks_displayed(text: &str) -> bool {
    let text = text.trim();
    let number = text
        .trim_start_matches("USD")
        .trim_start_matches([' ', '$', '-', '+', '\u{2212}', '\u{2191}', '\u{2193}']);
    text.len() <= 40
        && number.starts_with(|c: char| c.is_ascii_digit())
        && JsonKind::of(&Json::String(text.into())) == Some(JsonKind::Text)
}

/// Reads a field strategy file: `{"name": "FUZZY", "gdp": {"strategy": "NUMERIC", "relative": 0.01}}`.
///
/// # Errors
/// Invalid JSON, an unknown strategy or option, or a number out of range; with line and column.
pub fn parse_strategies(text: &[u8]) -> Result<BTreeMap<String, FieldRule>, JsonError> {
    read(text)
}

impl<'de> Deserialize<'de> for FieldRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// A strategy by name, or with its options.
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = FieldRule;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a strategy, or an object with `strategy` and its options")
            }

            fn visit_str<E: DeError>(self, name: &str) -> Result<FieldRule, E> {
                named(name).map(FieldRule::of).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FieldRule, A::Error> {
                Options::deserialize(MapAccessDeserializer::new(map))?.rule().map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

fn named(name: &str) -> Result<Strategy, String> {
    Strategy::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Strategy::ALL.iter().map(|strategy| strategy.name()).collect();
        format!("{name:?} is not a strategy: use one of {}", names.join(", "))
    })
}

/// A strategy with its options, as written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    strategy: String,
    threshold: Option<f64>,
    relative: Option<f64>,
    absolute: Option<f64>,
}

impl Options {
    fn rule(self) -> Result<FieldRule, String> {
        let mut rule = FieldRule::of(named(&self.strategy)?);
        for (name, number, fits) in [
            ("threshold", self.threshold, matches!(rule.strategy, Strategy::Fuzzy | Strategy::Semantic)),
            ("relative", self.relative, rule.strategy == Strategy::Numeric),
            ("absolute", self.absolute, rule.strategy == Strategy::Numeric),
        ] {
            let Some(number) = number else { continue };
            if !fits {
                return Err(format!(
                    "{} has no option {name:?}: `threshold` belongs to FUZZY and SEMANTIC, `relative` and `absolute` \
                    to NUMERIC",
                    rule.strategy.name()
                ));
            }
            if number < 0.0 || (name == "threshold" && number > 1.0) {
                let range = if name == "threshold" { "from 0 to 1" } else { "0 or more" };
                return Err(format!("{name:?} must be {range}"));
            }
        }
        rule.threshold = self.threshold;
        rule.tolerance = self.relative.or(self.absolute).map(|_| Tolerance {
            relative: self.relative.unwrap_or_default(),
            absolute: self.absolute.unwrap_or_default(),
        });
        Ok(rule)
    }
}
