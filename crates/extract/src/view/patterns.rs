//! What a spec says of its pages as a whole, compiled: headings, titles, how the site says that there is no page.

use super::section::Headings;
use crate::cue::Cue;
use crate::label::{Label, normalized_labels};
use crate::manifest::spec::Spec;

/// The compiled patterns of a spec that belong to no single point.
#[derive(Debug, Clone)]
pub struct Patterns {
    /// Headings of the sections.
    pub headings: Vec<Headings>,
    /// How each section says that it is not available, normalized.
    pub unavailable: Vec<Vec<String>>,
    /// Headings that name the country.
    pub entity: Vec<Cue>,
    /// The heading that carries the year, in every wording.
    pub year: Vec<Cue>,
    /// The texts of a not-found page, normalized.
    pub not_found: Vec<String>,
    /// Titles of an Explore page.
    pub titles: Vec<Cue>,
    /// Labels of the total of an Explore page, normalized.
    pub total_labels: Vec<String>,
    /// What each point of the spec is found by, for figures and words beside a label.
    pub labels: Vec<Option<Label>>,
}

impl Patterns {
    /// Compiles them.
    ///
    /// # Errors
    /// A heading or title that is no valid pattern.
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

    /// Where a section stands among the headings.
    pub fn section(&self, slug: &str) -> Option<usize> {
        self.headings.iter().position(|section| section.slug == slug)
    }
}
