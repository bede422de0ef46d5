//! What a figure or word is found by on a page: its labels, its form and the words around it.

use std::collections::BTreeSet;

use super::document::normalize_label;
use super::form::Form;

/// What a figure is found by. Labels and words are normalized.
#[derive(Debug, Clone)]
pub struct Label {
    /// The label in every wording.
    pub labels: Vec<String>,
    /// Labels of the other figures of its section: a card ends where another begins.
    pub others: BTreeSet<String>,
    /// Form of the value.
    pub form: Form,
    /// Words that must stand with the value, each in every wording.
    pub with: Vec<Vec<String>>,
    /// Words that must not.
    pub without: Vec<String>,
}

/// Labels as they are compared.
pub(crate) fn normalized_labels(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| normalize_label(text)).collect()
}
