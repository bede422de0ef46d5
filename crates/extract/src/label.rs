//! What identifies a figure or word on a page: its labels, its form and the words around it.

use std::collections::BTreeSet;

use super::document::normalize_label;
use super::form::Form;

/// How a figure is found. Labels and words are normalized.
#[derive(Debug, Clone)]
pub struct Label {
    /// The label in every wording.
    pub labels: Vec<String>,
    /// Labels of other figures in the section: a card ends at the next label.
    pub others: BTreeSet<String>,
    /// Form of the value.
    pub form: Form,
    /// Words that must accompany the value, each in every wording.
    pub with: Vec<Vec<String>>,
    /// Words that must not accompany it.
    pub without: Vec<String>,
}

/// Labels in normalized form.
pub(crate) fn normalized_labels(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| normalize_label(text)).collect()
}
