//! What a text is scored against: key facts, required sections, relevant sources (decision 2).

use serde::{Deserialize, Serialize};

/// The input of the threshold metrics, as `facts.json` holds it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Facts {
    /// What the text should say.
    pub facts: Vec<Fact>,
    /// Headings that it should have.
    pub required_sections: Vec<String>,
    /// Queries with the sources that answer them.
    pub queries: Vec<Query>,
    /// Whether declining to answer is the right answer (decision 3).
    pub expects_refusal: bool,
    /// Where the mean reciprocal rank starts to earn points.
    pub mrr_bands: MrrBands,
}

/// A key fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "a fact: a text, or an object with `any_of`, `value` or both")]
pub enum Fact {
    /// Found by its words; a number in it through the comparator.
    Text(String),
    /// Found by one of several wordings, by a value, or by both.
    Spec(FactSpec),
}

/// A fact with alternatives.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FactSpec {
    /// Wordings of which one suffices.
    pub any_of: Vec<String>,
    /// A value as displayed, found through the comparator: `$2,274`, `116th of 145`.
    pub value: Option<String>,
}

/// A query with its relevant sources.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// What was asked, for the trace.
    pub query: Option<String>,
    /// Web addresses, any of which answers it.
    pub relevant_sources: Vec<String>,
}

/// Lower ends of the bands of the mean reciprocal rank (decision 1: our own cut-offs).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MrrBands {
    /// From here on one point.
    pub fair: f64,
    /// From here on two points.
    pub excellent: f64,
}

impl Default for MrrBands {
    fn default() -> Self {
        Self { fair: 0.3, excellent: 0.7 }
    }
}

impl Fact {
    /// The fact as the trace names it.
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
    /// Checks what the types cannot.
    ///
    /// # Errors
    /// The first empty fact, section or source, or cut-offs out of order, in words.
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
