//! A card: a label with everything that belongs to it, and its figures of the wanted form.

use super::cut::assemble;
use super::line::{MAX_BLOCK, SLACK, across, is_beside, is_blank, is_figure, is_year, looks_like_figure};
use super::wanted::Wanted;
use crate::atlas::find_names;
use crate::document::{Lines, Page, normalize_label};
use crate::form::{Form, Read};
use crate::value::Rule;

/// The maximum number of lines over which a figure may be split.
const MAX_PIECES: usize = 6;

/// The maximum characters of a line that contains more than a figure.
pub(super) const MAX_TEXT: usize = 60;

/// A label with everything that belongs to it.
pub(super) struct Card {
    page: Page,
    /// The label's line in the card.
    label: usize,
    /// The section line of each card line.
    lines: Vec<usize>,
    /// For each card line, the text in the same row or column outside the card.
    aside: Vec<String>,
}

/// A text of the wanted form. Without a reading it is a placeholder for a missing value.
pub(super) struct Figure {
    pub lines: Lines,
    pub shown: String,
    read: Option<Read>,
}

/// A figure with its reading, in lines of the section.
pub(super) struct Found {
    pub lines: Lines,
    pub shown: String,
    pub read: Read,
}

impl Card {
    /// A card from some lines of a section, including the label. `column` is true for one of
    /// several columns.
    pub fn new(section: &Page, lines: &[usize], label: usize, column: bool) -> Self {
        let place = |at: usize| lines.partition_point(|&line| line < at);
        let whole = lines.first().zip(lines.last()).map_or(0..0, |(first, last)| *first..last + 1);
        let ranges = section
            .inside(&whole)
            .map(|block| (block.lines.len(), place(block.lines.start)..place(block.lines.end)))
            .filter(|(len, range)| *len == range.len());
        let kept = lines.iter().map(|&at| section.lines[at].clone()).collect();
        let page = assemble(kept, ranges.map(|(_, range)| range).collect());
        let aside = |&at: &usize| if column { row_of(section, at) } else { head_of(section, at, label) };
        Self { page, label: place(label), lines: lines.to_vec(), aside: lines.iter().map(aside).collect() }
    }

    /// The figures of the wanted form in the smallest block around the label that has one, nearest
    /// first.
    ///
    /// # Errors
    /// There is none; the error has the text in its place.
    pub fn read(&self, wanted: &Wanted<'_>) -> Result<Vec<Found>, Option<String>> {
        // a bare count is a weak form: accept it only if it stands alone
        let count = is_count(wanted.form);
        for block in self.page.around(self.label, 0..self.page.lines.len()) {
            let lines = self.page.blocks[block].lines.clone();
            for alone in [true, false].into_iter().filter(|alone| count || !alone) {
                let mut figures = self.figures(&lines, wanted.form, alone);
                if !wanted.form.is_headline() && self.is_headline_blank(&lines, wanted.form) {
                    figures.retain(|figure| figure.read.is_some());
                }
                let good = self.acceptable(&lines, figures, wanted);
                match good.first() {
                    Some(Figure { read: None, shown, .. }) => return Err(Some(shown.clone())),
                    Some(_) => return Ok(good.into_iter().filter_map(|figure| self.found(figure)).collect()),
                    None => {}
                }
            }
        }
        Err(self.instead())
    }

    /// Whether a block's only blank replaces its headline figure. It does if no other figure can be
    /// the headline and the label names no rank; a rank below it is not blank then.
    fn is_headline_blank(&self, lines: &Lines, form: &Form) -> bool {
        let texts =
            || lines.clone().filter(|&at| at != self.label).map(|at| self.page.lines[at].text.as_str());
        let is_headline = |text: &str| is_figure(text) && !form.is_sibling(text);
        !form.is_sibling(&self.page.lines[self.label].text)
            && texts().filter(|text| is_blank(text)).count() == 1
            && !texts().any(is_headline)
    }

    fn found(&self, figure: Figure) -> Option<Found> {
        let lines = self.lines[figure.lines.start]..self.lines[figure.lines.end - 1] + 1;
        Some(Found { lines, shown: figure.shown, read: figure.read? })
    }

    /// Every text that fits the form: lines, parts of short lines unless `alone`, and figures split
    /// over a few lines. Also placeholders.
    fn figures(&self, card: &Lines, form: &Form, alone: bool) -> Vec<Figure> {
        let page = &self.page;
        let mut found: Vec<Figure> = Vec::new();
        for at in card.clone().filter(|&at| at != self.label && !page.lines[at].chart) {
            let text = &page.lines[at].text;
            let whole = || form.whole(text).map(|read| (text.clone(), Some(read)));
            let blank = || is_blank(text).then(|| (text.clone(), None));
            let within = || {
                let (shown, read) = form.within(text).filter(|_| !alone && text.len() <= MAX_TEXT)?;
                Some((shown, Some(read)))
            };
            let figure = whole().or_else(blank).or_else(within);
            found.extend(figure.map(|(shown, read)| Figure { lines: at..at + 1, shown, read }));
        }
        let split: Vec<Figure> = self
            .pieces(card)
            .into_iter()
            .filter(|lines| {
                // a readable text may still be a piece of a larger number
                let inside = found.iter().any(|one| one.read.is_some() && is_within(&one.lines, lines));
                !inside || (lines.clone().all(|at| is_piece(&page.lines[at].text)) && !self.is_apart(lines))
            })
            .filter_map(|lines| {
                let joined: String =
                    page.lines[lines.clone()].iter().map(|line| line.text.as_str()).collect();
                [page.text(lines.clone()), joined].into_iter().find_map(|shown| {
                    let read = Some(form.whole(&shown)?);
                    Some(Figure { lines: lines.clone(), shown, read })
                })
            })
            .collect();
        found.retain(|one| {
            one.read.is_some() || !split.iter().any(|whole| is_within(&one.lines, &whole.lines))
        });
        found.extend(split);
        found.sort_by_key(|figure| (figure.lines.start, figure.lines.end));
        found
    }

    /// The lines that may be pieces of one figure: those of a small block, and runs of bare digits
    /// and signs.
    fn pieces(&self, card: &Lines) -> Vec<Lines> {
        let page = &self.page;
        let mut found: Vec<Lines> = page.inside(card).map(|block| block.lines.clone()).collect();
        let mut start = card.start;
        while start < card.end {
            let run = page.lines[start..card.end].iter().take_while(|line| is_piece(&line.text)).count();
            found.push(start..start + run);
            start += run.max(1);
        }
        found.retain(|lines| (2..=MAX_PIECES).contains(&lines.len()) && !lines.contains(&self.label));
        found.retain(|lines| page.lines[lines.clone()].iter().all(|line| !line.chart));
        found.sort_by_key(|lines| (lines.start, lines.end));
        found.dedup();
        found
    }

    /// Whether lines are known to be far apart.
    fn is_apart(&self, lines: &Lines) -> bool {
        let areas: Vec<[f32; 4]> =
            self.page.lines[lines.clone()].iter().filter_map(|line| line.area).collect();
        areas.windows(2).any(|pair| {
            let gap = pair[1][0] - pair[0][0] - pair[0][2];
            !is_beside(pair[0], pair[1]) || gap.abs() > pair[0][3].min(pair[1][3]) / 2.0
        })
    }

    /// The figures whose own words fit and that belong to no other country or year, nearest after
    /// the label first.
    fn acceptable(&self, card: &Lines, found: Vec<Figure>, wanted: &Wanted<'_>) -> Vec<Figure> {
        let all: Vec<Lines> = found.iter().map(|figure| figure.lines.clone()).collect();
        let mut good = found;
        good.retain(|figure| {
            let words = self.words(card, &figure.lines, &all);
            let normalized = normalize_label(&words);
            let aside = &self.aside[figure.lines.start];
            let mut names = find_names(aside).into_iter().filter_map(|(at, _)| aside.get(at));
            wanted.with.iter().all(|any| any.iter().any(|word| normalized.contains(word.as_str())))
                && !wanted.without.iter().any(|word| normalized.contains(word.as_str()))
                && !self.words_are_of_another(card, &figure.lines, wanted)
                && (wanted.allows)(&words)
                && (wanted.allows)(aside)
                && names.all(wanted.allows)
        });
        // the headline of a card is at least as large as its other figures
        let font =
            |lines: &Lines| self.page.lines[lines.clone()].iter().map(|line| line.font).fold(0.0, f32::max);
        let largest = good.iter().map(|figure| font(&figure.lines)).fold(0.0, f32::max);
        good.retain(|figure| font(&figure.lines) >= largest * 0.75);
        if wanted.with.is_empty() && wanted.form.is_headline() && largest > 0.0 {
            let headline = card
                .clone()
                .filter(|&at| at != self.label && !self.page.lines[at].chart)
                .map(|at| &self.page.lines[at])
                .filter(|line| looks_like_figure(&line.text) && !wanted.form.is_sibling(&line.text))
                .map(|line| line.font)
                .fold(0.0, f32::max);
            if headline > largest * 1.2 {
                good.clear();
            }
        }
        good.sort_by_key(|figure| (figure.lines.start < self.label, figure.lines.start.abs_diff(self.label)));
        good
    }

    /// Whether the required words are in one line with another figure. `PPP 7.159 $` does not have
    /// the form, and must not lend its word to the next figure that does.
    fn words_are_of_another(&self, card: &Lines, own: &Lines, wanted: &Wanted<'_>) -> bool {
        !wanted.with.is_empty()
            && card.clone().filter(|at| !own.contains(at)).any(|at| {
                let mut rest = self.page.lines[at].normalized.clone();
                for any in wanted.with {
                    let found = any.iter().find_map(|word| Some((rest.find(word.as_str())?, word.len())));
                    let Some((at, length)) = found else { return false };
                    rest.replace_range(at..at + length, "");
                }
                let rest = rest.trim();
                rest.len() <= 16 && is_figure(rest)
            })
    }

    /// The words of one figure alone: those of the largest block without another figure, or else
    /// those since the previous figure. Words after it also count if no words precede the first
    /// figure, or if it is the last.
    fn words(&self, card: &Lines, own: &Lines, all: &[Lines]) -> String {
        let mut lines = own.clone();
        for block in self.page.around(own.start, card.clone()) {
            let block = self.page.blocks[block].lines.clone();
            let is_other = |other: &Lines| !is_within(other, own) && !is_within(own, other);
            if all.iter().any(|other| is_other(other) && other.end > block.start && other.start < block.end) {
                break;
            }
            if block.end >= own.end {
                lines = block;
            }
        }
        if lines == *own {
            let label_first = all.first().is_none_or(|first| self.label < first.start);
            let is_bound =
                |at: usize| at == self.label || all.iter().any(|other| other != own && other.contains(&at));
            let start =
                (card.start..own.start).rev().take_while(|&at| !is_bound(at)).last().unwrap_or(own.start);
            let end = (own.end..card.end.min(own.end + 3))
                .take_while(|&at| !is_bound(at))
                .last()
                .map_or(own.end, |at| at + 1);
            let is_words =
                |at: usize| !looks_like_figure(&self.page.lines[at].text) && !self.page.lines[at].chart;
            let last = all.last().map_or(own.end, |last| last.end);
            let first = all.first().map_or(own.start, |first| first.start);
            let leads = (self.label + 1..first).any(is_words) || !(last..card.end).any(is_words);
            if label_first {
                lines = start..if leads && own.end < last { own.end } else { end };
            } else {
                lines = own.start..end;
            }
        }
        let mut text = String::new();
        for at in lines.filter(|&at| at != self.label && !self.page.lines[at].chart) {
            // a year printed with its own figure, as at the ends of a small chart, belongs to that
            // figure
            if !own.contains(&at) && figure_of_a_year(&self.page.lines[at].text) {
                continue;
            }
            text.push_str(&self.page.lines[at].text);
            text.push(' ');
        }
        text
    }

    /// The text in place of a value, for messages.
    fn instead(&self) -> Option<String> {
        let lines = &self.page.lines;
        let likely = |&at: &usize| {
            let text = &lines[at].text;
            !lines[at].chart
                && text.len() < MAX_TEXT
                && !is_year(text.trim_matches(['(', ')', ' ']))
                && (is_figure(text) || is_blank(text) || text.starts_with(|c: char| c.is_ascii_digit()))
        };
        let behind = self.label + 1..lines.len();
        let at = behind
            .clone()
            .find(likely)
            .or_else(|| (0..self.label).rev().find(likely))
            .or(behind.clone().next());
        at.map(|at| lines[at].text.clone())
    }
}

fn is_within(inner: &Lines, outer: &Lines) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
}

/// Whether a form is a bare count.
pub(super) const fn is_count(form: &Form) -> bool {
    matches!(form, Form::Rule { rule: Rule::Integer, .. })
}

/// Whether a text may be part of a number.
fn is_piece(text: &str) -> bool {
    text.len() <= 8 && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '$' | '%'))
}

/// Whether a text is a year with a figure: `2012 $1,155`.
pub(crate) fn figure_of_a_year(text: &str) -> bool {
    let words: Vec<&str> = text.split([' ', ':', '(', ')']).filter(|word| !word.is_empty()).collect();
    let years = words.iter().filter(|word| is_year(word)).count();
    words.len() <= 4 && years == 1 && words.iter().any(|word| !is_year(word) && looks_like_figure(word))
}

fn blocks(page: &Page, at: usize) -> impl Iterator<Item = Lines> {
    page.around(at, 0..page.lines.len()).map(|block| page.blocks[block].lines.clone())
}

/// The text in the same row as a line, from the smallest block that extends beyond that line's
/// column.
fn row_of(page: &Page, at: usize) -> String {
    let Some(own) = page.lines[at].area else { return String::new() };
    let beside =
        |other: &usize| *other != at && page.lines[*other].area.is_some_and(|area| is_beside(area, own));
    let rows = blocks(page, at).map(|lines| {
        lines.filter(beside).map(|other| page.lines[other].text.as_str()).collect::<Vec<_>>().join(" ")
    });
    rows.into_iter().find(|row| !row.is_empty()).unwrap_or_default()
}

/// The country at the head of a figure's column, if the figure is in one row with its label.
fn head_of(page: &Page, at: usize, label: usize) -> String {
    let (Some(own), Some(label_area)) = (page.lines[at].area, page.lines[label].area) else {
        return String::new();
    };
    if at == label || !is_beside(own, label_area) {
        return String::new();
    }
    let Some(lines) = blocks(page, at).take_while(|lines| lines.len() <= MAX_BLOCK).last() else {
        return String::new();
    };
    let heads = lines.filter_map(|other| {
        let line = &page.lines[other];
        let area = line.area.filter(|area| area[1] + area[3] <= own[1] + SLACK)?;
        let over = across(area, own) > SLACK && across(area, label_area) == 0.0;
        (over && line.text.len() <= MAX_TEXT && !find_names(&line.text).is_empty())
            .then(|| (area[1], line.text.clone()))
    });
    heads.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, text)| text).unwrap_or_default()
}
