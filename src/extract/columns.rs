//! Labels in one row and their values in the next: what stands in a label's column, told by where the boxes are.

use super::page::{Block, BlockId, Line, Lines, Page};

/// Lines of such a block at most.
const MOST: usize = 64;

/// A column as a page of its own: the label first, then what stands in its column.
pub(super) struct Column {
    /// The label and what is below it, with the blocks that lie within it.
    pub page: Page,
    /// Where each of its lines is on the whole page.
    pub lines: Vec<usize>,
}

impl Column {
    /// The lines of the whole page that some lines of the column are.
    pub fn on_page(&self, lines: &Lines) -> Lines {
        self.lines[lines.start]..self.lines[lines.end - 1] + 1
    }
}

/// Whether a label stands in a row of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// It does not, or where it stands is not known.
    NoRow,
    /// It does, but what belongs to it cannot be told.
    Unclear,
}

/// What stands in the column of a label that has other labels beside it, in the smallest block that holds figures too.
/// `is_label` tells the labels of the section, `is_figure` what may be a value.
///
/// # Errors
/// The label stands in no such row; or figures stand above as well as below, or under several labels at once.
pub(super) fn below(
    page: &Page,
    region: &Lines,
    label: usize,
    is_label: impl Fn(usize) -> bool,
    is_figure: impl Fn(usize) -> bool,
) -> Result<Column, Refused> {
    let own = area(page, label).ok_or(Refused::NoRow)?;
    let counts = |at: &usize| !page.lines[*at].control && !page.lines[*at].chart;
    for block in page.around(label, region.clone()) {
        let lines = page.blocks[block].lines.clone();
        if lines.len() > MOST {
            break;
        }
        let Some(areas) = lines.clone().map(|at| area(page, at)).collect::<Option<Vec<_>>>() else {
            return Err(Refused::NoRow);
        };
        let area = |at: usize| areas[at - lines.start];
        let row: Vec<usize> = lines.clone().filter(counts).filter(|&at| beside(area(at), own)).collect();
        let is_row = row.iter().any(|&at| at != label && is_label(at) && across(area(at), own) == 0.0);
        if !is_row {
            continue;
        }
        if row.iter().any(|&at| is_figure(at)) {
            return Err(Refused::NoRow);
        }
        let figures: Vec<usize> = lines.clone().filter(counts).filter(|&at| is_figure(at)).collect();
        if figures.is_empty() {
            continue;
        }
        let labels: Vec<usize> = lines.clone().filter(|&at| is_label(at)).collect();
        let above = |at: usize| area(at)[1] + area(at)[3] <= own[1] + SLACK;
        let top = labels.iter().map(|&at| area(at)[1]).fold(f32::MAX, f32::min);
        if figures.iter().any(|&at| area(at)[1] < top) {
            // values stand above their labels, or both above and below
            return Err(Refused::Unclear);
        }
        // the column ends where a label stands in it again
        let under = |at: usize| !above(at) && !beside(area(at), own);
        let end = labels
            .iter()
            .filter(|&&at| under(at) && across(area(at), own) > 0.0)
            .map(|&at| area(at)[1])
            .fold(f32::MAX, f32::min);
        let mut found = vec![label];
        for at in lines.clone().filter(|&at| under(at) && area(at)[1] < end - SLACK) {
            let over: Vec<usize> =
                row.iter().copied().filter(|&head| across(area(head), area(at)) > SLACK).collect();
            match over.as_slice() {
                [head] if *head == label => found.push(at),
                [] if counts(&at) && is_figure(at) => return Err(Refused::Unclear),
                [_, _, ..] if over.contains(&label) => return Err(Refused::Unclear),
                _ => {}
            }
        }
        return Ok(Column { page: part(page, &lines, &found), lines: found });
    }
    Err(Refused::NoRow)
}

/// The text of what stands in one row with a line, in the smallest block that holds more than that line's column.
pub(super) fn row(page: &Page, region: &Lines, line: usize) -> String {
    let Some(own) = area(page, line) else { return String::new() };
    for block in page.around(line, region.clone()) {
        let lines = page.blocks[block].lines.clone();
        let beside = |&at: &usize| at != line && area(page, at).is_some_and(|area| beside(area, own));
        let row: Vec<&str> = lines.filter(beside).map(|at| page.lines[at].text.as_str()).collect();
        if !row.is_empty() {
            return row.join(" ");
        }
    }
    String::new()
}

/// Pixels by which boxes may overlap that only touch.
const SLACK: f32 = 2.0;

fn area(page: &Page, at: usize) -> Option<[f32; 4]> {
    page.lines[at].area
}

/// Whether two boxes stand in one row.
fn beside([_, top, _, height]: [f32; 4], [_, other, _, tall]: [f32; 4]) -> bool {
    let shared = (top + height).min(other + tall) - top.max(other);
    shared > height.min(tall) / 2.0
}

/// By how much two boxes overlap across.
fn across([left, _, width, _]: [f32; 4], [other, _, wide, _]: [f32; 4]) -> f32 {
    ((left + width).min(other + wide) - left.max(other)).max(0.0)
}

/// Some lines of a block as a page of their own.
fn part(page: &Page, lines: &Lines, kept: &[usize]) -> Page {
    let place = |at: usize| kept.partition_point(|&line| line < at);
    let mut blocks = vec![Block { parent: 0, lines: 0..kept.len() }];
    let mut ids: Vec<(BlockId, BlockId)> = Vec::new();
    for (id, block) in page.blocks.iter().enumerate() {
        let within = block.lines.start >= lines.start && block.lines.end <= lines.end;
        let own = place(block.lines.start)..place(block.lines.end);
        if !within || own.is_empty() || own.len() != block.lines.len() {
            continue;
        }
        let parent = ids.iter().rev().find(|(old, _)| *old == block.parent).map_or(0, |(_, new)| *new);
        ids.push((id, blocks.len()));
        blocks.push(Block { parent, lines: own });
    }
    let block_of = |old: BlockId| ids.iter().find(|(id, _)| *id == old).map_or(0, |(_, new)| *new);
    let lines =
        kept.iter().map(|&at| Line { block: block_of(page.lines[at].block), ..page.lines[at].clone() });
    Page { lines: lines.collect(), blocks, parts: Vec::new() }
}
