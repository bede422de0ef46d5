//! A value beside its label, with where it was found.

use std::collections::BTreeSet;

use super::association::{self, MAX_CARD, figure_of_a_year};
use super::form::{Form, Read};
use super::observation::Miss;
use crate::extract::document::{Lines, Page};
use crate::extract::view::entity::Subject;

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

/// The values that stand with a label, the best first.
///
/// # Errors
/// The label is not there, or nothing of the wanted form stands with it.
pub(super) fn find(page: &Page, region: Lines, wanted: &Wanted<'_>) -> Result<Vec<Candidate>, Miss> {
    let &Wanted { labels, others, form, with, without, subject, year } = wanted;
    let allows = |words: &str| subject.allows(words, year);
    let wanted = association::Wanted { labels, others, form, with, without, allows: &allows };
    let found = association::find(page, &region, &wanted)?;
    let candidate = |one: association::Candidate| Candidate {
        lines: one.lines,
        shown: one.shown,
        read: one.read,
        locator: format!("label \"{}\"", page.lines[one.label].text),
    };
    Ok(found.into_iter().map(candidate).collect())
}

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
    let card = blocks.take_while(|lines| lines.len() <= MAX_CARD).last()?;
    let size = page.lines[own.clone()].iter().map(|line| line.font).fold(0.0, f32::max);
    card.filter(|at| !own.contains(at)).map(|at| &page.lines[at]).find_map(|line| {
        let whole = || form.whole(&line.text).map(|read| (line.text.clone(), read));
        let within = || (line.text.len() <= 60).then(|| form.within(&line.text)).flatten();
        let (shown, read) = whole().or_else(within)?;
        let equal = line.font >= size * 0.75 && !line.chart && !line.control && !figure_of_a_year(&line.text);
        (equal && agrees(&read)).then_some(shown)
    })
}
