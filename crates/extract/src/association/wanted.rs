//! The value to find beside a label.

use std::collections::BTreeSet;

use crate::form::Form;

/// The search for a value.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Normalized labels.
    pub labels: &'a [String],
    /// Normalized labels of other figures in the section. Their texts are ignored.
    pub others: &'a BTreeSet<String>,
    /// The form of the value.
    pub form: &'a Form,
    /// Normalized words that must accompany the value, each in every wording.
    pub with: &'a [Vec<String>],
    /// Normalized words that must not accompany it.
    pub without: &'a [String],
    /// Whether a value with these words may be the wanted one, rather than one of another country
    /// or year.
    pub allows: &'a dyn Fn(&str) -> bool,
}

impl<'a> Wanted<'a> {
    /// A value of this form beside a label, without word conditions.
    pub fn of(labels: &'a [String], form: &'a Form, allows: &'a dyn Fn(&str) -> bool) -> Self {
        static NONE: BTreeSet<String> = BTreeSet::new();
        Self { labels, others: &NONE, form, with: &[], without: &[], allows }
    }
}
