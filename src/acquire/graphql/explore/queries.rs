//! Types generated from the query documents of the Explore API.
#![expect(missing_docs, reason = "generated; the schema describes them")]

use super::word::{GroupType, ProductClass, ServicesClass};
use crate::acquire::graphql::document::queries;

queries! {
    Explore,
    "graphql/explore.graphql",
    CountryCountryProductYear = "graphql/queries/explore/country_country_product_year.graphql",
    CountryCountryYear = "graphql/queries/explore/country_country_year.graphql",
    CountryGroupProductYear = "graphql/queries/explore/country_group_product_year.graphql",
    CountryProductYear = "graphql/queries/explore/country_product_year.graphql",
    CountryYear = "graphql/queries/explore/country_year.graphql",
    CountryYearThresholds = "graphql/queries/explore/country_year_thresholds.graphql",
    DataAvailability = "graphql/queries/explore/data_availability.graphql",
    GroupCountryProductYear = "graphql/queries/explore/group_country_product_year.graphql",
    GroupYear = "graphql/queries/explore/group_year.graphql",
    LocationCountry = "graphql/queries/explore/location_country.graphql",
    LocationGroup = "graphql/queries/explore/location_group.graphql",
    Metadata = "graphql/queries/explore/metadata.graphql",
    ProductHs12 = "graphql/queries/explore/product_hs12.graphql",
    ProductHs22 = "graphql/queries/explore/product_hs22.graphql",
    ProductHs92 = "graphql/queries/explore/product_hs92.graphql",
    ProductSitc = "graphql/queries/explore/product_sitc.graphql",
    ProductYear = "graphql/queries/explore/product_year.graphql",
    Year = "graphql/queries/explore/year.graphql",
}
