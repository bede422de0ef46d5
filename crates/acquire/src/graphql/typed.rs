//! Queries with generated types, whose answers the program reads itself.
#![expect(missing_docs, reason = "generated; the schema describes them")]

use graphql_client::GraphQLQuery;

use crate::atlas::Api;

/// A query with typed variables and a typed answer: one of the [`documents`](super::documents), declared below.
pub trait Typed: GraphQLQuery {
    /// The API that is asked.
    const API: Api;
}

// rustfmt would indent the attribute further on each run.
#[rustfmt::skip]
macro_rules! typed {
    ($api:ident $schema:tt, $name:ident $path:tt) => {
        #[derive(Debug, Clone, Copy, GraphQLQuery)]
        #[graphql(
            schema_path = $schema,
            query_path = $path,
            normalization = "rust",
            response_derives = "Debug,Clone,PartialEq",
            variables_derives = "Debug,Clone,PartialEq",
            skip_serializing_none
        )]
        pub struct $name;

        impl Typed for $name {
            const API: Api = Api::$api;
        }
    };
}

typed!(Explore "../../graphql/explore.graphql", Metadata "../../graphql/queries/explore/metadata.graphql");
typed!(Country "../../graphql/country.graphql", GlobalDatum "../../graphql/queries/country/global_datum.graphql");
