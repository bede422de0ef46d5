//! The cells of a treemap: the rows of their response, named by the page's catalogues.

use std::cmp::Ordering;
use std::collections::HashMap;

use rust_decimal::Decimal;

use super::labels::Labels;
use crate::document::Page;
use crate::response::catalogues::{CatalogueItem, Catalogues};
use crate::response::rows::{ResponseRow, RowIndex, by_id, of_year};
use crate::response::{self, Exchanges, Root, number, plain};
use crate::value::{Flow, Rule, Scope};
use crate::view::requested::{RequestedView, years};

/// The items of treemap cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Products.
    Product,
    /// Trade partners, or the sellers of a product.
    Partner,
}

impl Of {
    /// The id field of a row.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Product => "productId",
            Self::Partner => "partnerCountryId",
        }
    }
}

/// The cells, largest first, with their source.
#[derive(Debug, Clone)]
pub struct Cells {
    pub of: Of,
    pub index: RowIndex<'static>,
    pub scope: Scope,
    /// The query and field, as text for people.
    pub source: String,
    /// The cells from another possible field: what the world buys from a country is what the
    /// country sells. It is removed once something on the page decides between the two.
    pub other: Option<Box<Cells>>,
}

/// The name of the partner that stands for services.
const SERVICES: &str = "Services Partners";

/// The cells of the drawing; none if no response holds them.
pub fn cells(exchanges: &Exchanges<'_>, asked: &RequestedView<'_>, books: &Catalogues) -> Option<Cells> {
    let roots = asked.fields.iter().flat_map(|field| exchanges.named(field));
    let of = if asked.markets() { Of::Partner } else { Of::Product };
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

fn of_field(
    root: &Root<'_>,
    field: &str,
    of: Of,
    asked: &RequestedView<'_>,
    books: &Catalogues,
) -> Option<Cells> {
    let value = root.keys(field)?;
    let id = root.keys(of.id())?;
    // rows without a year belong to a query for a single year
    let is_of_one = years(root).is_some_and(|(first, last)| first == last);
    if (root.keys("year").is_none() || asked.year.is_none()) && !is_of_one {
        return None;
    }
    let mut rows: Vec<ResponseRow<'static>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let (mut services, mut nameless) = (0, Vec::new());
    for row in of_year(root, asked.year) {
        let Some(id) = root.at(row, &id).and_then(plain) else {
            root.lacks("*", "a row has no id");
            continue;
        };
        // a group's trade has a row per product and partner; a cell sums all rows of its item
        if let Some(at) = known.get(&id) {
            let more = root.at(row, &value).and_then(number);
            let own = &mut rows[*at].value;
            *own = own.zip(more).map(|(one, other)| one.saturating_add(other));
            continue;
        }
        if books.is_nameless(&id) {
            nameless.push(id.clone());
        }
        let item = match of {
            Of::Product => books.product(&id).cloned(),
            Of::Partner => Some(books.place(&id).cloned().unwrap_or_else(|| {
                services += 1;
                let name = SERVICES.to_owned();
                CatalogueItem { code: id.clone(), name, service: true, ..CatalogueItem::default() }
            })),
        };
        // ids that the page's own catalogue lacks have no cell
        if item.is_some() {
            known.insert(id.clone(), rows.len());
            rows.push(ResponseRow::of_item(id, item, root.at(row, &value).and_then(number)));
        }
    }
    // report them in one line, so that other errors stay visible
    match nameless.as_slice() {
        [] => {}
        [id] => root.lacks("*", &format!("no catalogue has {id}")),
        [id, ..] => root.lacks("*", &format!("no catalogue has {id} and {} others", nameless.len() - 1)),
    }
    if services > 1 {
        root.lacks("*", &format!("no catalogue has {services} partners"));
    }
    let index = RowIndex::new(root, field, rows);
    let both = root.args.get("servicesClass").is_some_and(|class| class == "unilateral")
        || index.drawn().iter().any(|row| row.service);
    let scope = if both { Scope::GoodsAndServices } else { Scope::Goods };
    Some(Cells { of, index, scope, source: response::source(root, field), other: None })
}

impl Cells {
    /// The sum of the cells.
    pub fn sum(&self) -> Decimal {
        self.index.sum(|_| true)
    }

    /// Compares the labels over the drawing with the cells. Of two possible fields, the one with
    /// more agreeing labels is drawn. Labels that fit both leave it undecided.
    pub(crate) fn read_labels(&mut self, page: &Page) -> Labels {
        let compare = |cells: &Self| Labels::compare(page, 0..page.lines.len(), &cells.index, LABEL, &[]);
        let own = compare(self);
        let Some(other) = &self.other else { return own };
        let turned = compare(other);
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

    /// Decides between two fields by the displayed total, if it fits only one.
    pub(crate) fn read_total(&mut self, fits: impl Fn(Decimal) -> bool) {
        let Some(other) = &self.other else { return };
        match (fits(self.sum()), fits(other.sum())) {
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

    /// What the drawing would show for either field, while it is undecided.
    pub fn open(&self) -> Option<[String; 2]> {
        let other = self.other.as_ref().filter(|other| other.index.drawn() != self.index.drawn())?;
        let first = |cells: &Self| {
            let largest = cells.index.drawn().first().map_or("nothing", |row| &row.name);
            format!("{largest} first by {}", cells.source)
        };
        Some([first(self), first(other)])
    }
}

/// The display rule of money labels.
const LABEL: Rule = Rule::F1;

/// The exact value of another field for a product, with its source. The outer option tells whether
/// a query requested it, the inner one whether it is null. A null counts as known only if some
/// product has a value.
pub(crate) fn other_field(
    exchanges: &Exchanges<'_>,
    from: &[&str],
    field: &str,
    id: &str,
    year: Option<i16>,
) -> Option<(Option<Decimal>, String)> {
    from.iter().flat_map(|from| exchanges.named(from)).find_map(|root| {
        let all =
            || Some(by_id(root, "productId", field, year)?.map(|(own, value)| (own, value.and_then(number))));
        let (_, value) = all()?.find(|(own, _)| *own == id)?;
        if value.is_none() && all()?.all(|(_, value)| value.is_none()) {
            root.lacks(&format!("*.{field}"), "no row has a number for it");
        }
        Some((value, response::source(root, field)))
    })
}
