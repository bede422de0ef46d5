//! Proposes titles and headers of tables. The row of the page's own country has values known from responses, so the
//! texts above its cells are the headers.

use super::headings::template;
use super::mending::{Mending, Proof};
use super::trial::Trial;
use crate::atlas::lookup;
use crate::error::Result;
use crate::extract::document::{Lines, Page};
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
        // Only if all pages agree.
        let [Heads { title, columns }] = found.as_slice() else { continue };
        let mut edits = vec![Edit::add(format!("points.{}.find.table.titles", table.id), title.clone())];
        edits.extend(columns.iter().map(|(column, header)| {
            Edit::add(format!("points.{}.find.table.columns.{column}.headers", table.id), header.clone())
        }));
        let mut points: Vec<String> = cells.iter().map(|cell| cell.id.clone()).collect();
        // The title or header may not be valid in a spec.
        let Ok(tried) = trial.with(&edits, &points) else { continue };
        if points.iter().all(|point| tried.gives(point)) {
            points.push(table.id.clone());
            let old = table.find.texts("titles");
            trial.accept(Proof::Displayed, mending, ("table", &table.id, old), title, edits, points)?;
        }
    }
    Ok(())
}

/// The title and headers of a table.
#[derive(PartialEq)]
struct Heads {
    title: String,
    columns: Vec<(String, String)>,
}

/// The texts above the columns of the row with the values of `cells`.
fn heads(trial: &Trial<'_>, view: &View<'_>, table: &Point, cells: &[Point]) -> Option<Heads> {
    let (page, region) = view.region(table).ok()?;
    let holds = |at: usize, cell: &Point| {
        let rule = trial.extractor.kind(&cell.id).and_then(|kind| kind.rule());
        let read = rule.and_then(|rule| number(&page.lines[at].text, rule, cell.unit));
        read.is_some_and(|read| agreement(cell, &read, view.behind(cell).as_ref()) == Some(true))
    };
    let country = |at: usize| lookup(&page.lines[at].text).map(|entity| entity.id) == view.country();
    // The row: the country's name, and next to it a line for each cell.
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
    let places: Vec<usize> = columns.iter().map(|(_, at)| *at).collect();
    let headers = header_row(page, &region, &places)?;
    let top = *headers.iter().min()?;
    let title = (region.start..top).rev().find(|&at| !page.lines[at].control && !page.lines[at].chart)?;
    let text = |at: usize| page.lines[at].text.clone();
    Some(Heads {
        title: template(&text(title)),
        columns: columns.into_iter().zip(headers).map(|((column, _), at)| (column, text(at))).collect(),
    })
}

/// The header lines of columns: the topmost row of texts above the cells, one for each.
pub(super) fn header_row(page: &Page, region: &Lines, row: &[usize]) -> Option<Vec<usize>> {
    let place = |at: usize| page.lines[at].area;
    let is_above = |at: usize, own: [f32; 4]| {
        place(at).is_some_and(|[left, top, width, _]| {
            let (inner, outer) = if width <= own[2] {
                ((left, width), (own[0], own[2]))
            } else {
                ((own[0], own[2]), (left, width))
            };
            let is_within = inner.0 > outer.0 - 1.0 && inner.0 + inner.1 < outer.0 + outer.1 + 1.0;
            is_within && outer.1 < inner.1 * WIDER && top < own[1]
        })
    };
    let first = *row.iter().min()?;
    let above = |at: &usize| -> Option<Vec<usize>> {
        let own = place(*at)?;
        Some((region.start..first).filter(|&line| is_above(line, own)).collect())
    };
    let columns: Vec<Vec<usize>> = row.iter().map(above).collect::<Option<_>>()?;
    let top = |at: usize| place(at).map_or(0.0, |area| area[1]);
    let of_row = |&head: &usize| -> Option<Vec<usize>> {
        let beside = |column: &Vec<usize>| {
            column
                .iter()
                .copied()
                .find(|&at| (top(at) - top(head)).abs() < LEVEL && is_header(&page.lines[at].text))
        };
        columns.iter().map(beside).collect()
    };
    let mut heads = columns.first()?.clone();
    heads.sort_by(|&one, &other| top(one).total_cmp(&top(other)));
    heads.iter().find_map(of_row)
}

/// Whether a text may be a header: words without figures.
fn is_header(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 3 && !text.contains(|c: char| c.is_ascii_digit() || matches!(c, '$' | '◆' | '◇'))
}

/// Maximum ratio between the widths of a header and its cell.
const WIDER: f32 = 2.0;

/// Maximum distance between the tops of headers in a row, in CSS pixels.
const LEVEL: f32 = 6.0;
