//! Finds the new wording of what a spec no longer finds on its pages. For most points the page's own response has the
//! value, so the text beside that value is the new wording. Every proposal is tested by reading the pages with it.

use atlas_gt_core::{atlas, capture, error, evidence, value};
use atlas_gt_extract as extract;
use atlas_gt_extract::manifest;

mod cues;
mod fields;
mod headings;
mod labels;
mod mending;
mod renames;
mod stored;
mod tables;
mod titles;
mod trial;

use std::collections::BTreeMap;

use crate::atlas::Api;
use crate::error::Result;
use crate::extract::observation::FailureKind;
use crate::manifest::spec::Spec;
use fields::Fields;
use trial::Trial;

pub use mending::{MendPage, Mending, Proof, Proposal, ReadAgain, Unmended};
pub use renames::Renames;

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

/// The values that a proposal reads from some pages in agreement with the response.
///
/// # Errors
/// The spec does not compile with it.
pub fn reads(spec: &Spec, pages: &[MendPage<'_>], proposal: &Proposal) -> Result<Vec<ReadAgain>> {
    let trial = Trial::new(spec, pages)?.with(&proposal.edits, &proposal.points)?;
    let given: Vec<String> = proposal.points.iter().filter(|point| trial.gives(point)).cloned().collect();
    Ok(trial.reads(&given))
}
