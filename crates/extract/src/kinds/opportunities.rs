//! The kinds for the table of growth opportunities: the whole table, or its first products. Rows
//! are compared with their responses, and a table sorted by a column is restored to the page's own
//! order.

use std::collections::HashMap;
use std::rc::Rc;

use rust_decimal::Decimal;
use serde::Deserialize;

use super::kind::{Built, Description, FEASIBILITY_TABLE, Found, Kind, Needs, OF_PRODUCTS};
use super::table_cell;
use crate::cell::Cell;
use crate::evidence::Agreement;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{Backing, FailureKind, Miss, Observation, Reading, Wanted};
use crate::response;
use crate::response::number;
use crate::response::rows::by_id;
use crate::table::{self, Column, Table, TableForm, TableSpec};
use crate::value::{AnswerField, Period, Rule};
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// Id of the point that describes the table.
    table: String,
    /// The number of products.
    count: usize,
}

/// The first products of the table.
#[derive(Debug)]
struct First {
    table: Opportunities,
    count: usize,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let Params { table, count } = point.find.params()?;
    Ok(Box::new(First { table: Opportunities::of(spec, &table)?, count }))
}

impl Kind for First {
    fn needs(&self) -> Needs {
        Opportunities::needs()
    }

    fn answers(&self) -> &'static [AnswerField] {
        OF_PRODUCTS
    }

    fn describe(&self) -> Description {
        let Description { label, .. } = Description::of_table(&self.table.form);
        Description::of("the first products of the table of opportunities", label, "names")
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let rows = self.table.rows(view);
        let table = rows.table()?;
        let order = self.table.order(view, table)?;
        let first = order.iter().take(self.count).enumerate();
        Ok(first
            .map(|(rank, &row)| {
                let mut one = table_cell::observe(view, point, &self.table.form, table, (row, 0));
                one.keys.insert(0, ("rank".to_owned(), (rank + 1).to_string()));
                one
            })
            .collect())
    }
}

/// The whole table.
#[derive(Debug)]
struct Whole(Opportunities);

pub(super) fn whole(table: TableSpec) -> Built {
    Ok(Box::new(Whole(Opportunities::new(table)?)))
}

impl Kind for Whole {
    fn needs(&self) -> Needs {
        Opportunities::needs()
    }

    fn answers(&self) -> &'static [AnswerField] {
        OF_PRODUCTS
    }

    fn describe(&self) -> Description {
        Description::of_table(&self.0.form)
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let rows = self.0.rows(view);
        let table = rows.table()?;
        if let Some(part) = part(view, table) {
            return Err(part);
        }
        let order = self.0.order(view, table)?;
        let columns = self.0.columns.len();
        let cells = order
            .iter()
            .enumerate()
            .flat_map(|(rank, &row)| (1..columns).map(move |column| (rank, row, column)));
        Ok(cells
            .filter_map(|(rank, row, column)| {
                let mut one = self.0.cell(view, point, &rows, row, column)?;
                one.keys.insert(0, ("rank".to_owned(), (rank + 1).to_string()));
                one.keys.push(("column".to_owned(), self.0.columns[column].id.clone()));
                Some(one)
            })
            .collect())
    }
}

/// The weights of distance, complexity and gain in the default order of the table, the same for
/// every country. The normalized distance is larger for closer products.
const WEIGHTS: [(&str, i64); 3] = [("normalizedDistance", 50), ("normalizedPci", 15), ("normalizedCog", 35)];

/// A response field by product code, with its source.
type ByCode<'s> = (HashMap<&'s str, Decimal>, String);

/// The response field behind a column.
struct BehindColumn {
    /// The value for each displayed row.
    values: Vec<Option<Decimal>>,
    /// Its source.
    source: String,
}

/// The table in a spec.
#[derive(Debug)]
pub(super) struct Opportunities {
    pub columns: Vec<Column>,
    form: TableForm,
}

/// The table on a page.
pub(super) struct Rows {
    table: Result<Table, Miss>,
}

impl Rows {
    pub fn table(&self) -> Result<&Table, Miss> {
        self.table.as_ref().map_err(Clone::clone)
    }
}

/// The row indices in the page's own order.
struct Order(Result<Vec<usize>, Miss>);

impl Opportunities {
    /// The table described by the point with this id.
    pub fn of(spec: &Spec, id: &str) -> Result<Self, String> {
        Self::new(TableSpec::of(spec, id)?)
    }

    fn new(params: TableSpec) -> Result<Self, String> {
        Ok(Self { form: params.form()?, columns: params.columns })
    }

    /// The needs of every point of the table: the products' world figures are beside the rows.
    pub fn needs() -> Needs {
        let also = vec!["productYear".to_owned()];
        Needs { pages: &[FEASIBILITY_TABLE], picture: true, also, ..Needs::default() }
    }

    /// The table, parsed once for several points.
    pub fn rows(&self, view: &View<'_>) -> Rc<Rows> {
        view.shared("", || Rows { table: table::read(&view.page, 0..view.page.lines.len(), &self.form) })
    }

    /// The rows in the page's own order. If the displayed rows are sorted by a column instead of
    /// the score, the score in the response decides. A partial table cannot be ordered this way.
    pub fn order(&self, view: &View<'_>, table: &Table) -> Result<Vec<usize>, Miss> {
        let order = || {
            let displayed: Vec<usize> = (0..table.rows.len()).collect();
            let scores = scores(view, table);
            if scores.as_ref().is_some_and(|scores| scores.windows(2).all(|pair| pair[0] >= pair[1])) {
                return Ok(displayed);
            }
            if let Some(part) = part(view, table) {
                return Err(part);
            }
            let Some(scores) = scores else { return Ok(displayed) };
            if !(0..self.columns.len()).any(|column| is_sorted(table, column)) {
                return Ok(displayed);
            }
            let mut order = displayed;
            let code = |row: usize| table.rows[row][0].code.as_deref().unwrap_or_default();
            order.sort_by(|&a, &b| scores[b].cmp(&scores[a]).then_with(|| code(b).cmp(code(a))));
            Ok(order)
        };
        view.shared("", || Order(order())).0.clone()
    }

    /// The responses behind the columns that name one.
    fn behind(&self, view: &View<'_>, table: &Table) -> Rc<Vec<Option<BehindColumn>>> {
        view.shared("", || {
            let behind = |column: &Column| {
                let (values, source) = by_code(view, "productYear", column.field.as_deref()?)?;
                let of_row = |row: &Vec<Cell>| values.get(row[0].code.as_deref()?).copied();
                Some(BehindColumn { values: table.rows.iter().map(of_row).collect(), source })
            };
            self.columns.iter().map(behind).collect()
        })
    }

    /// The country's exports of the products in the table. Needs all rows.
    pub fn sum(&self, view: &View<'_>) -> Option<(Decimal, String)> {
        let rows = self.rows(view);
        let table = rows.table.as_ref().ok().filter(|table| part(view, table).is_none())?;
        let (values, source) = by_code(view, "countryProductYear", "exportValue")?;
        let codes = table.rows.iter().filter_map(|row| {
            let code = row[0].code.as_deref().unwrap_or_default();
            let value = values.get(code);
            if value.is_none() {
                view.exchanges.unread().note(source.as_str(), format!("it is not a number for {code}"));
            }
            value
        });
        let sum = codes.fold(Decimal::ZERO, |sum, value| sum.saturating_add(*value));
        Some((sum, format!("{source} of the {} products of the table, added up", table.rows.len())))
    }

    /// A cell, compared with its column's response.
    pub fn cell(
        &self,
        view: &View<'_>,
        point: &Point,
        rows: &Rows,
        row: usize,
        column: usize,
    ) -> Option<Observation> {
        let table = rows.table.as_ref().ok()?;
        let head = table.rows.get(row)?.first()?;
        let spec = &self.columns[column];
        let mut one = table_cell::observe(view, point, &self.form, table, (row, column));
        one.known.clone_from(&spec.known_difference);
        if one.rule == Some(Rule::Growth)
            && let Some(year) = view.requested.year
        {
            one.context.period = Some(Period { start: year - 5, end: year });
        }
        let behind = self.behind(view, table);
        let behind = behind[column].as_ref();
        if let Some(behind) =
            behind.filter(|behind| behind.values[row].is_none() != matches!(one.reading, Reading::Absent(_)))
        {
            let given = behind.values[row].map_or_else(|| "no value".to_owned(), |value| value.to_string());
            let (head, shown) = (&head.value, &one.displayed);
            let why = format!("it gives {given} for {head}, but the page shows \"{shown}\"");
            view.exchanges.unread().note(behind.source.as_str(), why);
        }
        let precise = behind.and_then(|behind| {
            let value = behind.values[row]?;
            Some((spec.scale.map_or(value, |scale| value.saturating_mul(scale)), &behind.source))
        });
        if let (Some((precise, source)), Reading::Quantity(shown)) = (precise, &one.reading) {
            let text = precise.normalize().to_string();
            (one.agreement, one.reason) = if shown.interval.contains(precise) {
                (Agreement::Agrees, format!("{text} in the response is displayed as {}", one.value))
            } else {
                let why = spec.known_difference.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                let shown = &one.value;
                (Agreement::PageDisagrees, format!("the page shows {shown}, its response says {text}{why}"))
            };
            one.backing = Some(Backing { source: format!("{source} of {}", head.value), precise: text });
        }
        Some(one)
    }
}

/// Why the rows are only part of the table. The page may promise more rows. Or its response may
/// have many more products without comparative advantage, as in a paginated table.
pub(super) fn part(view: &View<'_>, table: &Table) -> Option<Miss> {
    if let Some(miss) = table.lack() {
        return Some(miss);
    }
    let (advantages, source) = by_code(view, "countryProductYear", "exportRca")?;
    let lacking = advantages.values().filter(|rca| **rca < Decimal::ONE).count();
    let rows = table.rows.len();
    (rows * 100 < lacking * MIN_SHOWN_PERCENT).then(|| {
        let what = format!("{rows} rows, where {source} is below 1 for {lacking} products");
        FailureKind::Partial(what).into()
    })
}

/// The score of every row. A null adds nothing, as in the page's own sum. Returns none if more than
/// a few rows have nulls.
fn scores(view: &View<'_>, table: &Table) -> Option<Vec<Decimal>> {
    let parts: Vec<(ByCode<'_>, i64)> = WEIGHTS
        .iter()
        .map(|(field, weight)| Some((by_code(view, "countryProductYear", field)?, *weight)))
        .collect::<Option<_>>()?;
    let mut lacking = 0;
    let mut score = |row: &Vec<Cell>| {
        let code = row[0].code.as_deref().unwrap_or_default();
        let found: Vec<_> = parts
            .iter()
            .filter_map(|((values, _), weight)| values.get(code)?.checked_mul(Decimal::new(*weight, 2)))
            .collect();
        lacking += usize::from(found.len() < parts.len());
        found.into_iter().fold(Decimal::ZERO, Decimal::saturating_add)
    };
    let scores = table.rows.iter().map(&mut score).collect();
    (lacking * 20 <= table.rows.len()).then_some(scores)
}

/// A field of all rows of a query, by product code.
fn by_code<'v>(view: &'v View<'_>, query: &'v str, field: &str) -> Option<ByCode<'v>> {
    view.exchanges.named(query).find_map(|root| {
        let all = by_id(root, "productId", field, view.requested.year)?;
        let of_row =
            |(id, value): (&str, _)| Some((view.catalogues().product(id)?.code.as_str(), number(value?)?));
        let values = all.filter_map(of_row).collect();
        Some((values, response::source(root, field)))
    })
}

/// The minimum percentage of products without comparative advantage that a table shows. Not 100,
/// because the page's exclusions are undocumented.
const MIN_SHOWN_PERCENT: usize = 75;

/// The minimum percentage of steps between rows in one direction for a sorted column. Not 100,
/// because the order of names depends on the browser's language.
const MIN_SORTED_PERCENT: usize = 95;

/// Whether a column increases or decreases almost throughout, and is not constant.
fn is_sorted(table: &Table, column: usize) -> bool {
    let compare = |a: &Vec<Cell>, b: &Vec<Cell>| match (&a[column].reading, &b[column].reading) {
        (Reading::Quantity(a), Reading::Quantity(b)) => a.number.cmp(&b.number),
        _ => a[column].value.to_lowercase().cmp(&b[column].value.to_lowercase()),
    };
    let steps: Vec<_> = table.rows.windows(2).map(|pair| compare(&pair[0], &pair[1])).collect();
    let enough = |count: usize| count * 100 >= steps.len() * MIN_SORTED_PERCENT;
    let rises = steps.iter().filter(|step| step.is_le()).count();
    let falls = steps.iter().filter(|step| step.is_ge()).count();
    (enough(rises) || enough(falls)) && steps.iter().any(|step| step.is_ne())
}
