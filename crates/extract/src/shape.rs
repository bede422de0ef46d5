//! The overall structure of a page: the sections of its spec, and headings that no spec knows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::{Line, Page};
use super::extractor::Extractor;
use super::observation::Wanted;
use super::view::Source;
use super::view::open::{Parsed, open};
use crate::atlas::AtlasUrl;
use crate::capture::Capture;
use crate::value::Context;

/// The sections of a page, and its other headings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Shape {
    /// Every section in the spec.
    pub sections: Vec<ShapeSection>,
    /// Headings that open no section, in page order.
    pub other_headings: Vec<String>,
}

/// A section of a page. Older surveys have it as a list of slug and heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ShapeSection {
    /// Its slug in the spec.
    pub slug: String,
    /// Its heading; null if it was not found.
    pub heading: Option<String>,
}

/// The distinct texts that may head a section, in page order. On a page without heading markup,
/// these are titles in large type that are far apart.
#[must_use]
pub fn headings(page: &Page) -> Vec<String> {
    let marked = |line: &&Line| line.heading && !line.control;
    let mut lines: Vec<&Line> = page.lines.iter().filter(marked).collect();
    if lines.is_empty() {
        lines = far_apart(page);
    }
    let mut all: Vec<String> = Vec::new();
    for line in lines {
        if !all.contains(&line.text) {
            all.push(line.text.clone());
        }
    }
    all
}

/// The usual minimum number of lines between section headings.
const MIN_DISTANCE: usize = 8;

/// How many of the largest type sizes may be section titles. Word values may be larger than titles.
const TITLE_SIZES: usize = 2;

/// The titles in the largest type sizes, for sizes where most are far apart.
fn far_apart(page: &Page) -> Vec<&Line> {
    let mut sizes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, line) in page.lines.iter().enumerate().filter(|(_, line)| is_title(line)) {
        // positive floats are ordered like their bits
        sizes.entry(line.font.to_bits()).or_default().push(at);
    }
    let gap = |places: &[usize]| {
        let mut gaps: Vec<usize> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable();
        gaps.get(gaps.len() / 2).copied().unwrap_or(0)
    };
    sizes.retain(|_, places| places.len() > 2 && gap(places) >= MIN_DISTANCE);
    let mut largest: Vec<usize> = sizes.into_values().rev().take(TITLE_SIZES).flatten().collect();
    largest.sort_unstable();
    largest.into_iter().map(|at| &page.lines[at]).collect()
}

/// The maximum characters of a title.
const MAX_TITLE: usize = 100;

/// Whether a line may be a title: a short text that is not a control, a figure or a sentence.
#[must_use]
pub fn is_title(line: &Line) -> bool {
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_figure = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit())
            && !is_year(word.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    let letters = line.text.chars().filter(|c| c.is_alphabetic()).count();
    !line.control
        && !line.chart
        && line.font > 0.0
        && letters >= 3
        && line.text.len() <= MAX_TITLE
        && !line.text.ends_with('.')
        && !line.text.split(' ').any(is_figure)
}

impl Extractor {
    /// The sections of a capture; none if it is not the requested page.
    #[must_use]
    pub fn shape(&self, capture: &Capture, url: &AtlasUrl) -> Option<Shape> {
        let parsed = Parsed::of(capture);
        let view = open(self.spec(), self.patterns(), (capture, &parsed), url, Source::Page).ok()?;
        let heading = |at: usize| {
            view.sections.iter().find(|found| found.section == at).map(|found| found.heading.clone())
        };
        let known: Vec<&str> = view.sections.iter().map(|found| found.heading.as_str()).collect();
        let mut other_headings = headings(&view.page);
        other_headings.retain(|text| !known.iter().any(|heading| heading.contains(text.as_str())));
        // a page without headings is one section
        let headed =
            |(_, section): &(usize, &crate::manifest::spec::SpecSection)| !section.headings.is_empty();
        let slugs = self.spec().sections.iter().enumerate().filter(headed);
        let section = |(at, section): (usize, &crate::manifest::spec::SpecSection)| ShapeSection {
            slug: section.slug.clone(),
            heading: heading(at),
        };
        Some(Shape { sections: slugs.map(section).collect(), other_headings })
    }

    /// All points that a page may show for a context. Excludes points that no page shows, and those
    /// with a product or partner that the context does not name.
    #[must_use]
    pub fn on_page(&self, context: &Context) -> Vec<Wanted> {
        let is_asked = |(_, kind): &(_, &dyn super::Kind)| {
            let needs = kind.needs();
            !needs.own
                && (!needs.product || context.product.is_some())
                && (!needs.partner || context.partner.is_some())
        };
        self.kinds().filter(is_asked).map(|(point, _)| self.wanted(&point.id, context)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sections_of_an_older_survey_are_read() {
        let text = r#"{"sections":[["basket","Basket"],["new",null]],"other_headings":[]}"#;
        let shape: Shape = serde_json::from_str(text).unwrap();
        let found: Vec<_> =
            shape.sections.iter().map(|one| (one.slug.as_str(), one.heading.as_deref())).collect();
        assert_eq!(found, [("basket", Some("Basket")), ("new", None)]);
    }
}
