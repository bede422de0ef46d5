//! Reads a table with headers, with or without `<table>`. Columns may have any order, and cells
//! follow that order with their column's form. Unknown columns are skipped if each cell is a
//! separate block. A row that does not fit fails the table; nothing is shifted or dropped.

mod cells;
mod grid;
mod headers;
mod spec;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use regex::Regex;

use super::cell::Cell;
use super::observation::{FailureKind, Miss, Reading};
use crate::compiled_in;
use crate::document::{Lines, Page};
use crate::view::section::nearest;
use cells::row;
use grid::Grid;
use headers::{headers, span};
pub use spec::{CellSpec, Column, TableForm, TableSpec};

/// A table that was read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// The displayed title.
    pub title: String,
    /// The first and last year in the title.
    pub years: Option<(i16, i16)>,
    /// The number of rows stated by the page, with the text.
    pub promised: Option<(usize, String)>,
    /// Why rows are missing, if not all of them could be shown.
    pub part: Option<String>,
}

impl Table {
    /// Checks that the table is complete. One page of a paginated list, or only the visible rows,
    /// is not.
    ///
    /// # Errors
    /// The page states that there are more rows, or not all of them could be shown.
    pub fn whole(self) -> Result<Self, Miss> {
        match self.lack() {
            Some(miss) => Err(miss),
            None => Ok(self),
        }
    }

    /// Why the table is incomplete, if it is.
    pub fn lack(&self) -> Option<Miss> {
        let what = match (&self.part, &self.promised) {
            (Some(why), _) => why.clone(),
            (None, Some((count, text))) if self.rows.len() < *count => {
                format!("{} of {count} rows (\"{text}\")", self.rows.len())
            }
            _ => return None,
        };
        Some(Miss { kind: FailureKind::Partial(what), nearest: None })
    }
}

/// Reads a table.
///
/// # Errors
/// The title or a header is missing, or a row does not fit its columns.
pub(super) fn read(page: &Page, region: Lines, form: &TableForm) -> Result<Table, Miss> {
    let miss = |kind, nearest| Miss { kind, nearest };
    let title = region.clone().filter(|&at| !page.lines[at].control).find_map(|at| {
        // its years may be on a separate line
        let ends = at + 1..=region.end.min(at + 2);
        let cued = |text: &str| form.titles.iter().find_map(|cue| cue.whole(text.trim_end_matches(':')));
        ends.into_iter().find_map(|end| cued(&page.text(at..end)).map(|hit| (at..end, hit)))
    });
    let Some((title, hit)) = title else {
        let wanted = form.titles.first().map_or("", |cue| cue.source.as_str());
        return Err(miss(FailureKind::LabelMissing, nearest(page, region, wanted)));
    };
    let heads = headers(page, title.end..region.end, form)?;
    let grid = Grid::find(page, &region, &heads);
    let header = grid.as_ref().map_or_else(|| span(&heads), |grid| grid.header.clone());
    let end = page
        .around(header.start, region.clone())
        .map(|block| page.blocks[block].lines.clone())
        .find(|lines| lines.end > header.end)
        .map_or(region.end, |lines| lines.end);
    let shown: Vec<usize> = heads.iter().map(|(column, _)| *column).collect();
    let mut rows = Vec::new();
    let mut at = header.end;
    while at < end {
        let read = match &grid {
            Some(grid) => grid.row(page, at..end, rows.len(), form),
            None => row(page, at..end, form, &shown),
        };
        match read {
            Ok((cells, next)) => {
                rows.push(cells);
                at = next;
            }
            // text after the last row in the same block is a note, unless it looks like figures
            Err(_) if !rows.is_empty() && !page.lines[at..end].iter().any(|line| is_figure(&line.text)) => {
                break;
            }
            Err(kind) => {
                let seen = page.lines[at..end.min(at + 6)].iter().map(|line| line.text.as_str());
                return Err(miss(kind, Some(seen.collect::<Vec<_>>().join(" | "))));
            }
        }
    }
    if rows.is_empty() {
        return Err(miss(FailureKind::WrongForm, Some(page.lines[header.end - 1].text.clone())));
    }
    // a column without any value was not read correctly
    let is_blank = |column: &usize| rows.iter().all(|row| matches!(row[*column].reading, Reading::Absent(_)));
    if let Some(blank) = shown.iter().find(|column| is_blank(column)) {
        let what = format!("column `{}`: {} in every row", form.columns[*blank].id, rows[0][*blank].shown);
        return Err(miss(FailureKind::WrongForm, Some(what)));
    }
    let promised = promised(page, title.start, region.end);
    let part = page.parts.iter().find(|part| part.lines.start < at && part.lines.end > header.start);
    let year = |name| hit.slots.get(name).and_then(|year| year.parse().ok());
    Ok(Table {
        rows,
        title: page.text(title),
        years: year("start").zip(year("end")),
        promised,
        part: part.map(|part| part.why.clone()),
    })
}

/// How many rows a title or a text below it states: `Top 50 Products`, `1–10 of 50`, `10 of 50
/// rows`.
static PROMISE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = [
        r"^top (?P<n>\d{1,4}) [a-z]",
        r"(?:^| )\d{1,4} ?(?:-|to) ?\d{1,4} (?:of|/) (?P<n>\d{1,5})(?:$|[^\d,])",
        r"(?:^| )\d{1,4} (?:of|/) (?P<n>\d{1,5}) (?:rows|products|entries|items|results|records)",
    ];
    patterns.map(compiled_in::pattern).into()
});

fn promised(page: &Page, title: usize, end: usize) -> Option<(usize, String)> {
    (title..end)
        .map(|at| &page.lines[at])
        .filter(|line| {
            line.normalized.len() < 60 && line.normalized.bytes().any(|byte| byte.is_ascii_digit())
        })
        .filter_map(|line| {
            let found = PROMISE.iter().find_map(|promise| promise.captures(&line.normalized))?;
            Some((found.name("n")?.as_str().parse().ok()?, line.text.clone()))
        })
        .max_by_key(|(count, _)| *count)
}

fn is_figure(text: &str) -> bool {
    text.len() < 40
        && (text.contains(['$', '%', '◆', '◇'])
            || text.bytes().filter(u8::is_ascii_digit).count() * 2 > text.len())
}
