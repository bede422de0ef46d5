//! The cells of a table whose columns are all known.

use super::spec::{ColumnForm, TableForm};
use crate::cell::{self, Cell, CellKind};
use crate::document::{Lines, Page};
use crate::observation::FailureKind;
use crate::value::fold::tidy;

/// Reads one row: every cell in displayed order, each of one or a few lines.
pub(super) fn row(
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
pub(super) fn whole(page: &Page, lines: Lines, column: &ColumnForm) -> Result<Option<Cell>, FailureKind> {
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

pub(super) fn without_chips(page: &Page, lines: Lines) -> String {
    let bare = page.lines[lines].iter().map(|line| line.bare.as_ref().unwrap_or(&line.text).as_str());
    tidy(&bare.collect::<Vec<_>>().join(" "))
}

fn begins(page: &Page, lines: Lines, column: &ColumnForm) -> bool {
    cell(page, lines, column, None).is_ok()
}
