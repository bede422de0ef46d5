//! Types generated from the query documents of the country pages API.
#![expect(missing_docs, reason = "generated; the schema describes them")]

use super::word::{LocationLevel, LookBackYearRange, ProductClass, ProductLevel};
use crate::acquire::graphql::document::queries;

/// What the schema calls `ID`, under the name that generated variables look for.
type Id = String;

queries! {
    Country,
    "graphql/country.graphql",
    AllCountryProductYear = "graphql/queries/country/all_country_product_year.graphql",
    AllLocations = "graphql/queries/country/all_locations.graphql",
    AllProductYear = "graphql/queries/country/all_product_year.graphql",
    CountryLookback = "graphql/queries/country/country_lookback.graphql",
    CountryProductLookback = "graphql/queries/country/country_product_lookback.graphql",
    CountryProfile = "graphql/queries/country/country_profile.graphql",
    CountryYear = "graphql/queries/country/country_year.graphql",
    CountryYearRange = "graphql/queries/country/country_year_range.graphql",
    GlobalDatum = "graphql/queries/country/global_datum.graphql",
    NewProductsComparisonCountries = "graphql/queries/country/new_products_comparison_countries.graphql",
    NewProductsCountry = "graphql/queries/country/new_products_country.graphql",
    TreeMapPartners = "graphql/queries/country/tree_map_partners.graphql",
    TreeMapProducts = "graphql/queries/country/tree_map_products.graphql",
}
