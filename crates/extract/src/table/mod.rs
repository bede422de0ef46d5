//! Reads a table with headers, with or without `<table>`. Columns may have any order, and cells
//! follow that order with their column's form. Unknown columns are skipped if each cell is a
//! separate block. A row that does not fit fails the table; nothing is shifted or dropped.

mod grid;
mod spec;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use regex::Regex;

use super::cell::{self, Cell, CellKind};
use super::observation::{FailureKind, Miss, Reading};
use crate::document::{Lines, Page, normalize_label};
use crate::value::fold::tidy;
use crate::view::section::nearest;
use grid::Grid;
pub use spec::{CellSpec, Column, ColumnForm, TableForm, TableSpec};

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
    patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
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

/// A column of the spec, with the lines of its header.
type Head = (usize, Lines);

/// The maximum number of lines between headers.
const MAX_HEADER_GAP: usize = 12;

/// The headers in displayed order: the closest set that names every column.
fn headers(page: &Page, lines: Lines, form: &TableForm) -> Result<Vec<Head>, Miss> {
    let mut seen: Vec<Option<Lines>> = vec![None; form.columns.len()];
    let end = lines.end.min(lines.start + MAX_HEADER_GAP * (seen.len() + 1));
    let mut at = lines.start;
    while at < end {
        let Some((column, behind)) = header_from(page, at..lines.end, form) else {
            at += 1;
            continue;
        };
        seen[column] = Some(at..behind);
        at = behind;
        let all = seen.iter().enumerate().map(|(column, lines)| Some((column, lines.clone()?)));
        if let Some(mut heads) = all.collect::<Option<Vec<Head>>>() {
            heads.sort_by_key(|(_, lines)| lines.start);
            if heads.windows(2).all(|pair| pair[1].1.start <= pair[0].1.end + MAX_HEADER_GAP) {
                return Ok(heads);
            }
        }
    }
    let missing = seen.iter().position(Option::is_none).unwrap_or_default();
    let wanted = form.columns[missing].headers.first().map_or("", String::as_str);
    let near = nearest(page, lines.start..end, wanted);
    Err(Miss { kind: FailureKind::LabelMissing, nearest: near })
}

fn span(heads: &[Head]) -> Lines {
    let start = heads.first().map_or(0, |(_, lines)| lines.start);
    start..heads.last().map_or(start, |(_, lines)| lines.end)
}

/// The maximum lines of a header: `Global<br>Growth<br>5 YR`.
const MAX_HEADER_LINES: usize = 3;

/// The column whose header starts at the first of the lines, and where the header ends; none if no
/// header starts there. The longest match wins, because columns may be called `Global Growth` and
/// `Global Growth 5 YR`.
fn header_from(page: &Page, lines: Lines, form: &TableForm) -> Option<(usize, usize)> {
    let most = lines.end.min(lines.start + MAX_HEADER_LINES);
    (lines.start + 1..=most).rev().find_map(|end| {
        let text = header(&without_chips(page, lines.start..end));
        let column = form.columns.iter().position(|column| column.headers.contains(&text))?;
        Some((column, end))
    })
}

fn header(text: &str) -> String {
    let normalized = normalize_label(&text.replace(['↑', '↓', '⇅', '↕'], " "));
    // a unit is part of the same header: `Global Growth 5 YR (%)`
    let bare = ["(usd)", "(us$)", "($)", "(%)"].iter().find_map(|unit| normalized.strip_suffix(unit));
    bare.map_or_else(|| normalized.clone(), |bare| bare.trim_end().to_owned())
}

fn is_figure(text: &str) -> bool {
    text.len() < 40
        && (text.contains(['$', '%', '◆', '◇'])
            || text.bytes().filter(u8::is_ascii_digit).count() * 2 > text.len())
}

/// Reads one row: every cell in displayed order, each of one or a few lines.
fn row(
    page: &Page,
    lines: Lines,
    form: &TableForm,
    shown: &[usize],
) -> Result<(Vec<Cell>, usize), FailureKind> {
    let mut cells = vec![None; form.columns.len()];
    let behind_chips = |at: usize| {
        let chips = page.lines[at..lines.end].iter().take_while(|line| line.bare.as_deref() == Some(""));
        at + chips.count()
    };
    let mut at = behind_chips(lines.start);
    for (index, &column) in shown.iter().enumerate() {
        let next = shown.get(index + 1).map(|next| &form.columns[*next]);
        let (cell, end) = cell(page, at..lines.end, &form.columns[column], next)?;
        cells[column] = Some(cell);
        at = behind_chips(end);
    }
    Ok((cells.into_iter().collect::<Option<_>>().ok_or(FailureKind::WrongForm)?, at))
}

fn cell(
    page: &Page,
    lines: Lines,
    column: &ColumnForm,
    next: Option<&ColumnForm>,
) -> Result<(Cell, usize), FailureKind> {
    let most = lines.len().min(if column.kind == CellKind::Rating { 6 } else { 3 });
    let mut wrong = FailureKind::WrongForm;
    for end in lines.start + 1..=lines.start + most {
        let of_name = column.kind == CellKind::Product;
        if of_name && end > lines.start + 1 && !fills_a_block(page, lines.start..end) {
            continue;
        }
        match whole(page, lines.start..end, column) {
            Ok(Some(cell)) => {
                // a name may have several lines: take all up to the next column
                let more = of_name && next.is_some_and(|next| !begins(page, end..lines.end, next));
                if !more {
                    return Ok((cell, end));
                }
            }
            Ok(None) => {}
            Err(kind) => wrong = kind,
        }
    }
    Err(wrong)
}

/// Whether lines are the whole contents of a block. The lines of two cells are not.
fn fills_a_block(page: &Page, lines: Lines) -> bool {
    page.around(lines.start, lines.clone()).any(|block| page.blocks[block].lines == lines)
}

/// The cell in some lines; none if they do not form one.
fn whole(page: &Page, lines: Lines, column: &ColumnForm) -> Result<Option<Cell>, FailureKind> {
    let all = &page.lines[lines.clone()];
    // for a single line both ways are the same, and chips beside it are ignored
    let chips = all.iter().any(|line| line.bare.is_some());
    let joined =
        || (all.len() > 1 && !chips).then(|| all.iter().map(|line| line.text.as_str()).collect::<String>());
    let text = if chips { without_chips(page, lines.clone()) } else { page.text(lines.clone()) };
    let mut wrong = None;
    for text in std::iter::once(text).chain(joined()) {
        match cell::read(&text, column.kind, column.unit) {
            Ok(Some(cell)) => return Ok(Some(cell)),
            Ok(None) => {}
            Err(kind) => wrong = Some(kind),
        }
    }
    wrong.map_or(Ok(None), Err)
}

fn without_chips(page: &Page, lines: Lines) -> String {
    let bare = page.lines[lines].iter().map(|line| line.bare.as_ref().unwrap_or(&line.text).as_str());
    tidy(&bare.collect::<Vec<_>>().join(" "))
}

fn begins(page: &Page, lines: Lines, column: &ColumnForm) -> bool {
    cell(page, lines, column, None).is_ok()
}
