//! What a page calls the things that a spec no longer finds: for most points the page's own response says the value, so
//! where that value stands says the wording. Every proposal is tried by reading the pages with it.

mod cues;
mod fields;
mod headings;
mod labels;
mod tables;
mod titles;
mod trial;

use serde::{Deserialize, Serialize};

use super::extractor::Extractor;
use super::observation::{FailureKind, Wanted};
use crate::atlas::AtlasUrl;
use crate::capture::Capture;
use crate::error::Result;
use crate::manifest::spec::Spec;
use crate::manifest::spec::edit::Edit;
use trial::Trial;

pub use fields::Renames;

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

/// A change of a spec that gives back what was missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// What it is accepted by: `country_profile/total_exports`.
    pub id: String,
    /// The extractor.
    pub extractor: String,
    /// What is called otherwise: `heading`, `label`, `cue`, `caption`, `field`.
    pub kind: String,
    /// The old wordings.
    pub old: Vec<String>,
    /// The new one.
    pub new: String,
    /// The changes of the spec.
    pub edits: Vec<Edit>,
    /// The points that it gives back, or gives their response back; those of the section for a heading.
    pub points: Vec<String>,
    /// What is read with it, page by page.
    pub reads: Vec<ReadAgain>,
}

/// A value that is read with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// Something that is missing and for which nothing is proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmended {
    /// The extractor.
    pub extractor: String,
    /// The point, or the section.
    pub subject: String,
    /// Why.
    pub why: String,
    /// The wordings that would do, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub either: Vec<String>,
}

/// What is proposed for a spec, and what is not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mending {
    /// Proposals whose wording is the only one that does.
    pub unique: Vec<Proposal>,
    /// What stays missing.
    pub open: Vec<Unmended>,
}

/// Proposes changes of a spec by pages that it does not read. What fields of the API are called by now is known from other
/// specs, and kept for the next.
///
/// # Errors
/// The spec cannot be compiled.
pub fn propose(spec: &Spec, pages: &[MendPage<'_>], known: &mut Renames) -> Result<Mending> {
    let mut mending = Mending::default();
    let mut trial = Trial::new(spec, pages)?;
    fields::propose(&mut trial, &mut mending, known)?;
    if trial.missing().is_empty() {
        return Ok(mending);
    }
    titles::propose(&mut trial, &mut mending)?;
    headings::propose(&mut trial, &mut mending)?;
    trial.reread();
    labels::propose(&mut trial, &mut mending)?;
    cues::propose(&mut trial, &mut mending)?;
    tables::propose(&mut trial, &mut mending)?;
    trial::captions(&mut trial, &mut mending)?;
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
        mending.open.push(Unmended { extractor: spec.name.clone(), subject: point, why, either: Vec::new() });
    }
    Ok(mending)
}

impl Proposal {
    /// The same with another wording in the place of the new one.
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

impl Extractor {
    /// Whether a point may be found by another wording at all.
    pub(super) fn wording_key(&self, point: &str) -> Option<&'static str> {
        match self.spec().point(point)?.find.kind.as_str() {
            "stat" => Some("labels"),
            "narrative" => Some("cues"),
            "partners" => Some("captions"),
            "drawn" => Some("labels"),
            _ => None,
        }
    }
}
