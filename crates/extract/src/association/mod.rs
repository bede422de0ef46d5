//! Matches figures with labels. A section is cut once into labels and texts, and each text belongs
//! to at most one label. It belongs to the label of its line, else of the smallest block around
//! both. Else it belongs to the label of its column, or of its place in a row of cards that share
//! one reading direction. A figure is then read only from its label's own texts.

mod card;
mod cut;
mod line;
mod wanted;

use super::document::{Line, Lines, Page};
use super::form::{Form, Read};
use super::observation::{FailureKind, Miss};
use super::view::section;
use crate::atlas::find_names;
pub(super) use card::figure_of_a_year;
use card::{Card, MAX_TEXT, is_count};
use cut::{Cut, Known, Mark, is_of_figures};
use line::{MAX_BLOCK, SLACK, across, is_beside, is_blank, is_figure, is_year};
pub(super) use wanted::Wanted;

/// A text of the wanted form that belongs to the label.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    /// Its lines.
    pub lines: Lines,
    /// The text as displayed.
    pub shown: String,
    /// Its reading.
    pub read: Read,
    /// The line of its label.
    pub label: usize,
}

/// The maximum lines of a card. In a larger block a country's name may not be its title.
pub(super) const MAX_CARD: usize = 12;

/// The values of a label, nearest first.
///
/// # Errors
/// The label is missing, or none of its texts has the wanted form.
pub(super) fn find(page: &Page, region: &Lines, wanted: &Wanted<'_>) -> Result<Vec<Candidate>, Miss> {
    let stands_in = |line: &Line| wanted.labels.iter().any(|label| line.normalized.contains(label.as_str()));
    if !page.lines[region.clone()].iter().any(stands_in) {
        return Err(missing(page, region, wanted));
    }
    let worded = matches!(wanted.form, Form::Vocabulary(_));
    let own = wanted.labels.iter().map(|label| Known { label, worded });
    let others = wanted.others.iter().map(|label| Known { label, worded: false });
    let remarks: Vec<&str> = wanted.with.iter().flatten().chain(wanted.without).map(String::as_str).collect();
    let section =
        Section { cut: Cut::new(page, region, &own.chain(others).collect::<Vec<_>>(), &remarks), wanted };
    section.find(page, region)
}

fn missing(page: &Page, region: &Lines, wanted: &Wanted<'_>) -> Miss {
    let label = wanted.labels.first().map_or("", String::as_str);
    Miss { kind: FailureKind::LabelMissing, nearest: section::nearest(page, region.clone(), label) }
}

struct Section<'a> {
    cut: Cut<'a>,
    wanted: &'a Wanted<'a>,
}

/// The part of a column that belongs to a label with other labels beside it.
enum Column {
    /// These lines.
    Of(Vec<usize>),
    /// The label is in no row of labels, or positions are unknown.
    NoRow,
    /// The block has no figure.
    Empty,
    /// The part cannot be determined.
    Unclear,
}

impl Section<'_> {
    fn find(&self, document: &Page, region: &Lines) -> Result<Vec<Candidate>, Miss> {
        let wanted = self.wanted;
        let mut found: Vec<Candidate> = Vec::new();
        let (mut labelled, mut nearest) = (false, None);
        let is_wanted =
            |mark: &&Mark| mark.label.is_some_and(|label| wanted.labels.iter().any(|one| one == label));
        for mark in self.cut.marks.iter().filter(is_wanted) {
            let label = self.cut.origin[mark.at];
            if self.is_of_another(mark) {
                continue;
            }
            labelled = true;
            match self.card(mark).map(|card| card.read(wanted)) {
                Some(Ok(figures)) => found.extend(figures.into_iter().map(|figure| Candidate {
                    lines: self.cut.origin[figure.lines.start]..self.cut.origin[figure.lines.end - 1] + 1,
                    shown: figure.shown,
                    read: figure.read,
                    label,
                })),
                Some(Err(instead)) => nearest = nearest.or(instead),
                None => nearest = nearest.or_else(|| Some(document.lines[label].text.clone())),
            }
        }
        found.dedup_by(|a, b| a.lines == b.lines && a.read == b.read);
        if !found.is_empty() {
            return Ok(found);
        }
        if labelled {
            return Err(Miss { kind: FailureKind::WrongForm, nearest });
        }
        Err(missing(document, region, wanted))
    }

    /// Whether a label is in another country's card: the smallest block around it that names a
    /// country before the label names only others. Our own country may have the same label next to
    /// a box of peers.
    fn is_of_another(&self, mark: &Mark<'_>) -> bool {
        let allows = self.wanted.allows;
        let page = &self.cut.page;
        if !allows(&page.lines[mark.at].text) {
            return true;
        }
        for lines in self.blocks(mark.at).take_while(|lines| lines.len() <= MAX_CARD) {
            let same = |other: &Mark| other.at != mark.at && other.label == mark.label;
            if self.marks_in(&lines).iter().any(same) {
                return false;
            }
            let before = page.text(lines.start..mark.at);
            let names: Vec<&str> =
                find_names(&before).into_iter().filter_map(|(at, _)| before.get(at)).collect();
            let is_head =
                |line: &&Line| names.iter().any(|name| name.len() == line.text.len() && *name == line.text);
            let heads = page.lines[lines.start..mark.at].iter().filter(is_head).count();
            if heads > 1 && page.lines[mark.at].area.is_none() && !names.iter().all(|name| allows(name)) {
                // countries head the columns, and the figures' columns are unknown
                return true;
            }
            if !names.is_empty() {
                return !allows(&names.join(", "));
            }
        }
        false
    }

    /// The lines of the blocks around a line, innermost first.
    fn blocks(&self, at: usize) -> impl Iterator<Item = Lines> {
        let page = &self.cut.page;
        let blocks = page.around(at, 0..page.lines.len()).map(|block| page.blocks[block].lines.clone());
        blocks.filter(|lines| self.cut.is_block || lines.len() < page.lines.len())
    }

    fn marks_in(&self, lines: &Lines) -> &[Mark<'_>] {
        let before = |at: usize| self.cut.marks.partition_point(|mark| mark.at < at);
        &self.cut.marks[before(lines.start)..before(lines.end)]
    }

    /// Whether a line may be a value or its placeholder.
    fn is_value(&self, at: usize) -> bool {
        let line = &self.cut.page.lines[at];
        let form = self.wanted.form;
        let fits =
            || form.whole(&line.text).is_some() || (!is_count(form) && form.within(&line.text).is_some());
        !line.chart
            && !line.control
            && self.marks_in(&(at..at + 1)).is_empty()
            && !is_year(line.text.trim_matches(['(', ')', ' ']))
            && (!figure_of_a_year(&line.text) || (self.wanted.allows)(&line.text))
            && (is_figure(&line.text)
                || is_of_figures(&line.text)
                || is_blank(&line.text)
                || (line.text.len() <= MAX_TEXT && fits()))
    }

    /// The lines that belong to a label alone, and those of the smallest block with another label.
    fn own(&self, at: usize) -> (Lines, Option<Lines>) {
        let mut own = at..at + 1;
        for lines in self.blocks(at) {
            if self.marks_in(&lines).iter().any(|mark| mark.at != at) {
                return (own, Some(lines));
            }
            let seen = self.cut.page.lines[lines.clone()].iter().filter(|line| !line.chart).count();
            if seen > MAX_BLOCK {
                break;
            }
            own = lines;
        }
        (own, None)
    }

    /// Everything that belongs to a label; none if it cannot be determined.
    fn card(&self, mark: &Mark<'_>) -> Option<Card> {
        let (own, group) = self.own(mark.at);
        let mut lines: Vec<usize> = own.clone().collect();
        let line_of = |at: usize| self.cut.origin[at];
        let (mut in_line, mut in_block) = (false, false);
        for at in own.filter(|&at| at != mark.at && self.is_value(at)) {
            in_line |= line_of(at) == line_of(mark.at);
            in_block |= line_of(at) != line_of(mark.at);
        }
        let mut rows = false;
        if let (Some(group), false) = (group, in_block) {
            match self.column(mark, &group) {
                Column::Of(found) => (lines, rows) = (found, true),
                Column::Unclear | Column::Empty => return None,
                Column::NoRow => match self.in_order(mark, &group) {
                    Some(found) => lines.extend(found),
                    None if in_line => {}
                    None => return None,
                },
            }
        }
        lines.sort_unstable();
        lines.dedup();
        Some(Card::new(&self.cut.page, &lines, mark.at, rows))
    }

    /// The lines between a label and its neighbour, in the direction that all labels of the block
    /// share.
    fn in_order(&self, mark: &Mark<'_>, group: &Lines) -> Option<Vec<usize>> {
        // texts in a smaller block with a label belong there
        let is_loose = |&at: &usize| {
            let home = self.blocks(at).find(|lines| !self.marks_in(lines).is_empty());
            home.as_ref() == Some(group)
        };
        let marks: Vec<usize> = self.marks_in(group).iter().map(|mark| mark.at).collect();
        let is_open = |at: usize| {
            let (own, around) = self.own(at);
            around.as_ref() == Some(group) && !own.clone().any(|other| other != at && self.is_value(other))
        };
        let mut open = marks.iter().copied().filter(|&at| at == mark.at || is_open(at));
        let first = open.next()?;
        let last = open.next_back().unwrap_or(first);
        let previous = |at: usize| {
            marks.iter().copied().filter(|&other| other < at).max().map_or(group.start, |at| at + 1)
        };
        let next = |at: usize| marks.iter().copied().find(|&other| other > at).unwrap_or(group.end);
        let font = |at: usize| self.cut.page.lines[at].font;
        let near = first.saturating_sub(MAX_BLOCK).max(group.start)..(last + MAX_BLOCK).min(group.end);
        let values: Vec<usize> = near.filter(|&at| self.is_value(at)).collect();
        // texts much smaller than the values, such as a chart's scale, do not affect the direction
        let largest = values.iter().map(|&at| font(at)).fold(0.0, f32::max);
        let has_value = |lines: Lines| {
            let stands_out = |at: &&usize| lines.contains(at) && font(**at) >= largest / 2.0;
            values.iter().filter(stands_out).any(is_loose)
        };
        match (has_value(previous(first)..first), has_value(last + 1..next(last))) {
            (false, true) => Some((mark.at + 1..next(mark.at)).filter(is_loose).take(MAX_CARD).collect()),
            (true, false) => {
                Some((previous(mark.at)..mark.at).rev().filter(is_loose).take(MAX_CARD).collect())
            }
            _ => None,
        }
    }

    /// The column of a label with labels beside it, in the smallest block that also has figures.
    fn column(&self, mark: &Mark<'_>, group: &Lines) -> Column {
        let mut column = Column::NoRow;
        for lines in self.blocks(mark.at).skip_while(|lines| lines != group) {
            if lines.len() > MAX_BLOCK {
                break;
            }
            column = self.column_in(mark, &lines);
            if !matches!(column, Column::Empty) {
                break;
            }
        }
        column
    }

    fn column_in(&self, mark: &Mark<'_>, lines: &Lines) -> Column {
        let page = &self.cut.page;
        let shown: Vec<usize> =
            lines.clone().filter(|&at| !page.lines[at].control && !page.lines[at].chart).collect();
        if page.lines[lines.clone()].iter().any(|line| line.area.is_none()) {
            return Column::NoRow;
        }
        let area = |at: usize| page.lines[at].area.unwrap_or_default();
        let marks: Vec<usize> = self.marks_in(lines).iter().map(|mark| mark.at).collect();
        let own = area(mark.at);
        let row: Vec<usize> = shown.iter().copied().filter(|&at| is_beside(area(at), own)).collect();
        let is_head = |&at: &usize| at != mark.at && marks.contains(&at) && across(area(at), own) == 0.0;
        if !row.iter().any(is_head) || row.iter().any(|&at| self.is_value(at)) {
            return Column::NoRow;
        }
        let values: Vec<usize> = shown.iter().copied().filter(|&at| self.is_value(at)).collect();
        if values.is_empty() {
            return Column::Empty;
        }
        // values may be below or above their labels; flip the page in the latter case
        let edges = |at: &usize| (area(*at)[1], area(*at)[1] + area(*at)[3]);
        let top = marks.iter().map(|at| edges(at).0).fold(f32::MAX, f32::min);
        let bottom = marks.iter().map(|at| edges(at).1).fold(f32::MIN, f32::max);
        let above = values.iter().any(|at| edges(at).0 < top);
        let below = values.iter().any(|at| edges(at).1 > bottom);
        if above == below {
            return Column::Unclear;
        }
        let place = |at: usize| {
            let [left, top, width, height] = area(at);
            if above { [left, -top - height, width, height] } else { [left, top, width, height] }
        };
        let own = place(mark.at);
        let under = |at: usize| place(at)[1] + place(at)[3] > own[1] + SLACK && !is_beside(place(at), own);
        // the column ends at its next label
        let end = marks
            .iter()
            .filter(|&&at| under(at) && across(place(at), own) > 0.0)
            .map(|&at| place(at)[1])
            .fold(f32::MAX, f32::min);
        let mut found = vec![mark.at];
        for at in lines.clone().filter(|&at| under(at) && place(at)[1] < end - SLACK) {
            let heads: Vec<usize> =
                row.iter().copied().filter(|&head| across(place(head), place(at)) > SLACK).collect();
            match heads.as_slice() {
                [head] if *head == mark.at => found.push(at),
                [] if self.is_value(at) => return Column::Unclear,
                [_, _, ..] if heads.contains(&mark.at) => return Column::Unclear,
                _ => {}
            }
        }
        Column::Of(found)
    }
}
