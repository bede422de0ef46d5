//! The cells of a treemap: the rows of the response that feeds it, with the names of the page's catalogues.

use std::cmp::Ordering;

use rust_decimal::Decimal;

use crate::manifest::spec::Of;
use crate::value::{Flow, Scope};

use super::super::datum::Datum;
use super::super::exchange::{Exchanges, Root, number, plain};
use super::super::page::Page;
use super::super::response;
use super::asked::{Asked, years};
use super::books::{Books, Item};
use super::labels::{self, Seen};

/// A cell that is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell {
    /// Id as the response writes it.
    pub id: String,
    pub item: Item,
    /// The traded value, above zero.
    pub value: Decimal,
}

/// A row that has no cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Empty {
    pub id: String,
    pub item: Item,
    pub value: Option<Decimal>,
}

/// The cells, the largest first, and where they come from.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    pub of: Of,
    pub rows: Vec<Cell>,
    /// Rows without a cell: zero, null or below.
    pub empty: Vec<Empty>,
    /// Sum over the cells.
    pub sum: Decimal,
    pub scope: Scope,
    /// Query and field, for a person.
    pub source: String,
    /// Another field that the values may come from, with its cells: what the world buys from a country is
    /// what the country sells. It is there until something on the page has decided between the two.
    pub other: Option<Box<Cells>>,
}

/// What the partner that stands for services is called.
const SERVICES: &str = "Services Partners";

/// The cells of the drawing; none when no response holds them.
pub(super) fn cells(exchanges: &Exchanges<'_>, asked: &Asked<'_>, books: &Books) -> Option<Cells> {
    let roots = asked.fields.iter().flat_map(|field| exchanges.named(field));
    let of = if asked.explore.markets { Of::Partner } else { Of::Product };
    let one_flow = |root: &Root<'_>, flow| {
        let field = if flow == Flow::Import { "importValue" } else { "exportValue" };
        of_field(root, field, of, asked, books)
    };
    let best = roots.filter(|root| !root.data().is_null()).max_by_key(|root| root.rows().count())?;
    let mut cells = one_flow(best, asked.flow)?;
    if asked.subject.is_none() {
        let turned = if asked.flow == Flow::Import { Flow::Export } else { Flow::Import };
        cells.other = one_flow(best, turned).map(Box::new);
    }
    Some(cells)
}

fn of_field(root: &Root<'_>, field: &str, of: Of, asked: &Asked<'_>, books: &Books) -> Option<Cells> {
    let value = root.keys(field)?;
    let id = root.keys(if of == Of::Partner { "partnerCountryId" } else { "productId" })?;
    let year = root.keys("year");
    let one_year = years(root).is_some_and(|(first, last)| first == last);
    let mut rows = Vec::new();
    let mut empty = Vec::new();
    for row in root.rows() {
        let of_year = match (&year, asked.year) {
            (Some(keys), Some(year)) => {
                Root::at(row, keys).and_then(plain).and_then(|text| text.parse::<i16>().ok()) == Some(year)
            }
            _ => one_year,
        };
        let Some(id) = Root::at(row, &id).and_then(plain).filter(|_| of_year) else { continue };
        let item = match of {
            Of::Product => books.product(&id).cloned(),
            Of::Partner => Some(books.place(&id).cloned().unwrap_or_else(|| Item {
                code: id.clone(),
                name: SERVICES.to_owned(),
                long: String::new(),
                service: true,
            })),
        };
        // what the page's own catalogue does not know has no cell
        let Some(item) = item else { continue };
        match Root::at(row, &value).and_then(number) {
            Some(value) if value > Decimal::ZERO => rows.push(Cell { id, item, value }),
            value => empty.push(Empty { id, item, value }),
        }
    }
    rows.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.item.code.cmp(&b.item.code)));
    let sum = rows.iter().fold(Decimal::ZERO, |sum, cell| sum.saturating_add(cell.value));
    let both = root.args.get("servicesClass").is_some_and(|class| class == "unilateral")
        || rows.iter().any(|cell| cell.item.service);
    let scope = if both { Scope::GoodsAndServices } else { Scope::Goods };
    Some(Cells { of, rows, empty, sum, scope, source: response::source(root, field), other: None })
}

impl Cells {
    /// Compares the labels over the drawing with the cells. Where two fields may be meant, the one that more
    /// labels agree with is; labels that fit both leave it open.
    pub fn read_labels(&mut self, page: &Page) -> Seen {
        let own = labels::compare(page, &self.rows);
        let Some(other) = &self.other else { return own };
        let turned = labels::compare(page, &other.rows);
        match turned.agreeing.len().cmp(&own.agreeing.len()) {
            Ordering::Greater => {
                self.turn();
                turned
            }
            Ordering::Less => {
                self.other = None;
                own
            }
            Ordering::Equal => own,
        }
    }

    /// Lets the total that the page shows decide between two fields, where it fits one alone.
    pub fn read_total(&mut self, fits: impl Fn(Decimal) -> bool) {
        let Some(other) = &self.other else { return };
        match (fits(self.sum), fits(other.sum)) {
            (true, false) => self.other = None,
            (false, true) => self.turn(),
            _ => {}
        }
    }

    fn turn(&mut self) {
        if let Some(other) = self.other.take() {
            *self = *other;
        }
    }

    /// What the drawing would show under either field, while it is open which one is meant.
    pub fn open(&self) -> Option<[String; 2]> {
        let other = self.other.as_ref().filter(|other| other.rows != self.rows)?;
        let first = |cells: &Self| {
            let largest = cells.rows.first().map_or("nothing", |cell| cell.item.name.as_str());
            format!("{largest} first by {}", cells.source)
        };
        Some([first(self), first(other)])
    }

    /// The cell of a code or name.
    pub fn find(&self, wanted: &str) -> Option<(usize, &Cell)> {
        self.rows.iter().enumerate().find(|(_, cell)| is(&cell.item, wanted))
    }

    /// Whether a row of a code or name is there without a cell, and its value.
    pub fn without_cell(&self, wanted: &str) -> Option<&Empty> {
        self.empty.iter().find(|empty| is(&empty.item, wanted))
    }
}

/// Whether a code or name means an item.
pub(super) fn is(item: &Item, wanted: &str) -> bool {
    item.code.eq_ignore_ascii_case(wanted)
        || item.name.eq_ignore_ascii_case(wanted)
        || (!item.long.is_empty() && item.long.eq_ignore_ascii_case(wanted))
        || (item.service
            && crate::value::vocabulary::same_words_of(Some("service"), &item.code, wanted).is_some())
}

/// The value of another field for a cell's id, exactly as the response printed it: the number, and where it is.
/// The outer option says whether a query asked for it, the inner one whether it is null.
pub(super) fn other_field(
    exchanges: &Exchanges<'_>,
    from: &[&str],
    field: &str,
    id: &str,
    year: Option<i16>,
) -> Option<(Option<Decimal>, String)> {
    from.iter().flat_map(|from| exchanges.named(from)).find_map(|root| {
        let (value, ids) = (root.keys(field)?, root.keys("productId")?);
        let years = root.keys("year");
        let of_year = |row: &&Datum<'_>| match (&years, year) {
            (Some(keys), Some(year)) => {
                Root::at(row, keys).and_then(plain).and_then(|text| text.parse::<i16>().ok()) == Some(year)
            }
            _ => true,
        };
        let same = |row: &&Datum<'_>| Root::at(row, &ids).and_then(|it| it.as_str()) == Some(id);
        let row = root.rows().filter(same).find(of_year)?;
        Some((Root::at(row, &value).and_then(number), response::source(root, field)))
    })
}
