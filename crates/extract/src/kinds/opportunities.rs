//! The table of growth opportunities: its rows as displayed, compared with the responses behind them, and put into the
//! page's own order where the table was sorted by a column. As a whole, or its first products.

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
    /// How many.
    count: usize,
}

/// The first products.
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

/// The table as a whole.
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

/// Weights of distance, complexity and gain in the order that the table has before anyone sorts it, the same
/// for every country. The normalized distance is larger for what is nearer.
const WEIGHTS: [(&str, i64); 3] = [("normalizedDistance", 50), ("normalizedPci", 15), ("normalizedCog", 35)];

/// A field of a response by product code, and where it is.
type ByCode<'s> = (HashMap<&'s str, Decimal>, String);

/// The field of a response that a column displays.
struct BehindColumn {
    /// Its value for each row of the table as displayed.
    values: Vec<Option<Decimal>>,
    /// Where it is.
    source: String,
}

/// The table as a spec describes it.
#[derive(Debug)]
pub(super) struct Opportunities {
    pub columns: Vec<Column>,
    form: TableForm,
}

/// The table as a page shows it.
pub(super) struct Rows {
    table: Result<Table, Miss>,
}

impl Rows {
    pub fn table(&self) -> Result<&Table, Miss> {
        self.table.as_ref().map_err(Clone::clone)
    }
}

/// The places of its rows in the page's own order.
struct Order(Result<Vec<usize>, Miss>);

impl Opportunities {
    /// The table that a point of this id describes.
    pub fn of(spec: &Spec, id: &str) -> Result<Self, String> {
        Self::new(TableSpec::of(spec, id)?)
    }

    fn new(params: TableSpec) -> Result<Self, String> {
        Ok(Self { form: params.form()?, columns: params.columns })
    }

    /// What every point of the table needs: what is known of its products in the world stands beside their rows.
    pub fn needs() -> Needs {
        let also = vec!["productYear".to_owned()];
        Needs { pages: &[FEASIBILITY_TABLE], picture: true, also, ..Needs::default() }
    }

    /// The table, read once: several points are about it.
    pub fn rows(&self, view: &View<'_>) -> Rc<Rows> {
        view.shared("", || Rows { table: table::read(&view.page, 0..view.page.lines.len(), &self.form) })
    }

    /// The rows in the order that the page gives them by itself. Where the rows as displayed are sorted by one
    /// of the columns and not by the page's own score, the score of the page's response decides; of a part of the
    /// table it cannot say what comes first.
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

    /// The responses behind the columns, for those that name one.
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

    /// What the country exports of the products in the table. Rows that are not all there do not add up to it.
    pub fn sum(&self, view: &View<'_>) -> Option<(Decimal, String)> {
        let rows = self.rows(view);
        let table = rows.table.as_ref().ok().filter(|table| part(view, table).is_none())?;
        let (values, source) = by_code(view, "countryProductYear", "exportValue")?;
        let codes = table.rows.iter().filter_map(|row| {
            let code = row[0].code.as_deref().unwrap_or_default();
            let value = values.get(code);
            if value.is_none() {
                view.exchanges.unread().note(source.as_str(), format!("it is no number for {code}"));
            }
            value
        });
        let sum = codes.fold(Decimal::ZERO, |sum, value| sum.saturating_add(*value));
        Some((sum, format!("{source} of the {} products of the table, added up", table.rows.len())))
    }

    /// One cell, held against the response behind its column.
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
            let why = format!("it gives {given} for {head}, and the page shows \"{shown}\"");
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

/// Why the rows are not the whole table: the page promises more of them, or its response holds many more
/// products that the country has no comparative advantage in, as a table in pages shows them.
pub(super) fn part(view: &View<'_>, table: &Table) -> Option<Miss> {
    if let Some(miss) = table.lack() {
        return Some(miss);
    }
    let (advantages, source) = by_code(view, "countryProductYear", "exportRca")?;
    let lacking = advantages.values().filter(|rca| **rca < Decimal::ONE).count();
    let rows = table.rows.len();
    (rows * 100 < lacking * LEAST_SHOWN).then(|| {
        let what = format!("{rows} rows, where {source} is below 1 for {lacking} products");
        FailureKind::Partial(what).into()
    })
}

/// The score of every row. What the response gives as null adds nothing to it, as in the page's own sum; none
/// when that is so of more than a few rows.
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

/// Of a hundred products without comparative advantage a table shows so many at least. Not all: which ones a page
/// leaves out is not documented.
const LEAST_SHOWN: usize = 75;

/// Of a hundred steps from row to row, so many must go one way in a column that the table is sorted by. Not
/// all: how names are put in order depends on the browser's language.
const STEPS_ONE_WAY: usize = 95;

/// Whether a column rises or falls nearly all the way, and is not the same throughout.
fn is_sorted(table: &Table, column: usize) -> bool {
    let compare = |a: &Vec<Cell>, b: &Vec<Cell>| match (&a[column].reading, &b[column].reading) {
        (Reading::Quantity(a), Reading::Quantity(b)) => a.number.cmp(&b.number),
        _ => a[column].value.to_lowercase().cmp(&b[column].value.to_lowercase()),
    };
    let steps: Vec<_> = table.rows.windows(2).map(|pair| compare(&pair[0], &pair[1])).collect();
    let enough = |count: usize| count * 100 >= steps.len() * STEPS_ONE_WAY;
    let rises = steps.iter().filter(|step| step.is_le()).count();
    let falls = steps.iter().filter(|step| step.is_ge()).count();
    (enough(rises) || enough(falls)) && steps.iter().any(|step| step.is_ne())
}
