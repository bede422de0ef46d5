//! The compiled page patterns of a spec: headings, titles, and the texts of a missing page.

use super::section::Headings;
use crate::cue::Cue;
use crate::label::{Label, normalized_labels};
use crate::manifest::spec::Spec;

/// The compiled patterns that belong to no single point.
#[derive(Debug, Clone)]
pub struct Patterns {
    /// The section headings.
    pub headings: Vec<Headings>,
    /// The texts of unavailable sections, normalized.
    pub unavailable: Vec<Vec<String>>,
    /// Headings with the country name.
    pub entity: Vec<Cue>,
    /// The heading with the year, in every wording.
    pub year: Vec<Cue>,
    /// The texts of a not-found page, normalized.
    pub not_found: Vec<String>,
    /// The titles of an Explore page.
    pub titles: Vec<Cue>,
    /// The labels of an Explore page's total, normalized.
    pub total_labels: Vec<String>,
    /// The label of each point of the spec, for figures and words beside one.
    pub labels: Vec<Option<Label>>,
}

impl Patterns {
    /// Compiles the patterns of a spec.
    ///
    /// # Errors
    /// A heading or title is not a valid pattern.
    pub fn new(spec: &Spec) -> Result<Self, String> {
        let cues =
            |sources: &[String]| sources.iter().map(|cue| Cue::new(cue, None)).collect::<Result<Vec<_>, _>>();
        let headings = spec
            .sections
            .iter()
            .map(|section| Ok(Headings { slug: section.slug.clone(), cues: cues(&section.headings)? }))
            .collect::<Result<_, String>>()?;
        Ok(Self {
            headings,
            unavailable: spec
                .sections
                .iter()
                .map(|section| normalized_labels(&section.unavailable))
                .collect(),
            entity: cues(&spec.entity_headings)?,
            year: cues(&spec.year_heading)?,
            not_found: normalized_labels(&spec.not_found.texts),
            titles: cues(&spec.titles)?,
            total_labels: normalized_labels(&spec.total_labels),
            labels: Vec::new(),
        })
    }

    /// The index of a section among the headings.
    pub fn section(&self, slug: &str) -> Option<usize> {
        self.headings.iter().position(|section| section.slug == slug)
    }
}
