//! A table whose cells are separate blocks or lines, and which has columns unknown to the spec.

use super::cells::whole;
use super::headers::{Head, span};
use super::spec::TableForm;
use crate::cell::Cell;
use crate::document::{BlockId, Lines, Page};
use crate::observation::FailureKind;

/// A table whose cells are separate blocks or lines, and which has columns unknown to the spec.
pub(super) struct Grid {
    pub(super) header: Lines,
    /// The spec's column for each cell of a row, in displayed order.
    columns: Vec<Option<usize>>,
    /// The cells of all rows, if rows are not blocks.
    cells: Option<Vec<Lines>>,
    /// Whether empty cells count.
    empties: bool,
}

impl Grid {
    /// The grid of a table; none if all its columns are known.
    pub(super) fn find(page: &Page, region: &Lines, heads: &[Head]) -> Option<Self> {
        let all = span(heads);
        let around = |block: &BlockId| {
            let lines = &page.blocks[*block].lines;
            lines.start <= all.start && lines.end >= all.end
        };
        let block = page.around(all.start, region.clone()).find(around)?;
        [true, false].into_iter().find_map(|empties| {
            let parts = parts(page, block, empties);
            let of = |lines: &Lines| parts.iter().position(|part| part == lines);
            // each header occupies its own part
            let places: Vec<usize> = heads.iter().map(|(_, lines)| of(lines)).collect::<Option<_>>()?;
            let (first, last) = (*places.first()?, *places.last()?);
            let column = |at: usize| places.iter().position(|place| *place == at).map(|at| heads[at].0);
            let behind = page.blocks[block].lines.end;
            let is_row =
                behind < region.end && row_at(page, behind..region.end, parts.len(), empties).is_some();
            let (shown, cells) = if is_row {
                (0..parts.len(), None)
            } else {
                (first..last + 1, Some(parts[last + 1..].to_vec()))
            };
            let header = if is_row { page.blocks[block].lines.clone() } else { all.clone() };
            let columns: Vec<Option<usize>> = shown.map(column).collect();
            columns.contains(&None).then_some(Self { header, columns, cells, empties })
        })
    }

    /// Reads the row that starts at the first of the lines. `count` cells precede it.
    pub(super) fn row(
        &self,
        page: &Page,
        lines: Lines,
        before: usize,
        form: &TableForm,
    ) -> Result<(Vec<Cell>, usize), FailureKind> {
        let count = self.columns.len();
        let parts = match &self.cells {
            None => row_at(page, lines, count, self.empties),
            Some(cells) => cells.get(before * count..(before + 1) * count).map(<[Lines]>::to_vec),
        };
        let parts = parts.ok_or(FailureKind::WrongForm)?;
        let mut cells = vec![None; form.columns.len()];
        for (column, part) in self.columns.iter().zip(&parts) {
            let Some(column) = *column else { continue };
            cells[column] =
                Some(whole(page, part.clone(), &form.columns[column])?.ok_or(FailureKind::WrongForm)?);
        }
        let end = parts.last().map_or(0, |part| part.end);
        Ok((cells.into_iter().collect::<Option<_>>().ok_or(FailureKind::WrongForm)?, end))
    }
}

/// The parts of the block that starts at the first of the lines and has `count` parts.
fn row_at(page: &Page, lines: Lines, count: usize, empties: bool) -> Option<Vec<Lines>> {
    page.around(lines.start, lines)
        .map(|block| parts(page, block, empties))
        .find(|parts| parts.len() == count)
}

/// The parts of a block: its child blocks, and its lines outside of them.
fn parts(page: &Page, block: BlockId, empties: bool) -> Vec<Lines> {
    let mut parts = Vec::new();
    let own = &page.blocks[block].lines;
    let mut at = own.start;
    let inner = page.blocks[block + 1..].iter().take_while(|inner| inner.parent >= block);
    for inner in inner.filter(|inner| inner.parent == block) {
        parts.extend((at..inner.lines.start).map(|line| line..line + 1));
        if empties || !inner.lines.is_empty() {
            parts.push(inner.lines.clone());
        }
        at = inner.lines.end;
    }
    parts.extend((at..own.end).map(|line| line..line + 1));
    parts
}
