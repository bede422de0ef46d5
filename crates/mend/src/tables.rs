//! Tables: the row of the page's own country holds values that responses know, so its columns and what stands over them
//! are the headers.

use super::Mending;
use super::headings::template;
use super::trial::Trial;
use crate::atlas::lookup;
use crate::error::Result;
use crate::extract::document::{Line, Lines, Page};
use crate::extract::form::number;
use crate::extract::kinds::kind::agreement;
use crate::extract::view::View;
use crate::manifest::spec::Point;
use crate::manifest::spec::edit::Edit;

pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let missing = trial.missing();
    let tables: Vec<Point> =
        trial.spec().points.iter().filter(|point| point.find.kind == "table").cloned().collect();
    for table in tables.into_iter().filter(|table| missing.contains_key(&table.id)) {
        let cells =
            trial.spec().points.iter().filter(|point| point.find.text("table").as_deref() == Some(&table.id));
        let cells: Vec<Point> = cells.cloned().collect();
        if cells.is_empty() {
            continue;
        }
        let mut found: Vec<Heads> = Vec::new();
        for view in trial.views().iter().flatten() {
            found.extend(heads(trial, view, &table, &cells));
        }
        found.dedup();
        // the same on every page where it was found
        let [Heads { title, columns }] = found.as_slice() else { continue };
        let mut edits = vec![Edit::add(format!("points.{}.find.table.titles", table.id), title.clone())];
        edits.extend(columns.iter().map(|(column, header)| {
            Edit::add(format!("points.{}.find.table.columns.{column}.headers", table.id), header.clone())
        }));
        let mut points: Vec<String> = cells.iter().map(|cell| cell.id.clone()).collect();
        let tried = trial.with(&edits, &points)?;
        if points.iter().all(|point| tried.gives(point)) {
            points.push(table.id.clone());
            let old = table.find.texts("titles");
            trial.accept(mending, ("table", &table.id, old), title, edits, points)?;
        }
    }
    Ok(())
}

/// Title and headers of a table.
#[derive(PartialEq)]
struct Heads {
    title: String,
    columns: Vec<(String, String)>,
}

/// What stands over the columns of the row that holds the values of some cells.
fn heads(trial: &Trial<'_>, view: &View<'_>, table: &Point, cells: &[Point]) -> Option<Heads> {
    let (page, region) = view.region(table).ok()?;
    let holds = |at: usize, cell: &Point| {
        let rule = trial.extractor.kind(&cell.id).and_then(|kind| kind.rule());
        let read = rule.and_then(|rule| number(&page.lines[at].text, rule, cell.unit));
        read.is_some_and(|read| agreement(cell, &read, view.behind(cell).as_ref()) == Some(true))
    };
    let country = |at: usize| lookup(&page.lines[at].text).map(|entity| entity.id) == view.country();
    // the row: the country's name, and beside it a line for every cell
    let row = region.clone().filter(|&at| country(at)).find_map(|name| {
        let end = (name + 1 + cells.len() * 2).min(region.end);
        let beside = |cell: &Point| (name + 1..end).find(|&at| holds(at, cell));
        let values: Vec<usize> = cells.iter().map(beside).collect::<Option<_>>()?;
        Some((name, values))
    })?;
    let named = table.find.items("columns");
    let first = named.iter().find(|column| column.text("text").as_deref() == Some("country"))?.text("id")?;
    let mut columns = vec![(first, row.0)];
    for (cell, at) in cells.iter().zip(&row.1) {
        columns.push((cell.find.text("column")?, *at));
    }
    let headers: Vec<(String, usize)> = columns
        .into_iter()
        .map(|(column, at)| Some((column, header(page, &region, at)?)))
        .collect::<Option<_>>()?;
    let top = headers.iter().map(|(_, at)| *at).min()?;
    let title = (region.start..top).rev().find(|&at| !page.lines[at].control && !page.lines[at].chart)?;
    let text = |at: usize| page.lines[at].text.clone();
    Some(Heads {
        title: template(&text(title)),
        columns: headers.into_iter().map(|(column, at)| (column, text(at))).collect(),
    })
}

/// The highest line of the column that a line stands in.
fn header(page: &Page, region: &Lines, at: usize) -> Option<usize> {
    let place = |line: &Line| line.area.map(|[left, _, width, _]| (left, width));
    let own = place(&page.lines[at])?;
    let is_above = |other: &usize| {
        place(&page.lines[*other])
            .is_some_and(|(left, width)| (left - own.0).abs() < 1.0 && (width - own.1).abs() < 1.0)
    };
    (region.start..at).filter(is_above).min()
}
