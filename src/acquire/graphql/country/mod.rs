//! Typed questions to the API of the country pages.

mod queries;
mod row;
mod word;

use super::ask::{Level, ask};
use super::error::ApiError;
use crate::atlas::CountryId;
use crate::value::{Classification, Period};

pub use queries::DOCUMENTS;
pub use row::*;
pub use word::{LocationLevel, LookBackYearRange, ProductClass, ProductLevel};

fn class(asked: Option<Classification>) -> Result<Option<ProductClass>, ApiError> {
    asked.map(ProductClass::of).transpose()
}

ask! {
    /// The newest figures of a country.
    CountryProfile {
        /// The country.
        country: CountryId,
    } -> CountryProfileRow,
    Country country_profile: queries::country_profile::Row,
    |ask| Ok(queries::country_profile::Variables { location: ask.country.location() })
}

ask! {
    /// A country's changes over a period.
    CountryLookback {
        /// The country.
        country: CountryId,
        /// The period.
        range: LookBackYearRange,
        /// The classification; `None` for the API's own choice.
        class: Option<Classification>,
    } -> CountryLookbackRow,
    Country country_lookback: queries::country_lookback::Row,
    |ask| Ok(queries::country_lookback::Variables {
        id: ask.country.location(),
        year_range: Some(ask.range.clone()),
        product_class: class(ask.class)?,
    })
}

ask! {
    /// A country in a year.
    CountryYear {
        /// The country.
        country: CountryId,
        /// The year.
        year: i16,
        /// The classification of the ECI; `None` for the API's own choice.
        eci_class: Option<Classification>,
        /// The classification of the COI; `None` for the API's own choice.
        coi_class: Option<Classification>,
    } -> CountryYearRow,
    Country country_year: queries::country_year::Row,
    |ask| Ok(queries::country_year::Variables {
        location: ask.country.location(),
        year: ask.year.into(),
        eci_product_class: class(ask.eci_class)?,
        coi_product_class: class(ask.coi_class)?,
    })
}

ask! {
    /// A country over years.
    CountryYearRange {
        /// The country.
        country: CountryId,
        /// The years.
        years: Period,
        /// The classification of the ECI; `None` for the API's own choice.
        eci_class: Option<Classification>,
        /// The classification of the COI; `None` for the API's own choice.
        coi_class: Option<Classification>,
    } -> CountryYearRangeRow,
    Country country_year_range: queries::country_year_range::Row,
    |ask| Ok(queries::country_year_range::Variables {
        location: ask.country.location(),
        min_year: ask.years.start.into(),
        max_year: ask.years.end.into(),
        eci_product_class: class(ask.eci_class)?,
        coi_product_class: class(ask.coi_class)?,
    })
}

ask! {
    /// The world.
    GlobalDatum {
        /// The period of the changes; `None` for the API's own choice.
        range: Option<LookBackYearRange>,
        /// The classification; `None` for the API's own choice.
        class: Option<Classification>,
    } -> GlobalDatumRow,
    Country global_datum: queries::global_datum::Row,
    |ask| Ok(queries::global_datum::Variables {
        year_range: ask.range.clone(),
        product_class: class(ask.class)?,
    })
}

ask! {
    /// A country's trade by product. Asked for sectors without a year, it answers with all years.
    TreeMapProducts {
        /// The country.
        country: CountryId,
        /// The classification; trees of SITC fail.
        class: Option<Classification>,
        /// How finely products are told apart.
        level: Level,
        /// The year; `None` for the newest.
        year: Option<i16>,
    } -> Vec<TreeMapProductRow>,
    Country tree_map_products: Vec<Option<queries::tree_map_products::TreeMapProductsData>>,
    |ask| Ok(queries::tree_map_products::Variables {
        product_class: class(ask.class)?,
        year: ask.year.map(i64::from),
        product_level: Some(ProductLevel::of(ask.level)?),
        location: Some(ask.country.location()),
    })
}

ask! {
    /// A country's trade by partner.
    TreeMapPartners {
        /// The country.
        country: CountryId,
        /// The year; `None` for the newest.
        year: Option<i16>,
    } -> Vec<TreeMapPartnerRow>,
    Country tree_map_partners: Vec<Option<queries::tree_map_partners::TreeMapPartnersData>>,
    |ask| Ok(queries::tree_map_partners::Variables {
        year: ask.year.map(i64::from),
        location: Some(ask.country.location()),
    })
}

ask! {
    /// Deciles of a country's products.
    AllCountryProductYear {
        /// The country.
        country: CountryId,
        /// The year.
        year: i16,
        /// The classification.
        class: Classification,
        /// How finely products are told apart.
        level: Level,
    } -> Vec<AllCountryProductYearRow>,
    Country all_country_product_year: Vec<Option<queries::all_country_product_year::Row>>,
    |ask| Ok(queries::all_country_product_year::Variables {
        location: ask.country.location(),
        year: ask.year.into(),
        product_class: ProductClass::of(ask.class)?,
        product_level: Some(ProductLevel::of(ask.level)?),
    })
}

ask! {
    /// Growth of a country's exports by product.
    CountryProductLookback {
        /// The country.
        country: CountryId,
        /// The period.
        range: LookBackYearRange,
        /// How finely products are told apart.
        level: Level,
    } -> Vec<CountryProductLookbackRow>,
    Country country_product_lookback: Vec<Option<queries::country_product_lookback::Row>>,
    |ask| Ok(queries::country_product_lookback::Variables {
        location: ask.country.location(),
        year_range: Some(ask.range.clone()),
        product_level: Some(ProductLevel::of(ask.level)?),
    })
}

ask! {
    /// Products in the trade of the world.
    AllProductYear {
        /// The classification; SITC fails.
        class: Classification,
        /// How finely products are told apart.
        level: Level,
        /// The year.
        year: i16,
    } -> Vec<AllProductYearRow>,
    Country all_product_year: Vec<Option<queries::all_product_year::Row>>,
    |ask| Ok(queries::all_product_year::Variables {
        product_class: ProductClass::of(ask.class)?,
        product_level: ProductLevel::of(ask.level)?,
        year: ask.year.into(),
    })
}

ask! {
    /// What a country has begun to export.
    NewProductsCountry {
        /// The country.
        country: CountryId,
        /// The year.
        year: i16,
    } -> NewProductsCountryRow,
    Country new_products_country: queries::new_products_country::Row,
    |ask| Ok(queries::new_products_country::Variables {
        location: ask.country.location(),
        year: ask.year.into(),
    })
}

ask! {
    /// What a country's peers have begun to export.
    NewProductsComparisonCountries {
        /// The country, which is not among its peers.
        country: CountryId,
        /// The year.
        year: i16,
        /// How many peers.
        quantity: u8,
    } -> Vec<NewProductsPeerRow>,
    Country new_products_comparison_countries: Vec<Option<queries::new_products_comparison_countries::Row>>,
    |ask| Ok(queries::new_products_comparison_countries::Variables {
        location: ask.country.location(),
        year: ask.year.into(),
        quantity: Some(ask.quantity.into()),
    })
}

ask! {
    /// All countries and areas. Regions are not asked for: their names fail.
    AllLocations {} -> Vec<LocationRow>,
    Country all_locations: Vec<Option<queries::all_locations::Row>>,
    |_ask| Ok(queries::all_locations::Variables { level: Some(LocationLevel::Country) })
}
