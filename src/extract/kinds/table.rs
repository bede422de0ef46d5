//! A table with headers, by `<table>` or not, row by row.

use super::kind::{Built, Description, FEASIBILITY_TABLE, Found, Kind, Needs};
use super::opportunities;
use crate::atlas::{Api, lookup};
use crate::evidence::Channel;
use crate::extract::cell::CellKind;
use crate::extract::observation::{Observation, Wanted};
use crate::extract::table::{self, Table, TableForm, TableSpec};
use crate::extract::view::View;
use crate::manifest::Method;
use crate::manifest::spec::{Point, Spec};
use crate::value::Period;

#[derive(Debug)]
struct Whole(TableForm);

pub fn build(point: &Point, spec: &Spec) -> Built {
    let params: TableSpec = point.find.params()?;
    params.check(Api::of(spec.page))?;
    if spec.page == FEASIBILITY_TABLE {
        return opportunities::whole(params);
    }
    Ok(Box::new(Whole(params.form()?)))
}

impl Kind for Whole {
    fn method(&self) -> Method {
        Method::Dom
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn describe(&self) -> Description {
        Description::of_table(&self.0)
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let (page, lines) = view.region(point)?;
        let table = table::read(page, lines, &self.0)?.whole()?;
        let cells = (0..table.rows.len()).flat_map(|row| (1..self.0.columns.len()).map(move |at| (row, at)));
        Ok(cells
            .map(|(row, column)| {
                let mut one = of_cell(view, point, &self.0, &table, (row, column));
                one.keys.insert(0, ("rank".to_owned(), (row + 1).to_string()));
                one.keys.push(("column".to_owned(), self.0.columns[column].id.clone()));
                one
            })
            .collect())
    }
}

/// The cell of a row and a column, about the country or the product that its row is headed by.
pub(super) fn of_cell(
    view: &View<'_>,
    point: &Point,
    form: &TableForm,
    table: &Table,
    (row, column): (usize, usize),
) -> Observation {
    let (head, cell) = (&table.rows[row][0], &table.rows[row][column]);
    let mut context = view.context(point, None);
    if let Some((start, end)) = table.years {
        context.period = Some(Period { start, end });
    }
    let headed = if form.columns[0].kind == CellKind::Country {
        context.country = lookup(&head.value).map(|entity| entity.id.to_string());
        "row"
    } else {
        context.product = head.code.clone().or_else(|| Some(head.value.clone()));
        "product"
    };
    let mut keys = vec![(headed.to_owned(), head.value.clone())];
    keys.extend(head.code.iter().map(|code| ("code".to_owned(), code.clone())));
    let form = &form.columns[column];
    Observation {
        keys,
        displayed: cell.shown.clone(),
        rule: form.kind.rule(),
        channel: Channel::Table,
        locator: format!("table \"{}\", row {}, column `{}`", table.title, row + 1, form.id),
        reason: "read from the table".to_owned(),
        ..Observation::of(point, context, cell.reading.clone(), cell.value.clone())
    }
}
