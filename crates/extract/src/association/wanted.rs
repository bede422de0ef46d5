//! What is looked for beside a label.

use std::collections::BTreeSet;

use crate::form::Form;

/// What to look for.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Normalized labels.
    pub labels: &'a [String],
    /// Normalized labels of the other figures of the section: what belongs to them is not looked at.
    pub others: &'a BTreeSet<String>,
    /// The form of the value.
    pub form: &'a Form,
    /// Normalized words that must stand with the value, each in every wording.
    pub with: &'a [Vec<String>],
    /// Normalized words that must not.
    pub without: &'a [String],
    /// Whether a value that stands with these words may be the wanted one: of no other country, of no other year.
    pub allows: &'a dyn Fn(&str) -> bool,
}

impl<'a> Wanted<'a> {
    /// A value of that form beside one of the labels, with no words that must or must not stand there.
    pub fn of(labels: &'a [String], form: &'a Form, allows: &'a dyn Fn(&str) -> bool) -> Self {
        static NONE: BTreeSet<String> = BTreeSet::new();
        Self { labels, others: &NONE, form, with: &[], without: &[], allows }
    }
}
