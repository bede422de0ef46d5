//! The query types that a question may expect, from the one list of them: `query_types.tsv`.

use std::sync::LazyLock;

/// A kind of question, named after the data that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueryType {
    /// The name in manifests and records: `country_profile`.
    pub name: &'static str,
    /// What it answers.
    pub about: &'static str,
}

static LIST: LazyLock<Vec<QueryType>> = LazyLock::new(|| {
    include_str!("query_types.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, about)| QueryType { name, about })
        .collect()
});

/// All query types, in the list's order.
#[must_use]
pub fn query_types() -> &'static [QueryType] {
    &LIST
}

/// The query type of that name.
#[must_use]
pub fn query_type(name: &str) -> Option<QueryType> {
    LIST.iter().copied().find(|kind| kind.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_20_lists_twenty_one_types() {
        assert_eq!(query_types().len(), 21);
        let mut names: Vec<_> = query_types().iter().map(|kind| kind.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 21);
        assert!(query_types().iter().all(|kind| !kind.about.is_empty()));
    }

    #[test]
    fn finds_by_exact_name() {
        assert_eq!(query_type("country_profile").map(|kind| kind.name), Some("country_profile"));
        assert_eq!(query_type("Country_Profile"), None);
    }
}
