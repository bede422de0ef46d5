//! Builds the observation of a table cell, for every kind that reads tables.

use crate::atlas::lookup;
use crate::cell::CellKind;
use crate::evidence::Channel;
use crate::manifest::spec::Point;
use crate::observation::Observation;
use crate::table::{Table, TableForm};
use crate::value::Period;
use crate::view::View;

/// The cell in a row and a column. Its context is the row's country or product.
pub fn observe(
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
