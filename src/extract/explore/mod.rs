//! Explore pages: what the address asks for, what title and queries say it shows, and the points read from
//! the drawing's own response, its labels and the table of opportunities.

mod asked;
mod books;
mod figures;
mod labels;
mod opportunity;
mod title;
mod total;
mod trade;

use crate::atlas::{AtlasUrl, Explore, Page as Kind};
use crate::capture::{Capture, Exchange};
use crate::manifest::spec::{Find, Point};
use crate::value::{Context, ContextPart};

use super::compiled::Extractor;
use super::exchange::Exchanges;
use super::observation::{Extraction, FailureKind, Observation, PageState};
use super::page::Page;
use super::stat::Miss;
use super::{Wanted, table};
use asked::Asked;
use books::Books;
use labels::Seen;
use total::Corner;
use trade::Cells;

/// Everything that is known of a capture before the first point is looked for.
struct Scene<'a> {
    extractor: &'a Extractor,
    asked: Asked<'a>,
    page: Page,
    exchanges: Exchanges,
    books: Books,
    cells: Option<Cells>,
    labels: Seen,
    corner: Corner,
    table: Option<Result<table::Table, Miss>>,
}

/// Reads the wanted points from a capture of an Explore page.
pub(super) fn read(
    extractor: &Extractor,
    capture: &Capture,
    url: &AtlasUrl,
    wanted: &[Wanted],
) -> Extraction {
    let refuse = |kind: FailureKind, year| {
        let fail = |wanted: &Wanted| Err(extractor.failure(wanted, kind.clone(), None));
        let points = wanted.iter().map(|wanted| (wanted.clone(), fail(wanted))).collect();
        Extraction { state: PageState::Shown, year, unconfirmed: false, points }
    };
    let Kind::Explore(explore) = &url.page else {
        return refuse(FailureKind::Unrecognised(format!("{} is no Explore page", url.path())), None);
    };
    let page = Page::parse(&capture.html);
    let exchanges = Exchanges::read(&capture.exchanges);
    let books = Books::read(&exchanges);
    let asked = Asked::new(explore, &exchanges);
    let mut contradictions = asked.address(&capture.settled_url);
    if contradictions.iter().any(|(part, _)| part.is_none()) {
        let what = contradictions.into_iter().map(|(_, what)| what).collect::<Vec<_>>().join("; ");
        return refuse(FailureKind::Unrecognised(what), asked.year);
    }
    contradictions.extend(asked.queries(&exchanges).into_iter().map(|(part, what)| (Some(part), what)));
    match title::contradictions(extractor, &page, &capture.title, &asked, &books) {
        Ok(found) => contradictions.extend(found.into_iter().map(|(part, what)| (Some(part), what))),
        Err(nearest) if contradictions.is_empty() => {
            return refuse(FailureKind::Unrecognised(nearest), asked.year);
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
        return refuse(FailureKind::OtherContext(parts), asked.year);
    }
    let mut cells = trade::cells(&exchanges, &asked, &books);
    let mut labels = Seen::default();
    if let Some(all) = cells.as_mut().filter(|_| asked.is_treemap()) {
        labels = all.read_labels(&page);
    }
    let corner = Corner::read(extractor, &page);
    let mut scene = Scene { extractor, asked, page, exchanges, books, cells, labels, corner, table: None };
    scene.table = scene.opportunities(wanted);
    scene.read(wanted)
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
    let (page, labels, corner) = (Page::parse(""), Seen::default(), Corner::default());
    let mut scene = Scene { extractor, asked, page, exchanges, books, cells, labels, corner, table: None };
    scene.corner = scene.corner_by_answers();
    scene.read(wanted)
}

impl Scene<'_> {
    fn read(&self, wanted: &[Wanted]) -> Extraction {
        let read = |wanted: &Wanted| {
            let point = self.extractor.spec().point(&wanted.data_point);
            let miss = || Miss { kind: FailureKind::LabelMissing, nearest: None };
            point
                .ok_or_else(miss)
                .and_then(|point| self.point(point, wanted))
                .map_err(|miss| self.extractor.failure(wanted, miss.kind, miss.nearest))
        };
        let points = wanted.iter().map(|wanted| (wanted.clone(), read(wanted))).collect();
        // cells that nothing visible has confirmed yet may still get their labels
        let unconfirmed = self.asked.is_treemap()
            && self.cells.as_ref().is_some_and(|cells| !cells.rows.is_empty())
            && self.labels.agreeing.is_empty()
            && self.labels.disagreeing.is_empty();
        Extraction { state: PageState::Shown, year: self.asked.year, unconfirmed, points }
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
