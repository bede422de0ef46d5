//! The query types that a question may expect, from the one list of them: `query_types.tsv`.

use std::sync::LazyLock;

use super::schema::Api;

/// A kind of question, named after the data that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueryType {
    /// The name in manifests and records: `country_profile`.
    pub name: &'static str,
    /// The API whose queries answer it; none for what is to be declined.
    pub api: Option<Api>,
    /// What it answers.
    pub about: &'static str,
}

static LIST: LazyLock<Vec<QueryType>> = LazyLock::new(|| {
    include_str!("query_types.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (name, rest) = line.split_once('\t')?;
            let (api, about) = rest.split_once('\t')?;
            let api = Api::ALL.into_iter().find(|known| known.name() == api);
            Some(QueryType { name, api, about })
        })
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
        let without = query_types().iter().filter(|kind| kind.api.is_none());
        assert_eq!(without.map(|kind| kind.name).collect::<Vec<_>>(), ["reject"]);
    }

    #[test]
    fn finds_by_exact_name() {
        assert_eq!(query_type("country_profile").map(|kind| kind.name), Some("country_profile"));
        assert_eq!(query_type("Country_Profile"), None);
    }
}
