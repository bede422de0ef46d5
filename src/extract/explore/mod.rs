//! Explore pages: what the address asks for, what title and queries say it shows, and the points read from
//! the drawing's own response, its labels and the table of opportunities.

mod asked;
mod books;
mod corner;
mod figures;
mod labels;
mod lacking;
mod opportunity;
mod title;
mod tooltip;
mod total;
mod trade;

use std::cell::OnceCell;

use crate::atlas::{AtlasUrl, Explore, Page as Kind};
use crate::capture::{Capture, Exchange};
use crate::manifest::spec::{Find, Point};
use crate::value::{Context, ContextPart};

use super::compiled::Extractor;
use super::exchange::Exchanges;
use super::observation::{Extraction, FailureKind, Observation, Outcome, PageState};
use super::own;
use super::page::Page;
use super::stat::Miss;
use super::{Wanted, table};
use asked::Asked;
use books::Books;
use corner::Corner;
use labels::Seen;
pub use lacking::Lacking;
use trade::Cells;

/// Everything that is known of a capture before the first point is looked for.
struct Scene<'a> {
    extractor: &'a Extractor,
    asked: Asked<'a>,
    page: Page,
    exchanges: Exchanges<'a>,
    /// Whether responses to our own queries are among them.
    own: bool,
    books: Books,
    cells: Option<Cells>,
    labels: Seen,
    corner: Corner,
    /// What was opened over the drawing, by name.
    states: Vec<(String, Page)>,
    table: Option<Result<table::Table, Miss>>,
    /// The rows of the table in the page's own order, and what is behind its columns: several points ask for them.
    order: OnceCell<Result<Vec<usize>, Miss>>,
    behind: OnceCell<Vec<Option<opportunity::BehindColumn>>>,
}

/// Reads the wanted points from a capture of an Explore page. What the page's own responses lack is read from ours,
/// where there are any, and says so.
pub(super) fn read(
    extractor: &Extractor,
    capture: &Capture,
    url: &AtlasUrl,
    wanted: &[Wanted],
) -> Extraction {
    let refuse = |(kind, year): (FailureKind, Option<i16>)| {
        let fail = |wanted: &Wanted| Err(extractor.failure(wanted, kind.clone(), None));
        let points = wanted.iter().map(|wanted| (wanted.clone(), fail(wanted))).collect();
        Extraction { state: PageState::Shown, year, unconfirmed: false, tooltips: Vec::new(), points }
    };
    let Kind::Explore(explore) = &url.page else {
        return refuse((FailureKind::Unrecognised(format!("{} is no Explore page", url.path())), None));
    };
    let scene = |own| Scene::open(extractor, capture, explore, own, wanted);
    let mut extraction = match scene(false) {
        Ok(scene) => scene.read(wanted),
        Err(refusal) => return refuse(refusal),
    };
    if !capture.own.is_empty() && extraction.points.iter().any(|(_, outcome)| own::lacks(outcome)) {
        match scene(true) {
            Ok(scene) => {
                for (wanted, outcome) in
                    extraction.points.iter_mut().filter(|(_, outcome)| own::lacks(outcome))
                {
                    *outcome = scene.one_point(wanted);
                }
            }
            Err(refusal) => return refuse(refusal),
        }
    }
    extraction
}

/// Reads the wanted points from answers to queries of our own, about what an Explore page shows.
pub(super) fn answer(
    extractor: &Extractor,
    exchanges: &[Exchange],
    explore: &Explore,
    wanted: &[Wanted],
) -> Extraction {
    let exchanges = Exchanges::read(exchanges);
    let books = Books::read(&exchanges);
    let asked = Asked::new(explore, &exchanges);
    let cells = trade::cells(&exchanges, &asked, &books);
    let mut scene = Scene {
        extractor,
        asked,
        page: Page::parse(""),
        exchanges,
        own: true,
        books,
        cells,
        labels: Seen::default(),
        corner: Corner::default(),
        states: Vec::new(),
        table: None,
        order: OnceCell::new(),
        behind: OnceCell::new(),
    };
    scene.corner = scene.corner_by_answers();
    scene.read(wanted)
}

impl<'a> Scene<'a> {
    /// Opens a capture, with the responses to our own queries too or without them.
    ///
    /// # Errors
    /// The page is not the one that was asked for: why, and the year it is of.
    fn open(
        extractor: &'a Extractor,
        capture: &'a Capture,
        explore: &'a Explore,
        own: bool,
        wanted: &[Wanted],
    ) -> Result<Self, (FailureKind, Option<i16>)> {
        let page = Page::parse(&capture.html);
        let mut exchanges = Exchanges::read(&capture.exchanges);
        if own {
            exchanges = Exchanges::read(&capture.own).before(exchanges);
        }
        let books = Books::read(&exchanges);
        let asked = Asked::new(explore, &exchanges);
        let mut contradictions = asked.address(&capture.settled_url);
        if contradictions.iter().any(|(part, _)| part.is_none()) {
            let what = contradictions.into_iter().map(|(_, what)| what).collect::<Vec<_>>().join("; ");
            return Err((FailureKind::Unrecognised(what), asked.year));
        }
        contradictions.extend(asked.queries(&exchanges).into_iter().map(|(part, what)| (Some(part), what)));
        match title::contradictions(extractor, &page, &capture.title, &asked, &books) {
            Ok(found) => contradictions.extend(found.into_iter().map(|(part, what)| (Some(part), what))),
            Err(nearest) if contradictions.is_empty() => {
                return Err((FailureKind::Unrecognised(nearest), asked.year));
            }
            Err(_) => {}
        }
        if !contradictions.is_empty() {
            let mut parts: Vec<(ContextPart, String)> = Vec::new();
            for (part, what) in contradictions {
                let entry = (part.unwrap_or(ContextPart::Country), what);
                if !parts.contains(&entry) {
                    parts.push(entry);
                }
            }
            return Err((FailureKind::OtherContext(parts), asked.year));
        }
        let mut cells = trade::cells(&exchanges, &asked, &books);
        let mut labels = Seen::default();
        if let Some(all) = cells.as_mut().filter(|_| asked.is_treemap()) {
            labels = all.read_labels(&page);
        }
        let corner = Corner::read(extractor, &page, &asked);
        if let Some(all) = cells.as_mut() {
            all.read_total(|sum| corner.holds(sum));
        }
        let states =
            capture.states.iter().map(|state| (state.name.clone(), Page::parse(&state.html))).collect();
        let mut scene = Scene {
            extractor,
            asked,
            page,
            exchanges,
            own,
            books,
            cells,
            labels,
            corner,
            states,
            table: None,
            order: OnceCell::new(),
            behind: OnceCell::new(),
        };
        scene.table = scene.opportunities(wanted);
        Ok(scene)
    }

    fn one_point(&self, wanted: &Wanted) -> Outcome {
        let point = self.extractor.spec().point(&wanted.data_point);
        let miss = || Miss { kind: FailureKind::LabelMissing, nearest: None };
        let mut found = point
            .ok_or_else(miss)
            .and_then(|point| self.point(point, wanted))
            .map_err(|miss| self.extractor.failure(wanted, miss.kind, miss.nearest))?;
        if self.own {
            own::mark(&mut found);
        }
        Ok(found)
    }

    fn read(&self, wanted: &[Wanted]) -> Extraction {
        let points = wanted.iter().map(|wanted| (wanted.clone(), self.one_point(wanted))).collect();
        // cells that nothing visible has confirmed yet may still get their labels
        let unconfirmed = self.asked.is_treemap()
            && self.cells.as_ref().is_some_and(|cells| !cells.rows.is_empty())
            && self.labels.agreeing.is_empty()
            && self.labels.disagreeing.is_empty();
        let tooltips = self.tooltips(wanted);
        Extraction { state: PageState::Shown, year: self.asked.year, unconfirmed, tooltips, points }
    }

    fn point(&self, point: &Point, wanted: &Wanted) -> Result<Vec<Observation>, Miss> {
        if let Some(flow) = point.context.flow.filter(|_| self.asked.is_treemap())
            && flow != self.asked.flow
        {
            let said = Context { flow: Some(self.asked.flow), ..Context::default() };
            let what = format!(
                "`{}` is about the {} of a page, this one shows {}s",
                point.id,
                point.context.part(ContextPart::Flow),
                said.part(ContextPart::Flow)
            );
            return Err(Miss {
                kind: FailureKind::OtherContext(vec![(ContextPart::Flow, what)]),
                nearest: None,
            });
        }
        match &point.find {
            Find::Total(total) => self.total(point, total.rule),
            Find::Sum(sum) => self.sum(point, sum.rule),
            Find::Ranked(ranked) => self.ranked(point, ranked),
            Find::One(one) => self.one(point, one, wanted),
            Find::Table(_) => self.whole_table(point),
            Find::Opportunities(first) => self.first_opportunities(point, first.count),
            Find::Opportunity(cell) => self.opportunity(point, &cell.column, wanted),
            _ => Err(Miss { kind: FailureKind::LabelMissing, nearest: None }),
        }
    }

    /// The context that every value of the page shares.
    fn context(&self, point: &Point) -> Context {
        Context {
            country: self.asked.country().map(|id| id.to_string()),
            period: self.asked.period(point),
            classification: self.asked.class,
            ..point.context.clone()
        }
    }
}

#[cfg(test)]
mod tests;
