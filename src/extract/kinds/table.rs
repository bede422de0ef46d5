//! A table with headers, by `<table>` or not, row by row.

use super::kind::{Built, Description, FEASIBILITY_TABLE, Found, Kind, Needs};
use super::opportunities;
use crate::atlas::{Api, lookup};
use crate::evidence::Channel;
use crate::extract::cell::CellKind;
use crate::extract::observation::{Observation, Wanted};
use crate::extract::table::{self, TableForm, TableSpec};
use crate::extract::view::View;
use crate::manifest::Method;
use crate::manifest::spec::{Point, Spec};
use crate::value::Period;

#[derive(Debug)]
struct Table(TableForm);

pub fn build(point: &Point, spec: &Spec) -> Built {
    let params: TableSpec = point.find.params()?;
    params.check(Api::of(spec.page))?;
    if spec.page == FEASIBILITY_TABLE {
        return opportunities::whole(params);
    }
    Ok(Box::new(Table(params.form()?)))
}

impl Kind for Table {
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
        let columns = &self.0.columns;
        let mut observations = Vec::new();
        for (number, row) in table.rows.iter().enumerate() {
            let head = &row[0];
            for (column, cell) in columns.iter().zip(row).skip(1) {
                let mut context = view.context(point, None);
                if let Some((start, end)) = table.years {
                    context.period = Some(Period { start, end });
                }
                let key = if columns[0].kind == CellKind::Country {
                    context.country = lookup(&head.value).map(|entity| entity.id.to_string());
                    "row"
                } else {
                    context.product = head.code.clone().or_else(|| Some(head.value.clone()));
                    "product"
                };
                let mut keys =
                    vec![("rank".to_owned(), (number + 1).to_string()), (key.to_owned(), head.value.clone())];
                keys.extend(head.code.iter().map(|code| ("code".to_owned(), code.clone())));
                keys.push(("column".to_owned(), column.id.clone()));
                observations.push(Observation {
                    keys,
                    displayed: cell.shown.clone(),
                    rule: column.kind.rule(),
                    channel: Channel::Table,
                    locator: format!("table \"{}\", row {}, column `{}`", table.title, number + 1, column.id),
                    reason: "read from the table".to_owned(),
                    ..Observation::of(point, context, cell.reading.clone(), cell.value.clone())
                });
            }
        }
        Ok(observations)
    }
}
