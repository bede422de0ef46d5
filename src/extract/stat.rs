//! A value beside its label: the label's line first, then the smallest block around it that holds a
//! value of the wanted form.

use std::collections::BTreeSet;

use super::columns::{self, Refused};
use super::entity::Subject;
use super::form::{Form, Read};
use super::observation::FailureKind;
use super::page::{Lines, Page, loosen};
use super::strip::{self, Part};

/// A text that fits the wanted form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    /// Its lines.
    pub lines: Lines,
    /// The text as displayed.
    pub shown: String,
    /// What it means.
    pub read: Read,
    /// Where it was found, for a person.
    pub locator: String,
}

/// What to look for.
pub(super) struct Wanted<'a> {
    /// Loosened labels.
    pub labels: &'a [String],
    /// Loosened labels of the other cards in the section: a card ends where another begins.
    pub others: &'a BTreeSet<String>,
    /// The form of the value.
    pub form: &'a Form,
    /// Loosened words that must stand with the value.
    pub with: &'a [String],
    /// Loosened words that must not.
    pub without: &'a [String],
    /// Whose page it is, and the year the value must be of.
    pub subject: &'a Subject,
    /// Check years printed beside the value.
    pub year: Option<i16>,
}

/// Why nothing was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Miss {
    /// What went wrong.
    pub kind: FailureKind,
    /// The nearest thing found.
    pub nearest: Option<String>,
}

/// The values that stand with a label, the best first.
///
/// # Errors
/// The label is not there, or nothing of the wanted form stands with it.
pub(super) fn find(page: &Page, region: Lines, wanted: &Wanted<'_>) -> Result<Vec<Candidate>, Miss> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut instead = None;
    let mut labelled = false;
    for at in region.clone() {
        let line = &page.lines[at];
        if line.control || line.chart {
            continue;
        }
        let rest = after_label(&line.loose, wanted.labels);
        let part = strip::of_label(&line.text, wanted);
        if (rest.is_none() && !matches!(part, Part::One { .. })) || is_of_another(page, &region, at, wanted) {
            continue;
        }
        labelled = true;
        let (text, words) = match &part {
            Part::One { text, around } => (text.as_str(), around.as_str()),
            Part::Own(text) => (text.as_str(), line.loose.as_str()),
            Part::Whole | Part::Absent => (line.text.as_str(), line.loose.as_str()),
            Part::Unclear => ("", ""),
        };
        if rest != Some("")
            && let Some((shown, read)) = strip::read(text, &part, wanted)
            && fits_words(words, wanted)
            && wanted.subject.allows(words, wanted.year)
        {
            candidates.push(Candidate { lines: at..at + 1, shown, read, locator: locator(&line.text) });
            continue;
        }
        if matches!(part, Part::One { .. } | Part::Unclear) {
            // a bar of several figures has no other line for one of them
            instead = instead.or_else(|| Some(line.text.clone()));
            continue;
        }
        match beside(page, &region, at, wanted) {
            Ok(found) => candidates.extend(found),
            Err(text) => instead = instead.or(text),
        }
    }
    candidates.dedup_by(|a, b| a.lines == b.lines);
    if !candidates.is_empty() {
        return Ok(candidates);
    }
    if labelled {
        return Err(Miss { kind: FailureKind::WrongForm, nearest: instead });
    }
    let label = wanted.labels.first().map_or("", String::as_str);
    Err(Miss { kind: FailureKind::LabelMissing, nearest: super::section::nearest(page, region, label) })
}

/// Lines of a card at most; in anything larger a country's name need not be its title.
const CARD: usize = 12;

/// Another value of the form in the card around a value, for which `agrees` holds. What is set smaller, as the ends of a
/// small chart are, is no rival of a headline.
pub(super) fn rival(
    page: &Page,
    region: &Lines,
    own: &Lines,
    form: &Form,
    agrees: impl Fn(&Read) -> bool,
) -> Option<String> {
    let blocks = page.around(own.start, region.clone()).map(|block| page.blocks[block].lines.clone());
    let card = blocks.take_while(|lines| lines.len() <= CARD).last()?;
    let size = page.lines[own.clone()].iter().map(|line| line.font).fold(0.0, f32::max);
    card.filter(|at| !own.contains(at)).map(|at| &page.lines[at]).find_map(|line| {
        let whole = || form.whole(&line.text).map(|read| (line.text.clone(), read));
        let within = || (line.text.len() <= 60).then(|| form.within(&line.text)).flatten();
        let (shown, read) = whole().or_else(within)?;
        let equal = line.font >= size * 0.75 && !line.chart && !line.control && !figure_of_a_year(&line.text);
        (equal && agrees(&read)).then_some(shown)
    })
}

/// Whether a label stands in a card of another country: the smallest block around it in which a country is
/// named before it names others alone. Ours may carry the same label beside a box of peers.
fn is_of_another(page: &Page, region: &Lines, label: usize, wanted: &Wanted<'_>) -> bool {
    let blocks = page.around(label, region.clone()).map(|block| page.blocks[block].lines.clone());
    for lines in blocks.take_while(|lines| lines.len() <= CARD) {
        let same = |at: usize| after_label(&page.lines[at].loose, wanted.labels).is_some();
        if lines.clone().any(|at| at != label && same(at)) {
            return false;
        }
        let before = page.text(lines.start..label);
        if !crate::atlas::find_names(&before).is_empty() {
            return !wanted.subject.allows(&before, None);
        }
    }
    false
}

/// What follows a label in its own line; none when the line is no such label.
fn after_label<'a, 'l>(loose: &'a str, labels: impl IntoIterator<Item = &'l String>) -> Option<&'a str> {
    labels.into_iter().find_map(|label| {
        let rest = loose.strip_prefix(label.as_str())?;
        let rest = rest.trim_start_matches([' ', ':', ',', '-', '(', ')']);
        let rest = strip_year(rest);
        (rest.is_empty() || rest.starts_with(|c: char| !c.is_alphabetic() || rest.starts_with("usd")))
            .then_some(rest)
    })
}

fn strip_year(rest: &str) -> &str {
    let rest = rest.strip_prefix("in ").unwrap_or(rest);
    match rest.get(..4) {
        Some(year)
            if year.bytes().all(|b| b.is_ascii_digit())
                && (year.starts_with("19") || year.starts_with("20"))
                && !rest[4..].starts_with(|c: char| c.is_ascii_digit() || c == ',' || c == '.') =>
        {
            rest[4..].trim_start_matches([' ', ')', ':', ','])
        }
        _ => rest,
    }
}

fn fits_words(loose: &str, wanted: &Wanted<'_>) -> bool {
    wanted.with.iter().all(|word| loose.contains(word.as_str()))
        && !wanted.without.iter().any(|word| loose.contains(word.as_str()))
}

fn locator(label: &str) -> String {
    format!("label \"{label}\"")
}

/// Looks in the blocks around a label, the smallest first.
fn beside(
    page: &Page,
    region: &Lines,
    label: usize,
    wanted: &Wanted<'_>,
) -> Result<Vec<Candidate>, Option<String>> {
    let mut instead = None;
    for block in page.around(label, region.clone()) {
        let lines = page.blocks[block].lines.clone();
        let neighbours: Vec<usize> = lines
            .clone()
            .filter(|&at| at != label && !page.lines[at].control && is_other_label(page, at, wanted))
            .collect();
        if !neighbours.is_empty()
            && let Some(found) = in_column(page, region, label, wanted)
        {
            return found.ok_or(instead.or_else(|| Some(page.lines[label].text.clone())));
        }
        let card = if neighbours.is_empty() {
            lines.clone()
        } else {
            // no block of its own: the card runs from its label to the next one
            let end = neighbours.iter().copied().find(|&at| at > label).unwrap_or(lines.end);
            label..if values_lead(page, &lines, label, &neighbours) { label + 1 } else { end }
        };
        let found = candidates(page, &card, label, wanted);
        let good = acceptable(page, &card, label, found, wanted);
        if !good.is_empty() {
            return Ok(good);
        }
        let behind = figure_behind(page, &card, label);
        instead = instead.or_else(|| number_like(page, &card, label));
        if !neighbours.is_empty() {
            if behind {
                // the label's own card prints a figure, which has not the wanted form: no other card's will do
                return Err(instead);
            }
            // values that stand before their labels
            let start =
                neighbours.iter().copied().filter(|&at| at < label).max().map_or(lines.start, |at| at + 1);
            let found = candidates(page, &(start..label), label, wanted);
            let good = acceptable(page, &(start..label), label, found, wanted);
            return if good.is_empty() { Err(instead) } else { Ok(good) };
        }
    }
    Err(instead)
}

/// Whether figures stand before the first label of a block and none behind its last: each before its own label.
fn values_lead(page: &Page, lines: &Lines, label: usize, neighbours: &[usize]) -> bool {
    let first = neighbours.iter().copied().min().map_or(label, |at| at.min(label));
    let last = neighbours.iter().copied().max().map_or(label, |at| at.max(label));
    let has = |mut lines: Lines| {
        lines.any(|at| {
            let line = &page.lines[at];
            !line.chart && !line.control && is_no_year(&line.text) && looks_like_figure(&line.text)
        })
    };
    has(lines.start..first) && !has(last..lines.end)
}

/// What stands in the column of a label that has others beside it and its value below: none where it stands in no such
/// row, and nothing where what belongs to it cannot be told or has not the form.
fn in_column(
    page: &Page,
    region: &Lines,
    label: usize,
    wanted: &Wanted<'_>,
) -> Option<Option<Vec<Candidate>>> {
    let is_label = |at: usize| at == label || is_other_label(page, at, wanted);
    let is_figure = |at: usize| {
        let text = &page.lines[at].text;
        let fits =
            || text.len() <= 60 && (wanted.form.whole(text).is_some() || wanted.form.within(text).is_some());
        !is_label(at) && is_no_year(text) && (looks_like_figure(text) || fits())
    };
    let column = match columns::below(page, region, label, is_label, is_figure) {
        Ok(column) => column,
        Err(Refused::NoRow) => return None,
        Err(Refused::Unclear) => return Some(None),
    };
    let card = 0..column.lines.len();
    let found = candidates(&column.page, &card, 0, wanted);
    let mut good = acceptable(&column.page, &card, 0, found, wanted);
    good.retain(|candidate| {
        let row = columns::row(page, region, column.lines[candidate.lines.start]);
        !crate::atlas::find_names(&row).iter().any(|(_, id)| *id != wanted.subject.country)
            && wanted.subject.allows(&row, wanted.year)
    });
    for candidate in &mut good {
        candidate.lines = column.on_page(&candidate.lines);
    }
    Some((!good.is_empty()).then_some(good))
}

fn is_other_label(page: &Page, at: usize, wanted: &Wanted<'_>) -> bool {
    let loose = &page.lines[at].loose;
    wanted.others.contains(loose)
        || wanted.others.contains(strip_trailing_year(loose))
        || after_label(loose, wanted.others).is_some()
}

fn strip_trailing_year(loose: &str) -> &str {
    let cut = loose.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '(' | ')'));
    if cut.is_empty() { loose } else { cut }
}

/// Every text in a card that fits the form: lines, parts of short lines, and values split over a few lines.
fn candidates(page: &Page, card: &Lines, label: usize, wanted: &Wanted<'_>) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut push = |lines: Lines, shown: String, read: Read| {
        let locator = locator(&page.lines[label].text);
        found.push(Candidate { lines, shown, read, locator });
    };
    for at in card.clone().filter(|&at| at != label) {
        let text = &page.lines[at].text;
        if let Some(read) = wanted.form.whole(text) {
            push(at..at + 1, text.clone(), read);
        } else if text.len() <= 60
            && !strip::names(text, wanted.others.iter())
            && let Some((shown, read)) = wanted.form.within(text)
        {
            push(at..at + 1, shown, read);
        }
    }
    for block in page.inside(card) {
        let lines = block.lines.clone();
        let short = (2..=6).contains(&lines.len());
        if short && !lines.contains(&label) {
            if found_inside(&found, &lines) {
                continue;
            }
            let spaced = page.text(lines.clone());
            let joined = page.lines[lines.clone()].iter().map(|line| line.text.as_str()).collect::<String>();
            for text in [spaced, joined] {
                if let Some(read) = wanted.form.whole(&text) {
                    found.push(Candidate {
                        lines: lines.clone(),
                        shown: text,
                        read,
                        locator: locator(&page.lines[label].text),
                    });
                    break;
                }
            }
        }
    }
    found.sort_by_key(|candidate| (candidate.lines.start, candidate.lines.end));
    found
}

fn found_inside(found: &[Candidate], lines: &Lines) -> bool {
    found.iter().any(|candidate| candidate.lines.start >= lines.start && candidate.lines.end <= lines.end)
}

/// Those whose own words fit and that are not of another country or year, the nearest after the label first.
fn acceptable(
    page: &Page,
    card: &Lines,
    label: usize,
    found: Vec<Candidate>,
    wanted: &Wanted<'_>,
) -> Vec<Candidate> {
    let all: Vec<Lines> = found.iter().map(|candidate| candidate.lines.clone()).collect();
    let mut good: Vec<Candidate> = found
        .into_iter()
        .filter(|candidate| {
            let own = own_text(page, card, label, &candidate.lines, &all);
            let loose = loosen(&own);
            fits_words(&loose, wanted)
                && !words_are_of_another(page, card, &candidate.lines, wanted)
                && wanted.subject.allows(&own, wanted.year)
        })
        .collect();
    // a chart's axis and ends are no figures of the card, even where nothing else can be read
    good.retain(|candidate| !in_chart(page, candidate));
    // the headline of a card is set no smaller than its other figures
    let font = |lines: &Lines| page.lines[lines.clone()].iter().map(|line| line.font).fold(0.0, f32::max);
    let largest = good.iter().map(|candidate| font(&candidate.lines)).fold(0.0, f32::max);
    good.retain(|candidate| font(&candidate.lines) >= largest * 0.75);
    if wanted.with.is_empty() && wanted.form.is_headline() {
        let figure = headline(page, card, label, wanted);
        if figure.is_some_and(|size| size > largest * 1.2 && largest > 0.0) {
            good.clear();
        }
    }
    good.sort_by_key(|candidate| {
        let before = candidate.lines.start < label;
        (before, candidate.lines.start.abs_diff(label))
    });
    good
}

/// Whether the words that must stand with a value stand in one line with another figure: `PPP 7.159 $`, which
/// has not the form, does not lend its word to the next figure that has.
fn words_are_of_another(page: &Page, card: &Lines, own: &Lines, wanted: &Wanted<'_>) -> bool {
    !wanted.with.is_empty()
        && card.clone().filter(|at| !own.contains(at)).any(|at| {
            let mut rest = page.lines[at].loose.clone();
            for word in wanted.with {
                let Some(at) = rest.find(word.as_str()) else { return false };
                rest.replace_range(at..at + word.len(), "");
            }
            let rest = rest.trim();
            rest.len() <= 16 && looks_like_figure(rest) && is_no_year(rest)
        })
}

fn in_chart(page: &Page, candidate: &Candidate) -> bool {
    page.lines[candidate.lines.clone()].iter().all(|line| line.chart)
}

/// Font size of the largest text in the card that looks like a figure.
fn headline(page: &Page, card: &Lines, label: usize, wanted: &Wanted<'_>) -> Option<f32> {
    card.clone()
        .filter(|&at| at != label && !page.lines[at].chart)
        .filter(|&at| {
            let text = &page.lines[at].text;
            looks_like_figure(text) && !wanted.form.is_sibling(text)
        })
        .map(|at| page.lines[at].font)
        .max_by(f32::total_cmp)
}

fn looks_like_figure(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.len() <= 30 && (text.contains(['$', '%']) || (digits > 0 && digits * 2 >= text.chars().count()))
}

/// Whether a text that looks like a figure follows the label in its card.
fn figure_behind(page: &Page, card: &Lines, label: usize) -> bool {
    card.clone()
        .filter(|&at| at > label)
        .map(|at| &page.lines[at])
        .any(|line| !line.chart && !line.control && is_no_year(&line.text) && looks_like_figure(&line.text))
}

fn is_no_year(text: &str) -> bool {
    let text = text.trim_matches(['(', ')', ' ']);
    !(text.len() == 4 && (text.starts_with("19") || text.starts_with("20")))
}

fn number_like(page: &Page, card: &Lines, label: usize) -> Option<String> {
    let after = card.clone().filter(|&at| at > label);
    let before = card.clone().filter(|&at| at < label).rev();
    after
        .chain(before)
        .map(|at| &page.lines[at])
        .find(|line| {
            !line.chart
                && line.text.len() < 60
                && is_no_year(&line.text)
                && (looks_like_figure(&line.text)
                    || line.text.starts_with(|c: char| c.is_ascii_digit())
                    || line.text.contains("---"))
        })
        .or_else(|| card.clone().filter(|&at| at > label).map(|at| &page.lines[at]).next())
        .map(|line| line.text.clone())
}

/// The words that belong to a candidate alone: of the largest block within the card that holds no other
/// candidate, and of the lines between it and the next where no block separates them.
fn own_text(page: &Page, card: &Lines, label: usize, own: &Lines, all: &[Lines]) -> String {
    let mut lines = own.clone();
    for block in page.around(own.start, card.clone()) {
        let block = page.blocks[block].lines.clone();
        if block.end < own.end {
            continue;
        }
        let alone =
            all.iter().all(|other| other == own || other.end <= block.start || other.start >= block.end);
        if !alone {
            break;
        }
        lines = block;
    }
    let label_first = all.first().is_none_or(|first| label < first.start);
    let next = all.iter().map(|other| other.start).filter(|&start| start >= own.end).min();
    let previous = all.iter().map(|other| other.end).filter(|&end| end <= own.start).max();
    let flat = lines == *own;
    if flat {
        // words between two values belong to the one behind them when labels lead, else to the one before
        if label_first {
            lines.start = previous.unwrap_or(own.start).max(card.start);
            if next.is_none() {
                lines.end = card.end.min(own.end + 3);
            }
        } else {
            lines.end = next.unwrap_or(own.end + 3).min(card.end);
        }
    }
    let mut text = String::new();
    for at in lines.filter(|&at| at != label) {
        // a year that is printed with a figure of its own, as at the ends of a small chart, is that figure's
        if !own.contains(&at) && figure_of_a_year(&page.lines[at].text) {
            continue;
        }
        text.push_str(&page.lines[at].text);
        text.push(' ');
    }
    text
}

/// Whether a text is a year with a figure: `2012 $1,155`.
fn figure_of_a_year(text: &str) -> bool {
    let is_year = |word: &&str| {
        word.len() == 4
            && (word.starts_with("19") || word.starts_with("20"))
            && word.bytes().all(|b| b.is_ascii_digit())
    };
    let words: Vec<&str> = text.split([' ', ':', '(', ')']).filter(|word| !word.is_empty()).collect();
    let years = words.iter().copied().filter(|word| is_year(word)).count();
    words.len() <= 4 && years == 1 && words.iter().any(|word| !is_year(word) && looks_like_figure(word))
}
