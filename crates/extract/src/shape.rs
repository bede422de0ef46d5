//! What a page shows as a whole: which sections of its spec are there, and which headings no spec knows.

use serde::{Deserialize, Serialize};

use super::document::Page;
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

/// The texts that are marked up as headings and are no controls, each once, in page order.
#[must_use]
pub fn headings(page: &Page) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in page.lines.iter().filter(|line| line.heading && !line.control) {
        if !all.contains(&line.text) {
            all.push(line.text.clone());
        }
    }
    all
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
        let headed = |(_, section): &(usize, &crate::manifest::spec::Section)| !section.headings.is_empty();
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
