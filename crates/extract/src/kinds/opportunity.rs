//! The kind for a cell in the table of growth opportunities: of the question's product, or else of
//! the first row.

use super::kind::{Built, Description, Found, Kind, Needs, OF_PRODUCTS};
use super::opportunities::{Opportunities, part};
use crate::cell::Cell;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{FailureKind, Miss, Wanted};
use crate::table::{CellSpec, TableSpec};
use crate::value::AnswerField;
use crate::view::View;

#[derive(Debug)]
struct Opportunity {
    table: Opportunities,
    column: usize,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let CellSpec { table, column } = point.find.params()?;
    let column = TableSpec::of(spec, &table)?.column(&table, &column)?;
    Ok(Box::new(Opportunity { table: Opportunities::of(spec, &table)?, column }))
}

impl Kind for Opportunity {
    fn needs(&self) -> Needs {
        Needs { product: true, ..Opportunities::needs() }
    }

    fn answers(&self) -> &'static [AnswerField] {
        OF_PRODUCTS
    }

    fn describe(&self) -> Description {
        let column = self.table.columns[self.column].id.clone();
        Description::of(
            "a cell of that table: of the question's product, or else of the first row",
            "the row of the product",
            column,
        )
    }

    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found {
        let rows = self.table.rows(view);
        let table = rows.table()?;
        let row = match wanted.product.as_deref() {
            Some(asked) => {
                let is = |row: &Vec<Cell>| {
                    row[0].code.as_deref().is_some_and(|code| code.eq_ignore_ascii_case(asked))
                        || row[0].value.eq_ignore_ascii_case(asked)
                };
                table.rows.iter().position(is).ok_or_else(|| {
                    let nearest = format!("the table of {} rows has no {asked}", table.rows.len());
                    part(view, table).unwrap_or_else(|| Miss::near(FailureKind::LabelMissing, nearest))
                })?
            }
            None => *self.table.order(view, table)?.first().ok_or(FailureKind::LabelMissing)?,
        };
        let one = self.table.cell(view, point, &rows, row, self.column);
        Ok(vec![one.ok_or(FailureKind::LabelMissing)?])
    }
}
