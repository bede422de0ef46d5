//! The kind for a table with headers, with or without `<table>`, row by row.

use super::kind::{Built, Description, FEASIBILITY_TABLE, Found, Kind};
use super::opportunities;
use super::table_cell;
use crate::atlas::Api;
use crate::manifest::spec::{Point, Spec};
use crate::observation::Wanted;
use crate::table::{self, TableForm, TableSpec};
use crate::view::View;

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
    fn describe(&self) -> Description {
        Description::of_table(&self.0)
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let (page, lines) = view.region(point)?;
        let table = table::read(page, lines, &self.0)?.whole()?;
        let cells = (0..table.rows.len()).flat_map(|row| (1..self.0.columns.len()).map(move |at| (row, at)));
        Ok(cells
            .map(|(row, column)| {
                let mut one = table_cell::observe(view, point, &self.0, &table, (row, column));
                one.keys.insert(0, ("rank".to_owned(), (row + 1).to_string()));
                one.keys.push(("column".to_owned(), self.0.columns[column].id.clone()));
                one
            })
            .collect())
    }
}
