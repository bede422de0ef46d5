//! The query documents under `graphql/queries`, with the schema that each belongs to, parsed once.

use std::sync::OnceLock;

use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use serde::{Deserialize, Serialize};

use super::{country, explore};

/// One of the two APIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// The documented one, behind the Explore pages.
    Explore,
    /// The undocumented one, behind the country pages.
    Country,
}

impl Api {
    /// Both, in a fixed order.
    pub const ALL: [Self; 2] = [Self::Explore, Self::Country];

    /// Where requests are posted to.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Explore => "/api/graphql",
            Self::Country => "/api/countries/graphql",
        }
    }

    /// `explore` or `country`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explore => "explore",
            Self::Country => "country",
        }
    }

    /// The schema that the query documents were written for.
    #[must_use]
    pub const fn sdl(self) -> &'static str {
        match self {
            Self::Explore => include_str!("../../../graphql/explore.graphql"),
            Self::Country => include_str!("../../../graphql/country.graphql"),
        }
    }

    /// The same, parsed.
    ///
    /// # Errors
    /// The schema is not valid; a test makes sure that it is.
    pub fn schema(self) -> Result<&'static Valid<Schema>, String> {
        static EXPLORE: OnceLock<Result<Valid<Schema>, String>> = OnceLock::new();
        static COUNTRY: OnceLock<Result<Valid<Schema>, String>> = OnceLock::new();
        let place = match self {
            Self::Explore => &EXPLORE,
            Self::Country => &COUNTRY,
        };
        place
            .get_or_init(|| {
                let file = format!("{}.graphql", self.name());
                Schema::parse_and_validate(self.sdl(), file).map_err(|invalid| invalid.to_string())
            })
            .as_ref()
            .map_err(Clone::clone)
    }
}

impl std::fmt::Display for Api {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A query document. It holds one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// The API that it asks.
    pub api: Api,
    /// Name of its operation.
    pub name: &'static str,
    /// Its file, from the root of the project.
    pub file: &'static str,
    /// Its text, as sent.
    pub text: &'static str,
}

impl Document {
    /// Parses the document against the schema it was written for.
    ///
    /// # Errors
    /// It does not fit; a test makes sure that all do.
    pub fn parse(&self) -> Result<Valid<ExecutableDocument>, String> {
        ExecutableDocument::parse_and_validate(self.api.schema()?, self.text, self.file)
            .map_err(|invalid| invalid.to_string())
    }
}

/// All query documents, by API and name.
#[must_use]
pub fn documents() -> &'static [Document] {
    static ALL: OnceLock<Vec<Document>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<Document> = [explore::DOCUMENTS, country::DOCUMENTS].concat();
        all.sort_by_key(|document| (document.api, document.name));
        all
    })
}

/// Derives the types of query documents and lists the documents.
macro_rules! queries {
    ($api:ident, $schema:tt, $($operation:ident = $path:tt),+ $(,)?) => {
        $(
            #[derive(Debug, Clone, Copy, graphql_client::GraphQLQuery)]
            #[graphql(
                schema_path = $schema,
                query_path = $path,
                normalization = "rust",
                response_derives = "Debug,Clone,PartialEq",
                variables_derives = "Debug,Clone,PartialEq",
                extern_enums("ProductClass", "ServicesClass", "GroupType", "ProductLevel", "LookBackYearRange", "LocationLevel"),
                skip_serializing_none
            )]
            pub struct $operation;
        )+

        /// The documents of this API.
        pub const DOCUMENTS: &[$crate::acquire::graphql::Document] = &[$(
            $crate::acquire::graphql::Document {
                api: $crate::acquire::graphql::Api::$api,
                name: stringify!($operation),
                file: $path,
                text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $path)),
            },
        )+];
    };
}
pub(super) use queries;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_document_validates_against_its_schema() {
        for document in documents() {
            let parsed = document.parse().unwrap_or_else(|error| panic!("{}: {error}", document.file));
            let names: Vec<_> = parsed.operations.iter().map(|operation| operation.name.clone()).collect();
            assert_eq!(names.len(), 1, "{}", document.file);
            assert_eq!(names[0].as_ref().unwrap().as_str(), document.name);
        }
    }

    #[test]
    fn every_file_of_the_folder_is_a_document() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = BTreeSet::new();
        for api in Api::ALL {
            let folder = Path::new("graphql/queries").join(api.name());
            for entry in std::fs::read_dir(root.join(&folder)).unwrap() {
                files.insert(folder.join(entry.unwrap().file_name()).to_str().unwrap().to_owned());
            }
        }
        let listed: BTreeSet<String> = documents().iter().map(|document| document.file.to_owned()).collect();
        assert_eq!(files, listed);
    }
}
