//! Rows drawn as cells on an Explore page: one, the largest, some, or all together. The cell
//! labels, the total in the corner and a cell's tooltip confirm or refute the response.

use std::collections::{HashMap, HashSet};

use rust_decimal::Decimal;

use super::{Figure, Query, UNCONFIRMED, confirmed, key, no_row};
use crate::evidence::{Agreement, Channel};
use crate::kinds::kind::Found;
use crate::manifest::spec::{FieldOf, Over, RowOf, Select, Take};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading};
use crate::response::rows::{ResponseRow, by_id};
use crate::response::shares::share;
use crate::response::{self, Datum, number, plain};
use crate::treemap::labels::UNCONFIRMED as NO_LABEL;
use crate::treemap::{Cells, Drawing, Of, hold_against, name_cell, of_goods, other_field};
use crate::value::{Absence, Context, Rule, Scope, format};
use crate::view::View;
use crate::view::requested::plain as plain_place;

/// A row with its index.
type At<'r, 'a> = (usize, &'r ResponseRow<'a>);

impl Query<'_, '_> {
    pub(super) fn of_drawing(&self) -> Found {
        let drawing = &*Drawing::of(self.view);
        match (self.spec.take, self.spec.over) {
            (_, Some(Over::Total)) => self.corner(drawing),
            (Take::All, Some(Over::Sum)) if self.spec.select.is_empty() => self.all_cells(drawing),
            (Take::All, Some(Over::Count)) => self.count(drawing),
            (Take::All, _) | (_, Some(Over::Sum)) => self.together(drawing),
            (_, Some(Over::Share)) if self.spec.of == Some(RowOf::Sector) => self.together(drawing),
            (Take::Asked, _) => self.one(drawing),
            (Take::Largest(count), _) => self.largest(drawing, count),
            (Take::Ends, _) => self.ends(drawing),
        }
    }

    /// The condition that selects rows.
    fn selected(&self) -> Result<impl Fn(&ResponseRow<'_>) -> bool, Miss> {
        let ids = |one: &Select| -> Result<Option<HashSet<String>>, Miss> {
            let Some(field) = &one.field else { return Ok(None) };
            let of = FieldOf { query: one.query.clone(), field: field.clone() };
            let ids = match (one.least, &one.is) {
                (Some(least), _) => fitting(values(self.view, &of, number)?, |number| *number >= least),
                (None, word) => fitting(values(self.view, &of, plain)?, |own| Some(own) == word.as_ref()),
            };
            Ok(Some(ids))
        };
        let ids: Vec<_> = self.spec.select.iter().map(ids).collect::<Result<_, _>>()?;
        Ok(move |row: &ResponseRow<'_>| {
            self.spec.select.iter().zip(&ids).all(|(one, ids)| match ids {
                Some(ids) => ids.contains(row.id.as_ref()),
                None => one.sector.as_ref().is_none_or(|sector| row.sector.eq_ignore_ascii_case(sector)),
            })
        })
    }

    /// The row named by the question.
    fn one(&self, drawing: &Drawing) -> Found {
        let cells = drawing.divided_by(self.division())?;
        let asked = self.asked()?;
        let row = cells.index.find(asked).ok_or_else(|| no_row(asked))?;
        let mut one = match self.spec.field.as_deref() {
            Some("sector") => self.sector(drawing, cells, row)?,
            Some(field) => self.other_figure(drawing, cells, (field, row.1))?,
            None => self.cell(drawing, cells, row),
        };
        if self.rows.of_world {
            one.context.country = None;
        }
        Ok(vec![one])
    }

    /// The observation of a row, under its cell's name.
    fn observe(
        &self,
        cells: &Cells,
        row: &ResponseRow<'_>,
        (reading, value): (Reading, String),
    ) -> Observation {
        let mut context = self.context();
        let named = (row.name.to_string(), Some(row.code.to_string()));
        let keys = name_cell(self.view, cells.of, named, &mut context);
        if row.service && cells.of == Of::Partner {
            context.scope = Some(Scope::Services);
        }
        Observation {
            keys,
            rule: self.spec.rule,
            channel: Channel::PageResponse,
            locator: format!("treemap cell \"{}\"", row.name),
            agreement: Agreement::Unverified,
            ..Observation::of(self.point, context, reading, value)
        }
    }

    /// The absence of a row's value, with the reason.
    fn no_value(&self, cells: &Cells, row: &ResponseRow<'_>, reason: String) -> Observation {
        let absent = (Reading::Absent(Absence::NotShownHere), "N/A".to_owned());
        Observation { reason, agreement: Agreement::Single, ..self.observe(cells, row, absent) }
    }

    /// The value or share of a row.
    fn cell(&self, drawing: &Drawing, cells: &Cells, (at, row): At<'_, '_>) -> Observation {
        if row.drawn().is_none() {
            let value = cells.index.value(row);
            let given = value.map_or_else(|| "null".to_owned(), |value| value.normalize().to_string());
            let why = format!("{} gives {given} for {}: it has no cell", cells.source, row.name);
            return self.no_value(cells, row, why);
        }
        let is_share = self.spec.over == Some(Over::Share);
        let share = if is_share { share(row.value, cells.sum()) } else { None };
        let number = share.or(row.value).unwrap_or_default();
        let mut one = self.observe(cells, row, self.number(number));
        let mut source = format!("{} of {}", cells.source, row.name);
        if is_share {
            source = format!("{source}, over the sum of the {} cells", cells.index.drawn().len());
        } else {
            one.displayed = drawing.labels.agreeing.get(&at).cloned().unwrap_or_default();
        }
        one.backing = Some(Backing { source, precise: number.normalize().to_string() });
        (one.agreement, one.reason) = confirmed(drawing.labels.reason(at), NO_LABEL);
        if is_share || cells.of == Of::Partner || self.spec.take != Take::Asked {
            one.context.scope = Some(cells.scope);
        }
        one
    }

    /// The sector of a product, from the page's own catalogue.
    fn sector(&self, drawing: &Drawing, cells: &Cells, (at, row): At<'_, '_>) -> Result<Observation, Miss> {
        if row.sector.is_empty() {
            let nearest = format!("no catalogue of the page has the sector of {}", row.name);
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        let (agreement, reason) = confirmed(drawing.labels.reason(at), "no visible label names the product");
        let sector = row.sector.to_string();
        let one = self.observe(cells, row, (Reading::Text(sector.clone()), sector));
        Ok(Observation { rule: None, agreement, reason, ..one })
    }

    /// Another field of a product's row, or of its row in another response.
    fn other_figure(
        &self,
        drawing: &Drawing,
        cells: &Cells,
        (field, row): (&str, &ResponseRow<'_>),
    ) -> Result<Observation, Miss> {
        let view = self.view;
        let from = queries(view, self.spec.query.as_ref());
        let found = other_field(&view.exchanges, &from, field, &row.id, view.requested.year);
        let (value, source) = found.ok_or_else(|| not_asked(&from, field))?;
        let source = format!("{source} of {}", row.name);
        let Some(value) = value else {
            return Ok(self.no_value(cells, row, format!("{source} is null")));
        };
        let value = self.scaled(value);
        let mut one = self.observe(cells, row, self.number(value));
        one.backing = Some(Backing { source, precise: value.normalize().to_string() });
        let is_drawn = from.iter().any(|from| view.requested.fields.contains(from));
        let labels = by_labels(drawing);
        // labels confirm a treemap, the total in the corner other drawings
        let corner = if labels.is_none() { by_corner(drawing, view)? } else { None };
        (one.agreement, one.reason) = confirmed(labels.or(corner).filter(|_| is_drawn), UNCONFIRMED);
        hold_against(view, self.spec.tooltip(), self.rule_or_count(), row, value, &mut one)?;
        Ok(one)
    }

    /// The largest rows.
    fn largest(&self, drawing: &Drawing, count: usize) -> Found {
        let cells = drawing.divided_by(self.division())?;
        let mut first = cells.index.ranked(self.selected()?);
        if let Some(order) = &self.spec.order {
            let order = values(self.view, order, number)?;
            let mut ranked: Vec<_> =
                first.into_iter().filter_map(|one| Some((*order.get(one.1.id.as_ref())?, one))).collect();
            ranked.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.1.code.cmp(&other.1.1.code)));
            first = ranked.into_iter().map(|(_, one)| one).collect();
        }
        first.truncate(count);
        if first.is_empty() {
            let sector = self.spec.select.iter().find_map(|one| one.sector.as_ref());
            let of = sector.map_or_else(String::new, |sector| format!(" of {sector}"));
            let nearest = format!("the response has no row{of} with a value above zero");
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        let sum = cells.sum();
        let one = |(rank, row): (usize, At<'_, '_>)| {
            let mut one = self.cell(drawing, cells, row);
            one.keys.insert(0, key("rank", &(rank + 1).to_string()));
            let share = share(row.1.value, sum).and_then(|share| format(share, Rule::F6));
            one.keys.extend(share.map(|share| key("share", &share)));
            one
        };
        Ok(first.into_iter().enumerate().map(one).collect())
    }

    /// The named or selected rows together, as a sum or as a share.
    fn together(&self, drawing: &Drawing) -> Found {
        let cells = drawing.divided_by(Of::Product)?;
        let selected = self.selected()?;
        let (asked, called) = self.name_together()?;
        let is_all = self.spec.take == Take::All;
        let is_of = |row: &ResponseRow<'_>| (is_all || row.is_of(asked)) && selected(row);
        let parts: Vec<&ResponseRow<'_>> = cells.index.drawn().iter().filter(|row| is_of(row)).collect();
        if parts.is_empty() {
            return Err(no_row(asked));
        }
        let is_share = self.spec.over == Some(Over::Share);
        let sum = cells.index.sum(is_of);
        let number = if is_share { share(Some(sum), cells.sum()) } else { Some(sum) }.unwrap_or_default();
        let own = if parts.iter().all(|row| row.service) { Scope::Services } else { Scope::Goods };
        let over = if is_share {
            format!(", over the sum of the {} cells", cells.index.drawn().len())
        } else {
            String::new()
        };
        let context = Context {
            product: Some(called.to_owned()),
            partner: self.view.requested.partner.as_ref().map(plain_place),
            // a part has the scope of its whole
            scope: Some(if is_share { cells.scope } else { own }),
            ..self.context()
        };
        let (reading, value) = self.number(number);
        let figure = Figure {
            keys: vec![key("sector", asked)],
            context,
            reading,
            value,
            locator: format!("{} cells of the treemap, those of {asked}", parts.len()),
            source: format!("{} of {asked}, added up{over}", cells.source),
        };
        Ok(vec![self.observed(figure, confirmed(by_labels(drawing), NO_LABEL))])
    }

    /// The key for the rows' common name, and that name.
    pub(super) fn name_together(&self) -> Result<(&str, &str), Miss> {
        let asked = match self.spec.select.first().filter(|_| self.spec.take == Take::All) {
            Some(one) => [&one.is, &one.sector, &one.field]
                .into_iter()
                .find_map(|name| name.as_deref())
                .unwrap_or_default(),
            None => self.asked()?,
        };
        let called = self.spec.select.iter().find_map(|one| one.called.as_deref());
        Ok((asked, called.unwrap_or(asked)))
    }

    /// The number of selected products with a place in the product space.
    fn count(&self, drawing: &Drawing) -> Found {
        let cells = drawing.divided_by(Of::Product)?;
        let selected = self.selected()?;
        let root = self.drawn()?;
        // services and products without a place have no node
        let nodes: Vec<&ResponseRow<'_>> =
            cells.index.rows.iter().filter(|row| self.view.catalogues().may_be_in_space(&row.id)).collect();
        if nodes.is_empty() {
            root.lacks("*.productId", "no catalogue has places in the product space");
        }
        let number = Decimal::from(nodes.iter().filter(|row| selected(row)).count());
        let conditions = self.spec.select.iter().filter_map(|one| {
            let of = one.least.map(|least| format!("at least {least}")).or_else(|| one.is.clone());
            Some(format!("{} of {}", response::source(root, one.field.as_deref()?), of?))
        });
        let source = format!("{}, counted", conditions.collect::<Vec<_>>().join(" and "));
        let (reading, value) = self.number(number);
        let figure = Figure {
            keys: Vec::new(),
            context: Context { scope: Some(Scope::Goods), ..self.context() },
            reading,
            value,
            locator: format!("the nodes of the drawing, of {} products", cells.index.rows.len()),
            source,
        };
        Ok(vec![self.observed(figure, confirmed(by_corner(drawing, self.view)?, UNCONFIRMED))])
    }

    /// The partners with the largest surplus and deficit: one field minus another.
    fn ends(&self, drawing: &Drawing) -> Found {
        let cells = drawing.divided_by(Of::Partner)?;
        let root = self.drawn()?;
        // the placeholder for services has no imports
        let places: HashMap<&str, &ResponseRow<'_>> =
            cells.index.rows.iter().filter(|row| !row.service).map(|row| (row.id.as_ref(), row)).collect();
        let (field, less) = self.spec.field.as_deref().zip(self.spec.less.as_deref()).unwrap_or_default();
        let of = |field: &str| {
            let all = by_id(root, Of::Partner.id(), field, self.view.requested.year);
            let all = all.ok_or_else(|| not_asked(&[root.field.as_str()], field))?;
            let known = all.filter(|(id, _)| places.contains_key(id)).filter_map(|(id, value)| {
                let value = value.and_then(number);
                if value.is_none() {
                    root.lacks(&format!("*.{field}"), &format!("it is not a number for {id}"));
                }
                Some((id, value?))
            });
            Ok::<HashMap<&str, Decimal>, Miss>(known.collect())
        };
        let (more, less_of) = (of(field)?, of(less)?);
        let balance =
            |(id, more): (&&str, &Decimal)| Some((more.saturating_sub(*less_of.get(id)?), places[id]));
        let mut rows: Vec<(Decimal, &ResponseRow<'_>)> = more.iter().filter_map(balance).collect();
        rows.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.code.cmp(&other.1.code)));
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Err(FailureKind::ResponseMissing.into());
        };
        let one = |name: &str, (balance, row): &(Decimal, &ResponseRow<'_>)| {
            let (reading, value) = self.number(*balance);
            let figure = Figure {
                keys: vec![key("column", name), key("partner", &row.name)],
                context: Context {
                    partner: Some(row.code.to_string()),
                    scope: Some(Scope::Goods),
                    ..self.context()
                },
                reading,
                value,
                locator: format!("the partners of the treemap, largest {name}"),
                source: format!("{} less its {less}", response::source(root, field)),
            };
            self.observed(figure, confirmed(by_labels(drawing), NO_LABEL))
        };
        let surplus = (first.0 > Decimal::ZERO).then(|| one(ENDS[0], first));
        let deficit = (last.0 < Decimal::ZERO).then(|| one(ENDS[1], last));
        Ok(surplus.into_iter().chain(deficit).collect())
    }
}

/// The names of the partners at either end.
pub(super) const ENDS: [&str; 2] = ["surplus", "deficit"];

/// The queries that hold a field.
fn queries<'q>(view: &View<'_>, query: Option<&'q String>) -> Vec<&'q str> {
    query.map_or_else(|| view.requested.fields.to_vec(), |query| vec![query.as_str()])
}

fn not_asked(from: &[&str], field: &str) -> Miss {
    let nearest = format!("no query of the page requests {field} from {}", from.join(" or "));
    Miss::near(FailureKind::ResponseMissing, nearest)
}

/// A field of the rows, by product id.
fn values<T>(
    view: &View<'_>,
    of: &FieldOf,
    read: impl Fn(&Datum<'_>) -> Option<T>,
) -> Result<HashMap<String, T>, Miss> {
    let from = queries(view, of.query.as_ref());
    let values = of_goods(view, &from, &of.field, read);
    if values.is_empty() { Err(not_asked(&from, &of.field)) } else { Ok(values) }
}

fn fitting<T>(values: HashMap<String, T>, fits: impl Fn(&T) -> bool) -> HashSet<String> {
    values.into_iter().filter(|(_, value)| fits(value)).map(|(id, _)| id).collect()
}

/// How the cell labels confirm the response.
pub(super) fn by_labels(drawing: &Drawing) -> Option<String> {
    let labels = drawing.labels.agreeing.len();
    (labels > 0).then(|| format!("{labels} visible labels of the same response agree with it"))
}

/// How the total in the corner confirms the response.
fn by_corner(drawing: &Drawing, view: &View<'_>) -> Result<Option<String>, Miss> {
    let text = drawing.corner(view)?;
    Ok(text.map(|text| format!("the figure in the corner, {text}, agrees with the same response")))
}
