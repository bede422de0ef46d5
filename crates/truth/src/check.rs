//! One check of a question's page, as a line of `checks.jsonl` keeps it.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::files::whole_seconds;
use atlas_gt_core::question_id::QuestionId;

/// The file name.
pub(super) const FILE: &str = "checks.jsonl";

/// The outcome of a page check in `checks.jsonl`: whether the record still holds. How the reading was filed in the
/// store is another outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// The same values.
    Unchanged,
    /// Different values, which are pending.
    Differs,
    /// A weaker source has different values: the page should be checked.
    Suspect,
    /// Nothing could be read, so nothing changed or was confirmed.
    Failed,
}

impl CheckOutcome {
    /// Whether the question's values were really read.
    #[must_use]
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Unchanged | Self::Differs)
    }
}

/// One check of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// When, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub timestamp: Timestamp,
    /// The question. Older lines may have it as an integer.
    pub question_id: QuestionId,
    /// The outcome.
    pub outcome: CheckOutcome,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The data release on the site at that time, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_vintage: Option<String>,
}
