//! Component evaluation: tests an agent's classification, entity extraction and id resolution on cases with known answers
//! (evaluation strategy, section 2, tier 2, and section 6, phase 1). No judge: values either match or differ.

mod case;
mod check;
mod field;
mod report;
mod scorer;
#[cfg(test)]
mod tests;

pub use case::{CaseProblem, ComponentCase, Tier, read_cases};
use check::check_case;
pub use field::{FIELDS, Field};
pub use report::{AnsweredCase, CaseFailure, ComponentMetric, ComponentReport, TierReport, report};
pub use scorer::{FieldDetails, FieldMiss};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A part of the agent that is evaluated on its own.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Component {
    /// Classifies a question by query type, or rejects it.
    Classification,
    /// Extracts the countries, products, years and settings from a question.
    Extraction,
    /// Resolves names to internal ids.
    IdResolution,
}

atlas_gt_core::words!(Component);

impl Component {
    /// The name of the component's case file.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Classification => "classification.json",
            Self::Extraction => "entity_extraction.json",
            Self::IdResolution => "id_resolution.json",
        }
    }

    /// The built-in cases.
    #[must_use]
    pub const fn built_in(self) -> &'static str {
        match self {
            Self::Classification => include_str!("../../../../manifests/components/classification.json"),
            Self::Extraction => include_str!("../../../../manifests/components/entity_extraction.json"),
            Self::IdResolution => include_str!("../../../../manifests/components/id_resolution.json"),
        }
    }
}
