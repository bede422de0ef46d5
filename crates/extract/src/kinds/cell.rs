//! The kind `cell`: the own country's cell in a table.

use super::kind::{Built, Description, Found, Kind, Needs, observe};
use crate::atlas::{PageKind, lookup};
use crate::evidence::Channel;
use crate::form::Read;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{FailureKind, Miss, Observation, Reading, Wanted};
use crate::table::{self, CellSpec, TableForm, TableSpec};
use crate::value::{Period, Rule};
use crate::view::View;

#[derive(Debug)]
struct Cell {
    table: TableForm,
    column: usize,
}

pub fn build(point: &Point, spec: &Spec) -> Built {
    let CellSpec { table, column } = point.find.params()?;
    let params = TableSpec::of(spec, &table)?;
    Ok(Box::new(Cell { table: params.form()?, column: params.column(&table, &column)? }))
}

impl Kind for Cell {
    fn needs(&self) -> Needs {
        Needs { pages: &[PageKind::Country], ..Needs::default() }
    }

    fn describe(&self) -> Description {
        Description::of("the page's own country in such a table", "the row of the country", "a cell")
    }

    fn rule(&self) -> Option<Rule> {
        self.table.columns[self.column].kind.rule()
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let (page, lines) = view.region(point)?;
        let table = table::read(page, lines, &self.table)?;
        let is_own = |name: &str| lookup(name).is_some_and(|entity| Some(entity.id) == view.country());
        let Some(row) = table.rows.iter().find(|row| is_own(&row[0].value)) else {
            let seen = table.rows.iter().map(|row| row[0].value.clone()).collect::<Vec<_>>().join(" · ");
            return Err(Miss::near(FailureKind::LabelMissing, seen));
        };
        let cell = &row[self.column];
        let column = &self.table.columns[self.column].id;
        let locator = format!("table \"{}\", row \"{}\", column `{column}`", table.title, row[0].value);
        let period = table.years.map(|(start, end)| Period { start, end });
        let read = match &cell.reading {
            Reading::Quantity(quantity) => Read::Quantity(quantity.clone()),
            Reading::Text(text) => Read::Word(text.clone()),
            Reading::Absent(absence) => {
                if let Some(precise) = view.behind(point).and_then(|behind| behind.value) {
                    let what = format!("the page shows \"{}\", its response says {precise}", cell.shown);
                    return Err(FailureKind::LabelDisagrees(what).into());
                }
                let mut context = view.context(point, None);
                context.period = period.or(context.period);
                return Ok(vec![Observation::absent(point, context, *absence, cell.shown.clone(), locator)]);
            }
        };
        let behind = view.behind(point);
        let mut one = observe(view, point, &read, self.rule(), cell.shown.clone(), behind.as_ref());
        one.context.period = period.or(one.context.period);
        one.channel = Channel::Table;
        one.locator = locator;
        Ok(vec![one])
    }
}
