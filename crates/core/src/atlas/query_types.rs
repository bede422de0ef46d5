//! The query types a question may expect: the built-in list `query_types.tsv`, and a team's own list from the settings.

use std::sync::{LazyLock, OnceLock};

use super::schema::Api;

/// A kind of question, named after the data that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueryType {
    /// The name in manifests and records: `country_profile`.
    pub name: &'static str,
    /// The API that answers it; `None` for questions the agent should decline.
    pub api: Option<Api>,
    /// What its queries return.
    pub about: &'static str,
    /// Whether questions should cover it. Agents know more types.
    is_covered: bool,
}

static LIST: LazyLock<Vec<QueryType>> =
    LazyLock::new(|| read(include_str!("query_types.tsv")).unwrap_or_default());
static COVERED: LazyLock<Vec<QueryType>> =
    LazyLock::new(|| LIST.iter().copied().filter(|kind| kind.is_covered).collect());
/// The team's own query types.
static MORE: OnceLock<Vec<QueryType>> = OnceLock::new();

/// Parses a list: one type a line, with tab-separated columns.
fn read(text: &'static str) -> Result<Vec<QueryType>, usize> {
    let lines =
        text.lines().zip(1_usize..).filter(|(line, _)| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            let mut columns = line.split('\t').map(str::trim);
            let name = columns.next().filter(|name| !name.is_empty() && !name.contains(' ')).ok_or(number)?;
            let api = columns.next().unwrap_or_default();
            let api = api.parse().ok();
            let (about, agent) = (columns.next().unwrap_or_default(), columns.next());
            Ok(QueryType { name, api, about, is_covered: agent != Some("agent") })
        })
        .collect()
}

/// Adds a team's list, once. Its types are not required for coverage.
///
/// # Errors
/// Number of the first invalid line, from 1.
pub fn add_query_types(text: &str) -> Result<(), usize> {
    // Leaked on purpose: the list is read once and lives as long as the program.
    let more = read(Box::leak(text.to_owned().into_boxed_str()))?;
    MORE.get_or_init(|| more.into_iter().map(|kind| QueryType { is_covered: false, ..kind }).collect());
    Ok(())
}

/// The query types that questions should cover, in the list's order.
#[must_use]
pub fn query_types() -> &'static [QueryType] {
    &COVERED
}

/// The query type of that name.
#[must_use]
pub fn query_type(name: &str) -> Option<QueryType> {
    LIST.iter().chain(MORE.get().into_iter().flatten()).copied().find(|kind| kind.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_20_lists_twenty_one_types_and_agents_know_eight_more() {
        assert_eq!((query_types().len(), LIST.len()), (21, 29));
        let mut names: Vec<_> = LIST.iter().map(|kind| kind.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 29);
        assert!(LIST.iter().all(|kind| !kind.about.is_empty()));
        let without = LIST.iter().filter(|kind| kind.api.is_none());
        assert_eq!(without.map(|kind| kind.name).collect::<Vec<_>>(), ["reject"]);
    }

    #[test]
    fn finds_by_exact_name_also_those_of_a_team() {
        assert_eq!(query_type("country_profile").map(|kind| kind.name), Some("country_profile"));
        assert!(query_type("group_membership").is_some() && query_type("tariffs").is_none());
        assert_eq!(query_type("Country_Profile"), None);
        assert_eq!(add_query_types("# mine\ntariffs\texplore\tTariffs\ntwo words\n"), Err(3));
        add_query_types("tariffs\texplore\tTariffs\n").unwrap();
        assert!(query_type("tariffs").is_some() && query_types().len() == 21);
    }
}
