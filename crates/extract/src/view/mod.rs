//! A capture opened as a page: its subject, year and classification, its contradictions to the
//! address, and its sections. Country and Explore pages are handled alike.

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
use super::response::{self, Exchanges, Lack, Lacking, ResponseValue, Root};
use crate::atlas::{AtlasUrl, CountryId};
use crate::capture::Exchange;
use crate::manifest::spec::{Point, Rows, Spec};
use crate::value::{Context, ContextPart};
use entity::Subject;
use requested::RequestedView;

/// Everything known about a capture before the first point is read.
pub struct View<'a> {
    /// The spec.
    pub spec: &'a Spec,
    /// The compiled patterns of the spec.
    pub patterns: &'a Patterns,
    /// The requested view.
    pub requested: RequestedView<'a>,
    /// The subject of the page.
    pub subject: Subject,
    /// The page as lines, blocks and boxes.
    pub page: Rc<Page>,
    /// The sections found on the page.
    pub sections: Vec<section::FoundSection>,
    /// The sticky headers, by section.
    pub sticky: Vec<(usize, Rc<Page>)>,
    /// The pages after interactions, by state name.
    pub states: Vec<(String, Rc<Page>)>,
    /// The responses.
    pub exchanges: Exchanges<'a>,
    catalogues: (Catalogues, Lacking),
    /// The source of the responses.
    pub source: Source,
    rows: RefCell<Vec<KnownRows<'a>>>,
    shared: RefCell<HashMap<(TypeId, String), Shared>>,
}

/// A value computed once per view, with its failed lookups.
type Shared = (Rc<dyn Any>, Lacking);

/// The rows of a root field (by index) for a spec, with their failed lookups.
type KnownRows<'a> = (usize, Rows, Rc<RowIndex<'a>>, Lacking);

/// The source of a view's responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The page's own queries.
    Page,
    /// The page's queries, complemented by our own.
    PageAndOurs,
    /// Our own queries only, without a page.
    Ours,
}

impl<'a> View<'a> {
    /// A view of responses to our own queries, without a page.
    pub fn of_answers(
        spec: &'a Spec,
        patterns: &'a Patterns,
        answers: &'a [Exchange],
        url: &'a AtlasUrl,
    ) -> Self {
        Self::new(spec, patterns, url, None, Source::Ours, Exchanges::read_ours(answers, &spec.renamed))
    }

    /// A view of responses only.
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
            catalogues: exchanges.unread().during(|| Catalogues::read(&exchanges)),
            exchanges,
            source,
            rows: RefCell::default(),
            shared: RefCell::default(),
        }
    }

    /// The country of the view.
    pub fn country(&self) -> Option<CountryId> {
        self.subject.country
    }

    /// The page with a point, and its lines: those of its section, or all if the page has none.
    ///
    /// # Errors
    /// The section is not on the page, or the page was not captured after the required interaction.
    pub fn region(&self, point: &Point) -> Result<(&Page, Lines), Miss> {
        let missing = |nearest| Miss { kind: FailureKind::SectionMissing, nearest };
        let section = self.patterns.section(&point.section).ok_or_else(|| missing(None))?;
        let headings = &self.patterns.headings[section];
        if let Some(state) = &point.state {
            let page = self.states.iter().find(|(name, _)| name == state).map(|(_, page)| page);
            let page =
                page.ok_or_else(|| missing(Some(format!("the page was not captured after `{state}`"))))?;
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

    /// The text with which a point's section states that it is unavailable for this country, if it
    /// does.
    ///
    /// # Errors
    /// Same as [`View::region`].
    pub fn notice(&self, point: &Point) -> Result<Option<&str>, Miss> {
        let (page, lines) = self.region(point)?;
        let notices = self.patterns.section(&point.section).map(|at| &self.patterns.unavailable[at]);
        let is_there = |notice: &&String| {
            page.lines[lines.clone()].iter().any(|line| line.normalized.contains(notice.as_str()))
        };
        Ok(notices.into_iter().flatten().find(is_there).map(String::as_str))
    }

    /// Checks that the page has the direction of trade that a point needs.
    ///
    /// # Errors
    /// The page has another one.
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

    /// The value of a point in the page's own responses.
    pub fn behind(&self, point: &Point) -> Option<ResponseValue> {
        response::behind(&self.exchanges, point.response.as_ref()?, self.country()?)
    }

    /// The context of a value: from the spec, the country, and the years up to that of the page or
    /// the response.
    pub fn context(&self, point: &Point, year: Option<i16>) -> Context {
        Context {
            country: self.country().map(|id| id.to_string()).or_else(|| self.requested.group()),
            period: year.or(self.requested.year).map(|year| point.period.around(year)),
            classification: point.context.classification.or(self.requested.class),
            ..point.context.clone()
        }
    }

    /// The page's catalogues.
    pub fn catalogues(&self) -> &Catalogues {
        let (catalogues, lacking) = &self.catalogues;
        self.exchanges.unread().again(lacking);
        catalogues
    }

    /// The rows of a root field, parsed once for several points.
    pub fn rows_of(&self, root: &Root<'a>, spec: &Rows) -> Rc<RowIndex<'a>> {
        let Some(at) = self.exchanges.iter().position(|one| std::ptr::eq(one, root)) else {
            return Rc::new(RowIndex::read(root, spec));
        };
        let unread = self.exchanges.unread();
        let mut rows = self.rows.borrow_mut();
        if let Some((.., book, lacking)) = rows.iter().find(|(of, how, ..)| *of == at && how == spec) {
            unread.again(lacking);
            return Rc::clone(book);
        }
        let (book, lacking) = unread.during(|| Rc::new(RowIndex::read(root, spec)));
        unread.again(&lacking);
        rows.push((at, spec.clone(), Rc::clone(&book), lacking));
        book
    }

    /// A value shared by several points, computed once per type and key. Its failed lookups are
    /// reported for each of them.
    pub fn shared<T: 'static>(&self, key: &str, make: impl FnOnce() -> T) -> Rc<T> {
        let key = (TypeId::of::<T>(), key.to_owned());
        let unread = self.exchanges.unread();
        let known = self.shared.borrow().get(&key).cloned();
        if let Some((known, lacking)) = known
            && let Ok(known) = known.downcast::<T>()
        {
            unread.again(&lacking);
            return known;
        }
        let (made, lacking) = unread.during(|| Rc::new(make()));
        unread.again(&lacking);
        self.shared.borrow_mut().insert(key, (Rc::<T>::clone(&made), lacking));
        made
    }

    /// Runs a reading, and fails if one of its lookups failed. This rule applies to every kind
    /// (decision 13).
    ///
    /// # Errors
    /// The reading failed, or a response has an error or lacks a number that it needs.
    pub fn known<T>(&self, read: impl FnOnce() -> Result<T, Miss>) -> Result<T, Miss> {
        let (found, lacking) = self.exchanges.unread().during(read);
        match found {
            found if lacking.is_empty() => found,
            Ok(_) => Err(unread(lacking).into()),
            Err(miss) => Err(Miss { kind: unread(lacking), ..miss }),
        }
    }

    /// Checks the responses about the country, because any of them may affect what a page displays.
    ///
    /// # Errors
    /// A response has an error, and the spec does not exempt it.
    pub(crate) fn is_free_of_errors(&self) -> Result<(), FailureKind> {
        let is_own = |root: &Root<'_>| response::country_of(root).is_none_or(|id| Some(id) == self.country());
        let mut errors = self.exchanges.errors(is_own);
        let is_harmless = |error: &Lack, known: &str| {
            error.place.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        errors.retain(|error| !self.spec.harmless_errors.iter().any(|known| is_harmless(error, known)));
        if errors.is_empty() { Ok(()) } else { Err(unread(errors)) }
    }

    /// Reads other points for comparison, without reporting their failed lookups.
    pub fn beside<T>(&self, read: impl FnOnce() -> T) -> T {
        self.exchanges.unread().during(read).0
    }
}

fn unread(lacking: Lacking) -> FailureKind {
    FailureKind::ResponseUnread(lacking.into_iter().collect())
}
