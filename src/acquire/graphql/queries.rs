//! The typed queries: one struct for each document in `graphql/queries/`, compiled against its schema.
#![expect(missing_docs, reason = "the generated modules repeat the documented schemas")]

use graphql_client::GraphQLQuery;

/// World figures of a period.
#[derive(Debug, GraphQLQuery)]
#[graphql(
    schema_path = "graphql/country.graphql",
    query_path = "graphql/queries/country_global_datum.graphql",
    response_derives = "Debug, Clone, PartialEq"
)]
pub struct CountryGlobalDatum;

/// Which data the site serves.
#[derive(Debug, GraphQLQuery)]
#[graphql(
    schema_path = "graphql/explore.graphql",
    query_path = "graphql/queries/explore_metadata.graphql",
    response_derives = "Debug, Clone, PartialEq"
)]
pub struct ExploreMetadata;
