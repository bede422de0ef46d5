//! The compiled page patterns of a spec: headings, titles, and the texts of a missing page.

use super::section::Headings;
use crate::cue::Cue;
use crate::label::{Label, normalized_labels};
use crate::manifest::Diagnostic;
use crate::manifest::spec::{Spec, SpecSection};

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
    /// Headings or titles are not valid patterns.
    pub fn new(spec: &Spec) -> Result<Self, Vec<Diagnostic>> {
        let mut found = Vec::new();
        let mut cues = |field: &str, sources: &[String]| cues(field, sources, &mut found);
        let headings = |(index, section): (usize, &SpecSection)| Headings {
            slug: section.slug.clone(),
            cues: cues(&format!("sections[{index}].headings"), &section.headings),
        };
        let patterns = Self {
            headings: spec.sections.iter().enumerate().map(headings).collect(),
            unavailable: spec
                .sections
                .iter()
                .map(|section| normalized_labels(&section.unavailable))
                .collect(),
            entity: cues("entity_headings", &spec.entity_headings),
            year: cues("year_heading", &spec.year_heading),
            not_found: normalized_labels(&spec.not_found.texts),
            titles: cues("titles", &spec.titles),
            total_labels: normalized_labels(&spec.total_labels),
            labels: Vec::new(),
        };
        if found.is_empty() { Ok(patterns) } else { Err(found) }
    }

    /// The index of a section among the headings.
    pub fn section(&self, slug: &str) -> Option<usize> {
        self.headings.iter().position(|section| section.slug == slug)
    }
}

/// The compiled patterns of a field. Adds those that are invalid to `found`.
fn cues(field: &str, sources: &[String], found: &mut Vec<Diagnostic>) -> Vec<Cue> {
    let mut cues = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        match Cue::new(source, None) {
            Ok(cue) => cues.push(cue),
            Err(what) => found.push(*Diagnostic::of(format!("{field}[{index}]"), what)),
        }
    }
    cues
}
