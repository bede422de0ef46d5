//! The expectations for a text: key facts, required sections, relevant sources (decision 2).

use serde::{Deserialize, Serialize};

/// The input of the threshold metrics, the format of `facts.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Facts {
    /// Facts that the text should state.
    pub facts: Vec<Fact>,
    /// Headings that the text should have.
    pub required_sections: Vec<String>,
    /// Queries with their relevant sources.
    pub queries: Vec<Query>,
    /// Whether a refusal is the right answer (decision 3).
    pub expects_refusal: bool,
    /// The bands of the mean reciprocal rank.
    pub mrr_bands: MrrBands,
}

/// A key fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "a fact: a text, or an object with `any_of`, `value` or both")]
pub enum Fact {
    /// Found by its words; numbers are matched by the comparator.
    Text(String),
    /// Found by one of several wordings, by a value, or both.
    Spec(FactSpec),
}

/// A fact with alternatives.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FactSpec {
    /// Alternative wordings; one is enough.
    pub any_of: Vec<String>,
    /// A displayed value, matched by the comparator: `$2,274`, `116th of 145`.
    pub value: Option<String>,
}

/// A query with its relevant sources.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// The query's text, for the trace.
    pub query: Option<String>,
    /// Web addresses; any of them answers the query.
    pub relevant_sources: Vec<String>,
}

/// The lower edges of the bands of the mean reciprocal rank (our own thresholds by decision 1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MrrBands {
    /// From this value on: one point.
    pub fair: f64,
    /// From this value on: two points.
    pub excellent: f64,
}

impl Default for MrrBands {
    fn default() -> Self {
        Self { fair: 0.3, excellent: 0.7 }
    }
}

impl Fact {
    /// The fact's label in the trace.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Spec(FactSpec { any_of, value }) => {
                let wordings = any_of.join(" | ");
                match value {
                    Some(value) if any_of.is_empty() => value.clone(),
                    Some(value) => format!("{wordings}: {value}"),
                    None => wordings,
                }
            }
        }
    }
}

impl Facts {
    /// Checks the values.
    ///
    /// # Errors
    /// An empty fact or section, or bands out of order.
    pub fn check(&self) -> Result<(), String> {
        for (position, fact) in self.facts.iter().enumerate() {
            let empty = match fact {
                Fact::Text(text) => text.trim().is_empty(),
                Fact::Spec(FactSpec { any_of, value }) => {
                    (any_of.is_empty() && value.is_none())
                        || any_of.iter().chain(value).any(|text| text.trim().is_empty())
                }
            };
            if empty {
                return Err(format!("fact {} is empty: give a text, `any_of` or `value`", position + 1));
            }
        }
        if self.required_sections.iter().any(|section| section.trim().is_empty()) {
            return Err("a required section has no name".to_owned());
        }
        let MrrBands { fair, excellent } = self.mrr_bands;
        if !(0.0 <= fair && fair <= excellent && excellent <= 1.0) {
            return Err("`mrr_bands` must hold 0 ≤ fair ≤ excellent ≤ 1".to_owned());
        }
        Ok(())
    }
}
