//! The table of growth opportunities: its rows as displayed, compared with the responses behind them, and
//! put into the page's own order where the table was sorted by a column.

use std::collections::HashMap;

use rust_decimal::Decimal;

use crate::manifest::spec::{Column, Find, Point};
use crate::truth::{Agreement, Channel};
use crate::value::{Period, Rule};

use super::super::cell::{Cell, CellKind};
use super::super::compiled::Finder;
use super::super::datum::Datum;
use super::super::exchange::{Root, number};
use super::super::observation::{Backing, FailureKind, Observation, Reading};
use super::super::stat::Miss;
use super::super::table::{self, Table, TableForm};
use super::super::{Wanted, response};
use super::Scene;

/// Weights of distance, complexity and gain in the order that the table has before anyone sorts it, the same
/// for every country. The normalized distance is larger for what is nearer.
const WEIGHTS: [(&str, i64); 3] = [("normalizedDistance", 50), ("normalizedPci", 15), ("normalizedCog", 35)];

/// A field of a response by product code, and where it is.
type ByCode<'s> = (HashMap<&'s str, Decimal>, String);

/// The field of a response that a column displays.
pub(super) struct BehindColumn {
    /// Its value for each row of the table as displayed.
    values: Vec<Option<Decimal>>,
    /// Where it is.
    source: String,
}

impl Scene<'_> {
    /// The table, if a wanted point is read from it.
    pub(super) fn opportunities(&self, wanted: &[Wanted]) -> Option<Result<Table, Miss>> {
        let spec = self.extractor.spec();
        let is_wanted = wanted.iter().filter_map(|wanted| spec.point(&wanted.data_point)).any(|point| {
            matches!(
                point.find,
                Find::Table(_) | Find::Opportunities(_) | Find::Opportunity(_) | Find::Total(_)
            )
        });
        let (_, form) = self.table_point().filter(|_| is_wanted)?;
        Some(table::read(&self.page, 0..self.page.lines.len(), form))
    }

    fn table_point(&self) -> Option<(&Point, &TableForm)> {
        let points = self.extractor.spec().points.iter().zip(&self.extractor.finders);
        points.into_iter().find_map(|(point, finder)| match finder {
            Finder::Table(form) => Some((point, form)),
            _ => None,
        })
    }

    fn columns(&self) -> &[Column] {
        match self.table_point().map(|(point, _)| &point.find) {
            Some(Find::Table(table)) => &table.columns,
            _ => &[],
        }
    }

    fn rows(&self) -> Result<&Table, Miss> {
        let missing = || Miss { kind: FailureKind::LabelMissing, nearest: None };
        self.table.as_ref().ok_or_else(missing)?.as_ref().map_err(Clone::clone)
    }

    /// Why the rows are not the whole table: the page promises more of them, or its response holds many more
    /// products that the country has no comparative advantage in, as a table in pages shows them.
    fn part(&self, table: &Table) -> Option<Miss> {
        if let Some(miss) = table.lack() {
            return Some(miss);
        }
        let (advantages, source) = self.by_code("countryProductYear", "exportRca")?;
        let lacking = advantages.values().filter(|rca| **rca < Decimal::ONE).count();
        let rows = table.rows.len();
        (rows * 100 < lacking * LEAST_SHOWN).then(|| {
            let what = format!("{rows} rows, where {source} is below 1 for {lacking} products");
            Miss { kind: FailureKind::Partial(what), nearest: None }
        })
    }

    /// All rows and columns.
    pub(super) fn whole_table(&self, point: &Point) -> Result<Vec<Observation>, Miss> {
        let table = self.rows()?;
        if let Some(part) = self.part(table) {
            return Err(part);
        }
        let order = self.order(table)?;
        let columns = self.columns().len();
        let cells = order
            .iter()
            .enumerate()
            .flat_map(|(rank, &row)| (1..columns).map(move |column| (rank, row, column)));
        Ok(cells
            .filter_map(|(rank, row, column)| {
                let mut one = self.cell(point, table, row, column)?;
                one.keys.insert(0, ("rank".to_owned(), (rank + 1).to_string()));
                one.keys.push(("column".to_owned(), self.columns()[column].id.clone()));
                Some(one)
            })
            .collect())
    }

    /// The names of the first products.
    pub(super) fn first_opportunities(&self, point: &Point, count: usize) -> Result<Vec<Observation>, Miss> {
        let table = self.rows()?;
        let order = self.order(table)?;
        let rows = order.iter().take(count).enumerate();
        Ok(rows
            .map(|(rank, &row)| {
                let head = &table.rows[row][0];
                let mut observation = self.observation(point, head, head, row);
                observation.keys.insert(0, ("rank".to_owned(), (rank + 1).to_string()));
                observation
            })
            .collect())
    }

    /// One cell: of the product that is wanted, else of the first row.
    pub(super) fn opportunity(
        &self,
        point: &Point,
        column: &str,
        wanted: &Wanted,
    ) -> Result<Vec<Observation>, Miss> {
        let table = self.rows()?;
        let missing = |nearest| Miss { kind: FailureKind::LabelMissing, nearest };
        let row = match wanted.product.as_deref() {
            Some(asked) => {
                let is = |row: &Vec<Cell>| {
                    row[0].code.as_deref().is_some_and(|code| code.eq_ignore_ascii_case(asked))
                        || row[0].value.eq_ignore_ascii_case(asked)
                };
                let nearest = || Some(format!("the table of {} rows has no {asked}", table.rows.len()));
                let found = table.rows.iter().position(is);
                found.ok_or_else(|| self.part(table).unwrap_or_else(|| missing(nearest())))?
            }
            None => *self.order(table)?.first().ok_or_else(|| missing(None))?,
        };
        let at = self.columns().iter().position(|one| one.id == column).ok_or_else(|| missing(None))?;
        let one = self.cell(point, table, row, at);
        one.map(|one| vec![one]).ok_or_else(|| missing(None))
    }

    /// The rows in the order that the page gives them by itself. Where the rows as displayed are sorted by one
    /// of the columns and not by the page's own score, the score of the page's response decides; of a part of the
    /// table it cannot say what comes first.
    fn order(&self, table: &Table) -> Result<&[usize], Miss> {
        let order = self.order.get_or_init(|| {
            let displayed: Vec<usize> = (0..table.rows.len()).collect();
            let scores = self.scores(table);
            if scores.as_ref().is_some_and(|scores| scores.windows(2).all(|pair| pair[0] >= pair[1])) {
                return Ok(displayed);
            }
            if let Some(part) = self.part(table) {
                return Err(part);
            }
            let Some(scores) = scores else { return Ok(displayed) };
            if !(0..self.columns().len()).any(|column| is_sorted(table, column)) {
                return Ok(displayed);
            }
            let mut order = displayed;
            let code = |row: usize| table.rows[row][0].code.as_deref().unwrap_or_default();
            order.sort_by(|&a, &b| scores[b].cmp(&scores[a]).then_with(|| code(b).cmp(code(a))));
            Ok(order)
        });
        order.as_deref().map_err(Clone::clone)
    }

    /// The score of every row. What the response gives as null adds nothing to it, as in the page's own sum; none
    /// when that is so of more than a few rows.
    fn scores(&self, table: &Table) -> Option<Vec<Decimal>> {
        let parts: Vec<(ByCode<'_>, i64)> = WEIGHTS
            .iter()
            .map(|(field, weight)| Some((self.by_code("countryProductYear", field)?, *weight)))
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

    /// The responses behind the columns, for those that name one.
    fn behind(&self, table: &Table) -> &[Option<BehindColumn>] {
        self.behind.get_or_init(|| {
            let behind = |column: &Column| {
                let (values, source) = self.by_code("productYear", column.field.as_deref()?)?;
                let of_row = |row: &Vec<Cell>| values.get(row[0].code.as_deref()?).copied();
                Some(BehindColumn { values: table.rows.iter().map(of_row).collect(), source })
            };
            self.columns().iter().map(behind).collect()
        })
    }

    /// A field of all rows of a query, by product code.
    fn by_code(&self, query: &'static str, field: &str) -> Option<ByCode<'_>> {
        self.exchanges.named(query).find_map(|root| {
            let (value, id) = (root.keys(field)?, root.keys("productId")?);
            let years = root.keys("year");
            let of_year = |row: &&Datum<'_>| match (&years, self.asked.year) {
                (Some(keys), Some(year)) => {
                    Root::at(row, keys).and_then(Datum::as_i64) == Some(i64::from(year))
                }
                _ => true,
            };
            let of_row = |row| {
                let id = Root::at(row, &id).and_then(Datum::as_str)?;
                Some((self.books.product(id)?.code.as_str(), Root::at(row, &value).and_then(number)?))
            };
            let values = root.rows().filter(of_year).filter_map(of_row).collect();
            Some((values, response::source(root, field)))
        })
    }

    /// What the country exports of the products in the table.
    pub(super) fn sum_of_table(&self) -> Option<(Decimal, String)> {
        // rows that are not all there do not add up to it
        let table = self.table.as_ref()?.as_ref().ok().filter(|table| self.part(table).is_none())?;
        let (values, source) = self.by_code("countryProductYear", "exportValue")?;
        let codes = table.rows.iter().filter_map(|row| values.get(row[0].code.as_deref()?));
        let sum = codes.fold(Decimal::ZERO, |sum, value| sum.saturating_add(*value));
        Some((sum, format!("{source} of the {} products of the table, added up", table.rows.len())))
    }

    fn cell(&self, point: &Point, table: &Table, row: usize, column: usize) -> Option<Observation> {
        let cells = table.rows.get(row)?;
        let (head, cell) = (cells.first()?, cells.get(column)?);
        let spec = &self.columns()[column];
        let mut observation = self.observation(point, head, cell, row);
        observation.rule = self.table_point().and_then(|(_, form)| match form.columns[column].kind {
            CellKind::Number(rule) | CellKind::Arrowed(rule) => Some(rule),
            _ => None,
        });
        observation.locator = format!("table \"{}\", row {}, column `{}`", table.title, row + 1, spec.id);
        observation.known.clone_from(&spec.honest);
        if observation.rule == Some(Rule::Growth)
            && let Some(year) = self.asked.year
        {
            observation.context.period = Some(Period { start: year - 5, end: year });
        }
        let precise = self.behind(table)[column].as_ref().and_then(|BehindColumn { values, source }| {
            let value = values[row]?;
            Some((spec.scale.map_or(value, |scale| value.saturating_mul(scale)), source))
        });
        if let (Some((precise, source)), Reading::Quantity(shown)) = (precise, &observation.reading) {
            let text = precise.normalize().to_string();
            let (agreement, reason) = if shown.interval.contains(precise) {
                (Agreement::Agrees, format!("{text} in the response is displayed as {}", observation.value))
            } else {
                let why = spec.honest.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                let shown = &observation.value;
                (Agreement::PageDisagrees, format!("the page shows {shown}, its response says {text}{why}"))
            };
            (observation.agreement, observation.reason) = (agreement, reason);
            observation.backing =
                Some(Backing { source: format!("{source} of {}", head.value), precise: text });
        }
        Some(observation)
    }

    fn observation(&self, point: &Point, head: &Cell, cell: &Cell, row: usize) -> Observation {
        let mut context = self.context(point);
        context.product = head.code.clone().or_else(|| Some(head.value.clone()));
        let mut keys = vec![("product".to_owned(), head.value.clone())];
        keys.extend(head.code.iter().map(|code| ("code".to_owned(), code.clone())));
        Observation {
            data_point: point.id.clone(),
            metric: point.metric.clone(),
            keys,
            displayed: cell.shown.clone(),
            reading: cell.reading.clone(),
            value: cell.value.clone(),
            rule: None,
            context,
            channel: Channel::Table,
            locator: format!("row {} of the table", row + 1),
            backing: None,
            agreement: Agreement::Single,
            reason: "read from the table".to_owned(),
            known: None,
        }
    }
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
