//! Options whose words are those of a type of a library, which knows nothing of the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::agent::Mode;
use crate::scoring::components::Component;
use crate::scoring::json::{Numbers, SemanticFallback};
use crate::truth::{Pipeline, SourceMethod};

/// A type with a fixed set of words.
pub(super) trait Choice: Copy + Send + Sync + 'static {
    /// Every value with its word, and what help says of it.
    const WORDS: &'static [(Self, &'static str, &'static str)];
}

/// Reads one of the words of a type, and lists them in help.
pub(super) fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let words = T::WORDS.iter().map(|(_, word, help)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(words).try_map(|word| {
        let known = T::WORDS.iter().find(|(_, known, _)| *known == word);
        known.map(|(value, ..)| *value).ok_or("an unknown word")
    })
}

impl Choice for Mode {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Self::GraphqlOnly, "graphql_only", "GraphQL alone"),
        (Self::SqlOnly, "sql_only", "SQL alone"),
        (Self::GraphqlSql, "graphql_sql", "GraphQL and SQL, as newer servers call it"),
        (Self::Auto, "auto", "The agent decides"),
    ];
}

impl Choice for Pipeline {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Graphql, "graphql", "GraphQL"),
        (Self::Sql, "sql", "SQL"),
        (Self::Mixed, "mixed", "Both"),
        (Self::None, "none", "No data tool: documents, or the model alone"),
        (Self::Unknown, "unknown", "Nothing says which"),
    ];
}

impl Choice for SourceMethod {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Self::BrowserCountryPage, "browser_country_page", "Read on a country page"),
        (
            Self::BrowserExplorePage,
            "browser_explore_page",
            "Read on an Explore page, from its text or a response to the page's own query",
        ),
        (Self::GraphqlApi, "graphql_api", "Answered to a query of our own"),
        (Self::SqlCrossCheck, "sql_cross_check", "Answered by the SQL pipeline"),
        (Self::LlmGenerated, "llm_generated", "Written by a language model"),
    ];
}

impl Choice for Component {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Classification, "classification", "Which query type a question is of, and which are rejected"),
        (Self::Extraction, "extraction", "Which countries, products, years and settings it names"),
        (Self::IdResolution, "id_resolution", "Which internal ids these have"),
    ];
}

impl Choice for Numbers {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Exact, "exact", "As the metrics plan has it: EXACT"),
        (Self::Display, "display", "At displayed precision; strings that read as a displayed number too"),
    ];
}

impl Choice for SemanticFallback {
    const WORDS: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Unscored, "unscored", "The field is unscored"),
        (Self::Lexical, "lexical", "Common words, marked provisional"),
    ];
}
