//! Finds what a page now calls the things that a spec no longer finds. For most points the page's own response gives the value,
//! so the text beside that value is the new wording. Every proposal is tried by reading the pages with it.

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

/// A page that was captured, and what is wanted of it.
#[derive(Debug, Clone)]
pub struct MendPage<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its address.
    pub url: &'a AtlasUrl,
    /// The page.
    pub capture: &'a Capture,
    /// The points.
    pub wanted: Vec<Wanted>,
}

/// What proves a proposal.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// With it, the pages display what their responses say.
    Displayed,
    /// A heading is where the section should be: between those of its neighbours, or worded as in the page's link to it.
    Place,
    /// The same query, or another of the same type, has the field by this name on other pages.
    SameType,
    /// Another type that had the field now has it by this name, and no page contradicts it.
    SameName,
    /// The field holds, row by row, what the old field held in stored responses of the same query.
    StoredValues,
    /// Nothing: a person has to know it.
    None,
}

impl Proof {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Displayed => "displayed",
            Self::Place => "its place on the page",
            Self::SameType => "same type in the schema",
            Self::SameName => "same change of name in another type",
            Self::StoredValues => "same values as the stored evidence",
            Self::None => "not proven",
        }
    }
}

/// A change of a spec that restores what was missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Proposal {
    /// What it is accepted by: `country_profile/total_exports`.
    pub id: String,
    /// The extractor.
    pub extractor: String,
    /// What was renamed: `heading`, `label`, `cue`, `caption`, `field`.
    pub kind: String,
    /// What proves it.
    pub proof: Proof,
    /// The old wordings.
    pub old: Vec<String>,
    /// The new one.
    pub new: String,
    /// The changes of the spec.
    pub edits: Vec<Edit>,
    /// The points that it restores, or whose response it restores; for a heading, those of its section.
    pub points: Vec<String>,
    /// What is read with it, page by page.
    pub reads: Vec<ReadAgain>,
}

/// A value that is read with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ReadAgain {
    /// The page.
    pub page: String,
    /// The point.
    pub point: String,
    /// The value as displayed.
    pub displayed: String,
    /// What the response says.
    pub response: String,
}

/// Something that is missing and has no proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Unmended {
    /// The extractor.
    pub extractor: String,
    /// The point, or the section.
    pub subject: String,
    /// Why.
    pub why: String,
    /// The wordings that would work, if there are several, or the ids of what may be accepted without proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub either: Vec<String>,
}

/// What is proposed for a spec, and what is not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Mending {
    /// Proposals whose wording is the only one that works.
    pub unique: Vec<Proposal>,
    /// Proposals without proof, which a person may accept.
    pub unproven: Vec<Proposal>,
    /// What stays missing.
    pub open: Vec<Unmended>,
}

/// Proposes changes of specs by pages that they do not read, in the order of the specs. What one of them proves of the fields
/// of an API is known to the others.
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
        // what a refused page asks for is unknown until it opens
        if !trial.missing().is_empty() {
            titles::propose(trial, mending, &fields::are_renamed(trial))?;
        }
        fields.push(Fields::of(trial));
    }
    // what one spec proves of a type is what another lacks, whichever comes first; a name alone is the weakest proof
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

/// Proposes wordings for what the pages of a spec no longer show as it says.
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
            _ if !trial.has_value(&point) => {
                "no response of the page holds its value as it is shown".to_owned()
            }
            FailureKind::Unrecognised(_) | FailureKind::SectionMissing => {
                "no heading was found for its section".to_owned()
            }
            other => format!("no text that stands with its value was found: {other}"),
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

/// What is read of some pages with a proposal and agrees with its response.
///
/// # Errors
/// The spec cannot be compiled with it.
pub fn reads(spec: &Spec, pages: &[MendPage<'_>], proposal: &Proposal) -> Result<Vec<ReadAgain>> {
    let trial = Trial::new(spec, pages)?.with(&proposal.edits, &proposal.points)?;
    let given: Vec<String> = proposal.points.iter().filter(|point| trial.gives(point)).cloned().collect();
    Ok(trial.reads(&given))
}

/// The key of a spec that another wording of a point would stand under; none where it is found by no wording.
fn wording_key(spec: &Spec, point: &str) -> Option<&'static str> {
    match spec.point(point)?.find.kind.as_str() {
        "stat" | "drawn" => Some("labels"),
        "narrative" => Some("cues"),
        "partners" => Some("captions"),
        _ => None,
    }
}
