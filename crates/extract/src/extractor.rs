//! An extractor: the points of one kind of page with their kinds. It reads captures of such pages,
//! or responses to our own queries.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::kinds;
use super::kinds::kind::{Kind, Needs};
use super::observation::{
    Extraction, Failure, FailureKind, Miss, Observation, Outcome, PageState, Reading, Wanted,
};
use super::response;
use super::view::entity::name;
use super::view::open::{PageRefusal, Parsed, open};
use super::view::{Patterns, Source, View};
use crate::atlas::{AtlasUrl, PageKnown, SitePage, by_id};
use crate::capture::{Capture, Exchange};
use crate::error::Result;
use crate::evidence::{Agreement, Channel};
use crate::manifest::spec::{Point, Renamed, Spec};
use crate::response::Lack;
use crate::value::{Absence, Context, ContextPart};

/// A compiled extractor: its spec, with every pattern compiled once.
#[derive(Debug, Clone)]
pub struct Extractor {
    spec: Spec,
    patterns: Patterns,
    /// The kinds of the points, in order.
    kinds: Vec<Arc<dyn Kind>>,
}

impl Extractor {
    /// Compiles a spec.
    ///
    /// # Errors
    /// A reference has no target; a heading, label or cue is not a valid pattern; or a point does not fit its kind.
    /// The error holds every such problem, and its message names the point.
    pub fn new(spec: Spec) -> Result<Self> {
        let mut problems = spec.invalid_references();
        let patterns = Patterns::new(&spec).map_err(|found| problems.extend(found)).ok();
        let mut kinds: Vec<Arc<dyn Kind>> = Vec::new();
        for (index, point) in spec.points.iter().enumerate() {
            match kinds::build(point, &spec) {
                Ok(kind) => kinds.push(Arc::from(kind)),
                Err(problem) => problems.push(spec.of_point(index, problem)),
            }
        }
        let Some(mut patterns) = patterns.filter(|_| problems.is_empty()) else {
            return Err(spec.invalid(problems));
        };
        patterns.labels = kinds.iter().map(|kind| kind.label().cloned()).collect();
        Ok(Self { spec, patterns, kinds })
    }

    /// The spec.
    #[must_use]
    pub const fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Name and version, as stored with every value.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{} v{}", self.spec.name, self.spec.version)
    }

    /// The same extractor for a site that has renamed more response fields.
    pub fn with_renamed(&self, renamed: Vec<Renamed>) -> Self {
        let mut other = self.clone();
        other.spec.renamed.extend(renamed);
        other
    }

    /// The patterns that belong to no single point.
    pub const fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    pub(super) fn find(&self, data_point: &str) -> Option<(&Point, &dyn Kind)> {
        let at = self.spec.points.iter().position(|point| point.id == data_point)?;
        Some((&self.spec.points[at], self.kinds[at].as_ref()))
    }

    /// The points with their kinds.
    pub fn kinds(&self) -> impl Iterator<Item = (&Point, &dyn Kind)> {
        self.spec.points.iter().zip(self.kinds.iter().map(AsRef::as_ref))
    }

    /// The kind of a point.
    pub fn kind(&self, data_point: &str) -> Option<&dyn Kind> {
        self.find(data_point).map(|(_, kind)| kind)
    }

    /// A point in the form that a context asks for: with product or partner if the point needs one.
    #[must_use]
    pub fn wanted(&self, data_point: &str, context: &Context) -> Wanted {
        let Needs { product, partner, year, .. } = self.kind(data_point).map(Kind::needs).unwrap_or_default();
        Wanted {
            data_point: data_point.to_owned(),
            product: context.product.clone().filter(|_| product),
            // in a list of a product's sellers, the partner is the country itself
            partner: context.partner.clone().or_else(|| context.country.clone()).filter(|_| partner),
            year: context.period.filter(|period| year && period.start == period.end).map(|period| period.end),
            years: context.period.filter(|period| year && period.start != period.end),
        }
    }

    /// Whether API responses can hold a point. A point that is known to differ from the page, or is
    /// in no response, needs the page.
    #[must_use]
    pub fn is_in_responses(&self, data_point: &str) -> bool {
        self.find(data_point).is_some_and(|(point, kind)| {
            let same = point.response.as_ref().is_some_and(|response| response.known_difference.is_none());
            let needs = kind.needs();
            same || needs.rows || needs.own
        })
    }

    /// Whether no page shows a point, so that it is queried without a page visit.
    #[must_use]
    pub fn is_own(&self, data_point: &str) -> bool {
        self.kind(data_point).is_some_and(|kind| kind.needs().own)
    }

    /// Reads the wanted points from a capture of the page at `url`. Points that the page's own
    /// responses lack are read from our own queries if the capture has them, and are marked so.
    ///
    /// Rejects a page of another kind than the spec's, and a page that contradicts its address in
    /// its settled address or its titles. The failure names the differing part.
    #[must_use]
    pub fn extract(&self, capture: &Capture, url: &AtlasUrl, wanted: &[Wanted]) -> Extraction {
        self.extract_parsed((capture, &Parsed::of(capture)), url, wanted)
    }

    /// Like [`Extractor::extract`], with parsed markup.
    pub fn extract_parsed(
        &self,
        page: (&Capture, &Parsed<'_>),
        url: &AtlasUrl,
        wanted: &[Wanted],
    ) -> Extraction {
        let (capture, _) = page;
        if url.kind() != self.spec.page {
            let (name, reads) = (&self.spec.name, self.spec.page);
            let what = format!("`{name}` reads {reads} pages, not {}", url.kind());
            return self.refuse(
                PageRefusal { kind: FailureKind::Unrecognised(what), year: None },
                url,
                wanted,
            );
        }
        let view = |source| open(&self.spec, &self.patterns, page, url, source);
        let mut extraction = match view(Source::Page) {
            Ok(view) => self.read(&view, wanted),
            Err(refusal) => return self.refuse(refusal, url, wanted),
        };
        let lacks = |outcome: &Outcome| outcome.as_ref().is_err_and(|failure| failure.may_ask_ourselves());
        if !capture.own.is_empty() && extraction.points.iter().any(|(_, outcome)| lacks(outcome)) {
            let view = match view(Source::PageAndOurs) {
                Ok(view) => view,
                Err(refusal) => return self.refuse(refusal, url, wanted),
            };
            for (wanted, outcome) in extraction.points.iter_mut().filter(|(_, outcome)| lacks(outcome)) {
                *outcome = self.one_point(&view, wanted);
                for one in outcome.iter_mut().flatten() {
                    one.channel = Channel::Api;
                    one.agreement = Agreement::NotIndependent;
                    one.reason =
                        format!("answered to a query of our own, not to one of the page; {}", one.reason);
                }
            }
        }
        self.refuse_undated(&mut extraction);
        extraction
    }

    /// Reads the wanted points from responses to our own queries about the subject of `url`. These
    /// values are marked, because they are not independent of the APIs.
    #[must_use]
    pub fn answer(&self, exchanges: &[Exchange], url: &AtlasUrl, wanted: &[Wanted]) -> Extraction {
        let view = View::of_answers(&self.spec, &self.patterns, exchanges, url);
        let read = |wanted: &Wanted| {
            let mut found = self.answer_of(&view, wanted)?;
            for one in &mut found {
                one.displayed = String::new();
                one.channel = Channel::Api;
                one.agreement = Agreement::Unverified;
                one.reason = "answered to a query of our own; no page was looked at".to_owned();
            }
            Ok(found)
        };
        let outcome = |wanted: &Wanted| {
            view.known(|| read(wanted)).map_err(|miss| self.failure(wanted, miss.kind, miss.nearest))
        };
        let points: Vec<_> = wanted.iter().map(|wanted| (wanted.clone(), outcome(wanted))).collect();
        Extraction {
            idle_errors: idle_errors(&view, &points),
            ..Extraction::shown(view.requested.year, points)
        }
    }

    fn answer_of(&self, view: &View<'_>, wanted: &Wanted) -> std::result::Result<Vec<Observation>, Miss> {
        let missing = FailureKind::ResponseMissing;
        let (point, kind) = self.find(&wanted.data_point).ok_or_else(|| missing.clone())?;
        if !self.is_in_responses(&wanted.data_point) {
            return Err(missing.into());
        }
        if !kind.needs().own {
            view.fits(point)?;
        }
        kind.answer(view, point, wanted)
    }

    fn refuse(&self, refusal: PageRefusal, url: &AtlasUrl, wanted: &[Wanted]) -> Extraction {
        let PageRefusal { kind, year } = refusal;
        if let (FailureKind::PageNotFound, SitePage::Country { country, .. }) = (&kind, &url.page) {
            let known = by_id(*country).map_or(PageKnown::Unknown, |entity| entity.page);
            let absent = |wanted: &Wanted| {
                let point = self.spec.point(&wanted.data_point).filter(|_| known != PageKnown::Yes);
                let point = point.ok_or_else(|| self.failure(wanted, FailureKind::PageNotFound, None))?;
                let context = Context { country: Some(country.to_string()), ..Context::default() };
                let texts = self.spec.not_found.texts.join(" … ");
                let locator = "the page as a whole".to_owned();
                Ok(vec![Observation::absent(point, context, Absence::PageNotFound, texts, locator)])
            };
            let points = wanted.iter().map(|wanted| (wanted.clone(), absent(wanted))).collect();
            return Extraction { state: PageState::NotFound, ..Extraction::shown(None, points) };
        }
        let fail = |wanted: &Wanted| Err(self.failure(wanted, kind.clone(), None));
        Extraction::shown(year, wanted.iter().map(|wanted| (wanted.clone(), fail(wanted))).collect())
    }

    fn read(&self, view: &View<'_>, wanted: &[Wanted]) -> Extraction {
        let points: Vec<_> =
            wanted.iter().map(|wanted| (wanted.clone(), self.one_point(view, wanted))).collect();
        let kinds = || wanted.iter().filter_map(|wanted| Some((wanted, self.kind(&wanted.data_point)?)));
        let tooltips: BTreeSet<_> = kinds().flat_map(|(wanted, kind)| kind.tooltips(view, wanted)).collect();
        Extraction {
            unconfirmed: kinds().any(|(_, kind)| kind.is_unconfirmed(view)),
            tooltips: tooltips.into_iter().collect(),
            missed: view.exchanges.missed(),
            idle_errors: idle_errors(view, &points),
            ..Extraction::shown(view.requested.year, points)
        }
    }

    fn one_point(&self, view: &View<'_>, wanted: &Wanted) -> Outcome {
        // a displayed value without a known response may depend on any response, and so may its
        // absence
        let is_backed = self.find(&wanted.data_point).is_some_and(|(point, kind)| kind.is_backed(point));
        let found = match view.known(|| self.point(view, wanted)) {
            Ok(found) if found.iter().any(|one| one.is_displayed() && (one.is_absent() || !is_backed)) => {
                view.is_free_of_errors().map(|()| found).map_err(Miss::from)
            }
            Err(miss) if miss.kind.is_of_display() => Err(match view.is_free_of_errors() {
                Ok(()) => miss,
                Err(errors) if is_backed => {
                    let nearest = miss.nearest.map_or_else(String::new, |nearest| format!("{nearest}; "));
                    Miss::near(miss.kind, format!("{nearest}{errors}"))
                }
                Err(errors) => Miss { kind: errors, ..miss },
            }),
            found => found,
        };
        found.map_err(|miss| self.failure(wanted, miss.kind, miss.nearest))
    }

    fn point(&self, view: &View<'_>, wanted: &Wanted) -> std::result::Result<Vec<Observation>, Miss> {
        let (point, kind) = self.find(&wanted.data_point).ok_or(FailureKind::LabelMissing)?;
        view.fits(point)?;
        if let Some(notice) = view.notice(point)? {
            let (context, absence) = (view.context(point, None), Absence::NotAvailableForCountry);
            let locator = format!("section `{}`", point.section);
            return Ok(vec![Observation::absent(point, context, absence, notice.to_owned(), locator)]);
        }
        let found = kind.read(view, point, wanted)?;
        view.beside(|| of_another(view, point, &found)).map_or(Ok(found), Err)
    }

    /// Discards values of a page whose year is unknown. The year is in a heading; without it the
    /// page of another year looks the same.
    fn refuse_undated(&self, extraction: &mut Extraction) {
        let Some(wording) = self.spec.year_heading.first().filter(|_| extraction.year.is_none()) else {
            return;
        };
        for (wanted, outcome) in &mut extraction.points {
            let undated = |found: &[Observation]| found.iter().any(|one| one.context.period.is_none());
            if outcome.as_ref().is_ok_and(|found| undated(found)) {
                let what = format!("no heading matches `{wording}`");
                let kind = FailureKind::OtherContext(vec![(ContextPart::Period, what)]);
                *outcome = Err(self.failure(wanted, kind, None));
            }
        }
    }

    /// The sections, by anchor, whose sticky header a snapshot needs. The first snapshot needs
    /// those of all wanted figures. Once everything was found, only those that contributed a
    /// figure.
    #[must_use]
    pub fn sticky_headers(&self, wanted: &[Wanted], before: Option<&Extraction>) -> BTreeSet<&str> {
        let whole = before.filter(|extraction| extraction.is_complete());
        let is_read_there = |wanted: &Wanted| {
            let outcome = whole.map(|extraction| extraction.outcome(wanted));
            let Some(Some(Ok(observations))) = outcome else { return true };
            observations.iter().any(Observation::is_in_sticky_header)
        };
        wanted
            .iter()
            .filter(|wanted| is_read_there(wanted))
            .filter_map(|wanted| self.find(&wanted.data_point))
            .filter(|(_, kind)| kind.needs().sticky_header)
            .map(|(point, _)| point.section.as_str())
            .collect()
    }

    /// Whether a picture of the page is kept for a person.
    #[must_use]
    pub fn needs_picture(&self, wanted: &[Wanted]) -> bool {
        wanted.iter().filter_map(|wanted| self.kind(&wanted.data_point)).any(|kind| kind.needs().picture)
    }

    /// The failure of a value that only one snapshot showed.
    #[must_use]
    pub fn unsteady(&self, wanted: &Wanted, seen: String) -> Box<Failure> {
        self.failure(wanted, FailureKind::Unsteady, Some(seen))
    }

    /// The failure of a value whose own query was not answered.
    #[must_use]
    pub fn unanswered(&self, wanted: &Wanted, why: &str) -> Box<Failure> {
        self.failure(wanted, FailureKind::NotAnswered(why.to_owned()), None)
    }

    /// A failure of a point, with the details needed to fix the spec.
    fn failure(&self, wanted: &Wanted, kind: FailureKind, nearest: Option<String>) -> Box<Failure> {
        let described =
            self.find(&wanted.data_point).map(|(point, kind)| (point.section.clone(), kind.describe()));
        let (section, label, pattern) =
            described.map(|(section, said)| (section, said.label, said.form)).unwrap_or_default();
        Box::new(Failure {
            data_point: wanted.data_point.clone(),
            extractor: self.label(),
            section,
            label,
            pattern,
            kind,
            nearest,
        })
    }
}

/// The response errors that made no point fail.
fn idle_errors(view: &View<'_>, points: &[(Wanted, Outcome)]) -> BTreeSet<Lack> {
    let mut errors = view.exchanges.errors(|_| true);
    errors.retain(|error| {
        !points.iter().any(|(_, outcome)| outcome.as_ref().is_err_and(|failure| failure.is_for(error)))
    });
    errors
}

/// Detects the value of another country: that country's response holds it, and the response of the
/// page's own country does not.
fn of_another(view: &View<'_>, point: &Point, found: &[Observation]) -> Option<Miss> {
    let response = point.response.as_ref().filter(|response| response.known_difference.is_none())?;
    let country = view.country()?;
    found.iter().filter(|one| one.agreement != Agreement::Agrees).find_map(|one| {
        let Reading::Quantity(shown) = &one.reading else { return None };
        let another = response::held_by_another(&view.exchanges, response, country, shown)?;
        let what = format!("{} is the value of {}", one.value, name(another));
        let kind = FailureKind::OtherContext(vec![(ContextPart::Country, what)]);
        Some(Miss::near(kind, one.displayed.clone()))
    })
}

#[cfg(test)]
#[path = "extractor_tests.rs"]
mod tests;
