//! Typed questions to the Explore API.

mod queries;
mod row;
mod word;

use super::ask::{Level, ask, number, years};
use crate::atlas::{CountryId, ProductId};
use crate::value::{Classification, Period};

pub use queries::DOCUMENTS;
pub use row::*;
pub use word::{GroupType, ProductClass, ServicesClass};

/// An M49 code as a variable.
fn code(country: Option<CountryId>) -> Option<i64> {
    country.map(|country| country.code().into())
}

fn services(asked: bool) -> Option<ServicesClass> {
    asked.then_some(ServicesClass::Unilateral)
}

ask! {
    /// A country's trade with the world by product.
    CountryProductYear {
        /// How finely products are told apart.
        level: Level,
        /// The classification.
        class: Classification,
        /// Whether services are asked for too.
        services: bool,
        /// One country, or all.
        country: Option<CountryId>,
        /// One product, or all.
        product: Option<ProductId>,
        /// The years.
        years: Option<Period>,
    } -> Vec<CountryProductYearRow>,
    Explore country_product_year: Vec<Option<queries::country_product_year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::country_product_year::Variables {
            product_level: ask.level.digits(),
            product_class: Some(ask.class.into()),
            services_class: services(ask.services),
            country_id: code(ask.country),
            product_id: number(ask.product, ask.class)?,
            year_min,
            year_max,
        })
    }
}

ask! {
    /// A country as a whole; its ECI is that of the classification.
    CountryYear {
        /// One country, or all.
        country: Option<CountryId>,
        /// The classification.
        class: Classification,
        /// Whether services are asked for too.
        services: bool,
        /// The years.
        years: Option<Period>,
    } -> Vec<CountryYearRow>,
    Explore country_year: Vec<Option<queries::country_year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::country_year::Variables {
            country_id: code(ask.country),
            product_class: Some(ask.class.into()),
            services_class: services(ask.services),
            year_min,
            year_max,
        })
    }
}

ask! {
    /// Products in the trade of the world.
    ProductYear {
        /// How finely products are told apart.
        level: Level,
        /// The classification.
        class: Classification,
        /// Whether services are asked for too.
        services: bool,
        /// One product, or all.
        product: Option<ProductId>,
        /// The years.
        years: Option<Period>,
    } -> Vec<ProductYearRow>,
    Explore product_year: Vec<Option<queries::product_year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::product_year::Variables {
            product_level: ask.level.digits(),
            product_class: Some(ask.class.into()),
            services_class: services(ask.services),
            product_id: number(ask.product, ask.class)?,
            year_min,
            year_max,
        })
    }
}

ask! {
    /// A country's trade by partner. With services a pseudo partner holds them.
    CountryCountryYear {
        /// The classification.
        class: Classification,
        /// Whether services are asked for too.
        services: bool,
        /// One country, or all.
        country: Option<CountryId>,
        /// One partner, or all.
        partner: Option<CountryId>,
        /// The years.
        years: Option<Period>,
    } -> Vec<CountryCountryYearRow>,
    Explore country_country_year: Vec<Option<queries::country_country_year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::country_country_year::Variables {
            product_class: Some(ask.class.into()),
            services_class: services(ask.services),
            country_id: code(ask.country),
            partner_country_id: code(ask.partner),
            year_min,
            year_max,
        })
    }
}

ask! {
    /// What one country trades with another, by product; or a product's partners.
    CountryCountryProductYear {
        /// One country, or all.
        country: Option<CountryId>,
        /// One partner, or all.
        partner: Option<CountryId>,
        /// How finely products are told apart.
        level: Level,
        /// The classification.
        class: Classification,
        /// Whether services are asked for too.
        services: bool,
        /// One product, or all.
        product: Option<ProductId>,
        /// The years.
        years: Option<Period>,
    } -> Vec<CountryCountryProductYearRow>,
    Explore country_country_product_year: Vec<Option<queries::country_country_product_year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::country_country_product_year::Variables {
            country_id: code(ask.country),
            partner_country_id: code(ask.partner),
            year_min,
            year_max,
            product_class: Some(ask.class.into()),
            services_class: services(ask.services),
            product_level: Some(ask.level.digits()),
            product_id: number(ask.product, ask.class)?,
        })
    }
}

ask! {
    /// A group of countries as a whole.
    GroupYear {
        /// The classification.
        class: Classification,
        /// One group by the site's number, or all.
        group: Option<u32>,
        /// One type of group, or all.
        group_type: Option<GroupType>,
        /// The years.
        years: Option<Period>,
    } -> Vec<GroupYearRow>,
    Explore group_year: Vec<Option<queries::group_year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::group_year::Variables {
            product_class: Some(ask.class.into()),
            services_class: None,
            group_id: ask.group.map(i64::from),
            group_type: ask.group_type.clone(),
            year_min,
            year_max,
        })
    }
}

ask! {
    /// A country's trade with a group of countries, by product.
    CountryGroupProductYear {
        /// The partner, by the site's number.
        partner_group: u32,
        /// How finely products are told apart.
        level: Level,
        /// The classification.
        class: Classification,
        /// Whether services are asked for too.
        services: bool,
        /// One product, or all.
        product: Option<ProductId>,
        /// One country, or all.
        country: Option<CountryId>,
        /// The years.
        years: Option<Period>,
    } -> Vec<CountryGroupProductYearRow>,
    Explore country_group_product_year: Vec<Option<queries::country_group_product_year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::country_group_product_year::Variables {
            partner_group_id: ask.partner_group.into(),
            product_class: Some(ask.class.into()),
            services_class: services(ask.services),
            product_level: Some(ask.level.digits()),
            product_id: number(ask.product, ask.class)?,
            country_id: code(ask.country),
            year_min,
            year_max,
        })
    }
}

ask! {
    /// A group's trade with a country, by product; group 1 is the world.
    GroupCountryProductYear {
        /// The group, by the site's number.
        group: u32,
        /// How finely products are told apart.
        level: Level,
        /// The classification.
        class: Classification,
        /// Whether services are asked for too.
        services: bool,
        /// One product, or all.
        product: Option<ProductId>,
        /// One partner, or all.
        partner: Option<CountryId>,
        /// The years.
        years: Option<Period>,
    } -> Vec<GroupCountryProductYearRow>,
    Explore group_country_product_year: Vec<Option<queries::group_country_product_year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::group_country_product_year::Variables {
            group_id: ask.group.into(),
            product_class: Some(ask.class.into()),
            services_class: services(ask.services),
            product_level: Some(ask.level.digits()),
            product_id: number(ask.product, ask.class)?,
            partner_country_id: code(ask.partner),
            year_min,
            year_max,
        })
    }
}

ask! {
    /// All countries and areas.
    LocationCountry {} -> Vec<LocationCountryRow>,
    Explore location_country: Vec<Option<queries::location_country::Row>>,
    |_ask| Ok(queries::location_country::Variables)
}

ask! {
    /// Groups of countries with their members.
    LocationGroup {
        /// One type of group, or all.
        group_type: Option<GroupType>,
    } -> Vec<LocationGroupRow>,
    Explore location_group: Vec<Option<queries::location_group::Row>>,
    |ask| Ok(queries::location_group::Variables { group_type: ask.group_type.clone() })
}

macro_rules! catalogue {
    ($($(#[$meta:meta])* $name:ident $module:ident),+ $(,)?) => {
        $(ask! {
            $(#[$meta])*
            $name {
                /// One level, or all.
                level: Option<Level>,
                /// Whether services are asked for too.
                services: bool,
            } -> Vec<ProductRow>,
            Explore $module: Vec<Option<queries::$module::Row>>,
            |ask| Ok(queries::$module::Variables {
                product_level: ask.level.map(Level::digits),
                services_class: services(ask.services),
            })
        })+
    };
}
catalogue! {
    /// Products of HS 1992.
    ProductHs92 product_hs92,
    /// Products of HS 2012.
    ProductHs12 product_hs12,
    /// Products of HS 2022.
    ProductHs22 product_hs22,
    /// Products of the SITC.
    ProductSitc product_sitc,
}

ask! {
    /// Deflators to constant dollars.
    Year {
        /// The years.
        years: Option<Period>,
    } -> Vec<YearRow>,
    Explore year: Vec<Option<queries::year::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::year::Variables { year_min, year_max })
    }
}

ask! {
    /// The years that each classification has.
    DataAvailability {} -> Vec<DataAvailabilityRow>,
    Explore data_availability: Vec<Option<queries::data_availability::Row>>,
    |_ask| Ok(queries::data_availability::Variables)
}

ask! {
    /// How distance, opportunity gain, PCI and RCA spread over a country's products.
    CountryYearThresholds {
        /// The classification.
        class: Classification,
        /// One country, or all.
        country: Option<CountryId>,
        /// The years.
        years: Option<Period>,
    } -> Vec<CountryYearThresholdsRow>,
    Explore country_year_thresholds: Vec<Option<queries::country_year_thresholds::Row>>,
    |ask| {
        let (year_min, year_max) = years(ask.years);
        Ok(queries::country_year_thresholds::Variables {
            product_class: ask.class.into(),
            country_id: code(ask.country),
            year_min,
            year_max,
        })
    }
}

ask! {
    /// Which data the server holds.
    Metadata {} -> MetadataRow,
    Explore metadata: queries::metadata::Row,
    |_ask| Ok(queries::metadata::Variables)
}
