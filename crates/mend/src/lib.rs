//! Finds the new wording of what a spec no longer finds on its pages. For most points the page's own response has the
//! value, so the text beside that value is the new wording. Every proposal is tested by reading the pages with it.

use atlas_gt_core::{atlas, capture, error, evidence, value};
use atlas_gt_extract as extract;
use atlas_gt_extract::manifest;

mod cues;
mod fields;
mod headings;
mod labels;
mod renames;
mod stored;
mod tables;
mod titles;
mod trial;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::atlas::{Api, AtlasUrl};
use crate::capture::Capture;
use crate::error::Result;
use crate::extract::observation::{FailureKind, Wanted};
use crate::manifest::spec::Spec;
use crate::manifest::spec::edit::Edit;
use fields::Fields;
use trial::Trial;

pub use renames::Renames;

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
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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

/// A value read with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Mending {
    /// Proposals with the only wording that works.
    pub unique: Vec<Proposal>,
    /// Proposals without proof, for manual review.
    pub unproven: Vec<Proposal>,
    /// Points and sections without a proposal.
    pub open: Vec<Unmended>,
}

/// Proposes changes of specs from pages that they cannot read, in the order of the specs. Field renames proven with one
/// spec are known to the others.
///
/// # Errors
/// A spec cannot be compiled.
pub fn propose(
    specs: &[(&Spec, Vec<MendPage<'_>>)],
    known: &mut BTreeMap<Api, Renames>,
) -> Result<Vec<Mending>> {
    let mut mendings: Vec<Mending> = vec![Mending::default(); specs.len()];
    let mut trials: Vec<Trial<'_>> =
        specs.iter().map(|(spec, pages)| Trial::new(spec, pages)).collect::<Result<_>>()?;
    let mut fields = Vec::new();
    for (trial, mending) in trials.iter_mut().zip(&mut mendings) {
        // The requests of a refused page are unknown until it opens.
        if !trial.missing().is_empty() {
            titles::propose(trial, mending, &fields::are_renamed(trial))?;
        }
        fields.push(Fields::of(trial));
    }
    // A proof from one spec may help any other. A name alone is the weakest proof, so it comes last.
    loop {
        let mut is_more = false;
        for by_name in [false, true] {
            for ((trial, mending), fields) in trials.iter_mut().zip(&mut mendings).zip(&mut fields) {
                let known = known.entry(trial.api()).or_default();
                is_more |= match by_name {
                    false => fields.propose(trial, mending, known)?,
                    true => fields.propose_by_name(trial, mending, known)?,
                };
            }
            if is_more {
                break;
            }
        }
        if !is_more {
            break;
        }
    }
    for ((trial, mending), fields) in trials.iter_mut().zip(&mut mendings).zip(&fields) {
        fields.leave(trial, mending, known.entry(trial.api()).or_default());
        wordings(trial, mending)?;
        for (point, unread) in trial.unread() {
            if !mending.open.iter().any(|one| one.subject == point) {
                trial.leave(mending, &point, &unread.to_string(), Vec::new());
            }
        }
    }
    Ok(mendings)
}

/// Proposes new wordings for points that the spec no longer finds.
fn wordings(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    if trial.missing().is_empty() {
        return Ok(());
    }
    titles::total(trial, mending)?;
    headings::propose(trial, mending)?;
    trial.reread();
    labels::propose(trial, mending)?;
    cues::propose(trial, mending)?;
    tables::propose(trial, mending)?;
    trial::captions(trial, mending)?;
    for (point, failure) in trial.missing() {
        if mending.open.iter().any(|one| one.subject == point) {
            continue;
        }
        let why = match failure {
            _ if !trial.has_value(&point) => "no response of the page has its displayed value".to_owned(),
            FailureKind::Unrecognised(_) | FailureKind::SectionMissing => {
                "no heading was found for its section".to_owned()
            }
            other => format!("no text next to its value was found: {other}"),
        };
        let extractor = trial.spec().name.clone();
        mending.open.push(Unmended { extractor, subject: point, why, either: Vec::new() });
    }
    Ok(())
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

/// The values that a proposal reads from some pages in agreement with the response.
///
/// # Errors
/// The spec does not compile with it.
pub fn reads(spec: &Spec, pages: &[MendPage<'_>], proposal: &Proposal) -> Result<Vec<ReadAgain>> {
    let trial = Trial::new(spec, pages)?.with(&proposal.edits, &proposal.points)?;
    let given: Vec<String> = proposal.points.iter().filter(|point| trial.gives(point)).cloned().collect();
    Ok(trial.reads(&given))
}

/// The spec key for another wording of a point; `None` if the point is not found by wording.
fn wording_key(spec: &Spec, point: &str) -> Option<&'static str> {
    match spec.point(point)?.find.kind.as_str() {
        "stat" | "drawn" => Some("labels"),
        "narrative" => Some("cues"),
        "partners" => Some("captions"),
        _ => None,
    }
}
