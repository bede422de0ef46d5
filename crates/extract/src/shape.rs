//! What a page shows as a whole: which sections of its spec are there, and which headings no spec knows.

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

/// The sections of a page, and the headings that are none of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Shape {
    /// The slug of every section of the spec, with its heading where it was found.
    pub sections: Vec<(String, Option<String>)>,
    /// Texts that are marked up as headings and open no section, in page order.
    pub other_headings: Vec<String>,
}

/// The texts that may head a section, each once, in page order: those that are marked up as headings, or, on a page that marks
/// up none, the titles in large type that stand far apart.
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

/// Lines from one heading of a section to the next at least, as a rule.
const APART: usize = 8;

/// Sizes of type, the largest first, in which titles of sections may stand: values that are words may be set larger.
const SIZES: usize = 2;

/// The titles in the largest sizes of type of which most stand far apart.
fn far_apart(page: &Page) -> Vec<&Line> {
    let mut sizes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, line) in page.lines.iter().enumerate().filter(|(_, line)| is_title(line)) {
        // the bits of positive numbers are in the order of the numbers
        sizes.entry(line.font.to_bits()).or_default().push(at);
    }
    let gap = |places: &[usize]| {
        let mut gaps: Vec<usize> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable();
        gaps.get(gaps.len() / 2).copied().unwrap_or(0)
    };
    sizes.retain(|_, places| places.len() > 2 && gap(places) >= APART);
    let mut largest: Vec<usize> = sizes.into_values().rev().take(SIZES).flatten().collect();
    largest.sort_unstable();
    largest.into_iter().map(|at| &page.lines[at]).collect()
}

/// Characters of a title at most.
const LONGEST: usize = 100;

/// Whether a line may be the title of something: a short text that is no control, no figure and no sentence.
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
        && line.text.len() <= LONGEST
        && !line.text.ends_with('.')
        && !line.text.split(' ').any(is_figure)
}

impl Extractor {
    /// The sections of a capture; none where it is not the page that was asked for.
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
        // a page without headings of its own is one section
        let headed =
            |(_, section): &(usize, &crate::manifest::spec::SpecSection)| !section.headings.is_empty();
        let slugs = self.spec().sections.iter().enumerate().filter(headed);
        Some(Shape {
            sections: slugs.map(|(at, section)| (section.slug.clone(), heading(at))).collect(),
            other_headings,
        })
    }

    /// All points that a page may show when it is asked for what a context names: those that no page shows are left out, and
    /// those about a product or partner that the context does not name.
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
