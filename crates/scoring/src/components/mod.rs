//! Component evaluation: classification, entity extraction and id resolution of an agent, each against cases with known answers
//! (evaluation strategy, section 2, tier 2, and section 6, phase 1). No judge: values are equal or they are not.

mod case;
mod check;
mod field;
mod report;
mod scorer;
#[cfg(test)]
mod tests;

pub use case::{CaseProblem, ComponentCase, Tier, read_cases};
pub use check::check_case;
pub use field::{FIELDS, Field};
pub use report::{AnsweredCase, CaseFailure, ComponentMetric, ComponentReport, TierReport, report};
pub use scorer::{FieldDetails, FieldMiss};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A part of the agent that is evaluated by itself.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Component {
    /// Which query type a question is of, and which are rejected.
    Classification,
    /// Which countries, products, years and settings it names.
    Extraction,
    /// Which internal ids these have.
    IdResolution,
}

atlas_gt_core::words!(Component);

impl Component {
    /// The name of its file of cases.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Classification => "classification.json",
            Self::Extraction => "entity_extraction.json",
            Self::IdResolution => "id_resolution.json",
        }
    }

    /// The cases that come with the program.
    #[must_use]
    pub const fn built_in(self) -> &'static str {
        match self {
            Self::Classification => include_str!("../../../../manifests/components/classification.json"),
            Self::Extraction => include_str!("../../../../manifests/components/entity_extraction.json"),
            Self::IdResolution => include_str!("../../../../manifests/components/id_resolution.json"),
        }
    }
}
