//! The pages to mend a spec with, the proposals for it, and what stays open.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::atlas::AtlasUrl;
use crate::capture::Capture;
use crate::extract::observation::Wanted;
use crate::manifest::spec::edit::Edit;

/// A captured page, and the points to read from it.
#[derive(Debug, Clone)]
pub struct MendPage<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its URL.
    pub url: &'a AtlasUrl,
    /// Its capture.
    pub capture: &'a Capture,
    /// The points to read.
    pub wanted: Vec<Wanted>,
}

/// What proves a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// With it, the pages display the values of their responses.
    Displayed,
    /// A heading has the section's position: between its neighbours, or worded like the page's link to it.
    Place,
    /// The same query, or another one of the same type, uses this field name on other pages.
    SameType,
    /// Another type renamed the field in the same way, and no page contradicts it.
    SameName,
    /// The field has, row by row, the values that the old field had in stored responses of the same query.
    StoredValues,
    /// None: a person must decide.
    None,
}

impl Proof {
    /// The proof as text.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Displayed => "displayed",
            Self::Place => "its position on the page",
            Self::SameType => "same type in the schema",
            Self::SameName => "renamed the same way in another type",
            Self::StoredValues => "same values as the stored evidence",
            Self::None => "not proven",
        }
    }
}

/// A change of a spec that restores missing points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proposal {
    /// Its id, for accepting it: `country_profile/total_exports`.
    pub id: String,
    /// The extractor.
    pub extractor: String,
    /// What was renamed: `heading`, `label`, `cue`, `caption`, `field`.
    pub kind: String,
    /// What proves it.
    pub proof: Proof,
    /// The old wordings.
    pub old: Vec<String>,
    /// The new wording.
    pub new: String,
    /// The edits of the spec.
    pub edits: Vec<Edit>,
    /// The points it restores, or whose response it restores. For a heading, those of its section.
    pub points: Vec<String>,
    /// The values read with it, page by page.
    pub reads: Vec<ReadAgain>,
}

impl Proposal {
    /// The same proposal with another wording.
    #[must_use]
    pub fn reworded(&self, wording: &str) -> Self {
        let mut other = Self { new: wording.to_owned(), ..self.clone() };
        for edit in other.edits.iter_mut().filter(|edit| edit.wording() == self.new) {
            edit.set_wording(wording);
        }
        other
    }
}

/// A value read with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadAgain {
    /// The page.
    pub page: String,
    /// The point.
    pub point: String,
    /// The displayed value.
    pub displayed: String,
    /// The response's value.
    pub response: String,
}

/// A missing point or section without a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unmended {
    /// The extractor.
    pub extractor: String,
    /// The point or section.
    pub subject: String,
    /// Why.
    pub why: String,
    /// The possible wordings if there are several, or the ids of unproven proposals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub either: Vec<String>,
}

/// The proposals for a spec, and what stays open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mending {
    /// Proposals with the only wording that works.
    pub unique: Vec<Proposal>,
    /// Proposals without proof, for manual review.
    pub unproven: Vec<Proposal>,
    /// Points and sections without a proposal.
    pub open: Vec<Unmended>,
}
