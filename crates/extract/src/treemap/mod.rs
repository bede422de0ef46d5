//! Reads an Explore treemap: its cells from their response, the labels over them, and the total
//! beside them.

pub mod labels;
mod tooltip;
mod total_label;
mod trade;

use std::collections::HashMap;
use std::rc::Rc;

use rust_decimal::Decimal;

use super::document::{Line, normalize_label};
use super::observation::{FailureKind, Miss, Tooltip, Wanted};
use super::response::rows::{ResponseRow, by_id};
use super::response::{self, Datum, Root, number, plain};
use super::view::requested::plain as plain_place;
use super::view::{Source, View};
use crate::atlas::PlaceId;
use crate::capture::PointerTarget;
use crate::value::{Context, ContextPart, Flow, Quantity, format, parse_as};
use labels::Labels;
pub(crate) use tooltip::hold_against;
pub(crate) use total_label::RULE;
pub use total_label::TotalLabel;
pub(crate) use trade::other_field;
pub use trade::{Cells, Of};

/// A treemap, or another Explore drawing of trade rows.
pub struct Drawing {
    pub cells: Option<Cells>,
    pub labels: Labels,
    pub total: TotalLabel,
}

/// A value that a total may round: the number, its source, and whether it is the country's total.
pub struct TotalCandidate {
    pub number: Decimal,
    pub source: String,
    pub of_country: bool,
    /// Whether everything that the page excludes from it is known.
    pub is_whole: bool,
}

impl Drawing {
    /// The drawing of a page, read once.
    pub fn of(view: &View<'_>) -> Rc<Self> {
        view.shared("", || Self::read(view))
    }

    fn read(view: &View<'_>) -> Self {
        let cells = trade::cells(&view.exchanges, &view.requested, view.catalogues());
        let mut drawing = Self { cells, labels: Labels::default(), total: TotalLabel::default() };
        if view.source == Source::Ours {
            drawing.total = drawing.total_by_answers(view);
            return drawing;
        }
        if let Some(cells) = drawing.cells.as_mut().filter(|_| view.requested.is_treemap()) {
            drawing.labels = cells.read_labels(&view.page);
        }
        drawing.total = TotalLabel::read(view);
        if let Some(cells) = drawing.cells.as_mut() {
            cells.read_total(|sum| drawing.total.holds(sum));
        }
        drawing
    }

    /// The total that a page would show, according to the responses.
    fn total_by_answers(&self, view: &View<'_>) -> TotalLabel {
        let text = self.totals(view).first().and_then(|one| format(one.number, RULE));
        // while two fields are possible there is no total
        let text = text.filter(|_| self.cells.as_ref().is_none_or(|cells| cells.open().is_none()));
        TotalLabel::of(text.and_then(|text| parse_as(&text, RULE).ok().map(|quantity| (text, quantity))))
    }

    /// The values that the treemap's total may round, likeliest first.
    pub fn totals(&self, view: &View<'_>) -> Vec<TotalCandidate> {
        let mut found = Vec::new();
        let requested = &view.requested;
        if requested.is_of_opportunities() {
            let all = self.cells.iter().flat_map(|cells| opportunities(view, cells));
            // a total with unknown exclusions cannot be checked
            found.extend(all.filter(|one| one.is_whole || self.total.holds(one.number)));
            return found;
        }
        if !requested.shows_flow() && !requested.is_of_goods() {
            return found;
        }
        if !requested.markets() && requested.partner.is_none() && !requested.is_of_goods() {
            let field = if requested.flow == Flow::Import { "importValue" } else { "exportValue" };
            found.extend(view.exchanges.named("countryYear").find_map(|root| {
                Some(TotalCandidate {
                    number: of_year(root, field, requested.year, requested.subject)?,
                    source: response::source(root, field),
                    of_country: true,
                    is_whole: true,
                })
            }));
        }
        let added_up = |cells: &Cells| TotalCandidate {
            number: if requested.is_of_goods() { cells.index.sum(|row| !row.service) } else { cells.sum() },
            source: format!("{}, added up", cells.source),
            of_country: false,
            is_whole: true,
        };
        found.extend(self.cells.as_ref().map(added_up));
        // while the drawn field is undecided, the figure may belong to either
        found.extend(self.cells.as_ref().and_then(|cells| cells.other.as_deref()).map(added_up));
        found
    }

    /// The cells, if no label contradicts them and the drawn field is known.
    ///
    /// # Errors
    /// No response holds the cells, or something visible contradicts them.
    pub fn confirmed(&self) -> Result<&Cells, Miss> {
        let cells = self.cells.as_ref().ok_or(FailureKind::ResponseMissing)?;
        if let Some(readings) = cells.open() {
            let nearest = "neither labels nor total tell which field is drawn".to_owned();
            return Err(Miss::near(FailureKind::Ambiguous(readings.to_vec()), nearest));
        }
        if self.labels.disagreeing.is_empty() {
            return Ok(cells);
        }
        Err(FailureKind::LabelDisagrees(self.labels.disagreeing.join("; ")).into())
    }

    /// Like [`Drawing::confirmed`], and divided as a point needs it.
    ///
    /// # Errors
    /// The cells are divided differently.
    pub(crate) fn divided_by(&self, of: Of) -> Result<&Cells, Miss> {
        let cells = self.confirmed()?;
        if cells.of == of {
            return Ok(cells);
        }
        let what = match cells.of {
            Of::Product => "the drawing is divided by product, not by partner",
            Of::Partner => "the drawing is divided by partner, not by product",
        };
        Err(FailureKind::OtherContext(vec![(ContextPart::Partner, what.to_owned())]).into())
    }

    /// The figure in the corner if it confirms the response; none if there is no figure, or nothing
    /// to compare it with.
    ///
    /// # Errors
    /// The figure is not the sum of the response.
    pub fn corner(&self, view: &View<'_>) -> Result<Option<&str>, Miss> {
        let candidates = self.totals(view);
        let fits = |shown: &Quantity| candidates.iter().any(|one| shown.interval.contains(one.number));
        let Ok((text, shown)) = self.total.get(fits) else { return Ok(None) };
        if candidates.is_empty() || fits(shown) {
            return Ok(Some(text.as_str()).filter(|_| !candidates.is_empty()));
        }
        let all: Vec<String> = candidates.iter().map(|one| one.number.normalize().to_string()).collect();
        let what = format!("the corner shows {text}, the response sums to {}", all.join(" or "));
        Err(FailureKind::LabelDisagrees(what).into())
    }

    /// Whether it has cells that nothing visible has confirmed yet, so that labels may still
    /// appear.
    pub(crate) fn is_unconfirmed(&self, view: &View<'_>) -> bool {
        view.requested.is_treemap()
            && self.cells.as_ref().is_some_and(|cells| !cells.index.drawn().is_empty())
            && self.labels.agreeing.is_empty()
            && self.labels.disagreeing.is_empty()
    }

    /// The tooltip that could confirm a value, for a cell with a visible label to point at. If no
    /// response holds the cells, a text that starts with the product's name counts as the label.
    pub fn tooltip(&self, view: &View<'_>, wanted: &Wanted) -> Option<Tooltip> {
        let product = wanted.product.as_deref()?;
        let (code, name) = match &self.cells {
            Some(cells) => {
                let (at, row) = cells.index.find(product)?;
                self.labels.agreeing.contains_key(&at).then_some((row.code.as_ref(), row.name.as_ref()))?
            }
            None => {
                let item = view.catalogues().product_called(product)?;
                let name = normalize_label(&item.name);
                let is_label = |line: &Line| line.normalized.starts_with(&name);
                view.page.lines.iter().any(is_label).then_some((item.code.as_str(), item.name.as_str()))?
            }
        };
        Some(Tooltip { name: tooltip::state_of(code), over: PointerTarget::Cell(name.to_owned()) })
    }
}

/// The value of products in which a country has no comparative advantage. These are the
/// opportunities of a graph, and those with both coordinates come first.
fn opportunities(view: &View<'_>, cells: &Cells) -> Vec<TotalCandidate> {
    let own = view.requested.fields;
    let (rca, distance, pci) = (
        of_goods(view, own, "exportRca", number),
        of_goods(view, own, "distance", number),
        of_goods(view, &["productYear"], "pci", number),
    );
    let lacks = |row: &ResponseRow<'_>| {
        !row.service && rca.get(row.id.as_ref()).is_some_and(|rca| *rca < Decimal::ONE)
    };
    let is_drawn = |row: &ResponseRow<'_>| {
        lacks(row) && distance.contains_key(row.id.as_ref()) && pci.contains_key(row.id.as_ref())
    };
    if rca.is_empty() {
        return Vec::new();
    }
    let is_whole = !distance.is_empty() && !pci.is_empty();
    let candidate = |number: Decimal, what: &str| {
        let source = format!("{} where exportRca is below 1{what}, added up", cells.source);
        TotalCandidate { number, source, of_country: false, is_whole }
    };
    let drawn = candidate(cells.index.sum(is_drawn), " and distance and complexity are known");
    let all = candidate(cells.index.sum(lacks), "");
    if is_whole { vec![drawn, all] } else { vec![all] }
}

/// A field of the rows by product, from the first query that has it. Goods in the product space
/// must have it, or they cannot be compared. Services and products outside the space need not.
pub(crate) fn of_goods<T>(
    view: &View<'_>,
    from: &[&str],
    field: &str,
    read: impl Fn(&Datum<'_>) -> Option<T>,
) -> HashMap<String, T> {
    let mut values = HashMap::new();
    for root in from.iter().flat_map(|from| view.exchanges.named(from)) {
        for (id, value) in by_id(root, "productId", field, view.requested.year).into_iter().flatten() {
            match value.and_then(&read) {
                Some(value) => _ = values.entry(id.to_owned()).or_insert(value),
                None if view.catalogues().may_be_in_space(id) => {
                    root.lacks(&format!("*.{field}"), &format!("it has no value for {id}"));
                }
                None => {}
            }
        }
    }
    values
}

/// The keys of a row: its cell's name, and its code if known. The context gets the same.
pub(crate) fn name_cell(
    view: &View<'_>,
    of: Of,
    (name, code): (String, Option<String>),
    context: &mut Context,
) -> Vec<(String, String)> {
    let known = code.clone().unwrap_or_else(|| name.clone());
    match of {
        Of::Product => {
            context.product = Some(known);
            context.partner = view.requested.partner.as_ref().map(plain_place);
        }
        Of::Partner => {
            context.product = product_code(view);
            let place =
                if view.requested.subject.is_none() { &mut context.country } else { &mut context.partner };
            *place = Some(known);
        }
    }
    let code = code.filter(|_| of == Of::Product).map(|code| ("code".to_owned(), code));
    std::iter::once((name_key(view, of).to_owned(), name)).chain(code).collect()
}

/// The key for a cell's name. Partners in the world's trade of a product are its sellers.
pub(crate) fn name_key(view: &View<'_>, of: Of) -> &'static str {
    match of {
        Of::Product => "product",
        Of::Partner if view.requested.subject.is_none() => "name",
        Of::Partner => "partner",
    }
}

/// The code of the only product on a page.
pub fn product_code(view: &View<'_>) -> Option<String> {
    let product = view.requested.product()?;
    view.catalogues().product(&product.to_string()).map(|item| item.code.clone())
}

/// A field in the row of a year, and of a place if rows name one.
pub fn of_year(root: &Root<'_>, field: &str, year: Option<i16>, subject: Option<PlaceId>) -> Option<Decimal> {
    let value = root.keys(field)?;
    let (years, countries) = (root.keys("year"), root.keys("countryId"));
    let text = |row, keys: &Option<Vec<String>>| root.at(row, keys.as_deref()?).and_then(plain);
    let row = root.rows().find(|row| {
        let year_fits = text(row, &years).zip(year).is_none_or(|(text, year)| text == year.to_string());
        let place_fits = text(row, &countries)
            .and_then(|text| text.parse().ok())
            .zip(subject)
            .is_none_or(|(place, subject): (PlaceId, _)| place == subject);
        year_fits && place_fits
    })?;
    root.at(row, &value).and_then(number)
}

#[cfg(test)]
mod opportunities_tests;
#[cfg(test)]
mod tests;
