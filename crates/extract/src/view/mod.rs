//! Which page a capture shows: whose, of which year and classification, what it says otherwise than its address, and where
//! its sections are. Country and Explore pages are one kind of thing here.

pub mod entity;
pub mod open;
mod patterns;
pub mod requested;
pub mod section;
mod title;

pub use patterns::Patterns;

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::document::{Lines, Page};
use super::observation::{FailureKind, Miss};
use super::response::catalogues::Catalogues;
use super::response::rows::RowIndex;
use super::response::{self, Exchanges, ResponseValue, Root};
use crate::atlas::{AtlasUrl, CountryId};
use crate::capture::Exchange;
use crate::manifest::spec::{Point, Rows, Spec};
use crate::value::{Context, ContextPart};
use entity::Subject;
use requested::RequestedView;

/// Everything that is known of a capture before the first point is looked for.
pub struct View<'a> {
    /// The spec that reads it.
    pub spec: &'a Spec,
    /// The spec's patterns, compiled.
    pub patterns: &'a Patterns,
    /// What was asked for.
    pub requested: RequestedView<'a>,
    /// Whose page it is.
    pub subject: Subject,
    /// The page as lines, blocks and boxes.
    pub page: Rc<Page>,
    /// The sections that were found.
    pub sections: Vec<section::Found>,
    /// Sticky headers by the section that they were seen at.
    pub sticky: Vec<(usize, Rc<Page>)>,
    /// Pages after an interaction, by its name.
    pub states: Vec<(String, Rc<Page>)>,
    /// The responses.
    pub exchanges: Exchanges<'a>,
    /// The products and places that the responses list.
    pub catalogues: Catalogues,
    /// Where the responses come from.
    pub source: Source,
    rows: RefCell<Vec<(usize, Rows, Rc<RowIndex<'a>>)>>,
    shared: RefCell<HashMap<(TypeId, String), Rc<dyn Any>>>,
}

/// Where the responses of a view come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The page's own queries.
    Page,
    /// The page's queries, and ours for what these lack.
    PageAndOurs,
    /// Our queries alone: there is no page.
    Ours,
}

impl<'a> View<'a> {
    /// What answers to queries of our own say, without any page.
    pub fn of_answers(
        spec: &'a Spec,
        patterns: &'a Patterns,
        answers: &'a [Exchange],
        url: &'a AtlasUrl,
    ) -> Self {
        Self::new(spec, patterns, url, None, Source::Ours, Exchanges::read_ours(answers, &spec.renamed))
    }

    /// A view without a page: its responses alone.
    pub fn new(
        spec: &'a Spec,
        patterns: &'a Patterns,
        url: &'a AtlasUrl,
        settled_url: Option<&str>,
        source: Source,
        exchanges: Exchanges<'a>,
    ) -> Self {
        let requested = RequestedView::new(url, settled_url, &exchanges);
        Self {
            spec,
            patterns,
            subject: Subject { country: requested.country() },
            requested,
            page: Rc::default(),
            sections: Vec::new(),
            sticky: Vec::new(),
            states: Vec::new(),
            catalogues: Catalogues::read(&exchanges),
            exchanges,
            source,
            rows: RefCell::default(),
            shared: RefCell::default(),
        }
    }

    /// The country that it is about.
    pub fn country(&self) -> Option<CountryId> {
        self.subject.country
    }

    /// The page that a point is on, and its lines there: of its section, or all where the page has none.
    ///
    /// # Errors
    /// The section is not on the page, or the page was not seen after the interaction that shows it.
    pub fn region(&self, point: &Point) -> Result<(&Page, Lines), Miss> {
        let missing = |nearest| Miss { kind: FailureKind::SectionMissing, nearest };
        let section = self.patterns.section(&point.section).ok_or_else(|| missing(None))?;
        let headings = &self.patterns.headings[section];
        if let Some(state) = &point.state {
            let page = self.states.iter().find(|(name, _)| name == state).map(|(_, page)| page);
            let page = page.ok_or_else(|| missing(Some(format!("the page was not seen after `{state}`"))))?;
            let found = section::find(page, &self.patterns.headings);
            let lines = found.into_iter().find(|found| found.section == section).map(|found| found.lines);
            return lines.map(|lines| (&**page, lines)).ok_or_else(|| missing(None));
        }
        if headings.cues.is_empty() && self.sections.is_empty() {
            return Ok((&self.page, 0..self.page.lines.len()));
        }
        let found = self.sections.iter().find(|found| found.section == section);
        found.map(|found| (&*self.page, found.lines.clone())).ok_or_else(|| {
            let heading = headings.cues.first().map_or("", |cue| cue.source.as_str());
            missing(section::nearest(&self.page, 0..self.page.lines.len(), heading))
        })
    }

    /// How the section of a point says that it is not available for this country, where it says so.
    ///
    /// # Errors
    /// As [`View::region`].
    pub fn notice(&self, point: &Point) -> Result<Option<&str>, Miss> {
        let (page, lines) = self.region(point)?;
        let notices = self.patterns.section(&point.section).map(|at| &self.patterns.unavailable[at]);
        let is_there = |notice: &&String| {
            page.lines[lines.clone()].iter().any(|line| line.normalized.contains(notice.as_str()))
        };
        Ok(notices.into_iter().flatten().find(is_there).map(String::as_str))
    }

    /// Whether the page is about something else than a point: its treemap shows the other direction of trade.
    ///
    /// # Errors
    /// It is: what.
    pub fn fits(&self, point: &Point) -> Result<(), Miss> {
        let other =
            point.context.flow.filter(|flow| self.requested.shows_flow() && *flow != self.requested.flow);
        if other.is_none() {
            return Ok(());
        }
        let shown = Context { flow: Some(self.requested.flow), ..Context::default() };
        let what = format!(
            "`{}` is about the {} of a page, this one shows {}s",
            point.id,
            point.context.part(ContextPart::Flow),
            shown.part(ContextPart::Flow)
        );
        Err(FailureKind::OtherContext(vec![(ContextPart::Flow, what)]).into())
    }

    /// The value of the page's own responses behind a point.
    pub fn behind(&self, point: &Point) -> Option<ResponseValue> {
        response::behind(&self.exchanges, point.response.as_ref()?, self.country()?)
    }

    /// The context of a value: what the spec says, the country, and the years up to that of the page or of the response.
    pub fn context(&self, point: &Point, year: Option<i16>) -> Context {
        Context {
            country: self.country().map(|id| id.to_string()).or_else(|| self.requested.group()),
            period: year.or(self.requested.year).map(|year| point.period.around(year)),
            classification: self.requested.class.or(point.context.classification),
            ..point.context.clone()
        }
    }

    /// The rows below a root field, read once: several points may be about them.
    pub fn rows_of(&self, root: &Root<'a>, spec: &Rows) -> Rc<RowIndex<'a>> {
        let Some(at) = self.exchanges.iter().position(|one| std::ptr::eq(one, root)) else {
            return Rc::new(RowIndex::read(root, spec));
        };
        let mut rows = self.rows.borrow_mut();
        if let Some((.., book)) = rows.iter().find(|(of, how, _)| *of == at && how == spec) {
            return Rc::clone(book);
        }
        let book = Rc::new(RowIndex::read(root, spec));
        rows.push((at, spec.clone(), Rc::clone(&book)));
        book
    }

    /// What several points share, made once: of one type there may be several, told apart by a key.
    pub fn shared<T: 'static>(&self, key: &str, make: impl FnOnce() -> T) -> Rc<T> {
        let key = (TypeId::of::<T>(), key.to_owned());
        let known = self.shared.borrow().get(&key).cloned();
        if let Some(known) = known.and_then(|known| known.downcast::<T>().ok()) {
            return known;
        }
        let made = Rc::new(make());
        self.shared.borrow_mut().insert(key, Rc::<T>::clone(&made));
        made
    }
}
